//! The ledger of a tournament: its games in an SQLite file, `games.db`. Only this module reads or writes it.
//!
//! `docs/ledger.md` describes the tables. A game is one row: plain columns, its record as bytes ([`mod@codec`]), and a
//! checksum over both. Its number says which agents played which pair, so the games of two agents stand together in the
//! order of their pairs, and no other index is needed. The numbers of rows and the sums of their checksums are written
//! with each transaction, so that a row that is lost is noticed.
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

use patchwork_engine::game::Setup;
use patchwork_engine::record::{Entry, GameFacts};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, params};
use twox_hash::XxHash3_64;

pub use self::archive::Archive;
pub use self::codec::MAX_RECORD;
pub use self::database::exists;
pub use self::error::TournamentError;
pub use self::files::{check_foreign, create_folder, remove_file, write_file, write_file_with};
pub use self::schema::GAMES;

pub(crate) use self::codec::encode_record;

pub(crate) use self::archive::{Ledger, rated};
pub(crate) use self::codec::record_digest;
pub(crate) use self::database::Database;
pub(crate) use self::files::{build_folder, distinct, is_same};
pub(crate) use self::game_check::{GameCheck, LocatedGame};
pub(crate) use self::salvage::salvage;

use self::codec::{decode_entry, decode_setup, encode_entry};
use self::database::{FolderLock, damaged, failed, insertion, row_checksum};
use self::row::{GameRow, MAX_AGENTS};
use self::session::PlaySession;
use crate::planning::game_number::{GameNumber, MAX_PAIRS};
use crate::planning::identity::{AgentId, GameAddress};
use crate::planning::manifest::Manifest;
use crate::planning::rings::PlannedRings;

/// The longest time after which games that were appended are committed.
pub const GROUP: Duration = Duration::from_millis(200);
/// Number of games of a transaction at most.
const MAX_OF_GROUP: u32 = 500;
/// Number of rows that are read at a time.
const BLOCK: usize = 4096;

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

/// The number of rows of a table and the sum of their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    rows: i64,
    checksum: i64,
}

impl Totals {
    fn add(&mut self, checksum: i64) {
        self.rows += 1;
        self.checksum = self.checksum.wrapping_add(checksum);
    }

    fn of(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let select = "SELECT rows, checksum FROM totals WHERE name = ?";
        connection.query_row(select, [name], |row| {
            Ok(Self {
                rows: row.get(0)?,
                checksum: row.get(1)?,
            })
        })
    }

    fn write(self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        let insert = "INSERT OR REPLACE INTO totals VALUES (?, ?, ?)";
        connection
            .prepare_cached(insert)?
            .execute(params![name, self.rows, self.checksum])?;
        Ok(())
    }
}

