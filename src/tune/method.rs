//! What a method of search does.

use std::fmt::Debug;

use super::history::History;
use super::point::Point;
use super::space::{Space, SpaceError};
use crate::util::rng::Rng;

/// What a method may look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) space: &'a Space,
    pub(super) history: &'a History,
    /// The agent's own settings, if the space has a point for them.
    pub(super) start: Option<&'a Point>,
    /// Points that the user gave.
    pub(super) candidates: &'a [Point],
    /// The number of pairs of the whole search, without the final race.
    pub(super) pairs: u32,
    /// The number of candidates of a batch.
    pub(super) batch: u32,
}

impl View<'_> {
    /// The pairs of one trial so that the search has about this many trials.
    pub(super) fn pairs_for(&self, trials: u32) -> u32 {
        (self.pairs / trials.max(1)).max(1)
    }

    /// The start, if there is one, and different random points.
    pub(super) fn random_candidates(&self, most: usize, rng: &mut Rng) -> Vec<Point> {
        let mut all: Vec<Point> = self.start.into_iter().cloned().collect();
        // A small space may have fewer points than are wanted.
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

/// A candidate to be tried on some rings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proposal {
    pub(super) point: Point,
    pub(super) pairs: u32,
}

/// A method of search. Its state depends only on the histories that it was shown, in order.
pub(super) trait Searcher: Debug + Send {
    /// The share of the pairs that the final race gets, unless the user says otherwise.
    fn final_share(&self) -> f64 {
        0.35
    }

    /// The number of candidates of the final race for this many pairs.
    fn finalists_for(&self, pairs: u32) -> usize {
        (pairs as usize / 20).clamp(2, 12)
    }

    /// Whether the race ranks candidates by the model of all results rather than by the race alone.
    fn trusts_model(&self) -> bool {
        true
    }

    /// Checks that the method can search here.
    ///
    /// # Errors
    /// When the method is not for such a space.
    fn check(&self, _view: View<'_>) -> Result<(), SpaceError> {
        Ok(())
    }

    /// The next batch. All its trials are played on the same rings and told before the next batch.
    fn propose(&mut self, view: View<'_>, rng: &mut Rng) -> Vec<Proposal>;

    /// The candidates of the final race, the best first.
    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point>;
}
