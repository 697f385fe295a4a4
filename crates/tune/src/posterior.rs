//! The objective as it may be, given the results: draws from the model of [`Landscape`](super::landscape), whose weights,
//! length scales and variance are themselves drawn.
//!
//! With a prior probability of 1/3, the weight of a key is 0: the key has no effect. Otherwise, it has the prior of the
//! model. Kernels are drawn by Metropolis' algorithm. Given a kernel, a draw of the objective is a draw before any result
//! plus what its results miss (Matheron's rule; Wilson et al. 2020, *Efficiently sampling functions from Gaussian process
//! posteriors*). A draw before any result is a sum of random products of functions of one key.

use std::collections::BTreeMap;
use std::f64::consts::{SQRT_2, TAU};

use patchwork_engine::util::rng::{Rng, stream};
use rand::RngExt as _;

use super::gaussian::{Factor, dot, log_likelihood};
use super::landscape::{
    CubePlace, Kernel, Landscape, MAX_FOR_WEIGHTS, MEAN_VARIANCE, Prior, alike,
};
use super::space::Point;

/// Number of kernels that are drawn.
const KERNELS: usize = 48;
/// Number of draws of the objective with each kernel.
const DRAWS: usize = 4;
/// Number of sweeps over all keys between two kernels, and before the first.
const SWEEPS: (usize, usize) = (2, 30);
/// The prior of the kernels. Its weights are smaller than those of the fit, and its variance larger: most of the effect of
/// a key is that of its own values, not of their combinations with others.
const PRIOR: Prior = Prior {
    weight: (0.05, 1.5),
    scale: (0.3, 0.7),
    variance: (0.12, 2.0),
};
/// The prior odds that a key has an effect: the user thinks that it may, and a third of the keys of a space have none.
const EFFECTIVE: f64 = 2.0;
/// Number of products in a draw before any result.
const PRODUCTS: usize = 64;

/// Draws of the values of the objective at some points.
pub(crate) fn draws(model: &Landscape, points: &[Point]) -> Vec<Vec<f64>> {
    let [grid, results] = [points, &[]].map(|points| PosteriorGrid::new(model, points));
    let mut rng = stream(&[0x6472_6177]);
    let mut walk = Walk::new(&results);
    for _ in 0..SWEEPS.1 {
        walk.sweep(&mut rng);
    }
    let mut all = Vec::new();
    for _ in 0..KERNELS {
        for _ in 0..SWEEPS.0 {
            walk.sweep(&mut rng);
        }
        all.extend(grid.draws(&walk.kernel, &mut rng));
    }
    all
}

/// For each key and each of its values: the key's factor of the correlation with each result, or a number of each product.
type Factors = Vec<Vec<Vec<f64>>>;

/// The places of results and of points, by the distinct values of each key.
struct PosteriorGrid<'a> {
    model: &'a Landscape,
    /// For each key, its distinct positions.
    values: Vec<Vec<Option<f64>>>,
    /// The places, as indices of the values: first the results', then the distinct ones of the points.
    places: Vec<Vec<usize>>,
    /// Number of results.
    known: usize,
    /// For each point, the index of its place.
    points: Vec<usize>,
}

impl<'a> PosteriorGrid<'a> {
    fn new(model: &'a Landscape, points: &[Point]) -> Self {
        let mut values = vec![Vec::new(); model.space.keys().len()];
        let mut place = |place: &CubePlace| -> Vec<usize> {
            let of_keys = values.iter_mut().zip(place);
            let index = of_keys.map(|(values, value)| {
                let known = values.iter().position(|known| known == value);
                known.unwrap_or_else(|| {
                    values.push(*value);
                    values.len() - 1
                })
            });
            index.collect()
        };
        let mut places: Vec<Vec<usize>> = model.places.iter().map(&mut place).collect();
        let known = places.len();
        let mut index = BTreeMap::new();
        let points = points.iter().map(|point| {
            let at = place(&model.space.to_unit(point));
            *index.entry(at).or_insert_with_key(|at| {
                places.push(at.clone());
                places.len() - 1
            })
        });
        let points = points.collect();
        Self {
            model,
            values,
            places,
            known,
            points,
        }
    }

    /// The factors of a key with the first `count` results.
    fn factors(&self, key: usize, (weight, scale): (f64, f64), count: usize) -> Vec<Vec<f64>> {
        let (values, ordered) = (&self.values[key], self.model.ordered[key]);
        let of_value = |value: &Option<f64>| {
            let known = self.places[..count].iter().map(|place| values[place[key]]);
            let factor = |known| 1.0 + weight * alike(ordered, scale, known, *value);
            known.map(|known| factor(known) / (1.0 + weight)).collect()
        };
        values.iter().map(of_value).collect()
    }

