//! The ledger of a tournament: its games in an SQLite file, `games.db`. Only this module reads or writes it.
//!
//! `docs/ledger.md` describes the tables. A game is one row: plain columns, its record as bytes ([`mod@codec`]), and a
//! checksum over both. Its number says which agents played which pair, so the games of two agents stand together in the
//! order of their pairs, and no other index is needed. The numbers of rows and the sums of their checksums are written
//! with each transaction, and those of a game's rows in other tables with the game, so that a row that is lost is noticed.
//!
//! A ledger may come from others. Its views and triggers are never executed, and what stands in place of a table is refused.
//!
//! There is one writer, which holds the lock of the folder, and any number of readers at any time. A game counts when its
//! transaction is committed: at least every [`GROUP`], and when the writer asks for it.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::RandomSettings;
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_tournament::ledger::read_manifest;
//! use patchwork_tournament::{
//!     Executor as _, Format, LocalThreads, Manifest, Plan, PlannedAgent, Results,
//! };
//!
//! let agents = ["one", "two"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
//! let plan = Plan::new(1, Track::Original, Format::RoundRobin, 3, agents.into())?;
//! let folder = tempfile::tempdir()?;
//! let mut results = Results::open(folder.path(), &Manifest::new("demo".to_owned(), plan))?;
//! LocalThreads(NonZeroUsize::MIN).play(&mut results, &Stop::new(), &mut |_, _| ())?;
//! results.finish()?;
//! assert_eq!(read_manifest(folder.path())?.plan.pairs(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod atomic;
mod checksums;
pub mod codec;
mod database;
mod error;
mod files;
mod game_check;
mod row;
mod salvage;
mod schema;
mod session;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use patchwork_engine::record::Entry;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, params};
use twox_hash::XxHash3_64;

pub use self::archive::Archive;
pub use self::codec::{EncodedGame, MAX_RECORD};
pub use self::database::{exists, give_up_after, interrupt_by};
pub use self::error::TournamentError;
pub use self::files::{check_foreign, create_folder, remove_file, write_file, write_file_with};
pub use self::schema::GAMES;

pub(crate) use self::codec::{is_same_game, without_thoughts};

pub(crate) use self::archive::{Ledger, rated};
pub(crate) use self::database::Database;
pub(crate) use self::files::{build_folder, distinct, is_same};
pub(crate) use self::game_check::{GameCheck, LocatedGame};
pub(crate) use self::salvage::salvage;

use self::checksums::Totals;
use self::codec::decode_entry;
use self::database::{FolderLock, Identities, damaged, failed};
use self::row::{GameRow, MAX_AGENTS};
use self::schema::{
    AGENTS, CHECKED, CONSIDERED, DECISIONS, DELIVERIES, LOG, OTHERS, SESSIONS, SETUPS, TOURNAMENT,
};
use self::session::PlaySession;
use crate::planning::game_number::{GameNumber, MAX_PAIRS};
use crate::planning::identity::{AgentId, GameAddress};
use crate::planning::manifest::Manifest;
use crate::planning::rings::PlannedRings;

/// The longest time after which games that were appended are committed.
pub const GROUP: Duration = Duration::from_millis(200);
/// Number of games of a transaction at most.
const MAX_OF_GROUP: u32 = 500;
/// Number of rows that are read at a time, and of bytes of their records.
const BLOCK: usize = 4096;
const BLOCK_BYTES: usize = 1 << 22;

/// Who played a game of a fleet. It is stored beside the record, never in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the worker.
    pub worker: String,
    /// How many times the game had been given out when this worker got it, counting from 1.
    pub attempt: u32,
}

/// Whether a process is writing to a results folder.
pub fn is_locked(dir: &Path) -> bool {
    FolderLock::is_taken(dir)
}

/// The number of games in a ledger, and a number that differs after every change.
pub fn state(dir: &Path) -> Result<(u64, u64), TournamentError> {
    let connection = database::open_for_reading(dir)?;
    let read = Totals::of(&connection, "games").and_then(|games| {
        let select = "SELECT manifest FROM tournament";
        let manifest = connection.query_row(select, [], |row| row.get::<_, String>(0))?;
        let seed = games.checksum.cast_unsigned() ^ games.rows.cast_unsigned();
        let hash = XxHash3_64::oneshot_with_seed(seed, manifest.as_bytes());
        Ok((games.rows.cast_unsigned(), hash))
    });
    read.map_err(failed(dir, "be read"))
}

