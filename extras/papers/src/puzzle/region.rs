//! Boards of any size, with holes.

use patchwork_engine::board::Transform;
use patchwork_engine::util::InputError;

/// Reads the name of a square, such as `c2`: column c, row 2 from the top. Columns are a to z, then aa, ab and so on.
/// Returns row and column, from 0.
pub fn parse_square(text: &str) -> Result<(usize, usize), InputError> {
    let error = || {
        InputError::new(format!(
            "'{text}' is not a square; expected a column and a row such as c2"
        ))
    };
    let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(error)?;
    let (letters, row) = text.split_at(digits);
    let row: usize = row.parse().map_err(|_| error())?;
    let is_letters = letters.chars().all(|c| c.is_ascii_lowercase());
    if letters.is_empty() || letters.len() > 3 || !is_letters || row == 0 {
        return Err(error());
    }
    let digit = |column, letter| column * 26 + usize::from(letter - b'a') + 1;
    let column = letters.bytes().fold(0, digit) - 1;
    Ok((row - 1, column))
}

/// The name of the square in a row and a column, as [`parse_square`] reads it.
pub fn square_name((row, column): (usize, usize)) -> String {
    let mut letters = Vec::new();
    let mut column = column + 1;
    while column > 0 {
        letters.push(char::from(b'a' + ((column - 1) % 26) as u8));
        column = (column - 1) / 26;
    }
    let letters: String = letters.iter().rev().collect();
    format!("{letters}{}", row + 1)
}

/// A rectangle of squares, some of which are holes. Squares are numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    rows: usize,
    columns: usize,
    open: Vec<bool>,
}

/// Refuses a board that has no squares or too many.
pub(super) fn check_size(rows: usize, columns: usize, most: usize) -> Result<(), InputError> {
    let sides = 1..=most;
    if sides.contains(&rows) && sides.contains(&columns) {
        return Ok(());
    }
    Err(InputError::new(format!(
        "{rows}x{columns} is not a size; expected 1 to {most} rows and columns"
    )))
}

impl Region {
    /// The maximum number of rows or columns.
    const MOST: usize = 32;

    /// A rectangle without holes.
    pub fn new(rows: usize, columns: usize) -> Result<Self, InputError> {
        check_size(rows, columns, Self::MOST)?;
        Ok(Self {
            rows,
            columns,
            open: vec![true; rows * columns],
        })
    }

    /// The region without these squares, each by row and column.
    pub fn with_holes(mut self, holes: &[(usize, usize)]) -> Result<Self, InputError> {
        for &hole in holes {
            if hole.0 >= self.rows || hole.1 >= self.columns {
                let name = square_name(hole);
                return Err(InputError::new(format!("{name} is not on the board")));
            }
            let square = self.square(hole.0, hole.1);
            self.open[square] = false;
        }
        Ok(self)
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Number of squares, holes included.
    pub(super) fn squares(&self) -> usize {
        self.open.len()
    }

    /// The index of a square.
    pub(super) const fn square(&self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    /// Whether the square is not a hole.
    pub(super) fn is_open(&self, square: usize) -> bool {
        self.open[square]
    }

    /// Number of squares that are not holes.
    pub(super) fn area(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }

    /// The open squares next to a square.
    fn neighbours(&self, square: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (square / self.columns, square % self.columns);
        let up = (row > 0).then(|| square - self.columns);
        let left = (column > 0).then(|| square - 1);
        let right = (column + 1 < self.columns).then(|| square + 1);
        let down = (row + 1 < self.rows).then(|| square + self.columns);
        let all = [up, left, right, down].into_iter().flatten();
        all.filter(|&square| self.open[square])
    }

    /// The areas of the parts into which holes divide the region.
    pub(super) fn parts(&self) -> Vec<usize> {
        let mut seen = vec![false; self.squares()];
        let mut parts = Vec::new();
        for start in (0..self.squares()).filter(|&square| self.open[square]) {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let (mut part, mut next) = (vec![start], 0);
            while let Some(&square) = part.get(next) {
                next += 1;
                for near in self.neighbours(square) {
                    if !std::mem::replace(&mut seen[near], true) {
                        part.push(near);
                    }
                }
            }
            parts.push(part.len());
        }
        parts
    }

    /// The rotations and reflections that map the region onto itself, as permutations of its squares. The
    /// first one is the identity.
    pub(super) fn symmetries(&self) -> Vec<Vec<usize>> {
        let is_square = self.rows == self.columns;
        let fits = Transform::ALL
            .into_iter()
            .filter(|transform| is_square || !transform.swaps_axes());
        let maps = fits.map(|transform| {
            let to = |square: usize| {
                let cell = (square / self.columns, square % self.columns);
                let (row, column) = transform.apply(cell, (self.rows, self.columns));
                self.square(row, column)
            };
            (0..self.squares()).map(to).collect::<Vec<usize>>()
        });
        let keeps = |map: &Vec<usize>| {
            let mut squares = map.iter().enumerate();
            squares.all(|(from, &to)| self.open[from] == self.open[to])
        };
        maps.filter(keeps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names() {
        for (name, row, column) in [("a1", 0, 0), ("c2", 1, 2), ("z10", 9, 25), ("ab3", 2, 27)] {
            assert_eq!(parse_square(name), Ok((row, column)));
            assert_eq!(square_name((row, column)), name);
        }
        for name in ["", "3", "a", "a0", "A1", "a-1", "3a", "aaaa1"] {
            assert!(parse_square(name).is_err(), "{name}");
        }
    }

    #[test]
    fn holes_cut_a_region_into_parts() {
        let region = Region::new(3, 5).expect("a size");
        let holes = ["b1", "b2", "b3"].map(|name| parse_square(name).expect("a name"));
        let cut = region.clone().with_holes(&holes).expect("on the board");
        assert_eq!((cut.area(), cut.parts()), (12, vec![3, 9]));
        assert_eq!(cut.symmetries().len(), 2);
        assert_eq!(region.symmetries().len(), 4);
        assert_eq!(Region::new(4, 4).expect("a size").symmetries().len(), 8);
        let error = region.with_holes(&[(3, 0)]).expect_err("below the board");
        assert_eq!(error.to_string(), "a4 is not on the board");
    }
}
