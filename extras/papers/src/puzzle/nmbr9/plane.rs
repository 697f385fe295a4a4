//! A board of 64 rows of 64 squares as bits, which is larger than any grid.

use super::layout::PlacedPart;
use super::part::{Part, Turn};

/// Rows and columns of a plane.
const SIDE: usize = 64;

/// A set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Plane {
    rows: [u64; SIDE],
    /// The rows in use: from the first up to, but not including, the second.
    top: u8,
    bottom: u8,
}

/// The part, unturned, where there is room on all sides.
pub(super) const fn in_the_middle(part: Part) -> PlacedPart {
    let middle = (SIDE / 2 - 2) as u8;
    PlacedPart {
        part,
        turn: 0,
        level: 1,
        row: middle,
        column: middle,
    }
}

impl Default for Plane {
    fn default() -> Self {
        Self {
            rows: [0; SIDE],
            top: SIDE as u8,
            bottom: 0,
        }
    }
}

impl Plane {
    /// The squares of these parts.
    pub(super) fn of(parts: &[PlacedPart]) -> Self {
        let mut plane = Self::default();
        parts.iter().for_each(|placed| plane.add(placed));
        plane
    }

    pub(super) const fn row(&self, row: usize) -> u64 {
        self.rows[row]
    }

    /// The first row in use and the row after the last; all other rows are empty.
    pub(super) const fn span(&self) -> (usize, usize) {
        (self.top as usize, self.bottom as usize)
    }

    /// Whether a turn with its box at this position shares no square with the set. The turn must lie in the
    /// plane.
    #[inline(always)]
    pub(super) fn is_free(&self, turn: &Turn, row: usize, column: usize) -> bool {
        let rows = turn.rows().iter().enumerate();
        rows.fold(0, |hit, (i, bits)| {
            hit | self.rows[row + i] & bits << column
        }) == 0
    }

    #[inline(always)]
    pub(super) fn add(&mut self, placed: &PlacedPart) {
        let turn = placed.turn();
        for (own, bits) in self.rows[placed.row.into()..].iter_mut().zip(turn.rows()) {
            *own |= bits << placed.column;
        }
        self.top = self.top.min(placed.row);
        self.bottom = self.bottom.max(placed.row + turn.height);
    }

    /// Removes squares that were added; the range of rows is kept.
    #[inline(always)]
    pub(super) fn remove(&mut self, placed: &PlacedPart) {
        let rows = self.rows[placed.row.into()..].iter_mut();
        for (own, bits) in rows.zip(placed.turn().rows()) {
            *own &= !(bits << placed.column);
        }
    }

    /// The first square, row by row, that is in this set but not in the other.
    #[inline(always)]
    pub(super) fn first_outside(&self, other: &Self) -> Option<(usize, usize)> {
        let (top, bottom) = self.span();
        (top..bottom).find_map(|row| {
            let left = self.rows[row] & !other.rows[row];
            (left != 0).then(|| (row, left.trailing_zeros() as usize))
        })
    }

    pub(super) fn area(&self) -> u32 {
        let (top, bottom) = self.span();
        (top..bottom).map(|row| self.rows[row].count_ones()).sum()
    }

    /// All columns in use, as bits.
    pub(super) fn columns(&self) -> u64 {
        let (top, bottom) = self.span();
        (top..bottom).fold(0, |all, row| all | self.rows[row])
    }

    /// The squares in this row that are in the set or adjacent to it.
    #[inline(always)]
    fn near(&self, row: usize) -> u64 {
        let own = self.rows[row];
        let above = if row > 0 { self.rows[row - 1] } else { 0 };
        let below = if row + 1 < SIDE {
            self.rows[row + 1]
        } else {
            0
        };
        own << 1 | own >> 1 | above | below
    }

    /// Every placement of a part that touches the set but shares no square with it, of those for which `may` is true.
    pub(super) fn beside(&self, part: Part, may: impl Fn(&PlacedPart) -> bool) -> Vec<PlacedPart> {
        let (top, bottom) = self.span();
        let columns = self.columns();
        let first = columns.trailing_zeros() as usize;
        let last = SIDE - columns.leading_zeros() as usize;
        let mut found = Vec::new();
        for (t, turn) in part.turns().iter().enumerate() {
            let (height, width) = (usize::from(turn.height), usize::from(turn.width));
            for row in top.saturating_sub(height)..=bottom.min(SIDE - height) {
                for column in first.saturating_sub(width)..=last.min(SIDE - width) {
                    let placed = PlacedPart {
                        part,
                        turn: t as u8,
                        level: 1,
                        row: row as u8,
                        column: column as u8,
                    };
                    let touches =
                        |(i, bits): (usize, &u64)| bits << column & self.near(row + i) != 0;
                    if may(&placed)
                        && self.is_free(turn, row, column)
                        && turn.rows().iter().enumerate().any(touches)
                    {
                        found.push(placed);
                    }
                }
            }
        }
        found
    }

    /// Height and width of the bounding box.
    pub(super) fn extent(&self) -> (usize, usize) {
        let columns = self.columns();
        if columns == 0 {
            return (0, 0);
        }
        let used = |row: &usize| self.rows[*row] != 0;
        let (top, bottom) = self.span();
        let first = (top..bottom).find(used).unwrap_or(top);
        let last = (top..bottom).rev().find(used).unwrap_or(first);
        let width = 64 - columns.leading_zeros() - columns.trailing_zeros();
        (last + 1 - first, width as usize)
    }

    /// Number of edges on the rim.
    pub(super) fn rim(&self) -> u32 {
        let (top, bottom) = self.span();
        let sides = (top..=bottom.min(SIDE - 1)).map(|row| {
            let own = self.rows[row];
            let above = if row > 0 { self.rows[row - 1] } else { 0 };
            (own ^ own << 1).count_ones() + (own ^ above).count_ones()
        });
        sides.sum()
    }
}