/// A ledger that this process writes to.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    database: Database,
    lock: FolderLock,
    /// The files that were opened.
    files: Identities,
    agents: HashMap<AgentId, u16>,
    /// Whether each pairing has rings of its own.
    own_rings: bool,
    /// The setup of the game that was inserted last; pairs mostly come one after the other.
    last_setup: Option<i64>,
    games: Totals,
    setups: Totals,
    /// Whether other records were kept in this transaction.
    has_others: bool,
    /// When the open transaction began, if that limits it, and the number of games in it.
    open: Option<(Option<Instant>, u32)>,
    /// The session, once games were appended.
    session: Option<PlaySession>,
}

impl Store {
    /// Creates a results folder and its parents, and holds its lock.
    ///
    /// # Errors
    /// When the folder already holds results, another process is writing to it, or it cannot be
    /// written.
    pub fn create(dir: &Path, manifest: &Manifest) -> Result<Self, TournamentError> {
        if exists(dir)? {
            return Err(TournamentError::HoldsResults(dir.to_owned()));
        }
        create_folder(dir)?;
        let lock = FolderLock::take(dir)?;
        // Another process may have created the results and finished since the first check.
        if exists(dir)? {
            return Err(TournamentError::HoldsResults(dir.to_owned()));
        }
        // The ledger gets its name when it is complete.
        let path =
            atomic::temporary_beside(&dir.join(GAMES)).map_err(error::cannot("be made", dir))?;
        let made = database::create(dir, &path).and_then(|connection| {
            let written = write_manifest(&connection, manifest)
                .and_then(|_| Totals::default().write(&connection, "games"))
                .and_then(|()| {
                    let mut empty = [SETUPS, SESSIONS, OTHERS].into_iter();
                    empty.try_for_each(|table| Totals::renew(&connection, table.name))
                });
            written.map_err(failed(dir, "be written"))?;
            let closed = connection.close().map_err(|(_, error)| error);
            closed.map_err(failed(dir, "be written"))?;
            fs::rename(&path, dir.join(GAMES)).map_err(error::cannot("be made", &dir.join(GAMES)))
        });
        if made.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&path);
        }
        made?;
        let (store, _) = Self::writing(dir, lock)?;
        store.write_on()?;
        Ok(store)
    }

    /// Opens a results folder for appending, holds its lock, and reads what is played there. Its games are still to be read.
    ///
    /// # Errors
    /// When it is not a results folder, another process is writing to it, or it is damaged. In that case nothing is changed.
    pub(crate) fn open(dir: &Path) -> Result<(Self, Manifest), TournamentError> {
        if !exists(dir)? {
            return Err(TournamentError::NoResults(dir.to_owned()));
        }
        let lock = FolderLock::take(dir)?;
        Self::writing(dir, lock)
    }

    /// Reads the games that are there. `visit` is called for each game and may refuse it; what it returns is passed to
    /// `collect`, in the order of the ledger.
    ///
    /// # Errors
    /// When the games are damaged, or `visit` refuses one.
    pub(crate) fn read<T: Send>(
        &self,
        manifest: &Manifest,
        visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
        collect: impl FnMut(T),
    ) -> Result<(), TournamentError> {
        scan(&self.dir, &self.database, manifest, visit, collect)?;
        check_order(&self.dir, &self.database)?;
        self.write_on()
    }

    /// Lets nothing interrupt the statements from now on.
    fn write_on(&self) -> Result<(), TournamentError> {
        let mut connection = self.database.lock();
        let set = connection.progress_handler(0, None::<fn() -> bool>);
        set.map_err(failed(&self.dir, "be opened"))
    }

    fn writing(dir: &Path, lock: FolderLock) -> Result<(Self, Manifest), TournamentError> {
        let connection = database::open_for_writing(dir)?;
        let manifest = manifest_in(dir, &connection)?;
        let read = || {
            let (games, setups) = (
                Totals::of(&connection, "games")?,
                Totals::of(&connection, "setups")?,
            );
            Ok((agents(&connection)?, games, setups))
        };
        let (agents, games, setups) = read().map_err(failed(dir, "be opened"))?;
        let store = Self {
            dir: dir.to_owned(),
            database: Database::new(connection),
            lock,
            // The log is there since the first statement.
            files: database::identities(dir),
            agents: agents.into_iter().zip(0..).collect(),
            own_rings: matches!(manifest.plan.rings(), PlannedRings::Own),
            last_setup: None,
            games,
            setups,
            has_others: false,
            open: None,
            session: None,
        };
        Ok((store, manifest))
    }

    /// Appends a finished game, which counts when it is committed: at least every [`GROUP`] while games are appended,
    /// and by [`Self::commit`]. Returns its number in the ledger.
    ///
    /// # Errors
    /// When its agents are not those of the manifest, it is too large, the file cannot be written, or the folder was
    /// removed or replaced. The ledger then holds what was committed before.
    pub fn append(
        &mut self,
        address: &GameAddress,
        game: &EncodedGame,
        by: Option<&Delivery>,
    ) -> Result<i64, TournamentError> {
        let (entry, record) = (game.entry(), game.record());
        if record.len() > MAX_RECORD {
            return Err(TournamentError::TooLong {
                path: self.dir.join(GAMES),
                bytes: record.len(),
            });
        }
        let row = self.row(address, entry)?;
        let begun = Instant::now();
        if self.open.is_none() {
            self.execute("BEGIN IMMEDIATE")?;
            self.open = Some((Some(begun), 0));
            if self.session.is_none() {
                let session = PlaySession::begin(&self.database.lock());
                let session = session.map_err(failed(&self.dir, "be written"));
                self.session = Some(session.inspect_err(|_| self.roll_back())?);
            }
        }
        if let Err(error) = self.insert(&row, record, entry, by) {
            self.roll_back();
            return Err(failed(&self.dir, "be written")(error));
        }
        if let Some((since, games)) = &mut self.open {
            *games += 1;
            let is_due = |since| begun.duration_since(since) >= GROUP || *games >= MAX_OF_GROUP;
            if since.is_some_and(is_due) {
                self.commit()?;
            }
        }
        Ok(row.game())
    }

    /// The row of a game.
    fn row(&self, address: &GameAddress, entry: &Entry) -> Result<GameRow, TournamentError> {
        let wrong = |what: String| TournamentError::mixed(&self.dir, what);
        let number = |id: AgentId| {
            let known = self.agents.get(&id).copied();
            known.ok_or_else(|| wrong(format!("there is no agent with the identity {id}")))
        };
        if address.pair >= MAX_PAIRS {
            let pair = address.pair;
            return Err(wrong(format!(
                "pair {pair}; expected at most {}",
                MAX_PAIRS - 1
            )));
        }
        let seats = [number(address.seats[0])?, number(address.seats[1])?];
        // Pairings with common rings, or those of a book, share the setup of a pair.
        let setup = (!self.own_rings).then_some(address.pair.into());
        Ok(GameRow::new(seats, address.pair, setup, entry))
    }

    fn insert(
        &mut self,
        row: &GameRow,
        record: &[u8],
        entry: &Entry,
        by: Option<&Delivery>,
    ) -> rusqlite::Result<()> {
        let connection = self.database.lock();
        let mut parts = Totals::default();
        write_decisions(&connection, row.game(), entry, &mut parts)?;
        if let Some(by) = by {
            let values = [
                ValueRef::Integer(row.game()),
                ValueRef::Text(by.worker.as_bytes()),
                ValueRef::Integer(by.attempt.into()),
            ];
            parts.extend(DELIVERIES.insert(&connection, &values)?);
        }
        if self.last_setup != Some(row.setup()) {
            let ring = entry.record.setup.ring().to_string();
            let values = [
                ValueRef::Integer(row.setup()),
                ValueRef::Text(ring.as_bytes()),
            ];
            self.setups.extend(SETUPS.insert(&connection, &values)?);
            self.last_setup = Some(row.setup());
        }
        let checksum = row.with_parts(parts).insert(&connection, record)?;
        self.games.add(checksum);
        Ok(())
    }

    /// Commits the games that were appended: from now on they count.
    ///
    /// # Errors
    /// When they cannot be written, or the folder was removed or replaced. They are then lost.
    pub fn commit(&mut self) -> Result<(), TournamentError> {
        if self.open.take().is_none() {
            return Ok(());
        }
        if let Err(gone) = self.check_place() {
            self.roll_back();
            return Err(gone);
        }
        let has_others = std::mem::take(&mut self.has_others);
        let connection = self.database.lock();
        let written = self
            .games
            .write(&connection, "games")
            .and_then(|()| self.setups.write(&connection, "setups"))
            .and_then(|()| match has_others {
                true => Totals::renew(&connection, OTHERS.name),
                false => Ok(()),
            })
            .and_then(|()| connection.execute_batch("COMMIT"));
        drop(connection);
        written.map_err(|error| {
            self.roll_back();
            failed(&self.dir, "be written")(error)
        })
    }

    /// Checks that the folder, the ledger and its log are those that were opened.
    fn check_place(&self) -> Result<(), TournamentError> {
        if !self.lock.is_at(&self.dir) {
            return Err(TournamentError::Gone(self.dir.clone()));
        }
        let there = database::identities(&self.dir);
        let mut files = [GAMES, LOG].into_iter().zip(there.iter().zip(&self.files));
        match files.find(|(_, (there, opened))| there != opened) {
            Some((name, _)) => Err(TournamentError::Gone(self.dir.join(name))),
            None => Ok(()),
        }
    }

    /// Forgets what was appended since the last commit.
    fn roll_back(&mut self) {
        self.open = None;
        // The session may have been written down in this transaction.
        self.session = None;
        (self.has_others, self.last_setup) = (false, None);
        let connection = self.database.lock();
        // After some errors, the database has done so itself.
        let _ = connection.execute_batch("ROLLBACK");
        if let Ok(games) = Totals::of(&connection, "games") {
            self.games = games;
        }
        if let Ok(setups) = Totals::of(&connection, "setups") {
            self.setups = setups;
        }
    }

    fn execute(&self, statement: &str) -> Result<(), TournamentError> {
        let executed = self.database.lock().execute_batch(statement);
        executed.map_err(failed(&self.dir, "be written"))
    }

    /// Replaces the description of what is played, and adds its agents.
    ///
    /// # Errors
    /// When it cannot be written; the old one then remains.
    pub(crate) fn write_manifest(&mut self, manifest: &Manifest) -> Result<(), TournamentError> {
        self.commit()?;
        let connection = self.database.lock();
        let written = connection
            .execute_batch("BEGIN IMMEDIATE")
            .and_then(|()| write_manifest(&connection, manifest))
            .and_then(|agents| connection.execute_batch("COMMIT").map(|()| agents));
        if written.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        let agents = written.map_err(failed(&self.dir, "be written"))?;
        drop(connection);
        if agents.len() > MAX_AGENTS {
            let what = format!("{} agents; expected at most {MAX_AGENTS}", agents.len());
            return Err(TournamentError::mixed(&self.dir, what));
        }
        self.agents = agents.into_iter().zip(0..).collect();
        Ok(())
    }

    /// Ends the session: commits the games, folds the log into the file and releases the lock.
    pub fn finish(mut self) -> Result<(), TournamentError> {
        self.commit()?;
        if let Some(session) = &self.session {
            let ended = session.end(&self.database.lock());
            ended.map_err(failed(&self.dir, "be written"))?;
        }
        let connection = self.database.lock();
        // A reader may hold it up, then the log stays for the next time.
        let folded = connection
            .busy_timeout(database::TO_FOLD)
            .and_then(|()| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
        drop(connection);
        folded.map_err(failed(&self.dir, "be written"))?;
        self.check_place()
    }

    /// Begins a transaction that only [`Self::commit`] ends, however many games it has.
    pub(crate) fn begin_whole(&mut self) -> Result<(), TournamentError> {
        self.commit()?;
        self.execute("BEGIN IMMEDIATE")?;
        self.open = Some((None, 0));
        let session = PlaySession::begin(&self.database.lock());
        self.session = Some(session.map_err(failed(&self.dir, "be written"))?);
        Ok(())
    }

    /// The game at an address, without its identity in a plan.
    pub(crate) fn find(&self, address: &GameAddress) -> Result<Option<Entry>, TournamentError> {
        let [Some(&first), Some(&second)] = address.seats.each_ref().map(|id| self.agents.get(id))
        else {
            return Ok(None);
        };
        let game = GameNumber::new([first, second], address.pair).get();
        let record = self.database.records(&[game]).optional();
        let record = record.map_err(failed(&self.dir, "be read"))?;
        let decoded = record.map(|record| decode_entry(&record[0]));
        let decoded = decoded
            .transpose()
            .map_err(|what| damaged(&self.dir, format!("the record of the game {game}: {what}")));
        Ok(decoded?.map(|(entry, _)| entry))
    }

    /// Keeps another record of a game that is in the ledger, and where it was found.
    pub(crate) fn keep_other(
        &mut self,
        address: &GameAddress,
        game: &EncodedGame,
        source: &str,
    ) -> Result<(), TournamentError> {
        let row = self.row(address, game.entry())?;
        let values = [
            ValueRef::Integer(row.game()),
            ValueRef::Text(source.as_bytes()),
            ValueRef::Blob(game.record()),
        ];
        let kept = OTHERS.insert(&self.database.lock(), &values);
        self.has_others |= kept.map_err(failed(&self.dir, "be written"))?.is_some();
        Ok(())
    }

    /// The connection, for reading what was appended.
    pub(crate) fn database(&self) -> Database {
        self.database.clone()
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// A ledger that ends without [`Store::finish`] keeps what was appended, as far as it can be written, but no part of what
/// belongs together.
impl Drop for Store {
    fn drop(&mut self) {
        match self.open {
            Some((None, _)) => self.roll_back(),
            _ => drop(self.commit()),
        }
    }
}

/// Writes the manifest and its agents. Returns the identities of all agents, in the order of their numbers.
fn write_manifest(connection: &Connection, manifest: &Manifest) -> rusqlite::Result<Vec<AgentId>> {
    let json = serde_json::to_string(manifest).expect("a manifest has only plain values");
    let update = "UPDATE tournament SET manifest = ?1, checksum = row_checksum(?1)";
    if connection.execute(update, [&json])? == 0 {
        let insert = "INSERT INTO tournament (manifest, checksum) VALUES (?1, row_checksum(?1))";
        connection.execute(insert, [&json])?;
    }
    connection.execute("UPDATE agents SET planned = 0", [])?;
    let planned = manifest.plan.agents().len();
    let insert = "INSERT INTO agents (agent, label, hash, settings, planned, checksum) \
                  VALUES ((SELECT coalesce(max(agent) + 1, 0) FROM agents), ?1, ?2, ?3, ?4, 0) \
                  ON CONFLICT (hash) DO UPDATE SET label = ?1, planned = ?4";
    let mut insert = connection.prepare(insert)?;
    for (place, agent) in manifest.known_agents().enumerate() {
        let (hash, settings) = (agent.id().to_string(), agent.config.canonical());
        insert.execute(params![agent.name, hash, settings, place < planned])?;
    }
    let seal = "UPDATE agents SET checksum = row_checksum(agent, label, hash, settings, planned)";
    connection.execute(seal, [])?;
    Totals::renew(connection, TOURNAMENT.name)?;
    Totals::renew(connection, AGENTS.name)?;
    agents(connection)
}

/// The identities of all agents, in the order of their numbers.
fn agents(connection: &Connection) -> rusqlite::Result<Vec<AgentId>> {
    let mut select = connection.prepare("SELECT hash FROM agents ORDER BY agent")?;
    let found = select.query_map([], |row| {
        let hash: String = row.get(0)?;
        Ok(AgentId::parse(&hash).unwrap_or(AgentId(0)))
    })?;
    found.collect()
}

/// The identities of all agents, in the order of their numbers, each of which the manifest knows.
fn named_agents(
    dir: &Path,
    connection: &Connection,
    manifest: &Manifest,
) -> Result<Vec<AgentId>, TournamentError> {
    database::check_rows(dir, connection, &[AGENTS])?;
    let all = agents(connection).map_err(failed(dir, "be read"))?;
    let known: HashSet<AgentId> = manifest.known_agents().map(|agent| agent.id()).collect();
    match all.iter().all(|agent| known.contains(agent)) {
        true => Ok(all),
        false => {
            let what = "the ledger has an agent that the manifest does not know";
            Err(TournamentError::mixed(dir, what.to_owned()))
        }
    }
}

/// Writes the decisions of a game whose considered actions were recorded, and adds their rows to its parts.
fn write_decisions(
    connection: &Connection,
    game: i64,
    entry: &Entry,
    parts: &mut Totals,
) -> rusqlite::Result<()> {
    let considered = &entry.extras.considered;
    if considered.is_empty() {
        return Ok(());
    }
    let value_of = |value: Option<f64>| value.map_or(ValueRef::Null, ValueRef::Real);
    let plies = entry.record.plies.iter().zip(considered.plies());
    for (place, (ply, considered)) in plies.enumerate() {
        let number = place as i64 + 1;
        let action = ply.action.to_string();
        let nanos = entry.nanos.get(place).map(|&nanos| nanos.cast_signed());
        let values = [
            ValueRef::Integer(game),
            ValueRef::Integer(number),
            ValueRef::Integer(ply.player.index() as i64),
            ValueRef::Text(action.as_bytes()),
            ValueRef::Integer(ply.legal.into()),
            ValueRef::Integer(ply.thought.iterations.into()),
            value_of(ply.thought.value.map(f64::from)),
            nanos.map_or(ValueRef::Null, ValueRef::Integer),
        ];
        parts.extend(DECISIONS.insert(connection, &values)?);
        for (rank, one) in (1_i64..).zip(considered) {
            let action = one.action.to_string();
            let values = [
                ValueRef::Integer(game),
                ValueRef::Integer(number),
                ValueRef::Integer(rank),
                ValueRef::Text(action.as_bytes()),
                ValueRef::Integer(one.visits.into()),
                value_of(Some(one.value.into())),
            ];
            parts.extend(CONSIDERED.insert(connection, &values)?);
        }
    }
    Ok(())
}

/// Reads the description of what is played.
///
/// # Errors
/// When the folder has no ledger, or the description is not valid.
pub fn read_manifest(dir: &Path) -> Result<Manifest, TournamentError> {
    manifest_in(dir, &database::open_for_reading(dir)?)
}

fn manifest_in(dir: &Path, connection: &Connection) -> Result<Manifest, TournamentError> {
    let transaction = connection.unchecked_transaction();
    let transaction = transaction.map_err(failed(dir, "be read"))?;
    database::check_rows(dir, &transaction, &[TOURNAMENT])?;
    let select = "SELECT manifest FROM tournament";
    let json = transaction.query_row(select, [], |row| row.get::<_, String>(0));
    let json = json.optional().map_err(failed(dir, "be read"))?;
    let wrong = |what: String| TournamentError::Manifest {
        path: dir.join(GAMES),
        what,
    };
    let json = json.ok_or_else(|| wrong("it is missing".to_owned()))?;
    let mut json = serde_json::Deserializer::from_str(&json);
    let manifest = serde_path_to_error::deserialize(&mut json);
    let manifest: Manifest = manifest.map_err(|error| wrong(error.to_string()))?;
    if !manifest.is_intact() {
        return Err(wrong("the plan does not match its hash".to_owned()));
    }
    database::check_totals(dir, &transaction, &[TOURNAMENT])?;
    Ok(manifest)
}

/// What a results folder says about itself, without its games.
#[derive(Clone, Debug)]
pub struct FolderFacts {
    /// What is played.
    pub manifest: Manifest,
    /// Number of games.
    pub games: u64,
    /// When the first game was added, in UTC, as in `2026-11-27T04:05:06Z`; none without games.
    pub started: Option<String>,
    /// When the latest command that added games ended; none if it still runs, and if it was killed.
    pub ended: Option<String>,
    /// The name of the machine of the latest command that added games.
    pub machine: Option<String>,
    /// The model of its processor.
    pub processor: Option<String>,
    /// The user's notes.
    pub notes: String,
    /// The user's tags.
    pub tags: String,
}

/// Reads what a results folder says about itself; another process may be appending to it.
pub fn facts(dir: &Path) -> Result<FolderFacts, TournamentError> {
    let connection = database::open_for_reading(dir)?;
    let manifest = manifest_in(dir, &connection)?;
    let connection = connection.unchecked_transaction();
    let connection = connection.map_err(failed(dir, "be read"))?;
    database::check_rows(dir, &connection, &[SESSIONS])?;
    database::check_totals(dir, &connection, &[SESSIONS])?;
    let read = || {
        let games = Totals::of(&connection, "games")?.rows.cast_unsigned();
        let own = "SELECT notes, tags FROM tournament";
        // Another program may have written them.
        let text = |value: ValueRef<'_>| {
            let bytes = value.as_bytes_or_null().ok().flatten().unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let (notes, tags) = connection.query_row(own, [], |row| {
            Ok((text(row.get_ref(0)?), text(row.get_ref(1)?)))
        })?;
        let sessions = "SELECT (SELECT min(started) FROM sessions), ended, machine, processor FROM sessions \
                        ORDER BY session DESC LIMIT 1";
        let latest = connection.query_row(sessions, [], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
        });
        let [started, ended, machine, processor] = latest.optional()?.unwrap_or_default();
        Ok(FolderFacts {
            manifest,
            games,
            started,
            ended,
            machine,
            processor,
            notes,
            tags,
        })
    };
    read().map_err(failed(dir, "be read"))
}

/// Replaces the user's notes and tags of a results folder.
///
/// # Errors
/// When another process is writing to the folder.
pub fn describe(dir: &Path, notes: &str, tags: &str) -> Result<(), TournamentError> {
    if !exists(dir)? {
        return Err(TournamentError::NoResults(dir.to_owned()));
    }
    let _lock = FolderLock::take(dir)?;
    let connection = database::open_for_writing(dir)?;
    let update = "UPDATE tournament SET notes = ?1, tags = ?2";
    let written = connection.execute(update, [notes, tags]);
    written.map_err(failed(dir, "be written"))?;
    let closed = connection.close().map_err(|(_, error)| error);
    closed.map_err(failed(dir, "be written"))
}

/// Reads the games of a results folder without changing it; another process may be appending to it. `visit` is called for
/// each game and may refuse it; what it returns is passed to `collect`, in the order of the ledger.
pub(crate) fn read_games<T: Send>(
    dir: &Path,
    manifest: &Manifest,
    visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
    collect: impl FnMut(T),
) -> Result<Database, TournamentError> {
    let database = Database::new(database::open_for_reading(dir)?);
    scan(dir, &database, manifest, visit, collect)?;
    check_order(dir, &database)?;
    Ok(database)
}

/// Checks that each game is found by its number: in order, all may be there although a page leads elsewhere.
// By the database: to open and close its file beside a connection would release the locks that this process has on it.
fn check_order(dir: &Path, database: &Database) -> Result<(), TournamentError> {
    database::check_pages(dir, &database.lock(), "PRAGMA quick_check('games')")
}

/// A game of a ledger.
#[derive(Debug)]
pub(crate) struct StoredGame<'a> {
    /// Which game it is.
    pub(crate) address: GameAddress,
    pub(crate) row: &'a GameRow,
    record: &'a [u8],
}

