//! The kinds of agents: each has its own file with its settings and its player.

#[cfg(feature = "schema")]
use super::settings::AgentSettings;
use super::settings::RegisteredKind;
#[cfg(feature = "schema")]
use crate::util::schema::{FileSchema, SchemaTable};

/// Declares the module of each kind and registers the kind.
macro_rules! kinds {
    ($($(#[$cfg:meta])? $file:ident: $settings:ident;)+) => {
        $($(#[$cfg])? pub(super) mod $file;)+
        $($(#[$cfg])? pub use $file::$settings;)+

        /// The kinds of this library.
        pub(super) fn shipped() -> Vec<RegisteredKind> {
            vec![$($(#[$cfg])? RegisteredKind::of::<$settings>(),)+]
        }

        /// The keys of each kind, except `type`.
        #[cfg(feature = "schema")]
        pub(super) fn schemas(file: &mut FileSchema) -> Vec<(&'static str, SchemaTable)> {
            use super::kind::AgentKind as _;
            vec![$($(#[$cfg])? ($settings::name(), file.table::<$settings>()),)+]
        }
    };
}

kinds! {
    random: RandomSettings;
    greedy: GreedySettings;
    flat: FlatSettings;
    alpha_beta: AlphaBetaSettings;
    mcts: MctsSettings;
    #[cfg(all(unix, feature = "bots"))]
    external: ExternalSettings;
    human: HumanSettings;
}

/// The schema of agent files, for editors: the keys of each kind of agent, and files that extend others, in
/// which no key is required.
#[cfg(feature = "schema")]
pub fn agent_schema() -> serde_json::Value {
    let mut file = FileSchema::default();
    let description = serde_json::json!({ "type": "string", "description": "What the agent is for, in one sentence." });
    let kind =
        |name: &str| serde_json::json!({ "const": name, "description": "The kind of agent." });
    // A person is not described by a file.
    let kinds = |file: &mut FileSchema| {
        let mut all = schemas(file);
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
        let extends = serde_json::json!({
            "type": "string",
            "description": "The name or the path of an agent file, whose keys this one changes.",
        });
        let unset = serde_json::json!({
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

// They read the shipped agents, among which are bots.
#[cfg(all(test, feature = "bots"))]
mod tests;
