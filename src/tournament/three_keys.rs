//! Compatibility with results folders from before strategies were a single text: each strategy had
//! the keys `policy`, `transforms` and `evaluation`.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::agent::AgentSettings;

/// The JSON of a plan with three keys for each strategy. The hash of a plan is defined over this
/// form, and the seeds of all games derive from the hash.
pub(super) fn with_three_keys(json: &str) -> String {
    let json = expand(json, r#""strategy":""#, "", "");
    expand(&json, r#""placement":""#, r#""placement":{"#, "}")
}

fn expand(json: &str, key: &str, open: &str, close: &str) -> String {
    let mut pieces = json.split(key);
    let mut expanded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (strategy, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let keys = ["policy", "transforms", "evaluation"].into_iter();
        let pairs = keys.zip(strategy.split('/'));
        let pairs: Vec<String> = pairs.map(|(k, v)| format!(r#""{k}":"{v}""#)).collect();
        expanded += &[open, &pairs.join(","), close, rest].concat();
    }
    expanded
}

/// Reads the settings of an agent, with either a text or three keys for each strategy.
pub(super) fn read_settings<'de, D: Deserializer<'de>>(from: D) -> Result<AgentSettings, D::Error> {
    let mut settings = Value::deserialize(from)?;
    join_keys(&mut settings);
    AgentSettings::deserialize(settings).map_err(serde::de::Error::custom)
}

fn join_keys(value: &mut Value) {
    let Value::Object(keys) = value else { return };
    keys.values_mut().for_each(join_keys);
    if let Some(strategy) = take_three_keys(keys) {
        keys.insert("strategy".to_owned(), strategy);
    }
    // The table of this key contained only a strategy.
    if let Some(placement) = keys.get_mut("placement")
        && let Some(strategy) = placement.get_mut("strategy")
    {
        *placement = strategy.take();
    }
}

fn take_three_keys(keys: &mut Map<String, Value>) -> Option<Value> {
    let parts = ["policy", "transforms", "evaluation"];
    let names: Option<Vec<&str>> = parts.iter().map(|part| keys.get(*part)?.as_str()).collect();
    let strategy = Value::String(names?.join("/"));
    for part in parts {
        keys.remove(part);
    }
    Some(strategy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = r#"{"type":"greedy","placement":"bl-lb/every/regret"}"#;
    const OLD: &str = r#"{"type":"greedy","placement":{"policy":"bl-lb","transforms":"every","evaluation":"regret"}}"#;

    #[test]
    fn old_and_new_forms_turn_into_each_other() {
        assert_eq!(with_three_keys(NEW), OLD);
        let late = r#"{"pick":"greedy","strategy":"bl/some/first","late":{"from":36,"strategy":"all/every/left"}}"#;
        let mut value: Value = serde_json::from_str(&with_three_keys(late)).unwrap();
        assert_eq!(value["late"]["transforms"], "every");
        join_keys(&mut value);
        assert_eq!(value, serde_json::from_str::<Value>(late).unwrap());
    }

    #[test]
    fn settings_of_both_forms_are_read() {
        let read = |text| read_settings(&mut serde_json::Deserializer::from_str(text)).unwrap();
        assert_eq!(read(OLD), read(NEW));
        assert_eq!(serde_json::to_string(&read(OLD)).unwrap(), NEW);
    }
}
