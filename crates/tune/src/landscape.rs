//! A model of the objective over the whole space, with its noise.
//!
//! The objective is a sum of tables: one for every key, every pair of keys, every triple and so on, as in the
//! N-tuple model of Lucas, Liu and Perez-Liebana (2018). Here the entries of the tables are normal variables
//! with mean zero, so rarely seen entries are shrunk towards zero, and entries of neighbouring numbers are
//! correlated. The sum over all subsets of keys then is a Gaussian process with the covariance
//! `v * product over keys of (1 + w k(x, y))` (Duvenaud, Nickisch and Rasmussen 2011), so no table has to be
//! stored. The weight `w` of a key says how much it matters. Weights and length scales maximise the
//! likelihood of the results times a prior.

use super::gaussian::{Factor, dot, log_likelihood};
use super::history::{History, Sums};
use super::space::{Point, Space};

/// A point's place for the covariance: `None` for inactive keys.
pub(super) type CubePlace = Vec<Option<f64>>;

/// The covariance function of the objective.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kernel {
    /// Variance of the objective over the space.
    pub(super) variance: f64,
    /// For each key: its weight, and the length scale of a number.
    pub(super) keys: Vec<(f64, f64)>,
}

/// The correlation of two values of a key by their positions, 0 to 1. Inactive keys are alike.
pub(super) fn alike(ordered: bool, scale: f64, a: Option<f64>, b: Option<f64>) -> f64 {
    match (a, b) {
        (None, None) => 1.0,
        (Some(a), Some(b)) if ordered => {
            let far = (a - b) / scale;
            libm::exp(-0.5 * far * far)
        }
        (Some(a), Some(b)) if (a - b).abs() < 1e-9 => 1.0,
        _ => 0.0,
    }
}

impl Kernel {
    fn start(keys: usize) -> Self {
        Self {
            variance: 0.01,
            keys: vec![(0.5, 0.3); keys],
        }
    }

    /// The product without the variance, divided by its value for equal points.
    fn correlation(&self, ordered: &[bool], a: &CubePlace, b: &CubePlace) -> f64 {
        let mut product = 1.0;
        for (((weight, scale), ordered), (a, b)) in
            self.keys.iter().zip(ordered).zip(a.iter().zip(b))
        {
            product *= (1.0 + weight * alike(*ordered, *scale, *a, *b)) / (1.0 + weight);
        }
        product
    }

    /// The covariance of the results that are expected at two places, whose mean is unknown.
    fn covariance(&self, ordered: &[bool], a: &CubePlace, b: &CubePlace) -> f64 {
        self.variance * self.correlation(ordered, a, b) + MEAN_VARIANCE
    }

    /// The logarithm of the density of a prior, up to a constant.
    pub(super) fn log_density(&self, prior: &Prior) -> f64 {
        let term = |value: f64, (middle, spread): (f64, f64)| {
            let far = libm::log(value / middle) / spread;
            -0.5 * far * far
        };
        // A key without an effect has no other prior.
        let keys = self.keys.iter().filter(|(weight, _)| *weight > 0.0);
        let keys: f64 = keys
            .map(|&(weight, scale)| term(weight, prior.weight) + term(scale, prior.scale))
            .sum();
        keys + term(self.variance, prior.variance)
    }
}

/// A prior of kernels that is normal in logarithms: the middle, and the standard deviation of the logarithm.
pub(super) struct Prior {
    pub(super) weight: (f64, f64),
    pub(super) scale: (f64, f64),
    pub(super) variance: (f64, f64),
}

/// The prior of the fit: weights near 0.5, length scales near 0.3, the standard deviation of the objective near 0.1, all
/// within a factor of a few.
const PRIOR: Prior = Prior {
    weight: (0.5, 1.5),
    scale: (0.3, 0.7),
    variance: (0.01, 2.0),
};

/// The model of the objective, fitted to a history.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    /// Whether each key is ordered.
    pub(super) ordered: Vec<bool>,
    pub(super) space: Space,
    pub(super) kernel: Kernel,
    /// Standard deviation of one paired result.
    noise: f64,
    /// The prior mean.
    mean: f64,
    pub(super) places: Vec<CubePlace>,
    /// The result at each place minus the mean, and its variance.
    pub(super) data: Vec<(f64, f64)>,
    factor: Factor,
    /// The results minus the mean, solved against the factor.
    white: Vec<f64>,
    /// The weight of each result in an expectation: it is multiplied by the covariance.
    counts: Vec<f64>,
    /// Number of places with real results; the rest are assumed ones.
    known: usize,
}

/// The variance of the unknown mean of the objective.
pub(super) const MEAN_VARIANCE: f64 = 0.1 * 0.1;

impl Landscape {
    /// Fits the model with the weights of an earlier one, or fits new weights.
    pub(crate) fn fit(space: &Space, history: &History, weights_of: Option<&Self>) -> Self {
        let candidates = history.candidates();
        let keys = space.keys().iter();
        let ordered: Vec<bool> = keys.map(|key| key.domain.is_ordered()).collect();
        let places = candidates.iter().map(|(point, _)| space.to_unit(point));
        let places: Vec<CubePlace> = places.collect();
        let noise = history.noise();
        let mut all = Sums::default();
        candidates.iter().for_each(|(_, sums)| all.join(sums));
        let mean = all.mean().unwrap_or(0.5);
        let data: Vec<(f64, f64)> = candidates
            .iter()
            .map(|(_, sums)| {
                let pairs = f64::from(sums.pairs.max(1));
                (sums.mean().unwrap_or(mean) - mean, noise * noise / pairs)
            })
            .collect();
        let kernel = weights_of.map_or_else(
            || fit_kernel(&ordered, &places, &data),
            |model| model.kernel.clone(),
        );
        let factor = factor(&kernel, &ordered, &places, &data);
        let values: Vec<f64> = data.iter().map(|(value, _)| *value).collect();
        let white = factor.lower_solve(&values);
        Self {
            ordered,
            space: space.clone(),
            kernel,
            noise,
            mean,
            counts: factor.upper_solve(&white),
            known: places.len(),
            places,
            data,
            factor,
            white,
        }
    }

