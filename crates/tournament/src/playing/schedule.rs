//! Determines which games are played next, from the plan and the results so far.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use patchwork_engine::record::{GameFacts, GameId};
use serde::Serialize;

use crate::planning::encounter::{Encounter, PlannedGame, Round};
use crate::planning::format::FormatStanding;
use crate::planning::plan::Plan;

/// The next step for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Game(PlannedGame),
    /// Wait: the next game depends on games in progress.
    Wait,
    /// Stop: every game has been handed out.
    Over,
}

/// How far the sequential tests of a plan have come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestProgress {
    /// The log-likelihood ratio, if there is a single encounter.
    pub llr: Option<f64>,
    /// At or below it, H0 is accepted.
    pub lower: f64,
    /// At or above it, H1 is accepted.
    pub upper: f64,
    /// Number of encounters that are over.
    pub decided: usize,
    /// Number of encounters.
    pub encounters: usize,
}

/// The games of a plan, in the order in which they are played.
///
/// A schedule receives the result of every finished game and hands out the next games. It depends only on the
/// plan and the set of results: the order in which games finish does not affect which games are played and
/// counted. A round begins when the previous one is over. If the plan has a test, an encounter ends with the
/// first pair at which the test decides, given all pairs up to that one. A game counts once all earlier games
/// of its encounter count; a game played beyond the end never counts.
///
/// Within a round, the first pair of every encounter is handed out, then the second, and so on, so
/// that early standings are meaningful.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    rounds: Vec<Round>,
    /// Number of encounters of the latest round that need more games.
    open: u64,
    /// Results that do not count yet.
    waiting: HashMap<GameId, GameFacts>,
    /// The numbers of the games that count, as bits of words; they are not handed out again.
    there: HashMap<u64, u64>,
    /// The index of each pairing's encounter in the latest round.
    places: HashMap<u32, usize>,
    /// Number of planned games of the latest round that have been handed out or skipped.
    cursor: u64,
    /// Games to be handed out first: those of further pairs, or those that are asked for.
    queue: VecDeque<PlannedGame>,
    /// The missing ones of the games that are asked for, if not all of the plan.
    listed: Option<HashSet<GameId>>,
    finished: u64,
    over: bool,
}

impl Schedule {
    /// The schedule of a plan before any game has been played.
    pub fn new(plan: &Plan) -> Self {
        Self::resume(plan, [])
    }

    /// The schedule of a plan after these games have been played, in any order. Games that do not count yet
    /// are remembered, and count once the games before them do.
    pub fn resume(plan: &Plan, played: impl IntoIterator<Item = GameFacts>) -> Self {
        let mut schedule = Self {
            plan: plan.clone(),
            rounds: Vec::new(),
            open: 0,
            waiting: HashMap::new(),
            there: HashMap::new(),
            places: HashMap::new(),
            cursor: 0,
            queue: VecDeque::new(),
            listed: None,
            finished: 0,
            over: false,
        };
        let played = played.into_iter();
        if plan.format().is_adaptive() {
            schedule.waiting = played.map(|game| (game.id(), game)).collect();
            schedule.begin_rounds();
            schedule.waiting.shrink_to_fit();
            return schedule;
        }
        schedule.begin_rounds();
        for game in played {
            if schedule.is_known(game.id()) {
                continue;
            }
            // A test may have ended the encounter before this game.
            match schedule.place(game.id()) {
                Some(_) => drop(schedule.finish(game)),
                None => drop(schedule.waiting.insert(game.id(), game)),
            }
        }
        schedule
    }

    /// Whether any results do not count yet.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether the result of this game is known, whether or not it counts yet.
    pub(crate) fn is_known(&self, id: GameId) -> bool {
        let (word, bit) = word_of(self.plan.number(id));
        let bits = self.there.get(&word);
        bits.is_some_and(|bits| bits & bit != 0) || self.is_waiting(id)
    }

