//! Results as text, CSV and JSON, written to the writer that is given.

use std::io;

use serde::Serialize;

use super::estimate::{Difference, Estimate};
use super::experiment::{Measure, Results};
use super::table::{Cell, Comparison, Expectation, Ours, PublishedCell};

/// Two strategies on the same orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The strategy whose values count as positive.
    pub one: String,
    /// The strategy that it is compared with.
    pub other: String,
    /// Difference in squares covered.
    pub area: Difference,
    /// Difference in the position of the first patch that did not fit.
    pub streak: Difference,
    /// Difference in alternatives for each patch that was placed.
    pub alternatives: Difference,
}

/// What an experiment is reported with.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The packings.
    pub results: &'a Results,
    /// Where the orders come from.
    pub orders: &'a str,
    /// The published table beside ours, in which strategies may be filled in from elsewhere.
    pub comparison: Option<Comparison>,
    /// Pairs of strategies that were asked for.
    pub pairs: Vec<Pair>,
}

/// The tables of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// One row a strategy.
    Strategies,
    /// One row a strategy of the published table.
    Comparison,
    /// One row a pair and measure.
    Pairs,
    /// One row an order and strategy.
    Packings,
}

impl<'a> Report<'a> {
    /// A report of all strategies and nothing else.
    #[must_use]
    pub const fn new(results: &'a Results, orders: &'a str) -> Self {
        Self {
            results,
            orders,
            comparison: None,
            pairs: Vec::new(),
        }
    }

    /// Adds the paired difference of two strategies; says whether both were run.
    pub fn compare(&mut self, one: [&str; 3], other: [&str; 3]) -> bool {
        let rows = (self.results.row(one), self.results.row(other));
        let (Some(a), Some(b)) = rows else {
            return false;
        };
        self.pairs.push(Pair {
            one: a.title(),
            other: b.title(),
            area: a.above(b, Measure::Area),
            streak: a.above(b, Measure::Streak),
            alternatives: a.above(b, Measure::Alternatives),
        });
        true
    }
}

impl Pair {
    /// The difference in a measure.
    #[must_use]
    pub const fn difference(&self, measure: Measure) -> &Difference {
        match measure {
            Measure::Area => &self.area,
            Measure::Streak => &self.streak,
            Measure::Alternatives => &self.alternatives,
        }
    }
}

/// Writes the report for a terminal of 100 columns.
///
/// # Errors
/// When the writer fails.
pub fn write_text(mut out: impl io::Write, report: &Report<'_>) -> io::Result<()> {
    let out = &mut out;
    let Results {
        mode, orders, rows, ..
    } = report.results;
    let seed = report.results.seed;
    writeln!(
        out,
        "Packing {}: {} orders ({}), seed {seed}; means with standard errors\n",
        mode.name(),
        orders.len(),
        report.orders
    )?;
    writeln!(
        out,
        "{:<38}{:>14}{:>14}{:>15}{:>14}",
        "strategy", "area", "streak", "alternatives", "us/packing"
    )?;
    for row in rows {
        let ours = Ours::of(row);
        writeln!(
            out,
            "{:<38}{:>14}{:>14}{:>15}{:>14.2}",
            row.title(),
            with_error(ours.area),
            with_error(ours.streak),
            with_error(ours.alternatives),
            ours.time_us
        )?;
    }
    if let Some(comparison) = &report.comparison {
        write_comparison(out, comparison)?;
    }
    for pair in &report.pairs {
        writeln!(
            out,
            "\n{} less {}, on the same orders, with 95% intervals",
            pair.one, pair.other
        )?;
        for measure in Measure::ALL {
            let difference = pair.difference(measure);
            let mean = difference.estimate.mean;
            write!(out, "  {:<13}{mean:>+8.3}", measure.name())?;
            match (difference.low, difference.high) {
                (Some(low), Some(high)) => writeln!(out, "  [{low:+.3}, {high:+.3}]")?,
                _ => writeln!(out, "  (one order alone has no interval)")?,
            }
        }
    }
    Ok(())
}

fn with_error(estimate: Estimate) -> String {
    format!("{:.2} +-{:.2}", estimate.mean, estimate.error)
}

