//! A race among given candidates.

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;

use super::{Searcher, View};
use crate::space::Point;

/// No search: the candidates given by the user go straight to the final race.
#[derive(Debug, Default)]
pub(super) struct Race;

impl Searcher for Race {
    fn final_share(&self) -> f64 {
        1.0
    }

    fn finalists_for(&self, _: u32) -> usize {
        usize::MAX
    }

    fn trusts_model(&self) -> bool {
        false
    }

    fn check(&self, view: View<'_>) -> Result<(), InputError> {
        if view.settings.candidates.is_empty() {
            return Err("method = \"race\" needs a list of candidates, and there are none".into());
        }
        Ok(())
    }

    fn finalists(&mut self, view: View<'_>, _: usize, _: &mut Rng) -> Vec<Point> {
        let start = &view.settings.start;
        let others = view.settings.candidates.iter();
        let others = others.filter(|candidate| !start.contains(candidate));
        start.iter().chain(others).cloned().collect()
    }
}
