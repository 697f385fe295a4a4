//! Rows that are not a part of the summary as they stand.

use serde::Serialize;

use super::Source;
use crate::game::Player;
use crate::rating::{Estimate, keys, name_of};
use crate::record::Entry;
use crate::stats::{AgentThinking, CalibrationBin, Pairing, SeatAdvantage, Summary};

/// Legal actions of some plies.
#[derive(Default, Serialize)]
pub(super) struct BranchingRow {
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

pub(super) fn branching(summary: &Summary) -> Vec<BranchingRow> {
    let branching = &summary.branching;
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
    rows
}

/// An agent's searches.
#[derive(Serialize)]
pub(super) struct SearchRow<'a> {
    agent: &'a str,
    plies: u64,
    forced: Option<f64>,
    solved: Option<f64>,
    broken_proofs: u64,
    searches: u64,
    iterations_per_move: Option<f64>,
    iterations_per_s: Option<f64>,
    mean_depth: Option<f64>,
    max_depth: Option<u16>,
    mean_nodes: Option<f64>,
    max_nodes: Option<u32>,
    entropy: Option<f64>,
    time_mean: Option<f64>,
    time_p5: Option<f64>,
    time_p50: Option<f64>,
    time_p95: Option<f64>,
    time_p99: Option<f64>,
    time_max: Option<f64>,
    brier: Option<f64>,
    expected_error: Option<f64>,
}

pub(super) fn searches(summary: &Summary) -> Vec<SearchRow<'_>> {
    fn row(agent: &AgentThinking) -> SearchRow<'_> {
        let AgentThinking {
            tree,
            time,
            calibration,
            ..
        } = agent;
        let calibration = calibration.as_ref();
        SearchRow {
            agent: &agent.agent,
            plies: agent.plies,
            forced: agent.forced,
            solved: agent.solved,
            broken_proofs: agent.broken_proofs,
            searches: agent.searches,
            iterations_per_move: agent.iterations_per_move,
            iterations_per_s: agent.iterations_per_s,
            mean_depth: tree.map(|tree| tree.mean_depth),
            max_depth: tree.map(|tree| tree.max_depth),
            mean_nodes: tree.map(|tree| tree.mean_nodes),
            max_nodes: tree.map(|tree| tree.max_nodes),
            entropy: tree.map(|tree| tree.entropy),
            time_mean: time.map(|time| time.mean),
            time_p5: time.map(|time| time.p5),
            time_p50: time.map(|time| time.p50),
            time_p95: time.map(|time| time.p95),
            time_p99: time.map(|time| time.p99),
            time_max: time.map(|time| time.max),
            brier: calibration.map(|calibration| calibration.brier),
            expected_error: calibration.map(|calibration| calibration.expected_error),
        }
    }
    summary.thinking.agents.iter().map(row).collect()
}

/// Expectations in a range beside results.
#[derive(Serialize)]
pub(super) struct CalibrationRow<'a> {
    agent: &'a str,
    #[serde(flatten)]
    bin: &'a CalibrationBin,
}

pub(super) fn calibration(summary: &Summary) -> Vec<CalibrationRow<'_>> {
    let thinking = &summary.thinking;
    let agents = thinking.agents.iter();
    let told = agents.filter_map(|row| Some((row.agent.as_str(), row.calibration.as_ref()?)));
    let all = thinking.calibration.as_ref().map(|all| ("all", all));
    all.into_iter()
        .chain(told)
        .flat_map(|(agent, calibration)| {
            let bins = calibration.bins.iter();
            bins.map(move |bin| CalibrationRow { agent, bin })
        })
        .collect()
}

/// The first player's advantage in some games.
#[derive(Default, Serialize)]
pub(super) struct FirstPlayerRow {
    by: &'static str,
    value: String,
    from: Option<f64>,
    to: Option<f64>,
    games: u64,
    #[serde(flatten, with = "keys::WinRate")]
    win_rate: Estimate,
    #[serde(flatten, with = "keys::SeatElo")]
    elo: Estimate,
    #[serde(flatten, with = "keys::Margin")]
    margin: Estimate,
}

pub(super) fn first_player(summary: &Summary) -> Vec<FirstPlayerRow> {
    let first = &summary.first_player;
    let all = FirstPlayerRow {
        by: "all",
        value: "all".to_owned(),
        from: None,
        to: None,
        games: first.games,
        win_rate: first.win_rate,
        elo: first.elo,
        margin: first.margin,
    };
    let class = |by: &'static str, class: &SeatAdvantage| FirstPlayerRow {
        by,
        value: class.to.map_or_else(
            || format!("from {}", class.from),
            |to| format!("{} to {to}", class.from),
        ),
        from: Some(class.from),
        to: class.to,
        games: class.games,
        win_rate: class.win_rate,
        elo: class.elo,
        margin: class.margin,
    };
    let pairing = |pairing: &Pairing| FirstPlayerRow {
        by: "pairing",
        value: format!("{}|{}", pairing.a, pairing.b),
        games: pairing.games,
        win_rate: pairing.first_win_rate,
        ..FirstPlayerRow::default()
    };
    let mut rows = vec![all];
    rows.extend(first.by_level.iter().map(|row| class("level", row)));
    rows.extend(first.by_gap.iter().map(|row| class("gap", row)));
    rows.extend(summary.pairings.iter().map(pairing));
    rows
}

/// One game.
#[derive(Serialize)]
pub(super) struct GameRow {
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
}

impl GameRow {
    pub(super) fn new(source: &Source<'_>, entry: &Entry) -> Self {
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
        }
    }
}