fn write_comparison(out: &mut impl io::Write, comparison: &Comparison) -> io::Result<()> {
    let (agreeing, exact) = comparison.exact();
    writeln!(out)?;
    if exact > 0 {
        writeln!(
            out,
            "Beside the published table: {agreeing} of {exact} deterministic strategies agree to the \
             printed digit."
        )?;
    }
    writeln!(
        out,
        "Ours, published and the difference; for random choices its standard error follows in \
         brackets.\n"
    )?;
    writeln!(
        out,
        "{:<22}{:>24}{:>24}{:>24}",
        "", "area", "streak", "alternatives"
    )?;
    let mut heading = "";
    for cell in comparison.cells() {
        let [policy, transforms, evaluation] = cell.published.names();
        if heading != evaluation {
            heading = evaluation;
            writeln!(out, "{heading}")?;
        }
        write!(out, "  {:<20}", format!("{policy}-{transforms}"))?;
        for measure in Measure::ALL {
            write!(out, "{:>24}", beside(cell, measure))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// One value beside the published one.
fn beside(cell: &Cell, measure: Measure) -> String {
    let published = cell.published.value(measure);
    let (Some(ours), Some(difference)) = (cell.ours, cell.difference(measure)) else {
        return format!("- {published:.2}");
    };
    let mean = ours.value(measure).mean;
    let apart = match (cell.agrees(measure), cell.published.expectation()) {
        (Some(true), Expectation::Exact) => "=".to_owned(),
        (_, Expectation::Sampled) => format!("{:+.2}({:.2})", difference.mean, difference.error),
        _ => format!("{:+.2}", difference.mean),
    };
    format!("{mean:.2} {published:.2} {apart}")
}

/// Writes one table of the report as CSV.
///
/// # Errors
/// When the writer fails.
pub fn write_csv(out: impl io::Write, report: &Report<'_>, table: Table) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    match table {
        Table::Strategies => strategies_csv(&mut csv, report)?,
        Table::Comparison => comparison_csv(&mut csv, report)?,
        Table::Pairs => pairs_csv(&mut csv, report)?,
        Table::Packings => packings_csv(&mut csv, report)?,
    }
    csv.flush()
}

type Csv<W> = csv::Writer<W>;

fn strategies_csv<W: io::Write>(csv: &mut Csv<W>, report: &Report<'_>) -> csv::Result<()> {
    csv.write_record([
        "policy",
        "transforms",
        "evaluation",
        "orders",
        "area",
        "area_error",
        "streak",
        "streak_error",
        "alternatives",
        "alternatives_error",
        "time_us",
    ])?;
    for row in &report.results.rows {
        let mut record: Vec<String> = row.names.map(str::to_owned).to_vec();
        record.push(row.packings.len().to_string());
        for measure in Measure::ALL {
            let Estimate { mean, error } = row.estimate(measure);
            record.extend([format!("{mean:.4}"), format!("{error:.4}")]);
        }
        record.push(format!("{:.2}", Ours::of(row).time_us));
        csv.write_record(&record)?;
    }
    Ok(())
}

fn comparison_csv<W: io::Write>(csv: &mut Csv<W>, report: &Report<'_>) -> csv::Result<()> {
    csv.write_record([
        "policy",
        "transforms",
        "evaluation",
        "expectation",
        "measure",
        "ours",
        "published",
        "difference",
        "difference_error",
        "agrees",
    ])?;
    let cells = report.comparison.iter().flat_map(|c| c.cells());
    for cell in cells {
        for measure in Measure::ALL {
            let mut record: Vec<String> = cell.published.names().map(str::to_owned).to_vec();
            let expectation = match cell.published.expectation() {
                Expectation::Exact => "exact",
                Expectation::Sampled => "sampled",
                Expectation::Near => "near",
            };
            record.extend([expectation.to_owned(), measure.name().to_owned()]);
            let or_empty = |value: Option<String>| value.unwrap_or_default();
            let ours = cell.ours.map(|ours| ours.value(measure).mean);
            let difference = cell.difference(measure);
            record.extend([
                or_empty(ours.map(|ours| format!("{ours:.4}"))),
                format!("{:.2}", cell.published.value(measure)),
                or_empty(difference.map(|d| format!("{:.4}", d.mean))),
                or_empty(difference.map(|d| format!("{:.4}", d.error))),
                or_empty(cell.agrees(measure).map(|agrees| agrees.to_string())),
            ]);
            csv.write_record(&record)?;
        }
    }
    Ok(())
}

fn pairs_csv<W: io::Write>(csv: &mut Csv<W>, report: &Report<'_>) -> csv::Result<()> {
    csv.write_record([
        "one",
        "other",
        "measure",
        "difference",
        "error",
        "low",
        "high",
    ])?;
    for pair in &report.pairs {
        for measure in Measure::ALL {
            let Difference {
                estimate,
                low,
                high,
            } = *pair.difference(measure);
            let or_empty = |end: Option<f64>| end.map(|v| format!("{v:.4}")).unwrap_or_default();
            csv.write_record([
                pair.one.clone(),
                pair.other.clone(),
                measure.name().to_owned(),
                format!("{:.4}", estimate.mean),
                format!("{:.4}", estimate.error),
                or_empty(low),
                or_empty(high),
            ])?;
        }
    }
    Ok(())
}

fn packings_csv<W: io::Write>(csv: &mut Csv<W>, report: &Report<'_>) -> csv::Result<()> {
    csv.write_record([
        "order",
        "policy",
        "transforms",
        "evaluation",
        "area",
        "streak",
        "placed",
        "alternatives",
    ])?;
    for (i, order) in report.results.orders.iter().enumerate() {
        for row in &report.results.rows {
            let packing = row.packings[i];
            let mut record = vec![order.to_string()];
            record.extend(row.names.map(str::to_owned));
            let numbers = [
                packing.area,
                packing.streak,
                packing.placed,
                packing.alternatives,
            ];
            record.extend(numbers.map(|number| number.to_string()));
            csv.write_record(&record)?;
        }
    }
    Ok(())
}

/// Writes the report as one JSON object.
///
/// # Errors
/// When the writer fails.
pub fn write_json(mut out: impl io::Write, report: &Report<'_>) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        mode: &'static str,
        orders: usize,
        orders_from: &'a str,
        seed: u64,
        strategies: Vec<StrategyEntry>,
        #[serde(skip_serializing_if = "Option::is_none")]
        comparison: Option<Vec<ComparisonEntry>>,
        pairs: &'a [Pair],
    }
    #[derive(Serialize)]
    struct StrategyEntry {
        policy: &'static str,
        transforms: &'static str,
        evaluation: &'static str,
        #[serde(flatten)]
        values: Ours,
    }
    #[derive(Serialize)]
    struct ComparisonEntry {
        published: &'static PublishedCell,
        expectation: Expectation,
        ours: Option<Ours>,
        difference: Option<Differences>,
        agrees: Option<bool>,
    }
    #[derive(Serialize)]
    struct Differences {
        area: Estimate,
        streak: Estimate,
        alternatives: Estimate,
    }

    let differences = |cell: &Cell| {
        Some(Differences {
            area: cell.difference(Measure::Area)?,
            streak: cell.difference(Measure::Streak)?,
            alternatives: cell.difference(Measure::Alternatives)?,
        })
    };

    let strategies = report.results.rows.iter().map(|row| {
        let [policy, transforms, evaluation] = row.names;
        StrategyEntry {
            policy,
            transforms,
            evaluation,
            values: Ours::of(row),
        }
    });
    let comparison = report.comparison.as_ref().map(|comparison| {
        let entries = comparison.cells().iter().map(|cell| ComparisonEntry {
            published: cell.published,
            expectation: cell.published.expectation(),
            ours: cell.ours,
            difference: differences(cell),
            agrees: cell
                .ours
                .map(|_| Measure::ALL.iter().all(|&m| cell.agrees(m) == Some(true))),
        });
        entries.collect()
    });
    let document = Document {
        mode: report.results.mode.name(),
        orders: report.results.orders.len(),
        orders_from: report.orders,
        seed: report.results.seed,
        strategies: strategies.collect(),
        comparison,
        pairs: &report.pairs,
    };
    serde_json::to_writer_pretty(&mut out, &document)?;
    writeln!(out)
}
