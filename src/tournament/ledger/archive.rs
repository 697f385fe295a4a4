//! Finished games in memory.

use std::borrow::Cow;

use patchwork_engine::game::{Player, Setup};
use patchwork_engine::record::{Entry, FaultReason, GameFacts, GameId, Games};
use patchwork_rating::RatedGame;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};

use super::StoredGame;
use super::codec::{decode_entry, decode_setup, encode_entry};
use super::database::Database;
use crate::tournament::planning::encounter::{GameResult, PlannedGame};

/// Why reading a game again cannot fail.
const READABLE: &str = "the games of an open ledger can be read";

/// Finished games, either in memory or in a ledger, decoded on access. Games in a ledger take 28 bytes of memory each.
#[derive(Clone)]
pub struct Archive {
    records: Records,
    spans: Vec<GameSpan>,
}

#[derive(Clone)]
enum Records {
    Memory(Vec<u8>),
    Ledger(Database),
}

/// The location of a game, and its facts. There is one for each game in memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::tournament) struct GameSpan {
    /// The number of the game in the ledger, in two halves. In memory, the length of its record in the highest
    /// [`GameSpan::LENGTH_BITS`], and the position below them.
    place: [u32; 2],
    pairing: u32,
    pair: u32,
    agents: [u16; 2],
    scores: [i16; 2],
    fault: Option<FaultReason>,
    plies: u8,
    turns: u8,
    flags: u8,
}

const _: () = assert!(size_of::<GameSpan>() == 28);

impl GameSpan {
    /// The span of a stored game, with its identity in the plan.
    pub(in crate::tournament) fn new(game: &StoredGame<'_>, planned: PlannedGame) -> Self {
        let facts = GameFacts {
            id: planned.id,
            agents: planned.seats,
            ..game.facts()
        };
        Self::at(&facts, game.is_timed(), game.number().cast_unsigned())
    }

    fn at(facts: &GameFacts, timed: bool, place: u64) -> Self {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        Self {
            place: [place as u32, (place >> u32::BITS) as u32],
            pairing: facts.id.pairing,
            pair: facts.id.pair,
            agents: facts.agents,
            scores: facts.scores,
            fault: facts.fault,
            plies: facts.plies,
            turns: facts.turns,
            flags: flag(facts.id.leg == 1, Self::SECOND_LEG)
                | flag(facts.winner == Player::Second, Self::SECOND_WON)
                | flag(timed, Self::TIMED)
                | flag(facts.bonus == Some(Player::First), Self::FIRST_BONUS)
                | flag(facts.bonus == Some(Player::Second), Self::SECOND_BONUS),
        }
    }

    const SECOND_LEG: u8 = 1;
    const SECOND_WON: u8 = 1 << 1;
    const TIMED: u8 = 1 << 2;
    const FIRST_BONUS: u8 = 1 << 3;
    const SECOND_BONUS: u8 = 1 << 4;

    const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Enough for a record of 16 MB, in a terabyte of memory.
    const LENGTH_BITS: u32 = 24;
    const START_BITS: u32 = u64::BITS - Self::LENGTH_BITS;

    /// The bytes of its record in memory.
    fn record_in<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let (start, length) = (
            self.place() & ((1 << Self::START_BITS) - 1),
            self.place() >> Self::START_BITS,
        );
        &bytes[start as usize..][..length as usize]
    }

    /// The game, of which these are the bytes.
    fn decode(&self, record: &[u8]) -> Entry {
        let decoded = decode_entry(record);
        let (mut entry, _) = decoded.expect("the same bytes were an entry before");
        entry.record.id = self.id();
        entry.record.agents = self.agents;
        entry
    }

    const fn place(&self) -> u64 {
        (self.place[1] as u64) << u32::BITS | self.place[0] as u64
    }

    pub(in crate::tournament) const fn id(&self) -> GameId {
        GameId {
            pairing: self.pairing,
            pair: self.pair,
            leg: self.is(Self::SECOND_LEG) as u8,
        }
    }

    const fn winner(&self) -> Player {
        match self.is(Self::SECOND_WON) {
            false => Player::First,
            true => Player::Second,
        }
    }

    fn facts(&self) -> GameFacts {
        let bonus = [
            (Self::FIRST_BONUS, Player::First),
            (Self::SECOND_BONUS, Player::Second),
        ];
        let bonus = bonus.into_iter().find(|&(flag, _)| self.is(flag));
        GameFacts {
            id: self.id(),
            agents: self.agents,
            scores: self.scores,
            winner: self.winner(),
            bonus: bonus.map(|(_, player)| player),
            fault: self.fault,
            plies: self.plies,
            turns: self.turns,
        }
    }
}

impl Default for Archive {
    fn default() -> Self {
        Self {
            records: Records::Memory(Vec::new()),
            spans: Vec::new(),
        }
    }
}

impl Archive {
    /// These games of a ledger.
    pub(in crate::tournament) const fn in_ledger(database: Database, spans: Vec<GameSpan>) -> Self {
        Self {
            records: Records::Ledger(database),
            spans,
        }
    }

    /// Reads a game.
    ///
    /// # Panics
    /// When the ledger can no longer be read or its games were changed after it was opened.
    fn decode(&self, span: &GameSpan) -> Entry {
        match &self.records {
            Records::Memory(bytes) => span.decode(span.record_in(bytes)),
            Records::Ledger(database) => {
                let record = database.records([span.place().cast_signed()]);
                span.decode(&record.expect(READABLE)[0])
            }
        }
    }

