//! The results of a tournament, in a folder or in memory, checked against its plan.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use patchwork_engine::record::{Entry, GameFacts, GameId};
use patchwork_engine::util::InputError;

use super::schedule::{KnownGame, Schedule};
use super::state::TournamentState;
use crate::ledger::{
    self, Archive, Database, Delivery, EncodedGame, GameCheck, Ledger, LocatedGame, Store,
    StoredGame, TournamentError,
};
use crate::planning::game_number::{GameNumber, GameNumbers};
use crate::planning::identity::{GameAddress, PLAY};
use crate::planning::manifest::{Manifest, hex};
use crate::planning::planned_game::PlannedGame;
use crate::stats::RunningStatistics;

/// What happened to an offered game.
#[derive(Clone, Debug, PartialEq)]
pub enum Offered {
    /// The game is taken in, or the plan no longer needs it. These games newly count and are stored: usually the game itself.
    Counted(Vec<Entry>),
    /// The game is known, with the same record.
    Duplicate,
    /// The game is known with a different record, which is kept.
    Conflict,
    /// The game is not in the plan, or breaks the rules: a sentence.
    Refused(String),
}

/// The results of a tournament, checked against its plan: the games that are played, and those that are
/// missing.
///
/// Games come from an [`Executor`](crate::Executor). A game is stored as soon as it counts, if the folder is open for writing
/// ([`Self::open`]).
#[derive(Debug)]
pub struct Results {
    /// The manifest.
    pub manifest: Manifest,
    /// The progress of the plan, and the missing games.
    pub schedule: Schedule,
    /// The finished games that count, sorted by identity, then those that were taken in since.
    pub games: Archive,
    /// The statistics of the games, if threads of this process play all of them.
    pub statistics: Option<Box<RunningStatistics>>,
    /// The other games in the folder.
    pub aside: ExcludedGames,
    check: Arc<GameCheck>,
    /// Where games are stored; they are only in memory without it.
    store: Option<Store>,
    /// Whether the folder has the manifest, if it is open for writing.
    is_described: bool,
    /// The games in the folder that are not part of the plan.
    excluded: Vec<(GameAddress, GameFacts)>,
}

/// Games in a results folder that are not part of its plan, or do not count yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExcludedGames {
    /// Number of games of earlier settings of each agent that is still in the plan.
    pub earlier_settings: BTreeMap<String, u64>,
    /// Number of games of each agent that is no longer in the plan.
    pub removed_agents: BTreeMap<String, u64>,
    /// Number of games of the plan's agents that the plan does not contain, or does not count.
    pub unplanned: u64,
}

impl ExcludedGames {
    /// The number of reasons for which games are kept aside.
    pub fn groups(&self) -> usize {
        let agents = self.earlier_settings.len() + self.removed_agents.len();
        agents + usize::from(self.unplanned > 0)
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        let agents = self
            .earlier_settings
            .values()
            .chain(self.removed_agents.values());
        self.unplanned + agents.sum::<u64>()
    }
}

/// Number of agents that are named one by one.
const MAX_NAMED: usize = 3;

/// Says which games are kept aside, such as `60 belong to earlier settings of mcts-fast`.
impl fmt::Display for ExcludedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let belong = |games: u64, to: String| {
            let verb = if games == 1 { "belongs" } else { "belong" };
            format!("{games} {verb} to {to}")
        };
        let mut all = Vec::new();
        for (counts, of_one, of_many) in [
            (
                &self.earlier_settings,
                "earlier settings of ",
                "earlier settings of {} agents",
            ),
            (
                &self.removed_agents,
                "the removed agent ",
                "{} removed agents",
            ),
        ] {
            if counts.len() > MAX_NAMED {
                let many = of_many.replace("{}", &counts.len().to_string());
                all.push(belong(counts.values().sum(), many));
            } else {
                let each = counts.iter();
                all.extend(each.map(|(name, &games)| belong(games, format!("{of_one}{name}"))));
            }
        }
        if self.unplanned > 0 {
            let verb = if self.unplanned == 1 { "is" } else { "are" };
            all.push(format!("{} {verb} not part of the plan", self.unplanned));
        }
        match all.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => Ok(()),
        }
    }
}

