//! The tables that the text and the page have in common, each described once and rendered by both.

use std::borrow::Cow;

use super::numbers::{interval, one_place, percent, percents, points, thousands};
use crate::rating::Estimate;
use crate::stats::{Calibration, Lengths, Phase, Role, Seats, Summary, SweptKey};

/// A table whose first column contains text and whose others contain numbers.
pub(super) struct SharedTable {
    pub(super) title: Cow<'static, str>,
    /// Names of the columns, separated by ` | `.
    pub(super) heads: &'static str,
    /// Index of the column that the page emphasises.
    pub(super) main: usize,
    pub(super) rows: Vec<Vec<String>>,
}

/// Lengths, scores, squares and buttons of a game.
pub(super) fn quantities(summary: &Summary) -> SharedTable {
    let row = |name: &str, mean: Estimate, sd, first, second| {
        vec![
            name.to_owned(),
            one_place(mean),
            interval(mean, one_place),
            one_place(sd),
            one_place(first),
            one_place(second),
        ]
    };
    let length = |name, of: &Lengths| row(name, of.both, of.sd, of.first.value, of.second.value);
    let mean = |value| Estimate {
        value,
        ..Estimate::default()
    };
    let seats = |name, of: &Seats| row(name, mean(of.mean), None, of.first, of.second);
    let scores = &summary.scores;
    SharedTable {
        title: "The games".into(),
        heads: "per game | mean | 95% | sd | 1st player | 2nd player",
        main: 1,
        rows: vec![
            length("plies", &summary.plies.all),
            length(
                "turns (plies without special patches)",
                &summary.plies.turns,
            ),
            row(
                "points of a player",
                mean(scores.mean),
                scores.sd,
                scores.first,
                scores.second,
            ),
            seats("squares covered by a player", &summary.covered),
            seats("buttons left to a player", &summary.buttons),
        ],
    }
}

/// Where the points come from, by seat and by result.
pub(super) fn composition(summary: &Summary) -> SharedTable {
    let rows = summary.scores.composition.iter().map(|row| {
        let whose = match row.role {
            Role::First => "the first player",
            Role::Second => "the second player",
            Role::Winner => "the winner",
            Role::Loser => "the loser",
        };
        let parts = [row.points, row.buttons, row.squares, row.bonus].map(one_place);
        [whose.to_owned()].into_iter().chain(parts).collect()
    });
    SharedTable {
        title: "Where points come from".into(),
        heads: "points of | all | buttons | empty squares | 7x7",
        main: 1,
        rows: rows.collect(),
    }
}

/// Legal actions in all plies, by phase, and in plies where a patch was bought.
pub(super) fn legal_actions(summary: &Summary) -> SharedTable {
    let branching = &summary.branching;
    let row = |name: &str, legal: Estimate, plies: u64, forced: Option<f64>| {
        vec![
            name.to_owned(),
            one_place(legal),
            interval(legal, one_place),
            thousands(plies),
            percent(forced),
        ]
    };
    let plies = branching.by_ply.iter().map(|ply| ply.games).sum();
    let mut rows = vec![row(
        "every ply",
        branching.all,
        plies,
        branching.forced.value,
    )];
    rows.extend(branching.by_phase.iter().map(|phase| {
        let name = match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        };
        row(name, phase.legal, phase.plies, phase.forced.value)
    }));
    let buying = &branching.buying;
    rows.push(row(
        "where a patch was bought",
        buying.legal,
        buying.plies,
        None,
    ));
    SharedTable {
        title: "Branching factor".into(),
        heads: "legal actions | mean | 95% | plies | forced",
        main: 1,
        rows,
    }
}

/// The expectations of all agents in bins, with the share of games won; bins without decisions are
/// left out.
pub(super) fn expectations(calibration: &Calibration) -> SharedTable {
    let bins = calibration.bins.iter().filter(|bin| bin.plies > 0);
    let rows = bins.map(|bin| {
        vec![
            format!("{:.0} to {:.0}%", 100.0 * bin.from, 100.0 * bin.to),
            thousands(bin.plies),
            percent(bin.predicted),
            percent(bin.won),
            percents(bin.won),
        ]
    });
    SharedTable {
        title: "Expectations against results, all agents".into(),
        heads: "expected to win | decisions | mean | won | 95%",
        main: 3,
        rows: rows.collect(),
    }
}

/// The mean results of each value of a swept key.
pub(super) fn swept_values(key: &SweptKey) -> SharedTable {
    let rows = key.values.iter().enumerate().map(|(i, value)| {
        let gain = |cell: String| if i == 0 { String::new() } else { cell };
        vec![
            value.value.clone(),
            thousands(value.agents),
            thousands(value.games),
            percent(value.score),
            percents(value.score),
            points(value.margin),
            interval(value.margin, points),
            gain(points(value.margin_gain)),
            gain(interval(value.margin_gain, points)),
        ]
    });
    SharedTable {
        title: format!("Effect of {}", key.key).into(),
        heads: "value | agents | games | score | 95% | margin | 95% | against the first | 95%",
        main: 3,
        rows: rows.collect(),
    }
}
