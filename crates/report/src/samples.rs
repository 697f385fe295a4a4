//! Headers, sequential tests and reports for the tests of this crate.

#![cfg(test)]

use std::collections::BTreeMap;

use patchwork_engine::game::{Rules, Track};
use patchwork_engine::record::Entry;
use patchwork_rating::sprt::{EloModel, Sprt};

use super::data::TournamentReport;
use super::header::Header;
use super::tested::SprtTests;
use patchwork_test_support::tournaments::{self, ended, random_agents};
use patchwork_tournament::ledger::Archive;
use patchwork_tournament::stats::Summary;
use patchwork_tournament::{Format, Gauntlet, KnownGame, Manifest, Plan, Results, Schedule};

/// The header of a sweep of two random agents.
pub(super) fn swept_header() -> Header {
    let mut agents = random_agents(&["x=1", "x=2", "opponent"]);
    for (agent, value) in agents.iter_mut().zip([1, 2]) {
        agent.swept = BTreeMap::from([
            ("x".to_owned(), value.into()),
            ("y".to_owned(), true.into()),
        ]);
    }
    let format = Format::RoundRobin;
    let plan = Plan::new(7, Track::Original, format, 3, agents).expect("a plan");
    let results = Results::new(Manifest::new("sprint".into(), plan), Archive::default());
    Header::new(&results.expect("no games"))
}

/// The header of a small tournament, without its agents.
pub(super) fn test_header(planned_games: u64) -> Header {
    Header {
        name: "sprint".to_string(),
        rules: Rules::default(),
        format: "round-robin".to_string(),
        sprt: None,
        seed: patchwork_engine::util::JsonInteger(2026),
        planned_games,
        is_over: true,
        version: "0.1.0".to_string(),
        agents: Vec::new(),
        base: None,
        sweep: None,
    }
}

/// The tests of a gauntlet of four agents, from its beginning to its end.
pub(super) fn samples() -> Vec<SprtTests> {
    let names = ["d", "b", "c", "a", "e"].map(str::to_owned);
    let challengers = vec!["b".to_owned()];
    let test = Sprt::new(0.0, 50.0, 0.05, 0.05, EloModel::Normalized).expect("a test");
    let plan = tournaments::plan(&names, Gauntlet { challengers }, 40).expect("a plan");
    let mut schedule = Schedule::new(&plan.with_test(test).expect("a gauntlet"));
    let mut reports = Vec::new();
    for count in 0_u32.. {
        if count == 0 || count % 50 == 13 {
            reports.extend(SprtTests::new(&schedule));
        }
        let Some(game) = schedule.next() else { break };
        let game = ended(game.id, game.seats, usize::from(count % 7 < 2), 7);
        schedule.finish(KnownGame::Stored(game));
    }
    reports.extend(SprtTests::new(&schedule));
    reports
}

/// Calls a function with the report on these games.
pub(super) fn with_report<T>(
    header: &Header,
    plan: &Plan,
    entries: &[Entry],
    look: impl FnOnce(&TournamentReport<'_>) -> T,
) -> T {
    let games: Archive = entries.iter().cloned().collect();
    let (names, pairings) = (plan.names(), plan.pairings());
    let summary = Summary::with_highlights(&names, &pairings, &games, |id| plan.place(id), None);
    let summary = summary.expect("games in memory can be read");
    look(&TournamentReport::of(header.clone(), summary, plan, &games))
}
