//! Finished games in memory.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use patchwork_engine::game::{Player, Setup};
use patchwork_engine::record::{Entry, FaultReason, GameFacts, GameId};
use patchwork_rating::RatedGame;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};

use super::StoredGame;
use super::codec::{decode_entry, decode_setup, encode_entry};
use super::database::{Database, failed};
use super::error::StoreError;
use crate::planning::encounter::{GameResult, PlannedGame};

/// Number of games that are read at a time.
const BLOCK: usize = 1024;

/// Finished games, either in memory or in a ledger. A game is unpacked when it is asked for; only then is it known whether
/// it is legal. Games in a ledger take 28 bytes of memory each.
#[derive(Clone)]
pub struct Archive {
    records: Records,
    spans: Vec<GameSpan>,
}

#[derive(Clone)]
enum Records {
    Memory(Vec<u8>),
    Ledger(Ledger),
}

/// A ledger that is open, and what its games have to be.
#[derive(Clone)]
pub(crate) struct Ledger {
    pub(crate) dir: PathBuf,
    pub(crate) database: Database,
    /// Whether an unpacked game is the one of the plan that it is said to be; `true` if it is known to be legal.
    pub(crate) check: Arc<Check>,
}

type Check = dyn Fn(&Entry, bool) -> Result<(), String> + Send + Sync;

/// The location of a game, and its facts. There is one for each game in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameSpan {
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
    pub(crate) fn new(game: &StoredGame<'_>, planned: PlannedGame) -> Self {
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

    /// The game of these bytes, and whether it is known to be legal.
    fn decode(&self, record: &[u8]) -> Result<(Entry, bool), String> {
        let (mut entry, is_legal) = decode_entry(record)?;
        entry.record.id = self.id();
        entry.record.agents = self.agents;
        Ok((entry, is_legal))
    }

    const fn place(&self) -> u64 {
        (self.place[1] as u64) << u32::BITS | self.place[0] as u64
    }

    pub(crate) const fn id(&self) -> GameId {
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
    pub(crate) const fn in_ledger(ledger: Ledger, spans: Vec<GameSpan>) -> Self {
        Self {
            records: Records::Ledger(ledger),
            spans,
        }
    }

    /// Passes the bytes of games to a function, on several threads. What the function refuses is an error of that game.
    fn each_record<T: Send>(
        &self,
        indices: &[u32],
        look: impl Fn(&GameSpan, &[u8]) -> Result<T, String> + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let span = |&index: &u32| &self.spans[index as usize];
        match &self.records {
            Records::Memory(bytes) => {
                let all = indices.par_iter().map(span);
                let all = all.map(|span| look(span, span.record_in(bytes)));
                let all: Result<Vec<T>, String> = all.collect();
                Ok(all.expect("these bytes were an entry before"))
            }
            Records::Ledger(Ledger { dir, database, .. }) => {
                let numbers = indices
                    .iter()
                    .map(|index| span(index).place().cast_signed());
                let records = database.records(numbers).map_err(failed(dir, "be read"))?;
                let all = indices.par_iter().map(span).zip(&records);
                let looked = all.map(|(span, record)| {
                    let number = span.place().cast_signed();
                    look(span, record).map_err(|what| StoreError::game(dir, number, &what))
                });
                // The first fault must not depend on threads.
                let looked: Vec<_> = looked.collect();
                looked.into_iter().collect()
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
    pub fn results(&self) -> impl Iterator<Item = GameResult> {
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
    pub fn seats(&self) -> impl Iterator<Item = [u16; 2]> {
        self.spans.iter().map(|span| span.agents)
    }

    /// For each game, whether every ply has a time.
    pub(crate) fn timed(&self) -> impl Iterator<Item = bool> {
        self.spans.iter().map(|span| span.is(GameSpan::TIMED))
    }

    /// The identity of the game at `index`, which is below [`Self::len`].
    #[must_use]
    pub fn id(&self, index: usize) -> GameId {
        self.spans[index].id()
    }

    /// The game at `index`, which is below [`Self::len`], without its decisions.
    #[must_use]
    pub fn facts(&self, index: usize) -> GameFacts {
        self.spans[index].facts()
    }

    /// The game at `index`, which is below [`Self::len`].
    pub fn entry(&self, index: usize) -> Result<Entry, StoreError> {
        let mut entries = self.entries(&[index as u32])?;
        Ok(entries.remove(0))
    }

    /// The games at these indices, which takes less time than one after another.
    pub fn entries(&self, indices: &[u32]) -> Result<Vec<Entry>, StoreError> {
        self.each_record(indices, |span, record| {
            let (entry, is_legal) = span.decode(record)?;
            if let Records::Ledger(ledger) = &self.records {
                (ledger.check)(&entry, is_legal)?;
            }
            Ok(entry)
        })
    }

    /// The setups of the games at these indices, which need not be unpacked for it; `None` if the record has none.
    pub fn setups(&self, indices: &[u32]) -> Result<Vec<Option<Setup>>, StoreError> {
        self.each_record(indices, |_, record| Ok(decode_setup(record).ok()))
    }

    /// The games, of which some are read at a time.
    pub fn iter(&self) -> impl Iterator<Item = Result<Entry, StoreError>> {
        let starts = (0..self.len() as u32).step_by(BLOCK);
        starts.flat_map(|start| {
            let end = (start + BLOCK as u32).min(self.len() as u32);
            let indices: Vec<u32> = (start..end).collect();
            match self.entries(&indices) {
                Ok(entries) => entries.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        })
    }

    /// The index of the game with this identity.
    #[must_use]
    pub fn index(&self, id: GameId) -> Option<usize> {
        self.spans.iter().position(|span| span.id() == id)
    }

    /// The game with this identity.
    pub fn find(&self, id: GameId) -> Result<Option<Entry>, StoreError> {
        let index = self.index(id);
        index.map(|index| self.entry(index)).transpose()
    }

    /// Appends a game. `stored` is its number in the ledger; an archive in memory does not need it.
    ///
    /// # Panics
    /// When the games are those of a ledger and the number is missing.
    pub(crate) fn push(&mut self, entry: &Entry, stored: Option<i64>) {
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
    pub(crate) fn retain(&mut self, keep: impl Fn(GameId) -> bool) -> Self {
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

impl FromIterator<Entry> for Archive {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut archive = Self::default();
        entries
            .into_iter()
            .for_each(|entry| archive.push(&entry, None));
        archive
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
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
        let all = |archive: &Archive| archive.iter().collect::<Result<Vec<_>, _>>().unwrap();
        assert!(all(&archive).iter().eq(entries.iter().rev()));
        archive.sort();
        assert_eq!(all(&archive), entries);
        for (i, entry) in entries.iter().enumerate() {
            assert_eq!(archive.id(i), entry.record.id);
            assert_eq!(archive.entry(i).unwrap(), *entry);
            assert_eq!(archive.facts(i), (&entry.record).into());
            let found = archive.find(entry.record.id).unwrap();
            assert_eq!(found.as_ref(), Some(entry));
        }
        let other = varied_entry(8).record.id;
        assert_eq!(archive.find(other).unwrap(), None);
        assert_eq!((archive.len(), archive.is_empty()), (7, false));
    }
}
