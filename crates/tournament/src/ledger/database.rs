//! Connections to a ledger, and the lock of its folder.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::search::Stop;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _};

use super::checksums::{Totals, row_checksum};
use super::error::{TournamentError, cannot};
use super::schema::{APPLICATION, CHECKED, CheckedTable, GAMES, LOG, OTHER_TABLES, SCHEMA, TABLES};

/// How long a writer's statement, and a reader that opens the file beside a writer of this program, wait for others. Nothing
/// is ever held for long.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long opening the file waits for other programs.
const TO_OPEN: Duration = Duration::from_secs(1);
/// How long the end of a session waits for readers before it leaves the log to the next one.
pub(super) const TO_FOLD: Duration = Duration::from_millis(200);
/// The memory of the cache, in kilobytes.
const CACHE: i64 = 16_000;
/// The largest value that is read or written, in bytes: the plan of the largest tournaments fits.
const MAX_VALUE: i32 = 1 << 25;
/// Number of steps of a statement between two checks whether it is to end.
const STEPS: i32 = 10_000;

static INTERRUPT: OnceLock<&'static Stop> = OnceLock::new();

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Ends the reading of ledgers, with an error, when this is set. The first one stays.
pub fn interrupt_by(stop: &'static Stop) {
    INTERRUPT.get_or_init(|| stop);
}

/// Ends the reading of ledgers by this thread, with an error, after this time.
pub fn give_up_after(time: Duration) {
    DEADLINE.set(Instant::now().checked_add(time));
}

/// Whether a statement of this thread is to end. What is begun after the interruption is carried out.
fn is_to_end(was_set: bool) -> bool {
    !was_set && is_interrupted() || is_late()
}

fn is_late() -> bool {
    DEADLINE.get().is_some_and(|until| Instant::now() >= until)
}

fn is_interrupted() -> bool {
    INTERRUPT.get().is_some_and(|stop| stop.is_set())
}

/// A connection that threads share.
#[derive(Clone, Debug)]
pub(crate) struct Database(Arc<Mutex<Connection>>);

impl Database {
    pub(super) fn new(connection: Connection) -> Self {
        Self(Arc::new(Mutex::new(connection)))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Connection> {
        // A statement that panicked was not carried out.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The models of the processors of all sessions, each once.
    pub(super) fn processors(&self) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let mut select =
            connection.prepare("SELECT DISTINCT processor FROM sessions ORDER BY processor")?;
        select.query_map([], |row| row.get(0))?.collect()
    }

    /// The records of games. Games that follow each other in the ledger are read fast.
    pub(super) fn records(&self, games: &[i64]) -> rusqlite::Result<Vec<Vec<u8>>> {
        let mut records = Vec::with_capacity(games.len());
        let connection = self.lock();
        let select = "SELECT game, record FROM games WHERE game >= ? ORDER BY game";
        let mut select = connection.prepare_cached(select)?;
        while let Some(&first) = games.get(records.len()) {
            let start = records.len();
            let mut rows = select.query([first])?;
            let mut skipped = 0;
            while let Some(&game) = games.get(records.len())
                && let Some(row) = rows.next()?
            {
                match row.get::<_, i64>(0)?.cmp(&game) {
                    Ordering::Equal => {
                        records.push(row.get_ref(1)?.as_blob()?.to_vec());
                        skipped = 0;
                    }
                    // Looking the next one up takes about as long as passing over this many rows.
                    Ordering::Less if skipped < 4 => skipped += 1,
                    Ordering::Less | Ordering::Greater => break,
                }
            }
            if records.len() == start {
                return Err(rusqlite::Error::QueryReturnedNoRows);
            }
        }
        Ok(records)
    }
}

/// What a database error means for the ledger in this folder.
pub(super) fn failed(
    dir: &Path,
    what: &'static str,
) -> impl Fn(rusqlite::Error) -> TournamentError {
    move |error| {
        let path = dir.join(GAMES);
        let text = match &error {
            rusqlite::Error::SqliteFailure(code, text) => {
                let text = text.clone().unwrap_or_else(|| code.to_string());
                match code.code {
                    ErrorCode::DatabaseCorrupt => return corrupt(dir, &text),
                    // A table or a column that is always there.
                    ErrorCode::Unknown if what != "be written" => return corrupt(dir, &text),
                    ErrorCode::NotADatabase => return TournamentError::Foreign(path),
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                        return TournamentError::Locked(path);
                    }
                    ErrorCode::DiskFull => "the disk is full".to_owned(),
                    ErrorCode::OperationInterrupted if is_late() => "it takes too long".to_owned(),
                    ErrorCode::OperationInterrupted => "it was interrupted".to_owned(),
                    _ => text,
                }
            }
            // Something else than what this program writes.
            error => return corrupt(dir, &error.to_string()),
        };
        TournamentError::Database { path, what, text }
    }
}

