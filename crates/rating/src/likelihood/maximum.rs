//! The maximum of the likelihood, by Newton's method.

use std::iter::repeat_n;

use super::super::graph::{self, Seating};
use super::super::logistic::{probability, variance};
use super::super::matrix::{Matrix, dot, fix_means};
use super::{Fit, Likelihood, SeatingCounts};

/// Maximum number of iterations; a penalised maximum converges somewhat more slowly.
const MAX_STEPS: usize = 1000;

/// With more players, the steps of Newton's method are found without a matrix.
const MAX_DENSE: usize = 200;

/// A step is the last one if the objective is expected to grow by less.
const ENOUGH: f64 = 1e-18;

/// The same for many players with the prior, whose steps cost more: ratings change by less than 1e-4 Elo after it.
const ENOUGH_OF_MANY: f64 = 1e-16;

/// Near the maximum, a gain this small is lost in rounding, and full steps are correct.
const SMALL: f64 = 1e-6;

/// A shorter part of a step is not tried.
const SHORTEST: f64 = 1e-9;

impl Likelihood {
    /// The maximum, with its matrices.
    pub(crate) fn fit(&self) -> Option<Fit> {
        if self.players > MAX_DENSE {
            self.fit_many()
        } else {
            self.fit_few()
        }
    }

    /// Newton's method, starting from equal agents; steps are halved until the objective does not
    /// decrease.
    fn fit_few(&self) -> Option<Fit> {
        let mut logits = vec![0.0; self.parameters()];
        let mut value = self.log_likelihood(&logits);
        for _ in 0..MAX_STEPS {
            let (mut gradient, information) = self.derivatives(&logits);
            // The likelihood does not change if all ratings of a group increase together. This
            // fixes the group's mean at 0 and has no other effect.
            let mut fixed = information.clone();
            fix_means(&mut fixed, &self.groups);
            let bread = fixed.inverse()?;
            let step = if self.penalised {
                self.add_penalty(&logits, &bread, &mut gradient, &mut fixed);
                fixed.inverse()?.times(&gradient)
            } else {
                bread.times(&gradient)
            };
            let gain = dot(&step, &gradient);
            if gain < ENOUGH {
                return Some(Fit {
                    logits,
                    information,
                    bread,
                });
            }
            let objective = |logits: &[f64]| self.log_likelihood(logits);
            value = go(&objective, &mut logits, &step, value, gain)?;
        }
        None
    }

    /// The same for many players: each matrix costs the cube of their number. Without the prior, steps need none. With it, the
    /// leverages are kept, as so many drawn games, while Newton's method goes to the maximum that they lead to.
    fn fit_many(&self) -> Option<Fit> {
        let mut logits = vec![0.0; self.parameters()];
        if !self.penalised {
            self.climb(&self.seatings, &mut logits)?;
            return Some(self.fitted(logits)?.0);
        }
        let (mut fit, mut value) = self.fitted(logits)?;
        for _ in 0..MAX_STEPS {
            let with_draws = |counts: &SeatingCounts| SeatingCounts {
                virtual_games: counts.virtual_games
                    + self.leverage(counts, &fit.logits, &fit.bread),
                ..*counts
            };
            let seatings: Vec<SeatingCounts> = self.seatings.iter().map(with_draws).collect();
            let mut ahead = fit.logits.clone();
            let gain = self.climb(&seatings, &mut ahead)?;
            if gain < ENOUGH_OF_MANY {
                // The matrices change as little as the leverages do.
                fit.logits = ahead;
                return Some(fit);
            }
            let both = ahead.iter().zip(&fit.logits);
            let step: Vec<f64> = both.map(|(to, from)| to - from).collect();
            let mut length = 1.0;
            (fit, value) = loop {
                let ahead = fit.logits.iter().zip(&step).map(|(x, dx)| x + length * dx);
                match self.fitted(ahead.collect()) {
                    Some(next) if next.1 > value || gain < SMALL => break next,
                    _ if length < SHORTEST => return None,
                    _ => length /= 2.0,
                }
            };
        }
        None
    }

    /// Goes to the maximum of the likelihood of these games; returns by how much the likelihood was expected to grow at first.
    fn climb(&self, seatings: &[SeatingCounts], logits: &mut Vec<f64>) -> Option<f64> {
        let objective = |logits: &[f64]| self.log_likelihood_of(seatings, logits);
        let (mut value, mut first) = (objective(logits), None);
        for _ in 0..MAX_STEPS {
            let (gradient, step) = self.sparse_step(seatings, logits);
            let gain = dot(&step, &gradient);
            let first = *first.get_or_insert(gain);
            if gain < ENOUGH {
                return Some(first);
            }
            value = go(&objective, logits, &step, value, gain)?;
        }
        None
    }

    /// The fit with these parameters, and the objective.
    fn fitted(&self, logits: Vec<f64>) -> Option<(Fit, f64)> {
        let (_, information) = self.derivatives(&logits);
        let mut fixed = information.clone();
        fix_means(&mut fixed, &self.groups);
        let (bread, log_determinant) = fixed.inverse_and_log_determinant()?;
        let value = self.log_likelihood_of(&self.seatings, &logits) + log_determinant / 2.0;
        let fit = Fit {
            logits,
            information,
            bread,
        };
        Some((fit, value))
    }