/// A ledger that this process writes to.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    database: Database,
    lock: FolderLock,
    agents: HashMap<AgentId, u16>,
    /// Whether each pairing has rings of its own.
    own_rings: bool,
    /// The setups of pairs of which one game was appended.
    begun: HashSet<i64>,
    games: Totals,
    setups: Totals,
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
        atomic::sweep(dir);
        // The ledger gets its name when it is complete.
        let path =
            atomic::temporary_beside(&dir.join(GAMES)).map_err(error::cannot("be made", dir))?;
        let made = database::create(dir, &path).and_then(|connection| {
            let written = write_manifest(&connection, manifest)
                .and_then(|_| Totals::default().write(&connection, "games"))
                .and_then(|()| Totals::default().write(&connection, "setups"));
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
        Self::writing(dir, lock, manifest)
    }

    /// Opens a results folder for appending and holds its lock. `visit` is called for each game and may refuse it; what
    /// it returns is passed to `collect`, in the order of the ledger.
    ///
    /// # Errors
    /// When it is not a results folder, another process is writing to it, its games are damaged, or `visit` refuses a
    /// game. In that case nothing is changed.
    pub fn open<T: Send>(
        dir: &Path,
        visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
        collect: impl FnMut(T),
    ) -> Result<Self, TournamentError> {
        if !exists(dir)? {
            return Err(TournamentError::NoResults(dir.to_owned()));
        }
        let lock = FolderLock::take(dir)?;
        atomic::sweep(dir);
        let manifest = read_manifest(dir)?;
        let store = Self::writing(dir, lock, &manifest)?;
        scan(dir, &store.database, &manifest, visit, collect)?;
        check_order(dir, &store.database)?;
        Ok(store)
    }

    fn writing(dir: &Path, lock: FolderLock, manifest: &Manifest) -> Result<Self, TournamentError> {
        let connection = database::open_for_writing(dir)?;
        let read = || {
            let (games, setups) = (
                Totals::of(&connection, "games")?,
                Totals::of(&connection, "setups")?,
            );
            Ok((agents(&connection)?, games, setups))
        };
        let (agents, games, setups) = read().map_err(failed(dir, "be opened"))?;
        Ok(Self {
            dir: dir.to_owned(),
            database: Database::new(connection),
            lock,
            agents: agents.into_iter().zip(0..).collect(),
            own_rings: matches!(manifest.plan.rings(), PlannedRings::Own),
            begun: HashSet::new(),
            games,
            setups,
            open: None,
            session: None,
        })
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
        entry: &Entry,
        by: Option<&Delivery>,
    ) -> Result<i64, TournamentError> {
        let record = encode_entry(entry);
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
                self.session = PlaySession::begin(&self.database.lock()).ok();
            }
        }
        if let Err(error) = self.insert(&row, &record, entry, by) {
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
        if let Some(ring) = self.new_ring(row.setup(), entry) {
            let values = [
                ValueRef::Integer(row.setup()),
                ValueRef::Text(ring.as_bytes()),
            ];
            let checksum = row_checksum(values);
            let insert = "INSERT OR IGNORE INTO setups VALUES (?, ?, ?)";
            let values = params![row.setup(), ring, checksum];
            if connection.prepare_cached(insert)?.execute(values)? > 0 {
                self.setups.add(checksum);
            }
        }
        let checksum = row.insert(&connection, record)?;
        self.games.add(checksum);
        // Only the two games of a pair share a ring of their own.
        let is_complete = self.begun.contains(&row.setup()) && self.own_rings;
        match is_complete {
            true => self.begun.remove(&row.setup()),
            false => self.begun.insert(row.setup()),
        };
        write_decisions(&connection, row.game(), entry)?;
        if let Some(by) = by {
            let values = params![row.game(), by.worker, by.attempt];
            let insert = insertion("deliveries", 3);
            connection.prepare_cached(&insert)?.execute(values)?;
        }
        Ok(())
    }

    /// The ring of a setup that may not be in the ledger yet.
    fn new_ring(&self, setup: i64, entry: &Entry) -> Option<String> {
        let is_new = !self.begun.contains(&setup);
        is_new.then(|| entry.record.setup.ring().to_string())
    }

    /// Commits the games that were appended: from now on they count.
    ///
    /// # Errors
    /// When they cannot be written, or the folder was removed or replaced. They are then lost.
    pub fn commit(&mut self) -> Result<(), TournamentError> {
        if self.open.take().is_none() {
            return Ok(());
        }
        if !self.lock.is_at(&self.dir) {
            self.roll_back();
            return Err(TournamentError::Gone(self.dir.clone()));
        }
        let connection = self.database.lock();
        let written = self
            .games
            .write(&connection, "games")
            .and_then(|()| self.setups.write(&connection, "setups"))
            .and_then(|()| connection.execute_batch("COMMIT"));
        drop(connection);
        written.map_err(|error| {
            self.roll_back();
            failed(&self.dir, "be written")(error)
        })
    }

    /// Forgets what was appended since the last commit.
    fn roll_back(&mut self) {
        self.open = None;
        // The session may have been written down in this transaction.
        self.session = None;
        self.begun.clear();
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
        // A reader may hold up a part of it, which is then left to the next time.
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Begins a transaction that only [`Self::commit`] ends, however many games it has.
    pub(crate) fn begin_whole(&mut self) -> Result<(), TournamentError> {
        self.commit()?;
        self.execute("BEGIN IMMEDIATE")?;
        self.open = Some((None, 0));
        let begun = PlaySession::begin(&self.database.lock());
        self.session = Some(begun.map_err(failed(&self.dir, "be written"))?);
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
        entry: &Entry,
        source: &str,
    ) -> Result<(), TournamentError> {
        let row = self.row(address, entry)?;
        let values = params![row.game(), source, encode_entry(entry)];
        let kept = (self.database.lock()).execute(&insertion("others", 3), values);
        kept.map_err(failed(&self.dir, "be written"))?;
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

/// A ledger that ends without [`Store::finish`] keeps what was appended, as far as it can be written.
impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.commit();
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
    database::check_rows(dir, connection, &["agents"])?;
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

/// Writes the decisions of a game whose considered actions were recorded.
fn write_decisions(connection: &Connection, game: i64, entry: &Entry) -> rusqlite::Result<()> {
    let considered = &entry.extras.considered;
    if considered.is_empty() {
        return Ok(());
    }
    let mut decision = connection.prepare_cached(&insertion("decisions", 8))?;
    let mut row = connection.prepare_cached(&insertion("considered", 6))?;
    let plies = entry.record.plies.iter().zip(considered.plies());
    for (place, (ply, considered)) in plies.enumerate() {
        let number = place as i64 + 1;
        decision.execute(params![
            game,
            number,
            ply.player.index() as i64,
            ply.action.to_string(),
            ply.legal,
            ply.thought.iterations,
            ply.thought.value.map(f64::from),
            entry.nanos.get(place).map(|&nanos| nanos.cast_signed()),
        ])?;
        for (rank, one) in (1_i64..).zip(considered) {
            let (action, value) = (one.action.to_string(), f64::from(one.value));
            row.execute(params![game, number, rank, action, one.visits, value])?;
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
    database::check_rows(dir, connection, &["tournament"])?;
    let select = "SELECT manifest FROM tournament";
    let json = connection.query_row(select, [], |row| row.get::<_, String>(0));
    let json = json.optional().map_err(failed(dir, "be read"))?;
    let wrong = |what: String| TournamentError::Manifest {
        path: dir.join(GAMES),
        what,
    };
    let json = json.ok_or_else(|| wrong("it is missing".to_owned()))?;
    let mut json = serde_json::Deserializer::from_str(&json);
    let manifest = serde_path_to_error::deserialize(&mut json);
    let manifest: Manifest = manifest.map_err(|error| wrong(error.to_string()))?;
    match manifest.is_intact() {
        true => Ok(manifest),
        false => Err(wrong("the plan does not match its hash".to_owned())),
    }
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
    let read = || {
        let games = Totals::of(&connection, "games")?.rows.cast_unsigned();
        let own = "SELECT notes, tags FROM tournament";
        let (notes, tags) = connection.query_row(own, [], |row| row.try_into())?;
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
pub struct StoredGame<'a> {
    /// Which game it is.
    pub address: GameAddress,
    row: &'a GameRow,
    record: &'a [u8],
}

impl StoredGame<'_> {
    /// The number of the game in the ledger.
    pub const fn number(&self) -> GameNumber {
        GameNumber::of_row(self.row.game())
    }

    /// The game; its identity in a plan is not set.
    pub fn entry(&self) -> Result<Entry, String> {
        Ok(self.decode()?.0)
    }

    /// The game, and whether it is known to be legal.
    pub(crate) fn decode(&self) -> Result<(Entry, bool), String> {
        decode_entry(self.record)
    }

    /// The setup of the game.
    pub fn setup(&self) -> Result<Setup, String> {
        decode_setup(self.record)
    }

    /// The game without its decisions; its identity in a plan is not set.
    pub fn facts(&self) -> GameFacts {
        self.row.facts()
    }

    /// Whether every ply has a time.
    pub const fn is_timed(&self) -> bool {
        self.row.is_timed()
    }

    /// Whether its columns are those of its entry.
    pub(crate) fn agrees_with(&self, entry: &Entry) -> bool {
        self.row.agrees_with(entry)
    }
}

/// Checks what reading the games does not: the pages of the file, and the setups.
pub(crate) fn check(dir: &Path) -> Result<(), TournamentError> {
    let connection = database::open_for_reading(dir)?;
    let cannot = failed(dir, "be read");
    let transaction = connection.unchecked_transaction().map_err(&cannot)?;
    database::check_pages(dir, &transaction, "PRAGMA integrity_check(1)")?;
    let others = ["deliveries", "others", "sessions"];
    database::check_rows(dir, &transaction, &["setups", "decisions", "considered"])?;
    database::check_rows(dir, &transaction, &others)?;
    let mut found = Totals::default();
    let select = "SELECT checksum FROM setups";
    let mut statement = transaction.prepare(select).map_err(&cannot)?;
    let mut rows = statement.query([]).map_err(&cannot)?;
    while let Some(row) = rows.next().map_err(&cannot)? {
        found.add(row.get(0).map_err(&cannot)?);
    }
    let said = Totals::of(&transaction, "setups").map_err(&cannot)?;
    match said == found {
        true => Ok(()),
        false => {
            let (there, expected) = (found.rows, said.rows);
            let what = format!(
                "the table setups has {there} rows; expected {expected}, with other checksums"
            );
            Err(damaged(dir, what))
        }
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
    let mut found = Totals::default();
    let mut statement = transaction
        .prepare(&GameRow::selection())
        .map_err(&cannot)?;
    let mut rows = statement.query([]).map_err(&cannot)?;
    let mut read_block = || -> Result<Vec<ReadRow>, TournamentError> {
        let mut block = Vec::with_capacity(BLOCK);
        while block.len() < BLOCK
            && let Some(row) = rows.next().map_err(&cannot)?
        {
            let (row, record, checksum) = GameRow::read(row).map_err(&cannot)?;
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
    if said != found {
        let (there, expected) = (found.rows, said.rows);
        let what =
            format!("the table games has {there} rows; expected {expected}, with other checksums");
        return Err(damaged(dir, what));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