impl Results {
    /// Reads a folder without changing it.
    ///
    /// # Errors
    /// When there are no results in the folder, they are damaged, or its games are not those of its
    /// manifest.
    pub fn read(dir: &Path) -> Result<Self, TournamentError> {
        Self::read_each(dir, &ledger::read_manifest(dir)?, |_| Ok(()))
    }

    /// Reads a folder with this manifest. `visit` is called for each game and may refuse it.
    pub(crate) fn read_each(
        dir: &Path,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame<'_>) -> Result<(), String> + Sync,
    ) -> Result<Self, TournamentError> {
        let mut games = FolderGames::new(manifest.clone());
        let check = Arc::clone(&games.check);
        let look = |game: StoredGame<'_>| {
            visit(&game)?;
            check.locate(&game)
        };
        let database = ledger::read_games(dir, manifest, look, |game| games.add(game))?;
        games.results(dir, database)
    }

    /// Opens the folder of a tournament for writing, or creates it. If the folder has another plan that may
    /// share games, it gets the new plan, and the other games are kept aside.
    ///
    /// # Errors
    /// When the folder's plan cannot share games with this one, its games have another version of play, it is
    /// damaged or in use, or cannot be written. In that case nothing is changed.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<Self, TournamentError> {
        Self::open_as(dir, |_| Ok(manifest.clone()))
    }

    /// Opens a folder like [`Self::open`], with the manifest that `choose` makes of the folder's own, if there is one.
    /// Nobody else changes the folder from then on.
    pub fn open_as(
        dir: &Path,
        choose: impl FnOnce(Option<&Manifest>) -> Result<Manifest, InputError>,
    ) -> Result<Self, TournamentError> {
        let (store, results) = if ledger::exists(dir)? {
            let (mut store, there) = Store::open(dir)?;
            let there = of_this_play(dir, there)?;
            let results = Self::in_store(&store, grown(dir, &there, &choose(Some(&there))?)?)?;
            if there != results.manifest {
                store.write_manifest(&results.manifest)?;
            }
            (store, results)
        } else {
            let manifest = choose(None)?;
            let store = Store::create(dir, &manifest)?;
            let results = FolderGames::new(manifest).results(dir, store.database())?;
            (store, results)
        };
        Ok(Self {
            store: Some(store),
            ..results
        })
    }

    /// The results in a ledger that is open, with this manifest.
    pub(crate) fn in_store(store: &Store, manifest: Manifest) -> Result<Self, TournamentError> {
        let mut games = FolderGames::new(manifest);
        let (manifest, check) = (games.manifest.clone(), Arc::clone(&games.check));
        let look = |game: StoredGame<'_>| check.locate(&game);
        store.read(&manifest, look, |game| games.add(game))?;
        games.results(store.dir(), store.database())
    }

    /// Reads a folder as [`Self::open`] would, without changing or creating it.
    pub fn preview(dir: &Path, manifest: &Manifest) -> Result<Self, TournamentError> {
        if !ledger::exists(dir)? {
            return Ok(Self::empty(manifest.clone()));
        }
        let grown = grown(dir, &playable(dir)?, manifest)?;
        Self::read_each(dir, &grown, |_| Ok(()))
    }

    /// Results without any games yet.
    pub fn empty(manifest: Manifest) -> Self {
        Self::new(manifest, Archive::default()).expect("no game is unplanned")
    }

    /// Results from these games of the plan. Games that do not count yet are left out.
    ///
    /// # Errors
    /// A description of the mismatch, if a game is not in the plan.
    pub fn new(manifest: Manifest, games: Archive) -> Result<Self, String> {
        let check = GameCheck::new(&manifest);
        Self::checked(manifest, Arc::new(check), games)
    }

    fn checked(
        manifest: Manifest,
        check: Arc<GameCheck>,
        mut games: Archive,
    ) -> Result<Self, String> {
        let plan = &manifest.plan;
        games.sort();
        let mut last = None;
        for game in games.facts() {
            let id = game.id();
            if !plan.contains(game.into()) {
                let GameId { pairing, pair, leg } = id;
                return Err(format!(
                    "a game that is not planned: pairing {pairing}, pair {pair}, leg {leg}"
                ));
            }
            if last.replace(id) == Some(id) {
                return Err(format!("the game {} twice", plan.game_name(id)));
            }
        }
        let schedule = Schedule::resume(plan, games.facts().iter().copied());
        let counted = games.len();
        games.retain(|id| schedule.waiting(id).is_none());
        let aside = ExcludedGames {
            unplanned: (counted - games.len()) as u64,
            ..ExcludedGames::default()
        };
        let statistics = games.is_empty().then(|| RunningStatistics::new(plan));
        Ok(Self {
            statistics: statistics.flatten().map(Box::new),
            manifest,
            schedule,
            games,
            aside,
            check,
            store: None,
            is_described: true,
            excluded: Vec::new(),
        })
    }

    /// Gives the folder another plan that may share games. The games that are there are found again, and those that wait are
    /// dropped. The folder has the plan from the next game on, or from the [end](Self::finish).
    ///
    /// # Errors
    /// When no game can belong to both plans, or the results are only in memory.
    pub fn grow(&mut self, manifest: &Manifest) -> Result<(), TournamentError> {
        let is_same = |there: &Manifest| {
            there.plan == manifest.plan && there.is_search_over == manifest.is_search_over
        };
        if is_same(&self.manifest) {
            return Ok(());
        }
        let Some(Ledger { dir, database, .. }) = self.games.ledger() else {
            return Err(InputError::new("results in memory keep their plan").into());
        };
        let mut games = FolderGames::new(grown(dir, &self.manifest, manifest)?);
        let planned = self.games.facts().iter().copied();
        let planned = planned.chain(self.schedule.stored_waiting());
        let planned = planned.map(|game| (self.check.address((&game).into()), game));
        for (address, facts) in planned.chain(self.excluded.iter().copied()) {
            let found = games.check.identified(&address, facts);
            let found = found.map_err(|what| TournamentError::mixed(dir, what))?;
            games.add((address, facts, found));
        }
        let results = games.results(dir, database.clone())?;
        *self = Self {
            store: self.store.take(),
            is_described: false,
            ..results
        };
        Ok(())
    }

    /// Numbers the games.
    pub fn numbers(&self) -> Result<GameNumbers, TournamentError> {
        self.games.numbers(&self.manifest.plan)
    }

    /// The index of a game, by its number or by a name that [`Plan::find`](crate::Plan::find) accepts.
    ///
    /// # Errors
    /// When the plan has no such game, or it has not been played.
    pub fn find_game(&self, name: &str) -> Result<usize, InputError> {
        let (plan, numbers) = (&self.manifest.plan, self.numbers()?);
        let game = match name.parse() {
            Ok(number) => numbers
                .find(number)
                .and_then(|(seats, pair)| plan.game_of(seats, pair)),
            Err(_) => plan.find(name),
        };
        let Some(game) = game else {
            return Err(InputError::new(format!(
                "'{name}' is not a game of this plan: expected its number in games.db, such as {}, or pairing, pair and \
                 leg such as '{}/0/1'",
                plan.game(0)
                    .map_or(GameNumber::default(), |game| numbers.of(game)),
                plan.game_name(GameId::default()).trim_end_matches("/0/0")
            )));
        };
        self.games.index(game.id).ok_or_else(|| {
            let number = numbers.of(game);
            InputError::new(format!("game {number} has not been played"))
        })
    }

    /// Whether nothing is left to be played: all games of the plan count, or the search that chooses them is over.
    pub fn is_over(&self) -> bool {
        let is_over = || self.schedule.is_over();
        self.manifest.is_search_over.unwrap_or_else(is_over)
    }

    /// How far the tournament is.
    pub fn state(&self) -> TournamentState {
        let ledger = self.games.ledger();
        match self.is_over() {
            _ if ledger.is_some_and(|ledger| ledger::is_locked(&ledger.dir)) => {
                TournamentState::running(&self.manifest)
            }
            true => TournamentState::Complete,
            false => TournamentState::Stopped,
        }
    }

    /// Checks a game that was played elsewhere, and takes it in if it is new and asked for.
    ///
    /// # Errors
    /// When the game cannot be stored.
    pub fn offer(
        &mut self,
        address: &GameAddress,
        mut entry: Entry,
        by: Delivery,
    ) -> Result<Offered, TournamentError> {
        let id = match self.check.identify(address, &mut entry) {
            Ok(id) => id,
            Err(what) => return Ok(Offered::Refused(what)),
        };
        if let Some(known) = self.known(id)? {
            return Ok(match ledger::is_same_game(&known, &entry) {
                true => Offered::Duplicate,
                false => Offered::Conflict,
            });
        }
        if !self.schedule.is_asked_for(id) {
            return Ok(Offered::Counted(Vec::new()));
        }
        match self.check.check_offered(&entry) {
            Ok(()) => self.add(entry.into(), Some(by)).map(Offered::Counted),
            Err(what) => Ok(Offered::Refused(what)),
        }
    }

    /// A game that was taken in before, whether or not it counts yet.
    fn known(&self, id: GameId) -> Result<Option<Entry>, TournamentError> {
        if !self.schedule.is_known(id) {
            return Ok(None);
        }
        match self.schedule.waiting(id) {
            None => self.games.find(id),
            Some(KnownGame::Stored(game)) => Ok(self.games.unpack(&[*game])?.pop()),
            Some(KnownGame::Played(game, _)) => Ok(Some(game.entry().clone())),
        }
    }

    /// Takes in a game that need not be checked, with who played it, and returns the games that newly count. A game that
    /// does not count yet is stored when it does.
    ///
    /// # Errors
    /// When the game cannot be stored.
    pub fn add(
        &mut self,
        game: EncodedGame,
        by: Option<Delivery>,
    ) -> Result<Vec<Entry>, TournamentError> {
        let game = KnownGame::Played(Box::new(game), by);
        let mut stored = Vec::new();
        for game in self.schedule.finish(game) {
            match game {
                KnownGame::Stored(facts) => self.games.push_stored(facts),
                KnownGame::Played(game, by) => {
                    stored.push(self.keep(*game, by.as_ref())?);
                }
            }
        }
        Ok(stored)
    }

    /// Stores a game that counts, with who played it.
    fn keep(&mut self, game: EncodedGame, by: Option<&Delivery>) -> Result<Entry, TournamentError> {
        self.describe()?;
        if let Some(store) = &mut self.store {
            let address = self.check.address((&game.entry().record).into());
            store.append(&address, &game, by)?;
        }
        Ok(self.games.push(game))
    }

    /// Writes the manifest into the folder, if it is open for writing and does not have it.
    fn describe(&mut self) -> Result<(), TournamentError> {
        if let Some(store) = &mut self.store
            && !self.is_described
        {
            store.write_manifest(&self.manifest)?;
        }
        self.is_described = true;
        Ok(())
    }

    /// Ends what an executor did: the games that were taken in count, and are sorted.
    pub fn settle(&mut self) -> Result<(), TournamentError> {
        self.games.sort();
        self.commit()
    }

    /// Commits the games that were taken in, if the folder is open for writing: they count from now on.
    pub fn commit(&mut self) -> Result<(), TournamentError> {
        self.store.as_mut().map_or(Ok(()), Store::commit)
    }

    /// The address of a game of the plan.
    pub fn address(&self, game: PlannedGame) -> GameAddress {
        self.check.address(game)
    }

    /// The game of the plan at an address with the plan's seed.
    pub fn planned(&self, address: &GameAddress) -> Option<PlannedGame> {
        self.check.planned(address)
    }

    /// Ends writing: the games are on disk, and the folder is released. The results can still be read.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn finish(&mut self) -> Result<(), TournamentError> {
        self.games.sort();
        self.describe()?;
        self.store.take().map_or(Ok(()), Store::finish)
    }
}

