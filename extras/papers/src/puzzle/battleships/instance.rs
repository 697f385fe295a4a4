//! Instances, and the mistakes in them that are found without a search.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::util::InputError;

use crate::puzzle::region::square_name;

/// A revealed square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// No ship.
    Water,
    /// A ship of one square.
    Submarine,
    /// The left end of a ship.
    Left,
    /// The right end.
    Right,
    /// The top end.
    Top,
    /// The bottom end.
    Bottom,
    /// A square of a ship between two others.
    Middle,
}

impl Hint {
    pub(super) const LETTERS: [(char, Self); 7] = [
        ('w', Self::Water),
        ('c', Self::Submarine),
        ('l', Self::Left),
        ('r', Self::Right),
        ('t', Self::Top),
        ('b', Self::Bottom),
        ('m', Self::Middle),
    ];

    pub(super) fn letter(self) -> char {
        let mut letters = Self::LETTERS.into_iter();
        letters
            .find(|(_, hint)| *hint == self)
            .map_or('.', |(letter, _)| letter)
    }

    /// Whether the squares above, to the left, to the right and below hold a ship, as far as the hint
    /// determines it; the middle of a ship does not.
    pub(super) const fn around(self) -> Option<[bool; 4]> {
        match self {
            Self::Submarine => Some([false; 4]),
            Self::Left => Some([false, false, true, false]),
            Self::Right => Some([false, true, false, false]),
            Self::Top => Some([false, false, false, true]),
            Self::Bottom => Some([true, false, false, false]),
            Self::Water | Self::Middle => None,
        }
    }
}

/// The number of ships of each length, written as length x number, such as `4x1 3x2 2x3 1x4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// Lengths of all ships, the longest first.
    lengths: Vec<usize>,
}

impl Fleet {
    /// The maximum number of ships.
    const MOST: usize = 62;

    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

impl Default for Fleet {
    /// 4 submarines, 3 destroyers, 2 cruisers and a battleship.
    fn default() -> Self {
        Self {
            lengths: vec![4, 3, 3, 2, 2, 2, 1, 1, 1, 1],
        }
    }
}

impl FromStr for Fleet {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let number = |ships: usize| {
            let most = Self::MOST;
            InputError::new(format!("the fleet has {ships} ships; expected 1 to {most}"))
        };
        let mut lengths = Vec::new();
        for part in text.split_whitespace() {
            let error = || {
                InputError::new(format!(
                    "'{part}' is not a length and a number of ships; expected parts such as 3x2, two ships of length 3"
                ))
            };
            let (length, count) = part.split_once('x').ok_or_else(error)?;
            let count: usize = count.parse().map_err(|_| error())?;
            let length: usize = length.parse().map_err(|_| error())?;
            if length == 0 {
                return Err(error());
            }
            if count > Self::MOST {
                return Err(number(count));
            }
            lengths.extend(std::iter::repeat_n(length, count));
        }
        if !(1..=Self::MOST).contains(&lengths.len()) {
            return Err(number(lengths.len()));
        }
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Self { lengths })
    }
}

impl fmt::Display for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<&[usize]> = self.lengths.chunk_by(|a, b| a == b).collect();
        for (i, group) in groups.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}x{}", group[0], group.len())?;
        }
        Ok(())
    }
}

/// An instance of the puzzle. Squares are numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battleships {
    /// Number of occupied squares in each row.
    pub(super) rows: Vec<usize>,
    /// Number of occupied squares in each column.
    pub(super) columns: Vec<usize>,
    pub(super) fleet: Fleet,
    /// The hint on each square, if any.
    pub(super) hints: Vec<Option<Hint>>,
    /// The number of solutions that the file states, with the hints and without.
    pub(super) stated: [Option<u64>; 2],
}

/// A known square: whether it holds a ship, and the hint that determines it.
type KnownSquare = Option<(bool, usize)>;

impl Battleships {
    /// The maximum number of rows or columns.
    pub(super) const MOST: usize = 24;

