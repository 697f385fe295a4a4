//! Finished games in memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use patchwork_engine::game::Setup;
use patchwork_engine::record::{Entry, GameFacts, GameId};
use patchwork_rating::RatedGame;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};

use super::codec::{EncodedGame, decode_entry, decode_setup};
use super::database::{Database, failed};
use super::error::TournamentError;
use super::game_check::GameCheck;
use crate::planning::game_number::{GameNumber, GameNumbers};
use crate::planning::identity::AgentId;
use crate::planning::plan::Plan;

/// Number of games that are read at a time.
const BLOCK: usize = 1024;

/// Why a record in memory can be decoded.
const ENTRY: &str = "these bytes were an entry before";

/// Finished games, either in memory or in a ledger. A game is unpacked when it is asked for; only then is it known whether
/// it is legal. Games in a ledger take 22 bytes of memory each.
#[derive(Clone, Default)]
pub struct Archive {
    records: Records,
    facts: Vec<GameFacts>,
}

#[derive(Clone)]
enum Records {
    Memory(HashMap<GameId, Vec<u8>>),
    Ledger(Ledger),
}

impl Default for Records {
    fn default() -> Self {
        Self::Memory(HashMap::new())
    }
}

/// A ledger that is open, and what its games have to be.
#[derive(Clone)]
pub(crate) struct Ledger {
    pub(crate) dir: PathBuf,
    pub(crate) database: Database,
    pub(crate) check: Arc<GameCheck>,
    /// The numbers of its games, once they were asked for.
    numbers: Arc<OnceLock<GameNumbers>>,
}

impl Ledger {
    pub(crate) fn new(dir: &Path, database: Database, check: Arc<GameCheck>) -> Self {
        Self {
            dir: dir.to_owned(),
            database,
            check,
            numbers: Arc::default(),
        }
    }

    /// Numbers the games of the plan.
    fn numbers(&self) -> Result<GameNumbers, TournamentError> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers.clone());
        }
        let agents = super::agents(&self.database.lock()).map_err(failed(&self.dir, "be read"))?;
        let mut next = agents.len() as u16;
        let known: HashMap<AgentId, u16> = agents.into_iter().zip(0..).collect();
        let number = |id: &AgentId| {
            known.get(id).copied().unwrap_or_else(|| {
                // An agent that is not there yet gets the next number.
                next = next.wrapping_add(1);
                next.wrapping_sub(1)
            })
        };
        let numbers = GameNumbers::new(self.check.streams().agents().iter().map(number).collect());
        Ok(self.numbers.get_or_init(|| numbers).clone())
    }
}

impl Archive {
    /// These games of a ledger.
    pub(crate) const fn in_ledger(ledger: Ledger, facts: Vec<GameFacts>) -> Self {
        Self {
            records: Records::Ledger(ledger),
            facts,
        }
    }

    /// The folder, if the games are in a ledger.
    pub(crate) fn ledger(&self) -> Option<&Ledger> {
        match &self.records {
            Records::Memory(_) => None,
            Records::Ledger(ledger) => Some(ledger),
        }
    }

    /// Numbers the games of the plan: in memory as in a new ledger.
    pub fn numbers(&self, plan: &Plan) -> Result<GameNumbers, TournamentError> {
        match &self.records {
            Records::Memory(_) => Ok(GameNumbers::new((0..plan.agents().len() as u16).collect())),
            Records::Ledger(ledger) => ledger.numbers(),
        }
    }