    /// The gradient, and the step of Newton's method, by conjugate gradients with the diagonal as preconditioner (Golub and Van
    /// Loan, Matrix Computations, section 11.5): each of them costs a pass over the seatings.
    fn sparse_step(&self, seatings: &[SeatingCounts], logits: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.parameters();
        let (mut gradient, mut diagonal) = (vec![0.0; size], vec![1.0; size]);
        let weigh = |counts: &SeatingCounts| {
            let logit = self.logit(logits, counts.seating);
            let surprise = counts.score() - counts.weight() * probability(logit);
            let weight = counts.weight() * variance(logit);
            for (i, sign) in self.contrast(counts.seating) {
                gradient[i] += sign * surprise;
                diagonal[i] += weight;
            }
            (counts.seating, weight)
        };
        let weights: Vec<(Seating, f64)> = seatings.iter().map(weigh).collect();
        let groups = graph::count(&self.groups);
        let times = |x: &[f64]| {
            let mut sums = vec![0.0; groups];
            self.groups
                .iter()
                .zip(x)
                .for_each(|(&group, x)| sums[group] += x);
            let fixed = self.groups.iter().map(|&group| sums[group]);
            let mut product: Vec<f64> = fixed.chain(repeat_n(0.0, self.seats)).collect();
            for &(seating, weight) in &weights {
                let by = weight * self.logit(x, seating);
                for (i, sign) in self.contrast(seating) {
                    product[i] += sign * by;
                }
            }
            product
        };
        let mut step = vec![0.0; size];
        let mut left = gradient.clone();
        let mut direction: Vec<f64> = left.iter().zip(&diagonal).map(|(x, by)| x / by).collect();
        let mut size_left = dot(&left, &direction);
        let enough = 1e-24 * size_left;
        for _ in 0..10 * size {
            if size_left <= enough {
                break;
            }
            let changed = times(&direction);
            let length = size_left / dot(&direction, &changed);
            for i in 0..size {
                step[i] += length * direction[i];
                left[i] -= length * changed[i];
            }
            let next: Vec<f64> = left.iter().zip(&diagonal).map(|(x, by)| x / by).collect();
            let size_next = dot(&left, &next);
            let kept = size_next / size_left;
            direction
                .iter_mut()
                .zip(next)
                .for_each(|(own, next)| *own = next + kept * *own);
            size_left = size_next;
        }
        (gradient, step)
    }

    /// Adds the gradient of the penalty and approximately its contribution to the curvature. Each
    /// seating receives a number of virtual draws equal to the leverage of its games; their total
    /// is the number of parameters.
    fn add_penalty(
        &self,
        logits: &[f64],
        inverse: &Matrix,
        gradient: &mut [f64],
        curvature: &mut Matrix,
    ) {
        for counts in &self.seatings {
            let logit = self.logit(logits, counts.seating);
            let contrast = self.contrast(counts.seating);
            let leverage = self.leverage(counts, logits, inverse);
            for &(i, sign) in &contrast {
                gradient[i] += sign * leverage * (0.5 - probability(logit));
            }
            curvature.add_outer(leverage * variance(logit), &contrast, &contrast);
        }
    }
}

/// Goes a step, or as much of it as increases the objective; returns the value there.
fn go(
    objective: &dyn Fn(&[f64]) -> f64,
    logits: &mut Vec<f64>,
    step: &[f64],
    value: f64,
    gain: f64,
) -> Option<f64> {
    let mut length = 1.0;
    while length >= SHORTEST {
        let ahead = logits.iter().zip(step).map(|(x, dx)| x + length * dx);
        let next: Vec<f64> = ahead.collect();
        let reached = objective(&next);
        if reached > value || gain < SMALL {
            *logits = next;
            return Some(reached);
        }
        length /= 2.0;
    }
    None
}

#[cfg(test)]
mod tests {
    use patchwork_engine::util::rng::{below, stream};

    use super::super::super::game::{GameScore, RatedGame};
    use super::*;

    #[test]
    fn many_players_are_fitted_as_few_are() {
        let mut rng = stream(&[55]);
        for (perfect, penalised) in [(false, false), (false, true), (true, true)] {
            // Two groups of players who do not meet.
            let games: Vec<RatedGame> = (0..900)
                .map(|cluster| {
                    let [one, other, chance] = [16, 15, 3].map(|end| below(end, &mut rng));
                    let second = (one + 1 + other) % 16;
                    let group = 16 * u32::from(cluster % 3 == 0);
                    let [first, second] = [one, second].map(|player| (group + player) as usize);
                    let score = match chance {
                        _ if perfect && first == 0 => GameScore::Win,
                        _ if perfect && second == 0 => GameScore::Loss,
                        0 => GameScore::Loss,
                        1 => GameScore::Draw,
                        _ => GameScore::Win,
                    };
                    RatedGame {
                        cluster,
                        first,
                        second,
                        score,
                    }
                })
                .collect();
            let mut likelihood = Likelihood::new(games.iter().copied(), 32);
            if penalised {
                likelihood.penalise();
            }
            let few = likelihood.fit_few().expect("a maximum");
            let many = likelihood.fit_many().expect("a maximum");
            for (i, (one, other)) in few.logits.iter().zip(&many.logits).enumerate() {
                assert!((one - other).abs() < 1e-8, "{i}: {one} {other}");
                for j in 0..=i {
                    let [one, other] = [&few.bread, &many.bread].map(|by| by.at(i, j));
                    assert!((one - other).abs() < 1e-7, "{i} {j}: {one} {other}");
                    let [one, other] = [&few, &many].map(|fit| fit.information.at(i, j));
                    assert!((one - other).abs() < 1e-6, "{i} {j}: {one} {other}");
                }
            }
        }
    }
}
