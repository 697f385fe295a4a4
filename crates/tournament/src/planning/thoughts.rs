//! Which of the agents' thoughts a tournament records in addition to those in every record.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use patchwork_engine::record::ConsideredActions;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Records the first actions of each decision in the agent's order of preference, such as `top-3`. It does
/// not change what is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TopActions(NonZeroU8);

impl TopActions {
    /// The largest number of actions.
    const MOST: u8 = ConsideredActions::MOST as u8;

    /// The number of actions, 1 to 10.
    pub const fn count(self) -> usize {
        self.0.get() as usize
    }
}

impl JsonSchema for TopActions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TopActions".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all = (1..=Self::MOST).filter_map(NonZeroU8::new);
        let all: Vec<String> = all.map(|count| Self(count).to_string()).collect();
        json_schema!({ "type": "string", "enum": all })
    }
}

impl fmt::Display for TopActions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "top-{}", self.0)
    }
}

impl FromStr for TopActions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = text.strip_prefix("top-").and_then(|n| n.parse().ok());
        let count = count.filter(|count: &NonZeroU8| count.get() <= Self::MOST);
        // A number has only one spelling: "top-03" is not accepted.
        let top = count.map(Self).filter(|top| top.to_string() == text);
        let most = Self::MOST;
        top.ok_or_else(|| format!("unknown value \"{text}\"; expected top-1 to top-{most}"))
    }
}

impl TryFrom<String> for TopActions {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TopActions> for String {
    fn from(top: TopActions) -> Self {
        top.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_ten_actions_can_be_recorded() {
        for count in 1..=10 {
            let text = format!("top-{count}");
            let top: TopActions = text.parse().unwrap();
            assert_eq!((top.count(), top.to_string()), (count, text));
        }
        for wrong in [
            "", "top", "top-", "top-0", "top-11", "top-03", "top-+3", "Top-3", "3",
        ] {
            let expected = format!("unknown value \"{wrong}\"; expected top-1 to top-10");
            assert_eq!(wrong.parse::<TopActions>(), Err(expected));
        }
    }
}
