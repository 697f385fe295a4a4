//! The types of the messages in TypeScript, for `page/api.ts`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use crate::session::described;

const HEAD: &str = "\
// The messages of the engine. Made from src/messages.rs and src/session.rs, which say what each part means.
// `Rules` and `Searches` have the questions by name, with their types and those of the answers: each is a module of its
// own.
// UPDATE_API=1 cargo test -p patchwork-board typescript
";

fn file() -> String {
    // What is answered always has every key; what is asked may leave some out.
    let mut answers = SchemaGenerator::new(SchemaSettings::draft2020_12().for_serialize());
    let of_answers = described(&mut answers);
    let mut asks = SchemaGenerator::new(SchemaSettings::draft2020_12().for_deserialize());
    let of_asks = described(&mut asks);
    let mut needed = BTreeSet::new();
    for (_, [_, answer]) in of_answers.iter().flatten() {
        reach(answer.as_value(), answers.definitions(), &mut needed);
    }
    let mut out = HEAD.to_owned();
    for (name, schema) in asks.definitions() {
        let schema = match answers.definitions().get(name) {
            Some(schema) if needed.contains(name) => schema,
            _ => schema,
        };
        declare(&mut out, name, schema);
    }
    for (which, (asks, answers)) in ["Rules", "Searches"]
        .into_iter()
        .zip(of_asks.iter().zip(&of_answers))
    {
        let messages = asks.iter().zip(answers);
        let messages = messages.map(|((name, [ask, _]), (_, [_, answer]))| {
            let (ask, answer) = (kind(ask.as_value()), kind(answer.as_value()));
            format!(
                "{}: {{ ask: {ask}; answer: {answer} }};",
                name.to_lowercase()
            )
        });
        interface(&mut out, which, messages.collect());
    }
    out
}

/// Collects the names of all types that a schema refers to.
fn reach(schema: &Value, all: &Map<String, Value>, needed: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(name) = object.get("$ref").and_then(Value::as_str).map(last)
                && needed.insert(name.to_owned())
            {
                reach(&all[name], all, needed);
            }
            object.values().for_each(|value| reach(value, all, needed));
        }
        Value::Array(list) => list.iter().for_each(|value| reach(value, all, needed)),
        _ => {}
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

const WIDTH: usize = 120;

/// Writes these words in lines, each after `indent`.
fn fill(out: &mut String, indent: &str, words: impl Iterator<Item = String>) {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line.clear();
        }
        line += if line.is_empty() { indent } else { " " };
        line += &word;
    }
    let _ = writeln!(out, "{line}");
}

fn declare(out: &mut String, name: &str, schema: &Value) {
    let Some(properties) = schema["properties"].as_object() else {
        let _ = writeln!(out, "export type {name} = {};", kind(schema));
        return;
    };
    let required = schema["required"].as_array();
    let member = |(key, value): (&String, &Value)| {
        let is_required = required.is_some_and(|keys| keys.iter().any(|one| one == key));
        let mark = if is_required { "" } else { "?" };
        format!("{key}{mark}: {};", kind(value))
    };
    interface(out, name, properties.iter().map(member).collect());
}

fn interface(out: &mut String, name: &str, members: Vec<String>) {
    let line = format!("export interface {name} {{ {} }}", members.join(" "));
    if line.chars().count() <= WIDTH {
        let _ = writeln!(out, "{line}");
        return;
    }
    let _ = writeln!(out, "export interface {name} {{");
    fill(out, "  ", members.into_iter());
    out.push_str("}\n");
}

fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return last(name).to_owned();
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(Value::to_string));
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(options) = schema[key].as_array() {
            return union(options.iter().map(kind));
        }
    }
    match &schema["type"] {
        Value::Array(types) => {
            let single = |one: &Value| {
                let mut schema = schema.clone();
                schema["type"] = one.clone();
                kind(&schema)
            };
            union(types.iter().map(single))
        }
        Value::String(name) => match name.as_str() {
            "integer" | "number" => "number".to_owned(),
            "array" => list(schema),
            "object" => "Record<string, never>".to_owned(),
            other => other.to_owned(),
        },
        _ => panic!("{schema}"),
    }
}

fn list(schema: &Value) -> String {
    let item = kind(&schema["items"]);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ if item.contains(' ') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn union(kinds: impl Iterator<Item = String>) -> String {
    kinds.collect::<Vec<_>>().join(" | ")
}

#[test]
fn the_types_of_the_page_are_those_of_the_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/api.ts");
    let made = file();
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::write(path, made).expect("written");
        return;
    }
    let there = std::fs::read_to_string(path).expect("page/api.ts");
    assert_eq!(
        there, made,
        "run UPDATE_API=1 cargo test -p patchwork-board typescript"
    );
}
