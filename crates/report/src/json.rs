//! The report as JSON.

use std::io;

use super::data::TournamentReport;

impl TournamentReport<'_> {
    /// Writes one JSON object as described by `docs/report.schema.json`. Numbers are not rounded; unknown values are
    /// `null`.
    pub fn write_json(&self, mut out: impl io::Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::samples::{samples, swept_header, test_header, with_report};
    use boon::{Compiler, Schemas};
    use patchwork_engine::record::Entry;
    use patchwork_engine::util::schema::without_links;
    use patchwork_test_support::tournaments::{names, plan, tournament};
    use patchwork_tournament::Format;
    use schemars::Schema;
    use schemars::generate::SchemaSettings;
    use schemars::transform::RecursiveTransform;
    use serde_json::Value;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.schema.json");

    /// The schema of the types that are written.
    fn generated() -> Value {
        let finish = |schema: &mut Schema| {
            if let Some(text) = schema.get("description").and_then(Value::as_str) {
                let plain = without_links(text);
                schema.insert("description".to_owned(), plain.into());
            }
            if schema.get("properties").is_some() {
                schema.insert("additionalProperties".to_owned(), false.into());
            }
        };
        let settings = SchemaSettings::draft2020_12()
            .for_serialize()
            .with_transform(RecursiveTransform(finish));
        let schema = settings
            .into_generator()
            .into_root_schema_for::<TournamentReport<'_>>();
        schema.into()
    }

    #[test]
    fn the_schema_is_that_of_the_types() {
        let schema = generated();
        let text = serde_json::to_string_pretty(&schema).expect("plain data") + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(FILE, &text).expect("the folder docs");
        }
        let saved = std::fs::read_to_string(FILE).expect("a text file");
        let how = "run UPDATE_SCHEMA=1 cargo test -p patchwork-report --lib json";
        assert!(saved == text, "{FILE} is not up to date: {how}");
    }

    /// A check of values against the schema.
    fn checker() -> impl Fn(&Value) -> Result<(), String> {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let added = compiler.add_resource("report.json", generated());
        added.expect("a schema");
        let index = compiler.compile("report.json", &mut schemas);
        let index = index.expect("a valid schema");
        move |value| {
            let checked = schemas.validate(value, index);
            checked.map_err(|error| format!("{error:#}"))
        }
    }

    /// What is written of these games.
    fn written(header: &Header, entries: &[Entry]) -> Value {
        let plan = plan(&names(), Format::RoundRobin, 12).expect("a plan");
        let mut text = Vec::new();
        with_report(header, &plan, entries, |report| {
            report.write_json(&mut text)
        })
        .expect("writing to a vector cannot fail");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Every key of the schema is described and always there.
    #[test]
    fn all_keys_are_described_and_required() {
        fn check(schema: &Value, at: &str) {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                let required = schema["required"].as_array().map(Vec::len);
                assert_eq!(required, Some(properties.len()), "{at}");
                assert_eq!(schema["additionalProperties"], false, "{at}");
                for (key, property) in properties {
                    assert!(
                        property.get("description").is_some(),
                        "{at}/{key}: {property}"
                    );
                    check(property, &format!("{at}/{key}"));
                }
            }
        }
        let schema = generated();
        check(&schema, "");
        for (name, definition) in schema["$defs"].as_object().expect("definitions") {
            assert!(definition.get("description").is_some(), "{name}");
            check(definition, name);
        }
    }

    #[test]
    fn reports_are_as_the_schema_says() {
        let check = checker();
        let perfect: Vec<_> = tournament(6)
            .into_iter()
            .filter(|entry| {
                entry.record.winning_agent() == entry.record.agents.into_iter().min().unwrap_or(0)
            })
            .collect();
        let all = tournament(12);
        for entries in [
            &all[..],
            &all[..0],
            &all[..1],
            &all[..2],
            &all[..5],
            &perfect,
        ] {
            let json = written(&test_header(72), entries);
            assert_eq!(check(&json), Ok(()), "{} games", entries.len());
        }
        for tests in samples() {
            let header = Header {
                sprt: Some(tests),
                ..test_header(72)
            };
            let json = written(&header, &all[..2]);
            assert_eq!(check(&json), Ok(()));
        }
        let header = swept_header();
        assert!(header.sweep.is_some() && header.agents.len() == 3);
        let mut json = written(&header, &all[..2]);
        assert_eq!(check(&json), Ok(()));
        json["ratings"][0]["games"] = "two".into();
        let error = check(&json).expect_err("a text is not a number");
        assert!(error.contains("/ratings/0/games"), "{error}");
        json["ratings"][0]
            .as_object_mut()
            .and_then(|row| row.remove("games"));
        assert!(check(&json).is_err(), "a key is missing");
    }
}
