//! What the rollouts of a tree search learn from each other.

use super::player::{ADVANCE_KIND, Watcher};
use super::settings::Rollout;
use crate::game::{Action, LAST_SPACE, State};
use crate::search::{
    Picker, Playout, PlayoutMove, PlayoutOption, PlayoutResult, PlayoutTurn, Selected,
    SelectionRule, Side, Value,
};

/// The kind of placing a special patch.
const SPECIAL_KIND: u16 = ADVANCE_KIND + 1;
/// Sixteen times the progress of a space: 255 at the end.
const PROGRESS: u16 = 16 * 255 / LAST_SPACE as u16 + 1;
/// The number of kinds of moves.
const KINDS: u16 = SPECIAL_KIND + 1;

const NO_MOVE: PlayoutMove = PlayoutMove {
    turn: PlayoutTurn {
        side: Side::First,
        progress: 0,
    },
    kind: 0,
};

/// What learns from rollouts, and the moves of the iteration.
#[derive(Debug)]
pub(in crate::agent) struct Learner {
    /// The policy of rollouts and the memory of the selection rule, if there are both.
    policies: Vec<Box<dyn Playout>>,
    /// From the root of the tree on; a game has at most 111 plies, and an index of 8 bits is always in the array.
    trace: [PlayoutMove; 256],
    len: u8,
    /// How many of them lead to where iterations in a row start.
    above: u8,
}

impl Learner {
    /// That of rollouts with these settings and of a rule, if one of them learns.
    pub(in crate::agent) fn of(rollout: &Rollout, rule: &Selected<SelectionRule>) -> Option<Self> {
        let policy = (rollout.learn).map(|learn| (learn.part().build)(learn.values(), KINDS));
        let memory = (rule.part().memory).map(|build| build(rule.values(), KINDS));
        let policies: Vec<_> = policy.into_iter().chain(memory).collect();
        (!policies.is_empty()).then_some(Self {
            policies,
            trace: [NO_MOVE; 256],
            len: 0,
            above: 0,
        })
    }

    /// Takes note of the path to a leaf, as [`Guidance::follow`](crate::search::Guidance::follow) tells it: states with the kinds of moves.
    pub(in crate::agent) fn follow<'a>(
        &mut self,
        goes_on: bool,
        steps: impl Iterator<Item = (&'a State, u16)>,
    ) {
        self.len = if goes_on { self.above } else { 0 };
        for (state, kind) in steps {
            self.note(state, kind);
        }
        if !goes_on {
            self.above = self.len;
        }
    }

    #[inline(always)]
    fn note(&mut self, state: &State, kind: u16) {
        let turn = turn(state);
        self.trace[usize::from(self.len)] = PlayoutMove { turn, kind };
        self.len += 1;
    }

    /// Learns from the rollout that has ended.
    pub(in crate::agent) fn observe(&mut self, value: Value, margin: f32) {
        let trace = &self.trace[..usize::from(self.len)];
        for one in &mut self.policies {
            one.observe(trace, &PlayoutResult { value, margin });
        }
    }

    /// What the memory recalls of a move at the leaf.
    pub(in crate::agent) fn recall(&mut self, state: &State, kind: u16) -> [f32; 2] {
        let (trace, turn) = (&self.trace[..usize::from(self.len)], turn(state));
        let memory = self.policies.last_mut().expect("at least one");
        memory.recall(trace, PlayoutMove { turn, kind })
    }

    /// Takes note of a move that was played in the game.
    pub(in crate::agent) fn advance(&mut self, kind: u16) {
        self.policies.iter_mut().for_each(|one| one.keep(kind));
    }

    pub(in crate::agent) fn clear(&mut self) {
        self.policies.iter_mut().for_each(|one| one.clear());
    }
}

impl Watcher for Learner {
    const WEIGHS: bool = true;

    #[inline(always)]
    fn weigh(&mut self, picker: &Picker, state: &State, options: &mut [PlayoutOption]) {
        let trace = &self.trace[..usize::from(self.len)];
        for one in &mut self.policies {
            one.weigh(trace, turn(state), options, picker);
        }
    }

    #[inline(always)]
    fn watch(&mut self, state: &State, action: Action) {
        self.note(state, kind_of(action));
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
pub(in crate::agent) fn kind_of(action: Action) -> u16 {
    match action {
        Action::Buy(patch, _) => patch.index() as u16,
        Action::Advance => ADVANCE_KIND,
        Action::Special(_) => SPECIAL_KIND,
    }
}