impl StoredGame<'_> {
    /// The number of the game in the ledger.
    pub(crate) const fn number(&self) -> GameNumber {
        GameNumber::of_row(self.row.game())
    }

    /// The game, without its identity in a plan, and whether it is known to be legal.
    pub(crate) fn decode(&self) -> Result<(Entry, bool), String> {
        decode_entry(self.record)
    }
}

/// Checks what reading the games does not: the pages of the file, and the setups.
pub(crate) fn check(dir: &Path) -> Result<(), TournamentError> {
    let connection = database::open_for_reading(dir)?;
    let cannot = failed(dir, "be read");
    let transaction = connection.unchecked_transaction().map_err(&cannot)?;
    database::check_pages(dir, &transaction, "PRAGMA integrity_check(1)")?;
    database::check_rows(dir, &transaction, &CHECKED)?;
    check_parts(dir, &transaction)
}

/// Checks that the tables with parts of games have those of each game, and no others.
fn check_parts(dir: &Path, connection: &Connection) -> Result<(), TournamentError> {
    const TABLES: &str = "the tables decisions, considered and deliveries";
    let found = "SELECT checksum FROM decisions WHERE game = ?1 UNION ALL SELECT checksum FROM considered WHERE game = ?1 \
                 UNION ALL SELECT checksum FROM deliveries WHERE game = ?1";
    let all = "SELECT (SELECT count(*) FROM decisions) + (SELECT count(*) FROM considered) + (SELECT count(*) FROM deliveries)";
    let read = || -> rusqlite::Result<Option<String>> {
        let mut games = connection.prepare("SELECT game, parts, parts_checksum FROM games")?;
        let mut parts = connection.prepare(found)?;
        let (mut games, mut rest) = (
            games.query([])?,
            connection.query_row(all, [], |row| row.get::<_, i64>(0))?,
        );
        while let Some(row) = games.next()? {
            let (game, rows, checksum): (i64, i64, i64) = row.try_into()?;
            let mut found = Totals::default();
            for checksum in parts.query_map([game], |row| row.get(0))? {
                found.add(checksum?);
            }
            if found != (Totals { rows, checksum }) {
                let there = found.rows;
                let what = format!(
                    "{TABLES} have {there} rows of the game {game}; expected {rows}, with other checksums"
                );
                return Ok(Some(what));
            }
            rest -= rows;
        }
        Ok((rest != 0).then(|| format!("{TABLES} have {rest} rows of games that are not there")))
    };
    match read().map_err(failed(dir, "be read"))? {
        Some(what) => Err(damaged(dir, what)),
        None => Ok(()),
    }
}

