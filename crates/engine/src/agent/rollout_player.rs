//! A player that picks a patch by a formula and places it by a strategy, used for rollouts and by
//! the greedy agent.

use std::sync::Arc;

use rand::RngExt as _;

use crate::agent::equation1::{GAIN_UNIT, gain, gain_of_advance};
use crate::board::Quilt;
use crate::game::{Action, LAST_SPACE, PATCH_COUNT, PatchId, Placement, Setup, State};
use crate::placement::{Problem, Scratch, Strategy};
use crate::util::rng::{Rng, below};

/// How a patch is picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Picker {
    /// The patch with the greatest gain by the paper's equation 1, if it is at least that of
    /// advancing; ties go to the nearest patch.
    Greedy,
    /// Uniform with this probability, otherwise greedy.
    EpsilonGreedy(f64),
    /// Each patch that can be bought and placed, and advancing, with probability proportional to exp(gain /
    /// temperature), where the gain is in points per space.
    Softmax {
        /// In points per space, above 0.
        temperature: f32,
    },
    /// Each patch that can be bought and placed, and advancing, with the same probability.
    Uniform,
}

/// A fast player: picks a patch by a formula and places it by a strategy.
#[derive(Clone, Debug)]
pub struct RolloutPlayer {
    /// Picks patches.
    picker: Picker,
    /// The weights of a softmax.
    weights: Option<Arc<Weights>>,
    /// Places them.
    pub strategy: Strategy,
    /// Another strategy, used once the mover has reached this space.
    pub late: Option<(u8, Strategy)>,
    /// Whether placements inside the 7x7 area at the board's first corner are preferred to all
    /// others while the bonus is available.
    pub corner: bool,
}

/// The squares outside the 7x7 area at the board's first corner.
const OUTSIDE_CORNER: Quilt = Quilt::column(7)
    .union(Quilt::column(8))
    .union(Quilt::row(7))
    .union(Quilt::row(8));

impl RolloutPlayer {
    /// A player with one strategy for the whole game.
    #[must_use]
    pub fn new(picker: Picker, strategy: Strategy) -> Self {
        Self {
            picker,
            weights: match picker {
                Picker::Softmax { temperature } => Some(Arc::new(weights(temperature))),
                _ => None,
            },
            strategy,
            late: None,
            corner: false,
        }
    }

    /// Chooses an action in an unfinished state, without allocating.
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
            let placement = self.place(state, problem, rng, scratch);
            return placement.map_or(Action::Advance, |p| Action::Special(p.anchor()));
        }
        let mut left = [None; 3];
        for (slot, patch) in left.iter_mut().zip(state.affordable(setup)) {
            *slot = Some(patch);
        }
        let picker = match self.picker {
            Picker::EpsilonGreedy(epsilon) if rng.random_bool(epsilon) => Picker::Uniform,
            Picker::EpsilonGreedy(_) => Picker::Greedy,
            picker => picker,
        };
        // A patch that does not fit is removed and another one is picked.
        loop {
            let picked = match (picker, &self.weights) {
                (Picker::Uniform, _) => uniform(&left, rng),
                (_, Some(weights)) => softmax(&left, state.space(state.mover()), weights, rng),
                (_, None) => most_gain(&left, state.space(state.mover())),
            };
            let Some((slot, patch)) = picked else {
                return Action::Advance;
            };
            if let Some(placement) = self.place_patch(setup, state, patch, rng, scratch) {
                return Action::Buy(patch, placement);
            }
            left[slot] = None;
        }
    }

    /// Places a patch that the mover buys, or returns `None` if it does not fit.
    #[inline]
    pub(crate) fn place_patch(
        &self,
        setup: &Setup,
        state: &State,
        patch: PatchId,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<Placement> {
        self.place(state, Problem::patch(setup, state, patch), rng, scratch)
    }

    #[inline(always)]
    fn place(
        &self,
        state: &State,
        problem: Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<Placement> {
        let strategy = match &self.late {
            Some((from, late)) if state.space(state.mover()) >= *from => late,
            _ => &self.strategy,
        };
        if self.corner && state.bonus().is_none() {
            let inside = problem.avoiding(OUTSIDE_CORNER);
            if let Some(placement) = strategy.choose(&inside, rng, scratch) {
                return Some(placement);
            }
        }
        strategy.choose(&problem, rng, scratch)
    }

    /// Plays a game to its end and returns the final state, without allocating.
    pub fn play_out(
        &self,
        setup: &Setup,
        state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> State {
        self.play_on(setup, state, rng, scratch, u32::MAX, |_, _| ())
    }

    /// Plays at most `most_plies` plies, passing each state and its action to `watch`, and returns
    /// the last state, without allocating.
    #[inline]
    pub(crate) fn play_on(
        &self,
        setup: &Setup,
        mut state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
        most_plies: u32,
        mut watch: impl FnMut(&State, Action),
    ) -> State {
        let mut plies = 0;
        while !state.is_over() && plies < most_plies {
            let action = self.action(setup, &state, rng, scratch);
            watch(&state, action);
            state.play_unchecked(setup, action);
            plies += 1;
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

/// One of the patches or `None` (advancing), each with the same probability.
#[inline]
fn uniform(patches: &[Option<PatchId>; 3], rng: &mut Rng) -> Option<(usize, PatchId)> {
    let count = patches.iter().flatten().count() as u32;
    let rank = below(count + 1, rng) as usize;
    let present = patches.iter().enumerate();
    present
        .filter_map(|(slot, patch)| Some((slot, (*patch)?)))
        .nth(rank)
}

/// The weight of each patch in a softmax, by the space of the mover; that of advancing is 1.
type Weights = [[f32; PATCH_COUNT]; LAST_SPACE as usize];

fn weights(temperature: f32) -> Weights {
    let unit = f32::from(GAIN_UNIT) * temperature;
    let mut weights = [[0.0; PATCH_COUNT]; LAST_SPACE as usize];
    for (space, row) in (0..).zip(&mut weights) {
        for patch in PatchId::all() {
            let gain = f32::from(gain(patch, space) - gain_of_advance());
            row[patch.index()] = libm::expf((gain / unit).clamp(-60.0, 60.0));
        }
    }
    weights
}

/// One of the patches or `None` (advancing), with higher probability for greater gains.
// Other pickers do without it: `action` stays small.
#[inline(never)]
fn softmax(
    patches: &[Option<PatchId>; 3],
    space: u8,
    weights: &Weights,
    rng: &mut Rng,
) -> Option<(usize, PatchId)> {
    let weight = |patch: PatchId| weights[space as usize][patch.index()];
    let weights = patches.map(|patch| patch.map_or(0.0, weight));
    let mut at = rng.random::<f32>() * (1.0 + weights.iter().sum::<f32>());
    for (slot, patch) in patches.iter().enumerate() {
        if at < weights[slot] {
            return patch.map(|patch| (slot, patch));
        }
        at -= weights[slot];
    }
    None
}
