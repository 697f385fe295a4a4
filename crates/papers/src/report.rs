//! Reports of the papers' packing experiment: text, CSV and JSON.

use std::fmt::Display;
use std::io;

use crate::paper::{
    ByMeasure, ComparedCell, Expectation, Mode, Ours, Packing, PackingMeasure, PackingResults,
    StrategyPackings, exact_cells,
};
use patchwork_rating::Estimate;
use serde::Serialize;
use serde_json::json;

use patchwork_report::document::LineTable;

/// Two strategies compared on the same orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The strategy whose values count as positive.
    pub one: String,
    /// The strategy that it is compared with.
    pub other: String,
    /// The differences, order by order.
    #[serde(flatten)]
    pub differences: ByMeasure,
}

/// The results of an experiment and what to report with them.
#[derive(Clone, Debug)]
pub struct PackingReport<'a> {
    /// The packings.
    pub results: &'a PackingResults,
    /// Source of the orders, for the heading.
    pub orders: &'a str,
    /// The published table with our values.
    pub comparison: Option<Vec<ComparedCell>>,
    /// The requested comparisons.
    pub pairs: Vec<PairedComparison>,
}

/// The tables of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackingTable {
    /// One row per strategy.
    Strategies,
    /// One row per strategy of the published table.
    Comparison,
    /// One row per pair and measure.
    Pairs,
    /// One row per order and strategy.
    Packings,
}

impl<'a> PackingReport<'a> {
    /// A report of all strategies without comparisons.
    pub const fn new(results: &'a PackingResults, orders: &'a str) -> Self {
        Self {
            results,
            orders,
            comparison: None,
            pairs: Vec::new(),
        }
    }

    /// Adds the paired difference of two strategies; returns whether both were run.
    pub fn compare(&mut self, one: [&str; 3], other: [&str; 3]) -> bool {
        let rows = (self.results.row(one), self.results.row(other));
        let (Some(a), Some(b)) = rows else {
            return false;
        };
        self.pairs.push(PairedComparison {
            one: a.title(),
            other: b.title(),
            differences: ByMeasure::new(|measure| a.above(b, measure)),
        });
        true
    }

    /// Writes the report for a terminal of 80 columns.
    pub fn write_text(&self, mut out: impl io::Write) -> io::Result<()> {
        let out = &mut out;
        let PackingResults {
            mode, orders, rows, ..
        } = self.results;
        let seed = self.results.seed;
        writeln!(
            out,
            "Packing {}: {} orders ({}).\nRandom choices with seed {seed}; means ± standard errors.\n",
            match mode {
                Mode::Described => "as the paper describes it",
                Mode::AsPublished => "as the paper's program did it",
            },
            orders.len(),
            self.orders
        )?;
        let table = with_measures(LineTable::new(0).left("strategy", 33), [12, 12, 13]);
        let table = table.right("time (us)", 10);
        writeln!(out, "{}", table.head())?;
        for row in rows {
            let Ours { means, time_us } = Ours::of(row);
            let [area, streak, alternatives] = PackingMeasure::ALL
                .map(|measure| means.get(measure))
                .map(|mean| [mean.value, mean.error].map(Option::unwrap_or_default))
                .map(|[value, error]| format!("{value:.2} ±{error:.2}"));
            let time = format!("{time_us:.2}");
            let cells: [&dyn Display; 5] = [&row.title(), &area, &streak, &alternatives, &time];
            writeln!(out, "{}", table.line(&cells))?;
        }
        if let Some(comparison) = &self.comparison {
            write_comparison(out, comparison)?;
        }
        let table = LineTable::new(2).left("", 0).left("", 13);
        let table = table.right("", 6).left("", 0);
        for pair in &self.pairs {
            writeln!(
                out,
                "\n{} minus {}, on the same orders, with 95% intervals",
                pair.one, pair.other
            )?;
            for measure in PackingMeasure::ALL {
                let difference = pair.differences.get(measure);
                let mean = format!("{:+.3}", difference.value.unwrap_or_default());
                let interval = match difference.interval() {
                    Some((low, high)) => format!("[{low:+.3}, {high:+.3}]"),
                    _ => "(no interval with one order)".to_owned(),
                };
                let cells: [&dyn Display; 4] = [&"", &measure.name(), &mean, &interval];
                writeln!(out, "{}", table.line(&cells))?;
            }
        }
        Ok(())
    }

    /// Writes one table of the report as CSV.
    pub fn write_csv(&self, out: impl io::Write, table: PackingTable) -> io::Result<()> {
        let (columns, rows) = match table {
            PackingTable::Strategies => strategy_rows(self),
            PackingTable::Comparison => comparison_rows(self),
            PackingTable::Pairs => pair_rows(self),
            PackingTable::Packings => packing_rows(self),
        };
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(columns.split(' '))?;
        for row in rows {
            csv.write_record(row)?;
        }
        csv.flush()
    }

    /// Writes the report as one JSON object.
    pub fn write_json(&self, mut out: impl io::Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct StrategyEntry {
            policy: &'static str,
            transforms: &'static str,
            evaluation: &'static str,
            #[serde(flatten)]
            values: Ours,
        }

        let strategies = self.results.rows.iter().map(|row| {
            let [policy, transforms, evaluation] = row.names;
            StrategyEntry {
                policy,
                transforms,
                evaluation,
                values: Ours::of(row),
            }
        });
        let mut document = json!({
            "mode": self.results.mode.name(),
            "orders": self.results.orders.len(),
            "orders_from": self.orders,
            "seed": self.results.seed,
            "strategies": strategies.collect::<Vec<_>>(),
        });
        if let Some(comparison) = &self.comparison {
            let entries = comparison.iter().map(|cell| {
                json!({
                    "published": cell.published,
                    "expectation": cell.published.expectation(),
                    "ours": cell.ours,
                    "difference": cell.differences(),
                    "agrees": cell.ours.map(|_| cell.agrees_in_all()),
                })
            });
            document["comparison"] = entries.collect();
        }
        document["pairs"] = json!(self.pairs);
        serde_json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)
    }
}

