//! A player of your own in a tournament: its kind of agent is registered, and files enter its agents like any
//! others.
//!
//! `cargo run --release --example own-player` plays `tournament.toml` into `results/own-player` and prints the
//! report. Stop it with Ctrl+C: the next run plays the games that are missing.

mod saver;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use patchwork_engine::agent::register;
use patchwork_engine::search::Stop;
use patchwork_report::TournamentReport;
use patchwork_report::document::TextForm;
use patchwork_tournament::{Executor as _, LocalThreads, Manifest, Results};

use saver::SaverSettings;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/own-player/tournament.toml"
);

fn main() -> Result<(), Box<dyn Error>> {
    register::<SaverSettings>();
    let results = play(Path::new("results"), usize::MAX)?;
    TournamentReport::new(&results)?.write_text(io::stdout().lock(), TextForm::default())?;
    Ok(())
}

/// Plays the missing games of the tournament, but stops after this many, and returns all games of the folder.
fn play(results: &Path, most: usize) -> Result<Results, Box<dyn Error>> {
    let manifest = Manifest::of_file(FILE.as_ref(), None)?;
    let dir = results.join(&manifest.name);
    let mut results = Results::open(&dir, &manifest)?;
    let (stop, mut games) = (Stop::new(), 0);
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    LocalThreads(threads).play(&mut results, &stop, &mut |_, _| {
        games += 1;
        if games == most {
            stop.set();
        }
    })?;
    results.finish()?;
    Ok(Results::read(&dir)?)
}
