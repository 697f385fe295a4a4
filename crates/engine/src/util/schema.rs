//! JSON Schemas of the files that people write, for editors that complete and check them.
//!
//! They use draft 7, which the common editors understand. A file has one of several shapes, each with its own
//! keys.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The schema of a kind of file, built from the types that read it.
pub struct FileSchema {
    generator: SchemaGenerator,
    shapes: Vec<Value>,
}

/// The keys of a table that is read as this type.
pub fn keys_of<T: JsonSchema>() -> Vec<String> {
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect()
}

/// The suffix of definitions for files that change another one.
const CHANGES: &str = "Changes";

impl Default for FileSchema {
    /// The schema of a file without shapes.
    fn default() -> Self {
        Self {
            generator: SchemaSettings::draft07().into_generator(),
            shapes: Vec::new(),
        }
    }
}

impl FileSchema {
    /// The schema of a file with a single shape, which is read as this type.
    pub fn of<T: JsonSchema>(title: &str, description: &str) -> Value {
        let mut file = Self::default();
        let keys = file.table::<T>();
        file.add(keys);
        file.finish(title, description)
    }

    /// The schema of a table that is read as this type.
    pub fn table<T: JsonSchema>(&mut self) -> SchemaTable {
        SchemaTable(T::json_schema(&mut self.generator).to_value())
    }

    /// Adds a possible shape of the file.
    pub fn add(&mut self, shape: SchemaTable) {
        self.shapes.push(shape.0);
    }

    /// The whole schema.
    pub fn finish(mut self, title: &str, description: &str) -> Value {
        let mut definitions = self.generator.take_definitions(false);
        let has_changes = |shape: &Value| shape.to_string().contains(&format!("{CHANGES}\""));
        let has_changes = self.shapes.iter().any(has_changes);
        let changes: Map<String, Value> = definitions
            .iter()
            .filter(|(_, one)| has_changes && one.get("properties").is_some())
            .map(|(name, one)| {
                let mut one = one.clone();
                optional(&mut one);
                (format!("{name}{CHANGES}"), one)
            })
            .collect();
        let plain = |name: &str| !definitions.contains_key(name) && !changes.contains_key(name);
        for shape in &mut self.shapes {
            rename(shape, &plain);
        }
        let mut changes = changes.clone();
        for one in changes.values_mut() {
            rename(one, &plain);
        }
        definitions.extend(changes);
        let root = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": title,
            "description": description,
            "type": "object",
            "anyOf": self.shapes,
            "definitions": definitions,
        });
        let mut root = Schema::try_from(root).expect("an object is a schema");
        for transform in self.generator.transforms_mut() {
            transform.transform(&mut root);
        }
        RecursiveTransform(tidy).transform(&mut root);
        root.to_value()
    }
}

/// The schema of a table, to which keys can be added.
pub struct SchemaTable(Value);

impl SchemaTable {
    /// The table with an additional first key.
    pub fn with(mut self, key: &str, is_required: bool, schema: Value) -> Self {
        let mut properties = Map::from_iter([(key.to_owned(), schema)]);
        if let Some(Value::Object(others)) = self.0.get_mut("properties").map(Value::take) {
            properties.extend(others);
        }
        self.0["properties"] = properties.into();
        if is_required {
            self.require(key);
        }
        self.closed()
    }

    /// The table with the keys of another one added.
    pub fn and(mut self, other: Self) -> Self {
        let Value::Object(mut other) = other.0 else {
            return self;
        };
        for (key, schema) in object(other.remove("properties")) {
            self.0["properties"][&key] = schema;
        }
        for key in other.remove("required").iter().flat_map(strings) {
            self.require(key);
        }
        if let Some(Value::Array(choices)) = other.remove("allOf") {
            choices.into_iter().for_each(|choice| self.demand(choice));
        }
        self.closed()
    }

    /// The table, with at least one of these keys required.
    pub fn with_one_of(mut self, keys: &[&str]) -> Self {
        let each: Vec<Value> = keys
            .iter()
            .map(|key| json!({ "required": [key] }))
            .collect();
        self.demand(json!({ "anyOf": each }));
        self
    }

    /// The table without a key.
    pub fn without(mut self, key: &str) -> Self {
        if let Some(Value::Object(properties)) = self.0.get_mut("properties") {
            properties.remove(key);
        }
        self
    }

    /// The table with no key required, at any depth.
    pub fn optional(mut self) -> Self {
        optional(&mut self.0);
        self
    }

    /// The table with a title.
    pub fn titled(mut self, title: &str) -> Self {
        self.0["title"] = title.into();
        self
    }

    fn demand(&mut self, choice: Value) {
        match self.0.get_mut("allOf").and_then(Value::as_array_mut) {
            Some(list) => list.push(choice),
            None => self.0["allOf"] = json!([choice]),
        }
    }

    fn require(&mut self, key: &str) {
        let known = self
            .0
            .get("required")
            .iter()
            .flat_map(|list| strings(list))
            .any(|one| one == key);
        if !known {
            match self.0.get_mut("required").and_then(Value::as_array_mut) {
                Some(list) => list.push(key.into()),
                None => self.0["required"] = json!([key]),
            }
        }
    }

    fn closed(mut self) -> Self {
        self.0["additionalProperties"] = false.into();
        self
    }
}

fn object(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// Makes all keys of a table optional, at any depth.
fn optional(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.remove("required");
            if let Some(path) = map.get("$ref").and_then(Value::as_str) {
                let path = format!("{path}{CHANGES}");
                map.insert("$ref".to_owned(), path.into());
            }
            map.values_mut().for_each(optional);
        }
        Value::Array(list) => list.iter_mut().for_each(optional),
        _ => {}
    }
}

/// Redirects references to unknown definitions to those without [`CHANGES`], which have no keys.
fn rename(schema: &mut Value, is_unknown: &impl Fn(&str) -> bool) {
    match schema {
        Value::Object(map) => {
            if let Some(path) = map.get("$ref").and_then(Value::as_str)
                && let Some(plain) = path.strip_suffix(CHANGES)
                && path.rsplit('/').next().is_some_and(is_unknown)
            {
                let plain = plain.to_owned();
                map.insert("$ref".to_owned(), plain.into());
            }
            map.values_mut().for_each(|one| rename(one, is_unknown));
        }
        Value::Array(list) => list.iter_mut().for_each(|one| rename(one, is_unknown)),
        _ => {}
    }
}

/// Adapts a schema to TOML: there is no null, and number sizes become bounds.
fn tidy(schema: &mut Schema) {
    let Some(map) = schema.as_object_mut() else {
        return;
    };
    if map
        .remove("format")
        .is_some_and(|format| format == "uint32")
    {
        map.insert("maximum".to_owned(), u32::MAX.into());
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = &kinds[..] {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = &choices[..] {
            let only = only.clone();
            map.remove("anyOf");
            for (key, value) in only {
                map.entry(key).or_insert(value);
            }
        }
    }
    if let Some(text) = map.get("description").and_then(Value::as_str) {
        let text = without_links(text);
        map.insert("description".to_owned(), text.into());
    }
}

/// A doc comment as a description: on one line, without the paths of links to Rust items.
pub fn without_links(text: &str) -> String {
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once("`]").unwrap_or((part, ""));
        let name = path.rsplit("::").next().unwrap_or(path);
        plain += &format!("`{name}`{rest}");
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").replace("`None`", "null")
}
