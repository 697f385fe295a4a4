//! What the games are like: lengths, points, legal actions, patches, rings.

use std::cmp::Ordering;
use std::io;

use super::table::{add_row, table, write_table};
use crate::rating::Estimate;
use crate::report::numbers::{counted, interval, one_place, optional, percent, percents, signed};
use crate::stats::{DecisionKind, PatchUse, Phase, RingBias, Role, Seats, Summary};

/// Patches that gain most, and as many that gain least, of the 33.
const MOST_PATCHES: usize = 5;

/// Rings that favour either seat.
const MOST_RINGS: usize = 2;

pub(super) fn write_games(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["per game"],
        &["mean", "95%", "sd", "1st player", "2nd player"],
    );
    let number = |value: Option<f64>| optional(value, one_place);
    let scores = &summary.scores;
    for (name, lengths) in [
        ("plies", &summary.plies.all),
        ("turns (plies but special patches)", &summary.plies.turns),
    ] {
        add_row(
            &mut table,
            [name.to_string()],
            [
                number(lengths.both.value),
                interval(lengths.both.low, lengths.both.high, one_place),
                number(lengths.sd),
                number(lengths.first.value),
                number(lengths.second.value),
            ],
        );
    }
    add_row(
        &mut table,
        ["points of a player".to_string()],
        [
            number(scores.mean),
            String::new(),
            number(scores.sd),
            number(scores.first),
            number(scores.second),
        ],
    );
    for (name, seats) in [
        ("squares covered by a player", &summary.covered),
        ("buttons left to a player", &summary.buttons),
    ] {
        let Seats {
            first,
            second,
            mean,
        } = *seats;
        add_row(
            &mut table,
            [name.to_string()],
            [mean, None, None, first, second].map(|value| value.map_or(String::new(), one_place)),
        );
    }
    write_table(out, "The games", &mut table)?;

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
                number(mean.value),
                interval(mean.low, mean.high, one_place),
                number(sd),
            )?;
        }
    }
    writeln!(
        out,
        " The winner has {} points, the loser {}; the mean margin is {}.",
        number(scores.winner),
        number(scores.loser),
        number(scores.margin),
    )?;
    let bonus = &summary.bonus;
    write!(
        out,
        " 7x7 bonus: earned in {} ({})",
        counted(bonus.games, "game"),
        optional(bonus.rate, percent)
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
            format!("{} {what}", number(decision.game.value))
        })
        .collect();
    writeln!(out, " A game has {}.\n", decisions.join(", "))?;
    write_composition(out, summary)
}

fn write_composition(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(&["points of"], &["all", "buttons", "empty squares", "7x7"]);
    for row in &summary.scores.composition {
        let name = match row.role {
            Role::First => "the first player",
            Role::Second => "the second player",
            Role::Winner => "the winner",
            Role::Loser => "the loser",
        };
        add_row(
            &mut table,
            [name.to_string()],
            [row.points, row.buttons, row.squares, row.bonus].map(|v| optional(v, one_place)),
        );
    }
    write_table(out, "Where points come from", &mut table)?;
    writeln!(out)
}

pub(super) fn write_branching(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let branching = &summary.branching;
    let played: u64 = branching.by_ply.iter().map(|ply| ply.games).sum();
    let mut table = table(&["legal actions"], &["mean", "95%", "plies", "forced"]);
    let mut add = |name: &str, legal: &Estimate, plies: u64, forced: Option<f64>| {
        add_row(
            &mut table,
            [name.to_string()],
            [
                optional(legal.value, one_place),
                interval(legal.low, legal.high, one_place),
                plies.to_string(),
                forced.map_or_else(String::new, percent),
            ],
        );
    };
    add("every ply", &branching.all, played, branching.forced.value);
    for phase in &branching.by_phase {
        let name = match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        };
        add(name, &phase.legal, phase.plies, phase.forced.value);
    }
    let buying = &branching.buying;
    add(
        "where a patch was bought",
        &buying.legal,
        buying.plies,
        None,
    );
    write_table(out, "Branching factor", &mut table)?;
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
    let mut table = table(
        &["#"],
        &[
            "price", "time", "income", "squares", "bought", "on space", "wins", "gain", "95%",
        ],
    );
    let (best, worst) = (&known[..MOST_PATCHES], &known[known.len() - MOST_PATCHES..]);
    let points = |points: f64| signed(points, 1);
    for patch in best.iter().chain(worst) {
        add_row(
            &mut table,
            [patch.patch.to_string()],
            [
                patch.price.to_string(),
                patch.time.to_string(),
                patch.income.to_string(),
                patch.size.to_string(),
                optional(patch.rate, percent),
                optional(patch.mean_space, one_place),
                optional(patch.win_rate.value, percent),
                optional(patch.margin_gain.value, points),
                interval(patch.margin_gain.low, patch.margin_gain.high, points),
            ],
        );
    }
    write_table(
        out,
        "Patches whose buyers gain most and least points, against their own mean in the same seat",
        &mut table,
    )?;
    writeln!(out, " The others are in the table of patches (CSV).\n")
}

pub(super) fn write_rings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let rings = &summary.rings;
    let effect = &rings.margin;
    let (Some(share), Some(sd)) = (effect.share.value, effect.between_sd) else {
        return Ok(());
    };
    if effect.from == Some(crate::stats::ChanceFrom::Legs) {
        writeln!(
            out,
            "Rings\n Too few rings were played by several pairs to tell what one does for all agents. For the two that\n \
             played it, its advantage for the first player has a standard deviation of {} points.",
            one_place(sd),
        )?;
    } else {
        writeln!(
            out,
            "Rings\n The ring explains {} (95%: {}) of how far a game's margin differs from what is usual for\n \
         its agents; its own advantage for the first player has a standard deviation of {} points.",
            percent(share),
            percents(effect.share.low, effect.share.high),
            one_place(sd),
        )?;
    }
    let most = |title: &str, found: &[RingBias], out: &mut dyn io::Write| -> io::Result<()> {
        for ring in found.iter().take(MOST_RINGS) {
            writeln!(
                out,
                " {title} by {} points (95%: {}):\n  {}",
                optional(ring.bias.value.map(f64::abs), one_place),
                interval(
                    ring.bias
                        .interval()
                        .map(|(low, high)| low.abs().min(high.abs())),
                    ring.farthest(),
                    one_place
                ),
                ring.ring
            )?;
        }
        Ok(())
    };
    most("Favours the first player", &rings.first, out)?;
    most("Favours the second player", &rings.second, out)?;
    let count = rings.rings;
    if rings.first.is_empty() && rings.second.is_empty() {
        writeln!(out, " None of the {count} rings surely favours a seat.")?;
    } else {
        writeln!(
            out,
            " All {count} rings are in the table of rings (CSV); report --ring-book writes them for tournaments."
        )?;
    }
    Ok(())
}
