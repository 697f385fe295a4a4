//! Checksums of rows and totals of tables, by which a row that is changed, lost or added is noticed.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use twox_hash::XxHash3_64;

/// The number of rows of a table and the sum of their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) rows: i64,
    pub(super) checksum: i64,
}

impl Totals {
    pub(super) fn add(&mut self, checksum: i64) {
        self.rows += 1;
        self.checksum = self.checksum.wrapping_add(checksum);
    }

    /// Adds a row, if there is one.
    pub(super) fn extend(&mut self, checksum: Option<i64>) {
        checksum.into_iter().for_each(|checksum| self.add(checksum));
    }

    pub(super) fn of(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let select = "SELECT rows, checksum FROM totals WHERE name = ?";
        connection.query_row(select, [name], |row| {
            Ok(Self {
                rows: row.get(0)?,
                checksum: row.get(1)?,
            })
        })
    }

    pub(super) fn write(self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        // The row stays where it is: what is written again is the same file.
        let insert = "INSERT INTO totals (name, rows, checksum) VALUES (?, ?, ?)
                      ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, checksum = excluded.checksum";
        connection
            .prepare_cached(insert)?
            .execute(params![name, self.rows, self.checksum])?;
        Ok(())
    }

    /// Those of the rows that are there.
    pub(super) fn count(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let mut found = Self::default();
        let mut select = connection.prepare(&format!("SELECT checksum FROM {name}"))?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            found.add(row.get(0)?);
        }
        Ok(found)
    }

    /// Writes those of the rows that are there.
    pub(super) fn renew(connection: &Connection, name: &str) -> rusqlite::Result<()> {
        Self::count(connection, name)?.write(connection, name)
    }
}

/// The checksum of a row: each value is hashed with the hash of those before it as the seed.
pub(super) fn row_checksum<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let hash = values.into_iter().fold(0, |seed, value| match value {
        ValueRef::Null => XxHash3_64::oneshot_with_seed(seed, &[]),
        ValueRef::Integer(number) => XxHash3_64::oneshot_with_seed(seed, &number.to_le_bytes()),
        ValueRef::Real(number) => XxHash3_64::oneshot_with_seed(seed, &number.to_le_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => XxHash3_64::oneshot_with_seed(seed, bytes),
    });
    hash.cast_signed()
}
