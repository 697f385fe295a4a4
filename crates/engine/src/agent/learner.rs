//! What the rollouts of a tree search learn from each other.

use super::rollout::Rollout;
use super::rollout_player::{ADVANCE_KIND, Rolls, TurnOptions, Watcher};
use crate::game::{Action, LAST_SPACE, State};
use crate::search::{Picker, Playout, PlayoutMove, PlayoutResult, PlayoutTurn, Value};
use crate::util::rng::Rng;

/// The kind of placing a special patch.
const SPECIAL_KIND: u16 = ADVANCE_KIND + 1;
/// Sixteen times the progress of a space: 255 at the end.
const PROGRESS: u16 = 16 * 255 / LAST_SPACE as u16 + 1;
/// The number of kinds of moves.
const KINDS: u16 = SPECIAL_KIND + 1;

/// A playout policy, and the moves of the iteration.
#[derive(Debug)]
pub(super) struct Learner {
    policy: Box<dyn Playout>,
    /// From the root of the tree on.
    trace: Vec<PlayoutMove>,
    /// How many of them lead to where iterations in a row start.
    above: usize,
}

impl Learner {
    /// That of rollouts with these settings, if they learn.
    pub(super) fn of(rollout: &Rollout) -> Option<Self> {
        let learn = rollout.learn?;
        Some(Self {
            policy: (learn.part().build)(learn.values(), KINDS),
            trace: Vec::new(),
            above: 0,
        })
    }

    /// Takes note of the path to a leaf, as [`Guidance::follow`](crate::search::Guidance::follow) tells it: states with the kinds of moves.
    pub(super) fn follow<'a>(
        &mut self,
        goes_on: bool,
        steps: impl Iterator<Item = (&'a State, u16)>,
    ) {
        self.trace.truncate(if goes_on { self.above } else { 0 });
        let moves = steps.map(|(state, kind)| PlayoutMove {
            turn: turn(state),
            kind,
        });
        self.trace.extend(moves);
        if !goes_on {
            self.above = self.trace.len();
        }
    }

    /// Learns from the rollout that has ended.
    pub(super) fn observe(&mut self, value: Value, margin: f32) {
        self.policy
            .observe(&self.trace, &PlayoutResult { value, margin });
    }

    /// Takes note of an action that was played in the game.
    pub(super) fn advance(&mut self) {
        self.policy.keep();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.policy.clear();
    }
}

impl Watcher for Learner {
    #[inline(always)]
    fn choose(
        &mut self,
        picker: &Picker,
        state: &State,
        options: &TurnOptions,
        count: usize,
        rng: &mut Rng,
    ) -> usize {
        let mut own = *options;
        let (own, dice) = (&mut own[..count], &mut Rolls(rng));
        self.policy
            .choose(&self.trace, turn(state), own, picker, dice)
    }

    #[inline(always)]
    fn watch(&mut self, state: &State, action: Action) {
        self.trace.push(PlayoutMove {
            turn: turn(state),
            kind: kind_of(action),
        });
    }
}

#[inline(always)]
fn turn(state: &State) -> PlayoutTurn {
    let mover = state.mover();
    PlayoutTurn {
        side: mover.into(),
        progress: ((u16::from(state.space(mover)) * PROGRESS) >> 4) as u8,
    }
}

/// The kind of an action: that of buying a patch does not depend on its placement.
pub(super) fn kind_of(action: Action) -> u16 {
    match action {
        Action::Buy(patch, _) => patch.index() as u16,
        Action::Advance => ADVANCE_KIND,
        Action::Special(_) => SPECIAL_KIND,
    }
}
