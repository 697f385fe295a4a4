//! The report of a search for a better agent.

use std::io;

use super::table::TextTable;
use crate::rating::Estimate;
use crate::report::numbers::{counted, interval, known, percent, signed, thousands, three_places};
use crate::report::tuning::{EffectRow, TuningReport};

/// The candidates that the text lists.
const LISTED: usize = 10;
/// The pairs of keys that the text lists.
const LISTED_PAIRS: usize = 6;
/// The incumbents that the text lists.
const LISTED_INCUMBENTS: usize = 10;
/// The width of the column of settings.
const WIDTH: usize = 56;
/// The width of a full bar.
const BAR: f64 = 24.0;

/// Writes the report of a search as text for a terminal of about 100 columns.
///
/// # Errors
/// If the writer fails.
pub fn write_tuning(mut out: impl io::Write, report: &TuningReport) -> io::Result<()> {
    let out = &mut out;
    writeln!(
        out,
        "{}: {} of {} against {}, {} in {}, objective {}, seed {}\n",
        report.name,
        report.method,
        report.base,
        report.opponents.join(", "),
        counted(report.pairs.into(), "pair"),
        counted(report.games, "game"),
        report.objective,
        report.seed
    )?;
    write_candidates(out, report)?;
    write_effects(out, report)?;
    write_key_pairs(out, report)?;
    write_convergence(out, report)?;
    write_proof(out, report)
}

fn write_candidates(out: &mut dyn io::Write, report: &TuningReport) -> io::Result<()> {
    let mut table = TextTable::new(2, "# | settings | result | 95% | se | pairs");
    let listed = report.candidates.iter();
    for row in listed.filter(|row| row.rank <= LISTED || row.is_base) {
        let mark = if row.is_base { " (base)" } else { "" };
        let of = Estimate {
            value: Some(row.result),
            low: Some(row.low),
            high: Some(row.high),
            error: Some(row.se),
        };
        table.row([
            row.rank.to_string(),
            brief(&format!("{}{mark}", row.settings), report),
            three_places(of),
            interval(of, three_places),
            three_places(row.se),
            thousands(row.pairs.into()),
        ]);
    }
    let title = format!(
        "The best of {}: expectation of a model of all results, not the best result seen",
        counted(report.candidates.len() as u64, "candidate")
    );
    table.write(out, &title)?;
    writeln!(
        out,
        "The standard deviation of a single pair is {:.3}.\n",
        report.noise
    )
}

/// Settings with the shortest names of keys that are unique, on lines of limited width.
fn brief(settings: &str, report: &TuningReport) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let mut keys: Vec<&str> = report.effects.iter().map(|row| row.key.as_str()).collect();
    keys.dedup();
    let parts = settings.split(", ").map(|part| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let short = last(key);
        let is_unique = keys.iter().filter(|other| last(other) == short).count() < 2;
        let name = if is_unique { &short } else { key };
        format!("{name}={}", value.replace('"', ""))
    });
    // Values such as in-order/some/first stay whole.
    let lines = textwrap::Options::new(WIDTH)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&parts.collect::<Vec<_>>().join(" "), lines)
}

fn write_effects(out: &mut dyn io::Write, report: &TuningReport) -> io::Result<()> {
    let mut table = TextTable::new(2, "key | value | result | 95% | pairs | ");
    let results = report.effects.iter().filter_map(|row| row.result);
    let (low, high) = results.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), result| {
        (low.min(result), high.max(result))
    });
    let mut last = "";
    for row in &report.effects {
        let EffectRow { key, value, .. } = row;
        let name = if key == last {
            String::new()
        } else {
            format!("{key} ({})", percent(row.importance))
        };
        last = key;
        let of = Estimate {
            value: row.result,
            low: row.low,
            high: row.high,
            error: None,
        };
        let length = row.result.map_or(0.0, |result| {
            1.0 + (BAR - 1.0) * (result - low) / (high - low).max(1e-9)
        });
        let bar = "#".repeat(length.round() as usize);
        table.row([
            name,
            value.to_string().trim_matches('"').to_owned(),
            three_places(of),
            interval(of, three_places),
            thousands(row.pairs.into()),
            format!("{bar:<width$}", width = BAR as usize),
        ]);
    }
    table.write(
        out,
        "Marginal effects over random values of the other keys (share of the variance explained)",
    )?;
    writeln!(out)
}

fn write_key_pairs(out: &mut dyn io::Write, report: &TuningReport) -> io::Result<()> {
    let mut table = TextTable::new(2, "key | key | interaction");
    let mut shown: Vec<(&str, &str)> = Vec::new();
    for row in &report.key_pairs {
        if shown.contains(&(&row.a, &row.b)) {
            continue;
        }
        if shown.len() == LISTED_PAIRS {
            break;
        }
        shown.push((&row.a, &row.b));
        table.row([row.a.clone(), row.b.clone(), three_places(row.interaction)]);
    }
    if table.is_empty() {
        return Ok(());
    }
    table.write(
        out,
        "Pairs of keys: standard deviation of the results beyond both keys' own effects",
    )?;
    writeln!(out)
}

fn write_convergence(out: &mut dyn io::Write, report: &TuningReport) -> io::Result<()> {
    let rows = &report.convergence;
    let step = rows.len().div_ceil(LISTED_INCUMBENTS).max(1);
    let mut table = TextTable::new(1, "incumbent | pairs | result | se | racing");
    for (i, row) in rows.iter().enumerate() {
        if (rows.len() - 1 - i).is_multiple_of(step) {
            table.row([
                brief(&row.settings, report),
                thousands(row.pairs.into()),
                three_places(row.result),
                three_places(row.se),
                known(row.alive.map(|alive| alive as f64), |alive| {
                    format!("{alive:.0}")
                }),
            ]);
        }
    }
    if table.is_empty() {
        return Ok(());
    }
    table.write(
        out,
        "Convergence: the incumbent and what was expected of it",
    )?;
    writeln!(out)
}

fn write_proof(out: &mut dyn io::Write, report: &TuningReport) -> io::Result<()> {
    writeln!(out, "Winner: {}", report.winner)?;
    if let Some(proof) = &report.proof {
        super::write_sprt(&mut *out, &proof.test)?;
        writeln!(
            out,
            "A test that stops early makes the estimate larger in size than the true difference on average."
        )?;
    }
    if let Some(slow) = &report.slow {
        let elo = slow.estimate.elo;
        writeln!(
            out,
            "At {} times the budget: {} Elo (95% {}) in {}",
            slow.budget,
            signed(elo, 0),
            interval(elo, |elo| signed(elo, 0)),
            counted(slow.games, "game")
        )?;
        let difference = report
            .proof
            .as_ref()
            .and_then(|proof| difference(elo, proof.test.estimate.elo));
        if let Some(difference) = difference {
            writeln!(
                out,
                "The advantage changes by {} Elo (95% {}) with the larger budget.",
                signed(difference, 0),
                interval(difference, |elo| signed(elo, 0))
            )?;
        }
    }
    writeln!(out, "{}", report.conclusion)
}

/// The difference of two independent estimates with intervals.
fn difference(one: Estimate, other: Estimate) -> Option<Estimate> {
    let half = |of: Estimate| of.interval().map(|(low, high)| (high - low) / 2.0);
    let width = half(one)?.hypot(half(other)?);
    let value = one.value? - other.value?;
    Some(Estimate {
        value: Some(value),
        low: Some(value - width),
        high: Some(value + width),
        error: None,
    })
}