    /// The processors on which games were added to the ledger, each once; empty for games in memory, and if they cannot be
    /// read.
    pub fn processors(&self) -> Vec<String> {
        let database = self.ledger().map(|ledger| ledger.database.processors());
        database.and_then(Result::ok).unwrap_or_default()
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The games without their decisions.
    pub fn facts(&self) -> &[GameFacts] {
        &self.facts
    }

    /// The games without their decisions, without the rest of the archive.
    pub fn into_facts(self) -> Vec<GameFacts> {
        self.facts
    }

    /// A game in the form used for ratings, without reading the file.
    ///
    /// # Panics
    /// When there are not as many games.
    pub fn rated(&self, index: usize) -> RatedGame {
        rated(&self.facts[index])
    }

    /// The game at `index`, which is below [`Self::len`].
    pub fn entry(&self, index: usize) -> Result<Entry, TournamentError> {
        Ok(self.unpack(&self.facts[index..=index])?.remove(0))
    }

    /// The games at these indices, which takes less time than one after another.
    pub fn entries(&self, indices: &[u32]) -> Result<Vec<Entry>, TournamentError> {
        let games = indices.iter().map(|&index| self.facts[index as usize]);
        self.unpack(&games.collect::<Vec<_>>())
    }

    /// Games whose records are here, whether or not they are some of the archive.
    pub(crate) fn unpack(&self, games: &[GameFacts]) -> Result<Vec<Entry>, TournamentError> {
        let decode = |game: &GameFacts, record: &[u8]| {
            let (mut entry, is_legal) = decode_entry(record)?;
            entry.record.id = game.id();
            entry.record.agents = game.agents;
            if let Records::Ledger(ledger) = &self.records {
                ledger.check.check(&entry, is_legal)?;
            }
            Ok(entry)
        };
        match &self.records {
            Records::Memory(records) => {
                let all = games.par_iter();
                let all = all.map(|game| decode(game, &records[&game.id()]));
                let all: Result<Vec<Entry>, String> = all.collect();
                Ok(all.expect(ENTRY))
            }
            Records::Ledger(ledger) => {
                let Ledger { dir, database, .. } = ledger;
                let numbers = ledger.numbers()?;
                let numbers: Vec<i64> = games.iter().map(|game| numbers.of(game).get()).collect();
                let records = database.records(&numbers).map_err(failed(dir, "be read"))?;
                let all = games.par_iter().zip(&numbers).zip(&records);
                let unpacked = all.map(|((game, &number), record)| {
                    decode(game, record).map_err(|what| {
                        TournamentError::game(dir, GameNumber::of_row(number), &what)
                    })
                });
                // The first fault must not depend on threads.
                let unpacked: Vec<_> = unpacked.collect();
                unpacked.into_iter().collect()
            }
        }
    }

    /// The setup of the game at `index`, which is below [`Self::len`]. In a ledger it is that of the plan: a game with another
    /// one is refused when it is unpacked.
    pub fn setup(&self, index: usize) -> Setup {
        let game = &self.facts[index];
        match &self.records {
            Records::Memory(records) => decode_setup(&records[&game.id()]).expect(ENTRY),
            Records::Ledger(ledger) => ledger.check.streams().setup(game.into()),
        }
    }

    /// The games, of which some are read at a time.
    pub fn iter(&self) -> impl Iterator<Item = Result<Entry, TournamentError>> {
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

    /// The index of the game with this identity, which is found fast if the games are sorted.
    pub fn index(&self, id: GameId) -> Option<usize> {
        let found = self.facts.binary_search_by_key(&id, GameFacts::id).ok();
        found.or_else(|| self.facts.iter().position(|game| game.id() == id))
    }

    /// The game with this identity.
    pub fn find(&self, id: GameId) -> Result<Option<Entry>, TournamentError> {
        let index = self.index(id);
        index.map(|index| self.entry(index)).transpose()
    }

    /// Appends a game and returns it; that of an archive in a ledger is there already.
    pub(crate) fn push(&mut self, game: EncodedGame) -> Entry {
        let facts = GameFacts::from(&game.entry().record);
        self.push_stored(facts);
        let (entry, record) = game.into_parts();
        if let Records::Memory(records) = &mut self.records {
            records.insert(facts.id(), record);
        }
        entry
    }

    /// Appends a game whose record is here.
    pub(crate) fn push_stored(&mut self, facts: GameFacts) {
        self.facts.push(facts);
    }

    /// Removes the games for which `keep` is false. Their records stay.
    pub(crate) fn retain(&mut self, keep: impl Fn(GameId) -> bool) {
        self.facts.retain(|game| keep(game.id()));
    }

    /// The same games, sorted by identity.
    pub fn sorted(&self) -> Cow<'_, Self> {
        let mut games = Cow::Borrowed(self);
        if !self.facts.is_sorted_by_key(GameFacts::id) {
            games.to_mut().sort();
        }
        games
    }

    /// Sorts the games by identity.
    pub fn sort(&mut self) {
        // In place: a stable sort would take half as much memory again.
        self.facts.sort_unstable_by_key(GameFacts::id);
    }
}

/// A game in the form used for ratings.
pub(crate) fn rated(game: &GameFacts) -> RatedGame {
    RatedGame::of_pair(game.pairing, game.pair, game.agents, game.first_won())
}

/// The games, sorted by identity.
impl FromIterator<Entry> for Archive {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut archive = Self::default();
        for entry in entries {
            archive.push(entry.into());
        }
        archive.sort();
        archive
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.facts.iter().map(GameFacts::id);
        f.debug_list().entries(ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_test_support::tournaments::{varied_entries, varied_entry};

    #[test]
    fn games_are_packed_and_found_again() {
        let entries = varied_entries(7);
        let archive: Archive = entries.iter().rev().cloned().collect();
        let all = |archive: &Archive| archive.iter().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(all(&archive), entries);
        for (i, entry) in entries.iter().enumerate() {
            assert_eq!(archive.facts()[i].id(), entry.record.id);
            assert_eq!(archive.entry(i).unwrap(), *entry);
            assert_eq!(archive.facts()[i], (&entry.record).into());
            let found = archive.find(entry.record.id).unwrap();
            assert_eq!(found.as_ref(), Some(entry));
        }
        let other = varied_entry(8).record.id;
        assert_eq!(archive.find(other).unwrap(), None);
        assert_eq!((archive.len(), archive.is_empty()), (7, false));
    }
}
