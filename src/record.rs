//! A finished game as it is kept: what was played, apart from how long it took.

#[cfg(feature = "arena")]
pub mod check;
pub mod diagram;
pub mod pgn;

use std::borrow::Cow;

use bincode::{Decode, Encode};

use crate::board::Square;
use crate::game::{Action, PatchId, Placement, Player, Ring, Setup, State, Track};

/// Which game of a plan: a pairing of two agents, a pair of games on one setup, a leg of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct GameId {
    /// Index of the pairing in the plan.
    pub pairing: u32,
    /// Index of the pair within the pairing.
    pub pair: u32,
    /// 0, or 1 with the seats swapped.
    pub leg: u8,
}

/// One finished game. With iteration budgets it is the same on any machine, whatever ran it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Record {
    /// Which game of the plan.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices of the plan's list.
    pub agents: [u16; 2],
    /// 0 for the original track, 1 for the revised one.
    track: u8,
    /// The patch numbers of the ring in order.
    ring: [u8; 33],
    /// Every decision in order.
    pub plies: Vec<Ply>,
    /// Points by [`Player::index`].
    pub scores: [i16; 2],
    /// 0 when the first player won, 1 when the second did.
    winner: u8,
    /// Who filled a 7x7 area first: 0 nobody, 1 the first player, 2 the second.
    bonus: u8,
    /// Buttons at the end by [`Player::index`].
    pub buttons: [u16; 2],
    /// Squares covered at the end by [`Player::index`].
    pub covered: [u8; 2],
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Ply {
    /// 0 for the first player, 1 for the second.
    player: u8,
    /// Patch number; 0 for advancing, 255 for a special patch.
    patch: u8,
    /// Index of the orientation; 0 unless a patch is placed.
    orientation: u8,
    /// Row-major index of the first square covered; 0 for advancing.
    anchor: u8,
    /// The token's space before the ply, 0 to 53.
    pub space: u8,
    /// Number of legal actions.
    pub legal: u16,
    /// What the agent tells about it.
    pub thought: Thought,
}

const SPECIAL: u8 = 255;

impl Ply {
    /// The decision `action` in this state.
    #[must_use]
    pub fn new(setup: &Setup, state: &State, action: Action, thought: Thought) -> Self {
        let (patch, orientation, anchor) = match action {
            Action::Advance => (0, 0, 0),
            Action::Buy(patch, placement) => (
                patch.number(),
                placement.orientation(),
                placement.anchor().index() as u8,
            ),
            Action::Special(square) => (SPECIAL, 0, square.index() as u8),
        };
        Self {
            player: state.mover().index() as u8,
            patch,
            orientation,
            anchor,
            space: state.space(state.mover()),
            legal: state.count_actions(setup) as u16,
            thought,
        }
    }

    /// Whose decision it was.
    #[must_use]
    pub const fn player(&self) -> Player {
        if self.player == 0 {
            Player::First
        } else {
            Player::Second
        }
    }

    /// Whether a patch was bought.
    #[must_use]
    pub const fn is_buy(&self) -> bool {
        self.patch != 0 && self.patch != SPECIAL
    }

    /// The patch that was bought, if one was.
    #[must_use]
    pub const fn bought(&self) -> Option<PatchId> {
        PatchId::new(self.patch)
    }

    /// Whether a special patch was placed; such a ply is no turn.
    #[must_use]
    pub const fn is_special(&self) -> bool {
        self.patch == SPECIAL
    }

    /// The action, or `None` when the numbers are none of an action.
    #[must_use]
    pub fn action(&self) -> Option<Action> {
        let square = Square::new(self.anchor)?;
        match self.patch {
            0 => Some(Action::Advance),
            SPECIAL => Some(Action::Special(square)),
            number => {
                let patch = PatchId::new(number)?;
                let placement = Placement::new(patch.patch().shape, self.orientation, square)?;
                Some(Action::Buy(patch, placement))
            }
        }
    }
}

/// What an agent tells about a decision besides the action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Thought {
    /// Search iterations spent, 0 for agents that do not search and for forced plies.
    pub iterations: u32,
    /// What the agent expects for itself, 0 (loss) to 1 (win); none where it has no opinion.
    pub value: Option<f32>,
    /// Whether the agent has proven that it wins (true) or that it loses (false).
    pub proven: Option<bool>,
    /// The tree it searched, if it searched one.
    pub tree: Option<TreeFacts>,
}

/// A search tree at the time of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct TreeFacts {
    /// Positions in the tree.
    pub nodes: u32,
    /// Plies from the root to where an iteration left the tree, on average over the decision's own.
    pub mean_depth: f32,
    /// The most plies of any of those iterations.
    pub max_depth: u16,
    /// Entropy in bits of the share of visits that each action of the root has: 0 when all went to
    /// one action.
    pub entropy: f32,
}

impl Record {
    /// The record of a finished game.
    ///
    /// # Panics
    /// When the state is not over.
    #[must_use]
    pub fn new(id: GameId, agents: [u16; 2], setup: &Setup, plies: Vec<Ply>, end: &State) -> Self {
        let outcome = end.outcome().expect("only finished games are recorded");
        Self {
            id,
            agents,
            track: setup.track() as u8,
            ring: setup.ring().numbers(),
            plies,
            scores: outcome.scores,
            winner: outcome.winner.index() as u8,
            bonus: outcome.bonus.map_or(0, |player| 1 + player.index() as u8),
            buttons: Player::BOTH.map(|player| end.buttons(player)),
            covered: Player::BOTH.map(|player| end.quilt(player).len() as u8),
        }
    }

    /// Track and ring, or `None` when the numbers are none.
    #[must_use]
    pub fn setup(&self) -> Option<Setup> {
        let track = *Track::ALL.get(self.track as usize)?;
        Some(Setup::new(track, Ring::new(&self.ring).ok()?))
    }

    /// The actions in order, or `None` when one of them is none.
    #[must_use]
    pub fn actions(&self) -> Option<Vec<Action>> {
        self.plies.iter().map(Ply::action).collect()
    }

    /// Who won.
    #[must_use]
    pub const fn winner(&self) -> Player {
        if self.winner == 0 {
            Player::First
        } else {
            Player::Second
        }
    }

    /// Who filled a 7x7 area first.
    #[must_use]
    pub const fn bonus(&self) -> Option<Player> {
        match self.bonus {
            0 => None,
            1 => Some(Player::First),
            _ => Some(Player::Second),
        }
    }

    /// The index of the agent that won.
    #[must_use]
    pub const fn winning_agent(&self) -> u16 {
        self.agents[self.winner().index()]
    }
}

/// A record with the measurements that differ from run to run.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Entry {
    /// What was played.
    pub record: Record,
    /// Nanoseconds of each ply, as many as the record has plies.
    pub nanos: Vec<u64>,
}

/// Finished games that are looked at one by one, however they are kept.
pub trait Games: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// Which game the one at `index` is, below [`Self::count`].
    fn id(&self, index: usize) -> GameId;

    /// The game at `index`, below [`Self::count`].
    fn entry(&self, index: usize) -> Cow<'_, Entry>;
}

impl Games for [Entry] {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> GameId {
        self[index].record.id
    }

    fn entry(&self, index: usize) -> Cow<'_, Entry> {
        Cow::Borrowed(&self[index])
    }
}
