//! What the statistics need of one game, counted once.

use crate::game::Player;
use crate::record::Entry;

/// Spaces of the track that make up a phase: the mover's space before the ply.
pub(super) const PHASE_STARTS: [u8; 3] = [0, 18, 36];

/// A number of plies and the sum of something over them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) total: u64,
}

impl Sum {
    pub(super) fn add(&mut self, value: u64) {
        self.count += 1;
        self.total += value;
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.total += other.total;
    }

    pub(super) fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.total as f64 / self.count as f64)
    }
}

/// How long an agent took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// Microseconds of the plies with a choice.
    pub(super) moves: Sum,
    /// Microseconds of the plies that searched.
    pub(super) searches: Sum,
    /// Iterations of those.
    pub(super) iterations: u64,
}

impl Effort {
    pub(super) fn merge(&mut self, other: Self) {
        self.moves.merge(other.moves);
        self.searches.merge(other.searches);
        self.iterations += other.iterations;
    }

    pub(super) fn seconds_per_move(self) -> Option<f64> {
        self.moves.mean().map(|nanos| nanos / 1e9)
    }

    pub(super) fn iterations_per_s(self) -> Option<f64> {
        let seconds = self.searches.total as f64 / 1e9;
        (seconds > 0.0).then(|| self.iterations as f64 / seconds)
    }
}

/// One game.
#[derive(Clone, Debug)]
pub(super) struct Tally<'a> {
    pub(super) entry: &'a Entry,
    /// Plies by seat.
    pub(super) plies: [u64; 2],
    /// Plies that place no special patch, by seat.
    pub(super) turns: [u64; 2],
    /// Legal actions of all plies.
    pub(super) legal: Sum,
    /// Of those that buy a patch.
    pub(super) buying: Sum,
    /// Of those in a phase.
    pub(super) phases: [Sum; PHASE_STARTS.len()],
    /// By seat.
    pub(super) effort: [Effort; 2],
}

impl<'a> Tally<'a> {
    pub(super) fn new(entry: &'a Entry) -> Self {
        let mut tally = Self {
            entry,
            plies: [0; 2],
            turns: [0; 2],
            legal: Sum::default(),
            buying: Sum::default(),
            phases: [Sum::default(); 3],
            effort: [Effort::default(); 2],
        };
        let mut nanos = entry.nanos.iter();
        for ply in &entry.record.plies {
            let seat = ply.player().index();
            let legal = u64::from(ply.legal);
            tally.plies[seat] += 1;
            tally.turns[seat] += u64::from(!ply.is_special());
            tally.legal.add(legal);
            if ply.is_buy() {
                tally.buying.add(legal);
            }
            let phase = PHASE_STARTS.iter().rposition(|&start| start <= ply.space);
            tally.phases[phase.unwrap_or(0)].add(legal);
            let Some(&nanos) = nanos.next() else {
                continue;
            };
            let effort = &mut tally.effort[seat];
            if ply.legal > 1 {
                effort.moves.add(nanos);
            }
            if ply.thought.iterations > 0 {
                effort.searches.add(nanos);
                effort.iterations += u64::from(ply.thought.iterations);
            }
        }
        tally
    }

    /// Points of a seat minus those of the other.
    pub(super) fn margin(&self, seat: usize) -> f64 {
        let scores = self.entry.record.scores;
        f64::from(scores[seat]) - f64::from(scores[1 - seat])
    }

    pub(super) fn first_won(&self) -> bool {
        self.entry.record.winner() == Player::First
    }

    /// The seat of the agent `a` of the pairing (`a`, `b`), or `None` for a game of others. When an
    /// agent plays itself, `a` is the copy that moves first in leg 0.
    pub(super) fn seat_of(&self, a: u16, b: u16) -> Option<usize> {
        let record = &self.entry.record;
        if a == b && record.agents == [a, a] {
            return Some(usize::from(record.id.leg % 2));
        }
        match record.agents {
            [first, second] if (first, second) == (a, b) => Some(0),
            [first, second] if (first, second) == (b, a) => Some(1),
            _ => None,
        }
    }
}
