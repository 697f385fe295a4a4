//! The results of a tournament, in a folder or in memory, checked against its plan.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use patchwork_engine::record::{Entry, GameFacts, GameId};
use patchwork_engine::util::InputError;

use super::game_check::{GameCheck, GamePlace};
use super::schedule::Schedule;
use crate::ledger::Delivery;
use crate::ledger::{
    self, Archive, Database, Ledger, Store, StoredGame, TournamentError, record_digest,
};
use crate::planning::game_number::{GameNumber, GameNumbers};
use crate::planning::identity::{GameAddress, PLAY};
use crate::planning::manifest::{Manifest, hex};
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;

/// What happened to an offered game.
#[derive(Clone, Debug, PartialEq)]
pub enum Offered {
    /// These games newly count and are stored: usually the game itself.
    Counted(Vec<Entry>),
    /// The game does not count until earlier games do.
    Waits,
    /// The game is known, with the same record.
    Duplicate,
    /// The game is known with a different record, which is kept.
    Conflict,
    /// The plan no longer needs the game.
    NotNeeded,
    /// The game is not in the plan, or breaks the rules: a sentence.
    Refused(String),
}

/// The results of a tournament, checked against its plan: the games that are played, and those that are
/// missing.
///
/// Games come from the plan's own agents ([`Self::play`]) or from elsewhere (`offer`). A game is stored
/// as soon as it counts, if the folder is open for writing ([`Self::open`]).
#[derive(Debug)]
pub struct Results {
    /// The manifest.
    pub manifest: Manifest,
    /// The progress of the plan, and the missing games.
    pub schedule: Schedule,
    /// The finished games that count, sorted by identity, then those that were taken in since.
    pub games: Archive,
    /// The other games in the folder.
    pub aside: ExcludedGames,
    check: Arc<GameCheck>,
    /// Where games are stored; they are only in memory without it.
    store: Option<Store>,
    /// Games that were taken in and do not count yet.
    waiting: HashMap<GameId, (Entry, Option<Delivery>)>,
    /// Stored games that do not count yet.
    uncounted: Archive,
    /// A game that the schedule handed out and that is not part of a pair yet.
    next: Option<PlannedGame>,
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
        let list = |counts: &BTreeMap<String, u64>, what: &str, many: &str| -> Vec<String> {
            if counts.len() > MAX_NAMED {
                let games = counts.values().sum();
                return vec![belong(games, many.replace("{}", &counts.len().to_string()))];
            }
            let each = counts.iter();
            each.map(|(name, &games)| belong(games, format!("{what} {name}")))
                .collect()
        };
        let earlier = list(
            &self.earlier_settings,
            "earlier settings of",
            "earlier settings of {} agents",
        );
        let removed = list(
            &self.removed_agents,
            "the removed agent",
            "{} removed agents",
        );
        let unplanned = (self.unplanned > 0).then(|| {
            let verb = if self.unplanned == 1 { "is" } else { "are" };
            format!("{} {verb} not part of the plan", self.unplanned)
        });
        let all: Vec<String> = earlier
            .into_iter()
            .chain(removed)
            .chain(unplanned)
            .collect();
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
        let (results, _) = Self::read_each(dir, &ledger::read_manifest(dir)?, |_| ())?;
        Ok(results)
    }

    /// Reads a folder with this manifest, and passes each game to `visit`.
    pub(crate) fn read_each<T: Send>(
        dir: &Path,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame<'_>) -> T + Sync,
    ) -> Result<(Self, Vec<T>), TournamentError> {
        let check = Arc::new(GameCheck::new(manifest));
        let locate = |game: StoredGame<'_>| Ok((visit(&game), check.place(&game)?));
        let mut located = Located::new(manifest);
        let database = ledger::read_games(dir, manifest, locate, |game| located.add(game))?;
        Self::of_scan(dir, manifest, check, located, database)
    }

    /// Opens the folder of a tournament for writing, or creates it. If the folder has another plan that may
    /// share games, it gets the new plan, and the other games are kept aside.
    ///
    /// # Errors
    /// When the folder's plan cannot share games with this one, its games have another version of play, it is
    /// damaged or in use, or cannot be written. In that case nothing is changed.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<Self, TournamentError> {
        let (store, results, _) = Self::open_each(dir, manifest, |_| ())?;
        Ok(results.storing_in(store))
    }

    /// Opens a folder like [`Self::open`] and passes each game to `visit`, whether or not it is in the plan.
    pub fn open_each<T: Send>(
        dir: &Path,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame<'_>) -> T + Sync,
    ) -> Result<(Store, Self, Vec<T>), TournamentError> {
        if !ledger::exists(dir)? {
            let store = Store::create(dir, manifest)?;
            let mut results = Self::empty(manifest.clone());
            let ledger = ledger_of(dir, store.database(), &results.check);
            results.games = Archive::in_ledger(ledger, Vec::new());
            return Ok((store, results, Vec::new()));
        }
        let there = playable(dir)?;
        let grown = grown(dir, &there, &manifest.plan)?;
        let check = Arc::new(GameCheck::new(&grown));
        let locate = |game: StoredGame<'_>| Ok((visit(&game), check.place(&game)?));
        let mut located = Located::new(&grown);
        let mut store = Store::open(dir, locate, |game| located.add(game))?;
        let (results, seen) = Self::of_scan(dir, &grown, check, located, store.database())?;
        if there != grown {
            store.write_manifest(&grown)?;
        }
        Ok((store, results, seen))
    }

    /// Reads a folder as [`Self::open`] would, without changing or creating it.
    pub fn preview(dir: &Path, manifest: &Manifest) -> Result<Self, TournamentError> {
        if !ledger::exists(dir)? {
            return Ok(Self::empty(manifest.clone()));
        }
        let grown = grown(dir, &playable(dir)?, &manifest.plan)?;
        let (results, _) = Self::read_each(dir, &grown, |_| ())?;
        Ok(results)
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
        let check = Arc::new(GameCheck::new(&manifest));
        Self::checked(manifest, check, games)
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
        let (mut uncounted, mut aside) = (Archive::default(), ExcludedGames::default());
        if schedule.has_waiting() {
            uncounted = games.retain(|id| !schedule.is_waiting(id));
            aside.unplanned = uncounted.len() as u64;
        }
        Ok(Self {
            manifest,
            schedule,
            games,
            aside,
            check,
            store: None,
            waiting: HashMap::new(),
            uncounted,
            next: None,
        })
    }

    /// Results from the located games of a scan, with what a visitor returned for each game.
    fn of_scan<T>(
        dir: &Path,
        manifest: &Manifest,
        check: Arc<GameCheck>,
        located: Located<T>,
        database: Database,
    ) -> Result<(Self, Vec<T>), TournamentError> {
        let ledger = ledger_of(dir, database, &check);
        let games = Archive::in_ledger(ledger, located.games);
        let results = Self::checked(manifest.clone(), check, games);
        let wrong = |what| TournamentError::mixed(dir, format!("the ledger holds {what}"));
        let mut results = results.map_err(wrong)?;
        results.aside.unplanned += located.unplanned;
        let agents = manifest.plan.agents();
        for (earlier, games) in manifest.earlier.iter().zip(located.earlier) {
            let same_name = agents.iter().any(|agent| agent.name == earlier.name);
            // Games of a removed copy of an agent do not count as games of earlier settings.
            let same_settings = agents.iter().any(|agent| agent.config == earlier.config);
            let aside = &mut results.aside;
            let counts = if same_name && !same_settings {
                &mut aside.earlier_settings
            } else {
                &mut aside.removed_agents
            };
            if games > 0 {
                *counts.entry(earlier.name.clone()).or_default() += games;
            }
        }
        Ok((results, located.seen))
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

    /// The missing games, in the order in which they are played.
    pub fn missing(&self) -> impl Iterator<Item = PlannedGame> + use<> {
        self.schedule.clone()
    }

    /// From now on, asks only for these games of the plan. Pairs come in the order of their first games.
    pub fn restrict_to(&mut self, games: &[PlannedGame]) {
        self.schedule.restrict_to(games);
    }

    /// The missing games of the next pair; `None` if all pairs were handed out.
    pub fn next_pair(&mut self) -> Option<Vec<PlannedGame>> {
        let next = self.next.take().filter(|game| self.is_missing(game.id));
        let first = next.or_else(|| self.schedule.next())?;
        let mut games = vec![first];
        for game in self.schedule.by_ref() {
            if (game.id.pairing, game.id.pair) != (first.id.pairing, first.id.pair) {
                self.next = Some(game);
                break;
            }
            games.push(game);
        }
        Some(games)
    }

    /// Whether a game that was handed out is still missing.
    pub fn is_missing(&self, id: GameId) -> bool {
        self.schedule.is_missing(id)
    }

    /// Whether no game is missing that is asked for.
    pub fn is_complete(&self) -> bool {
        self.schedule.is_complete()
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
            return Ok(
                match record_digest(&known.record) == record_digest(&entry.record) {
                    true => Offered::Duplicate,
                    false => Offered::Conflict,
                },
            );
        }
        if !self.schedule.is_asked_for(id) {
            return Ok(Offered::NotNeeded);
        }
        match self.check.check_offered(&entry) {
            Ok(()) => self.add(entry, Some(by)),
            Err(what) => Ok(Offered::Refused(what)),
        }
    }

    /// A game that was taken in before, whether or not it counts yet.
    fn known(&self, id: GameId) -> Result<Option<Entry>, TournamentError> {
        if !self.schedule.is_known(id) {
            return Ok(None);
        }
        if let Some((entry, _)) = self.waiting.get(&id) {
            return Ok(Some(entry.clone()));
        }
        match self.games.find(id)? {
            Some(entry) => Ok(Some(entry)),
            None => self.uncounted.find(id),
        }
    }

    /// Takes in a game that need not be checked, with who played it. A game that does not count yet is stored
    /// when it does.
    ///
    /// # Errors
    /// When the game cannot be stored.
    pub fn add(&mut self, entry: Entry, by: Option<Delivery>) -> Result<Offered, TournamentError> {
        let id = entry.record.id;
        let counted = self.schedule.finish((&entry.record).into());
        let waits = self.schedule.is_waiting(id);
        if counted.is_empty() && !waits {
            return Ok(Offered::NotNeeded);
        }
        self.waiting.insert(id, (entry, by));
        let mut stored = Vec::with_capacity(counted.len());
        for id in counted {
            if let Some((entry, by)) = self.waiting.remove(&id) {
                self.keep(&entry, by.as_ref())?;
                stored.push(entry);
            }
        }
        if waits {
            return Ok(Offered::Waits);
        }
        Ok(Offered::Counted(stored))
    }

    /// Stores a game that counts, with who played it.
    fn keep(&mut self, entry: &Entry, by: Option<&Delivery>) -> Result<(), TournamentError> {
        let address = self.check.address((&entry.record).into());
        if let Some(store) = &mut self.store {
            store.append(&address, entry, by)?;
        }
        self.games.push(entry);
        Ok(())
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

    /// The same results; games that are taken in from now on are stored in this folder.
    pub fn storing_in(self, store: Store) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }

    /// The folder, if it is open for writing.
    pub fn into_store(self) -> Option<Store> {
        self.store
    }

    /// Ends writing: the games are on disk, and the folder is released. The results can still be read.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn finish(&mut self) -> Result<(), TournamentError> {
        self.games.sort();
        self.store.take().map_or(Ok(()), Store::finish)
    }
}

