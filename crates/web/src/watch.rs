//! Stored and growing results as data, for watching: standings, progress and games.

use std::path::Path;

use patchwork_board::messages::{GameText, OutcomeView};
use patchwork_engine::record::Entry;
use serde::Serialize;
use serde_json::{Value, json};

use super::opened::Opened;
use patchwork_rating::{Estimate, anytime_ratings};
use patchwork_tournament::stats::Summary;
use patchwork_tournament::{Results, StoreError, ledger};

/// Maximum number of games of one answer.
pub(super) const MAX_GAMES: usize = 100;
/// Number of the newest games that are named.
const NEWEST: usize = 8;

/// Some of the games of a folder.
#[derive(Serialize)]
pub(super) struct StoredGames {
    total: usize,
    games: Vec<StoredGameView>,
}

/// A stored game.
#[derive(Serialize)]
struct StoredGameView {
    /// Its place among the folder's games.
    number: usize,
    names: [String; 2],
    game: GameText,
    /// Its result; none if a player lost by a fault.
    outcome: Option<OutcomeView>,
    /// The fault by which the loser lost.
    fault: Option<&'static str>,
    /// The win probability that the mover expected at each ply, where it is known.
    chances: Vec<Option<f32>>,
}

/// The number of games in a folder.
pub(super) fn size(dir: &Path) -> u64 {
    ledger::state(dir).map_or(0, |(games, _)| games)
}

/// A results folder in a list.
pub(super) fn folder(dir: &Path, name: &str) -> Result<Value, String> {
    let facts = ledger::facts(dir).map_err(|error| error.to_string())?;
    Ok(json!({
        "name": name,
        // Number of games that the plan has so far.
        "planned": facts.manifest.plan.game_count(),
        // Whether a program is adding games.
        "running": ledger::is_locked(dir),
        "games": facts.games,
        "started": facts.started,
        "ended": facts.ended,
        "machine": facts.machine,
        "processor": facts.processor,
        "notes": facts.notes,
        "tags": facts.tags,
    }))
}

/// The state of a tournament: its folder as in a list, the number of finished games, the agents by descending rating,
/// and the numbers of the newest games, newest first.
pub(super) fn progress(dir: &Path, name: &str, opened: &Opened) -> Result<Value, String> {
    let games = opened.results.games.len();
    let newest: Vec<usize> = (games.saturating_sub(NEWEST)..games).rev().collect();
    let mut progress = folder(dir, name)?;
    progress["games"] = json!(games);
    if opened.standings.get().is_none() {
        let standings = standings(&opened.results).map_err(|error| error.to_string())?;
        // Another request may have been faster, with the same standings.
        let _ = opened.standings.set(standings);
    }
    progress["standings"] = json!(opened.standings.get());
    progress["newest"] = json!(newest);
    Ok(progress)
}

/// The agents, the best first: for each its Elo relative to the mean, with its 95% interval, which holds however often one looks
/// until the tournament is over, the number of its games, and
/// the share that it won.
fn standings(results: &Results) -> Result<Value, StoreError> {
    let plan = &results.manifest.plan;
    let summary = Summary::of(&plan.names(), &plan.pairings(), &results.games)?;
    let names = plan.names();
    let mut ratings = vec![Estimate::default(); names.len()];
    for one in &summary.ratings {
        if let Some(agent) = names.iter().position(|name| *name == one.agent) {
            ratings[agent] = one.elo;
        }
    }
    let games = &results.games;
    if !results.schedule.is_over() {
        ratings = anytime_ratings(&ratings, games.len(), &|i| games.rated(i));
    }
    let places = summary.ratings.into_iter().map(|one| {
        let agent = names.iter().position(|name| *name == one.agent);
        let elo = agent.map_or(one.elo, |agent| ratings[agent]);
        json!({
            "agent": one.agent,
            "elo": elo,
            "games": one.games,
            "score": one.score,
        })
    });
    Ok(places.collect())
}

/// Up to [`MAX_GAMES`] games from a number on.
pub(super) fn games(results: &Results, from: usize, count: usize) -> Result<StoredGames, String> {
    let names = results.manifest.plan.names();
    let total = results.games.len();
    let shown = from..from.saturating_add(count.min(MAX_GAMES)).min(total);
    let indices: Vec<u32> = shown.clone().map(|number| number as u32).collect();
    let entries = results.games.entries(&indices);
    let entries = entries.map_err(|error| error.to_string())?;
    let games = shown.zip(&entries);
    let games = games.map(|(number, entry)| stored(number, entry, &names));
    Ok(StoredGames {
        total,
        games: games
            .collect::<Option<_>>()
            .ok_or("a stored game is broken")?,
    })
}

fn stored(number: usize, Entry { record, .. }: &Entry, names: &[String]) -> Option<StoredGameView> {
    let actions = record.actions()?;
    let name = |agent: u16| names.get(usize::from(agent)).cloned().unwrap_or_default();
    let fault = record.termination.map(|end| end.reason.name());
    Some(StoredGameView {
        number,
        names: record.agents.map(name),
        game: GameText {
            start: record.setup()?.to_string(),
            actions: actions.iter().map(ToString::to_string).collect(),
        },
        outcome: fault.is_none().then(|| OutcomeView {
            winner: record.winner().index() as u8,
            scores: record.scores,
            by_arrival: record.scores[0] == record.scores[1],
        }),
        fault,
        chances: record.plies.iter().map(|ply| ply.thought.value).collect(),
    })
}
