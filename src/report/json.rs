//! The summary as JSON.

use std::io;

use serde::Serialize;

use super::header::Header;
use crate::stats::Summary;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Writes one JSON object: the fields of the header, followed by those of the summary. Numbers are
/// not rounded; unknown values are `null`.
///
/// # Errors
/// If the writer fails.
pub(super) fn write_json(
    mut out: impl io::Write,
    header: &Header,
    summary: &Summary,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &Report { header, summary })?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::header::test_header;
    use crate::report::rounds::samples;
    use crate::support::tournaments::{PAIRINGS, names, tournament};
    use serde_json::Value;

    /// The first place at which a value is not as a schema says, in the part of JSON Schema that ours
    /// uses; a keyword that is not known here is a mistake in the schema.
    fn differs(schema: &Value, root: &Value, value: &Value, at: &str) -> Option<String> {
        let is = |kind: &Value| match kind.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number") => value.is_number(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("null") => value.is_null(),
            _ => panic!("{at}: no type {kind}"),
        };
        let keywords = schema.as_object().expect("a schema is an object");
        let wrong = |what: String| Some(format!("{at}: {what}"));
        for (keyword, told) in keywords {
            let found = match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" | "required" => None,
                "type" => {
                    let kinds = told
                        .as_array()
                        .map_or(std::slice::from_ref(told), Vec::as_slice);
                    let fits = kinds.iter().any(is);
                    (!fits).then(|| format!("{at}: {value} is no {told}"))
                }
                "enum" => {
                    let fits = told.as_array().is_some_and(|all| all.contains(value));
                    (!fits).then(|| format!("{at}: {value} is none of {told}"))
                }
                "minimum" => {
                    let fits = value.as_f64() >= told.as_f64();
                    (!fits).then(|| format!("{at}: {value} is below {told}"))
                }
                "$ref" => {
                    let path = told.as_str().and_then(|path| path.strip_prefix('#'));
                    let other = path.and_then(|path| root.pointer(path)).expect("a schema");
                    differs(other, root, value, at)
                }
                "items" => value.as_array().and_then(|items| {
                    let each = items.iter().enumerate();
                    each.filter_map(|(i, item)| differs(told, root, item, &format!("{at}/{i}")))
                        .next()
                }),
                "properties" => {
                    let (told, object) = (told.as_object()?, value.as_object()?);
                    if let Some(key) = told.keys().find(|key| !object.contains_key(*key)) {
                        return wrong(format!("{key} is missing"));
                    }
                    let each = object.iter();
                    each.filter_map(|(key, value)| match told.get(key) {
                        Some(told) => differs(told, root, value, &format!("{at}/{key}")),
                        None => wrong(format!("{key} is not in the schema")),
                    })
                    .next()
                }
                "additionalProperties" => {
                    assert_eq!(*told, Value::Bool(false), "{at}");
                    let count = |key: &str| keywords[key].as_array().map(Vec::len);
                    let named = keywords["properties"].as_object().map(serde_json::Map::len);
                    assert_eq!(count("required"), named, "{at}: all keys are always there");
                    None
                }
                _ => panic!("{at}: no keyword {keyword}"),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    #[test]
    fn reports_are_as_the_schema_says() {
        let schema: Value =
            serde_json::from_str(include_str!("../../docs/report.schema.json")).expect("JSON");
        let all = tournament(12);
        let perfect: Vec<_> = tournament(6)
            .into_iter()
            .filter(|entry| {
                entry.record.winning_agent() == entry.record.agents.into_iter().min().unwrap_or(0)
            })
            .collect();
        for entries in [
            &all[..],
            &all[..0],
            &all[..1],
            &all[..2],
            &all[..5],
            &perfect,
        ] {
            let summary = Summary::new(&names(), &PAIRINGS, entries);
            let mut text = Vec::new();
            write_json(&mut text, &test_header(72), &summary).expect("a vector takes all");
            let json: Value = serde_json::from_slice(&text).expect("JSON");
            assert_eq!(
                differs(&schema, &schema, &json, ""),
                None,
                "{} games",
                entries.len()
            );
        }
        let summary = Summary::new(&names(), &PAIRINGS, &all[..2]);
        for format in samples() {
            let header = Header {
                format,
                ..test_header(72)
            };
            let mut text = Vec::new();
            write_json(&mut text, &header, &summary).expect("a vector takes all");
            let json: Value = serde_json::from_slice(&text).expect("JSON");
            assert_eq!(differs(&schema, &schema, &json, ""), None);
        }
        let bad = serde_json::json!({"name": 1});
        assert!(differs(&schema, &schema, &bad, "").is_some());
    }

    #[test]
    fn all_keys_are_there() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(5));
        let mut text = Vec::new();
        write_json(&mut text, &test_header(30), &summary).expect("a vector takes all");
        let json: Value = serde_json::from_slice(&text).expect("JSON");
        let has = |at: &str, keys: &str| {
            let object = json.pointer(at).unwrap_or_else(|| panic!("no {at}"));
            for key in keys.split(' ') {
                let value = object.get(key);
                assert!(
                    value.is_some_and(|value| !value.is_null()),
                    "{at}/{key} is {value:?}"
                );
            }
        };
        has(
            "",
            "name track seed planned_games version games ratings first_player branching",
        );
        has(
            "",
            "plies scores buttons covered bonus thinking pairings prior_used connected rho",
        );
        let first = json["ratings"]
            .as_array()
            .and_then(|rows| rows.iter().position(|row| row["agent"] == "greedy"));
        let at = format!("/ratings/{}", first.expect("greedy plays"));
        has(
            &at,
            "agent elo low high se games wins score mean_margin iterations_per_s",
        );
        has(&at, "seconds_per_move perfect");
        has(
            "/first_player",
            "games win_rate low high elo elo_low elo_high",
        );
        has(
            "/branching",
            "mean low high by_ply games_by_ply by_phase buying",
        );
        has("/branching/by_phase/0", "phase mean plies");
        has("/branching/buying", "mean plies");
        has(
            "/plies",
            "mean low high sd min max first first_low first_high first_sd turns",
        );
        has(
            "/plies/turns",
            "mean low high sd second second_low second_high second_sd",
        );
        has("/scores", "mean sd first second winner loser margin");
        let at = format!("/thinking{}", at.replace("ratings", "agents"));
        has(
            &at,
            "agent plies forced solved broken_proofs searches iterations_per_move iterations_per_s",
        );
        has(&at, "time");
        has(
            &format!("{at}/time"),
            "moves mean p5 p25 p50 p75 p95 p99 max",
        );
        has("/buttons", "first second mean");
        has("/covered", "first second mean");
        has("/bonus", "games rate");
        has(
            "/pairings/2",
            "a b games a_wins b_wins a_score low high mean_margin",
        );
        has(
            "/pairings/2",
            "first_wins first_win_rate first_low first_high",
        );
        assert_eq!(json["track"], "original");
        assert_eq!(json["branching"]["by_phase"][2]["phase"], "end");
        assert_eq!(
            json["ratings"][0]["elo"].as_f64(),
            summary.ratings[0].elo.value
        );
    }
}
