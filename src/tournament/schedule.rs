//! Which games are played next, from the plan and the results so far.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::plan::{Format, Plan, PlannedGame};
use super::{bracket, swiss};
use crate::rating::sprt::{PairCounts, Verdict};
use crate::record::{GameId, Record};

/// How a game ended, as far as later games depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which game.
    pub id: GameId,
    /// 0 when the pairing's first agent won, 1 when the other did.
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

/// What a worker does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Game(PlannedGame),
    /// Wait: what comes next depends on games that are being played.
    Wait,
    /// Go home: every game has been handed out.
    Over,
}

/// Two agents that meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    /// Index of the pairing in [`Plan::pairings`].
    pub pairing: u32,
    /// The agents in the order of the pairing.
    pub agents: (u16, u16),
    /// The first of its pairs: agents that have met before go on behind those of that time.
    pub first_pair: u32,
    /// How many pairs it has, as far as is known.
    pub pairs: u32,
    /// Games that count: all finished ones; with a test those that no unfinished one precedes.
    pub finished: u32,
    /// Games won by each agent, of those.
    pub wins: [u32; 2],
    /// Points of the first agent minus those of the other, of those.
    pub margin: i64,
    /// In a knock-out: who goes on.
    pub decision: Option<Decision>,
    /// Pairs that both of its games count for, by what the first agent made of them.
    pub counts: PairCounts,
    /// What the plan's test says of them, if it has one.
    pub verdict: Option<Verdict>,
    /// Games that the first agent won of a pair whose second game does not count yet.
    half: usize,
}

/// Who goes on to the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// 0 for the first agent of the encounter, 1 for the other.
    pub winner: usize,
    /// What it has won by.
    pub by: Reason,
}

/// What decides an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// More games won.
    Wins,
    /// As many games won, more points made in them.
    Margin,
    /// Neither, so pairs were added, one by one, until games or points differed.
    FurtherPairs,
    /// Nothing in twice as many pairs as planned.
    Seed,
}

impl Encounter {
    pub(super) const fn new(pairing: u32, agents: (u16, u16), first_pair: u32, pairs: u32) -> Self {
        Self {
            pairing,
            agents,
            first_pair,
            pairs,
            finished: 0,
            wins: [0; 2],
            margin: 0,
            decision: None,
            counts: PairCounts([0; 5]),
            verdict: None,
            half: 0,
        }
    }

    /// A game by its place in the encounter.
    fn game(&self, place: u32) -> PlannedGame {
        let pair = self.first_pair + place / 2;
        PlannedGame::new(self.pairing, self.agents, pair, (place % 2) as u8)
    }

    /// The place of a game that is one of the encounter's.
    fn place(&self, id: GameId) -> Option<u32> {
        let pair = id.pair.checked_sub(self.first_pair);
        pair.filter(|&pair| id.pairing == self.pairing && pair < self.pairs)
            .map(|pair| 2 * pair + u32::from(id.leg))
    }

    fn count(&mut self, result: GameResult) {
        self.finished += 1;
        self.wins[usize::from(result.winner)] += 1;
        self.margin += i64::from(result.margin);
    }

    /// Whether all of its games count.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.finished == 2 * self.pairs
    }
}

/// Encounters that are played at the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Who meets whom.
    pub encounters: Vec<Encounter>,
    /// Agents that have no opponent, and go on in a knock-out.
    pub byes: Vec<u16>,
    /// Encounters that need more games.
    open: usize,
}

impl Round {
    pub(super) const fn new(encounters: Vec<Encounter>, byes: Vec<u16>) -> Self {
        let open = encounters.len();
        Self {
            encounters,
            byes,
            open,
        }
    }

    /// Whether all of its games have been played.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.open == 0
    }
}