/// The open ledger of a folder, and what its games have to be.
fn ledger_of(dir: &Path, database: Database, check: &Arc<GameCheck>) -> Ledger {
    let check = Arc::clone(check);
    Ledger {
        dir: dir.to_owned(),
        database,
        streams: check.streams().clone(),
        check: Arc::new(move |entry, is_legal| check.check(entry, is_legal)),
        numbers: Arc::default(),
    }
}

/// Replaces the plan of a folder that is open for writing with a larger one.
///
/// # Errors
/// When no game can belong to both plans, or the manifest cannot be written.
pub fn grow(
    store: &mut Store,
    manifest: &Manifest,
    plan: &Plan,
) -> Result<Manifest, TournamentError> {
    if manifest.plan == *plan {
        return Ok(manifest.clone());
    }
    let grown = grown(store.dir(), manifest, plan)?;
    store.write_manifest(&grown)?;
    Ok(grown)
}

/// The manifest of a folder with a new plan.
fn grown(dir: &Path, there: &Manifest, plan: &Plan) -> Result<Manifest, TournamentError> {
    there
        .with_plan(plan)
        .map_err(|what| TournamentError::OtherPlan {
            dir: dir.to_owned(),
            what,
        })
}

/// The places of the games of a folder, with what a visitor returned for each game.
struct Located<T> {
    games: Vec<GameFacts>,
    /// The number of games of each earlier agent.
    earlier: Vec<u64>,
    unplanned: u64,
    seen: Vec<T>,
}

