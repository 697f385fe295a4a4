//! Rows that cannot be taken directly from the summary.

use std::io;

use serde::Serialize;

use super::writer::CsvWriter;
use crate::game::Player;
use crate::rating::{Estimate, keys, name_of};
use crate::record::{Entry, FaultReason, Games};
use crate::stats::{CalibrationBin, Summary, SweepEffects, SweptCell, SweptValue, in_order};

/// The data for the tables.
#[derive(Clone, Copy)]
pub(in crate::report) struct Source<'a> {
    /// The statistics of the games.
    pub(in crate::report) summary: &'a Summary,
    /// The agents, indexed as in the records.
    pub(in crate::report) names: &'a [String],
    /// The agents of each pairing.
    pub(in crate::report) pairings: &'a [(u16, u16)],
    /// The games in any order.
    pub(in crate::report) games: &'a dyn Games,
    /// The effects of the sweep, if there is one.
    pub(in crate::report) sweep: Option<&'a SweepEffects>,
}

/// Legal actions over a set of plies.
#[derive(Default, Serialize)]
struct BranchingRow {
    by: &'static str,
    value: String,
    #[serde(flatten, with = "keys::MeanLegal")]
    legal: Estimate,
    plies: u64,
    #[serde(flatten, with = "keys::Forced")]
    forced: Estimate,
}

impl BranchingRow {
    fn new(by: &'static str, value: &str, legal: Estimate, plies: u64) -> Self {
        Self {
            by,
            value: value.to_owned(),
            legal,
            plies,
            ..Self::default()
        }
    }
}

pub(super) fn branching(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let branching = &from.summary.branching;
    let (buying, played) = (
        &branching.buying,
        branching.by_ply.iter().map(|ply| ply.games).sum(),
    );
    let mut rows = vec![BranchingRow {
        forced: branching.forced,
        ..BranchingRow::new("all", "all", branching.all, played)
    }];
    for phase in &branching.by_phase {
        rows.push(BranchingRow {
            forced: phase.forced,
            ..BranchingRow::new("phase", phase.phase.name(), phase.legal, phase.plies)
        });
    }
    rows.push(BranchingRow::new(
        "action",
        "buy",
        buying.legal,
        buying.plies,
    ));
    for (number, ply) in branching.by_ply.iter().enumerate() {
        rows.push(BranchingRow {
            forced: Estimate {
                value: Some(ply.forced),
                ..Estimate::default()
            },
            ..BranchingRow::new("ply", &number.to_string(), ply.legal, ply.games)
        });
    }
    out.rows(rows)
}

/// A range of expectations and the corresponding results.
#[derive(Serialize)]
struct CalibrationRow<'a> {
    agent: &'a str,
    #[serde(flatten)]
    bin: &'a CalibrationBin,
}

pub(super) fn calibration(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let thinking = &from.summary.thinking;
    let agents = thinking.agents.iter();
    let told = agents.filter_map(|row| Some((row.agent.as_str(), row.calibration.as_ref()?)));
    let all = thinking.calibration.as_ref().map(|all| ("all", all));
    for (agent, calibration) in all.into_iter().chain(told) {
        let bins = calibration.bins.iter();
        out.rows(bins.map(|bin| CalibrationRow { agent, bin }))?;
    }
    Ok(())
}

/// The first player's advantage in a set of games.
#[derive(Serialize)]
struct FirstPlayerRow<T> {
    by: &'static str,
    value: String,
    #[serde(flatten)]
    advantage: T,
}

/// The first player's win rate in the games of a pairing.
#[derive(Serialize)]
struct PairingAdvantage {
    games: u64,
    #[serde(flatten, with = "keys::WinRate")]
    win_rate: Estimate,
}

pub(super) fn first_player(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let first = &from.summary.first_player;
    out.rows([FirstPlayerRow {
        by: "all",
        value: "all".to_owned(),
        advantage: first,
    }])?;
    for (by, classes) in [("level", &first.by_level), ("gap", &first.by_gap)] {
        out.rows(classes.iter().map(|class| FirstPlayerRow {
            by,
            value: class.to.map_or_else(
                || format!("from {}", class.from),
                |to| format!("{} to {to}", class.from),
            ),
            advantage: class,
        }))?;
    }
    out.rows(from.summary.pairings.iter().map(|pairing| FirstPlayerRow {
        by: "pairing",
        value: format!("{}|{}", pairing.a, pairing.b),
        advantage: PairingAdvantage {
            games: pairing.games,
            win_rate: pairing.first_win_rate,
        },
    }))
}

/// One game.
#[derive(Serialize)]
struct GameRow {
    pairing: String,
    pair: u32,
    leg: u8,
    first: String,
    second: String,
    winner: Player,
    first_score: i16,
    second_score: i16,
    bonus: Option<Player>,
    plies: usize,
    turns: usize,
    /// The fault by which the loser lost; none for a game that was played to its end.
    termination: Option<FaultReason>,
}

#[derive(Serialize)]
struct SweptRow<'a> {
    key: &'a str,
    #[serde(flatten)]
    value: &'a SweptValue,
}

pub(super) fn sweep(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let keys = from.sweep.iter().flat_map(|sweep| &sweep.keys);
    let rows = keys.flat_map(|key| {
        let values = key.values.iter();
        values.map(|value| SweptRow {
            key: &key.key,
            value,
        })
    });
    out.rows(rows)
}

#[derive(Serialize)]
struct SweptPairRow<'a> {
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    cell: &'a SweptCell,
}

pub(super) fn sweep_pairs(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let pairs = from.sweep.iter().flat_map(|sweep| &sweep.pairs);
    let rows = pairs.flat_map(|pair| {
        let cells = pair.cells.iter();
        cells.map(|cell| SweptPairRow {
            a: &pair.a,
            b: &pair.b,
            cell,
        })
    });
    out.rows(rows)
}

pub(super) fn games(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let mut rows = in_order(from.games, |entry| GameRow::new(from, entry)).into_iter();
    rows.try_for_each(|row| out.exact_row(row))
}

impl GameRow {
    fn new(source: &Source<'_>, entry: &Entry) -> Self {
        let record = &entry.record;
        let name = |agent: u16| name_of(source.names, usize::from(agent));
        let [first, second] = record.agents;
        let listed = source.pairings.get(record.id.pairing as usize);
        let &(a, b) = listed.unwrap_or(&(first, second));
        Self {
            pairing: format!("{}|{}", name(a), name(b)),
            pair: record.id.pair,
            leg: record.id.leg,
            first: name(first),
            second: name(second),
            winner: record.winner(),
            first_score: record.scores[0],
            second_score: record.scores[1],
            bonus: record.bonus(),
            plies: record.plies.len(),
            turns: record.plies.iter().filter(|ply| !ply.is_special()).count(),
            termination: record.termination.map(|end| end.reason),
        }
    }
}
