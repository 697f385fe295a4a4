//! The squares that shapes can still cover, computed for several boards at once in branch-free
//! code.
//!
//! A shape fits where its pieces fit. Most orientations are the union of two of [`PIECES`], and all
//! shapes share the positions of the pieces. Covers are computed in the opposite direction, from
//! each piece to the smaller pieces that it consists of.

use super::lanes::Lanes;
use super::quilt::{Quilt, SIDE};
use super::shape::{MAX_ORIENTATIONS, SHAPE_COUNT, Shape, ShapeId};
use super::words::{Split, UPPER_SQUARES, Words};

/// The union of all placements of a shape on these free squares.
#[inline(always)]
pub fn cover(shape: ShapeId, free: Words) -> Split {
    let places = Places::new(Boards::overlapping([free]));
    let [cover] = shape_cover::<u64, 1>(shape.index(), &places).each();
    cover
}

/// Repeats a block for each number, which is a constant in the block.
macro_rules! unroll {
    ($i:ident, $($n:literal)*, $body:block) => { unroll!(@ $i, $body, $($n)*) };
    (@ $i:ident, $body:block, $($n:literal)*) => { $({ const $i: usize = $n; $body })* };
}

/// The cover of one shape; the processor must have the registers.
type ShapeCover<L, const N: usize> = unsafe fn(&Places<L, N>) -> Boards<L, N>;

/// Lanes with the covers of all shapes, which are compiled once and called: together they are long.
pub(crate) trait CoverLanes<const N: usize>: Lanes<N> + 'static {
    const COVERS: &[ShapeCover<Self, N>; SHAPE_COUNT];
}

macro_rules! cover_lanes {
    ($($(#[$meta:meta])* $lanes:ty, $n:literal $($feature:literal)?;)*) => {$(
        $(#[$meta])*
        impl CoverLanes<$n> for $lanes {
            const COVERS: &[ShapeCover<Self, $n>; SHAPE_COUNT] = {
                $(#[target_feature(enable = $feature)])?
                fn of<const SHAPE: usize>(places: &Places<$lanes, $n>) -> Boards<$lanes, $n> {
                    cover_of::<SHAPE, $lanes, $n>(places)
                }
                cover_lanes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30)
            };
        }
    )*};
    ($($shape:literal)*) => { &[$(of::<$shape>),*] };
}

cover_lanes! {
    u64, 1;
    #[cfg(target_arch = "x86_64")] super::lanes::Sse2, 2;
    #[cfg(target_arch = "x86_64")] super::lanes::Avx2, 4 "avx2";
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] super::lanes::Simd128, 2;
}

/// The cover of the shape with this index on each board.
#[inline(always)]
fn shape_cover<L: CoverLanes<N>, const N: usize>(
    shape: usize,
    places: &Places<L, N>,
) -> Boards<L, N> {
    #[allow(
        unsafe_code,
        reason = "whoever uses the registers says that the processor has them"
    )]
    unsafe {
        L::COVERS[shape](places)
    }
}

/// The bits of all shapes.
pub(crate) const ALL_SHAPES: u32 = (1 << SHAPE_COUNT) - 1;

/// Passes the cover of each wanted shape on each board to the taker, until the taker is done.
///
/// `wanted` has bit `i` for the shape with index `i`. Large shapes come first.
#[inline(always)]
pub(crate) fn covers<L: CoverLanes<N>, const N: usize>(
    places: &Places<L, N>,
    wanted: u32,
    taker: &mut impl TakeCover<L, N>,
) {
    /// The taker is asked whether it is done before the shapes below each of these, and not after the last.
    const STOPS: [usize; 4] = [25, 18, 11, 0];
    let mut left = wanted & ALL_SHAPES;
    for stop in STOPS {
        while left >> stop > 0 {
            let shape = left.ilog2() as usize;
            left ^= 1 << shape;
            taker.take(shape, shape_cover(shape, places));
        }
        if stop > 0 && taker.is_done() {
            return;
        }
    }
}

