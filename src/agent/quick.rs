//! A player that picks a patch by a formula and places it by a strategy, for rollouts and for the
//! greedy agent.

use rand::RngExt as _;

use crate::game::{Action, PatchId, Setup, State, gain, gain_of_advance};
use crate::placement::{Problem, Scratch, Strategy};
use crate::rng::{Rng, below};

/// How a patch is picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Picker {
    /// The greatest gain by the paper's equation 1 that is at least that of advancing; of equal
    /// gains the nearest patch.
    Greedy,
    /// With this probability uniform, else greedy.
    EpsilonGreedy(f64),
    /// Each patch that can be bought and placed, and advancing, with the same probability.
    Uniform,
}

/// A way to pick a patch and a way to place it.
#[derive(Clone, Copy, Debug)]
pub struct QuickPlayer {
    /// Picks patches.
    pub picker: Picker,
    /// Places them.
    pub strategy: Strategy,
}

impl QuickPlayer {
    /// Decides in a state that is not over, without allocating.
    #[inline]
    pub fn action(
        &self,
        setup: &Setup,
        state: &State,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Action {
        if state.specials_waiting() > 0 {
            let problem = Problem::special(setup, state);
            let placement = self.strategy.choose(&problem, rng, scratch);
            return placement.map_or(Action::Advance, |p| Action::Special(p.anchor()));
        }
        let mut left = [None; 3];
        for (slot, patch) in left.iter_mut().zip(state.affordable(setup)) {
            *slot = Some(patch);
        }
        let greedy = match self.picker {
            Picker::Greedy => true,
            Picker::EpsilonGreedy(epsilon) => !rng.random_bool(epsilon),
            Picker::Uniform => false,
        };
        // A patch that does not fit is struck out and the next one is picked.
        loop {
            let picked = if greedy {
                most_gain(&left, state.space(state.mover()))
            } else {
                uniform(&left, rng)
            };
            let Some((slot, patch)) = picked else {
                return Action::Advance;
            };
            let problem = Problem::patch(setup, state, patch);
            if let Some(placement) = self.strategy.choose(&problem, rng, scratch) {
                return Action::Buy(patch, placement);
            }
            left[slot] = None;
        }
    }

    /// Plays a game to its end and gives the last state, without allocating.
    #[inline]
    pub fn play_out(
        &self,
        setup: &Setup,
        mut state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> State {
        while !state.is_over() {
            let action = self.action(setup, &state, rng, scratch);
            state.play_unchecked(setup, action);
        }
        state
    }
}

#[inline]
fn most_gain(patches: &[Option<PatchId>; 3], space: u8) -> Option<(usize, PatchId)> {
    let mut best = None;
    let mut most = gain_of_advance() - 1;
    for (slot, patch) in patches.iter().enumerate() {
        if let Some(patch) = *patch {
            let gain = gain(patch, space);
            if gain > most {
                most = gain;
                best = Some((slot, patch));
            }
        }
    }
    best
}

/// One of the patches or none (advancing), each with the same probability.
#[inline]
fn uniform(patches: &[Option<PatchId>; 3], rng: &mut Rng) -> Option<(usize, PatchId)> {
    let count = patches.iter().flatten().count() as u32;
    let rank = below(count + 1, rng) as usize;
    let present = patches.iter().enumerate();
    present
        .filter_map(|(slot, patch)| Some((slot, (*patch)?)))
        .nth(rank)
}
