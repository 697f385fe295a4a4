//! Reports of the papers' packing experiment: text, CSV and JSON.

use std::io;

use crate::paper::{
    ByMeasure, ComparedCell, Expectation, Mode, Ours, Packing, PackingMeasure, PackingResults,
    StrategyPackings, exact_cells,
};
use patchwork_engine::util::JsonInteger;
use serde::Serialize;
use serde_json::json;

use patchwork_report::document::{
    CsvTable, Document, Place, ReportSection, ReportTable, TableOf, TextForm, Unit, counted,
    write_csv, write_text,
};

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
pub const PACKING_TABLES: [CsvTable; 4] = [STRATEGIES, COMPARISON, PAIRS, PACKINGS];
const STRATEGIES: CsvTable = CsvTable::new("strategies", "One row per strategy");
const COMPARISON: CsvTable =
    CsvTable::new("comparison", "One row per strategy of the published table");
const PAIRS: CsvTable = CsvTable::new(
    "pairs",
    "One row per compared pair of strategies and measure",
);
const PACKINGS: CsvTable = CsvTable::new("packings", "One row per order and strategy");

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

    /// Writes the report as text.
    pub fn write_text(&self, out: impl io::Write, form: TextForm) -> io::Result<()> {
        write_text(out, &self.document(), form)
    }

    /// Writes one of [`PACKING_TABLES`] as CSV.
    ///
    /// # Panics
    /// When it is another table.
    pub fn write_csv(&self, out: impl io::Write, table: CsvTable) -> io::Result<()> {
        let document = self.document();
        let mut tables = document.tables();
        let table = tables.find(|found| found.csv == Some(table));
        write_csv(out, table.expect("the document has all tables"))
    }

    fn document(&self) -> Document<'_> {
        let PackingResults { mode, orders, .. } = self.results;
        let mode = match mode {
            Mode::Described => "as the paper describes it",
            Mode::AsPublished => "as the paper's program did it",
        };
        let count = counted(orders.len() as u64, "order");
        Document {
            title: format!("Packing {mode}"),
            facts: vec![
                format!("{count} ({})", self.orders),
                format!("random choices with seed {}", self.results.seed),
            ],
            nothing: None,
            answers: Vec::new(),
            methods: "",
            sections: vec![
                strategies(&self.results.rows),
                comparison(self.comparison.as_deref().unwrap_or_default()),
                pairs(&self.pairs),
                ReportSection::new("packings", "Packings").table(packings(self.results)),
            ],
        }
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
            "seed": JsonInteger(self.results.seed),
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

fn strategies(rows: &[StrategyPackings]) -> ReportSection<'_> {
    let mut table =
        ReportTable::of(rows)
            .csv(STRATEGIES)
            .column("", "strategy", Unit::Code, |row| row.title());
    table =
        parts(table, |row| row.names).column("orders", "", Unit::Count, |row| row.packings.len());
    for measure in PackingMeasure::ALL {
        let name = measure.name();
        table = table.estimate(name, name, Unit::TwoDecimals, move |row| row.mean(measure));
    }
    let time = |row: &&StrategyPackings| Ours::of(row).time_us;
    let table = table.column("time_us", "us", Unit::TwoDecimals, time);
    ReportSection::new("strategies", "Strategies, with 95% intervals").table(table)
}

/// The published table with our values: in the text, one table for each evaluation.
fn comparison(cells: &[ComparedCell]) -> ReportSection<'_> {
    let mut section = ReportSection::new("comparison", "Beside the published table");
    if cells.is_empty() {
        return section.table(comparison_rows(cells));
    }
    let (agreeing, exact) = exact_cells(cells);
    if exact > 0 {
        section = section.note(format!(
            "{agreeing} of {exact} deterministic strategies agree to the printed digit."
        ));
    }
    section = section.note(
        "Ours, and how much it is above the published mean (= if they agree to the printed digit). For random choices, \
         the 95% interval of the difference follows. Where a strategy was not run, the published mean is \
         in brackets.",
    );
    for part in cells.chunk_by(|a, b| a.published.evaluation == b.published.evaluation) {
        let strategy = |cell: &&ComparedCell| {
            let [policy, transforms, _] = cell.published.names();
            format!("{policy}-{transforms}")
        };
        let table = ReportTable::of(part)
            .title(&part[0].published.evaluation)
            .column("", "strategy", Unit::Code, strategy);
        let table = PackingMeasure::ALL.into_iter().fold(table, |table, of| {
            table.column("", of.name(), Unit::Code, move |cell| beside(cell, of))
        });
        section = section.table(table);
    }
    section.table(comparison_rows(cells))
}

