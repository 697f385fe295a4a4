//! Statistics of the games: lengths, scores, legal actions, patches, rings.

use std::cmp::Ordering;
use std::io;

use super::table::TextTable;
use crate::rating::Estimate;
use crate::report::numbers::{counted, interval, one_place, percent, percents, points};
use crate::report::tables::{composition, legal_actions, quantities};
use crate::stats::{ChanceFrom, DecisionKind, PatchUse, Summary};

/// Number of patches shown with the highest gains, and likewise with the lowest, out of 33.
const MOST_PATCHES: usize = 5;

/// Number of rings shown for each seat.
const MOST_RINGS: usize = 2;

pub(super) fn write_games(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    TextTable::write_shared(out, quantities(summary))?;
    let scores = &summary.scores;
    let plies = &summary.plies.all;
    if let (Some(min), Some(max)) = (plies.min, plies.max) {
        writeln!(out, " Length: {min} to {max} plies.")?;
        for (player, mean, sd) in [
            ("first", plies.first, plies.first_sd),
            ("second", plies.second, plies.second_sd),
        ] {
            writeln!(
                out,
                " The {player} player has {} plies (95%: {}, sd {}).",
                one_place(mean),
                interval(mean, one_place),
                one_place(sd),
            )?;
        }
    }
    writeln!(
        out,
        " The winner has {} points, the loser {}; the mean margin is {}.",
        one_place(scores.winner),
        one_place(scores.loser),
        one_place(scores.margin),
    )?;
    let bonus = &summary.bonus;
    write!(
        out,
        " 7x7 bonus: earned in {} ({})",
        counted(bonus.games, "game"),
        percent(bonus.rate)
    )?;
    if let Some(rate) = bonus.winner_rate {
        write!(out, ", and {} of those who earned it won", percent(rate))?;
    }
    writeln!(out, ".")?;
    let decisions: Vec<String> = summary
        .decisions
        .iter()
        .map(|decision| {
            let what = match decision.kind {
                DecisionKind::Advance => "advances",
                DecisionKind::Patch => "patches bought",
                DecisionKind::Special => "special patches placed",
            };
            format!("{} {what}", one_place(decision.game))
        })
        .collect();
    if let Some((last, others)) = decisions.split_last() {
        writeln!(out, " A game has {} and {last}.\n", others.join(", "))?;
    }
    TextTable::write_shared(out, composition(summary))?;
    writeln!(out)
}

pub(super) fn write_branching(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    TextTable::write_shared(out, legal_actions(summary))?;
    writeln!(out)
}

pub(super) fn write_patches(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut known: Vec<&PatchUse> = summary
        .patches
        .iter()
        .filter(|patch| patch.margin_gain.low.is_some())
        .collect();
    if known.len() <= 2 * MOST_PATCHES {
        return Ok(());
    }
    known.sort_by(|one, other| {
        other
            .margin_gain
            .value
            .partial_cmp(&one.margin_gain.value)
            .unwrap_or(Ordering::Equal)
    });
    let mut table = TextTable::new(
        1,
        "# | price | time | income | squares | bought | on space | wins | gain | 95%",
    );
    let (best, worst) = (&known[..MOST_PATCHES], &known[known.len() - MOST_PATCHES..]);
    for patch in best.iter().chain(worst) {
        table.row([
            patch.patch.to_string(),
            patch.price.to_string(),
            patch.time.to_string(),
            patch.income.to_string(),
            patch.size.to_string(),
            percent(patch.rate),
            one_place(patch.mean_space),
            percent(patch.win_rate),
            points(patch.margin_gain),
            interval(patch.margin_gain, points),
        ]);
    }
    table.write(
        out,
        "Patches whose buyers gain most and fewest points against their own mean in the same seat",
    )?;
    writeln!(out, " The CSV table 'patches' has all of them.\n")
}

pub(super) fn write_rings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let rings = &summary.rings;
    let effect = &rings.margin;
    let (Some(share), Some(sd)) = (effect.share.value, effect.between_sd) else {
        return Ok(());
    };
    if effect.from == Some(ChanceFrom::Legs) {
        writeln!(
            out,
            "Rings\n Too few rings were played by several pairs to measure their effect on all agents. For the\n \
             two agents that played it, a ring's advantage for the first player has a standard deviation\n \
             of {} points.",
            one_place(sd),
        )?;
    } else {
        writeln!(
            out,
            "Rings\n The ring explains {} (95%: {}) of the variance of a game's margin, given its agents; its\n \
             own advantage for the first player has a standard deviation of {} points.",
            percent(share),
            percents(effect.share),
            one_place(sd),
        )?;
    }
    for (seat, found) in [("first", &rings.first), ("second", &rings.second)] {
        for ring in found.iter().take(MOST_RINGS) {
            let sign = if seat == "first" { 1.0 } else { -1.0 };
            let [low, high] = [ring.bias.low, ring.bias.high].map(|end| end.map(|end| sign * end));
            let advantage = Estimate {
                value: ring.bias.value.map(|bias| sign * bias),
                low: if seat == "first" { low } else { high },
                high: if seat == "first" { high } else { low },
                error: None,
            };
            writeln!(
                out,
                " Favours the {seat} player by {} points (95%: {}):\n  {}",
                one_place(advantage),
                interval(advantage, one_place),
                ring.ring
            )?;
        }
    }
    let count = counted(rings.rings, "ring");
    if rings.first.is_empty() && rings.second.is_empty() {
        writeln!(out, " Of {count}, none favours a seat with 95% confidence.")
    } else {
        writeln!(
            out,
            " The CSV table 'rings' has {count}; report --ring-book writes them as setups."
        )
    }
}
