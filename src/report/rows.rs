//! Table rows shared by the text and the page.

use crate::rating::Estimate;
use crate::stats::{Lengths, Phase, Role, Summary};

/// A quantity of a game, for both players together and by seat.
pub(super) struct QuantityRow {
    pub(super) name: &'static str,
    pub(super) mean: Estimate,
    pub(super) sd: Option<f64>,
    pub(super) first: Option<f64>,
    pub(super) second: Option<f64>,
}

/// Lengths, scores, squares and buttons of a game.
pub(super) fn quantities(summary: &Summary) -> Vec<QuantityRow> {
    let length = |name, lengths: &Lengths| QuantityRow {
        name,
        mean: lengths.both,
        sd: lengths.sd,
        first: lengths.first.value,
        second: lengths.second.value,
    };
    let scores = &summary.scores;
    let by_seat = [
        (
            "points of a player",
            scores.mean,
            scores.sd,
            scores.first,
            scores.second,
        ),
        (
            "squares covered by a player",
            summary.covered.mean,
            None,
            summary.covered.first,
            summary.covered.second,
        ),
        (
            "buttons left to a player",
            summary.buttons.mean,
            None,
            summary.buttons.first,
            summary.buttons.second,
        ),
    ];
    let by_seat = by_seat.map(|(name, value, sd, first, second)| QuantityRow {
        name,
        mean: Estimate {
            value,
            ..Estimate::default()
        },
        sd,
        first,
        second,
    });
    let lengths = [
        length("plies", &summary.plies.all),
        length(
            "turns (plies without special patches)",
            &summary.plies.turns,
        ),
    ];
    lengths.into_iter().chain(by_seat).collect()
}

/// Numbers of legal actions over a set of plies.
pub(super) struct LegalRow {
    pub(super) name: &'static str,
    pub(super) legal: Estimate,
    pub(super) plies: u64,
    pub(super) forced: Option<f64>,
}

/// Legal actions in all plies, by phase, and in plies where a patch was bought.
pub(super) fn legal_actions(summary: &Summary) -> Vec<LegalRow> {
    let branching = &summary.branching;
    let mut rows = vec![LegalRow {
        name: "every ply",
        legal: branching.all,
        plies: branching.by_ply.iter().map(|ply| ply.games).sum(),
        forced: branching.forced.value,
    }];
    rows.extend(branching.by_phase.iter().map(|phase| LegalRow {
        name: match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        },
        legal: phase.legal,
        plies: phase.plies,
        forced: phase.forced.value,
    }));
    rows.push(LegalRow {
        name: "where a patch was bought",
        legal: branching.buying.legal,
        plies: branching.buying.plies,
        forced: None,
    });
    rows
}

/// The label for a role in the score composition.
pub(super) const fn whose(role: Role) -> &'static str {
    match role {
        Role::First => "the first player",
        Role::Second => "the second player",
        Role::Winner => "the winner",
        Role::Loser => "the loser",
    }
}

/// A bin of expectations in percent.
pub(super) fn bin(from: f64, to: f64) -> String {
    format!("{:.0} to {:.0}%", 100.0 * from, 100.0 * to)
}
