//! The published Table 1 with our results beside it.

use std::sync::LazyLock;

use patchwork_rating::Estimate;
use serde::{Deserialize, Serialize};

use super::experiment::{ByMeasure, PackingMeasure, PackingResults, StrategyPackings};

/// The table of the paper, with two misprinted cells corrected; see its last column.
const TABLE: &str = include_str!("table1.csv");

/// Number of strategies in the published table.
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
    /// The misprint that was corrected; usually empty.
    pub corrected: String,
}

/// The published table, in its order.
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

/// How closely a published number can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// To the last printed digit.
    Exact,
    /// Within sampling error, because choices are random.
    Sampled,
    /// Approximately: learned weights depend on the order in which a solver's propagators run.
    Near,
}

impl PublishedCell {
    /// The names of policy, choice of transforms and evaluation.
    pub fn names(&self) -> [&str; 3] {
        [&self.policy, &self.transforms, &self.evaluation]
    }

    /// The published value of a measure.
    pub const fn value(&self, measure: PackingMeasure) -> f64 {
        match measure {
            PackingMeasure::Area => self.area,
            PackingMeasure::Streak => self.streak,
            PackingMeasure::Alternatives => self.alternatives,
        }
    }

    /// How closely its numbers can be reproduced.
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
    /// Means over the orders with their standard errors.
    #[serde(flatten)]
    pub means: ByMeasure,
    /// Microseconds for one order.
    pub time_us: f64,
}

impl Ours {
    /// The values of a strategy.
    pub fn of(strategy: &StrategyPackings) -> Self {
        let time = strategy.time_per_packing().unwrap_or_default();
        Self {
            means: ByMeasure::new(|measure| strategy.mean(measure)),
            time_us: time.as_secs_f64() * 1e6,
        }
    }
}

/// A published strategy with our values beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedCell {
    /// The published values.
    pub published: &'static PublishedCell,
    /// Our values, if the strategy was run.
    pub ours: Option<Ours>,
}

impl ComparedCell {
    /// Our values minus the published ones; `None` if the strategy was not run.
    ///
    /// The standard errors are those of two independent runs of as many orders as ours. They matter where
    /// choices are random, and are somewhat too large there, because both runs have the same orders.
    pub fn differences(&self) -> Option<ByMeasure> {
        let ours = self.ours?.means;
        Some(ByMeasure::new(|measure| {
            let Estimate { value, error, .. } = ours.get(measure);
            Estimate {
                value: value.map(|value| value - self.published.value(measure)),
                error: error.map(|error| error * 2f64.sqrt()),
                ..Estimate::default()
            }
        }))
    }

    /// One of [`Self::differences`].
    pub fn difference(&self, measure: PackingMeasure) -> Option<Estimate> {
        Some(self.differences()?.get(measure))
    }

    /// Whether our value agrees with the published one when rounded to two decimals.
    pub fn agrees(&self, measure: PackingMeasure) -> Option<bool> {
        let ours = self.ours?.means.get(measure).value?;
        Some(format!("{ours:.2}") == format!("{:.2}", self.published.value(measure)))
    }

    /// Whether all our values agree with the published ones.
    pub(crate) fn agrees_in_all(&self) -> bool {
        let mut measures = PackingMeasure::ALL.into_iter();
        measures.all(|measure| self.agrees(measure) == Some(true))
    }
}

/// The published table, in its order, each strategy with the values that `ours` gives for its names.
pub fn compared(ours: impl Fn([&str; 3]) -> Option<Ours>) -> Vec<ComparedCell> {
    let cells = published_table().iter().map(|published| ComparedCell {
        published,
        ours: ours(published.names()),
    });
    cells.collect()
}

/// The published table with the results of an experiment.
///
/// Of the conflict-history policies, the published table contains only the sums, which it calls `chb`.
pub fn compared_with(results: &PackingResults) -> Vec<ComparedCell> {
    compared(|[policy, transforms, evaluation]| {
        let policy = if policy == "chb" { "sum-chb" } else { policy };
        results.row([policy, transforms, evaluation]).map(Ours::of)
    })
}

/// Of the cells that were run and should agree to the printed digit, the number that agree in all measures, and their
/// total number.
pub fn exact_cells(cells: &[ComparedCell]) -> (usize, usize) {
    let expected = cells
        .iter()
        .filter(|cell| cell.ours.is_some() && cell.published.expectation() == Expectation::Exact);
    let agreeing = expected.clone().filter(|cell| cell.agrees_in_all());
    (agreeing.count(), expected.count())
}
