//! Rows that are not a part of the summary as they stand.

use serde::Serialize;

use super::Source;
use crate::game::Player;
use crate::record::Entry;
use crate::stats::{Decision, Mean, Pairing, SeatAdvantage, Summary, name_of};

/// Legal actions of some plies.
#[derive(Default, Serialize)]
pub(super) struct BranchingRow {
    by: &'static str,
    value: String,
    mean_legal: Option<f64>,
    plies: u64,
    low: Option<f64>,
    high: Option<f64>,
    forced: Option<f64>,
    forced_low: Option<f64>,
    forced_high: Option<f64>,
}

impl BranchingRow {
    fn new(by: &'static str, value: &str, legal: Mean, plies: u64) -> Self {
        Self {
            by,
            value: value.to_owned(),
            mean_legal: legal.mean,
            plies,
            low: legal.low,
            high: legal.high,
            ..Self::default()
        }
    }
}

pub(super) fn branching(summary: &Summary) -> Vec<BranchingRow> {
    let branching = &summary.branching;
    let (buying, played) = (&branching.buying, branching.games_by_ply.iter().sum());
    let mut rows = vec![BranchingRow {
        forced: branching.forced.mean,
        forced_low: branching.forced.low,
        forced_high: branching.forced.high,
        ..BranchingRow::new("all", "all", branching.all, played)
    }];
    for phase in &branching.by_phase {
        rows.push(BranchingRow {
            forced: phase.forced,
            forced_low: phase.forced_low,
            forced_high: phase.forced_high,
            ..BranchingRow::new("phase", phase.phase.name(), phase.legal, phase.plies)
        });
    }
    rows.push(BranchingRow::new(
        "action",
        "buy",
        buying.legal,
        buying.plies,
    ));
    for (ply, &mean) in branching.by_ply.iter().enumerate() {
        let legal = Mean {
            mean: Some(mean),
            low: branching.low_by_ply[ply],
            high: branching.high_by_ply[ply],
        };
        let games = branching.games_by_ply[ply];
        rows.push(BranchingRow {
            forced: Some(branching.forced_by_ply[ply]),
            ..BranchingRow::new("ply", &ply.to_string(), legal, games)
        });
    }
    rows
}

/// The first player's advantage in some games.
#[derive(Default, Serialize)]
pub(super) struct FirstPlayerRow {
    by: &'static str,
    value: String,
    from: Option<f64>,
    to: Option<f64>,
    games: u64,
    win_rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    margin: Option<f64>,
    margin_low: Option<f64>,
    margin_high: Option<f64>,
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
        low: first.low,
        high: first.high,
        elo: first.elo,
        elo_low: first.elo_low,
        elo_high: first.elo_high,
        margin: first.margin,
        margin_low: first.margin_low,
        margin_high: first.margin_high,
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
        low: class.low,
        high: class.high,
        elo: class.elo,
        elo_low: class.elo_low,
        elo_high: class.elo_high,
        margin: class.margin,
        margin_low: class.margin_low,
        margin_high: class.margin_high,
    };
    let pairing = |pairing: &Pairing| FirstPlayerRow {
        by: "pairing",
        value: format!("{}|{}", pairing.a, pairing.b),
        games: pairing.games,
        win_rate: pairing.first_win_rate,
        low: pairing.first_low,
        high: pairing.first_high,
        ..FirstPlayerRow::default()
    };
    let mut rows = vec![all];
    rows.extend(first.by_level.iter().map(|row| class("level", row)));
    rows.extend(first.by_gap.iter().map(|row| class("gap", row)));
    rows.extend(summary.pairings.iter().map(pairing));
    rows
}

/// How often something is decided.
#[derive(Serialize)]
pub(super) struct DecisionRow {
    kind: &'static str,
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    share: Option<f64>,
    first: Option<f64>,
    second: Option<f64>,
}

impl DecisionRow {
    pub(super) fn new(decision: &Decision) -> Self {
        Self {
            kind: decision.kind.name(),
            mean: decision.game.mean,
            low: decision.game.low,
            high: decision.game.high,
            share: decision.share,
            first: decision.first,
            second: decision.second,
        }
    }
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
