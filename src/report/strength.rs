//! Strengths as text: neighbours in rank, whether ratings explain the results, points beside Elo; and
//! the report of results that some other program has written.

use std::io;

use super::csv::write_rows;
use super::text::{
    add_row, counted, interval, optional, percent, shortened, signed, table, write_table,
};
use crate::rating::sprt::{EloModel, SprtReport, Verdict};
use crate::rating::{Comparison, Consistency, Margins, PairingFit, Prior, Rated};

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

/// Writes the ratings of a table of results.
///
/// # Errors
/// When the writer fails.
pub fn write_rated(mut out: impl io::Write, title: &str, rated: &Rated) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    writeln!(out, "{title}: {}\n", counted(rated.games, "game"))?;
    let mut rows = table(
        &["#", "agent"],
        &["Elo", "95%", "se", "games", "wins", "score"],
    );
    for (rank, row) in (1..).zip(&rated.ratings) {
        let mark = if row.separated { " *" } else { "" };
        let half = row.elo.interval().map(|(low, high)| (high - low) / 2.0);
        add_row(
            &mut rows,
            [rank.to_string(), format!("{}{mark}", row.agent)],
            [
                optional(row.elo.value, |elo| signed(elo, 1)),
                optional(half, |half| format!("±{half:.1}")),
                optional(row.elo.error, |se| format!("{se:.1}")),
                row.games.to_string(),
                row.wins.to_string(),
                percent(row.score),
            ],
        );
    }
    let scale = match &rated.anchor {
        Some(anchor) => format!("intervals relative to {anchor}"),
        None => "mean 0".to_owned(),
    };
    let title = format!("Standings, {scale}, with 95% intervals");
    write_table(out, &title, &mut rows)?;
    let separated: Vec<&str> = (rated.ratings.iter())
        .filter(|row| row.separated)
        .map(|row| row.agent.as_str())
        .collect();
    let prior = rated.prior_used.then_some(rated.prior);
    write_warnings(out, &separated, prior, rated.connected)?;
    if !rated.clustered {
        writeln!(
            out,
            " All games were taken as independent; the games of a pair may not be."
        )?;
    }
    writeln!(out)?;
    let ranks: Vec<(&str, bool)> = rated
        .ratings
        .iter()
        .map(|row| (row.agent.as_str(), row.separated))
        .collect();
    write_neighbours(out, &ranks, &rated.comparisons)?;
    write_consistency(out, &rated.consistency)?;
    let first = &rated.first_player;
    writeln!(out, "\nFirst-player advantage")?;
    writeln!(
        out,
        " The first player won {} of {}.",
        percent(first.wins as f64 / rated.games as f64),
        counted(rated.games, "game"),
    )?;
    writeln!(
        out,
        " With the agents' strengths taken into account, moving first is worth {} Elo (95%: {}).",
        optional(first.elo.value, |elo| signed(elo, 1)),
        interval(first.elo.low, first.elo.high, |elo| signed(elo, 1)),
    )?;
    if let Some(rho) = rated.rho {
        writeln!(
            out,
            " An agent's two results on one setup, seats swapped, correlate by {}.",
            signed(rho, 2)
        )?;
    }
    Ok(())
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

/// Writes the ratings of a table of results as a table with a line of column names.
///
/// # Errors
/// When the writer fails.
pub fn write_rated_csv(out: impl io::Write, rated: &Rated) -> io::Result<()> {
    let columns = [
        "agent",
        "elo",
        "se",
        "low",
        "high",
        "games",
        "wins",
        "score",
        "perfect",
        "separated",
    ];
    let mut writer = ::csv::Writer::from_writer(out);
    writer.write_record(columns)?;
    write_rows(&mut (&columns, &mut writer), &rated.ratings)?;
    writer.flush()
}

/// Writes what a sequential test says.
///
/// # Errors
/// When the writer fails.
pub fn write_sprt(mut out: impl io::Write, report: &SprtReport) -> io::Result<()> {
    let SprtReport { sprt, estimate, .. } = report;
    let points = match sprt.model() {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    };
    let [lower, upper] = report.bounds;
    writeln!(
        out,
        "H0: {} {points}, accepted under H1 about {} of the time",
        signed(sprt.elo0(), 1),
        percent(sprt.beta())
    )?;
    writeln!(
        out,
        "H1: {} {points}, accepted under H0 about {} of the time",
        signed(sprt.elo1(), 1),
        percent(sprt.alpha())
    )?;
    writeln!(
        out,
        "LLR {:.3} of {lower:.3} to {upper:.3} after {}: {}",
        report.llr,
        counted(report.pairs.pairs(), "pair"),
        match report.verdict {
            Verdict::Continue => "continue, neither is accepted yet".to_owned(),
            decided => decided.to_string(),
        }
    )?;
    let told = |low: Option<f64>, high: Option<f64>, why_none: &str| match (low, high) {
        _ if estimate.los.is_none() => "no interval, as all pairs ended alike".to_owned(),
        (Some(low), Some(high)) => format!("95%: {} to {}", signed(low, 1), signed(high, 1)),
        (Some(low), None) => format!("95%: from {} on", signed(low, 1)),
        (None, Some(high)) => format!("95%: up to {}", signed(high, 1)),
        (None, None) => why_none.to_owned(),
    };
    let few = "no interval, as too few pairs differ";
    if report.pairs.pairs() > 0 {
        writeln!(
            out,
            "Elo {} ({}), normalized {} ({})",
            optional(estimate.elo.value, |elo| signed(elo, 1)),
            told(estimate.elo.low, estimate.elo.high, "95%: any"),
            optional(estimate.normalized.value, |elo| signed(elo, 1)),
            told(estimate.normalized.low, estimate.normalized.high, few),
        )?;
    }
    writeln!(
        out,
        "Likelihood of superiority {}",
        optional(estimate.los, percent)
    )
}
