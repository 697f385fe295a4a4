//! Many orders packed with many strategies, in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::util::rng::{Rng, hash_words, stream};
use patchwork_rating::{Estimate, mean_of_clusters};
use rayon::prelude::*;
use serde::Serialize;

use super::mode::Mode;
use super::order::Order;
use super::packing::{Packing, pack};

/// The random stream of a packing.
pub(super) fn stream_of(seed: u64, order: &Order, strategy: &Strategy) -> Rng {
    // The seeds of published results use this form of a strategy's name.
    let [policy, transforms, evaluation] = strategy.names();
    let name = format!("{policy}-{transforms} + {evaluation}");
    stream_of_names(seed, order, &name)
}

/// The random stream of a packing by the strategy with this name.
pub(super) fn stream_of_names(seed: u64, order: &Order, strategy: &str) -> Rng {
    let words: Vec<u64> = strategy.bytes().map(u64::from).collect();
    stream(&[seed, order.index() as u64, hash_words(&words)])
}

/// Packs all orders with all strategies, which are of this mode, on the threads of the current rayon pool. The seed is
/// that of the random evaluation's choices, with order and strategy.
///
/// The packings do not depend on the number of threads; only the times do. `progress` is called after each order and
/// strategy with the number of packings made so far, from any thread.
pub fn pack_all(
    mode: Mode,
    orders: &[Order],
    strategies: &[Strategy],
    seed: u64,
    progress: &(dyn Fn(usize) + Sync),
) -> PackingResults {
    let done = AtomicUsize::new(0);
    let width = strategies.len();
    let made: Vec<(Packing, Duration)> = (0..orders.len() * width)
        .into_par_iter()
        .map_init(Scratch::default, |scratch, i| {
            let (order, strategy) = (&orders[i / width], &strategies[i % width]);
            let mut rng = stream_of(seed, order, strategy);
            let start = Instant::now();
            let packing = pack(mode, order, strategy, &mut rng, scratch, |_| ());
            let time = start.elapsed();
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            (packing, time)
        })
        .collect();
    let rows = strategies.iter().enumerate().map(|(s, &strategy)| {
        let of_strategy = || made.iter().skip(s).step_by(width);
        StrategyPackings {
            names: strategy.names(),
            packings: of_strategy().map(|&(packing, _)| packing).collect(),
            time: of_strategy().map(|&(_, time)| time).sum(),
        }
    });
    PackingResults {
        mode,
        orders: orders.iter().map(Order::index).collect(),
        seed,
        rows: rows.collect(),
    }
}

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct PackingResults {
    /// As described or as published.
    pub mode: Mode,
    /// Positions of the orders in their file or seed.
    pub orders: Vec<usize>,
    /// Seed of the random evaluation's choices.
    pub seed: u64,
    /// One row per strategy, in the order given.
    pub rows: Vec<StrategyPackings>,
}

impl PackingResults {
    /// The row of the strategy with these parts.
    pub fn row(&self, names: [&str; 3]) -> Option<&StrategyPackings> {
        self.rows.iter().find(|row| row.names == names)
    }
}

/// The packings of one strategy.
#[derive(Clone, Debug)]
pub struct StrategyPackings {
    /// Policy, transforms and evaluation.
    pub names: [&'static str; 3],
    /// One packing per order.
    pub packings: Vec<Packing>,
    /// Total time of the packings.
    pub time: Duration,
}

/// A measure of a packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackingMeasure {
    /// Squares covered at the end.
    Area,
    /// Position of the first patch that did not fit.
    Streak,
    /// Alternatives for each patch.
    Alternatives,
}

impl PackingMeasure {
    /// All measures.
    pub const ALL: [Self; 3] = [Self::Area, Self::Streak, Self::Alternatives];

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Streak => "streak",
            Self::Alternatives => "alternatives",
        }
    }
}

/// An estimate for each measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ByMeasure {
    /// Of squares covered at the end.
    pub area: Estimate,
    /// Of the position of the first patch that did not fit.
    pub streak: Estimate,
    /// Of alternatives for each patch that was placed.
    pub alternatives: Estimate,
}

impl ByMeasure {
    /// The value of a function for each measure.
    pub fn new(value: impl Fn(PackingMeasure) -> Estimate) -> Self {
        Self {
            area: value(PackingMeasure::Area),
            streak: value(PackingMeasure::Streak),
            alternatives: value(PackingMeasure::Alternatives),
        }
    }

    /// The value of a measure.
    pub const fn get(&self, measure: PackingMeasure) -> Estimate {
        match measure {
            PackingMeasure::Area => self.area,
            PackingMeasure::Streak => self.streak,
            PackingMeasure::Alternatives => self.alternatives,
        }
    }
}

impl StrategyPackings {
    /// A short title, such as `bl-lb-every + regret`.
    pub fn title(&self) -> String {
        let [policy, transforms, evaluation] = self.names;
        format!("{policy}-{transforms} + {evaluation}")
    }

    /// Mean of a measure: of area and streak over the orders, of alternatives over the patches that
    /// were placed, as in the paper.
    pub fn mean(&self, measure: PackingMeasure) -> Estimate {
        mean(values(&self.packings, measure).into_iter())
    }

    /// Mean time for one order, `None` without orders.
    pub(crate) fn time_per_packing(&self) -> Option<Duration> {
        self.time.checked_div(self.packings.len() as u32)
    }

    /// The paired difference between this strategy and another in a measure.
    ///
    /// # Panics
    /// When the rows come from different orders.
    pub fn above(&self, other: &Self, measure: PackingMeasure) -> Estimate {
        assert_eq!(self.packings.len(), other.packings.len(), "the same orders");
        let pairs = values(&self.packings, measure)
            .into_iter()
            .zip(values(&other.packings, measure));
        mean(pairs.map(|(a, b)| a - b))
    }
}

/// The mean of one value per order.
fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    mean_of_clusters(&values.map(|value| (value, 1.0)).collect::<Vec<_>>())
}

/// One value per order; their mean and deviation are those of the measure.
///
/// The mean number of alternatives is a ratio of two sums. Its values are the terms of the linearised
/// ratio (Cochran, Sampling Techniques, 1977, section 6.3).
fn values(packings: &[Packing], measure: PackingMeasure) -> Vec<f64> {
    let each = packings.iter();
    match measure {
        PackingMeasure::Area => each.map(|p| f64::from(p.area)).collect(),
        PackingMeasure::Streak => each.map(|p| f64::from(p.streak)).collect(),
        PackingMeasure::Alternatives => {
            let sum: f64 = each.clone().map(|p| f64::from(p.alternatives)).sum();
            let placed: f64 = each.clone().map(|p| f64::from(p.placed)).sum();
            let (ratio, mean_placed) = (sum / placed, placed / packings.len() as f64);
            let term = |p: &Packing| f64::from(p.alternatives) - ratio * f64::from(p.placed);
            each.map(|p| ratio + term(p) / mean_placed).collect()
        }
    }
}
