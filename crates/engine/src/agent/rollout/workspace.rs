//! What a player draws and computes with during a game.

use rand::RngExt as _;

use super::rankings::Rankings;
use crate::placement::Scratch;
use crate::util::rng::{Rng, stream};

/// The random number stream, the buffers for placements and the rankings of a game.
#[derive(Debug)]
pub(in crate::agent) struct Workspace {
    pub(in crate::agent) rng: Rng,
    pub(in crate::agent) scratch: Scratch,
    pub(in crate::agent) rankings: Rankings,
}

impl Workspace {
    pub(in crate::agent) fn new(rng: Rng) -> Self {
        Self {
            rng,
            scratch: Scratch::default(),
            rankings: Rankings::default(),
        }
    }

    /// As new, for a game on the same setup or on another one. What is known of quilts holds in every game, and
    /// rankings hold in all games on a setup, so they are kept: to release them and find them again takes longer.
    pub(in crate::agent) fn restart(&mut self, rng: Rng, same_setup: bool) {
        self.rng = rng;
        if !same_setup {
            self.rankings = Rankings::default();
        }
    }

    /// Two with independent streams, of which the second continues this one.
    pub(in crate::agent) fn pair(mut rng: Rng) -> [Self; 2] {
        let first = Self::new(stream(&[rng.random()]));
        [first, Self::new(rng)]
    }
}
