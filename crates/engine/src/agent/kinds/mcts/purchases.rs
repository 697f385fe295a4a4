//! What players have bought in an iteration, for RAVE.

use super::position::Step;
use super::settings::Over;
use crate::agent::rollout::learner::Learner;
use crate::agent::rollout::player::Watcher;
use crate::game::{Action, PATCH_COUNT, Placement, Player, State};
use crate::search::{MoveSet, Picker, PlayoutOption, Side};

/// The purchases of each player in an iteration and their placements, for RAVE.
#[derive(Clone, Debug)]
pub(super) struct Purchases {
    over: Over,
    /// By player and patch. The inner `None` means that the patch was only picked.
    bought: [[Option<Option<Placement>>; PATCH_COUNT]; 2],
}

impl Purchases {
    pub(super) const fn new(over: Over) -> Self {
        Self {
            over,
            bought: [[None; PATCH_COUNT]; 2],
        }
    }
}

impl MoveSet<Step> for Purchases {
    fn clear(&mut self) {
        *self = Self::new(self.over);
    }

    fn insert(&mut self, side: Side, step: Step) {
        let bought = &mut self.bought[Player::from(side).index()];
        match step {
            Step::Play(Action::Buy(patch, placement)) => {
                bought[patch.index()] = Some(Some(placement));
            }
            Step::Pick(patch) => {
                let _ = bought[patch.index()].get_or_insert(None);
            }
            Step::Play(_) => {}
        }
    }

    fn contains(&self, side: Side, step: Step) -> bool {
        let bought = &self.bought[Player::from(side).index()];
        match (step, self.over) {
            (Step::Play(Action::Buy(patch, placement)), Over::Placements) => {
                bought[patch.index()] == Some(Some(placement))
            }
            (Step::Pick(patch) | Step::Play(Action::Buy(patch, _)), _) => {
                bought[patch.index()].is_some()
            }
            (Step::Play(_), _) => false,
        }
    }
}

/// Who takes part in a rollout with RAVE.
pub(super) struct Watchers<'a> {
    pub(super) learner: Option<&'a mut Learner>,
    pub(super) purchases: &'a mut Purchases,
}

impl Watcher for Watchers<'_> {
    const WEIGHS: bool = true;

    fn weigh(&mut self, picker: &Picker, state: &State, options: &mut [PlayoutOption]) {
        if let Some(learner) = &mut self.learner {
            learner.weigh(picker, state, options);
        }
    }

    fn watch(&mut self, state: &State, action: Action) {
        if let Some(learner) = &mut self.learner {
            learner.watch(state, action);
        }
        (self.purchases).insert(state.mover().into(), Step::Play(action));
    }
}