/// Consumer of covers. This is a trait because closures cannot be marked `#[inline(always)]`, and
/// code for wider registers must be inlined.
pub(crate) trait TakeCover<L, const N: usize> {
    /// Takes the cover of the shape with this index on each board.
    fn take(&mut self, shape: usize, cover: Boards<L, N>);

    /// Whether no more covers are needed; checked occasionally.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Keeps the covers on one board by shape.
impl TakeCover<u64, 1> for [Split; SHAPE_COUNT] {
    #[inline(always)]
    fn take(&mut self, shape: usize, cover: Boards<u64, 1>) {
        [self[shape]] = cover.each();
    }
}

/// A set of squares on each of several boards: the first words of all boards, then the second
/// words, so that a vector register holds the same word of several boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boards<L, const N: usize> {
    upper: L,
    lower: L,
}

macro_rules! by_words {
    ($($operation:ident)*) => {$(
        #[inline(always)]
        pub(crate) fn $operation(self, other: Self) -> Self {
            Self {
                upper: self.upper.$operation(other.upper),
                lower: self.lower.$operation(other.lower),
            }
        }
    )*};
}

impl<L: Lanes<N>, const N: usize> Boards<L, N> {
    pub(crate) const NONE: Self = Self {
        upper: L::ZERO,
        lower: L::ZERO,
    };

    /// Boards given as [`Words`].
    #[inline(always)]
    fn overlapping(words: [Words; N]) -> Self {
        Self {
            upper: L::new(words.map(|Words([upper, _])| upper)),
            lower: L::new(words.map(|Words([_, lower])| lower)),
        }
    }

    /// Boards given as [`Split`].
    #[inline(always)]
    pub(crate) fn split(sets: [Split; N]) -> Self {
        Self {
            upper: L::new(sets.map(|Split([upper, _])| upper)),
            lower: L::new(sets.map(|Split([_, lower])| lower)),
        }
    }

    /// The set on each board, if the boards are in [`Split`] form.
    #[inline(always)]
    pub(crate) fn each(self) -> [Split; N] {
        let (upper, lower) = (self.upper.words(), self.lower.words());
        std::array::from_fn(|i| Split([upper[i], lower[i]]))
    }

    by_words! { and or xor without }

    #[inline(always)]
    fn down(self, distance: u32) -> Self {
        Self {
            upper: self.upper.down(distance),
            lower: self.lower.down(distance),
        }
    }

    #[inline(always)]
    fn up(self, distance: u32) -> Self {
        Self {
            upper: self.upper.up(distance),
            lower: self.lower.up(distance),
        }
    }

    /// Converts overlapping words to words that contain each square once.
    #[inline(always)]
    fn merge(self) -> Self {
        Self {
            upper: self.upper.and(L::new([(1 << UPPER_SQUARES) - 1; N])),
            lower: self.lower.or(self.upper.down(UPPER_SQUARES)),
        }
    }
}

const PIECE_COUNT: usize = 12;

/// The polyominoes from which shapes are assembled, smaller ones first. More pieces would not reduce the work.
///
/// Each has two earlier pieces whose union it is, and the distance of each from its corner. They share a square or a
/// column, so the edge of the board never splits their union.
const PIECES: [(&str, [(usize, u32); 2]); PIECE_COUNT] = [
    ("X", [(0, 0), (0, 0)]),
    ("XX", [(0, 0), (0, 1)]),
    ("X/X", [(0, 0), (0, 9)]),
    ("XXX", [(1, 0), (1, 1)]),
    ("X/X/X", [(2, 0), (2, 9)]),
    ("XXXX", [(3, 0), (1, 2)]),
    ("X/X/X/X", [(4, 0), (2, 18)]),
    ("XX/XX", [(1, 0), (1, 9)]),
    ("XX/X.", [(1, 0), (2, 0)]),
    ("XX/.X", [(1, 0), (2, 1)]),
    ("X./XX", [(2, 0), (1, 9)]),
    (".X/XX", [(2, 1), (1, 9)]),
];

