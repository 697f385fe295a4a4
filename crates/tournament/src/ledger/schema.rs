//! The file of a ledger: its names, its marks and its tables.

use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};

use super::checksums::row_checksum;

/// Name of the ledger in a results folder.
pub const GAMES: &str = "games.db";
/// Name of the log beside it, which is folded into it at the end.
pub(super) const LOG: &str = "games.db-wal";

/// Marks the file as a ledger ("PWGA").
pub(super) const APPLICATION: i64 = 0x5057_4741;
/// The version of the tables; the next one that reads otherwise gets the next number.
pub(super) const SCHEMA: i64 = 4;
/// The statements that make the tables.
pub(super) const TABLES: &str = include_str!("schema.sql");

/// The table of the games, and that of the totals of tables.
pub(super) const OTHER_TABLES: [&str; 2] = ["games", "totals"];

/// A table whose rows have checksums over these columns, of which the first ones are the key. Columns that a user or a later
/// version appends are neither read nor written.
pub(super) struct CheckedTable {
    pub(super) name: &'static str,
    /// An expression for the key of a row.
    pub(super) key: &'static str,
    pub(super) columns: &'static str,
    /// `INSERT`, or `INSERT OR IGNORE` if a row that is there already stays.
    insert: &'static str,
}

const fn table(name: &'static str, key: &'static str, columns: &'static str) -> CheckedTable {
    let insert = "INSERT";
    CheckedTable {
        name,
        key,
        columns,
        insert,
    }
}

pub(super) const TOURNAMENT: CheckedTable = table("tournament", "rowid", "manifest");
pub(super) const SESSIONS: CheckedTable = table(
    "sessions",
    "session",
    "session, started, ended, version, machine, processor, processors, other_load",
);
pub(super) const AGENTS: CheckedTable =
    table("agents", "agent", "agent, label, hash, settings, planned");
pub(super) const SETUPS: CheckedTable = CheckedTable {
    insert: "INSERT OR IGNORE",
    ..table("setups", "setup", "setup, ring")
};
pub(super) const DECISIONS: CheckedTable = table(
    "decisions",
    "game, '/', ply",
    "game, ply, seat, action, legal, iterations, value, nanos",
);
pub(super) const CONSIDERED: CheckedTable = table(
    "considered",
    "game, '/', ply, '/', rank",
    "game, ply, rank, action, visits, value",
);
pub(super) const DELIVERIES: CheckedTable = table("deliveries", "game", "game, worker, attempt");
pub(super) const OTHERS: CheckedTable = CheckedTable {
    insert: "INSERT OR IGNORE",
    ..table("others", "game", "game, source, record")
};

/// All of them.
pub(super) const CHECKED: [CheckedTable; 8] = [
    TOURNAMENT, SESSIONS, AGENTS, SETUPS, DECISIONS, CONSIDERED, DELIVERIES, OTHERS,
];

impl CheckedTable {
    /// Inserts a row; returns its checksum, or nothing if it is there already and stays.
    pub(super) fn insert(
        &self,
        connection: &Connection,
        values: &[ValueRef<'_>],
    ) -> rusqlite::Result<Option<i64>> {
        let Self {
            name,
            columns,
            insert,
            ..
        } = self;
        let places = ", ?".repeat(values.len());
        let insert = format!("{insert} INTO {name} ({columns}, checksum) VALUES (?{places})");
        let mut statement = connection.prepare_cached(&insert)?;
        let checksum = row_checksum(values.iter().copied());
        for (place, &value) in (1..).zip(values.iter().chain([&ValueRef::Integer(checksum)])) {
            statement.raw_bind_parameter(place, ToSqlOutput::Borrowed(value))?;
        }
        Ok((statement.raw_execute()? > 0).then_some(checksum))
    }
}