    /// The covariances of a place with the first `count` results.
    fn covariances(
        &self,
        (variance, factors): (f64, &Factors),
        place: &[usize],
        count: usize,
    ) -> Vec<f64> {
        let mut all = products(factors, place, variance, count);
        all.iter_mut()
            .for_each(|covariance| *covariance += MEAN_VARIANCE);
        all
    }

    /// The factor of the covariances of the first `count` results.
    fn factor(&self, variance: f64, factors: &Factors, count: usize) -> Factor {
        let mut factor = Factor::default();
        let results = self.places[..count].iter().zip(&self.model.data);
        for (i, (place, (_, noise))) in results.enumerate() {
            let covariances = self.covariances((variance, factors), place, i);
            factor.push(&covariances, variance + MEAN_VARIANCE + noise);
        }
        factor
    }

    /// The logarithm of the likelihood of the first `count` results, up to a constant.
    fn likelihood(&self, variance: f64, factors: &Factors, count: usize) -> f64 {
        let data = self.model.data[..count].iter();
        let values: Vec<f64> = data.map(|(value, _)| *value).collect();
        log_likelihood(&self.factor(variance, factors, count), &values)
    }

    /// Draws of the objective with a kernel.
    fn draws(&self, kernel: &Kernel, rng: &mut Rng) -> Vec<Vec<f64>> {
        let keys = kernel.keys.iter().enumerate();
        let factors = keys.map(|(key, of)| self.factors(key, *of, self.known));
        let factors: Factors = factors.collect();
        let factor = self.factor(kernel.variance, &factors, self.known);
        let functions = self.functions(kernel, rng);
        let scale = (kernel.variance / PRODUCTS as f64).sqrt();
        let products = |place: &Vec<usize>| products(&functions, place, scale, PRODUCTS);
        let known: Vec<Vec<f64>> = self.places[..self.known].iter().map(products).collect();
        // For each draw: the weights of the products, the mean, and the weights of the covariances.
        let mut draw = |_| {
            let weights: Vec<f64> = (0..PRODUCTS).map(|_| normal(rng)).collect();
            let level = MEAN_VARIANCE.sqrt() * normal(rng);
            let results = known.iter().zip(&self.model.data);
            let missed = results.map(|(known, (value, noise))| {
                value - level - dot(known, &weights) - noise.sqrt() * normal(rng)
            });
            let missed: Vec<f64> = missed.collect();
            let counts = factor.upper_solve(&factor.lower_solve(&missed));
            (weights, level, counts)
        };
        let draws: Vec<(Vec<f64>, f64, Vec<f64>)> = (0..DRAWS).map(&mut draw).collect();
        let values = self.places[self.known..].iter().map(|place| {
            let products = products(place);
            let covariances = self.covariances((kernel.variance, &factors), place, self.known);
            let value = |(weights, level, counts): &(Vec<f64>, f64, Vec<f64>)| {
                level + dot(&products, weights) + dot(&covariances, counts)
            };
            draws.iter().map(value).collect()
        });
        let values: Vec<Vec<f64>> = values.collect();
        let of_points = |draw: usize| {
            let points = self.points.iter();
            points
                .map(|point| values[point - self.known][draw])
                .collect()
        };
        (0..DRAWS).map(of_points).collect()
    }

    /// Random functions of each key at its values, for each value one number of each product. The mean of the product of the
    /// numbers of two values is the key's factor of their correlation.
    fn functions(&self, kernel: &Kernel, rng: &mut Rng) -> Factors {
        let keys = self
            .values
            .iter()
            .zip(&kernel.keys)
            .zip(&self.model.ordered);
        keys.map(|((values, (weight, scale)), ordered)| {
            let mut all = vec![Vec::with_capacity(PRODUCTS); values.len()];
            for _ in 0..PRODUCTS {
                let is_constant = rng.random::<f64>() * (1.0 + weight) >= *weight;
                let (frequency, phase) = (normal(rng) / scale, TAU * rng.random::<f64>());
                for (all, value) in all.iter_mut().zip(values) {
                    all.push(match value {
                        _ if is_constant => 1.0,
                        Some(value) if *ordered => SQRT_2 * libm::cos(frequency * value + phase),
                        _ => normal(rng),
                    });
                }
            }
            all
        })
        .collect()
    }
}

