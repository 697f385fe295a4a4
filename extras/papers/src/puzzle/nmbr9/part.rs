//! The ten parts and their distinct rotations, as rows of bits.

use std::fmt;
use std::sync::LazyLock;

use patchwork_engine::board::Transform;

use crate::puzzle::drawing::Drawing;

/// The highest value of a part.
pub(super) const MAX_PART: u8 = 9;

/// Number of parts of the game, which is also the number of values.
pub(super) const PARTS: usize = MAX_PART as usize + 1;

/// Maximum number of rows and columns of a part.
pub(super) const MAX_EXTENT: usize = 4;

/// The drawings of the parts 0 to 9.
const DRAWINGS: [&str; PARTS] = [
    "XXX/X.X/X.X/XXX",
    "XX/.X/.X/.X",
    ".XX/.XX/XX./XXX",
    "XXX/..X/.XX/XXX",
    ".XX/.X./XXX/.XX",
    "XXX/XXX/..X/XXX",
    "XX./X../XXX/XXX",
    "XXX/.X./XX./X..",
    ".XX/.XX/XX./XX.",
    "XXX/XXX/XX./XX.",
];

/// A part, which is the polyomino of a number: 0 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(u8);

impl Part {
    /// The part with this value, if there is one.
    pub const fn new(value: u8) -> Option<Self> {
        if value <= MAX_PART {
            Some(Self(value))
        } else {
            None
        }
    }

    /// All parts up to a value, in ascending order.
    pub(crate) fn up_to(max_value: u8) -> impl DoubleEndedIterator<Item = Self> {
        (0..=max_value.min(MAX_PART)).map(Self)
    }

    /// The points of the part for each level above the first.
    pub const fn value(self) -> u32 {
        self.0 as u32
    }

    /// The value as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number of squares.
    pub fn area(self) -> u32 {
        self.turns()[0].cells.len() as u32
    }

    /// The distinct rotations: as drawn, then turned clockwise in steps of 90 degrees.
    pub fn turns(self) -> &'static [Turn] {
        &TURNS[self.index()]
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A rotation of a part; its bounding box starts at row 0 and column 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Row and column of each square, row by row.
    pub cells: Vec<(u8, u8)>,
    /// Number of rows.
    pub height: u8,
    /// Number of columns.
    pub width: u8,
    /// Bit c of row r is the square in that row and column.
    pub(super) rows: [u64; MAX_EXTENT],
    /// The index of the turn among all turns of all parts.
    pub(super) id: usize,
}

impl Turn {
    fn new(drawing: &Drawing, id: usize) -> Self {
        let cells = drawing.cells().iter();
        let cells: Vec<(u8, u8)> = cells.map(|&(r, c)| (r as u8, c as u8)).collect();
        let mut rows = [0; MAX_EXTENT];
        for &(row, column) in &cells {
            rows[usize::from(row)] |= 1 << column;
        }
        Self {
            height: drawing.rows() as u8,
            width: drawing.columns() as u8,
            cells,
            rows,
            id,
        }
    }

    /// The rows of bits.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows[..usize::from(self.height)]
    }
}

static TURNS: LazyLock<[Vec<Turn>; PARTS]> = LazyLock::new(|| {
    let mut ids = 0..;
    DRAWINGS.map(|drawing| {
        let drawing: Drawing = drawing.parse().expect("a drawing");
        // Rotations come before reflections.
        let turns = drawing.distinct(&Transform::ALL[..4]).into_iter();
        turns
            .zip(&mut ids)
            .map(|(turn, id)| Turn::new(&turn, id))
            .collect()
    })
});

/// Total number of turns of all parts.
pub(super) const ALL_TURNS: usize = 36;

/// For two turns, the positions at which the first lies within the squares of the second: row and column of
/// its box relative to the other's. Indexed by [`Turn::id`].
pub(super) fn nestings(inner: &Turn, outer: &Turn) -> &'static [(i8, i8)] {
    static NESTINGS: LazyLock<Vec<Vec<(i8, i8)>>> = LazyLock::new(|| {
        let all: Vec<&Turn> = TURNS.iter().flatten().collect();
        let pairs = all
            .iter()
            .flat_map(|&one| all.iter().map(move |&two| (one, two)));
        pairs
            .map(|(inner, outer)| find_nestings(inner, outer))
            .collect()
    });
    &NESTINGS[inner.id * ALL_TURNS + outer.id]
}

fn find_nestings(inner: &Turn, outer: &Turn) -> Vec<(i8, i8)> {
    let mut found = Vec::new();
    for row in 0..MAX_EXTENT as u8 {
        for column in 0..MAX_EXTENT as u8 {
            let within = |&(r, c): &(u8, u8)| outer.cells.contains(&(r + row, c + column));
            if inner.cells.iter().all(within) {
                found.push((row as i8, column as i8));
            }
        }
    }
    found
}
