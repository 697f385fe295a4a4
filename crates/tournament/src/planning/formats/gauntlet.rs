//! Some agents against all others.

use std::collections::BTreeSet;

use patchwork_engine::util::InputError;
use patchwork_engine::util::config::from_table;
use patchwork_engine::util::schema::{FileSchema, SchemaTable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::planning::format::{Entrants, FormatInfo, TournamentFormat};
use crate::planning::pairings::Pairings;

/// Some agents against all others. Challengers do not meet each other, and neither do the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gauntlet {
    /// The names of the agents that meet all others.
    pub challengers: Vec<String>,
}

impl TournamentFormat for Gauntlet {
    fn info() -> FormatInfo {
        FormatInfo {
            name: "gauntlet",
            keys: &["challengers"],
            is_testable: true,
        }
    }

    /// Adds the challengers that are not yet among the agents. The agents of a sweep are challengers.
    fn read(mut keys: toml::Table, entrants: &mut Entrants<'_>) -> Result<Self, InputError> {
        let (file, key) = (entrants.file, "challengers");
        if !entrants.swept.is_empty() {
            keys.entry(key)
                .or_insert_with(|| toml::Value::Array(Vec::new()));
        }
        let Self { challengers } = from_table(file, keys)?;
        let found = entrants.paths.load(file, key, &challengers)?;
        let named = found.iter().map(|agent| agent.name.clone());
        let challengers: BTreeSet<String> = named.chain(entrants.swept.iter().cloned()).collect();
        let challengers = challengers.into_iter().collect();
        entrants.add(key, found)?;
        Ok(Self { challengers })
    }

    fn schema(file: &mut FileSchema) -> SchemaTable {
        // The agents of a sweep are challengers, too.
        let keys = file.table::<Self>().optional();
        keys.with_one_of(&["challengers", "sweep"])
    }

    fn check(&mut self, names: &[&str]) -> Result<(), InputError> {
        let challengers = &mut self.challengers;
        challengers.sort();
        let unknown = challengers
            .iter()
            .find(|name| names.binary_search(&name.as_str()).is_err());
        let what = if challengers.is_empty() {
            "none; expected one or more of the agents".to_owned()
        } else if let Some(unknown) = unknown {
            format!("{unknown} is not one of the agents")
        } else if let Some(twice) = challengers.windows(2).find(|two| two[0] == two[1]) {
            format!("{} is named twice; expected each agent once", twice[0])
        } else if challengers.len() == names.len() {
            "all of the agents; expected at least one other agent".to_owned()
        } else {
            return Ok(());
        };
        Err(InputError::at("challengers", what))
    }

    fn pairings(&self, names: &[&str]) -> Pairings {
        let is_challenger = |&agent: &u16| {
            let name = names[usize::from(agent)];
            (self.challengers)
                .binary_search_by(|one| (**one).cmp(name))
                .is_ok()
        };
        let (challengers, others) = (0..names.len() as u16).partition(is_challenger);
        Pairings::Across(challengers, others)
    }
}
