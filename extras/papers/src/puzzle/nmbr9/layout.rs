//! The positions of parts, and an independent check of the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::part::{Part, Turn, nestings};

/// A part on its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PlacedPart {
    /// The value of the part.
    #[serde(serialize_with = "as_value")]
    pub part: Part,
    /// Index of its rotation, see [`Part::turns`].
    pub turn: u8,
    /// Level, from 1.
    pub level: u8,
    /// First row of its bounding box, from 0.
    pub row: u8,
    /// First column of its bounding box, from 0.
    pub column: u8,
}

fn as_value<S: serde::Serializer>(part: &Part, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u32(part.value())
}

/// Parts in the order in which they were placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Layout {
    /// The parts.
    pub parts: Vec<PlacedPart>,
}

/// A rule that a layout breaks. Parts are numbered from 1 in the order of placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutFault {
    /// There is no such rotation or level.
    #[error("part {0} has no such rotation or level")]
    Unknown(usize),
    /// The part lies outside of the grid.
    #[error("part {0} lies outside of the grid")]
    Outside(usize),
    /// Two parts share a square of a level.
    #[error("part {0} overlaps part {1}")]
    Overlap(usize, usize),
    /// A level falls apart.
    #[error("part {0} does not touch its level")]
    Apart(usize),
    /// A square below is empty.
    #[error("part {0} is not fully supported")]
    Unsupported(usize),
    /// The part rests on fewer than two parts.
    #[error("part {0} does not rest on two different parts")]
    OnePart(usize),
}

impl Layout {
    /// The score: for each part its value times its level less one.
    pub fn score(&self) -> u32 {
        let parts = self.parts.iter();
        parts
            .map(|placed| placed.part.value() * u32::from(placed.level.saturating_sub(1)))
            .sum()
    }

    /// Checks every placement by the rules, in order, on a board of `usable` rows and columns, and returns
    /// the score.
    ///
    /// Works on sets of squares and shares only the drawings of the parts with the search.
    pub fn check(&self, usable: usize) -> Result<u32, LayoutFault> {
        let mut board: BTreeMap<(u8, i32, i32), usize> = BTreeMap::new();
        let mut score = 0;
        for (i, placed) in self.parts.iter().enumerate() {
            let number = i + 1;
            let squares = placed.squares().ok_or(LayoutFault::Unknown(number))?;
            let limit = usable as i32;
            if squares.iter().any(|&(r, c)| r >= limit || c >= limit) {
                return Err(LayoutFault::Outside(number));
            }
            let level = placed.level;
            if let Some(other) = squares.iter().find_map(|&(r, c)| board.get(&(level, r, c))) {
                return Err(LayoutFault::Overlap(number, *other));
            }
            let beside = |&(r, c): &(i32, i32)| {
                let sides = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)];
                sides
                    .iter()
                    .any(|&(r, c)| board.contains_key(&(level, r, c)))
            };
            let is_first = board.keys().all(|key| key.0 != level);
            if !is_first && !squares.iter().any(beside) {
                return Err(LayoutFault::Apart(number));
            }
            if level > 1 {
                let below = squares.iter().map(|&(r, c)| board.get(&(level - 1, r, c)));
                let below: Option<BTreeSet<&usize>> = below.collect();
                match below {
                    None => return Err(LayoutFault::Unsupported(number)),
                    Some(parts) if parts.len() < 2 => return Err(LayoutFault::OnePart(number)),
                    Some(_) => {}
                }
            }
            board.extend(squares.iter().map(|&(r, c)| ((level, r, c), number)));
            score += placed.part.value() * u32::from(level - 1);
        }
        Ok(score)
    }

    /// Number of levels in use.
    fn levels(&self) -> u8 {
        let levels = self.parts.iter().map(|placed| placed.level);
        levels.max().unwrap_or(0)
    }

    /// The values on each level, from the first level up, each in order of placement.
    pub fn values_by_level(&self) -> Vec<Vec<u32>> {
        let on = |level| {
            let parts = self.parts.iter().filter(|placed| placed.level == level);
            parts.map(|placed| placed.part.value()).collect()
        };
        (1..=self.levels()).map(on).collect()
    }

    /// Moves everything so that the first row and the first column in use are 0.
    pub(super) fn at_origin(mut self) -> Self {
        let least = |of: fn(&PlacedPart) -> u8| self.parts.iter().map(of).min().unwrap_or(0);
        let (row, column) = (least(|placed| placed.row), least(|placed| placed.column));
        for placed in &mut self.parts {
            placed.row -= row;
            placed.column -= column;
        }
        self
    }

    /// A legal order of placement for a layout that is legal in some order: level by level, each part
    /// adjacent to an earlier one.
    pub(super) fn in_an_order(self) -> Self {
        let mut left = self.parts;
        left.sort_by_key(|placed| placed.level);
        let mut ordered: Vec<PlacedPart> = Vec::new();
        while !left.is_empty() {
            let level = left[0].level;
            let fits = |one: &PlacedPart| {
                let mut before = ordered
                    .iter()
                    .filter(|other| other.level == level)
                    .peekable();
                before.peek().is_none() || before.any(|other| one.touches(other))
            };
            let next = left
                .iter()
                .take_while(|one| one.level == level)
                .position(fits);
            ordered.push(left.remove(next.unwrap_or(0)));
        }
        Self { parts: ordered }
    }
}

impl PlacedPart {
    pub(super) fn turn(&self) -> &'static Turn {
        &self.part.turns()[usize::from(self.turn)]
    }

    /// Whether a part on the level above rests on this part alone.
    pub(super) fn holds_alone(&self, upper: &Self) -> bool {
        let row = upper.row as i8 - self.row as i8;
        let column = upper.column as i8 - self.column as i8;
        nestings(upper.turn(), self.turn()).contains(&(row, column))
    }

    /// Row and column of each square, if there is such a rotation and level.
    fn squares(&self) -> Option<Vec<(i32, i32)>> {
        let turn = self.part.turns().get(usize::from(self.turn))?;
        let cells = turn.cells.iter();
        let squares = cells.map(|&(r, c)| (i32::from(self.row + r), i32::from(self.column + c)));
        (self.level > 0).then(|| squares.collect())
    }

    pub(super) fn touches(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (self.squares(), other.squares()) else {
            return false;
        };
        let distance = |a: &(i32, i32), b: &(i32, i32)| (a.0 - b.0).abs() + (a.1 - b.1).abs();
        one.iter().any(|a| two.iter().any(|b| distance(a, b) == 1))
    }
}

/// The levels side by side, the first on the left, each square with the value of its part.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = BTreeMap::new();
        for placed in &self.parts {
            for (r, c) in placed.squares().unwrap_or_default() {
                board.insert((placed.level, r, c), placed.part);
            }
        }
        let range = |of: fn(&(u8, i32, i32)) -> i32| {
            let ends = board.keys().map(of);
            ends.clone().min().unwrap_or(0)..=ends.max().unwrap_or(-1)
        };
        for row in range(|key| key.1) {
            let mut line = String::new();
            for level in 1..=self.levels() {
                for column in range(|key| key.2) {
                    match board.get(&(level, row, column)) {
                        Some(part) => line += &part.to_string(),
                        None => line.push('.'),
                    }
                }
                line += "  ";
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
