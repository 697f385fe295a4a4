//! Stored and growing results as data, for watching: standings, progress and games.

use std::path::Path;

use patchwork_board::messages::{GameText, OutcomeView};
use patchwork_engine::record::Entry;
use serde::Serialize;
use serde_json::{Value, json};

use super::find::find;
use super::index::version;
use super::opened::{Live, Opened};
use super::request::Refusal;
use patchwork_rating::{Estimate, anytime_ratings};
use patchwork_tournament::stats::{Standing, Summary};
use patchwork_tournament::{
    GameNumber, GameNumbers, GameTimes, Plan, Results, TournamentError, TournamentState,
    ledger::{self, FolderFacts},
};

/// Maximum number of games of one answer.
pub(super) const MAX_GAMES: usize = 100;
/// Number of the newest games that are named.
const NEWEST: usize = 8;

/// Some of the games of a folder.
#[derive(Serialize)]
pub(super) struct StoredGames {
    total: usize,
    /// The place of the first one among those that were found.
    from: usize,
    games: Vec<StoredGameView>,
}

#[derive(Serialize)]
struct StoredGameView {
    /// Its number, as commands and reports name it.
    number: GameNumber,
    names: [String; 2],
    game: GameText,
    /// Its result; none if a player lost by a fault.
    outcome: Option<OutcomeView>,
    /// The fault by which the loser lost.
    fault: Option<&'static str>,
    /// The win probability that the mover expected at each ply, where it is known.
    chances: Vec<Option<f32>>,
    /// The actions that were considered at each ply with their visits and values, where they were recorded.
    considered: Vec<Vec<(String, u32, f32)>>,
}

/// A results folder in a list.
pub(super) fn folder(name: &str, facts: &FolderFacts, state: TournamentState) -> Value {
    json!({
        "name": name,
        // Number of games that the plan has so far.
        "planned": facts.manifest.plan.game_count(),
        // Whether a program is adding games.
        "running": state.is_running(),
        "state": state,
        "games": facts.games,
        "started": facts.started,
        "ended": facts.ended,
        "machine": facts.machine,
        "processor": facts.processor,
        "notes": facts.notes,
        "tags": facts.tags,
        // That of the notes and tags, for whoever changes them.
        "version": version(facts),
    })
}

/// The state of a tournament: its folder as in a list, the number of finished games, the time of the missing ones on one
/// core, the agents by descending rating, the numbers of the newest games, newest first, and how far
/// sequential tests have come.
pub(super) fn progress(dir: &Path, name: &str, opened: &Opened) -> Result<Value, Refusal> {
    let results = &opened.results;
    let games = &results.games;
    let live = live(opened)?;
    let numbers = results.numbers()?;
    let newest = games.facts().iter().rev().take(NEWEST);
    let newest: Vec<GameNumber> = newest.map(|game| numbers.of(game)).collect();
    let standing = |one: &Standing| json!({"agent": one.agent, "elo": one.elo, "games": one.games, "score": one.score});
    let mut progress = folder(name, &ledger::facts(dir)?, results.state());
    progress["games"] = json!(games.len());
    progress["core_seconds_left"] = json!(live.left.map(|left| left.as_secs_f64()));
    progress["standings"] = live.standings.iter().map(standing).collect();
    progress["newest"] = json!(newest);
    progress["test"] = json!(results.schedule.test_progress());
    Ok(progress)
}

/// How the tournament stands, computed once.
fn live(opened: &Opened) -> Result<&Live, Refusal> {
    if opened.live.get().is_none() {
        // Another request may have been faster, with the same.
        let _ = opened.live.set(live_of(&opened.results)?);
    }
    Ok(opened.live.get().expect("it is set"))
}

fn live_of(results: &Results) -> Result<Live, TournamentError> {
    let (plan, games) = (&results.manifest.plan, &results.games);
    let names = plan.names();
    let mut standings = Summary::of(&names, &plan.pairings(), games)?.ratings;
    if !results.is_over() {
        let known = elo_by_agent(plan, &standings);
        let elo = anytime_ratings(&known, games.len(), &|i| games.rated(i));
        for one in &mut standings {
            let agent = names.iter().position(|name| *name == one.agent);
            one.elo = agent.map_or(one.elo, |agent| elo[agent]);
        }
    }
    let left = GameTimes::of(games)?.games(results.schedule.missing());
    Ok(Live { standings, left })
}

/// The rating of each agent of the plan; no value where there is none.
fn elo_by_agent(plan: &Plan, standings: &[Standing]) -> Vec<Estimate> {
    let agents = plan.agents().iter().map(|agent| {
        let place = standings.iter().find(|place| place.agent == agent.name);
        place.map_or_else(Estimate::default, |place| place.elo)
    });
    agents.collect()
}

/// Up to [`MAX_GAMES`] of the games that a text finds, from a place among them on, or the last of them.
pub(super) fn games(
    opened: &Opened,
    text: &str,
    from: Option<usize>,
    count: usize,
) -> Result<StoredGames, Refusal> {
    let Results {
        games, manifest, ..
    } = &opened.results;
    let found = find(text, &opened.results, || {
        let known = elo_by_agent(&manifest.plan, &live(opened)?.standings);
        Ok(known.iter().map(|elo| elo.value.unwrap_or(0.0)).collect())
    })?;
    let (total, count) = (found.len(), count.min(MAX_GAMES));
    let from = from.unwrap_or(total.saturating_sub(count)).min(total);
    let shown = &found[from..from.saturating_add(count).min(total)];
    let entries = games.entries(shown)?;
    let numbers = opened.results.numbers()?;
    let games = entries
        .iter()
        .map(|entry| stored(entry, &manifest.plan, &numbers));
    Ok(StoredGames {
        total,
        from,
        games: games.collect(),
    })
}

fn stored(
    Entry { record, extras, .. }: &Entry,
    plan: &Plan,
    numbers: &GameNumbers,
) -> StoredGameView {
    let considered = extras.considered.plies().map(|ply| {
        let known = ply.iter();
        known.map(|one| (one.action.to_string(), one.visits, one.value))
    });
    let fault = record.termination.map(|end| end.reason.name());
    StoredGameView {
        number: numbers.of(record),
        names: record.agents.map(|agent| plan.name(agent).to_owned()),
        game: GameText {
            start: record.setup.to_string(),
            actions: record.actions().map(|action| action.to_string()).collect(),
        },
        outcome: fault.is_none().then(|| OutcomeView {
            winner: record.winner.index() as u8,
            scores: record.scores,
            by_arrival: record.scores[0] == record.scores[1],
        }),
        fault,
        chances: record.plies.iter().map(|ply| ply.thought.value).collect(),
        considered: considered.map(Iterator::collect).collect(),
    }
}