/// A table with a column of this width for each measure at its right.
fn with_measures(table: LineTable, widths: [usize; 3]) -> LineTable {
    let columns = PackingMeasure::ALL.into_iter().zip(widths);
    columns.fold(table, |table, (measure, width)| {
        table.right(measure.name(), width)
    })
}

fn write_comparison(out: &mut impl io::Write, comparison: &[ComparedCell]) -> io::Result<()> {
    let (agreeing, exact) = exact_cells(comparison);
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
        "Ours, and how much it is above the published mean (= if they agree to the printed \
         digit);\nfor random choices the standard error of the difference follows in brackets.\n"
    )?;
    let table = with_measures(LineTable::new(0).left("", 22), [19; 3]);
    writeln!(out, "{}", table.head())?;
    let mut heading = "";
    for cell in comparison {
        let [policy, transforms, evaluation] = cell.published.names();
        if heading != evaluation {
            heading = evaluation;
            writeln!(out, "{heading}")?;
        }
        let [area, streak, alternatives] = PackingMeasure::ALL.map(|of| beside(cell, of));
        let strategy = format!("  {policy}-{transforms}");
        let cells: [&dyn Display; 4] = [&strategy, &area, &streak, &alternatives];
        writeln!(out, "{}", table.line(&cells))?;
    }
    Ok(())
}

/// Our value, with its difference from the published one.
fn beside(cell: &ComparedCell, measure: PackingMeasure) -> String {
    let published = cell.published.value(measure);
    let (Some(ours), Some(difference)) = (cell.ours, cell.difference(measure)) else {
        return format!("- ({published:.2})");
    };
    let shown = |number: Option<f64>| number.unwrap_or_default();
    let mean = shown(ours.means.get(measure).value);
    let (above, error) = (shown(difference.value), shown(difference.error));
    let apart = match (cell.agrees(measure), cell.published.expectation()) {
        (Some(true), Expectation::Exact) => "=".to_owned(),
        (_, Expectation::Sampled) => format!("{above:+.2}({error:.2})"),
        _ => format!("{above:+.2}"),
    };
    format!("{mean:.2} {apart}")
}

/// The names of the columns, separated by spaces, and the rows.
type Rows = (&'static str, Vec<Vec<String>>);

fn decimals(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.4}")).unwrap_or_default()
}

fn strategy_rows(report: &PackingReport<'_>) -> Rows {
    let row = |of: &StrategyPackings| {
        let mut row = of.names.map(str::to_owned).to_vec();
        row.push(of.packings.len().to_string());
        for measure in PackingMeasure::ALL {
            let Estimate { value, error, .. } = of.mean(measure);
            row.extend([value, error].map(decimals));
        }
        row.push(format!("{:.2}", Ours::of(of).time_us));
        row
    };
    (
        "policy transforms evaluation orders area area_error streak streak_error alternatives \
         alternatives_error time_us",
        report.results.rows.iter().map(row).collect(),
    )
}

fn comparison_rows(report: &PackingReport<'_>) -> Rows {
    let row = |cell: &ComparedCell, measure: PackingMeasure| {
        let mut row = cell.published.names().map(str::to_owned).to_vec();
        let expectation = match cell.published.expectation() {
            Expectation::Exact => "exact",
            Expectation::Sampled => "sampled",
            Expectation::Near => "near",
        };
        let difference = cell.difference(measure);
        let agrees = cell.agrees(measure).map(|agrees| agrees.to_string());
        row.extend([
            expectation.to_owned(),
            measure.name().to_owned(),
            decimals(cell.ours.and_then(|ours| ours.means.get(measure).value)),
            format!("{:.2}", cell.published.value(measure)),
            decimals(difference.and_then(|difference| difference.value)),
            decimals(difference.and_then(|difference| difference.error)),
            agrees.unwrap_or_default(),
        ]);
        row
    };
    let cells = report.comparison.iter().flatten();
    (
        "policy transforms evaluation expectation measure ours published difference \
         difference_error agrees",
        cells
            .flat_map(|cell| PackingMeasure::ALL.map(|measure| row(cell, measure)))
            .collect(),
    )
}

fn pair_rows(report: &PackingReport<'_>) -> Rows {
    let row = |pair: &PairedComparison, measure: PackingMeasure| {
        let of = pair.differences.get(measure);
        let names = [&pair.one, &pair.other, measure.name()].map(str::to_owned);
        let numbers = [of.value, of.error, of.low, of.high].map(decimals);
        [&names[..], &numbers].concat()
    };
    (
        "one other measure difference error low high",
        (report.pairs.iter())
            .flat_map(|pair| PackingMeasure::ALL.map(|measure| row(pair, measure)))
            .collect(),
    )
}

fn packing_rows(report: &PackingReport<'_>) -> Rows {
    let row = |order: usize, of: &StrategyPackings, packing: &Packing| {
        let mut row = vec![order.to_string()];
        row.extend(of.names.map(str::to_owned));
        let Packing {
            area,
            streak,
            placed,
            alternatives,
        } = packing;
        row.extend([area, streak, placed, alternatives].map(u32::to_string));
        row
    };
    let PackingResults { orders, rows, .. } = report.results;
    let orders = orders.iter().enumerate();
    (
        "order policy transforms evaluation area streak placed alternatives",
        orders
            .flat_map(|(i, &order)| rows.iter().map(move |of| row(order, of, &of.packings[i])))
            .collect(),
    )
}
