//! `tune --dry-run`: what a search would play, and how long it takes.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

use patchwork_report::document::counted;
use patchwork_tournament::ledger;
use patchwork_tune::{SLOW, Tuning, TuningArena};
use serde_json::json;

use super::Args;
use crate::output::{duration_text, write_estimate};

/// A folder of games of the search.
struct SearchFolder {
    name: &'static str,
    folder: String,
    planned: u64,
    /// The games that the folder has.
    stored: u64,
    time: Duration,
}

/// Says what would be played; nothing is written.
pub(super) fn say(args: &Args, tuning: &Tuning, threads: NonZeroUsize) -> anyhow::Result<ExitCode> {
    let dir = args.folder.results.join(&tuning.name);
    let [game, proof] = tuning.game_times();
    let arena = TuningArena::new(tuning, &dir);
    let pairs = arena.pairs(Some(threads));
    let on_threads = |games: u64, game: Duration| game.mul_f64(games as f64 / threads.get() as f64);
    let part = |name, planned: u64, game| {
        let folder = match name {
            "search" => dir.clone(),
            name => dir.join(name),
        };
        let stored = match folder.exists() {
            true => ledger::facts(&folder)?.games,
            false => 0,
        };
        let missing = planned.saturating_sub(stored);
        Ok::<_, ledger::TournamentError>(SearchFolder {
            name,
            folder: folder.display().to_string(),
            planned,
            stored,
            time: on_threads(missing, game),
        })
    };
    let [test, slow, time] = tuning.proof_games();
    let mut parts = vec![
        part("search", u64::from(pairs) * arena.games_per_pair(), game)?,
        part("proof", test, proof)?,
        part("slow", slow, proof * SLOW as u32)?,
        part("time", time, proof)?,
    ];
    parts.retain(|part| part.planned > 0);
    let sum = |of: fn(&SearchFolder) -> u64| parts.iter().map(of).sum::<u64>();
    let (planned, stored) = (sum(|part| part.planned), sum(|part| part.stored));
    let missing = sum(|part| part.planned.saturating_sub(part.stored));
    let time: Duration = parts.iter().map(|part| part.time).sum();
    let json = json!({
        "folder": dir,
        "condition": tuning.condition(),
        "planned": planned,
        "stored": stored,
        "missing": missing,
        "at_most": true,
        "seconds": time.as_secs_f64(),
        "parts": parts.iter().map(|part| json!({
            "part": part.name,
            "folder": part.folder,
            "planned": part.planned,
            "stored": part.stored,
            "seconds": part.time.as_secs_f64(),
        })).collect::<Vec<_>>(),
    });
    args.output.answer(&json, |out| {
        writeln!(out, "Folder:      {}", dir.display())?;
        writeln!(out, "Compared:    {}", tuning.condition())?;
        for part in &parts {
            let label = match part.name {
                "search" => "Search:".to_owned(),
                "proof" => "Proof:".to_owned(),
                "slow" => format!("{SLOW}x budget:"),
                _ => "Equal time:".to_owned(),
            };
            writeln!(
                out,
                "{label:<12} at most {}, {}",
                counted(part.planned, "game"),
                duration_text(part.time)
            )?;
        }
        writeln!(out, "Stored:      {}", counted(stored, "game"))?;
        writeln!(out, "Missing:     at most {}", counted(missing, "game"))?;
        write_estimate(
            out,
            Some(time),
            " at most, if candidates cost as much as the base",
        )
    })
}
