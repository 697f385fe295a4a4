//! An 81-bit set of squares: a player's covered squares, or the squares of one placement.

use std::fmt;
use std::str::FromStr;

use crate::util::InputError;

/// Number of columns and of rows of a quilt.
pub const SIDE: usize = 9;
/// Number of squares of a quilt.
pub const SQUARES: usize = SIDE * SIDE;

const ALL: u128 = (1 << SQUARES) - 1;
const COLUMN: u128 = 0x0100_8040_2010_0804_0201;
const ROW: u128 = 0x1ff;
/// Columns 2 to 6 of rows 2 to 6.
const CENTRE: u128 = (0b1_1111 << 20) * (1 | (1 << 9) | (1 << 18) | (1 << 27) | (1 << 36));

/// One square of a quilt, numbered row by row from the top left: 0 is `a1`, 8 is `i1`, 80 is `i9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this row-major index, or `None` if the index is 81 or more.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < SQUARES {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The square in this column and row, both 0 to 8.
    ///
    /// # Panics
    /// If a coordinate is greater than 8.
    pub const fn at(column: usize, row: usize) -> Self {
        assert!(column < SIDE && row < SIDE);
        Self((row * SIDE + column) as u8)
    }

    /// Row-major index, 0 to 80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from the left, 0 to 8.
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE
    }

    /// Row from the top, 0 to 8.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = (b'a' + self.column() as u8) as char;
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl FromStr for Square {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        match text.as_bytes() {
            [column @ b'a'..=b'i', row @ b'1'..=b'9'] => {
                Ok(Self::at((column - b'a') as usize, (row - b'1') as usize))
            }
            _ => Err(InputError::new(format!(
                "'{text}' is not a square; expected a letter a to i and a digit 1 to 9, such as e5"
            ))),
        }
    }
}

/// A set of squares of the 9x9 board, one bit per square in row-major order.
///
/// ```
/// use patchwork_engine::board::{Quilt, Square};
///
/// let corner: Quilt = ["a1", "b1"].iter().map(|s| s.parse::<Square>().unwrap()).collect();
/// assert_eq!(corner.len(), 2);
/// assert_eq!(corner.to_string(), "a1b1");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Quilt(u128);

impl Quilt {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 81 squares.
    pub const FULL: Self = Self(ALL);

    /// The set with these bits; bits from 81 on are dropped.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & ALL)
    }

    /// The bits of the set: bit `i` is the square with row-major index `i`.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set that contains only this square.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.0)
    }

    /// All squares of a column, 0 to 8 from the left.
    pub const fn column(column: usize) -> Self {
        Self(COLUMN << column)
    }

    /// All squares of a row, 0 to 8 from the top.
    pub const fn row(row: usize) -> Self {
        Self(ROW << (SIDE * row))
    }

    /// Number of squares, 0 to 81.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Whether the sets have a square in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Squares in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Squares in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Squares in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Squares not in the set.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & ALL)
    }

    /// The first square in row-major order.
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The columns that contain a square of the set: bit `c` for column `c`.
    pub const fn columns(self) -> u16 {
        let halves = self.0 | self.0 >> 45;
        let folded = halves | halves >> 9 | halves >> 18 | halves >> 27 | halves >> 36;
        (folded & ROW) as u16
    }

    /// Row of the last square in row-major order, or `None` for the empty set.
    pub const fn last_row(self) -> Option<usize> {
        if self.0 == 0 {
            None
        } else {
            Some((127 - self.0.leading_zeros() as usize) / SIDE)
        }
    }

    /// The rightmost column with a square, or `None` for the empty set.
    pub const fn last_column(self) -> Option<usize> {
        if self.0 == 0 {
            None
        } else {
            Some(15 - self.columns().leading_zeros() as usize)
        }
    }

    /// Area of the bounding rectangle of the set, 0 for the empty set.
    pub const fn bounding_area(self) -> u32 {
        if self.0 == 0 {
            return 0;
        }
        let columns = self.columns();
        let width = 16 - columns.leading_zeros() - columns.trailing_zeros();
        let first_row = self.0.trailing_zeros() / SIDE as u32;
        let last_row = (127 - self.0.leading_zeros()) / SIDE as u32;
        width * (last_row - first_row + 1)
    }

    /// Whether the set contains a complete 7x7 area.
    pub const fn has_7x7(self) -> bool {
        // Every 7x7 area has these squares, and few quilts do.
        if self.0 & CENTRE != CENTRE {
            return false;
        }
        // Runs of 7 squares in a row, then 7 consecutive rows with such runs. Runs start only in
        // columns 0 to 2.
        let q = self.0;
        let two = q & q >> 1;
        let four = two & two >> 2;
        let seven = four & four >> 3 & (COLUMN * 0b111);
        let two = seven & seven >> 9;
        let four = two & two >> 18;
        four & four >> 27 != 0
    }

    /// The squares in row-major order.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let square = Square::new(bits.trailing_zeros() as u8)?;
            bits &= bits - 1;
            Some(square)
        })
    }
}

impl FromIterator<Square> for Quilt {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set.union(Self::of(square)))
    }
}

impl fmt::Display for Quilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares().try_for_each(|square| write!(f, "{square}"))
    }
}

impl fmt::Debug for Quilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quilt({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow_has_7x7(quilt: Quilt) -> bool {
        (0..3).any(|top| {
            (0..3).any(|left| {
                (0..7).all(|r| (0..7).all(|c| quilt.contains(Square::at(left + c, top + r))))
            })
        })
    }

    #[test]
    fn squares_have_names() {
        for index in 0..81 {
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!("i1".parse(), Ok(Square::at(8, 0)));
        for bad in ["", "a", "a0", "j1", "a10", "A1", "é1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_7x7_counts_and_one_missing_square_does_not() {
        for top in 0..3 {
            for left in 0..3 {
                let area: Quilt = (0..49)
                    .map(|i| Square::at(left + i % 7, top + i / 7))
                    .collect();
                assert!(area.has_7x7());
                for hole in area.squares() {
                    assert!(!area.without(Quilt::of(hole)).has_7x7());
                }
            }
        }
        // Seven in a row across the edge of the board is not a run.
        assert!(!Quilt::FULL.without(Quilt::column(3)).has_7x7());
    }

    proptest! {
        #[test]
        fn set_facts_agree_with_counting(a in any::<u128>(), b in any::<u128>(), dense in any::<bool>()) {
            let quilt = Quilt::from_bits(if dense { a | b | (a >> 7) | (b << 9) } else { a & b });
            prop_assert_eq!(quilt.has_7x7(), slow_has_7x7(quilt));
            let squares: Vec<Square> = quilt.squares().collect();
            prop_assert_eq!(squares.len(), quilt.len() as usize);
            let columns = || squares.iter().map(|s| s.column());
            let rows = || squares.iter().map(|s| s.row());
            prop_assert_eq!(quilt.last_column(), columns().max());
            prop_assert_eq!(quilt.last_row(), rows().max());
            let area = match (columns().min(), columns().max(), rows().min(), rows().max()) {
                (Some(left), Some(right), Some(top), Some(bottom)) => (right - left + 1) * (bottom - top + 1),
                _ => 0,
            };
            prop_assert_eq!(quilt.bounding_area() as usize, area);
            prop_assert_eq!(squares.into_iter().collect::<Quilt>(), quilt);
        }
    }
}
