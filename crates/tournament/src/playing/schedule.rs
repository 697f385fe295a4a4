//! Determines which games are played next, from the plan and the results so far.

use std::collections::{HashMap, HashSet, VecDeque};

use patchwork_engine::record::{GameFacts, GameId};
use serde::Serialize;

use super::pair_test::PairTest;
use crate::ledger::{Delivery, EncodedGame};
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;

/// How far the sequential tests of a plan have come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestProgress {
    /// The log-likelihood ratio, if there is a single pairing.
    pub llr: Option<f64>,
    /// At or below it, H0 is accepted.
    pub lower: f64,
    /// At or above it, H1 is accepted.
    pub upper: f64,
    /// Number of pairings that are over.
    pub decided: usize,
    /// Number of pairings.
    pub pairings: usize,
}

/// A game whose result is known.
#[derive(Clone, Debug)]
pub enum KnownGame {
    /// It was there before.
    Stored(GameFacts),
    /// It was just played, by these threads or by a worker of a fleet.
    Played(Box<EncodedGame>, Option<Delivery>),
}

impl KnownGame {
    /// The game without its decisions.
    pub fn facts(&self) -> GameFacts {
        match self {
            Self::Stored(facts) => *facts,
            Self::Played(game, _) => (&game.entry().record).into(),
        }
    }
}

/// The games of a plan that are still to be played, each once, in [the order of play](Plan::place).
///
/// A schedule hands out games as an iterator and receives the result of every finished game. It depends only on
/// the plan and the set of results: the order in which games finish does not affect which games are played and
/// counted. If the plan has a test, a pairing ends with the first pair at which the test decides, given all pairs
/// up to that one. A game then counts once all earlier games of its pairing count; a game played beyond the end
/// never counts.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    /// The test of each pairing, if the plan has one.
    tests: Vec<PairTest>,
    /// Games that do not count yet.
    waiting: HashMap<GameId, KnownGame>,
    /// The numbers of the games that count, as bits of words; they are not handed out again.
    there: HashMap<u64, u64>,
    /// The number of games of each pairing that count, if there are any.
    finished_of: HashMap<u32, u32>,
    /// Number of games of the plan that have been handed out or skipped.
    cursor: u64,
    /// Games to be handed out first.
    queue: VecDeque<PlannedGame>,
    /// The missing ones of the games that are asked for, if not all of the plan.
    listed: Option<HashSet<GameId>>,
    finished: u64,
    planned: u64,
}

impl Schedule {
    /// The schedule of a plan before any game has been played.
    pub fn new(plan: &Plan) -> Self {
        Self::resume(plan, [])
    }

    /// The schedule of a plan after these games have been played, in any order. Games that do not count yet
    /// are remembered, and count once the games before them do.
    pub fn resume(plan: &Plan, played: impl IntoIterator<Item = GameFacts>) -> Self {
        let tested = plan.test().map_or(0, |_| plan.pairing_count());
        let mut schedule = Self {
            plan: plan.clone(),
            tests: vec![PairTest::default(); tested as usize],
            waiting: HashMap::new(),
            there: HashMap::new(),
            finished_of: HashMap::new(),
            cursor: 0,
            queue: VecDeque::new(),
            listed: None,
            finished: 0,
            planned: plan.game_count() as u64,
        };
        for game in played {
            let id = game.id();
            if schedule.is_known(id) {
                continue;
            }
            // A test may have ended the pairing before this game.
            if schedule.is_needed(id) {
                schedule.finish(KnownGame::Stored(game));
            } else {
                schedule.waiting.insert(id, KnownGame::Stored(game));
            }
        }
        schedule
    }

    /// Whether the result of this game is known, whether or not it counts yet.
    pub(crate) fn is_known(&self, id: GameId) -> bool {
        let (word, bit) = word_of(self.plan.index(id));
        let bits = self.there.get(&word);
        bits.is_some_and(|bits| bits & bit != 0) || self.waiting.contains_key(&id)
    }

    /// The game with this identity, if it is known and does not count yet.
    pub(crate) fn waiting(&self, id: GameId) -> Option<&KnownGame> {
        self.waiting.get(&id)
    }

    /// The games that were there before and do not count yet.
    pub(crate) fn stored_waiting(&self) -> impl Iterator<Item = GameFacts> + '_ {
        self.waiting.values().filter_map(|game| match game {
            KnownGame::Stored(facts) => Some(*facts),
            KnownGame::Played(..) => None,
        })
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The test of each pairing of the plan, in order; empty if the plan has no test.
    pub fn tests(&self) -> &[PairTest] {
        &self.tests
    }

    /// Number of games that count.
    pub const fn finished_games(&self) -> u64 {
        self.finished
    }

    /// Number of games of the whole plan, as far as known: a test may need fewer.
    pub const fn planned_games(&self) -> u64 {
        self.planned
    }

    /// Whether everything has been played.
    pub const fn is_over(&self) -> bool {
        self.finished == self.planned
    }

    /// From now on, asks only for these games of the plan. Pairs come in the order of their first games.
    pub fn restrict_to(&mut self, games: &[PlannedGame]) {
        let mut pairs: Vec<Vec<PlannedGame>> = Vec::new();
        let mut places = HashMap::new();
        let mut missing = HashSet::new();
        for &game in games {
            if self.is_known(game.id) || !missing.insert(game.id) {
                continue;
            }
            let pair = (game.id.pairing, game.id.pair);
            let place = *places.entry(pair).or_insert(pairs.len());
            match pairs.get_mut(place) {
                Some(pair) => pair.push(game),
                None => pairs.push(vec![game]),
            }
        }
        for pair in &mut pairs {
            pair.sort_by_key(|game| game.id);
        }
        self.queue = pairs.into_iter().flatten().collect();
        self.listed = Some(missing);
    }

