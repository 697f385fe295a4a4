//! Shapes as ASCII literals and their orientations, all computed at compile time.

use super::orientation::{MAX_SHAPE_SQUARES, Orientation, Transform};
use super::quilt::Square;

/// The maximum number of orientations of a shape.
pub const MAX_ORIENTATIONS: usize = 8;

/// The shapes of the game without duplicates: the 1x1 first, then those of the 33 patches.
///
/// Rows from the top, separated by `/`; `X` is a square of the shape.
const LITERALS: [&str; SHAPE_COUNT] = [
    "X",
    "XX",
    ".X/XX",
    "XX/XX",
    "XXX",
    ".XX/XX.",
    "..X/XXX",
    ".X./XXX",
    "X.X/XXX",
    ".XX/XXX",
    "XXXX",
    "..X./XXXX",
    ".XX./XXXX",
    ".XXX/XX..",
    "...X/XXXX",
    "..XX/XXXX",
    ".XXX/XXX.",
    "XXXXX",
    ".X./XXX/.X.",
    "X../XXX/X..",
    ".XX/XXX/X..",
    ".X./XXX/X.X",
    "X.X/XXX/X.X",
    "..X/.XX/XX.",
    ".X../XXXX/.X..",
    ".XX./XXXX/.XX.",
    "..X./XXXX/.X..",
    "X.../XXXX/X...",
    "X.../XXXX/...X",
    "X..X/XXXX",
    "..X../XXXXX/..X..",
];

/// Number of different shapes.
pub const SHAPE_COUNT: usize = 31;

/// Index of a shape in [`SHAPES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(u8);

impl ShapeId {
    /// The 1x1, the shape of a special patch.
    pub const SINGLE: Self = Self(0);

    /// All shapes in order.
    #[inline(always)]
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SHAPE_COUNT as u8).map(Self)
    }

    /// The shape with this drawing.
    ///
    /// # Panics
    /// If no shape of the game has this drawing. Intended for constants, where the panic is a
    /// compile error.
    pub const fn of(literal: &str) -> Self {
        let mut id = 0;
        while id < SHAPE_COUNT {
            if equal(LITERALS[id].as_bytes(), literal.as_bytes()) {
                return Self(id as u8);
            }
            id += 1;
        }
        panic!("no such shape");
    }

    /// Index in [`SHAPES`], 0 to 30.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The shape itself.
    #[inline(always)]
    pub const fn shape(self) -> &'static Shape {
        &SHAPES[self.0 as usize]
    }
}

/// A polyomino and its distinct orientations.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    literal: &'static str,
    orientations: [Orientation; MAX_ORIENTATIONS],
    count: u8,
    squares: u8,
    /// Orientation indices in descending order of their bit strings with a common anchor.
    pub(super) by_anchor: [u8; MAX_ORIENTATIONS],
    /// Orientation indices in descending order of their bit strings with a common bounding-box
    /// corner.
    by_corner: [u8; MAX_ORIENTATIONS],
}

impl Shape {
    /// The drawing, rows from the top separated by `/`.
    pub const fn literal(&self) -> &'static str {
        self.literal
    }

    /// Number of squares, 1 to 8.
    #[inline(always)]
    pub const fn size(&self) -> u32 {
        self.squares as u32
    }

    /// The 1 to 8 distinct orientations in the order of [`Transform::ALL`].
    #[inline(always)]
    pub fn orientations(&self) -> &[Orientation] {
        &self.orientations[..self.count as usize]
    }

    /// The index of an orientation after a quarter turn to the right.
    ///
    /// # Panics
    /// If the shape has no orientation of this index.
    pub fn turned(&self, orientation: u8) -> u8 {
        self.transformed(orientation, Transform::ROT_90)
    }

    /// The index of an orientation with left and right swapped.
    ///
    /// # Panics
    /// If the shape has no orientation of this index.
    pub fn flipped(&self, orientation: u8) -> u8 {
        self.transformed(orientation, Transform::FLIP_X)
    }

    fn transformed(&self, orientation: u8, transform: Transform) -> u8 {
        let before = &self.orientations()[usize::from(orientation)];
        let (columns, rows) = before.size();
        let cells = before.cells();
        let bits = cells.fold(0, |bits, (column, row)| {
            let (row, column) = transform.apply((row, column), (rows, columns));
            bits | 1 << Square::at(column, row).index()
        });
        let mut indexed = (0..self.count).zip(self.orientations());
        let found = indexed.find(|(_, one)| one.corner_bits() == bits);
        // Every turn and flip is an orientation.
        found.map_or(orientation, |(index, _)| index)
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) const fn orientation(&self, index: usize) -> &Orientation {
        &self.orientations[index]
    }

    /// Number of distinct orientations.
    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// Indices of the orientations. Of two orientations with the same anchor, the one with the
    /// greater row-major bit string comes first.
    #[inline(always)]
    pub fn by_anchor(&self) -> &[u8] {
        &self.by_anchor[..self.count as usize]
    }

    /// Indices of the orientations. Of two orientations with the same bounding-box corner, the one
    /// with the greater row-major bit string comes first.
    #[inline(always)]
    pub fn by_corner(&self) -> &[u8] {
        &self.by_corner[..self.count as usize]
    }

    /// The squares of an orientation with the corner of its bounding box at bit 0 and nine bits per
    /// row.
    pub(super) const fn corner_bits(&self, orientation: usize) -> u64 {
        self.orientations[orientation].corner_bits()
    }

    pub(super) const fn parse(literal: &'static str) -> Self {
        let text = literal.as_bytes();
        let (mut rows, mut columns, mut column) = (1, 0, 0);
        let mut squares = [(0, 0); MAX_SHAPE_SQUARES];
        let (mut count, mut i) = (0, 0);
        while i < text.len() {
            if text[i] == b'/' {
                rows += 1;
                column = 0;
            } else {
                if text[i] == b'X' {
                    squares[count] = (rows - 1, column);
                    count += 1;
                }
                column += 1;
                if column > columns {
                    columns = column;
                }
            }
            i += 1;
        }

        let mut shape = Self {
            literal,
            orientations: [Orientation::NONE; MAX_ORIENTATIONS],
            count: 0,
            squares: count as u8,
            by_anchor: [0; MAX_ORIENTATIONS],
            by_corner: [0; MAX_ORIENTATIONS],
        };
        let mut corners = [0; MAX_ORIENTATIONS];
        let mut t = 0;
        while t < Transform::ALL.len() {
            let transform = Transform::ALL[t];
            let mut corner_bits: u128 = 0;
            let mut s = 0;
            while s < count {
                let (r, c) = transform.apply(squares[s], (rows, columns));
                corner_bits |= 1 << Square::at(c, r).index();
                s += 1;
            }
            let mut known = false;
            let mut o = 0;
            while o < shape.count as usize {
                known |= corners[o] == corner_bits;
                o += 1;
            }
            if !known {
                corners[o] = corner_bits;
                shape.orientations[o] = Orientation::new(corner_bits, transform, (rows, columns));
                shape.count += 1;
            }
            t += 1;
        }
        let mut anchored = [0; MAX_ORIENTATIONS];
        let mut o = 0;
        while o < shape.count as usize {
            anchored[o] = shape.orientations[o].bits();
            o += 1;
        }
        shape.by_anchor = descending(&anchored, shape.count as usize);
        shape.by_corner = descending(&corners, shape.count as usize);
        shape
    }
}

