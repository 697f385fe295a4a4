//! The n-gram selection technique: Tak, Winands and Björnsson, "N-grams and the last-good-reply policy applied in general
//! game playing" (2012).

use super::{KEEP, MoveTally, POINTS, SCALE};
use crate::part::{PartInfo, PartKey};
use crate::pick::{Picker, PlayoutOption};
use crate::playout::{Playout, PlayoutMove, PlayoutPolicy, PlayoutResult, PlayoutTurn};

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
        Box::new(Nst {
            points: keys[0] as f32,
            length: keys[1] as usize,
            least: keys[2] as f32,
            scale: keys[3] as f32,
            keep: keys[4] as f32,
            grams: vec![(0, MoveTally::default()); 1 << GRAM_BITS],
            all: [MoveTally::default(); 2],
        })
    },
};

/// The table of this many bits stays in the second cache of a core. Newer sequences replace older ones.
const GRAM_BITS: u32 = 13;

#[derive(Debug)]
struct Nst {
    points: f32,
    length: usize,
    least: f32,
    scale: f32,
    keep: f32,
    /// Sequences, each with its hash.
    grams: Vec<(u32, MoveTally)>,
    /// The playouts, by side.
    all: [MoveTally; 2],
}

/// The hashes of the sequences that end with a move after the others, the shortest first.
#[inline(always)]
fn hashes(last: PlayoutMove, before: &[PlayoutMove], length: usize) -> impl Iterator<Item = u32> {
    let moves = std::iter::once(last).chain(before.iter().rev().copied());
    let hash = |hash: &mut u32, one: PlayoutMove| {
        let code = 2 * u32::from(one.kind) + one.turn.side as u32 + 1;
        *hash = (hash.rotate_left(7) ^ code).wrapping_mul(0x9e37_79b1);
        // A place that was never used has the hash 0.
        Some(*hash | 1)
    };
    moves.take(length).scan(0, hash)
}

/// The place of a sequence.
#[inline(always)]
const fn place(hash: u32) -> usize {
    (hash >> (u32::BITS - GRAM_BITS)) as usize
}

impl Playout for Nst {
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
            for hash in hashes(PlayoutMove { turn, kind }, trace, self.length) {
                let (known, tally) = self.grams[place(hash)];
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
        let lesson = result.lesson(self.scale);
        for (tally, result) in self.all.iter_mut().zip(lesson) {
            tally.add(result);
        }
        for (i, one) in trace.iter().enumerate() {
            for hash in hashes(*one, &trace[..i], self.length) {
                let (known, tally) = &mut self.grams[place(hash)];
                if *known != hash {
                    (*known, *tally) = (hash, MoveTally::default());
                }
                tally.add(lesson[one.turn.side as usize]);
            }
        }
    }

    fn keep(&mut self, _: u16) {
        let grams = self.grams.iter_mut().map(|(_, tally)| tally);
        grams
            .chain(&mut self.all)
            .for_each(|tally| tally.keep(self.keep));
    }

    fn clear(&mut self) {
        self.grams.fill((0, MoveTally::default()));
        self.all.fill(MoveTally::default());
    }
}
