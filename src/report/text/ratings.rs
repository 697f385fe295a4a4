//! What goes with ratings: neighbours in rank, whether ratings explain the results, points beside Elo, warnings.

use std::io;

use super::table::{add_row, shortened, table, write_table};
use crate::rating::{Comparison, Consistency, Margins, PairingFit, Prior};
use crate::report::numbers::{counted, interval, optional, percent, signed};

/// Pairings that are named because the ratings do not explain them.
const MOST_SURPRISING: usize = 3;

/// Standard errors from which a pairing is called surprising.
const SURPRISING: f64 = 2.0;

/// Writes how sure the order of the ranks is: each agent beside the next. Agents that `is_perfect`
/// names are marked.
pub(super) fn write_neighbours(
    out: &mut dyn io::Write,
    ranks: &[(&str, bool)],
    comparisons: &[Comparison],
) -> io::Result<()> {
    let mark = |(name, perfect): (&str, bool)| {
        let mark = if perfect { " *" } else { "" };
        format!("{}{mark}", shortened(name))
    };
    let with_points = comparisons.iter().any(|row| row.points.value.is_some());
    let columns = ["Elo", "95%", "better", "points", "95%"];
    let mut table = table(
        &["agent", "next"],
        if with_points { &columns } else { &columns[..3] },
    );
    for two in ranks.windows(2) {
        let beside = |row: &&Comparison| row.a == two[0].0 && row.b == two[1].0;
        let Some(row) = comparisons.iter().find(beside) else {
            continue;
        };
        let mut numbers = vec![
            optional(row.elo.value, |elo| signed(elo, 0)),
            interval(row.elo.low, row.elo.high, |elo| signed(elo, 0)),
            optional(row.los, percent),
        ];
        if with_points {
            numbers.push(optional(row.points.value, |points| signed(points, 1)));
            numbers.push(interval(row.points.low, row.points.high, |p| signed(p, 1)));
        }
        add_row(&mut table, [mark(two[0]), mark(two[1])], numbers);
    }
    if table.row_count() == 0 {
        return Ok(());
    }
    write_table(
        out,
        "Neighbours in rank: the difference, and how likely the first is the better one",
        &mut table,
    )
}

/// Writes whether one rating for each agent explains who beats whom.
pub(super) fn write_consistency(
    out: &mut dyn io::Write,
    consistency: &Consistency,
) -> io::Result<()> {
    let (Some(chi_square), Some(p)) = (consistency.chi_square, consistency.p) else {
        return Ok(());
    };
    let freedom = consistency.freedom;
    let p_value = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    let verdict = if p < 0.05 {
        "One Elo for each agent does not explain who beats whom"
    } else {
        "Nothing speaks against one Elo for each agent"
    };
    writeln!(
        out,
        " {verdict}: chi-square {chi_square:.1}, {} of freedom, {p_value}.",
        counted(freedom, "degree")
    )?;
    let surprising = consistency.pairings.iter().filter_map(|fit| {
        let surprise = fit.surprise.filter(|size| size.abs() >= SURPRISING)?;
        Some((fit, surprise))
    });
    for (fit, surprise) in surprising.take(MOST_SURPRISING) {
        write_surprise(out, fit, surprise)?;
    }
    Ok(())
}

fn write_surprise(out: &mut dyn io::Write, fit: &PairingFit, surprise: f64) -> io::Result<()> {
    let share = |wins: f64| percent(wins / fit.games as f64);
    let (wins, expected) = (fit.wins as f64, fit.expected);
    let (lost, unexpected) = (fit.games as f64 - wins, fit.games as f64 - expected);
    let (better, worse, won, should) = if surprise > 0.0 {
        (&fit.a, &fit.b, wins, expected)
    } else {
        (&fit.b, &fit.a, lost, unexpected)
    };
    writeln!(
        out,
        "  {} against {}: {} where {} was expected ({:.1} standard errors).",
        shortened(better),
        shortened(worse),
        share(won),
        share(should),
        surprise.abs()
    )
}

/// Writes what points tell beside wins.
pub(super) fn write_points(out: &mut dyn io::Write, points: &Margins) -> io::Result<()> {
    let Some(efficiency) = points.efficiency else {
        return Ok(());
    };
    writeln!(
        out,
        " By points, agents are told apart as well as by who won {efficiency:.1} times as many games."
    )
}

/// The first of these names.
fn named(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(3).map(|name| shortened(name)).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Writes what must be known before ratings are believed: which agents are marked, and `prior` if one
/// was used.
pub(super) fn write_warnings(
    out: &mut dyn io::Write,
    separated: &[&str],
    prior: Option<Prior>,
    connected: bool,
) -> io::Result<()> {
    if !separated.is_empty() {
        writeln!(
            out,
            " * won or lost every game that would tell: the Elo only tells the direction, the distance is"
        )?;
        writeln!(out, "   unknown.")?;
    }
    if let Some(prior) = prior {
        match prior {
            Prior::Always => writeln!(out, " A prior was asked for:")?,
            _ if separated.is_empty() => writeln!(
                out,
                " The results alone allow no finite Elo, as the seat and an order of the agents explain all:"
            )?,
            _ => writeln!(
                out,
                " The results alone allow no finite Elo, as no wins and losses link all agents with {}:",
                named(separated)
            )?,
        }
        writeln!(
            out,
            " Jeffreys' prior (Firth's penalised likelihood) keeps the numbers finite."
        )?;
    }
    if !connected {
        writeln!(
            out,
            " Some groups of agents have not met: do not compare across them. Without an anchor each has mean 0."
        )?;
    }
    Ok(())
}
