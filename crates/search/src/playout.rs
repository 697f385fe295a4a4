//! Playout policies: what playouts learn from those before them, and how it changes what they do.

use std::fmt::Debug;

use crate::game::{Side, Value};
use crate::part::{PartInfo, PartKey, list_of_parts};
use crate::pick::{Picker, PlayoutOption};

/// What is learned from the playouts of one tree, for those after them or for a selection rule. Each thread of a search has
/// its own, which learns from the playouts of that thread.
pub trait Playout: Debug + Send {
    /// Changes the worth of the options of a turn, of which there is at least one, before the picker draws one. The trace has
    /// the moves from the root of the tree to here, also those before the playout.
    fn weigh(
        &mut self,
        _trace: &[PlayoutMove],
        _turn: PlayoutTurn,
        _options: &mut [PlayoutOption],
        _picker: &Picker,
    ) {
    }

    /// What a selection rule is told of a move that can be made after the trace: a number of results and their mean.
    fn recall(&mut self, _trace: &[PlayoutMove], _one: PlayoutMove) -> [f32; 2] {
        [0.0; 2]
    }

    /// Learns from a playout that has ended: its moves from the root of the tree on, and its result.
    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult);

    /// A move of this kind was played in the game: what was learned before it counts less.
    fn keep(&mut self, _played: u16) {}

    /// Another game begins: forgets everything.
    fn clear(&mut self);
}

/// Who moves, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutTurn {
    /// The side that moves.
    pub side: Side,
    /// How much of the game is over: 0 at its start, 255 at its end.
    pub progress: u8,
}

/// A move. To a policy, two moves of a side with the same kind are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutMove {
    /// When it was made.
    pub turn: PlayoutTurn,
    /// The kind, below the number of kinds of the game.
    pub kind: u16,
}

/// How a playout has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutResult {
    /// Its value for the search.
    pub value: Value,
    /// The first side's margin in points; 0 in games without points.
    pub margin: f32,
}

/// Makes what learns from the playouts of a tree: from the values of its keys and the number of kinds of moves of the game.
pub type PlayoutBuilder = fn(&[f64], u16) -> Box<dyn Playout>;

/// A playout policy that settings can name.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutPolicy {
    /// Its name and keys.
    pub info: PartInfo,
    /// Makes the policy.
    pub build: PlayoutBuilder,
}

/// What a result is worth to the score of a move.
const POINTS: PartKey = PartKey {
    name: "points",
    about: "By how much a move that always wins has a greater score than one that always loses",
    default: 4.0,
    range: [0.0, 1000.0],
};
const SCALE: PartKey = PartKey {
    name: "scale",
    about: "The margin in points that counts as a clear win; with 0, the values of the search are learned",
    default: 0.0,
    range: [0.0, 1000.0],
};
const KEEP: PartKey = PartKey {
    name: "keep",
    about: "The share of what was learned that is kept when a move is played",
    default: 0.2,
    range: [0.0, 1.0],
};

/// The results of some moves.
#[derive(Clone, Copy, Debug, Default)]
struct MoveTally {
    visits: f32,
    sum: f32,
}

impl MoveTally {
    #[inline(always)]
    fn add(&mut self, result: f32) {
        self.visits += 1.0;
        self.sum += result;
    }

    fn keep(&mut self, share: f32) {
        self.visits *= share;
        self.sum *= share;
    }

    /// The mean result; one half without results.
    fn mean(&self) -> f32 {
        (self.sum + 0.5) / (self.visits + 1.0)
    }

    /// The mean result less that of all moves, which counts as some more results: so few results count little.
    #[inline(always)]
    fn excess(&self, mean: f32) -> f32 {
        /// How many.
        const MORE: f32 = 8.0;
        (self.sum - self.visits * mean) / (self.visits + MORE)
    }
}

impl PlayoutResult {
    /// What is learned: from 0 to 1 for each side.
    #[inline(always)]
    fn lesson(&self, scale: f32) -> [f32; 2] {
        let first = if scale > 0.0 {
            0.5 + 0.5 * libm::tanhf(self.margin / scale)
        } else {
            self.value.seen_by(Side::First) as f32
        };
        [first, 1.0 - first]
    }
}

list_of_parts! {
    type PlayoutPolicy;
    mast: MAST;
    nst: NST;
}
