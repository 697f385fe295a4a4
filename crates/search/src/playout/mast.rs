//! The move-average sampling technique: Finnsson and Björnsson, "Simulation-based approach to general game playing" (2008).

use std::iter::once;

use super::{KEEP, MeanResults, POINTS, SCALE, Sameness};
use crate::part::{PartInfo, PartKey};
use crate::playout::{PlayoutMove, PlayoutPolicy};

pub(super) static MAST: PlayoutPolicy = PlayoutPolicy {
    info: PartInfo {
        name: "mast",
        about: "The score of a move rises with the mean result of the playouts in which its side made it (MAST).",
        keys: &[
            POINTS,
            PartKey {
                name: "phases",
                about: "The number of phases of the game whose moves are told apart",
                default: 1.0,
                range: [1.0, 16.0],
            },
            SCALE,
            KEEP,
        ],
    },
    build: |keys, kinds| {
        let (phases, kinds) = (keys[1] as usize, kinds.into());
        Box::new(MeanResults {
            same: SameMove { phases, kinds },
            points: keys[0] as f32,
            scale: keys[2] as f32,
            keep: keys[3] as f32,
            least: 0.0,
            table: vec![Default::default(); 2 * phases * kinds],
            all: Default::default(),
        })
    },
};

#[derive(Debug)]
struct SameMove {
    phases: usize,
    kinds: usize,
}

impl Sameness for SameMove {
    /// By side, phase and kind: every move has a place of its own.
    #[inline(always)]
    fn places(&self, one: PlayoutMove, _: &[PlayoutMove]) -> impl Iterator<Item = (usize, u32)> {
        let phase = usize::from(one.turn.progress) * self.phases / 256;
        let row = one.turn.side as usize * self.phases + phase;
        once((row * self.kinds + usize::from(one.kind), 0))
    }
}