    /// Whether a game that is not known is asked for, as far as lists say.
    pub(crate) fn is_asked_for(&self, id: GameId) -> bool {
        let listed = self.listed.as_ref();
        listed.is_none_or(|missing| missing.contains(&id))
    }

    /// Whether a game is missing and asked for.
    pub fn is_missing(&self, id: GameId) -> bool {
        match &self.listed {
            Some(missing) => missing.contains(&id),
            None => self.is_needed(id) && !self.is_known(id),
        }
    }

    /// Whether no game is missing that is asked for.
    pub fn is_complete(&self) -> bool {
        match &self.listed {
            Some(missing) => missing.is_empty(),
            None => self.is_over(),
        }
    }

    /// Hands out games again that were handed out and not played, in plan order.
    pub(crate) fn hand_out_again(&mut self, games: impl IntoIterator<Item = PlannedGame>) {
        self.queue.extend(games);
        self.queue.make_contiguous().sort_by_key(|game| game.id);
    }

    /// The agents of each pairing with the number of its missing games, as far as known.
    pub fn missing(&self) -> impl Iterator<Item = ([u16; 2], u64)> + '_ {
        (0..self.plan.pairing_count() as u32).filter_map(|pairing| {
            let games = 2 * self.pairs(pairing) - self.finished_of(pairing);
            Some((self.plan.pairing(pairing)?.into(), games.into()))
        })
    }

    /// The number of pairs of a pairing: those of the plan, or fewer if its test has decided.
    fn pairs(&self, pairing: u32) -> u32 {
        match self.tests.get(pairing as usize) {
            Some(test) if test.is_decided() => test.outcomes.len() as u32,
            _ => self.plan.pairs(),
        }
    }

    /// The number of games of a pairing that count.
    fn finished_of(&self, pairing: u32) -> u32 {
        self.finished_of.get(&pairing).copied().unwrap_or_default()
    }

    /// Whether a game is one of the plan, and no test has ended its pairing before it.
    fn is_needed(&self, id: GameId) -> bool {
        u64::from(id.pairing) < self.plan.pairing_count() && id.pair < self.pairs(id.pairing)
    }

    /// The game of a pairing that comes after those that count.
    fn next_of(&self, pairing: u32) -> GameId {
        let count = self.finished_of(pairing);
        GameId {
            pairing,
            pair: count / 2,
            leg: (count % 2) as u8,
        }
    }

    /// Takes a game that was handed out. Returns the games that newly count, in plan order: the game itself, unless the
    /// plan has a test.
    pub fn finish(&mut self, game: KnownGame) -> Vec<KnownGame> {
        let id = game.facts().id();
        if !self.is_needed(id) {
            return Vec::new();
        }
        if self.plan.test().is_none() {
            self.add(&game.facts());
            return vec![game];
        }
        self.waiting.insert(id, game);
        let mut counted = Vec::new();
        let mut next = self.next_of(id.pairing);
        while self.is_needed(next)
            && let Some(game) = self.waiting.remove(&next)
        {
            self.add(&game.facts());
            counted.push(game);
            next = self.next_of(id.pairing);
        }
        counted
    }

    /// The first missing game of the next pair; `None` if all pairs were handed out.
    pub fn next_pair(&mut self) -> Option<PlannedGame> {
        let first = self.next()?;
        let pair = |game: &PlannedGame| (game.id.pairing, game.id.pair);
        if let Some(other) = self.find(|game| pair(game) != pair(&first)) {
            self.queue.push_front(other);
        }
        Some(first)
    }

    /// Counts a game: the next one of its pairing, if the plan has a test.
    fn add(&mut self, game: &GameFacts) {
        let id = game.id();
        let (word, bit) = word_of(self.plan.index(id));
        *self.there.entry(word).or_default() |= bit;
        *self.finished_of.entry(id.pairing).or_default() += 1;
        self.finished += 1;
        if let Some(missing) = &mut self.listed {
            missing.remove(&id);
        }
        if let (Some(sprt), Some(test)) =
            (self.plan.test(), self.tests.get_mut(id.pairing as usize))
        {
            test.add(sprt, game.winner_of_pairing() == 0, id.leg);
            if test.is_decided() {
                self.planned -= 2 * u64::from(self.plan.pairs() - test.outcomes.len() as u32);
            }
        }
    }

    /// The sequential tests, if the plan has them.
    pub fn test_progress(&self) -> Option<TestProgress> {
        let sprt = self.plan.test()?;
        let (lower, upper) = sprt.bounds();
        let llr = match &self.tests[..] {
            [only] => Some(sprt.llr(&only.counts)),
            _ => None,
        };
        let pairings = self.tests.len();
        let is_over = |&pairing: &u32| !self.is_needed(self.next_of(pairing));
        Some(TestProgress {
            llr,
            lower,
            upper,
            decided: (0..pairings as u32).filter(is_over).count(),
            pairings,
        })
    }
}

/// Hands out the next game to play.
impl Iterator for Schedule {
    type Item = PlannedGame;

    fn next(&mut self) -> Option<PlannedGame> {
        while let Some(game) = self.queue.pop_front() {
            if self.is_missing(game.id) {
                return Some(game);
            }
        }
        if self.listed.is_some() || self.is_over() {
            return None;
        }
        while let Some(game) = self.plan.game_at(self.cursor) {
            self.cursor += 1;
            if self.is_missing(game.id) {
                return Some(game);
            }
        }
        None
    }
}

/// The word of the bit of a number, and the bit.
const fn word_of(number: u64) -> (u64, u64) {
    (number / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests;
