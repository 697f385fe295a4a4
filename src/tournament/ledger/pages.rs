//! Reads the pages of a ledger without the database: whether the rows of a table are in the order that lookups rely on, and
//! the rows of games of a damaged file, whatever leads to them. Their checksums say which are whole.
//!
//! The layout of the pages is that of [SQLite's file format](https://www.sqlite.org/fileformat2.html), sections 1.6 and 2.1.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::row::{GameRow, varint};

/// The size of a page of a ledger in bytes.
const PAGE: usize = 4096;
/// The type of a page that holds rows of a table.
const LEAF: u8 = 0x0d;
/// The type of a page that leads to the pages of a table.
const INTERIOR: u8 = 0x05;
/// The bytes before the places of the cells on a leaf.
const LEAF_HEADER: usize = 8;
/// The most bytes of a row that its page holds itself, and the fewest if the rest is on other pages.
const MOST_LOCAL: usize = PAGE - 35;
const LEAST_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;

/// Whether every row of the table with this root page is found by its number: the numbers on each page ascend, and are
/// within the limits that the pages above it state.
pub(super) fn is_in_order(path: &Path, root: u32) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut left = file.metadata()?.len() / PAGE as u64;
    let mut page = [0; PAGE];
    let mut waiting = vec![(root, i64::MIN, i64::MAX)];
    while let Some((number, mut low, high)) = waiting.pop() {
        // A page that is passed twice leads to itself.
        let (Some(before), Some(rest)) = (u64::from(number).checked_sub(1), left.checked_sub(1))
        else {
            return Ok(false);
        };
        left = rest;
        read_page(&mut file, before, &mut page)?;
        let header = match page[0] {
            LEAF => LEAF_HEADER,
            INTERIOR => LEAF_HEADER + 4,
            _ => return Ok(false),
        };
        for cell in cells(&page, header) {
            let (child, number) = match cell.split_first_chunk() {
                Some((child, rest)) if page[0] == INTERIOR => {
                    (Some(u32::from_be_bytes(*child)), varint(rest))
                }
                _ => (None, varint(cell).and_then(|(_, rest)| varint(rest))),
            };
            match number {
                Some((number, _)) if low < number && number <= high => {
                    waiting.extend(child.map(|child| (child, low, number)));
                    low = number;
                }
                _ => return Ok(false),
            }
        }
        if let (INTERIOR, Some((last, _))) = (page[0], page[LEAF_HEADER..].split_first_chunk()) {
            waiting.push((u32::from_be_bytes(*last), low, high));
        }
    }
    Ok(true)
}

/// Passes each whole row of a game to `visit` once, with its record.
pub(super) fn each_game(
    path: &Path,
    mut visit: impl FnMut(&GameRow, &[u8]) -> bool,
) -> io::Result<()> {
    let mut file = File::open(path)?;
    let pages = file.metadata()?.len() / PAGE as u64;
    let mut known = HashSet::new();
    let mut page = [0; PAGE];
    // Rows are never on the first page, which describes the tables.
    for number in 1..pages {
        read_page(&mut file, number, &mut page)?;
        if page[0] != LEAF {
            continue;
        }
        for cell in cells(&page, LEAF_HEADER) {
            let Some((game, row)) = cell_at(cell, &mut file) else {
                continue;
            };
            // A page that is no longer used may hold a row again.
            if let Some((row, record)) = GameRow::of_bytes(game, &row)
                && known.insert(game)
                && !visit(&row, record)
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads the page after this many others.
fn read_page(file: &mut File, before: u64, page: &mut [u8; PAGE]) -> io::Result<()> {
    file.seek(SeekFrom::Start(before * PAGE as u64))?;
    file.read_exact(page)
}

/// The cells of a page, each with all that follows it; empty where the page is damaged.
fn cells(page: &[u8; PAGE], header: usize) -> impl Iterator<Item = &[u8]> {
    let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let places = page[header..].chunks_exact(2).take(count);
    places.map(|place| {
        let start = usize::from(u16::from_be_bytes([place[0], place[1]]));
        page.get(start..).unwrap_or_default()
    })
}

/// The number and the bytes of the row at the start of a cell.
fn cell_at(cell: &[u8], file: &mut File) -> Option<(i64, Vec<u8>)> {
    let (length, rest) = varint(cell)?;
    let (game, rest) = varint(rest)?;
    let length = usize::try_from(length)
        .ok()
        .filter(|&length| length <= 1 << 20)?;
    if length <= MOST_LOCAL {
        return Some((game, rest.get(..length)?.to_vec()));
    }
    let local = LEAST_LOCAL + (length - LEAST_LOCAL) % (PAGE - 4);
    let local = if local <= MOST_LOCAL {
        local
    } else {
        LEAST_LOCAL
    };
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