/// Lets the database look for faults of its pages.
pub(super) fn check_pages(
    dir: &Path,
    connection: &Connection,
    pragma: &str,
) -> Result<(), TournamentError> {
    let said = connection.query_row(pragma, [], |row| row.get::<_, String>(0));
    let said = said.map_err(failed(dir, "be read"))?;
    // The fault is on the last line.
    match said.lines().last() {
        Some("ok") => Ok(()),
        fault => Err(corrupt(dir, fault.unwrap_or_default())),
    }
}

/// What the database says about a damaged ledger.
fn corrupt(dir: &Path, text: &str) -> TournamentError {
    // It may quote what is damaged.
    let text = text.replace(char::is_control, " ");
    damaged(dir, format!("the database says: {text}"))
}

/// What is damaged in the ledger of this folder.
pub(super) fn damaged(dir: &Path, what: String) -> TournamentError {
    let path = dir.join(GAMES);
    TournamentError::Damaged { path, what }
}

/// Whether the folder is a results folder, that is, has a ledger.
///
/// # Errors
/// When the path is a file, the folder cannot be read, or what has the ledger's name is not a file.
pub fn exists(dir: &Path) -> Result<bool, TournamentError> {
    match fs::metadata(dir) {
        Ok(found) if !found.is_dir() => return Err(TournamentError::NoFolder(dir.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(cannot("be read", dir)(error)),
        Ok(_) => {}
    }
    let path = dir.join(GAMES);
    match fs::metadata(&path) {
        Ok(found) if !found.is_file() => Err(TournamentError::NotPlain(path)),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot("be read", &path)(error)),
    }
}

/// Opens the ledger of a folder for reading. Another process may be writing to it.
pub(super) fn open_for_reading(dir: &Path) -> Result<Connection, TournamentError> {
    if !exists(dir)? {
        return Err(TournamentError::NoResults(dir.to_owned()));
    }
    let path = dir.join(GAMES);
    let begun = Instant::now();
    let opened = loop {
        // A reader makes the files beside the ledger that readers and a writer share, and removes them at the end.
        let opened = open(dir, &path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let opened = opened.and_then(|connection| check(dir, &connection).map(|()| connection));
        let is_locked = matches!(opened, Err(TournamentError::Locked(_)));
        // A writer of this program locks it for a moment when it begins and when it ends.
        if !is_locked || begun.elapsed() > PATIENCE || !FolderLock::is_taken(dir) {
            break opened;
        }
    };
    let connection = match opened {
        // On read-only media and on a full disk, those files cannot be made. Nobody is writing there.
        Err(TournamentError::Database { .. }) if !FolderLock::is_taken(dir) => {
            open_unwritable(dir, &path).or(opened)?
        }
        opened => opened?,
    };
    let ruled = connection.pragma_update(None, "query_only", true);
    ruled.map_err(failed(dir, "be read"))?;
    Ok(connection)
}

/// Opens a ledger to which nobody writes, and beside which no files can be made.
fn open_unwritable(dir: &Path, path: &Path) -> Result<Connection, TournamentError> {
    let log = dir.join(LOG);
    let connection = if fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
        let name = path.to_string_lossy().replace('%', "%25");
        let name = name.replace('?', "%3f").replace('#', "%23");
        let uri = format!("file:{name}?immutable=1");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        open(dir, Path::new(&uri), flags)?
    } else {
        // The command that wrote it was killed. The log is folded into a copy, which is open when its folder is removed.
        let folder = tempfile::tempdir().map_err(cannot("be copied", path))?;
        copy(dir, folder.path())?;
        let copy = folder.path().join(GAMES);
        let connection = open(dir, &copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let folded = connection.pragma_update(None, "journal_mode", "delete");
        folded.map_err(failed(dir, "be read"))?;
        connection
    };
    check(dir, &connection)?;
    Ok(connection)
}

/// Copies a ledger and its log into another folder.
pub(super) fn copy(dir: &Path, to: &Path) -> Result<(), TournamentError> {
    let copy = |name: &str| fs::copy(dir.join(name), to.join(name));
    let copied = copy(GAMES).and_then(|_| match copy(LOG) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        copied => copied,
    });
    copied.map_err(cannot("be copied", &dir.join(GAMES)))?;
    Ok(())
}

/// Opens a copy of a damaged ledger.
pub(super) fn open_damaged(dir: &Path, copy: &Path) -> Result<Connection, TournamentError> {
    let connection = open(dir, copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // A row that is not whole does not make the others on its page unreadable.
    let set = connection.pragma_update(None, "cell_size_check", false);
    set.map_err(failed(dir, "be opened"))?;
    Ok(connection)
}

/// Opens a ledger for writing; the folder is locked.
pub(super) fn open_for_writing(dir: &Path) -> Result<Connection, TournamentError> {
    let path = dir.join(GAMES);
    let found = fs::symlink_metadata(&path).map_err(cannot("be opened", &path))?;
    if found.is_symlink() || identity(&found).2 > 1 {
        return Err(TournamentError::Linked(path));
    }
    let connection = open(dir, &path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    check(dir, &connection)?;
    // Readers are not held up by a writer, nor a writer by readers. Killing the process loses no transaction, and a power
    // failure at most the last ones, because the log is flushed when it is folded in and not at each transaction.
    let set = connection
        .pragma_update(None, "journal_mode", "wal")
        .and_then(|()| connection.pragma_update(None, "synchronous", "normal"))
        .and_then(|()| connection.busy_timeout(PATIENCE));
    set.map_err(failed(dir, "be written"))?;
    Ok(connection)
}

/// Makes an empty ledger under this name.
pub(super) fn create(dir: &Path, path: &Path) -> Result<Connection, TournamentError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = open(dir, path, flags)?;
    // The file is nobody's before it has its name, so nothing is rolled back, and a process that is killed leaves no journal.
    let made = connection
        .pragma_update(None, "journal_mode", "memory")
        .and_then(|()| make(&connection));
    made.map_err(failed(dir, "be written"))?;
    Ok(connection)
}

fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", SCHEMA)?;
    connection.execute_batch(TABLES)
}

/// Opens a file that others may have made: nothing in it is executed, and no value of it is larger than this program writes.
fn open(dir: &Path, path: &Path, flags: OpenFlags) -> Result<Connection, TournamentError> {
    check_beside(path)?;
    // A name that begins with `file:` would be taken for an address.
    let path = match flags.contains(OpenFlags::SQLITE_OPEN_URI) {
        true => path.to_owned(),
        false => Path::new(".").join(path),
    };
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags);
    let mut connection = connection.map_err(failed(dir, "be opened"))?;
    let was_set = is_interrupted();
    let rules = [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    ];
    let mut rules = rules.into_iter();
    let set = rules
        .try_for_each(|(rule, on)| connection.set_db_config(rule, on).map(|_| ()))
        .and_then(|()| connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE))
        .and_then(|_| connection.progress_handler(STEPS, Some(move || is_to_end(was_set))))
        .and_then(|()| connection.busy_timeout(TO_OPEN))
        .and_then(|()| connection.pragma_update(None, "cache_size", -CACHE))
        .and_then(|()| connection.pragma_update(None, "cell_size_check", true))
        .and_then(|()| {
            let flags = FunctionFlags::SQLITE_UTF8
                | FunctionFlags::SQLITE_DETERMINISTIC
                | FunctionFlags::SQLITE_DIRECTONLY;
            connection.create_scalar_function("row_checksum", -1, flags, |values| {
                let values = (0..values.len()).map(|place| values.get_raw(place));
                Ok(row_checksum(values))
            })
        });
    set.map_err(failed(dir, "be opened"))?;
    Ok(connection)
}

