//! Root allocation: which action of the root gets the next iteration.

use std::fmt;

use crate::choice::ActionTally;
use crate::part::{PartInfo, list_of_parts};

/// A root allocation. Below the root, the selection rule selects.
#[derive(Clone, Copy, Debug)]
pub struct RootAllocation {
    /// Its name and keys.
    pub info: PartInfo,
    /// Changes the priors of the root, which add up to 1, before its first iteration, by random numbers between 0 and 1;
    /// `None` if they stay.
    pub mix: Option<MixPriors>,
    /// What allocates the iterations of one decision with these values of the keys; `None` if the selection rule does.
    pub build: Option<fn(&[f64]) -> Allocator>,
}

/// Changes priors, with the values of the keys and a source of random numbers.
pub type MixPriors = fn(&[f64], &mut [f32], &mut dyn FnMut() -> f64);

/// Allocates the iterations of a decision, whose number is known, to the actions of the root: gives the rank of the action that
/// the next iteration follows, in the order in which actions are tried. The selection rule selects if there is none.
pub type Allocator = Box<dyn FnMut(&RootTally<'_>) -> Option<usize> + Send>;

/// What a search knows of its root.
pub struct RootTally<'a> {
    /// The number of actions.
    pub actions: usize,
    /// The iterations of this decision so far.
    pub done: u32,
    /// All iterations of the decision.
    pub all: u32,
    /// What is known of the action of a rank; `None` if it is proven to lose.
    pub tally: &'a dyn Fn(usize) -> Option<ActionTally>,
}

impl fmt::Debug for RootTally<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tallies = (0..self.actions).map(self.tally);
        f.debug_list().entries(tallies).finish()
    }
}

list_of_parts! {
    type RootAllocation;
    selection: SELECTION;
    halving: HALVING;
    noise: NOISE;
}