/// Our value, with its difference from the published one.
fn beside(cell: &ComparedCell, measure: PackingMeasure) -> String {
    let published = cell.published.value(measure);
    let (Some(ours), Some(difference)) = (cell.ours, cell.difference(measure)) else {
        return format!("({published:.2})");
    };
    let shown = |number: Option<f64>| number.unwrap_or_default();
    let mean = shown(ours.means.get(measure).value);
    let above = shown(difference.value);
    let apart = match (cell.agrees(measure), cell.published.expectation()) {
        (Some(true), Expectation::Exact) => "=".to_owned(),
        (_, Expectation::Sampled) => format!("{above:+.2}±{:.2}", above - shown(difference.low)),
        _ => format!("{above:+.2}"),
    };
    format!("{mean:.2} {apart}")
}

fn comparison_rows(cells: &[ComparedCell]) -> TableOf<'_, (&ComparedCell, PackingMeasure)> {
    let table = of_measures(cells).csv(COMPARISON).place(Place::Data);
    parts(table, |(cell, _)| cell.published.names())
        .column("expectation", "", Unit::Text, |(cell, _)| {
            match cell.published.expectation() {
                Expectation::Exact => "exact",
                Expectation::Sampled => "sampled",
                Expectation::Near => "near",
            }
        })
        .column("measure", "", Unit::Text, |(_, measure)| measure.name())
        .column("ours", "", Unit::TwoDecimals, |(cell, measure)| {
            cell.ours.and_then(|ours| ours.means.get(*measure).value)
        })
        .column("published", "", Unit::TwoDecimals, |(cell, measure)| {
            cell.published.value(*measure)
        })
        .estimate("difference", "", Unit::TwoDecimals, |(cell, measure)| {
            cell.difference(*measure).unwrap_or_default()
        })
        .column("agrees", "", Unit::Text, |(cell, measure)| {
            let agrees = cell.agrees(*measure);
            agrees.map_or_else(String::new, |agrees| agrees.to_string())
        })
}

/// The differences of pairs: in the text, one table for each pair.
fn pairs(pairs: &[PairedComparison]) -> ReportSection<'_> {
    let title = "Differences on the same orders, with 95% intervals";
    let mut section = ReportSection::new("pairs", title);
    for pair in pairs {
        let table = ReportTable::of(&PackingMeasure::ALL)
            .title(format!("{} minus {}", pair.one, pair.other))
            .column("", "measure", Unit::Text, |measure| measure.name())
            .estimate("", "difference", Unit::ThreeDecimals, move |measure| {
                pair.differences.get(**measure)
            });
        section = section.table(table);
    }
    let rows = of_measures(pairs)
        .csv(PAIRS)
        .place(Place::Data)
        .column("one", "", Unit::Text, |(pair, _)| &*pair.one)
        .column("other", "", Unit::Text, |(pair, _)| &*pair.other)
        .column("measure", "", Unit::Text, |(_, measure)| measure.name())
        .estimate("difference", "", Unit::ThreeDecimals, |(pair, measure)| {
            pair.differences.get(*measure)
        });
    section.table(rows)
}

/// Adds the columns with the parts of a strategy.
fn parts<'a, R: 'a>(
    table: TableOf<'a, R>,
    names: impl Fn(&R) -> [&'a str; 3] + Copy + Send + Sync + 'a,
) -> TableOf<'a, R> {
    let keys = ["policy", "transforms", "evaluation"]
        .into_iter()
        .enumerate();
    keys.fold(table, |table, (i, key)| {
        table.column(key, "", Unit::Text, move |row| names(row)[i])
    })
}

/// A table with a row for each of these and each measure.
fn of_measures<T: Sync>(rows: &[T]) -> TableOf<'_, (&T, PackingMeasure)> {
    let measures = PackingMeasure::ALL;
    TableOf::new(rows.len() * measures.len(), move |i| {
        (&rows[i / measures.len()], measures[i % measures.len()])
    })
}

/// A packing: its order, the names of its strategy and what was measured.
type PackingRow = (usize, [&'static str; 3], Packing);

fn packings(results: &PackingResults) -> TableOf<'_, PackingRow> {
    let PackingResults { orders, rows, .. } = results;
    let row = move |i: usize| {
        let (order, of) = (i / rows.len(), &rows[i % rows.len()]);
        (orders[order], of.names, of.packings[order])
    };
    let table = TableOf::new(orders.len() * rows.len(), row)
        .csv(PACKINGS)
        .place(Place::Data)
        .column("order", "", Unit::Count, |(order, ..)| *order);
    parts(table, |(_, names, _)| *names)
        .column("area", "", Unit::Count, |(.., of)| of.area)
        .column("streak", "", Unit::Count, |(.., of)| of.streak)
        .column("placed", "", Unit::Count, |(.., of)| of.placed)
        .column("alternatives", "", Unit::Count, |(.., of)| of.alternatives)
}
