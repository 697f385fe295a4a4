//! Optional data beside a record.

use bincode::{Decode, Encode};

use crate::game::Action;

/// Optional data of a game, kept if a tournament asks for it. None of it affects the play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The actions that the agents considered.
    pub considered: ConsideredActions,
    /// The actions that bots expected.
    pub expected: ExpectedLines,
    /// The standard error of programs during the game, by [`Player::index`]: only its end if it was long,
    /// followed by the failure of the program, if any.
    ///
    /// [`Player::index`]: crate::game::Player::index
    pub stderr: [String; 2],
    /// Whether only the setup, the moves and the result were kept of it: its thoughts and times are empty.
    pub moves_only: bool,
    /// Whether the process did not run for a while during the game, although a clock ran; it was played again before, as
    /// often as games are.
    pub interrupted: bool,
}

/// An action that an agent considered in a decision.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct ConsideredAction {
    /// The action.
    pub action: Action,
    /// Iterations that went through it.
    pub visits: u32,
    /// The agent's estimate of its own result after it, 0 (loss) to 1 (win).
    pub value: f32,
}

impl ConsideredAction {
    /// An action with its visits and the estimate of the mover's chance to win.
    pub fn new(action: Action, visits: u32, value: f32) -> Self {
        Self {
            action,
            visits,
            value,
        }
    }
}

/// The actions considered in each decision of a game, starting with the one played; empty for a ply that was
/// not searched, and everywhere if they were not recorded.
pub type ConsideredActions = PlyLists<ConsideredAction, 10>;

/// The line that a bot expected at each decision, starting with its own action; empty for other agents.
pub type ExpectedLines = PlyLists<Action, 20>;

/// A list for each ply of a game, of at most `MOST` elements.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PlyLists<T, const MOST: usize> {
    /// The number of elements of each ply.
    counts: Vec<u8>,
    /// The elements of all plies in order.
    actions: Vec<T>,
}

impl<T, const MOST: usize> Default for PlyLists<T, MOST> {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            actions: Vec::new(),
        }
    }
}

impl<T: Copy, const MOST: usize> PlyLists<T, MOST> {
    /// Maximum number of elements per ply.
    pub const MOST: usize = MOST;

    /// Appends a ply with the first [`Self::MOST`] of these elements; there may be none.
    pub fn push(&mut self, actions: &[T]) {
        let actions = &actions[..actions.len().min(Self::MOST)];
        self.counts.push(actions.len() as u8);
        // There are none in most games.
        if !actions.is_empty() {
            self.actions.extend_from_slice(actions);
        }
    }

    /// Whether all lists are empty.
    pub const fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The list of each ply.
    pub fn plies(&self) -> impl Iterator<Item = &[T]> {
        let mut rest = &self.actions[..];
        self.counts.iter().map(move |&count| {
            let (actions, later) = rest.split_at(count.into());
            rest = later;
            actions
        })
    }

    /// Checks decoded numbers: a count for each of `plies` decisions, and as many actions as the counts
    /// require.
    pub fn check(&self, plies: usize) -> Result<(), String> {
        if self.counts.len() != plies {
            let counts = self.counts.len();
            return Err(format!("it is of {counts} plies, the game has {plies}"));
        }
        let sum: usize = self.counts.iter().map(|&count| usize::from(count)).sum();
        if sum != self.actions.len() {
            let found = self.actions.len();
            return Err(format!("expected {sum} actions, found {found}"));
        }
        match self.counts.iter().max() {
            Some(&most) if usize::from(most) > Self::MOST => {
                Err(format!("a ply has {most} actions, at most {}", Self::MOST))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advance(visits: u32) -> ConsideredAction {
        ConsideredAction::new(Action::Advance, visits, 0.5)
    }

    #[test]
    fn plies_come_back_as_they_were_pushed() {
        let plies = [vec![advance(3), advance(1)], vec![], vec![advance(9)]];
        let mut considered = ConsideredActions::default();
        assert!(considered.is_empty() && considered.plies().next().is_none());
        for ply in &plies {
            considered.push(ply);
        }
        assert!(considered.plies().eq(plies.iter().map(Vec::as_slice)));
        assert_eq!(considered.check(3), Ok(()));
        considered.push(&[advance(1); 12]);
        assert_eq!(considered.plies().last().map(<[_]>::len), Some(10));
    }

    #[test]
    fn numbers_that_do_not_agree_are_refused() {
        let of = |counts: &[u8], actions| ConsideredActions {
            counts: counts.to_vec(),
            actions: vec![advance(1); actions],
        };
        let refused = |counts: &[u8], actions| of(counts, actions).check(2).unwrap_err();
        assert_eq!(refused(&[1], 1), "it is of 1 plies, the game has 2");
        assert_eq!(refused(&[1, 2], 2), "expected 3 actions, found 2");
        assert_eq!(refused(&[11, 0], 11), "a ply has 11 actions, at most 10");
    }
}