/// For each of `count` numbers, the product of `first` and the numbers of the values of a place.
fn products(of_keys: &Factors, place: &[usize], first: f64, count: usize) -> Vec<f64> {
    let mut all = vec![first; count];
    for (of, value) in of_keys.iter().zip(place) {
        for (product, factor) in all.iter_mut().zip(&of[*value]) {
            *product *= factor;
        }
    }
    all
}

/// A key that has an effect, by the prior.
fn prior_key(rng: &mut Rng) -> (f64, f64) {
    let mut value = |(middle, spread): (f64, f64)| middle * libm::exp(spread * normal(rng));
    (value(PRIOR.weight), value(PRIOR.scale))
}

/// A normal variable with mean 0 and variance 1.
fn normal(rng: &mut Rng) -> f64 {
    let (one, other): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * libm::log(1.0 - one)).sqrt() * libm::cos(TAU * other)
}

/// A walk over kernels whose places are those of the posterior.
struct Walk<'a> {
    grid: &'a PosteriorGrid<'a>,
    kernel: Kernel,
    /// The factors of the results for which kernels are drawn.
    factors: Factors,
    likelihood: f64,
    count: usize,
}

impl<'a> Walk<'a> {
    fn new(grid: &'a PosteriorGrid<'a>) -> Self {
        let kernel = grid.model.kernel.clone();
        let count = grid.known.min(MAX_FOR_WEIGHTS);
        let keys = kernel.keys.iter().enumerate();
        let factors = keys.map(|(key, of)| grid.factors(key, *of, count));
        let factors: Factors = factors.collect();
        Self {
            grid,
            likelihood: grid.likelihood(kernel.variance, &factors, count),
            factors,
            kernel,
            count,
        }
    }

    /// Tries to change every key and the variance once.
    fn sweep(&mut self, rng: &mut Rng) {
        for key in 0..self.kernel.keys.len() {
            let (weight, scale) = self.kernel.keys[key];
            // Whether the key has an effect. Its prior proposes one, so the density of the prior cancels out.
            let (other, odds) = match weight > 0.0 {
                true => ((0.0, scale), 1.0 / EFFECTIVE),
                false => (prior_key(rng), EFFECTIVE),
            };
            let mut kernel = self.kernel.clone();
            kernel.keys[key] = other;
            self.attempt(kernel, libm::log(odds), rng);
            if self.kernel.keys[key].0 > 0.0 {
                let [weight, scale] = [1.0, 0.5].map(|size| libm::exp(size * normal(rng)));
                self.walk(rng, |kernel| {
                    kernel.keys[key].0 *= weight;
                    kernel.keys[key].1 *= scale;
                });
            }
        }
        let more = libm::exp(0.7 * normal(rng));
        self.walk(rng, |kernel| kernel.variance *= more);
        // The effects of single keys depend on the products of their weights and the variance.
        let more = libm::exp(0.7 * normal(rng));
        self.walk(rng, |kernel| {
            kernel.variance *= more;
            let keys = kernel.keys.iter_mut();
            keys.for_each(|(weight, _)| *weight /= more);
        });
    }

    /// A step to a changed kernel from which a step back is as likely.
    fn walk(&mut self, rng: &mut Rng, change: impl FnOnce(&mut Kernel)) {
        let mut kernel = self.kernel.clone();
        change(&mut kernel);
        let [new, old] = [&kernel, &self.kernel].map(|of| of.log_density(&PRIOR));
        self.attempt(kernel, new - old, rng);
    }

    /// Accepts another kernel with the probability of Metropolis' algorithm. `prior` is the logarithm of the ratio of the
    /// prior densities and of the densities of the proposals.
    fn attempt(&mut self, kernel: Kernel, prior: f64, rng: &mut Rng) {
        let mut before = Vec::new();
        for (key, of) in kernel.keys.iter().enumerate() {
            if *of != self.kernel.keys[key] {
                let factors = self.grid.factors(key, *of, self.count);
                before.push((key, std::mem::replace(&mut self.factors[key], factors)));
            }
        }
        let grid = self.grid;
        let likelihood = grid.likelihood(kernel.variance, &self.factors, self.count);
        if libm::log(rng.random::<f64>()) < prior + likelihood - self.likelihood {
            (self.kernel, self.likelihood) = (kernel, likelihood);
        } else {
            for (key, factors) in before {
                self.factors[key] = factors;
            }
        }
    }
}