impl<T> Located<T> {
    fn new(manifest: &Manifest) -> Self {
        Self {
            games: Vec::new(),
            earlier: vec![0; manifest.earlier.len()],
            unplanned: 0,
            seen: Vec::new(),
        }
    }

    fn add(&mut self, (seen, place): (T, GamePlace)) {
        self.seen.push(seen);
        match place {
            GamePlace::Planned(game) => self.games.push(game),
            GamePlace::Earlier(agent) => self.earlier[agent] += 1,
            GamePlace::Unplanned => self.unplanned += 1,
        }
    }
}

/// The manifest of a folder to which this program may add games.
pub(crate) fn playable(dir: &Path) -> Result<Manifest, TournamentError> {
    let manifest = ledger::read_manifest(dir)?;
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
    use crate::Format;
    use crate::testing::plan;

    #[test]
    fn games_are_asked_for_checked_and_stored() {
        let above = tempfile::tempdir().unwrap();
        let dir = above.path().join("t");
        let plan = plan(&["a", "b"], Format::RoundRobin, 2).unwrap();
        let manifest = Manifest::new("t".to_owned(), plan.clone());
        let mut alone = Results::empty(manifest.clone());
        let threads = NonZeroUsize::MIN;
        alone.play(threads, &Stop::new(), |_, _| ()).unwrap();
        let games: Vec<PlannedGame> = plan.games().collect();
        let entries: Vec<Entry> = alone.games.iter().collect::<Result<_, _>>().unwrap();
        assert_eq!((games.len(), entries.len()), (4, 4));

        let mut results = Results::open(&dir, &manifest).unwrap();
        results.restrict_to(&games[..2]);
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
        assert_eq!(offer(2, &entries[2]).unwrap(), Offered::NotNeeded);

        assert!(!results.is_complete());
        let mut played = Vec::new();
        let watch = |entry: &Entry, _: &Results| played.push(entry.record.clone());
        results.play(threads, &Stop::new(), watch).unwrap();
        assert!(results.is_complete());
        assert_eq!(played, [entries[1].record.clone()]);
        results.finish().unwrap();
        let results = Results::read(&dir).unwrap();
        let found = results.games.find(games[0].id).unwrap();
        assert_eq!(found.as_ref(), Some(&entries[0]));
        assert!(results.missing().eq(games[2..].iter().copied()));
    }
}
