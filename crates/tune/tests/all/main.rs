//! Spaces, searches, conversations with optimisers, and what is said of keys.

mod conversations;
mod coverage;
mod idle_keys;
mod searches;
mod shares;
mod spaces;

use patchwork_tune::Space;

const SPACE: &str = r#"
    "search.select" = ["ucb1", "puct"]
    "search.exploration" = { low = 0.05, high = 5.0, log = true, when = { "search.select" = "ucb1" } }
    "search.prior" = { values = [true, false], when = { "search.select" = ["puct"] } }
    "search.temperature" = { low = 1.0, high = 1000.0, log = true, when = { "search.prior" = true } }
    "rollout.depth" = { low = 0, high = 12 }
    "rollout.epsilon" = { low = 0.0, high = 0.5, step = 0.05 }
"#;

fn space() -> Space {
    Space::parse(SPACE).expect("a space")
}
