//! The interface of a search method.

use std::fmt::Debug;

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;

use super::history::History;
use super::space::{Point, Space};

/// What a method sees of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) space: &'a Space,
    pub(super) history: &'a History,
    /// The base agent's settings, if they are a point of the space.
    pub(super) start: Option<&'a Point>,
    /// The candidates given by the user.
    pub(super) candidates: &'a [Point],
    /// Number of pairs of the whole search, without the final race.
    pub(super) pairs: u32,
    /// Number of candidates per batch.
    pub(super) batch: u32,
}

impl View<'_> {
    /// Number of pairs per trial that gives the search about this many trials.
    pub(super) fn pairs_for(&self, trials: u32) -> u32 {
        (self.pairs / trials.max(1)).max(1)
    }

    /// The start, if there is one, and distinct random points.
    pub(super) fn random_candidates(&self, most: usize, rng: &mut Rng) -> Vec<Point> {
        let mut all: Vec<Point> = self.start.into_iter().cloned().collect();
        // A small space may have fewer points than requested.
        for _ in 0..20 * most {
            if all.len() >= most {
                break;
            }
            let point = self.space.sample(rng);
            if !all.contains(&point) {
                all.push(point);
            }
        }
        all
    }
}

/// A search method. Its state depends only on the histories that it has seen, in order.
pub(super) trait Searcher: Debug + Send {
    /// The share of the pairs for the final race, unless the user sets it.
    fn final_share(&self) -> f64 {
        0.35
    }

    /// Number of candidates in the final race for this many pairs.
    fn finalists_for(&self, pairs: u32) -> usize {
        (pairs as usize / 20).clamp(2, 12)
    }

    /// Whether the final race ranks candidates by the model of all results instead of by the race alone.
    fn trusts_model(&self) -> bool {
        true
    }

    /// Checks that the method can search this space.
    fn check(&self, _view: View<'_>) -> Result<(), InputError> {
        Ok(())
    }

    /// The next batch: candidates, and the number of rings to try each on. All its trials are played on the same rings,
    /// and their results are reported before the next batch.
    fn propose(&mut self, view: View<'_>, rng: &mut Rng) -> Vec<(Point, u32)>;

    /// The candidates of the final race, the best first.
    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point>;
}
