//! The move-average sampling technique: Finnsson and Björnsson, "Simulation-based approach to general game playing" (2008).

use super::{KEEP, MoveTally, POINTS, SCALE};
use crate::part::{PartInfo, PartKey};
use crate::pick::{Picker, PlayoutOption};
use crate::playout::{Playout, PlayoutMove, PlayoutPolicy, PlayoutResult, PlayoutTurn};

pub(super) static MAST: PlayoutPolicy = PlayoutPolicy {
    info: PartInfo {
        name: "mast",
        about: "The score of a move rises with the mean result of the playouts in which its side made it (MAST).",
        keys: &[
            POINTS,
            PartKey {
                name: "phases",
                about: "The number of phases of the game in which moves are learned separately",
                default: 1.0,
                range: [1.0, 16.0],
            },
            SCALE,
            KEEP,
        ],
    },
    build: |keys, kinds| {
        let phases = keys[1] as usize;
        Box::new(Mast {
            points: keys[0] as f32,
            phases,
            scale: keys[2] as f32,
            keep: keys[3] as f32,
            kinds: kinds.into(),
            moves: vec![MoveTally::default(); 2 * phases * usize::from(kinds)],
            all: [MoveTally::default(); 2],
        })
    },
};

#[derive(Debug)]
struct Mast {
    points: f32,
    phases: usize,
    scale: f32,
    keep: f32,
    kinds: usize,
    /// By side, phase and kind.
    moves: Vec<MoveTally>,
    /// The playouts, by side.
    all: [MoveTally; 2],
}

impl Mast {
    /// Where the moves of a turn begin.
    #[inline(always)]
    fn row(&self, turn: PlayoutTurn) -> usize {
        let phase = usize::from(turn.progress) * self.phases / 256;
        (turn.side as usize * self.phases + phase) * self.kinds
    }
}

impl Playout for Mast {
    fn weigh(
        &mut self,
        _: &[PlayoutMove],
        turn: PlayoutTurn,
        options: &mut [PlayoutOption],
        picker: &Picker,
    ) {
        let row = &self.moves[self.row(turn)..];
        let mean = self.all[turn.side as usize].mean();
        for option in options {
            let by = self.points * row[usize::from(option.kind)].excess(mean);
            option.worth = picker.raised(option.worth, by);
        }
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        let lesson = result.lesson(self.scale);
        for (tally, result) in self.all.iter_mut().zip(lesson) {
            tally.add(result);
        }
        for one in trace {
            let at = self.row(one.turn) + usize::from(one.kind);
            self.moves[at].add(lesson[one.turn.side as usize]);
        }
    }

    fn keep(&mut self, _: u16) {
        let all = self.moves.iter_mut().chain(&mut self.all);
        all.for_each(|tally| tally.keep(self.keep));
    }

    fn clear(&mut self) {
        self.moves.fill(MoveTally::default());
        self.all.fill(MoveTally::default());
    }
}
