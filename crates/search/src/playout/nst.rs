//! The n-gram selection technique: Tak, Winands and Björnsson, "N-grams and the last-good-reply policy applied in general
//! game playing" (2012).

use std::iter::once;

use super::{KEEP, MeanResults, POINTS, SCALE, Sameness};
use crate::part::{PartInfo, PartKey};
use crate::playout::{PlayoutMove, PlayoutPolicy};

pub(super) static NST: PlayoutPolicy = PlayoutPolicy {
    info: PartInfo {
        name: "nst",
        about: "As `mast`, with the mean over sequences of moves: the move, the move after the one before it, and so on \
                (NST). Sequences with few results are left out.",
        keys: &[
            POINTS,
            PartKey {
                name: "length",
                about: "The number of moves of the longest sequence",
                default: 2.0,
                range: [1.0, 4.0],
            },
            PartKey {
                name: "least",
                about: "The number of results that a sequence of several moves needs",
                default: 7.0,
                range: [1.0, 1e6],
            },
            SCALE,
            KEEP,
        ],
    },
    build: |keys, _| {
        Box::new(MeanResults {
            same: SameSequence {
                length: keys[1] as usize,
            },
            points: keys[0] as f32,
            scale: keys[3] as f32,
            keep: keys[4] as f32,
            least: keys[2] as f32,
            table: vec![Default::default(); 1 << TABLE_BITS],
            all: Default::default(),
        })
    },
};

/// The table of this many bits stays in the second cache of a core.
const TABLE_BITS: u32 = 13;

#[derive(Debug)]
struct SameSequence {
    length: usize,
}

impl Sameness for SameSequence {
    #[inline(always)]
    fn places(
        &self,
        one: PlayoutMove,
        before: &[PlayoutMove],
    ) -> impl Iterator<Item = (usize, u32)> {
        let moves = once(one).chain(before.iter().rev().copied());
        let place = |hash: &mut u32, one: PlayoutMove| {
            let code = 2 * u32::from(one.kind) + one.turn.side as u32 + 1;
            *hash = (hash.rotate_left(7) ^ code).wrapping_mul(0x9e37_79b1);
            // A place that was never used has the hash 0.
            let known = *hash | 1;
            Some(((known >> (u32::BITS - TABLE_BITS)) as usize, known))
        };
        moves.take(self.length).scan(0, place)
    }
}