    fn covariance(&self, a: &CubePlace, b: &CubePlace) -> f64 {
        self.kernel.covariance(&self.ordered, a, b)
    }

    /// The expectation of a quantity and its standard error, given its covariances with the results and its
    /// prior variance.
    fn estimate(&self, covariance: impl Fn(&CubePlace) -> f64, variance: f64) -> (f64, f64) {
        let covariances: Vec<f64> = self.places.iter().map(covariance).collect();
        let solved = self.factor.lower_solve(&covariances);
        let left = (variance - dot(&solved, &solved)).max(0.0);
        (self.mean + dot(&solved, &self.white), left.sqrt())
    }

    /// The expected result of a candidate and the standard error of this expectation.
    pub(crate) fn predict(&self, point: &Point) -> (f64, f64) {
        let place = self.space.to_unit(point);
        self.estimate(
            |known| self.covariance(known, &place),
            self.covariance(&place, &place),
        )
    }

    /// The expected result of a candidate, without its error.
    pub(super) fn expected(&self, point: &Point) -> f64 {
        let place = self.space.to_unit(point);
        let known = self.places[..self.known].iter().zip(&self.counts);
        let parts = known.map(|(known, count)| count * self.covariance(known, &place));
        self.mean + parts.sum::<f64>()
    }

    /// The expected mean of some candidates and its standard error.
    pub(super) fn predict_mean(&self, points: &[Point]) -> (f64, f64) {
        let all = points.iter().map(|point| self.space.to_unit(point));
        let all: Vec<CubePlace> = all.collect();
        let count = all.len().max(1) as f64;
        let with = |known: &CubePlace| {
            let sum: f64 = all.iter().map(|place| self.covariance(known, place)).sum();
            sum / count
        };
        self.estimate(with, all.iter().map(with).sum::<f64>() / count)
    }

    /// Assumes that `pairs` pairs of a candidate give exactly what the model expects, so that the next
    /// candidates of a batch are chosen as if its results were known.
    pub(super) fn believe(&mut self, point: &Point, pairs: u32) {
        let place = self.space.to_unit(point);
        let with = |known: &CubePlace| self.covariance(known, &place);
        let covariances: Vec<f64> = self.places.iter().map(with).collect();
        let own = with(&place);
        let noise = self.noise * self.noise / f64::from(pairs.max(1));
        self.factor.push(&covariances, own + noise);
        self.places.push(place);
        // The whitened surprise of an expected value is zero.
        self.white.push(0.0);
    }

    /// Discards the assumed results.
    pub(super) fn forget(&mut self) {
        self.factor.truncate(self.known);
        self.places.truncate(self.known);
        self.white.truncate(self.known);
    }

    /// The correlation of the expectations of two candidates before any result, 0 to 1.
    pub(super) fn alike(&self, one: &Point, other: &Point) -> f64 {
        let (one, other) = (self.space.to_unit(one), self.space.to_unit(other));
        self.kernel.correlation(&self.ordered, &one, &other)
    }
}

fn factor(kernel: &Kernel, ordered: &[bool], places: &[CubePlace], data: &[(f64, f64)]) -> Factor {
    let mut factor = Factor::default();
    for (i, (place, (_, noise))) in places.iter().zip(data).enumerate() {
        let with = |before| kernel.covariance(ordered, before, place);
        let covariances: Vec<f64> = places[..i].iter().map(with).collect();
        factor.push(&covariances, with(place) + noise);
    }
    factor
}

/// Maximises the posterior density of the kernel by steps along one parameter at a time.
fn fit_kernel(ordered: &[bool], places: &[CubePlace], data: &[(f64, f64)]) -> Kernel {
    let mut kernel = Kernel::start(ordered.len());
    // The first places are the search's initial sample; a few hundred are enough for the weights.
    let n = places.len().min(MAX_FOR_WEIGHTS);
    let (places, data) = (&places[..n], &data[..n]);
    if n < 4 {
        return kernel;
    }
    let values: Vec<f64> = data.iter().map(|(value, _)| *value).collect();
    let density = |kernel: &Kernel| {
        let factor = factor(kernel, ordered, places, data);
        kernel.log_density(&PRIOR) + log_likelihood(&factor, &values)
    };
    let mut best = density(&kernel);
    for factor in [4.0, 2.0, 2.0] {
        let mut improved = false;
        for parameter in 0..=2 * ordered.len() {
            let key = parameter / 2;
            if parameter % 2 == 1 && !ordered[key] {
                continue;
            }
            for factor in [factor, 1.0 / factor] {
                let mut other = kernel.clone();
                match parameter {
                    last if last == 2 * ordered.len() => other.variance *= factor,
                    even if even % 2 == 0 => other.keys[key].0 *= factor,
                    _ => other.keys[key].1 *= factor.sqrt(),
                }
                let value = density(&other);
                if value > best {
                    (kernel, best, improved) = (other, value, true);
                    break;
                }
            }
        }
        if !improved && factor < 3.0 {
            break;
        }
    }
    kernel
}

/// Maximum number of candidates to which the weights are fitted.
pub(super) const MAX_FOR_WEIGHTS: usize = 100;