impl TournamentState {
    /// The state of the tournament in a folder. Its games are read unless a program adds some.
    ///
    /// # Errors
    /// When the folder has no ledger, or the ledger cannot be read for another reason than damage.
    pub fn of(dir: &Path) -> Result<Self, TournamentError> {
        let state = match ledger::is_locked(dir) {
            true => ledger::read_manifest(dir).map(|manifest| Self::running(&manifest)),
            false => Results::read(dir).map(|results| results.state()),
        };
        match state {
            Err(error) if error.is_damage() => Ok(Self::Damaged),
            state => state,
        }
    }
}

/// The manifest of a folder with a new plan.
fn grown(dir: &Path, there: &Manifest, new: &Manifest) -> Result<Manifest, TournamentError> {
    let grown = there.with_plan(&new.plan);
    let grown = grown.map_err(|what| TournamentError::OtherPlan {
        dir: dir.to_owned(),
        what,
    })?;
    Ok(Manifest {
        is_search_over: new.is_search_over,
        ..grown
    })
}

/// The games of a folder with this manifest.
struct FolderGames {
    manifest: Manifest,
    check: Arc<GameCheck>,
    planned: Vec<GameFacts>,
    excluded: Vec<(GameAddress, GameFacts)>,
}

impl FolderGames {
    fn new(manifest: Manifest) -> Self {
        Self {
            check: Arc::new(GameCheck::new(&manifest)),
            manifest,
            planned: Vec::new(),
            excluded: Vec::new(),
        }
    }

