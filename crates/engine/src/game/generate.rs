//! The legal actions of a position: all of them, their number, one by its number, or one at random.

use super::action::{Action, Placement};
use super::patch::PatchId;
use super::setup::Setup;
use super::state::State;
use crate::board::{MAX_ORIENTATIONS, Quilt, Split, Square};
use crate::util::rng::{Rng, below};

/// The legal actions of a position, numbered from 0 in the order of [`State::for_each_action`].
#[derive(Debug)]
pub struct NumberedActions {
    /// The free squares, if a special patch must be placed; otherwise empty.
    special: Quilt,
    /// The anchors of each orientation that fits, with its patch.
    anchors: [(Split, u8, u8); 3 * MAX_ORIENTATIONS],
    fitting: usize,
    count: u32,
}

impl NumberedActions {
    /// The number of legal actions; 0 when the game is over.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The action with this number, if there are that many.
    #[inline]
    #[must_use]
    pub fn action(&self, number: u32) -> Option<Action> {
        if number >= self.count {
            return None;
        }
        if !self.special.is_empty() {
            return Some(Action::Special(Split::new(self.special).nth(number)));
        }
        let Some(mut rank) = number.checked_sub(1) else {
            return Some(Action::Advance);
        };
        for &(anchors, patch, orientation) in &self.anchors[..self.fitting] {
            let count = anchors.len();
            if rank < count {
                let placement = Placement::inside(orientation, anchors.nth(rank));
                return Some(Action::Buy(PatchId::new(patch)?, placement));
            }
            rank -= count;
        }
        None
    }

    /// The number of an action, if it is legal.
    #[inline]
    #[must_use]
    pub fn number(&self, action: Action) -> Option<u32> {
        let rank = |squares: Quilt, square: Square| {
            let before = (1 << square.index()) - 1;
            squares
                .contains(square)
                .then(|| (squares.bits() & before).count_ones())
        };
        match action {
            Action::Special(square) => rank(self.special, square),
            Action::Advance => (self.count > 0 && self.special.is_empty()).then_some(0),
            Action::Buy(bought, placement) => {
                let mut number = 1;
                for &(anchors, patch, orientation) in &self.anchors[..self.fitting] {
                    if patch == bought.number() && orientation == placement.orientation() {
                        return Some(number + rank(anchors.squares(), placement.anchor())?);
                    }
                    number += anchors.len();
                }
                None
            }
        }
    }
}

impl State {
    /// The legal actions by number.
    #[inline]
    #[must_use]
    pub fn numbered_actions(&self, setup: &Setup) -> NumberedActions {
        let mut actions = NumberedActions {
            special: Quilt::EMPTY,
            anchors: [(Split::default(), 0, 0); 3 * MAX_ORIENTATIONS],
            fitting: 0,
            count: 0,
        };
        if self.is_over() {
            return actions;
        }
        if self.specials_waiting() > 0 {
            actions.special = self.quilt(self.mover()).complement();
            actions.count = actions.special.len();
            return actions;
        }
        actions.count = 1;
        let free = self.free_words();
        for patch in self.affordable(setup) {
            for (i, orientation) in patch.patch().shape().orientations().iter().enumerate() {
                let anchors = orientation.anchors_in(free);
                if !anchors.is_empty() {
                    actions.count += anchors.len();
                    actions.anchors[actions.fitting] = (anchors, patch.number(), i as u8);
                    actions.fitting += 1;
                }
            }
        }
        actions
    }

    /// Calls `visit` once with every legal action: advancing, then the patches on offer, nearest first, by
    /// orientation and anchor; or the free squares for a special patch.
    pub fn for_each_action(&self, setup: &Setup, mut visit: impl FnMut(Action)) {
        if self.is_over() {
            return;
        }
        if self.specials_waiting() > 0 {
            let free = self.quilt(self.mover()).complement();
            free.squares().for_each(|s| visit(Action::Special(s)));
            return;
        }
        visit(Action::Advance);
        let free = self.free_words();
        for patch in self.affordable(setup) {
            for placement in Placement::all(patch.patch().shape(), free) {
                visit(Action::Buy(patch, placement));
            }
        }
    }

    /// All legal actions, in the order of [`Self::for_each_action`].
    #[must_use]
    pub fn legal_actions(&self, setup: &Setup) -> Vec<Action> {
        let mut actions = Vec::new();
        self.for_each_action(setup, |action| actions.push(action));
        actions
    }

    /// Number of legal actions.
    #[must_use]
    pub fn count_actions(&self, setup: &Setup) -> u32 {
        if self.is_over() {
            return 0;
        }
        if self.specials_waiting() > 0 {
            return self.quilt(self.mover()).complement().len();
        }
        let free = self.free_words();
        let placements = |patch: PatchId| -> u32 {
            let orientations = patch.patch().shape().orientations();
            orientations.iter().map(|o| o.anchors_in(free).len()).sum()
        };
        1 + self.affordable(setup).map(placements).sum::<u32>()
    }

    /// A uniformly random legal action.
    ///
    /// # Panics
    /// When the game is over.
    pub fn random_action(&self, setup: &Setup, rng: &mut Rng) -> Action {
        let actions = self.numbered_actions(setup);
        let number = match actions.count {
            0 => panic!("a finished game has no actions"),
            // Where advancing is all there is, nothing is drawn.
            1 if actions.special.is_empty() => 0,
            count if actions.special.is_empty() => (below(count, rng) + 1) % count,
            count => below(count, rng),
        };
        actions.action(number).expect("there are that many actions")
    }
}