/// The games of a plan in the order in which they are to be played.
///
/// A schedule is told of every finished game and hands out the next ones. It is a function of the plan
/// and the set of results: in whatever order games finish, the same games are played and count. A
/// round begins when the one before is over. Where the plan has a test, a pairing ends with the first
/// pair at which the test decides over the pairs up to there; a game counts when all before it in its
/// pairing do, and one that has been played beyond the end never counts.
///
/// A tie in a knock-out is broken by points, then by further pairs, one at a time and at most as many
/// as were planned, then by the seeds.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    rounds: Vec<Round>,
    /// Results that were there from the start and, with a test, those that do not count yet.
    known: HashMap<GameId, GameResult>,
    /// Where the encounter of a pairing is in the last round, when rounds depend on results.
    places: HashMap<u32, usize>,
    /// What is handed out next of the last round: pair, encounter, leg.
    cursor: (u32, usize, u32),
    /// Games of further pairs.
    further: VecDeque<PlannedGame>,
    finished: u64,
    over: bool,
}

impl Schedule {
    /// The schedule of a plan of which nothing has been played.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self::with(plan, HashMap::new())
    }

    /// The schedule of a plan of which these games have been played, in any order.
    ///
    /// # Errors
    /// With the first game, by identity, that would not have been played, or would not count yet.
    pub fn resume(
        plan: &Plan,
        played: impl IntoIterator<Item = GameResult>,
    ) -> Result<Self, GameId> {
        let known = played.into_iter().map(|game| (game.id, game)).collect();
        let schedule = Self::with(plan, known);
        let strange = schedule.known.keys().filter(|id| !schedule.counts(**id));
        strange.min().map_or(Ok(()), |id| Err(*id))?;
        Ok(schedule)
    }

    fn with(plan: &Plan, known: HashMap<GameId, GameResult>) -> Self {
        let mut schedule = Self {
            plan: plan.clone(),
            rounds: Vec::new(),
            known,
            places: HashMap::new(),
            cursor: (0, 0, 0),
            further: VecDeque::new(),
            finished: 0,
            over: false,
        };
        schedule.begin_rounds();
        schedule
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rounds that have been played, and the one that is being played. Round-robins and gauntlets
    /// have one.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Number of rounds of the whole plan.
    #[must_use]
    pub fn round_count(&self) -> u32 {
        match self.plan.format() {
            Format::RoundRobin | Format::Gauntlet { .. } => 1,
            Format::Swiss { rounds, .. } => *rounds,
            Format::KnockOut { seeds } => seeds.len().next_power_of_two().trailing_zeros(),
        }
    }

    /// Number of games that count.
    #[must_use]
    pub const fn finished_games(&self) -> u64 {
        self.finished
    }

    /// Number of games of the whole plan, as far as is known: a test may need fewer, ties more.
    #[must_use]
    pub fn planned_games(&self) -> u64 {
        let encounters = self.rounds.iter().flat_map(|round| &round.encounters);
        let known = encounters.map(|e| u64::from(e.pairs)).sum::<u64>();
        let begun: usize = self.rounds.iter().map(|round| round.encounters.len()).sum();
        let planned = 2 * begun as u64 * u64::from(self.plan.pairs());
        self.plan.game_count() as u64 - planned + 2 * known
    }

    /// Whether everything has been played.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// The next game to be played; each is handed out once.
    pub fn next_game(&mut self) -> Next {
        if let Some(game) = self.further.pop_front() {
            return Next::Game(game);
        }
        if self.over {
            return Next::Over;
        }
        let encounters = match self.rounds.last() {
            Some(round) => &round.encounters[..],
            None => &[],
        };
        let (pair, place, leg) = &mut self.cursor;
        while *pair < self.plan.pairs() {
            while let Some(encounter) = encounters.get(*place) {
                while *leg < 2 && *pair < encounter.pairs {
                    let game = encounter.game(2 * *pair + *leg);
                    *leg += 1;
                    if !self.known.contains_key(&game.id) {
                        return Next::Game(game);
                    }
                }
                *leg = 0;
                *place += 1;
            }
            *place = 0;
            *pair += 1;
        }
        let last = self.rounds.len() as u32 == self.round_count();
        // In the last round, only a knock-out may add games.
        if last && !matches!(self.plan.format(), Format::KnockOut { .. }) {
            Next::Over
        } else {
            Next::Wait
        }
    }

    /// The games that can be handed out without any result.
    pub(super) fn into_games(mut self) -> impl Iterator<Item = PlannedGame> {
        std::iter::from_fn(move || match self.next_game() {
            Next::Game(game) => Some(game),
            Next::Wait | Next::Over => None,
        })
    }

    /// Takes the result of a game that was handed out, and says which games count now that did not
    /// before, in the order of the plan. That is the game itself but where the plan has a test.
    ///
    /// # Panics
    /// When [`GameResult::winner`] is neither 0 nor 1.
    pub fn finish(&mut self, result: GameResult) -> Vec<GameId> {
        let at = if self.plan.format().is_known() {
            result.id.pairing as usize
        } else {
            let place = self.places.get(&result.id.pairing);
            place.copied().unwrap_or(usize::MAX)
        };
        let Some(round) = self.rounds.last_mut() else {
            return Vec::new();
        };
        let Some(encounter) = round.encounters.get_mut(at) else {
            return Vec::new();
        };
        let counted = if self.plan.test().is_some() {
            self.known.insert(result.id, result);
            self.count_in_order(at)
        } else {
            encounter.count(result);
            self.finished += 1;
            vec![result.id]
        };
        if !counted.is_empty() {
            self.close(at);
            self.begin_rounds();
        }
        counted
    }

    /// Whether a game that is known is one of the games that count.
    fn counts(&self, id: GameId) -> bool {
        let in_order = self.plan.test().is_some();
        let of = |encounter: &Encounter| {
            let place = encounter.place(id);
            place.is_some_and(|place| !in_order || place < encounter.finished)
        };
        if self.plan.format().is_known() {
            let all = self.rounds.first();
            let encounter = all.and_then(|round| round.encounters.get(id.pairing as usize));
            return encounter.is_some_and(of);
        }
        let mut encounters = self.rounds.iter().flat_map(|round| &round.encounters);
        encounters.any(of)
    }

    /// Begins the next round when the last one is over, and the one after that if all of it is known.
    fn begin_rounds(&mut self) {
        while !self.over && self.rounds.last().is_none_or(Round::is_over) {
            let Some(round) = self.next_round() else {
                self.over = true;
                return;
            };
            self.places = match self.plan.format() {
                Format::RoundRobin | Format::Gauntlet { .. } => HashMap::new(),
                _ => (round.encounters.iter().enumerate())
                    .map(|(at, encounter)| (encounter.pairing, at))
                    .collect(),
            };
            self.cursor = (0, 0, 0);
            let encounters = round.encounters.len();
            self.rounds.push(round);
            if self.known.is_empty() {
                return;
            }
            for at in 0..encounters {
                if self.plan.test().is_some() {
                    self.count_in_order(at);
                } else {
                    self.count_known(at, 0);
                }
                self.close(at);
            }
        }
    }

    fn next_round(&self) -> Option<Round> {
        if self.rounds.len() as u32 == self.round_count() {
            return None;
        }
        let plan = &self.plan;
        Some(match plan.format() {
            Format::RoundRobin | Format::Gauntlet { .. } => {
                let encounter =
                    |(pairing, agents)| Encounter::new(pairing, agents, 0, plan.pairs());
                Round::new(
                    (0..).zip(plan.pairings()).map(encounter).collect(),
                    Vec::new(),
                )
            }
            Format::Swiss { seeds, .. } => swiss::round(plan, &plan.indices(seeds), &self.rounds),
            Format::KnockOut { seeds } => bracket::round(plan, &plan.indices(seeds), &self.rounds),
        })
    }

    /// Counts the known games of an encounter from a place on.
    fn count_known(&mut self, at: usize, from: u32) {
        let Some(encounter) = encounter(&mut self.rounds, at) else {
            return;
        };
        for place in from..2 * encounter.pairs {
            if let Some(&result) = self.known.get(&encounter.game(place).id) {
                encounter.count(result);
                self.finished += 1;
            }
        }
    }

    /// Counts the games of an encounter that are known, up to the first that is not or to the end of
    /// its test, and returns them.
    fn count_in_order(&mut self, at: usize) -> Vec<GameId> {
        let mut counted = Vec::new();
        let (Some(encounter), Some(test)) = (encounter(&mut self.rounds, at), self.plan.test())
        else {
            return counted;
        };
        while !encounter.is_complete() {
            let id = encounter.game(encounter.finished).id;
            let Some(&result) = self.known.get(&id) else {
                break;
            };
            encounter.count(result);
            self.finished += 1;
            counted.push(id);
            encounter.half += usize::from(1 - result.winner);
            if id.leg == 1 {
                encounter
                    .counts
                    .add_wins(std::mem::take(&mut encounter.half));
                let verdict = test.verdict(&encounter.counts);
                encounter.verdict = Some(verdict);
                if verdict != Verdict::Continue {
                    encounter.pairs = encounter.finished / 2;
                }
            }
        }
        counted
    }

    /// Sees whether an encounter is over, or needs further pairs.
    fn close(&mut self, at: usize) {
        let knock_out = matches!(self.plan.format(), Format::KnockOut { .. });
        while let Some(encounter) = encounter(&mut self.rounds, at).filter(|e| e.is_complete()) {
            if knock_out {
                let planned = self.plan.pairs();
                encounter.decision = bracket::decide(encounter, planned, &self.plan);
                if encounter.decision.is_none() {
                    let from = 2 * encounter.pairs;
                    encounter.pairs += 1;
                    let games = [encounter.game(from), encounter.game(from + 1)];
                    let missing = games
                        .iter()
                        .filter(|game| !self.known.contains_key(&game.id));
                    self.further.extend(missing);
                    self.count_known(at, from);
                    continue;
                }
            }
            if let Some(round) = self.rounds.last_mut() {
                round.open -= 1;
            }
            return;
        }
    }

    /// The agents of a swiss tournament by what they have done so far, best first.
    #[must_use]
    pub fn standings(&self) -> Vec<swiss::Place> {
        match self.plan.format() {
            Format::Swiss { seeds, .. } => {
                swiss::standings(&self.plan, &self.plan.indices(seeds), &self.rounds)
            }
            _ => Vec::new(),
        }
    }

    /// The winner of a knock-out.
    #[must_use]
    pub fn champion(&self) -> Option<u16> {
        match self.plan.format() {
            Format::KnockOut { .. } if self.over => {
                bracket::winner(self.rounds.last()?.encounters.last()?)
            }
            _ => None,
        }
    }

    /// How far it has come, in a few words, where there is more to say than the number of games.
    #[must_use]
    pub fn status(&self) -> Option<String> {
        let Some(test) = self.plan.test() else {
            let rounds = self.round_count();
            return (!self.plan.format().is_known())
                .then(|| format!("round {} of {rounds}", self.rounds.len()));
        };
        let encounters = self.rounds.first()?.encounters.iter();
        let mut open = encounters.clone().filter(|e| !e.is_complete());
        let all = encounters.len();
        match (open.next(), open.count()) {
            (None, _) => None,
            (Some(encounter), 0) => {
                let (lower, upper) = test.bounds();
                let llr = test.llr(&encounter.counts);
                Some(format!("llr {llr:+.2} ({lower:+.2} to {upper:+.2})"))
            }
            (Some(_), more) => Some(format!("{} of {all} decided", all - more - 1)),
        }
    }
}

/// An encounter of the last round.
fn encounter(rounds: &mut [Round], at: usize) -> Option<&mut Encounter> {
    rounds.last_mut()?.encounters.get_mut(at)
}

/// How often two agents have met, the lower index first.
pub(super) fn meetings(rounds: &[Round]) -> BTreeMap<(u16, u16), u32> {
    let mut meetings = BTreeMap::new();
    for encounter in rounds.iter().flat_map(|round| &round.encounters) {
        *meetings.entry(encounter.agents).or_insert(0) += 1;
    }
    meetings
}

#[cfg(test)]
mod tests;