    fn add(&mut self, (address, facts, found): LocatedGame) {
        match found {
            Some(game) => self.planned.push(game),
            None => self.excluded.push((address, facts)),
        }
    }

    /// The results from these games, which this database has.
    fn results(self, dir: &Path, database: Database) -> Result<Results, TournamentError> {
        let ledger = Ledger::new(dir, database, Arc::clone(&self.check));
        let archive = Archive::in_ledger(ledger, self.planned);
        let results = Results::checked(self.manifest, self.check, archive);
        let wrong = |what| TournamentError::mixed(dir, format!("the ledger holds {what}"));
        let mut results = results.map_err(wrong)?;
        let Manifest { plan, earlier, .. } = &results.manifest;
        let mut counts = vec![0; earlier.len()];
        for (address, _) in &self.excluded {
            match results.check.earlier_agent(address) {
                Ok(Some(agent)) => counts[agent] += 1,
                _ => results.aside.unplanned += 1,
            }
        }
        for (earlier, games) in earlier.iter().zip(counts).filter(|(_, games)| *games > 0) {
            let mut agents = plan.agents().iter();
            let has_name = agents.clone().any(|agent| agent.name == earlier.name);
            // Games of a removed copy of an agent do not count as games of earlier settings.
            let counts = match has_name && agents.all(|agent| agent.config != earlier.config) {
                true => &mut results.aside.earlier_settings,
                false => &mut results.aside.removed_agents,
            };
            *counts.entry(earlier.name.clone()).or_default() += games;
        }
        results.excluded = self.excluded;
        Ok(results)
    }
}

