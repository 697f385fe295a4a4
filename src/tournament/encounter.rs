//! Games, encounters and rounds: what formats plan and what has come of it.

use super::stopping::PairTest;
use crate::record::{GameId, Record};

/// One game of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Which one.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices of [`Plan::agents`](super::Plan::agents).
    pub seats: [u16; 2],
}

impl PlannedGame {
    /// A game of a pairing: its first agent has the first seat in leg 0.
    pub(super) const fn new(pairing: u32, (a, b): (u16, u16), pair: u32, leg: u8) -> Self {
        Self {
            id: GameId { pairing, pair, leg },
            seats: if leg == 0 { [a, b] } else { [b, a] },
        }
    }
}

/// How a game ended, as far as later games depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which game.
    pub id: GameId,
    /// 0 if the pairing's first agent won, 1 if the other did.
    pub winner: u8,
    /// Points of the pairing's first agent minus those of the other.
    pub margin: i32,
}

impl From<&Record> for GameResult {
    fn from(record: &Record) -> Self {
        let first = usize::from(record.id.leg == 1);
        let scores = record.scores.map(i32::from);
        Self {
            id: record.id,
            winner: u8::from(record.winner().index() != first),
            margin: scores[first] - scores[1 - first],
        }
    }
}

/// Two agents that meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    /// Index of the pairing in [`Plan::pairings`](super::Plan::pairings).
    pub pairing: u32,
    /// The agents in the order of the pairing.
    pub agents: (u16, u16),
    /// The first of its pairs: agents that meet again continue after the pairs of the last time.
    pub first_pair: u32,
    /// Its number of pairs, as far as is known.
    pub pairs: u32,
    /// Number of games that count: all finished ones; with a test, those before the first unfinished one.
    pub finished: u32,
    /// Games won by each agent, of those.
    pub wins: [u32; 2],
    /// Points of the first agent minus those of the other, of those.
    pub margin: i64,
    /// Who advances, in a format where one of the two does.
    pub decision: Option<EncounterDecision>,
    /// The state of the plan's test; stays empty without one.
    pub test: PairTest,
}

/// Who advances to the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncounterDecision {
    /// 0 for the first agent of the encounter, 1 for the other.
    pub winner: usize,
    /// What decided.
    pub by: DecidedBy,
}

/// What decides an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// More games won.
    Wins,
    /// More points, after as many games won.
    Margin,
    /// More games won or points after pairs were added, one by one.
    FurtherPairs,
    /// The seeds: twice as many pairs as planned decided nothing.
    Seed,
}

impl Encounter {
    pub(super) fn new(pairing: u32, agents: (u16, u16), first_pair: u32, pairs: u32) -> Self {
        Self {
            pairing,
            agents,
            first_pair,
            pairs,
            finished: 0,
            wins: [0; 2],
            margin: 0,
            decision: None,
            test: PairTest::default(),
        }
    }

    /// A game by its place in the encounter.
    pub(super) fn game(&self, place: u32) -> PlannedGame {
        let pair = self.first_pair + place / 2;
        PlannedGame::new(self.pairing, self.agents, pair, (place % 2) as u8)
    }

    /// The place of a game that is one of the encounter's.
    pub(super) fn place(&self, id: GameId) -> Option<u32> {
        let pair = id.pair.checked_sub(self.first_pair);
        pair.filter(|&pair| id.pairing == self.pairing && pair < self.pairs)
            .map(|pair| 2 * pair + u32::from(id.leg))
    }

    pub(super) fn count(&mut self, result: GameResult) {
        self.finished += 1;
        self.wins[usize::from(result.winner)] += 1;
        self.margin += i64::from(result.margin);
    }

    /// Whether all of its games count.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.finished == 2 * self.pairs
    }

    /// Who advances, once that is decided.
    #[must_use]
    pub fn winner(&self) -> Option<u16> {
        let (a, b) = self.agents;
        self.decision.map(|decision| [a, b][decision.winner])
    }
}

/// Encounters that are played at the same time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// Who meets whom.
    pub encounters: Vec<Encounter>,
    /// Agents without an opponent.
    pub byes: Vec<u16>,
}