/// Checks that the files which SQLite makes beside a ledger are files, not links to others that it would write to.
fn check_beside(path: &Path) -> Result<(), TournamentError> {
    // They are beside what a link leads to.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for end in ["-wal", "-shm", "-journal"] {
        let name = path.file_name().unwrap_or_default();
        let beside: OsString = [name, OsStr::new(end)].into_iter().collect();
        let beside = path.with_file_name(beside);
        if fs::symlink_metadata(&beside).is_ok_and(|found| !found.is_file()) {
            return Err(TournamentError::NotPlain(beside));
        }
    }
    Ok(())
}

/// Compares the rows of tables with their checksums.
pub(super) fn check_rows(
    dir: &Path,
    connection: &Connection,
    tables: &[CheckedTable],
) -> Result<(), TournamentError> {
    for CheckedTable {
        name, key, columns, ..
    } in tables
    {
        let select = format!(
            "SELECT concat({key}) FROM {name} WHERE checksum IS NOT row_checksum({columns}) LIMIT 1"
        );
        let wrong = connection.query_row(&select, [], |row| row.get::<_, String>(0));
        if let Some(row) = wrong.optional().map_err(failed(dir, "be read"))? {
            // The key may be what is damaged.
            let row: String = row.chars().filter(|c| !c.is_control()).take(40).collect();
            let what =
                format!("the row {row} of the table {name} does not agree with its checksum");
            return Err(damaged(dir, what));
        }
    }
    Ok(())
}

