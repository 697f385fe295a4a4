//! Looks into the ledgers of results folders, and changes them as other programs and bad disks do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use patchwork_engine::record::Entry;
use patchwork_tournament::ledger::Store;
use patchwork_tournament::{Manifest, Results, Streams};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use twox_hash::XxHash3_64;

use crate::program::{Workspace, wait_until};

impl Workspace {
    /// The ledger of a results folder.
    pub fn ledger_path(&self, results: &str) -> PathBuf {
        self.path(&format!("{results}/games.db"))
    }

    /// The ledger of a results folder, opened as another program opens it.
    pub fn ledger(&self, results: &str) -> Connection {
        let path = self.ledger_path(results);
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("a ledger")
    }

    /// Changes a ledger with a statement.
    pub fn change(&self, results: &str, statement: &str) {
        let ledger = self.ledger(results);
        assert_eq!(ledger.execute(statement, []), Ok(1), "{statement}");
    }

    /// The text of a results folder's manifest.
    pub fn manifest(&self, results: &str) -> String {
        let ledger = self.ledger(results);
        let select = "SELECT manifest FROM tournament";
        ledger
            .query_row(select, [], |row| row.get(0))
            .expect("a manifest")
    }

    /// A results folder's manifest.
    pub fn manifest_json(&self, results: &str) -> Value {
        serde_json::from_str(&self.manifest(results)).expect("JSON")
    }

    /// Replaces the text of a results folder's manifest.
    pub fn set_manifest(&self, results: &str, manifest: &str) {
        let ledger = self.ledger(results);
        let checksum = XxHash3_64::oneshot(manifest.as_bytes()).cast_signed();
        let update = "UPDATE tournament SET manifest = ?, checksum = ?";
        let values = rusqlite::params![manifest, checksum];
        assert_eq!(ledger.execute(update, values), Ok(1));
        let update = "UPDATE totals SET checksum = ? WHERE name = 'tournament'";
        assert_eq!(ledger.execute(update, [checksum]), Ok(1));
    }

    /// Number of games that are committed in a results folder, which may not be there yet.
    pub fn stored(&self, results: &str) -> usize {
        // A connection that only reads would leave the files beside the ledger.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let ledger = Connection::open_with_flags(self.ledger_path(results), flags);
        let count = ledger.and_then(|ledger| {
            ledger.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))
        });
        count.map_or(0, |count| count as usize)
    }

    /// Waits until a command has stored this many games, or has ended.
    pub fn wait_for_stored(&self, results: &str, games: usize, child: &mut Child) {
        wait_until("the games are stored", || {
            self.stored(results) >= games || child.try_wait().expect("asked").is_some()
        });
    }

    /// The stored games of a fleet, one line each: the agents, the pair and the leg of the game, the worker, the attempt.
    pub fn deliveries(&self, results: &str) -> Vec<String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let read = || {
            let ledger = Connection::open_with_flags(self.ledger_path(results), flags)?;
            let select = "SELECT first || '|' || second || '/' || pair || '/' || leg || ',' || worker || ',' || attempt \
                          FROM deliveries JOIN named_games USING (game)";
            let mut select = ledger.prepare(select)?;
            let rows = select.query_map([], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().unwrap_or_default()
    }

    /// All rows of the games of a results folder: their numbers, records and checksums.
    pub fn rows(&self, results: &str) -> Vec<(i64, Vec<u8>, i64)> {
        let ledger = self.ledger(results);
        let select = ledger.prepare("SELECT game, record, checksum FROM games");
        let mut select = select.expect("a table");
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.expect("rows")
            .collect::<rusqlite::Result<_>>()
            .expect("rows")
    }

    /// Leaves only the first games of a results folder, in the order of the plan, as after a kill.
    pub fn keep_games(&self, results: &str, count: usize) {
        let dir = self.path(results);
        let there = Results::read(&dir).expect("results");
        let entries: Result<Vec<Entry>, _> = there.games.iter().take(count).collect();
        let entries = entries.expect("readable");
        assert_eq!(entries.len(), count, "{results}");
        fs::remove_file(self.ledger_path(results)).expect("removed");
        write_ledger(&dir, &there.manifest, &entries);
    }

    /// Replaces the record of a game, with the checksum that belongs to it, as no program writes it.
    pub fn forge_record(&self, results: &str, game: i64, record: &[u8]) {
        let ledger = self.ledger(results);
        let (columns, old) = ledger
            .query_row("SELECT * FROM games WHERE game = ?", [game], |row| {
                let mut bytes = Vec::new();
                // The columns before the record, as numbers; no fault is among them.
                for place in 0..23 {
                    let number = row.get::<_, Option<i64>>(place)?.unwrap_or(i64::MIN);
                    bytes.extend(number.to_le_bytes());
                }
                Ok((bytes, row.get::<_, i64>(24)?))
            })
            .expect("a game");
        let seed = XxHash3_64::oneshot(&columns);
        let checksum = XxHash3_64::oneshot_with_seed(seed, record).cast_signed();
        let update = "UPDATE games SET record = ?, checksum = ? WHERE game = ?";
        let values = rusqlite::params![record, checksum, game];
        assert_eq!(ledger.execute(update, values), Ok(1));
        let total = "SELECT checksum FROM totals WHERE name = 'games'";
        let total: i64 = ledger
            .query_row(total, [], |row| row.get(0))
            .expect("a total");
        let total = total.wrapping_sub(old).wrapping_add(checksum);
        let update = "UPDATE totals SET checksum = ? WHERE name = 'games'";
        assert_eq!(ledger.execute(update, [total]), Ok(1));
    }

    /// The names of the files in a folder that belong to a ledger, sorted.
    pub fn ledger_files(&self, results: &str) -> Vec<String> {
        let files = fs::read_dir(self.path(results)).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name().into_string());
        let mut names: Vec<String> = names
            .map(|name| name.expect("UTF-8"))
            .filter(|name| name.contains("games.db"))
            .collect();
        names.sort();
        names
    }
}

/// Writes games of a plan into a new results folder.
pub fn write_ledger(dir: &Path, manifest: &Manifest, entries: &[Entry]) {
    let streams = Streams::new(&manifest.plan);
    let mut store = Store::create(dir, manifest).expect("a new folder");
    for entry in entries {
        let address = streams.address((&entry.record).into());
        store
            .append(&address, &entry.clone().into(), None)
            .expect("stored");
    }
    store.finish().expect("stored");
}