/// The positions at which each piece fits on several boards: the corners of its bounding box, in
/// overlapping words.
pub(crate) struct Places<L, const N: usize>([Boards<L, N>; PIECE_COUNT]);

impl<L: Lanes<N>, const N: usize> Places<L, N> {
    /// The positions on boards with these free squares.
    #[inline(always)]
    pub(crate) fn on(free: [Quilt; N]) -> Self {
        Self::new(Boards::overlapping(free.map(Words::new)))
    }

    #[inline(always)]
    fn new(free: Boards<L, N>) -> Self {
        const NOT_LAST: Words = Words::new(Quilt::column(SIDE - 1).complement());
        let mut places = [free; PIECE_COUNT];
        unroll!(K, 1 2 3 4 5 6 7 8 9 10 11, {
            let [(a, at_a), (b, at_b)] = const { PIECES[K].1 };
            places[K] = places[a].down(at_a).and(places[b].down(at_b));
            if K == 1 {
                // The only piece whose parts lie side by side, so that the edge could split it.
                places[K] = places[K].and(Boards::overlapping([NOT_LAST; N]));
            }
        });
        Self(places)
    }
}

/// The cover of one shape, with its pieces and distances as compile-time constants.
#[inline(always)]
fn cover_of<const SHAPE: usize, L: Lanes<N>, const N: usize>(
    places: &Places<L, N>,
) -> Boards<L, N> {
    let mut covered = [Boards::<L, N>::NONE; PIECE_COUNT];
    unroll!(O, 0 1 2 3 4 5 6 7, {
        if const { ASSEMBLIES[SHAPE][O].len > 0 } {
            let parts = const { ASSEMBLIES[SHAPE][O].parts };
            // Positions of the first part, which has the smallest distance.
            let base = parts[0].1;
            let mut fits = places.0[parts[0].0];
            unroll!(P, 1 2, {
                if const { P < ASSEMBLIES[SHAPE][O].len } {
                    fits = fits.and(places.0[parts[P].0].down(parts[P].1 - base));
                }
            });
            unroll!(P, 0 1 2, {
                if const { P < ASSEMBLIES[SHAPE][O].len } {
                    let up = fits.up(parts[P].1 - base);
                    covered[parts[P].0] = covered[parts[P].0].or(up);
                }
            });
        }
    });
    unroll!(K, 11 10 9 8 7 6 5 4 3 2 1, {
        if const { pieces_of(&ASSEMBLIES[SHAPE])[K] } {
            let [(a, at_a), (b, at_b)] = const { PIECES[K].1 };
            covered[a] = covered[a].or(covered[K].up(at_a));
            covered[b] = covered[b].or(covered[K].up(at_b));
        }
    });
    covered[0].merge()
}

/// An orientation as a union of pieces: each piece and its distance from the corner of the bounding
/// box, in ascending order of distance.
#[derive(Clone, Copy)]
struct Assembly {
    parts: [(usize, u32); 3],
    len: usize,
}

/// The pieces of which the orientations of a shape consist, and the pieces of which these consist. Without it, the
/// compiler would find that the other pieces cover nothing, which takes it long.
const fn pieces_of(orientations: &[Assembly; MAX_ORIENTATIONS]) -> [bool; PIECE_COUNT] {
    let mut pieces = [false; PIECE_COUNT];
    let mut o = 0;
    while o < MAX_ORIENTATIONS {
        let mut part = 0;
        while part < orientations[o].len {
            pieces[orientations[o].parts[part].0] = true;
            part += 1;
        }
        o += 1;
    }
    let mut k = PIECE_COUNT - 1;
    while k > 0 {
        if pieces[k] {
            let [(a, _), (b, _)] = PIECES[k].1;
            pieces[a] = true;
            pieces[b] = true;
        }
        k -= 1;
    }
    pieces
}

const ASSEMBLIES: [[Assembly; MAX_ORIENTATIONS]; SHAPE_COUNT] = assemblies();