    /// Passes the bytes of games to a function, on several threads.
    ///
    /// # Panics
    /// As [`Self::decode`].
    fn each_record<T: Send>(
        &self,
        indices: &[u32],
        look: impl Fn(&GameSpan, &[u8]) -> T + Sync,
    ) -> Vec<T> {
        let span = |&index: &u32| &self.spans[index as usize];
        match &self.records {
            Records::Memory(bytes) => {
                let all = indices.par_iter().map(span);
                all.map(|span| look(span, span.record_in(bytes))).collect()
            }
            Records::Ledger(database) => {
                let numbers = indices
                    .iter()
                    .map(|index| span(index).place().cast_signed());
                let records = database.records(numbers).expect(READABLE);
                let all = indices.par_iter().map(span).zip(&records);
                all.map(|(span, record)| look(span, record)).collect()
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no games.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The identities of the games, in their order.
    pub fn ids(&self) -> impl Iterator<Item = GameId> {
        self.spans.iter().map(GameSpan::id)
    }

    /// The result of each game.
    pub(crate) fn results(&self) -> impl Iterator<Item = GameResult> {
        self.spans.iter().map(|span| (&span.facts()).into())
    }

    /// A game in the form used for ratings, without reading the file.
    ///
    /// # Panics
    /// When there are not as many games.
    #[must_use]
    pub fn rated(&self, index: usize) -> RatedGame {
        let span = &self.spans[index];
        let first_won = span.winner() == Player::First;
        RatedGame::of_pair(span.pairing, span.pair, span.agents, first_won)
    }

    /// The agents in the first and the second seat of each game.
    pub(crate) fn seats(&self) -> impl Iterator<Item = [u16; 2]> {
        self.spans.iter().map(|span| span.agents)
    }

    /// For each game, whether every ply has a time.
    pub(crate) fn timed(&self) -> impl Iterator<Item = bool> {
        self.spans.iter().map(|span| span.is(GameSpan::TIMED))
    }

    /// The games, unpacked one at a time.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.spans.iter().map(|span| self.decode(span))
    }

    /// The game with this identity.
    #[must_use]
    pub fn find(&self, id: GameId) -> Option<Entry> {
        let span = self.spans.iter().find(|span| span.id() == id)?;
        Some(self.decode(span))
    }

    /// Appends a game. `stored` is its number in the ledger; an archive in memory does not need it.
    ///
    /// # Panics
    /// When the games are those of a ledger and the number is missing.
    pub(in crate::tournament) fn push(&mut self, entry: &Entry, stored: Option<i64>) {
        let place = match &mut self.records {
            Records::Memory(bytes) => {
                let (start, record) = (bytes.len() as u64, encode_entry(entry));
                bytes.extend(&record);
                (record.len() as u64) << GameSpan::START_BITS | start
            }
            Records::Ledger(_) => stored
                .expect("games are appended to a ledger by its store")
                .cast_unsigned(),
        };
        let timed = entry.nanos.len() == entry.record.plies.len();
        let facts = GameFacts::from(&entry.record);
        self.spans.push(GameSpan::at(&facts, timed, place));
    }

    /// Removes the games for which `keep` is false and returns them.
    pub(in crate::tournament) fn retain(&mut self, keep: impl Fn(GameId) -> bool) -> Self {
        let (kept, removed) = self.spans.iter().partition(|span| keep(span.id()));
        self.spans = kept;
        Self {
            records: self.records.clone(),
            spans: removed,
        }
    }

    /// Sorts the games by identity.
    pub fn sort(&mut self) {
        // In place: a stable sort would take half as much memory again.
        self.spans.sort_unstable_by_key(GameSpan::id);
    }
}

impl Games for Archive {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> GameId {
        self.spans[index].id()
    }

    fn entry(&self, index: usize) -> Cow<'_, Entry> {
        Cow::Owned(self.decode(&self.spans[index]))
    }

    fn facts(&self, index: usize) -> GameFacts {
        self.spans[index].facts()
    }

    fn entries(&self, indices: &[u32]) -> Vec<Cow<'_, Entry>> {
        let decode = |span: &GameSpan, record: &[u8]| Cow::Owned(span.decode(record));
        self.each_record(indices, decode)
    }

    fn setups(&self, indices: &[u32]) -> Vec<Option<Setup>> {
        self.each_record(indices, |_, record| decode_setup(record).ok())
    }
}

impl FromIterator<Entry> for Archive {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut archive = Self::default();
        entries
            .into_iter()
            .for_each(|entry| archive.push(&entry, None));
        archive
    }
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

/// Archives are equal if they hold the same games in the same order.
impl PartialEq for Archive {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::{varied_entries, varied_entry};

    #[test]
    fn games_are_packed_and_found_again() {
        let entries = varied_entries(7);
        let mut archive: Archive = entries.iter().rev().cloned().collect();
        assert!(archive.iter().eq(entries.iter().rev().cloned()));
        archive.sort();
        assert!(archive.iter().eq(entries.iter().cloned()));
        for (i, entry) in entries.iter().enumerate() {
            assert_eq!(archive.id(i), entry.record.id);
            assert_eq!(archive.entry(i).as_ref(), entry);
            assert_eq!(archive.facts(i), (&entry.record).into());
            assert_eq!(archive.find(entry.record.id).as_ref(), Some(entry));
        }
        let other = varied_entry(8).record.id;
        assert_eq!(archive.find(other), None);
        assert_eq!((archive.len(), archive.is_empty()), (7, false));
    }
}