/// A row with its record and its checksum, which was not compared yet.
type ReadRow = (GameRow, Vec<u8>, i64);

/// Reads all games in one transaction, a block at a time. Each is checked and passed to `visit`, on several threads.
fn scan<T: Send>(
    dir: &Path,
    database: &Database,
    manifest: &Manifest,
    visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
    mut collect: impl FnMut(T),
) -> Result<(), TournamentError> {
    let connection = database.lock();
    let cannot = failed(dir, "be read");
    let transaction = connection.unchecked_transaction().map_err(&cannot)?;
    let known = named_agents(dir, &transaction, manifest)?;
    let agent = |number: i64| known.get(usize::try_from(number).ok()?).copied();
    database::check_totals(dir, &transaction, &[SESSIONS, AGENTS, SETUPS, OTHERS])?;
    let (mut found, mut last) = (Totals::default(), -1);
    let mut statement = transaction
        .prepare(&GameRow::selection())
        .map_err(&cannot)?;
    let mut rows = statement.query([]).map_err(&cannot)?;
    let mut read_block = || -> Result<Vec<ReadRow>, TournamentError> {
        let (mut block, mut bytes) = (Vec::with_capacity(BLOCK), 0);
        while block.len() < BLOCK
            && bytes < BLOCK_BYTES
            && let Some(row) = rows.next().map_err(&cannot)?
        {
            let (row, record, checksum) = GameRow::read(row).map_err(&cannot)?;
            // Pages that lead to each other have endless rows.
            if row.game() <= last {
                let (game, what) = (row.game(), "the table games is not in order");
                return Err(damaged(dir, format!("{what}: {game} comes after {last}")));
            }
            (last, bytes) = (row.game(), bytes + record.len());
            block.push((row, record.to_vec(), checksum));
            found.add(checksum);
        }
        Ok(block)
    };
    let visit = |(row, record, checksum): &ReadRow| -> Result<T, TournamentError> {
        let game = row.game();
        if row.checksum(record) != *checksum {
            let what = format!(
                "the row of the game {game} in the table games does not agree with its checksum"
            );
            return Err(damaged(dir, what));
        }
        let address = row.address(manifest.plan.seed(), agent);
        let unknown = || damaged(dir, format!("the game {game} has an unknown agent"));
        let stored = StoredGame {
            address: address.ok_or_else(unknown)?,
            row,
            record,
        };
        visit(stored).map_err(|what| TournamentError::game(dir, GameNumber::of_row(game), &what))
    };
    let mut block = read_block()?;
    while !block.is_empty() {
        // The database is read by this thread while others look at what was read before.
        let mut visited = Vec::new();
        let next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| visited = block.par_iter().map(visit).collect());
            read_block()
        });
        // Look for the first fault only now, so that it does not depend on threads.
        for one in visited {
            collect(one?);
        }
        block = next?;
    }
    let said = Totals::of(&transaction, "games").map_err(&cannot)?;
    database::compare(dir, "games", said, found)
}

#[cfg(test)]
mod tests;