    /// Whether the result of this game is known and does not count yet.
    pub(crate) fn is_waiting(&self, id: GameId) -> bool {
        self.waiting.contains_key(&id)
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The finished rounds and the current one. If all games of the plan are certain, its round has only the encounters of
    /// which games were played.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Number of games that count.
    pub const fn finished_games(&self) -> u64 {
        self.finished
    }

    /// Number of games of the whole plan, as far as known: a test may need fewer, ties may need
    /// more.
    pub fn planned_games(&self) -> u64 {
        let encounters = || self.rounds.iter().flat_map(|round| &round.encounters);
        let planned = encounters().count() as u64 * u64::from(self.plan.pairs());
        let known: u64 = encounters().map(|e| u64::from(e.pairs)).sum();
        self.plan.game_count() as u64 + 2 * known - 2 * planned
    }

    /// Whether everything has been played.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// From now on, asks only for these games of the plan, which do not depend on results. Pairs come in the
    /// order of their first games.
    pub(crate) fn restrict_to(&mut self, games: &[PlannedGame]) {
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

    /// Whether a game that was handed out is still missing.
    pub(crate) fn is_missing(&self, id: GameId) -> bool {
        if self.listed.is_some() {
            return self.is_asked_for(id);
        }
        if self.is_known(id) || self.over {
            return false;
        }
        // A test may have ended the encounter.
        let mut encounters = self.rounds.last().into_iter().flat_map(|r| &r.encounters);
        self.plan.test().is_none() || encounters.any(|of| of.place(id).is_some())
    }

    /// Whether no game is missing that is asked for.
    pub(crate) fn is_complete(&self) -> bool {
        match &self.listed {
            Some(missing) => missing.is_empty(),
            None => self.over,
        }
    }

    /// The next game to play; each game is handed out once.
    pub fn next_game(&mut self) -> Next {
        while let Some(game) = self.queue.pop_front() {
            if self.is_asked_for(game.id) {
                return Next::Game(game);
            }
        }
        if self.listed.is_some() || self.over {
            return Next::Over;
        }
        let games_of_a_pair = 2 * self.encounters();
        while self.cursor < games_of_a_pair * u64::from(self.plan.pairs()) {
            let pair = (self.cursor / games_of_a_pair) as u32;
            let rest = self.cursor % games_of_a_pair;
            self.cursor += 1;
            let game = self.game(rest / 2, 2 * pair + (rest % 2) as u32);
            if let Some(game) = game.filter(|game| !self.is_known(game.id)) {
                return Next::Game(game);
            }
        }
        // An adaptive format may add a round or a further pair.
        if self.plan.format().is_adaptive() {
            Next::Wait
        } else {
            Next::Over
        }
    }

    /// Hands out games again that were handed out and not played, in plan order.
    pub(crate) fn hand_out_again(&mut self, games: impl IntoIterator<Item = PlannedGame>) {
        self.queue.extend(games);
        self.queue.make_contiguous().sort_by_key(|game| game.id);
    }

    /// The number of encounters of the latest round.
    fn encounters(&self) -> u64 {
        match self.plan.is_uncertain() {
            true => self.rounds.last().map_or(0, |round| round.encounters.len()) as u64,
            false => self.plan.pairing_count(),
        }
    }

    /// The game at a place of an encounter of the latest round, given by its position.
    fn game(&self, at: u64, place: u32) -> Option<PlannedGame> {
        if !self.plan.is_uncertain() {
            return Some(self.plan.encounter(at as u32)?.game(place));
        }
        let encounter = self.rounds.last()?.encounters.get(at as usize)?;
        (place < 2 * encounter.pairs).then(|| encounter.game(place))
    }

    /// The index of the encounter of a game in the latest round, and the game's place there. An encounter of a plan whose
    /// games are all certain begins with its first game: there may be millions.
    fn place(&mut self, id: GameId) -> Option<(usize, u32)> {
        let encounters = &mut self.rounds.last_mut()?.encounters;
        let at = match self.places.get(&id.pairing) {
            Some(&at) => at,
            None if self.plan.is_uncertain() => return None,
            None => {
                encounters.push(self.plan.encounter(id.pairing)?);
                self.places.insert(id.pairing, encounters.len() - 1);
                encounters.len() - 1
            }
        };
        Some((at, encounters[at].place(id)?))
    }

    /// The number of missing games of each encounter, as far as known, with its pairing and agents.
    pub fn missing(&self) -> impl Iterator<Item = (u32, [u16; 2], u64)> + Clone + '_ {
        let is_certain = !self.plan.is_uncertain();
        let missing = |encounter: &Encounter| {
            let games = (2 * encounter.pairs).saturating_sub(encounter.finished);
            (encounter.pairing, encounter.agents.into(), u64::from(games))
        };
        let begun = self.rounds.iter().flat_map(|round| &round.encounters);
        let begun = begun.filter(move |_| !is_certain).map(missing);
        let pairings = 0..if is_certain { self.encounters() } else { 0 };
        let all = pairings.filter_map(move |pairing| {
            let place = self.places.get(&(pairing as u32));
            match place.and_then(|&at| self.rounds.first()?.encounters.get(at)) {
                Some(encounter) => Some(missing(encounter)),
                None => self.plan.encounter(pairing as u32).as_ref().map(missing),
            }
        });
        begun.chain(all)
    }

    /// The next game, if it is known without further results.
    pub(crate) fn next_known(&mut self) -> Option<PlannedGame> {
        match self.next_game() {
            Next::Game(game) => Some(game),
            Next::Wait | Next::Over => None,
        }
    }

    /// The games that can be handed out without further results.
    pub(crate) fn known_games(mut self) -> impl Iterator<Item = PlannedGame> {
        std::iter::from_fn(move || self.next_known())
    }

    /// Takes the result of a game that was handed out. Returns the games that newly count, in plan
    /// order: the game itself, unless the plan has a test.
    pub fn finish(&mut self, game: GameFacts) -> Vec<GameId> {
        let Some((at, _)) = self.place(game.id()) else {
            return Vec::new();
        };
        let counted = match self.rounds.last() {
            Some(round) if self.plan.test().is_some() => {
                let encounter = &round.encounters[at];
                let places = encounter.finished..2 * encounter.pairs;
                self.waiting.insert(game.id(), game);
                self.count(at, places)
            }
            _ => {
                self.count_game(at, &game);
                vec![game.id()]
            }
        };
        if !counted.is_empty() {
            self.close(at);
            self.begin_rounds();
        }
        counted
    }

    /// Begins the next round when the current one is over, and continues with later rounds if their
    /// results are already there.
    fn begin_rounds(&mut self) {
        while !self.over && self.open == 0 {
            if self.rounds.len() as u32 == self.plan.round_count() {
                self.over = true;
                return;
            }
            let rules = self.plan.format().rules();
            let round = match self.plan.is_uncertain() {
                true => rules.next_round(&self.plan.field(), &self.rounds),
                false => Round::default(),
            };
            let pairings = round.encounters.iter().map(|encounter| encounter.pairing);
            self.places = pairings.zip(0..).collect();
            self.cursor = 0;
            let games = round.encounters.iter().map(|e| 2 * e.pairs);
            let games: Vec<u32> = games.collect();
            self.rounds.push(round);
            self.open = self.encounters();
            if !self.waiting.is_empty() {
                for (at, games) in games.into_iter().enumerate() {
                    self.count(at, 0..games);
                    self.close(at);
                }
            }
        }
    }

    /// Counts the games of an encounter at these positions whose results are waiting, and returns
    /// them. With a test, it counts only up to the first missing game or to the end of the test.
    fn count(&mut self, at: usize, places: Range<u32>) -> Vec<GameId> {
        let mut counted = Vec::new();
        for place in places {
            let Some(game) = self.game(at as u64, place) else {
                break;
            };
            let result = self.waiting.remove(&game.id);
            counted.extend(result.map(|game| game.id()));
            let is_decided = result.map(|game| self.count_game(at, &game));
            if is_decided == Some(true) || is_decided.is_none() && self.plan.test().is_some() {
                break;
            }
        }
        counted
    }

    /// Counts a game of an encounter, and returns whether the test ends the encounter with it.
    fn count_game(&mut self, at: usize, game: &GameFacts) -> bool {
        let (word, bit) = word_of(self.plan.number(game.id()));
        *self.there.entry(word).or_default() |= bit;
        if let Some(missing) = &mut self.listed {
            missing.remove(&game.id());
        }
        self.finished += 1;
        let Some(encounter) = encounter(&mut self.rounds, at) else {
            return false;
        };
        encounter.count(game);
        let test = self.plan.test();
        let is_decided = test.is_some_and(|test| {
            encounter
                .test
                .add(test, game.winner_of_pairing() == 0, game.leg)
        });
        if is_decided {
            encounter.pairs = encounter.finished / 2;
        }
        is_decided
    }

    /// Determines whether an encounter is over or needs further pairs.
    fn close(&mut self, at: usize) {
        while let Some(encounter) = encounter(&mut self.rounds, at).filter(|e| e.is_complete()) {
            let (rules, field) = (self.plan.format().rules(), self.plan.field());
            if !rules.needs_further_pair(&field, encounter) {
                encounter.decision = rules.decision(&field, encounter);
                self.open -= 1;
                return;
            }
            let place = 2 * encounter.pairs;
            encounter.pairs += 1;
            let games = [encounter.game(place), encounter.game(place + 1)];
            let there = self.count(at, place..place + 2);
            let missing = games.iter().filter(|game| !there.contains(&game.id));
            self.queue.extend(missing);
        }
    }

    /// The standings so far, best agent first, if the format ranks agents.
    pub fn standings(&self) -> Option<Vec<FormatStanding>> {
        let rules = self.plan.format().rules();
        rules.standings(&self.plan.field(), &self.rounds)
    }

    /// The winner of a finished tournament, if the format has one.
    pub fn champion(&self) -> Option<u16> {
        let rules = self.plan.format().rules();
        rules.champion(&self.rounds).filter(|_| self.over)
    }

    /// The sequential test, if the plan has one: the state of the only encounter, or the number of decided
    /// ones.
    pub fn test_progress(&self) -> Option<TestProgress> {
        let test = self.plan.test()?;
        let encounters = &self.rounds.first()?.encounters;
        let (lower, upper) = test.bounds();
        let llr = match &encounters[..] {
            [only] => Some(test.llr(&only.test.counts)),
            _ => None,
        };
        let open = encounters.iter().filter(|e| !e.is_complete()).count();
        Some(TestProgress {
            llr,
            lower,
            upper,
            decided: encounters.len() - open,
            encounters: encounters.len(),
        })
    }

    /// A short status text, if there is more to say than the number of games.
    pub fn status(&self) -> Option<String> {
        let Some(test) = self.plan.test() else {
            let (round, rounds) = (self.rounds.len(), self.plan.round_count());
            let format = self.plan.format();
            return format
                .is_adaptive()
                .then(|| format!("round {round} of {rounds}"));
        };
        let encounters = &self.rounds.first()?.encounters;
        let open: Vec<&Encounter> = encounters.iter().filter(|e| !e.is_complete()).collect();
        match open[..] {
            [] => None,
            [encounter] => {
                let (lower, upper) = test.bounds();
                let llr = test.llr(&encounter.test.counts);
                Some(format!("llr {llr:+.2} ({lower:+.2} to {upper:+.2})"))
            }
            _ => {
                let all = encounters.len();
                Some(format!("{} of {all} decided", all - open.len()))
            }
        }
    }
}

impl Plan {
    /// The games known before the first game is played, in playing order.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> + use<> {
        Schedule::new(self).known_games()
    }

    /// Numbers games in the order of [`Self::games`], then those of later rounds, which depend on results.
    pub fn order(&self) -> impl Fn(GameId) -> u64 {
        let places = self
            .format()
            .is_adaptive()
            .then(|| Schedule::new(self).places);
        let encounters = places
            .as_ref()
            .map_or(self.pairing_count(), |all| all.len() as u64);
        move |GameId { pairing, pair, leg }| {
            let at = match &places {
                None => Some(pairing.into()),
                Some(places) => places.get(&pairing).map(|&at| at as u64),
            };
            match at.filter(|_| pair < self.pairs()) {
                Some(at) => 2 * (u64::from(pair) * encounters + at) + u64::from(leg),
                None => {
                    let known = 2 * encounters * u64::from(self.pairs());
                    known + self.number(GameId { pairing, pair, leg })
                }
            }
        }
    }
}

/// The word of the bit of a number, and the bit.
const fn word_of(number: u64) -> (u64, u64) {
    (number / 64, 1 << (number % 64))
}

/// An encounter of the latest round.
fn encounter(rounds: &mut [Round], at: usize) -> Option<&mut Encounter> {
    rounds.last_mut()?.encounters.get_mut(at)
}

#[cfg(test)]
mod tests;