    /// An instance without hints.
    pub(super) fn new(
        rows: Vec<usize>,
        columns: Vec<usize>,
        fleet: Fleet,
    ) -> Result<Self, InputError> {
        let hints = vec![None; rows.len() * columns.len()];
        let instance = Self {
            rows,
            columns,
            fleet,
            hints,
            stated: [None; 2],
        };
        instance.check()?;
        Ok(instance)
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.columns.len())
    }

    /// The number of solutions that the file states, with the hints.
    pub const fn stated_solutions(&self) -> Option<u64> {
        self.stated[0]
    }

    /// The same instance without hints.
    pub fn without_hints(mut self) -> Self {
        self.hints.fill(None);
        self.stated = [self.stated[1]; 2];
        self
    }

    fn name_of(&self, square: usize) -> String {
        let columns = self.columns.len();
        square_name((square / columns, square % columns))
    }

    /// The neighbours of a square: above, left, right, below, and the four diagonal ones; `None` outside the
    /// board.
    pub(super) fn around(&self, square: usize) -> [Option<usize>; 8] {
        let (rows, columns) = self.size();
        let (row, column) = (square / columns, square % columns);
        let at = |down: isize, right: isize| {
            let row = row.checked_add_signed(down).filter(|&row| row < rows)?;
            let column = column.checked_add_signed(right);
            let column = column.filter(|&column| column < columns)?;
            Some(row * columns + column)
        };
        [
            at(-1, 0),
            at(0, -1),
            at(0, 1),
            at(1, 0),
            at(-1, -1),
            at(-1, 1),
            at(1, -1),
            at(1, 1),
        ]
    }

    /// Checks everything that can be checked without a search.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let (rows, columns): (usize, usize) = (self.rows.iter().sum(), self.columns.iter().sum());
        let ships: usize = self.fleet.lengths.iter().sum();
        if rows != ships || columns != ships {
            return Err(InputError::new(format!(
                "the rows have {rows} occupied squares, the columns {columns} and the ships {ships}; expected the same number"
            )));
        }
        let longest = self.fleet.lengths()[0];
        if longest > self.rows.len().max(self.columns.len()) {
            return Err(InputError::new(format!(
                "a ship of length {longest} does not fit on the board"
            )));
        }
        let known = self.check_hints()?;
        for (i, (squares, sum)) in self.lines().enumerate() {
            let is_shown = |&&square: &&usize| matches!(known[square], Some((true, _)));
            let shown = squares.iter().filter(is_shown).count();
            if shown > sum {
                let line = match i.checked_sub(self.rows.len()) {
                    None => format!("row {}", i + 1),
                    Some(column) => format!("column {}", column + 1),
                };
                return Err(InputError::new(format!(
                    "the hints show {shown} occupied squares in {line}, whose sum is {sum}"
                )));
            }
        }
        Ok(())
    }

    /// The squares of each row and then of each column, and how many of them are occupied.
    pub(super) fn lines(&self) -> impl Iterator<Item = (Vec<usize>, usize)> {
        let (rows, columns) = self.size();
        let row = move |row: usize| (0..columns).map(|column| row * columns + column).collect();
        let column = move |column: usize| (0..rows).map(|row| row * columns + column).collect();
        let squares = (0..rows).map(row).chain((0..columns).map(column));
        squares.zip(self.rows.iter().chain(&self.columns).copied())
    }

    /// What the hints determine about each square.
    fn check_hints(&self) -> Result<Vec<KnownSquare>, InputError> {
        let mut known: Vec<KnownSquare> = vec![None; self.hints.len()];
        let contradiction = |by: usize, other: String| {
            let (letter, at) = (self.hints[by].map_or('.', Hint::letter), self.name_of(by));
            InputError::new(format!("the hint '{letter}' on {at} contradicts {other}"))
        };
        let mut note = |square: Option<usize>, is_ship: bool, by: usize| {
            let Some(square) = square else {
                // Outside the board there is water.
                return match is_ship {
                    true => Err(contradiction(by, "the border of the board".to_owned())),
                    false => Ok(()),
                };
            };
            match known[square] {
                Some((other, from)) if other != is_ship => {
                    let letter = self.hints[from].map_or('.', Hint::letter);
                    let other = format!("'{letter}' on {}", self.name_of(from));
                    Err(contradiction(by, other))
                }
                _ => {
                    known[square] = Some((is_ship, by));
                    Ok(())
                }
            }
        };
        for (square, &hint) in self.hints.iter().enumerate() {
            let Some(hint) = hint else { continue };
            note(Some(square), hint != Hint::Water, square)?;
            if hint == Hint::Water {
                continue;
            }
            let around = self.around(square);
            for &diagonal in &around[4..] {
                note(diagonal, false, square)?;
            }
            if let Some(sides) = hint.around() {
                for (&side, is_ship) in around.iter().zip(sides) {
                    note(side, is_ship, square)?;
                }
            }
        }
        for (square, &hint) in self.hints.iter().enumerate() {
            if hint != Some(Hint::Middle) {
                continue;
            }
            // The ship is horizontal or vertical.
            let [up, left, right, down, ..] = self.around(square);
            let may_be = |side: Option<usize>, is_ship: bool| match side {
                None => !is_ship,
                Some(side) => known[side].is_none_or(|(known, _)| known == is_ship),
            };
            let lies = |along: [Option<usize>; 2], across: [Option<usize>; 2]| {
                along.iter().all(|&side| may_be(side, true))
                    && across.iter().all(|&side| may_be(side, false))
            };
            if !lies([left, right], [up, down]) && !lies([up, down], [left, right]) {
                return Err(contradiction(square, "the squares around it".to_owned()));
            }
        }
        Ok(known)
    }

    /// Whether a grid is a solution by the rules; shares no code with the search.
    pub fn is_solved_by(&self, grid: &ShipGrid) -> bool {
        let (rows, columns) = self.size();
        let ship = |square: Option<usize>| square.is_some_and(|square| grid.is_ship(square));
        if grid.ships.len() != rows * columns {
            return false;
        }
        let occupied = |squares: &[usize]| squares.iter().filter(|&&s| grid.is_ship(s)).count();
        if self.lines().any(|(squares, sum)| occupied(&squares) != sum) {
            return false;
        }
        let mut lengths = Vec::new();
        for square in (0..rows * columns).filter(|&square| grid.is_ship(square)) {
            let around = self.around(square);
            let [up, left, right, down] = [0, 1, 2, 3].map(|side: usize| ship(around[side]));
            // The ship touches no other ship and is straight.
            if around[4..].iter().any(|&diagonal| ship(diagonal))
                || ((up || down) && (left || right))
            {
                return false;
            }
            let is = match self.hints[square] {
                None => true,
                Some(Hint::Water) => false,
                Some(Hint::Middle) => (up && down) || (left && right),
                Some(hint) => hint.around() == Some([up, left, right, down]),
            };
            if !is {
                return false;
            }
            if !up && !left {
                let side = if down { 3 } else { 2 };
                let next = |&at: &usize| self.around(at)[side].filter(|&s| grid.is_ship(s));
                lengths.push(std::iter::successors(Some(square), next).count());
            }
        }
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths == self.fleet.lengths
    }
}

/// Which squares hold a ship, row by row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShipGrid {
    ships: Vec<bool>,
    columns: usize,
}

impl ShipGrid {
    pub(super) fn new(ships: Vec<bool>, columns: usize) -> Self {
        Self { ships, columns }
    }

    pub(super) fn is_ship(&self, square: usize) -> bool {
        self.ships[square]
    }

    /// The rows: `#` for a ship, `.` for water.
    pub fn picture(&self) -> Vec<String> {
        let letter = |&ship: &bool| if ship { '#' } else { '.' };
        let rows = self.ships.chunks(self.columns);
        rows.map(|row| row.iter().map(letter).collect()).collect()
    }
}

impl fmt::Display for ShipGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.picture().join("\n"))
    }
}
