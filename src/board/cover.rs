//! The squares that shapes can still cover, for several boards at once, by straight-line code.
//!
//! Where a shape fits is where the pieces that it is put together from fit: most orientations are
//! the union of two of [`PIECES`], and the places of the pieces serve all shapes. What the shape
//! covers is found the same way back, from pieces to the smaller pieces that they consist of.

use super::quilt::{Quilt, SIDE};
use super::shape::{MAX_ORIENTATIONS, SHAPE_COUNT, Shape, ShapeId};
use super::words::{Split, Words};

/// Union of all placements of a shape on these free squares.
#[inline(always)]
#[must_use]
pub fn cover(shape: ShapeId, free: Words) -> Split {
    COVERS[shape.index()](free)
}

/// Repeats a block for each number, the number as a constant.
macro_rules! unroll {
    ($i:ident, $($n:literal)*, $body:block) => { unroll!(@ $i, $body, $($n)*) };
    (@ $i:ident, $body:block, $($n:literal)*) => { $({ const $i: usize = $n; $body })* };
}

macro_rules! covers {
    ($($shape:literal)*) => {
        static COVERS: [fn(Words) -> Split; SHAPE_COUNT] = [$(cover_alone::<$shape>),*];

        /// Hands the cover of each wanted shape on each board to `take`.
        ///
        /// `wanted` has bit `i` for the shape with index `i`.
        #[inline(always)]
        pub(crate) fn covers<const N: usize>(
            places: &Places<N>,
            wanted: u32,
            mut take: impl FnMut(usize, Boards<N>),
        ) {
            $(if wanted >> $shape & 1 == 1 {
                take($shape, cover_of::<$shape, N>(places));
            })*
        }
    };
}

covers!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30);

fn cover_alone<const SHAPE: usize>(free: Words) -> Split {
    let places = Places::new(Boards::overlapping([free]));
    let cover = cover_of::<SHAPE, 1>(&places);
    Split([cover.upper[0], cover.lower[0]])
}

/// A set of squares on each of some boards: the first words of all, then the second words, so that
/// a vector register holds the same word of several boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boards<const N: usize> {
    upper: [u64; N],
    lower: [u64; N],
}

impl<const N: usize> Boards<N> {
    const NONE: Self = Self {
        upper: [0; N],
        lower: [0; N],
    };

    /// Boards as [`Words`].
    #[inline(always)]
    fn overlapping(words: [Words; N]) -> Self {
        Self {
            upper: words.map(|Words([upper, _])| upper),
            lower: words.map(|Words([_, lower])| lower),
        }
    }

    /// Boards as [`Split`].
    #[inline(always)]
    pub(crate) fn split(sets: [Split; N]) -> Self {
        Self {
            upper: sets.map(|Split([upper, _])| upper),
            lower: sets.map(|Split([_, lower])| lower),
        }
    }

    /// The set on one board, when the boards are [`Split`].
    #[inline(always)]
    pub(crate) const fn board(&self, index: usize) -> Split {
        Split([self.upper[index], self.lower[index]])
    }

    /// Each word of this one and the other, combined.
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = Self::NONE;
        for i in 0..N {
            out.upper[i] = f(self.upper[i], other.upper[i]);
            out.lower[i] = f(self.lower[i], other.lower[i]);
        }
        out
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(crate) fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(crate) fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn shift_down(self, distance: u32) -> Self {
        self.zip(self, |a, _| a >> distance)
    }

    #[inline(always)]
    fn shift_up(self, distance: u32) -> Self {
        self.zip(self, |a, _| a << distance)
    }

    /// From overlapping words to words with each square once.
    #[inline(always)]
    fn merge(self) -> Self {
        let mut out = Self::NONE;
        for i in 0..N {
            let Split(words) = Split::merge([self.upper[i], self.lower[i]]);
            [out.upper[i], out.lower[i]] = words;
        }
        out
    }
}

/// A polyomino that shapes are put together from.
struct Piece {
    literal: &'static str,
    /// Two earlier pieces that it is the union of, and how far each lies from its corner.
    ///
    /// They share a square or a column, so that their union is never torn by the edge of the board.
    parts: [(usize, u32); 2],
}

const PIECE_COUNT: usize = 12;

const fn piece(literal: &'static str, first: (usize, u32), second: (usize, u32)) -> Piece {
    Piece {
        literal,
        parts: [first, second],
    }
}

/// The pieces, smaller ones first; more kinds of pieces would not save work.
const PIECES: [Piece; PIECE_COUNT] = [
    piece("X", (0, 0), (0, 0)),
    piece("XX", (0, 0), (0, 1)),
    piece("X/X", (0, 0), (0, 9)),
    piece("XXX", (1, 0), (1, 1)),
    piece("X/X/X", (2, 0), (2, 9)),
    piece("XXXX", (3, 0), (1, 2)),
    piece("X/X/X/X", (4, 0), (2, 18)),
    piece("XX/XX", (1, 0), (1, 9)),
    piece("XX/X.", (1, 0), (2, 0)),
    piece("XX/.X", (1, 0), (2, 1)),
    piece("X./XX", (2, 0), (1, 9)),
    piece(".X/XX", (2, 1), (1, 9)),
];

/// Where each piece fits on some boards: the corners of its bounding box, in overlapping words.
pub(crate) struct Places<const N: usize>([Boards<N>; PIECE_COUNT]);

impl<const N: usize> Places<N> {
    /// The places on boards with these free squares.
    #[inline(always)]
    pub(crate) fn on(free: [Quilt; N]) -> Self {
        Self::new(Boards::overlapping(free.map(Words::new)))
    }

