//! Parts of a search of your own: policies of playouts, selection rules and a final choice are registered, and agents name them
//! like any others.
//!
//! `cargo run --release --example search-parts` plays `tournament.toml` into `results/search-parts` and prints the report. Another
//! file can be given: `ideas-fast.toml` and `ideas-regret.toml` measure the policies and the rules, `placing-tournament.toml`
//! placement in rollouts that learns, a kind of agent of its own.

mod grave;
mod history;
mod lgrf;
mod placing;
mod ppa;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use patchwork_engine::agent::register;
use patchwork_engine::search::{FinalChoice, PlayoutPolicy, SearchPart as _, SelectionRule, Stop};
use patchwork_report::TournamentReport;
use patchwork_report::document::TextForm;
use patchwork_search::PartInfo;
use patchwork_tournament::{Executor as _, LocalThreads, Manifest, Results};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/search-parts/tournament.toml"
);

/// The greatest sum of results, between the most visits and the greatest mean.
static MAX_WON: FinalChoice = FinalChoice {
    info: PartInfo {
        name: "most-won",
        about: "The action with the greatest sum of results.",
        keys: &[],
    },
    uses_variance: false,
    draws: false,
    share: |_| 0.0,
    score: |_, one| one.value * one.visits as f32,
};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1);
    let results = play(
        file.as_deref().unwrap_or(FILE).as_ref(),
        Path::new("results"),
    )?;
    TournamentReport::new(&results)?.write_text(io::stdout().lock(), TextForm::default())?;
    Ok(())
}

/// Plays the missing games of a tournament and returns all of them.
fn play(file: &Path, results: &Path) -> Result<Results, Box<dyn Error>> {
    register_all();
    let manifest = Manifest::of_file(file, None)?;
    let dir = results.join(&manifest.name);
    let mut results = Results::open(&dir, &manifest)?;
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    LocalThreads(threads).play(&mut results, &Stop::new(), &mut |_, _| ())?;
    results.finish()?;
    Ok(Results::read(&dir)?)
}

fn register_all() {
    PlayoutPolicy::register(&ppa::PPA);
    PlayoutPolicy::register(&lgrf::LGRF);
    SelectionRule::register(&history::PROGRESSIVE_HISTORY);
    SelectionRule::register(&grave::GRAVE);
    FinalChoice::register(&MAX_WON);
    register::<placing::PlacingSettings>();
}
