//! Headers, reports of formats and reports for the tests of this crate.

#![cfg(test)]

use std::collections::BTreeMap;

use patchwork_engine::game::{Rules, Track};
use patchwork_engine::record::Entry;
use patchwork_rating::sprt::{EloModel, Sprt};

use super::data::TournamentReport;
use super::header::Header;
use super::rounds::FormatReport;
use crate::support::tournaments::{self, ended, random_agents};
use patchwork_tournament::ledger::Archive;
use patchwork_tournament::stats::Summary;
use patchwork_tournament::{
    Format, Gauntlet, KnockOut, Manifest, Next, Plan, Results, Schedule, Swiss,
};

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
        format: FormatReport {
            format: "round-robin".to_string(),
            ..FormatReport::default()
        },
        seed: 2026,
        planned_games,
        version: "0.1.0".to_string(),
        agents: Vec::new(),
        sweep: None,
    }
}

/// The reports of some tournaments, begun and finished, of four agents.
pub(super) fn samples() -> Vec<FormatReport> {
    let seeds = ["d", "b", "c", "a", "e"].map(str::to_owned).to_vec();
    let names = seeds.clone();
    let plan = |format: Format, pairs| tournaments::plan(&names, format, pairs).expect("a plan");
    let challengers = vec!["b".to_owned()];
    let test = Sprt::new(0.0, 50.0, 0.05, 0.05, EloModel::Normalized).expect("a test");
    let swiss = Swiss {
        rounds: 3,
        seeds: seeds.clone(),
    };
    let plans = [
        plan(Format::RoundRobin, 1),
        plan(swiss.into(), 2),
        plan(KnockOut { seeds }.into(), 2),
        plan(Gauntlet { challengers }.into(), 40)
            .with_test(test)
            .expect("a gauntlet"),
    ];
    let mut reports = Vec::new();
    for plan in plans {
        let mut schedule = Schedule::new(&plan);
        reports.push(FormatReport::new(&schedule));
        let mut count: u32 = 0;
        while let Next::Game(game) = schedule.next_game() {
            schedule.finish(ended(game, usize::from(count % 7 < 2), 7));
            count += 1;
            if count % 50 == 13 {
                reports.push(FormatReport::new(&schedule));
            }
        }
        reports.push(FormatReport::new(&schedule));
    }
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
    let summary = Summary::with_highlights(&names, &pairings, &games, plan.order());
    let summary = summary.expect("games in memory can be read");
    look(&TournamentReport::of(header.clone(), summary, plan, &games))
}