    #[inline(always)]
    fn new(free: Boards<N>) -> Self {
        const NOT_LAST: Words = Words::new(Quilt::column(SIDE - 1).complement());
        let mut places = [free; PIECE_COUNT];
        unroll!(K, 1 2 3 4 5 6 7 8 9 10 11, {
            let [(a, at_a), (b, at_b)] = const { PIECES[K].parts };
            places[K] = places[a].shift_down(at_a).and(places[b].shift_down(at_b));
            if K == 1 {
                // The only piece whose parts are side by side, so that the edge could tear it.
                places[K] = places[K].and(Boards::overlapping([NOT_LAST; N]));
            }
        });
        Self(places)
    }
}

/// The cover of one shape, with its pieces and distances known to the compiler.
#[inline(always)]
fn cover_of<const SHAPE: usize, const N: usize>(places: &Places<N>) -> Boards<N> {
    let mut covered = [Boards::NONE; PIECE_COUNT];
    unroll!(O, 0 1 2 3 4 5 6 7, {
        if const { ASSEMBLIES[SHAPE][O].len > 0 } {
            let parts = const { ASSEMBLIES[SHAPE][O].parts };
            let len = const { ASSEMBLIES[SHAPE][O].len };
            // Places of the first part, which has the least distance.
            let base = parts[0].1;
            let mut fits = places.0[parts[0].0];
            if len > 1 {
                fits = fits.and(places.0[parts[1].0].shift_down(parts[1].1 - base));
            }
            if len > 2 {
                fits = fits.and(places.0[parts[2].0].shift_down(parts[2].1 - base));
            }
            covered[parts[0].0] = covered[parts[0].0].or(fits);
            if len > 1 {
                let up = fits.shift_up(parts[1].1 - base);
                covered[parts[1].0] = covered[parts[1].0].or(up);
            }
            if len > 2 {
                let up = fits.shift_up(parts[2].1 - base);
                covered[parts[2].0] = covered[parts[2].0].or(up);
            }
        }
    });
    unroll!(K, 11 10 9 8 7 6 5 4 3 2 1, {
        let [(a, at_a), (b, at_b)] = const { PIECES[K].parts };
        covered[a] = covered[a].or(covered[K].shift_up(at_a));
        covered[b] = covered[b].or(covered[K].shift_up(at_b));
    });
    covered[0].merge()
}

/// An orientation as a union of pieces: piece and distance from the corner of the bounding box,
/// ascending by distance.
#[derive(Clone, Copy)]
struct Assembly {
    parts: [(usize, u32); 3],
    len: usize,
}

const ASSEMBLIES: [[Assembly; MAX_ORIENTATIONS]; SHAPE_COUNT] = assemblies();

const fn assemblies() -> [[Assembly; MAX_ORIENTATIONS]; SHAPE_COUNT] {
    const SHAPES: [Shape; SHAPE_COUNT] = super::shape::table();
    let mut bits = [0; PIECE_COUNT];
    let mut k = 0;
    while k < PIECE_COUNT {
        bits[k] = Shape::parse(PIECES[k].literal).corner_bits(0);
        k += 1;
    }
    let none = Assembly {
        parts: [(0, 0); 3],
        len: 0,
    };
    let mut all = [[none; MAX_ORIENTATIONS]; SHAPE_COUNT];
    let mut shape = 0;
    while shape < SHAPE_COUNT {
        let mut o = 0;
        while o < SHAPES[shape].count() {
            all[shape][o] = assemble(SHAPES[shape].corner_bits(o), &bits);
            o += 1;
        }
        shape += 1;
    }
    all
}

/// The fewest pieces whose union is the orientation, of those the smallest.
const fn assemble(orientation: u64, pieces: &[u64; PIECE_COUNT]) -> Assembly {
    // All ways to lay a piece inside, by distance.
    let mut inside = [(0, 0, 0); 64];
    let mut count = 0;
    let mut distance = 0;
    while distance < 64 - orientation.leading_zeros() {
        let mut k = 0;
        while k < PIECE_COUNT {
            let squares = pieces[k] << distance;
            if squares & !orientation == 0 {
                inside[count] = (squares, k, distance);
                count += 1;
            }
            k += 1;
        }
        distance += 1;
    }
    let mut best = Assembly {
        parts: [(PIECE_COUNT, 0); 3],
        len: 4,
    };
    let mut a = 0;
    while a < count {
        let mut b = a;
        while b < count {
            let mut c = b;
            while c < count {
                let [x, y, z] = [inside[a].0, inside[b].0, inside[c].0];
                // Any two that share a square lie right on the board, and so does the third then.
                let links = (x & y != 0) as u32 + (y & z != 0) as u32 + (x & z != 0) as u32;
                if x | y | z == orientation && links >= 2 {
                    let len = 1 + (b != a) as usize + (c != b) as usize;
                    let parts = if b == a {
                        [inside[a], inside[c], inside[c]]
                    } else {
                        [inside[a], inside[b], inside[c]]
                    };
                    let parts = [
                        (parts[0].1, parts[0].2),
                        (parts[1].1, parts[1].2),
                        (parts[2].1, parts[2].2),
                    ];
                    if len < best.len || len == best.len && weight(&parts) < weight(&best.parts) {
                        best = Assembly { parts, len };
                    }
                }
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    assert!(best.len <= 3, "three pieces are enough for every shape");
    best
}

const fn weight(parts: &[(usize, u32); 3]) -> usize {
    parts[0].0 + parts[1].0 + parts[2].0
}
