//! Keys that have no effect together with others.

use std::collections::BTreeMap;
use std::fs;

use patchwork_engine::util::rng::{below, stream};
use patchwork_tune::{Stage, Trial, Tuner, TunerSettings, Tuning, importance};
use rand::RngExt as _;

/// Groups of keys: the first ones switch the others on and off, which are named after the bar.
const SWITCHES: &str = r#"
    "rollout.depth" = [0, 4] | "rollout.pick" = ["greedy", "uniform", "epsilon-greedy"]
    "rollout.depth" = [0, 4] | "rollout.epsilon" = { low = 0.0, high = 0.5 }
    "rollout.depth" = { low = 0, high = 3 } | "rollout.strategy" = ["bl/some/first", "in-order/some/first"]
    "rollout.depth" = [0, 6] | "rollout.corner" = [true, false]
    "rollout.pick" = ["greedy", "epsilon-greedy"] | "rollout.epsilon" = { low = 0.0, high = 0.5 }
    "search.select" = ["ucb1", "puct"] | "expansion.prior.decay" = { low = 0.0, high = 3.0 }
    "search.select" = ["ucb1", "puct"] | "expansion.prior.temperature" = { low = 0.1, high = 9.0, log = true }
    "search.value" = ["win", "margin", "mix"] | "search.margin_scale" = { low = 5.0, high = 40.0 }
    "search.value" = ["win", "mix"] | "search.win_weight" = { low = 0.0, high = 1.0 }
    "search.choice.by" = ["visits", "lcb"] | "search.choice.z" = { low = 0.0, high = 4.0 }
    "search.endgame" = { low = 0, high = 50, step = 25 } | "search.endgame_spaces" = [8, 16, 24]
"#;

/// Searches some of the spaces with this many pairs. The result of a candidate depends on a key that switches others on, and on
/// the exploration constant.
fn check(spaces: u64, pairs: u32) {
    let groups: Vec<_> = SWITCHES.trim().lines().collect();
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..spaces {
        let mut rng = stream(&[seed]);
        let group = groups[below(groups.len() as u32, &mut rng) as usize];
        let (switch, idle) = group.split_once(" | ").expect("keys");
        let file = format!(
            "name = \"t\"\nbase = \"mcts-fast\"\nseed = {seed}\npairs = {pairs}\n[space]\n{switch}\n{idle}\n\
             \"search.exploration\" = {{ low = 0.1, high = 2.0 }}"
        );
        let path = folder.path().join("t.toml");
        fs::write(&path, file).expect("written");
        let tuning = Tuning::read(&path, None).expect("a search");
        let space = &tuning.space;
        let [switch, idle] = [switch, idle].map(|line| line.split('"').nth(1).expect("a key"));
        let settings = TunerSettings::new(pairs, seed);
        let mut tuner = Tuner::new(space.clone(), settings).expect("a search");
        let mut agents = BTreeMap::new();
        while tuner.stage() != Stage::Done {
            let trials = tuner.ask();
            let play = |Trial { point, rings, .. }: &Trial| {
                let config = tuning.agent(point).expect("a candidate").config;
                let known = agents
                    .entry(config.canonical())
                    .or_insert_with(|| point.clone());
                assert_eq!(known, point, "one agent is one candidate");
                let place = |key: &str| Some(space.domain(key)?.position(point.get(key)?));
                let planted = 0.3
                    + 0.3 * place(switch).expect("it has an effect")
                    + 0.1 * place("search.exploration").expect("it has an effect");
                let results = rings
                    .clone()
                    .map(|_| planted + 0.2 * (rng.random::<f64>() - 0.5));
                results.collect()
            };
            let results = trials.iter().map(play).collect();
            tuner.tell(results).expect("results");
        }
        let (keys, _) = importance(space, tuner.history());
        let share = |key: &str| {
            let row = keys.iter().find(|row| row.key == key);
            row.and_then(|row| row.total.value).expect("a key")
        };
        assert!(share(idle) < 0.05, "{seed}: {idle}: {}", share(idle));
        assert!(share(switch) > 0.5, "{seed}: {switch}: {}", share(switch));
    }
}

#[test]
fn keys_without_effect_are_not_important() {
    check(2, 300);
}

#[test]
#[ignore = "50 searches"]
fn keys_without_effect_are_not_important_in_full() {
    check(50, 300);
}