/// Indices of the bit sets in order: of two sets, the one that contains their lowest differing bit
/// comes first.
const fn descending(sets: &[u128; MAX_ORIENTATIONS], count: usize) -> [u8; MAX_ORIENTATIONS] {
    let mut order = [0; MAX_ORIENTATIONS];
    let mut i = 0;
    while i < count {
        let mut rank = 0;
        let mut j = 0;
        while j < count {
            let differing = sets[i] ^ sets[j];
            let lowest = differing & differing.wrapping_neg();
            if sets[j] & lowest != 0 {
                rank += 1;
            }
            j += 1;
        }
        order[rank] = i as u8;
        i += 1;
    }
    order
}

/// All shapes of the game, indexed by [`ShapeId`].
pub static SHAPES: [Shape; SHAPE_COUNT] = table();

pub(super) const fn table() -> [Shape; SHAPE_COUNT] {
    let mut shapes = [Shape::parse("X"); SHAPE_COUNT];
    let mut id = 0;
    while id < SHAPE_COUNT {
        shapes[id] = Shape::parse(LITERALS[id]);
        id += 1;
    }
    shapes
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Quilt;

    #[test]
    fn there_are_144_orientations_of_patches() {
        // Counted over the 33 patches in the design notes; three shapes are on two patches each.
        let count = |id: usize| SHAPES[id].orientations().len();
        let shapes: usize = (1..SHAPE_COUNT).map(count).sum();
        let twice: usize = [".X/XX", ".XX/XX.", "..X/XXX"]
            .map(|literal| count(ShapeId::of(literal).index()))
            .iter()
            .sum();
        assert_eq!(shapes + twice, 144);
    }

    #[test]
    fn an_l_has_eight_orientations_with_56_places_each() {
        // The paper, section 3.3, says 42; a 2x3 box has 8 x 7 places on a 9x9 board.
        let shape = ShapeId::of("..X/XXX").shape();
        assert_eq!(shape.orientations().len(), 8);
        assert!(shape.orientations().iter().all(|o| o.inside().len() == 56));
    }

    #[test]
    fn orientations_keep_the_squares_connected_and_inside() {
        for shape in &SHAPES {
            for orientation in shape.orientations() {
                for anchor in orientation.inside().squares() {
                    let squares = orientation.place(anchor);
                    assert_eq!(squares.len(), shape.size());
                    assert_eq!(squares.first(), Some(anchor));
                    let first_column = squares.columns().trailing_zeros() as usize;
                    assert_eq!(anchor.column() - first_column, orientation.lead());
                    // One bounding box inside the board, not wrapped around its edge.
                    assert!(squares.bounding_area() <= 15);
                }
            }
        }
    }

    #[test]
    fn orders_follow_the_bit_strings() {
        let string = |squares: Quilt| squares.bits().reverse_bits();
        for shape in &SHAPES {
            let o = shape.orientations();
            let e5 = Square::at(4, 4);
            let by_anchor: Vec<u128> = shape
                .by_anchor()
                .iter()
                .map(|&i| string(o[i as usize].place(e5)))
                .collect();
            assert!(by_anchor.is_sorted_by(|a, b| a > b), "{}", shape.literal());
            let by_corner: Vec<u128> = shape
                .by_corner()
                .iter()
                .map(|&i| {
                    let o = &o[i as usize];
                    string(o.place(Square::at(o.lead(), 0)))
                })
                .collect();
            assert!(by_corner.is_sorted_by(|a, b| a > b), "{}", shape.literal());
        }
    }
}
