//! Sections that accompany all ratings: comparisons of neighbours, consistency of the results,
//! warnings.

use std::io;

use super::table::{TextTable, shortened};
use crate::rating::{Comparison, Consistency, Estimate, Margins, PairingFit, RatingPrior};
use crate::report::numbers::{counted, elo, interval, percent, points, signed};

/// Maximum number of listed pairings that the ratings do not explain.
const MOST_SURPRISING: usize = 3;

/// Number of standard errors from which a pairing is called surprising.
const SURPRISING: f64 = 2.0;

/// Maximum number of names in a sentence; the rest are only counted.
const MOST_NAMES: usize = 3;

/// An agent with its rank in the standings.
pub(super) struct Ranked<'a> {
    name: &'a str,
    /// Whether only the direction of its rating is known.
    separated: bool,
}

impl<'a> Ranked<'a> {
    pub(super) const fn new(name: &'a str, separated: bool) -> Self {
        Self { name, separated }
    }

    /// The name, with an asterisk if its rating is covered by the warning.
    pub(super) fn marked(&self, name: String) -> String {
        name + if self.separated { " *" } else { "" }
    }
}

/// Writes how certain the ranking is: each agent compared with the next.
pub(super) fn write_neighbours(
    out: &mut dyn io::Write,
    ranks: &[Ranked<'_>],
    comparisons: &[Comparison],
) -> io::Result<()> {
    let with_points = comparisons.iter().any(|row| row.points.value.is_some());
    let more = if with_points { " | points | 95%" } else { "" };
    let mut table = TextTable::new(2, &format!("agent | next | Elo | 95% | confidence{more}"));
    for two in ranks.windows(2) {
        let beside = |row: &&Comparison| row.a == two[0].name && row.b == two[1].name;
        let Some(row) = comparisons.iter().find(beside) else {
            continue;
        };
        let names = two.iter().map(|rank| rank.marked(shortened(rank.name)));
        let by_wins = [
            elo(row.elo),
            interval(row.elo, elo),
            percent(row.confidence),
        ];
        let by_points = [points(row.points), interval(row.points, points)];
        let by_points = by_points.into_iter().filter(|_| with_points);
        table.row(names.chain(by_wins).chain(by_points));
    }
    if table.is_empty() {
        return Ok(());
    }
    let title = "Neighbours in rank: the difference, and the confidence in their order";
    table.write(out, title)?;
    writeln!(
        out,
        " Of two equal agents the luckier one comes first; 5% of them reach a confidence of 95%."
    )
}

/// Writes how well one rating per agent explains the results.
pub(super) fn write_consistency(
    out: &mut dyn io::Write,
    consistency: &Consistency,
) -> io::Result<()> {
    let (Some(chi_square), Some(p)) = (consistency.chi_square, consistency.p) else {
        return Ok(());
    };
    let p_value = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    let verdict = if p < 0.05 {
        "One Elo per agent does not fit these results"
    } else {
        "One Elo per agent fits these results"
    };
    writeln!(
        out,
        " {verdict}: chi-square {chi_square:.1}, {} of freedom, {p_value}.",
        counted(consistency.freedom, "degree")
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
        "  {} against {}: won {}, expected {} ({:.1} standard errors).",
        shortened(better),
        shortened(worse),
        share(won),
        share(should),
        surprise.abs()
    )
}

/// Writes how much more information margins carry than wins.
pub(super) fn write_points(out: &mut dyn io::Write, points: &Margins) -> io::Result<()> {
    let (Some(times), Some((low, high))) = (points.efficiency.value, points.efficiency.interval())
    else {
        return Ok(());
    };
    writeln!(
        out,
        " Margins separate the agents as precisely as wins alone would in {times:.1} (95%: {low:.1} to {high:.1})\n times \
         as many games; pairings won in more than 90% are left out."
    )
}

/// Writes the advantage of moving first in Elo, and the correlation of the two legs of a pair.
pub(super) fn write_seat_elo(
    out: &mut dyn io::Write,
    first: Estimate,
    places: usize,
    rho: Option<f64>,
) -> io::Result<()> {
    let elo = |elo: f64| signed(elo, places);
    if let Some(value) = first.value {
        writeln!(
            out,
            " With the agents' strengths taken into account, moving first is worth {} Elo (95%: {}).",
            elo(value),
            interval(first, elo),
        )?;
    }
    if let Some(rho) = rho {
        let rho = signed(rho, 2);
        writeln!(
            out,
            " The correlation of an agent's two results on one setup, seats swapped, is {rho}."
        )?;
    }
    Ok(())
}

/// The first few of these names.
fn named(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(|name| shortened(name));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Writes the warnings about the ratings: the meaning of the asterisk, and the `prior` if one was
/// used.
pub(super) fn write_warnings(
    out: &mut dyn io::Write,
    ranks: &[Ranked<'_>],
    prior: Option<RatingPrior>,
    connected: bool,
) -> io::Result<()> {
    let separated = ranks.iter().filter(|rank| rank.separated);
    let separated: Vec<&str> = separated.map(|rank| rank.name).collect();
    if !separated.is_empty() {
        writeln!(
            out,
            " * Wins alone or losses alone link this agent with most others: its Elo shows the direction, not\n   \
             the distance."
        )?;
    }
    if let Some(prior) = prior {
        match prior {
            RatingPrior::Always => writeln!(out, " A prior was requested.")?,
            _ if separated.is_empty() => writeln!(
                out,
                " The results alone allow no finite Elo, because the seat and one order of the agents explain all."
            )?,
            _ => writeln!(
                out,
                " The results alone allow no finite Elo for {}.",
                named(&separated)
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