const fn assemblies() -> [[Assembly; MAX_ORIENTATIONS]; SHAPE_COUNT] {
    const SHAPES: [Shape; SHAPE_COUNT] = super::shape::table();
    let mut bits = [0; PIECE_COUNT];
    let mut k = 0;
    while k < PIECE_COUNT {
        bits[k] = Shape::parse(PIECES[k].0).corner_bits(0);
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

/// The smallest set of pieces whose union is the orientation; ties go to the smallest pieces.
const fn assemble(orientation: u64, pieces: &[u64; PIECE_COUNT]) -> Assembly {
    // All ways to place a piece inside, by distance.
    let mut inside = [(0, (0, 0)); 64];
    let mut count = 0;
    let mut distance = 0;
    while distance < 64 - orientation.leading_zeros() {
        let mut k = 0;
        while k < PIECE_COUNT {
            let squares = pieces[k] << distance;
            if squares & !orientation == 0 {
                inside[count] = (squares, (k, distance));
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
                // Two pieces that share a square are placed correctly on the board, and then so is
                // the third.
                let links = (x & y != 0) as u32 + (y & z != 0) as u32 + (x & z != 0) as u32;
                if x | y | z == orientation && links >= 2 {
                    let len = 1 + (b != a) as usize + (c != b) as usize;
                    let second = if b == a { c } else { b };
                    let parts = [inside[a].1, inside[second].1, inside[c].1];
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

#[cfg(test)]
mod tests {
    use super::super::shape::SHAPES;
    use super::*;
    use proptest::prelude::*;

    impl<L: Lanes<N>, const N: usize> TakeCover<L, N> for [[Split; N]; SHAPE_COUNT] {
        fn take(&mut self, shape: usize, cover: Boards<L, N>) {
            self[shape] = cover.each();
        }
    }

    fn check<L: CoverLanes<N>, const N: usize>(free: [Quilt; N]) -> Result<(), TestCaseError> {
        let mut covered = [[Split::default(); N]; SHAPE_COUNT];
        covers(&Places::<L, N>::on(free), u32::MAX, &mut covered);
        for (shape, covered) in SHAPES.iter().zip(covered) {
            for (free, covered) in free.into_iter().zip(covered) {
                let mut slow = Quilt::EMPTY;
                for orientation in shape.orientations() {
                    for anchor in orientation.inside().squares() {
                        let squares = orientation.place(anchor);
                        if squares.without(free).is_empty() {
                            slow = slow.union(squares);
                        }
                    }
                }
                prop_assert_eq!(covered.squares(), slow, "{}", shape.literal());
                prop_assert_eq!(Split::new(slow), covered);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn covers_are_the_union_of_all_placements(words in any::<[u128; 6]>(), dense in any::<bool>()) {
            let free: [Quilt; 4] = std::array::from_fn(|i| {
                let [a, b, c] = [words[i], words[i + 1], words[i + 2]];
                Quilt::from_bits(if dense { a | b | c } else { a | b })
            });
            check::<u64, 1>([free[0]])?;
            #[cfg(target_arch = "x86_64")]
            {
                check::<super::super::lanes::Sse2, 2>([free[1], free[2]])?;
                if is_x86_feature_detected!("avx2") {
                    check::<super::super::lanes::Avx2, 4>(free)?;
                }
            }
            for shape in ShapeId::all() {
                let mut alone = [Split::default(); SHAPE_COUNT];
                let places = Places::<u64, 1>::on([free[3]]);
                covers(&places, 1 << shape.index(), &mut alone);
                let expected = cover(shape, Words::new(free[3]));
                prop_assert_eq!(alone[shape.index()], expected);
            }
        }
    }

    #[test]
    fn most_orientations_are_two_pieces() {
        let parts = ASSEMBLIES.iter().flatten().map(|assembly| assembly.len);
        let mut counts = [0; 4];
        parts.for_each(|len| counts[len] += 1);
        assert_eq!(counts[1..], [12, 91, 26]);
    }
}