/// The manifest of a folder to which this program may add games.
pub(crate) fn playable(dir: &Path) -> Result<Manifest, TournamentError> {
    of_this_play(dir, ledger::read_manifest(dir)?)
}

/// The manifest of a folder, if its games are of this version of play.
pub(crate) fn of_this_play(dir: &Path, manifest: Manifest) -> Result<Manifest, TournamentError> {
    if manifest.play != hex(PLAY) {
        return Err(TournamentError::OtherPlay {
            dir: dir.to_owned(),
            version: manifest.version,
            play: manifest.play,
        });
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use patchwork_engine::search::Stop;

    use super::*;
    use crate::testing::plan;
    use crate::{Executor as _, Format, LocalThreads};

    #[test]
    fn games_are_asked_for_checked_and_stored() {
        let above = tempfile::tempdir().unwrap();
        let dir = above.path().join("t");
        let plan = plan(&["a", "b"], Format::RoundRobin, 2).unwrap();
        let manifest = Manifest::new("t".to_owned(), plan.clone());
        let mut alone = Results::empty(manifest.clone());
        let mut threads = LocalThreads(NonZeroUsize::MIN);
        threads
            .play(&mut alone, &Stop::new(), &mut |_, _| ())
            .unwrap();
        let games: Vec<PlannedGame> = plan.games().collect();
        let entries: Vec<Entry> = alone.games.iter().collect::<Result<_, _>>().unwrap();
        assert_eq!((games.len(), entries.len()), (4, 4));

        let mut results = Results::open(&dir, &manifest).unwrap();
        results.schedule.restrict_to(&games[..2]);
        let mut offer = |game: usize, entry: &Entry| {
            let by = Delivery {
                worker: "w".to_owned(),
                attempt: 1,
            };
            results.offer(&alone.address(games[game]), entry.clone(), by)
        };
        let mut untimed = entries[0].clone();
        untimed.nanos.pop();
        let refused = "a|b/0/0: it does not have a time for each ply".to_owned();
        assert_eq!(offer(0, &untimed).unwrap(), Offered::Refused(refused));
        let counted = offer(0, &entries[0]).unwrap();
        assert_eq!(counted, Offered::Counted(vec![entries[0].clone()]));
        assert_eq!(offer(0, &entries[0]).unwrap(), Offered::Duplicate);
        let mut other = entries[0].clone();
        other.record.plies[0].thought.iterations += 1;
        assert_eq!(offer(0, &other).unwrap(), Offered::Conflict);
        assert_eq!(offer(2, &entries[2]).unwrap(), Offered::Counted(Vec::new()));

        assert!(!results.schedule.is_complete());
        let mut played = Vec::new();
        let mut watch = |entry: &Entry, _: &Results| played.push(entry.record.clone());
        threads
            .play(&mut results, &Stop::new(), &mut watch)
            .unwrap();
        assert!(results.schedule.is_complete());
        assert_eq!(played, [entries[1].record.clone()]);
        results.finish().unwrap();
        let results = Results::read(&dir).unwrap();
        let found = results.games.find(games[0].id).unwrap();
        assert_eq!(found.as_ref(), Some(&entries[0]));
        assert!(results.schedule.eq(games[2..].iter().copied()));
    }

    #[test]
    fn a_plan_that_grows_finds_its_games_again_and_the_folder_says_how_far_it_is() {
        let above = tempfile::tempdir().unwrap();
        let dir = above.path().join("t");
        let search = |agents: usize, is_over| {
            let plan = plan(&["a", "b", "c", "d"][..agents], Format::RoundRobin, 1).unwrap();
            Manifest {
                is_search_over: Some(is_over),
                ..Manifest::new("t".to_owned(), plan)
            }
        };
        let play = |results: &mut Results| {
            let mut threads = LocalThreads(NonZeroUsize::MIN);
            let played = threads.play(results, &Stop::new(), &mut |_, _| ());
            assert!(played.unwrap().complete);
        };
        let state = || TournamentState::of(&dir).unwrap();
        let counts = |results: &Results| (results.games.len(), results.aside.games());
        let mut results = Results::open(&dir, &search(3, false)).unwrap();
        play(&mut results);
        results.finish().unwrap();
        assert_eq!(
            (counts(&results), state()),
            ((6, 0), TournamentState::Stopped)
        );

        // The search begins again, with fewer agents at first.
        let mut results = Results::open(&dir, &search(2, false)).unwrap();
        assert_eq!(
            (counts(&results), state()),
            ((2, 4), TournamentState::Searching)
        );
        results.grow(&search(3, false)).unwrap();
        assert_eq!(counts(&results), (6, 0));
        assert!(results.games.iter().all(|entry| entry.is_ok()));
        results.grow(&search(4, false)).unwrap();
        play(&mut results);
        results.grow(&search(4, true)).unwrap();
        results.finish().unwrap();
        assert_eq!(
            (counts(&results), state()),
            ((12, 0), TournamentState::Complete)
        );
        let found = Results::read(&dir).unwrap();
        assert_eq!(
            (counts(&found), found.state()),
            ((12, 0), TournamentState::Complete)
        );

        let mut bytes = std::fs::read(dir.join(ledger::GAMES)).unwrap();
        bytes.truncate(4096);
        std::fs::write(dir.join(ledger::GAMES), bytes).unwrap();
        assert_eq!(state(), TournamentState::Damaged);
    }
}
