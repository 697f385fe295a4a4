//! Random candidates: the baseline for other methods.

use patchwork_engine::util::rng::Rng;

use super::{Searcher, View};
use crate::space::Point;

/// Random candidates, all of which enter the race. Successive halving spends few pairs on bad candidates,
/// which makes it the strongest search without a model (Jamieson and Talwalkar 2016).
#[derive(Debug, Default)]
pub(super) struct Random;

impl Searcher for Random {
    fn final_share(&self) -> f64 {
        1.0
    }

    fn finalists_for(&self, pairs: u32) -> usize {
        (pairs as usize / 16).clamp(2, 256)
    }

    fn trusts_model(&self) -> bool {
        false
    }

    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point> {
        view.random_candidates(most, rng)
    }
}
