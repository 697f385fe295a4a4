//! Converts results folders of older versions, in which games had no addresses: a game's random streams
//! were derived from the hash of its whole plan.
//!
//! A converted folder has the same games. It can be reported, exported, replayed and completed; since its
//! games depend on the plan, the plan cannot be changed.

use std::path::Path;

use patchwork_engine::record::Entry;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::encounter::PlannedGame;
use super::identity::Streams;
use super::manifest::Manifest;
use super::plan::Plan;
use super::results::{Results, ResultsError, not_planned};
use super::store::{self, Store, StoreError};

/// The manifest of an old folder. Its plan is read later, since a strategy may be three keys in it.
#[derive(Deserialize)]
struct OldManifest {
    name: String,
    version: String,
    plan_hash: String,
    plan: Value,
}

/// Converts an old results folder into a new one, which must not exist. The old folder is not changed.
///
/// # Errors
/// When the old folder does not have an older format, is damaged, or holds games that are not in its plan, or
/// the new folder exists or cannot be written.
pub fn migrate(from: &Path, into: &Path) -> Result<Results, ResultsError> {
    let old: OldManifest = store::read_manifest(from)?;
    let games = store::read_old_games(&from.join(store::GAMES))?;
    let wrong = |what: String| {
        ResultsError::from(StoreError::Manifest {
            path: from.join(store::MANIFEST),
            what,
        })
    };
    let mut plan = old.plan;
    join_keys(&mut plan);
    let plan: Plan = serde_json::from_value(plan).map_err(|error| wrong(error.to_string()))?;
    let hash = u64::from_str_radix(&old.plan_hash, 16);
    let hash = hash.map_err(|_| wrong(format!("plan_hash: {} is not a hash", old.plan_hash)))?;
    let plan = plan.with_old_hash(Some(hash));

    let streams = Streams::new(&plan);
    for Entry { record, .. } in &games {
        let game = PlannedGame::from(record);
        if !plan.contains(game) || Some(streams.setup(game)) != record.setup() {
            return Err(ResultsError::Mixed {
                dir: from.to_owned(),
                what: format!("games.bin holds {}", not_planned(game.id)),
            });
        }
    }
    let mut manifest = Manifest::new(old.name, plan);
    manifest.version = old.version;
    if store::exists(into)? {
        return Err(StoreError::HoldsResults(into.to_owned()).into());
    }
    store::build_folder(into, |aside| -> Result<(), StoreError> {
        let mut store = Store::create(aside, &manifest)?;
        for game in games {
            store.append(&streams.address((&game.record).into()), &game)?;
        }
        store.finish()
    })?;
    Results::read(into)
}

/// Replaces the three keys `policy`, `transforms` and `evaluation` of each strategy with one text.
fn join_keys(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(join_keys),
        Value::Object(keys) => {
            keys.values_mut().for_each(join_keys);
            if let Some(strategy) = take_three_keys(keys) {
                keys.insert("strategy".to_owned(), strategy);
            }
            // This table contained only a strategy.
            if let Some(placement) = keys.get_mut("placement")
                && let Some(strategy) = placement.get_mut("strategy")
            {
                *placement = strategy.take();
            }
        }
        _ => {}
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

    #[test]
    fn three_keys_become_a_strategy() {
        let read = |text: &str| {
            let mut value: Value = serde_json::from_str(text).unwrap();
            join_keys(&mut value);
            value
        };
        let keys = r#""policy":"bl-lb","transforms":"every","evaluation":"regret""#;
        let greedy = read(&format!(r#"[{{"type":"greedy","placement":{{{keys}}}}}]"#));
        assert_eq!(greedy[0]["placement"], "bl-lb/every/regret");
        let late = read(&format!(r#"{{"late":{{"from":36,{keys}}}}}"#));
        assert_eq!(
            late,
            read(r#"{"late":{"from":36,"strategy":"bl-lb/every/regret"}}"#)
        );
    }
}
