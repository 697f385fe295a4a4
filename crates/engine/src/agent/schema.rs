//! The JSON Schema of agent files.

use serde_json::{Value, json};

use super::kinds;
use super::settings::AgentSettings;
use crate::util::schema::FileSchema;

/// The schema of agent files, for editors: the keys of each kind of agent, and files that extend others, in
/// which no key is required.
#[must_use]
pub fn agent_schema() -> Value {
    let mut file = FileSchema::default();
    let description =
        json!({ "type": "string", "description": "What the agent is for, in one sentence." });
    let kind = |name: &str| json!({ "const": name, "description": "The kind of agent." });
    // A person is not described by a file.
    let kinds = |file: &mut FileSchema| {
        let mut all = kinds::schemas(file);
        all.retain(|(name, _)| *name != AgentSettings::PERSON);
        all
    };
    for (name, table) in kinds(&mut file) {
        let table = table.with("type", true, kind(name));
        file.add(
            table
                .with("description", false, description.clone())
                .titled(name),
        );
    }
    for (name, table) in kinds(&mut file) {
        let extends = json!({
            "type": "string",
            "description": "The name or the path of an agent file, whose keys this one changes.",
        });
        let unset = json!({
            "type": "array",
            "items": { "type": "string" },
            "description": "Keys of the extended file that this agent does not have.",
        });
        let table = table.optional().with("type", false, kind(name));
        let table = table.with("unset", false, unset);
        let table = table.with("extends", true, extends);
        let table = table.with("description", false, description.clone());
        file.add(table.titled(&format!("extends an agent of type {name}")));
    }
    file.finish(
        "Agent of Patchwork Arena",
        "An agent file: one agent, named as its file.",
    )
}
