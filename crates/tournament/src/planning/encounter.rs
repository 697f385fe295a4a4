//! Games, encounters and rounds: what a format plans and the results so far.

use std::collections::BTreeMap;

use patchwork_engine::record::{GameFacts, GameId, Record};
use patchwork_rating::sprt::{PairCounts, Sprt, Verdict};
use serde::Serialize;

use super::rings::PlannedRings;

/// One game of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// The game's identity.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices into
    /// [`Plan::agents`](crate::Plan::agents).
    pub seats: [u16; 2],
}

impl PlannedGame {
    /// A game of a pairing, whose first agent has the first seat in leg 0.
    pub(crate) const fn new(pairing: u32, (a, b): (u16, u16), pair: u32, leg: u8) -> Self {
        Self {
            id: GameId { pairing, pair, leg },
            seats: if leg == 0 { [a, b] } else { [b, a] },
        }
    }
}

impl From<&Record> for PlannedGame {
    fn from(record: &Record) -> Self {
        Self {
            id: record.id,
            seats: record.agents,
        }
    }
}

impl From<&GameFacts> for PlannedGame {
    fn from(game: &GameFacts) -> Self {
        Self {
            id: game.id(),
            seats: game.agents,
        }
    }
}

/// A meeting of two agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    /// Index of the pairing in [`Plan::pairings`](crate::Plan::pairings).
    pub pairing: u32,
    /// The agents, in the order of the pairing.
    pub agents: (u16, u16),
    /// The number of its first pair. If agents meet again, numbering continues after the pairs of
    /// the previous encounter.
    pub first_pair: u32,
    /// Its number of pairs, as far as known.
    pub pairs: u32,
    /// Number of games that count: all finished games; with a test, those before the first
    /// unfinished game.
    pub finished: u32,
    /// Number of those games won by each agent.
    pub wins: [u32; 2],
    /// Points of the first agent minus those of the second, over those games.
    pub margin: i64,
    /// The agent that advances, if the format eliminates the other one, and the criterion.
    pub decision: Option<(u16, DecidedBy)>,
    /// The state of the plan's test; stays empty without one.
    pub test: PairTest,
}

/// The criterion that decided an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// More games won.
    Wins,
    /// More points, with equal numbers of games won.
    Margin,
    /// More games won, or more points, after further pairs were played one at a time.
    FurtherPairs,
    /// The seeds, after twice the planned number of pairs did not decide the encounter.
    Seed,
}

impl Encounter {
    pub(crate) fn new(pairing: u32, agents: (u16, u16), first_pair: u32, pairs: u32) -> Self {
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

    /// The game at a position in the encounter.
    pub(crate) fn game(&self, place: u32) -> PlannedGame {
        let pair = self.first_pair + place / 2;
        PlannedGame::new(self.pairing, self.agents, pair, (place % 2) as u8)
    }

    /// The position of a game in the encounter, if it belongs to it.
    pub(crate) fn place(&self, id: GameId) -> Option<u32> {
        let pair = id.pair.checked_sub(self.first_pair);
        pair.filter(|&pair| id.pairing == self.pairing && pair < self.pairs)
            .map(|pair| 2 * pair + u32::from(id.leg))
    }

    pub(crate) fn count(&mut self, game: &GameFacts) {
        self.finished += 1;
        self.wins[game.winner_of_pairing()] += 1;
        self.margin += game.margin(usize::from(game.leg)) as i64;
    }

    /// Whether all of its games count.
    pub const fn is_complete(&self) -> bool {
        self.finished == 2 * self.pairs
    }

    /// The agent that advances, once decided.
    pub fn winner(&self) -> Option<u16> {
        self.decision.map(|(winner, _)| winner)
    }
}

/// Encounters that are played concurrently.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The encounters of the round.
    pub encounters: Vec<Encounter>,
    /// Agents without an opponent.
    pub byes: Vec<u16>,
}

impl Round {
    /// The number of times two agents have met; the key has the lower index first.
    pub(crate) fn meetings(rounds: &[Self]) -> BTreeMap<(u16, u16), u32> {
        let mut meetings = BTreeMap::new();
        for encounter in rounds.iter().flat_map(|round| &round.encounters) {
            *meetings.entry(encounter.agents).or_insert(0) += 1;
        }
        meetings
    }
}

/// The default maximum number of pairs of a test.
pub const MAX_TEST_PAIRS: u32 = 100_000;

/// The default maximum number of pairs of a test with these rings: [`MAX_TEST_PAIRS`], or the number of
/// rings of a book if that is less.
pub(crate) fn most_test_pairs(rings: &PlannedRings) -> u32 {
    let rings = rings.count().unwrap_or(MAX_TEST_PAIRS);
    rings.min(MAX_TEST_PAIRS)
}

/// The state of a test of two agents.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTest {
    /// Pairs of which both games count, by the first agent's score.
    pub counts: PairCounts,
    /// The verdict of the test on these pairs.
    pub verdict: Verdict,
    /// The number of games that the first agent won in each of these pairs, in order.
    pub outcomes: Vec<u8>,
    /// Number of games that the first agent won in a pair whose second game does not count yet.
    half: usize,
}

impl Default for PairTest {
    fn default() -> Self {
        Self {
            counts: PairCounts::default(),
            verdict: Verdict::Continue,
            outcomes: Vec::new(),
            half: 0,
        }
    }
}

impl PairTest {
    /// Adds the next game in plan order and returns whether it ends the encounter.
    pub(crate) fn add(&mut self, test: &Sprt, first_won: bool, leg: u8) -> bool {
        self.half += usize::from(first_won);
        if leg == 1 {
            let won = std::mem::take(&mut self.half);
            self.counts.add_wins(won);
            self.outcomes.push(won as u8);
            self.verdict = test.verdict(&self.counts);
        }
        self.verdict != Verdict::Continue
    }
}
