//! A player that picks a patch by a formula and places it by a strategy, used for rollouts and by
//! the greedy agent.

use std::sync::Arc;

use rand::RngExt as _;

use crate::agent::evaluation::equation1::{GAIN_UNIT, gain};
use crate::board::Quilt;
use crate::game::{Action, LAST_SPACE, PATCH_COUNT, PatchId, Placement, Setup, State};
use crate::placement::{Problem, Scratch, Strategy};
use crate::search::{Picker, PlayoutOption};
use crate::util::rng::{Rng, below};

/// A fast player: picks a patch by a formula and places it by a strategy.
#[derive(Clone, Debug)]
pub struct RolloutPlayer {
    /// Picks patches, or advancing.
    picker: Picker,
    worths: Arc<Worths>,
    /// Places the patches.
    pub strategy: Strategy,
    /// Another strategy, used once the mover has reached this space.
    pub late: Option<(u8, Strategy)>,
    /// Whether placements inside the 7x7 area at the board's first corner are preferred to all
    /// others while the bonus is available.
    pub corner: bool,
}

/// The kind of advancing; that of buying a patch is its index.
pub(super) const ADVANCE_KIND: u16 = PATCH_COUNT as u16;

/// Takes part in a rollout.
pub(crate) trait Watcher {
    /// Changes the worth of the mover's options.
    #[inline(always)]
    fn weigh(&mut self, _picker: &Picker, _state: &State, _options: &mut [PlayoutOption]) {}

    /// Sees a state and the action there.
    #[inline(always)]
    fn watch(&mut self, _state: &State, _action: Action) {}
}

impl Watcher for () {}

/// The squares outside the 7x7 area at the board's first corner.
const OUTSIDE_CORNER: Quilt = Quilt::column(7)
    .union(Quilt::column(8))
    .union(Quilt::row(7))
    .union(Quilt::row(8));

impl RolloutPlayer {
    /// A player with one strategy for the whole game.
    pub fn new(picker: Picker, strategy: Strategy) -> Self {
        Self {
            picker,
            worths: Arc::new(worths(picker)),
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
        self.action_for(setup, state, rng, scratch, &mut ())
    }

    #[inline(always)]
    fn action_for(
        &self,
        setup: &Setup,
        state: &State,
        rng: &mut Rng,
        scratch: &mut Scratch,
        watcher: &mut impl Watcher,
    ) -> Action {
        if state.specials_waiting() > 0 {
            let problem = Problem::special(setup, state);
            let placement = self.place(state, problem, rng, scratch);
            return placement.map_or(Action::Advance, |p| Action::Special(p.anchor()));
        }
        let picker = &self.picker;
        let row = &self.worths[state.space(state.mover()) as usize];
        // Ties go to the nearest patch, and advancing comes last.
        let mut options = [PlayoutOption {
            kind: ADVANCE_KIND,
            worth: picker.no_gain(),
        }; 4];
        let mut count = 1;
        for (option, patch) in options.iter_mut().zip(state.affordable(setup)) {
            option.kind = patch.index() as u16;
            option.worth = row[patch.index()];
            count += 1;
        }
        let at_random = picker
            .at_random
            .is_some_and(|chance| rng.random_bool(chance));
        // A patch that does not fit is removed and another one is picked.
        loop {
            let picked = if at_random {
                below(count as u32, rng) as usize
            } else {
                let mut weighed = options;
                watcher.weigh(picker, state, &mut weighed[..count]);
                picker.draw(&weighed[..count], || rng.random())
            };
            let Some(patch) = PatchId::new(options[picked].kind as u8 + 1) else {
                return Action::Advance;
            };
            if let Some(placement) = self.place_patch(setup, state, patch, rng, scratch) {
                return Action::Buy(patch, placement);
            }
            options.copy_within(picked + 1.., picked);
            count -= 1;
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
        self.play_on(setup, state, rng, scratch, u32::MAX, &mut ())
    }

    /// Plays at most `most_plies` plies and returns the last state, without allocating.
    // Alone, it has enough registers.
    #[inline(never)]
    pub(crate) fn play_on(
        &self,
        setup: &Setup,
        mut state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
        most_plies: u32,
        watcher: &mut impl Watcher,
    ) -> State {
        let mut plies = 0;
        while !state.is_over() && plies < most_plies {
            let action = self.action_for(setup, &state, rng, scratch, watcher);
            watcher.watch(&state, action);
            state.play_unchecked(setup, action);
            plies += 1;
        }
        state
    }
}

/// What each patch is worth to a pick, by the space of the mover.
type Worths = [[f32; PATCH_COUNT]; LAST_SPACE as usize];

/// The gains are those above advancing.
fn worths(picker: Picker) -> Worths {
    let mut worths = [[0.0; PATCH_COUNT]; LAST_SPACE as usize];
    for (space, row) in (0..).zip(&mut worths) {
        for patch in PatchId::all() {
            let gain = gain(patch, space) - GAIN_UNIT;
            row[patch.index()] = picker.worth(gain.into(), GAIN_UNIT.into());
        }
    }
    worths
}
