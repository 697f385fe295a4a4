//! Reads the rows of a damaged ledger from its pages, without the database, whatever leads to them. Their checksums say which
//! are whole.
//!
//! The layout of the pages is that of [SQLite's file format](https://www.sqlite.org/fileformat2.html), sections 1.6 and 2.1.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use rusqlite::types::ValueRef;

/// The size of a page of a ledger in bytes.
const PAGE: usize = 4096;
/// The type of a page that holds rows of a table.
const LEAF: u8 = 0x0d;
/// The type of a page that holds rows of an index.
const INDEX_LEAF: u8 = 0x0a;
/// The bytes before the places of the cells on a leaf.
const LEAF_HEADER: usize = 8;
/// The most bytes of a row that its page holds itself, and the fewest if the rest is on other pages.
const MAX_LOCAL: usize = PAGE - 35;
/// The most bytes of a row of an index that its page holds itself.
const MAX_OF_INDEX: usize = (PAGE - 12) * 64 / 255 - 23;
const MIN_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;

/// Passes the number and the values of each row of a table to `visit`, and the values of each row of an index, until it
/// returns false. A page that is no longer used may hold a row again.
pub(super) fn each_row(
    path: &Path,
    mut visit: impl FnMut(Option<i64>, &[ValueRef<'_>]) -> bool,
) -> io::Result<()> {
    let mut file = File::open(path)?;
    let pages = file.metadata()?.len() / PAGE as u64;
    let mut page = [0; PAGE];
    // Rows are never on the first page, which describes the tables.
    for number in 1..pages {
        read_page(&mut file, number, &mut page)?;
        if ![LEAF, INDEX_LEAF].contains(&page[0]) {
            continue;
        }
        for cell in cells(&page) {
            let row = match page[0] {
                LEAF => cell_at(cell, &mut file).map(|(number, row)| (Some(number), row)),
                _ => index_cell(cell).map(|row| (None, row.to_vec())),
            };
            if let Some((number, row)) = row
                && let Some(values) = values(&row)
                && !visit(number, &values)
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The values of the bytes of a row.
fn values(bytes: &[u8]) -> Option<Vec<ValueRef<'_>>> {
    let (length, types) = varint(bytes)?;
    let mut rest = bytes.get(usize::try_from(length).ok()?..)?;
    let mut types = &types[..types.len().checked_sub(rest.len())?];
    let mut values = Vec::new();
    while !types.is_empty() {
        let (kind, others) = varint(types)?;
        types = others;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            12.. => (kind - 12) / 2,
            _ => return None,
        };
        let (value, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        values.push(match kind {
            0 => ValueRef::Null,
            7 => ValueRef::Real(f64::from_be_bytes(value.try_into().ok()?)),
            8 | 9 => ValueRef::Integer(kind - 8),
            1..=6 => {
                let sign = if value[0] < 0x80 { 0 } else { -1 };
                let shifted = |number: i64, byte: &u8| number << 8 | i64::from(*byte);
                ValueRef::Integer(value.iter().fold(sign, shifted))
            }
            _ if kind % 2 == 0 => ValueRef::Blob(value),
            _ => ValueRef::Text(value),
        });
    }
    Some(values)
}

/// Reads the page after this many others.
fn read_page(file: &mut File, before: u64, page: &mut [u8; PAGE]) -> io::Result<()> {
    file.seek(SeekFrom::Start(before * PAGE as u64))?;
    file.read_exact(page)
}

/// The cells of a leaf, each with all that follows it; empty where the page is damaged.
fn cells(page: &[u8; PAGE]) -> impl Iterator<Item = &[u8]> {
    let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let places = page[LEAF_HEADER..].chunks_exact(2).take(count);
    places.map(|place| {
        let start = usize::from(u16::from_be_bytes([place[0], place[1]]));
        page.get(start..).unwrap_or_default()
    })
}

/// The bytes of the row at the start of a cell of an index; `None` if they are not all on this page.
fn index_cell(cell: &[u8]) -> Option<&[u8]> {
    let (length, rest) = varint(cell)?;
    let length = usize::try_from(length).ok()?;
    rest.get(..length).filter(|_| length <= MAX_OF_INDEX)
}

/// The number and the bytes of the row at the start of a cell.
fn cell_at(cell: &[u8], file: &mut File) -> Option<(i64, Vec<u8>)> {
    let (length, rest) = varint(cell)?;
    let (game, rest) = varint(rest)?;
    let length = usize::try_from(length)
        .ok()
        .filter(|&length| length <= 1 << 20)?;
    if length <= MAX_LOCAL {
        return Some((game, rest.get(..length)?.to_vec()));
    }
    let local = MIN_LOCAL + (length - MIN_LOCAL) % (PAGE - 4);
    let local = if local <= MAX_LOCAL { local } else { MIN_LOCAL };
    let mut row = rest.get(..local)?.to_vec();
    let mut next = u32::from_be_bytes(*rest.get(local..)?.first_chunk()?);
    while row.len() < length {
        let mut page = [0; PAGE];
        read_page(file, u64::from(next.checked_sub(1)?), &mut page).ok()?;
        next = u32::from_be_bytes(*page.first_chunk()?);
        row.extend(&page[4..][..(length - row.len()).min(PAGE - 4)]);
    }
    Some((game, row))
}

/// The number at the start of `bytes`, and what follows: seven bits a byte, the highest first.
fn varint(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let mut number = 0_i64;
    for (place, &byte) in bytes.iter().take(9).enumerate() {
        if place == 8 {
            return Some((number << 8 | i64::from(byte), &bytes[9..]));
        }
        number = number << 7 | i64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}
