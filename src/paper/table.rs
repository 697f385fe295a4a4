//! The published Table 1 with ours beside it.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::experiment::{Measure, Results, Row};

/// The table of the paper, with two misprinted cells corrected; see its last column.
const TABLE: &str = include_str!("table1.csv");

/// Strategies in the published table.
pub const PUBLISHED_CELLS: usize = 119;

/// One strategy of the published table.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PublishedCell {
    /// Name of the policy here; the paper's Size is `largest-domain`.
    pub policy: String,
    /// `some` or `every`.
    pub transforms: String,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Mean number of squares covered.
    pub area: f64,
    /// Mean position of the first patch that did not fit.
    pub streak: f64,
    /// Mean time of a packing in milliseconds, on the author's machine.
    pub time_ms: f64,
    /// Mean number of alternatives for each patch that was placed.
    pub alternatives: f64,
    /// What was misprinted, empty when nothing was.
    pub corrected: String,
}

/// The published table, in its order.
#[must_use]
pub fn published_table() -> &'static [PublishedCell] {
    static CELLS: LazyLock<Vec<PublishedCell>> = LazyLock::new(|| {
        let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
        let cells = reader.deserialize().map(|cell| {
            let mut cell: PublishedCell = cell.expect("the table is part of the program");
            if cell.policy == "size" {
                cell.policy = "largest-domain".to_owned();
            }
            cell
        });
        cells.collect()
    });
    &CELLS
}

/// How far a published number can be expected to come out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// To the printed digit.
    Exact,
    /// Within sampling error, since choices are random.
    Sampled,
    /// Near it: learned weights depend on the order in which a solver's propagators run.
    Near,
}

impl PublishedCell {
    /// The names of policy, choice of transforms and evaluation.
    #[must_use]
    pub fn names(&self) -> [&str; 3] {
        [&self.policy, &self.transforms, &self.evaluation]
    }

    /// The published value of a measure.
    #[must_use]
    pub const fn value(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Area => self.area,
            Measure::Streak => self.streak,
            Measure::Alternatives => self.alternatives,
        }
    }

    /// How far its numbers can be expected to come out again.
    #[must_use]
    pub fn expectation(&self) -> Expectation {
        if ["afc", "action", "chb"].contains(&self.policy.as_str()) {
            Expectation::Near
        } else if self.evaluation == "random" {
            Expectation::Sampled
        } else {
            Expectation::Exact
        }
    }
}

/// Our values of one strategy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ours {
    /// Squares covered.
    pub area: Estimate,
    /// Position of the first patch that did not fit.
    pub streak: Estimate,
    /// Alternatives for each patch that was placed.
    pub alternatives: Estimate,
    /// Microseconds for one order.
    pub time_us: f64,
}

impl Ours {
    /// The values of a row.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        Self {
            area: row.estimate(Measure::Area),
            streak: row.estimate(Measure::Streak),
            alternatives: row.estimate(Measure::Alternatives),
            time_us: row.time_per_packing().unwrap_or_default().as_secs_f64() * 1e6,
        }
    }

    /// The value of a measure.
    #[must_use]
    pub const fn value(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Area => self.area,
            Measure::Streak => self.streak,
            Measure::Alternatives => self.alternatives,
        }
    }
}

/// A published strategy with our values beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// What was published.
    pub published: &'static PublishedCell,
    /// What came out here, if the strategy was run.
    pub ours: Option<Ours>,
}

impl Cell {
    /// Ours less the published value, if there is ours.
    ///
    /// The error is that of two independent runs of as many orders as ours. It matters where choices
    /// are random, and there it is on the large side: the orders of both runs are the same.
    #[must_use]
    pub fn difference(&self, measure: Measure) -> Option<Estimate> {
        let ours = self.ours?.value(measure);
        Some(Estimate {
            mean: ours.mean - self.published.value(measure),
            error: ours.error * 2f64.sqrt(),
        })
    }

    /// Whether our value, printed with the two decimals of the published one, is the same.
    #[must_use]
    pub fn agrees(&self, measure: Measure) -> Option<bool> {
        let ours = self.ours?.value(measure).mean;
        Some(format!("{ours:.2}") == format!("{:.2}", self.published.value(measure)))
    }
}

/// The published table with our values.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    cells: Vec<Cell>,
}

impl Comparison {
    /// The published strategies, each with the values that `ours` gives for its names.
    #[must_use]
    pub fn new(ours: impl Fn([&str; 3]) -> Option<Ours>) -> Self {
        let cells = published_table().iter().map(|published| Cell {
            published,
            ours: ours(published.names()),
        });
        Self {
            cells: cells.collect(),
        }
    }

    /// The comparison with the results of an experiment.
    ///
    /// Of the conflict histories, the published table has the sums only and calls them `chb`.
    #[must_use]
    pub fn of(results: &Results) -> Self {
        Self::new(|[policy, transforms, evaluation]| {
            let policy = if policy == "chb" { "sum-chb" } else { policy };
            results.row([policy, transforms, evaluation]).map(Ours::of)
        })
    }

    /// All cells in the order of the published table.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Of the cells expected to agree to the printed digit and run, how many do in all measures,
    /// and how many there are.
    #[must_use]
    pub fn exact(&self) -> (usize, usize) {
        let expected = self.cells.iter().filter(|cell| {
            cell.ours.is_some() && cell.published.expectation() == Expectation::Exact
        });
        let agreeing = expected.clone().filter(|cell| {
            let measures = Measure::ALL.iter();
            measures
                .map(|&m| cell.agrees(m))
                .all(|agrees| agrees == Some(true))
        });
        (agreeing.count(), expected.count())
    }
}
