//! Simultaneous perturbation stochastic approximation.

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;
use rand::RngExt as _;

use super::{Searcher, View};
use crate::space::Point;

/// A gradient ascent over the numeric keys, in the unit cube: every iteration plays the point moved by a
/// random sign in every key at once, and the point moved the other way, on the same rings, and steps towards
/// the better one. Choices keep their starting values.
///
/// Schedules and gains are those of fishtest, the test framework of Stockfish:
/// `c_k = c k^-0.101` and `a_k = a (A + k)^-0.602` with A a tenth of the iterations, a final `c` of a
/// twentieth of the range, and a final gain of `0.002 c^2` per won game. That gain is meant for tens
/// of thousands of games; it grows as the number of games falls, so that a search can go as far.
#[derive(Debug, Default)]
pub(super) struct Spsa {
    at: Vec<f64>,
    /// The signs of each perturbation whose results are not in yet.
    signs: Vec<Vec<f64>>,
    /// Number of trials of the history already used.
    seen: usize,
    iteration: u32,
    /// Sum of the points of the second half, and their number.
    late: (Vec<f64>, u32),
}

/// The final perturbation in the unit cube.
const PERTURBATION: f64 = 0.05;
/// The final gain relative to the square of the perturbation, for [`PAIRS_OF_GAIN`] pairs.
const GAIN: f64 = 0.002;
/// The usual length of a tuning run on fishtest: 30,000 pairs of games.
const PAIRS_OF_GAIN: f64 = 30_000.0;

impl Spsa {
    fn iterations(view: View<'_>) -> u32 {
        let perturbations = (view.settings.batch / 2).max(1);
        let batches = view.pairs / (2 * perturbations * Self::pairs(view));
        (batches * perturbations).max(1)
    }

    fn pairs(view: View<'_>) -> u32 {
        view.pairs_for(400)
    }

    fn begin(&mut self, view: View<'_>) {
        if self.at.is_empty() {
            let start = view.settings.start.first().cloned();
            let start = start.unwrap_or_else(|| view.space.middle());
            let places = view.space.to_unit(&start).into_iter();
            self.at = places.map(|place| place.unwrap_or(0.5)).collect();
            self.late.0 = vec![0.0; self.at.len()];
        }
    }

    /// The perturbation in an iteration, counting from 1.
    fn c(view: View<'_>, iteration: u32) -> f64 {
        let all = f64::from(Self::iterations(view));
        PERTURBATION * libm::pow(all / f64::from(iteration), 0.101)
    }

    /// Steps by the results that are in.
    fn learn(&mut self, view: View<'_>) {
        let all = f64::from(Self::iterations(view));
        let told = &view.history.tried()[self.seen..];
        let scale = PAIRS_OF_GAIN / f64::from(view.pairs.max(1));
        for (signs, both) in std::mem::take(&mut self.signs).iter().zip(told.chunks(2)) {
            let [(_, plus), (_, minus)] = both else {
                break;
            };
            self.iteration += 1;
            let k = f64::from(self.iteration);
            let c = Self::c(view, self.iteration);
            let a_end = GAIN * scale * PERTURBATION * PERTURBATION;
            let a = a_end * libm::pow((0.1 * all + all) / (0.1 * all + k), 0.602);
            let results = plus.iter().zip(minus);
            // A paired result of 1 against 0 means two more games won.
            let won: f64 = results.map(|(plus, minus)| 2.0 * (plus - minus)).sum();
            for (place, sign) in self.at.iter_mut().zip(signs) {
                *place = (*place + a / c * won * sign).clamp(0.0, 1.0);
            }
            if 2.0 * k > all {
                let sums = self.late.0.iter_mut().zip(&self.at);
                sums.for_each(|(sum, place)| *sum += place);
                self.late.1 += 1;
            }
        }
        self.seen = view.history.tried().len();
    }
}

impl Searcher for Spsa {
    fn check(&self, view: View<'_>) -> Result<(), InputError> {
        if view.space.keys().iter().any(|key| key.domain.is_ordered()) {
            return Ok(());
        }
        Err("method = \"spsa\" needs a key with a range of numbers, and there is none".into())
    }

    fn final_share(&self) -> f64 {
        0.1
    }

    fn propose(&mut self, view: View<'_>, rng: &mut Rng) -> Vec<(Point, u32)> {
        self.begin(view);
        self.learn(view);
        let pairs = Self::pairs(view);
        let mut proposals = Vec::new();
        for i in 0..(view.settings.batch / 2).max(1) {
            let c = Self::c(view, self.iteration + 1 + i);
            let keys = view.space.keys().iter();
            let signs: Vec<f64> = keys
                .map(|key| match key.domain.is_ordered() {
                    true if rng.random::<bool>() => 1.0,
                    true => -1.0,
                    false => 0.0,
                })
                .collect();
            for side in [c, -c] {
                let moved = self.at.iter().zip(&signs);
                let moved: Vec<f64> = moved
                    .map(|(place, sign)| (place + side * sign).clamp(0.0, 1.0))
                    .collect();
                proposals.push((view.space.at_unit(&moved), pairs));
            }
            self.signs.push(signs);
        }
        proposals
    }

    fn finalists(&mut self, view: View<'_>, most: usize, _: &mut Rng) -> Vec<Point> {
        self.begin(view);
        self.learn(view);
        let (sum, count) = &self.late;
        let average: Vec<f64> = match count {
            0 => self.at.clone(),
            count => sum.iter().map(|sum| sum / f64::from(*count)).collect(),
        };
        let mut all = vec![view.space.at_unit(&average), view.space.at_unit(&self.at)];
        all.extend(view.settings.start.first().cloned());
        all.dedup();
        all.truncate(most.max(1));
        all
    }
}
