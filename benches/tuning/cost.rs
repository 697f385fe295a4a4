//! Small searches over settings that change the cost of an iteration: how many of their verdicts do games at equal cost
//! contradict?
//!
//! The spaces trade strength for an iteration against its cost. A verdict is contradicted if games at equal processor time
//! on new rings say that the winner is weaker than the base: its likelihood of superiority is below 5%.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const BASE: &str = "mcts-fast-1";

/// The keys of each space, with values of the start that the base does not set.
const SPACES: [&str; 5] = [
    "[space]\n\"rollout.strategy\" = [\"in-order/some/first\", \"bl/every/area\", \"bl-lb/every/regret\"]\n",
    "[space]\n\"expansion.strategy\" = [\"in-order/some/first\", \"bl/every/area\", \"bl-lb/every/regret\"]\n",
    "[start]\n\"rollout.depth\" = 40\n[space]\n\"rollout.depth\" = { low = 0, high = 40, step = 4 }\n",
    "[start]\n\"expansion.best\" = 1\n[space]\n\"expansion.best\" = { low = 1, high = 6 }\n\
     \"expansion.strategy\" = [\"in-order/some/first\", \"in-order/every/regret\"]\n",
    "[start]\n\"search.endgame\" = 0\n[space]\n\"search.endgame\" = { low = 0, high = 300 }\n\
     \"rollout.pick\" = [\"greedy\", \"uniform\"]\n",
];

/// How large the searches are.
pub(crate) struct Sizes {
    /// The number of searches.
    pub(crate) searches: usize,
    /// Pairs of the search, of its proof and of the games that judge the verdict.
    pub(crate) pairs: [u32; 3],
}

/// What was found.
#[derive(Default)]
pub(crate) struct Verdicts {
    /// The searches whose winner is said to be better.
    pub(crate) proven: u32,
    /// Those that games at equal cost contradict.
    pub(crate) contradicted: u32,
    /// The conclusions of all searches.
    pub(crate) conclusions: Vec<String>,
}

/// Searches in a folder, with what all candidates have alike: `processor-time`, or `budget` without a match at equal time.
pub(crate) fn verdicts(home: &Path, sizes: &Sizes, equal: &str) -> Verdicts {
    let mut all = Verdicts::default();
    let [pairs, proof, judged] = sizes.pairs;
    for search in 0..sizes.searches {
        let (name, space) = (format!("{equal}-{search}"), SPACES[search % SPACES.len()]);
        let file = format!(
            "name = \"{name}\"\nbase = \"{BASE}\"\npairs = {pairs}\nseed = {search}\nequal = \"{equal}\"\n\
             [budget]\niterations = 60\n{space}[proof]\nelo1 = 60\npairs = {proof}\nslow_pairs = 0\n"
        );
        fs::write(home.join("search.toml"), file).expect("written");
        let report = answer(home, &["tune", "search.toml", "--format", "json"]);
        let conclusion = report["conclusion"].as_str().expect("a text").to_owned();
        let best = format!("results/{name}/best.toml");
        if home.join(&best).exists() {
            all.proven += 1;
            let pairs = judged.to_string();
            let time = "budget.processor_milliseconds=1";
            let judged = answer(
                home,
                &[
                    "match",
                    &best,
                    BASE,
                    "--set",
                    time,
                    "--pairs",
                    &pairs,
                    "--seed",
                    "77",
                    "--no-save",
                    "--format",
                    "json",
                ],
            );
            let found = &judged["comparisons"][0];
            // The stronger agent comes first.
            let is_winner = found["a"]
                .as_str()
                .is_some_and(|name| name.starts_with("best"));
            let is_worse = !is_winner && found["los"].as_f64() > Some(0.95);
            all.contradicted += u32::from(is_worse);
        }
        all.conclusions.push(conclusion);
    }
    all
}

/// The JSON that the program answers.
fn answer(home: &Path, arguments: &[&str]) -> Value {
    let agents: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let output = Command::new(env!("CARGO_BIN_EXE_patchwork-arena"))
        .args(arguments)
        .args(["-q", "--threads", "1", "--agents"])
        .arg(agents)
        .current_dir(home)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}