/// Compares the numbers of rows of tables and the sums of their checksums with their totals.
pub(super) fn check_totals(
    dir: &Path,
    connection: &Connection,
    tables: &[CheckedTable],
) -> Result<(), TournamentError> {
    for CheckedTable { name, .. } in tables {
        let said = Totals::of(connection, name).map_err(failed(dir, "be read"))?;
        let found = Totals::count(connection, name).map_err(failed(dir, "be read"))?;
        compare(dir, name, said, found)?;
    }
    Ok(())
}

/// Compares the totals that a table must have with those of its rows.
pub(super) fn compare(
    dir: &Path,
    table: &str,
    said: Totals,
    found: Totals,
) -> Result<(), TournamentError> {
    if said == found {
        return Ok(());
    }
    let (there, expected) = (found.rows, said.rows);
    let what =
        format!("the table {table} has {there} rows; expected {expected}, with other checksums");
    Err(damaged(dir, what))
}

/// Checks that the file is a ledger of this version.
fn check(dir: &Path, connection: &Connection) -> Result<(), TournamentError> {
    let number = |name| {
        let found = connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        found.map_err(failed(dir, "be read"))
    };
    let (application, schema) = (number("application_id")?, number("user_version")?);
    let path = dir.join(GAMES);
    match (application, schema) {
        (APPLICATION, SCHEMA) => check_schema(dir, connection),
        (APPLICATION, other) => Err(TournamentError::OtherSchema(path, other)),
        _ => Err(TournamentError::Foreign(path)),
    }
}

/// Checks that the tables are tables: a view in the place of one, or a trigger, would run what others wrote.
fn check_schema(dir: &Path, connection: &Connection) -> Result<(), TournamentError> {
    // Views and virtual tables have no pages.
    let select = "SELECT count(*) FILTER (WHERE type = 'table' AND rootpage > 0), count(*) FILTER (WHERE type = 'trigger') \
                  FROM sqlite_schema WHERE lower(tbl_name) = ?";
    for name in CHECKED
        .map(|table| table.name)
        .into_iter()
        .chain(OTHER_TABLES)
    {
        let found = connection.query_row(select, [name], |row| row.try_into());
        match found.map_err(failed(dir, "be read"))? {
            (0, _) => {
                let what = format!("{name} is not a table; expected the table {name}");
                return Err(damaged(dir, what));
            }
            (1_i64.., 1_i64..) => {
                let what = format!("the table {name} has a trigger; expected none");
                return Err(damaged(dir, what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A file: its device, its number there, and how many names lead to it.
type Identity = (u64, u64, u64);
/// The ledger and its log, as far as they exist.
pub(super) type Identities = [Option<Identity>; 2];

/// What the names of a ledger and its log lead to. The files are not opened: to close them again would release the locks
/// that this process has on them.
pub(super) fn identities(dir: &Path) -> Identities {
    [GAMES, LOG].map(|name| Some(identity(&fs::symlink_metadata(dir.join(name)).ok()?)))
}

#[cfg(unix)]
fn identity(found: &fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino(), found.nlink())
}

/// On this platform, files are not told apart.
#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> Identity {
    (0, 0, 1)
}

/// The lock of a folder that this process writes to. It ends with the process.
#[derive(Debug)]
pub(super) struct FolderLock(File);

impl FolderLock {
    /// Locks a folder.
    pub(super) fn take(dir: &Path) -> Result<Self, TournamentError> {
        let file = Self::file(dir)?;
        let mut tries = 10;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                // It may only be looked at.
                Err(TryLockError::WouldBlock) if tries > 0 => tries -= 1,
                Err(TryLockError::WouldBlock) => {
                    return Err(TournamentError::InUse(dir.to_owned()));
                }
                Err(TryLockError::Error(error)) => return Err(cannot("be locked", dir)(error)),
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether a process writes to a folder.
    pub(super) fn is_taken(dir: &Path) -> bool {
        let locked = Self::file(dir).map(|file| file.try_lock_shared());
        matches!(locked, Ok(Err(TryLockError::WouldBlock)))
    }

    fn file(dir: &Path) -> Result<File, TournamentError> {
        // A folder can be opened as a file only on Unix.
        let file = match cfg!(unix) {
            true => File::open(dir),
            false => File::create(dir.join(".lock")),
        };
        file.map_err(cannot("be opened", dir))
    }

    /// Whether the path still leads to the locked folder.
    pub(super) fn is_at(&self, dir: &Path) -> bool {
        // Where a folder cannot be opened as a file, the lock is a file in it.
        let [there, locked] = [fs::metadata(dir), self.0.metadata()]
            .map(|found| found.map(|found| (identity(&found).0, identity(&found).1)));
        matches!((locked, there), (Ok(locked), Ok(there)) if locked == there)
    }
}
