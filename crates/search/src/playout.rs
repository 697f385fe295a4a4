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

/// What a policy takes for the same in playouts.
trait Sameness: Debug + Send {
    /// Where the results of a move are kept, and of the sequences of moves that end with it, the shortest first: each place in the
    /// table with the hash of what has it.
    fn places(
        &self,
        one: PlayoutMove,
        before: &[PlayoutMove],
    ) -> impl Iterator<Item = (usize, u32)>;
}

/// A policy with which the score of a move rises with the mean results of the playouts that had the same.
#[derive(Debug)]
struct MeanResults<S> {
    same: S,
    points: f32,
    scale: f32,
    keep: f32,
    /// The number of results that a sequence of several moves needs.
    least: f32,
    /// The results, each with the hash of what they belong to. Newer ones replace older ones.
    table: Vec<(u32, MoveTally)>,
    /// The playouts, by side.
    all: [MoveTally; 2],
}

impl<S: Sameness> Playout for MeanResults<S> {
    fn weigh(
        &mut self,
        trace: &[PlayoutMove],
        turn: PlayoutTurn,
        options: &mut [PlayoutOption],
        picker: &Picker,
    ) {
        let mean = self.all[turn.side as usize].mean();
        for option in options {
            let kind = option.kind;
            let (mut sum, mut count) = (0.0, 0.0);
            for (place, hash) in self.same.places(PlayoutMove { turn, kind }, trace) {
                let (known, tally) = self.table[place];
                if known == hash && (count == 0.0 || tally.visits >= self.least) {
                    sum += tally.excess(mean);
                    count += 1.0;
                }
            }
            let by = self.points * sum / f32::max(count, 1.0);
            option.worth = picker.raised(option.worth, by);
        }
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        // From 0 to 1.
        let first = if self.scale > 0.0 {
            0.5 + 0.5 * libm::tanhf(result.margin / self.scale)
        } else {
            result.value.seen_by(Side::First) as f32
        };
        let results = [first, 1.0 - first];
        for (tally, result) in self.all.iter_mut().zip(results) {
            tally.add(result);
        }
        for (i, one) in trace.iter().enumerate() {
            for (place, hash) in self.same.places(*one, &trace[..i]) {
                let (known, tally) = &mut self.table[place];
                if *known != hash {
                    (*known, *tally) = (hash, MoveTally::default());
                }
                tally.add(results[one.turn.side as usize]);
            }
        }
    }

    fn keep(&mut self, _: u16) {
        let tallies = self.table.iter_mut().map(|(_, tally)| tally);
        for tally in tallies.chain(&mut self.all) {
            tally.visits *= self.keep;
            tally.sum *= self.keep;
        }
    }

    fn clear(&mut self) {
        self.table.fill(Default::default());
        self.all = Default::default();
    }
}

list_of_parts! {
    type PlayoutPolicy;
    mast: MAST;
    nst: NST;
}
