//! The file of a ledger: its names, its marks and its tables.

/// Name of the ledger in a results folder.
pub const GAMES: &str = "games.db";
/// Name of the log beside it, which is folded into it at the end.
pub(super) const LOG: &str = "games.db-wal";

/// Marks the file as a ledger ("PWGA").
pub(super) const APPLICATION: i64 = 0x5057_4741;
/// The version of the tables; the next one that reads otherwise gets the next number.
pub(super) const SCHEMA: i64 = 3;
/// The statements that make the tables.
pub(super) const TABLES: &str = include_str!("schema.sql");
