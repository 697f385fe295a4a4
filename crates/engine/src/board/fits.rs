//! Where a shape fits, in all its orientations at once.

#[cfg(target_arch = "x86_64")]
use std::hint::select_unpredictable;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;
use std::sync::LazyLock;

use super::cover::CoverLanes;
#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512, Eight, Sse2};
#[cfg(target_arch = "x86_64")]
use super::orientation::MAX_SHAPE_SQUARES;
use super::quilt::{Quilt, SQUARES, Square};
use super::shape::{MAX_ORIENTATIONS, ShapeId};
#[cfg(target_arch = "x86_64")]
use super::shape::{SHAPE_COUNT, table};
use super::words::{Split, UPPER_SQUARES, Words, nth_bit};

/// The anchors of each orientation of a shape on a board, by half of the board as in [`Split`]. They are empty from the
/// number of orientations on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fits {
    anchors: [[u64; MAX_ORIENTATIONS]; 2],
    counts: [[u8; MAX_ORIENTATIONS]; 2],
}

/// A placement of a shape: the index of its orientation, its first square, and all its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacedShape {
    pub(crate) orientation: u8,
    pub(crate) anchor: Square,
    pub(crate) squares: Quilt,
}

impl PlacedShape {
    #[inline(always)]
    pub(crate) fn new(shape: ShapeId, orientation: u8, anchor: Square) -> Self {
        Self {
            orientation,
            anchor,
            squares: shape.shape().orientations()[usize::from(orientation)].place(anchor),
        }
    }
}

/// Finds the fits of shapes on free squares.
pub(crate) trait FindFits {
    fn all(shape: ShapeId, free: Words) -> Fits;

    /// The placement with the greatest row-major bit string: its first square is as early as possible, then its second
    /// square, and so on.
    fn first(shape: ShapeId, free: Words) -> Option<PlacedShape>;
}

/// Work on boards that is compiled for several kinds of processors.
pub(crate) trait BoardWork {
    type Result;

    /// Does it, with words of `N` boards in a register. Inlined, so that it uses what the caller's processor features allow.
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Self::Result;
}

/// The instructions for which work on boards is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instructions {
    /// Those that every processor of its kind has.
    Basic,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The last of [`Instructions::available`]. To ask for each feature of the processor every time takes longer.
static BEST: LazyLock<Instructions> =
    LazyLock::new(|| *Instructions::available().last().expect("not empty"));

/// Does the work with the best instructions of the processor.
#[inline]
pub(crate) fn with_best<W: BoardWork>(work: W) -> W::Result {
    BEST.run(work)
}

impl Instructions {
    /// Those that the processor has, the best last.
    pub(crate) fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let all = [
            Some(Self::Basic),
            #[cfg(target_arch = "x86_64")]
            has_avx2.then_some(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            (has_avx2
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq"))
            .then_some(Self::Avx512),
        ];
        all.into_iter().flatten().collect()
    }

    /// Does the work; the processor must have the instructions.
    #[allow(unsafe_code, reason = "only available ones are made")]
    #[inline(always)]
    pub(crate) fn run<W: BoardWork>(self, work: W) -> W::Result {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { with_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { with_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            Self::Basic => work.run::<PortableFits, Sse2, 2>(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Basic => work.run::<PortableFits, super::lanes::Simd128, 2>(),
            #[cfg(not(any(
                target_arch = "x86_64",
                all(target_arch = "wasm32", target_feature = "simd128")
            )))]
            Self::Basic => work.run::<PortableFits, u64, 1>(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512vl,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn with_avx512<W: BoardWork>(work: W) -> W::Result {
    work.run::<Wide<Avx512>, Avx2, 4>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_avx2<W: BoardWork>(work: W) -> W::Result {
    work.run::<Wide<[Avx2; 2]>, Avx2, 4>()
}

/// Works on every processor.
pub(crate) struct PortableFits;

impl FindFits for PortableFits {
    #[inline(always)]
    fn all(shape: ShapeId, free: Words) -> Fits {
        let mut fits = Fits::default();
        if free == Words([0; 2]) {
            return fits;
        }
        for (i, orientation) in shape.shape().orientations().iter().enumerate() {
            let anchors = orientation.anchors_in(free).0;
            for (half, word) in anchors.into_iter().enumerate() {
                fits.anchors[half][i] = word;
                fits.counts[half][i] = word.count_ones() as u8;
            }
        }
        fits
    }

    #[inline(always)]
    fn first(shape: ShapeId, free: Words) -> Option<PlacedShape> {
        let (order, orientations) = (shape.shape().by_anchor(), shape.shape().orientations());
        let mut best = (SQUARES as u32, 0);
        for &o in order {
            let anchors = orientations[usize::from(o)].anchors_in(free);
            best = std::cmp::min_by_key(best, (anchors.first_index(), o), |&(first, _)| first);
        }
        Some(PlacedShape::new(shape, best.1, Square::new(best.0 as u8)?))
    }
}

/// Without branches; must only be used in functions with the target features of the registers.
#[cfg(target_arch = "x86_64")]
struct Wide<E>(PhantomData<E>);

#[cfg(target_arch = "x86_64")]
impl<E: Eight> Wide<E> {
    /// The anchors of all orientations in each half of the board.
    #[inline(always)]
    fn halves(shape: ShapeId, free: Words) -> [E; 2] {
        let table = &TABLES[shape.index()];
        let Words([upper, lower]) = free;
        let free = [E::new([upper; 8]), E::new([lower; 8])];
        let mut upper = E::new(table.anchors[0]).and(free[0]);
        let mut lower = E::new(table.anchors[1]).and(free[1]);
        for &offsets in &table.offsets {
            // No square of an anchor is beyond its half.
            upper = upper.and(free[0].down_each(E::new(offsets)));
            lower = lower.and(free[1].down_each(E::new(offsets)));
        }
        [upper, lower]
    }
}

#[cfg(target_arch = "x86_64")]
impl<E: Eight> FindFits for Wide<E> {
    #[inline(always)]
    fn all(shape: ShapeId, free: Words) -> Fits {
        let halves = Self::halves(shape, free);
        Fits {
            anchors: halves.map(E::words),
            counts: halves.map(E::counts),
        }
    }

    #[inline(always)]
    fn first(shape: ShapeId, free: Words) -> Option<PlacedShape> {
        let [upper, lower] = Self::halves(shape, free);
        let [in_upper, in_lower] = upper.unions(lower);
        let is_upper = in_upper != 0;
        let in_lower = select_unpredictable(is_upper, 0, in_lower);
        let base = select_unpredictable(is_upper, 0, UPPER_SQUARES);
        let anchor = Square::new(((in_upper | in_lower).trailing_zeros() + base) as u8)?;
        // The orientations that have the anchor.
        let only = |word: u64| E::new([word & word.wrapping_neg(); 8]);
        let having = upper.and(only(in_upper)).or(lower.and(only(in_lower)));
        let table = &TABLES[shape.index()];
        let orientation = table.first[usize::from(having.filled())];
        let squares = table.squares[usize::from(orientation) % MAX_ORIENTATIONS];
        Some(PlacedShape {
            orientation,
            anchor,
            squares: Quilt::from_bits(u128::from(squares) << anchor.index()),
        })
    }
}

impl Fits {
    /// The number of placements.
    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        let [first, second] = self.sums();
        ((first >> 48) + (second >> 48)) as u32
    }

    /// The number of placements of each orientation; 0 from the number of orientations on.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u8; MAX_ORIENTATIONS] {
        let [upper, lower] = self.counts.map(u64::from_le_bytes);
        (upper + lower).to_le_bytes()
    }

    #[inline(always)]
    pub(crate) fn anchors(&self, orientation: usize) -> Split {
        Split([self.anchors[0][orientation], self.anchors[1][orientation]])
    }

    /// The orientation and the anchor with this rank, by orientation and then row by row.
    #[inline(always)]
    pub(crate) fn nth(&self, rank: u32) -> (u8, Square) {
        // Without branches, except for the group: ranks cannot be predicted.
        let [first, second] = self.sums();
        let in_first = (first >> 48) as u32;
        let (group, sums, rank) = match rank.checked_sub(in_first) {
            None => (0, first, rank),
            Some(rest) => (1, second, rest),
        };
        // The orientations of the group whose sums are at most the rank.
        let passed = (((u64::from(rank) * EACH) | HIGH) - sums) & HIGH;
        let passed = passed.count_ones();
        let before = (sums << 16 >> (16 * passed)) as u32 & 0xffff;
        let (rank, orientation) = (rank - before, 4 * group + passed as usize);
        let Split([upper, lower]) = self.anchors(orientation);
        let in_upper = u32::from(self.counts[0][orientation]);
        let is_lower = rank >= in_upper;
        let (word, rank, base) = if is_lower {
            (lower, rank - in_upper, UPPER_SQUARES)
        } else {
            (upper, rank, 0)
        };
        let index = nth_bit(word, rank) + base;
        let anchor = Square::new(index as u8).expect("rank is below the count");
        (orientation as u8, anchor)
    }

    /// The numbers of placements of the first four orientations up to each of them, and of the others, as numbers of 16
    /// bits.
    #[inline(always)]
    fn sums(&self) -> [u64; 2] {
        let counts = u64::from_le_bytes(self.counts());
        [counts & u64::from(u32::MAX), counts >> 32].map(|four| {
            let pairs = (four | four << 16) & 0x0000_ffff_0000_ffff;
            ((pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff).wrapping_mul(EACH)
        })
    }
}

/// A 1 in each of four numbers of 16 bits.
const EACH: u64 = 0x0001_0001_0001_0001;
/// The highest bit of each of them.
const HIGH: u64 = EACH << 15;

/// The orientations of a shape on an empty board, each in a lane of a register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(64))]
struct ShapeTable {
    /// The anchors by half of the board; none for a missing orientation.
    anchors: [[u64; MAX_ORIENTATIONS]; 2],
    /// The distances of the other squares from the first; 0 for a missing square.
    offsets: [[u64; MAX_ORIENTATIONS]; MAX_SHAPE_SQUARES - 1],
    /// All squares, with the first at bit 0.
    squares: [u64; MAX_ORIENTATIONS],
    /// By a set of orientations: the first of them in the order of [`Shape::by_anchor`](super::Shape::by_anchor).
    first: [u8; 1 << MAX_ORIENTATIONS],
}

#[cfg(target_arch = "x86_64")]
static TABLES: [ShapeTable; SHAPE_COUNT] = {
    let shapes = table();
    let none = ShapeTable {
        anchors: [[0; MAX_ORIENTATIONS]; 2],
        offsets: [[0; MAX_ORIENTATIONS]; MAX_SHAPE_SQUARES - 1],
        squares: [0; MAX_ORIENTATIONS],
        first: [0; 1 << MAX_ORIENTATIONS],
    };
    let mut all = [none; SHAPE_COUNT];
    let mut s = 0;
    while s < SHAPE_COUNT {
        let (table, shape) = (&mut all[s], &shapes[s]);
        let mut rank = shape.count();
        while rank > 0 {
            rank -= 1;
            let o = shape.by_anchor[rank] as usize;
            // Orientations before this one in the order come later, and overwrite it.
            let mut set = 0;
            while set < 1 << MAX_ORIENTATIONS {
                if set >> o & 1 == 1 {
                    table.first[set] = o as u8;
                }
                set += 1;
            }
            let orientation = shape.orientation(o);
            table.squares[o] = orientation.bits() as u64;
            assert!(table.squares[o] as u128 == orientation.bits());
            let Split([upper, lower]) = orientation.anchors;
            (table.anchors[0][o], table.anchors[1][o]) = (upper, lower);
            let mut square = 1;
            while square < shape.size() as usize {
                table.offsets[square - 1][o] = orientation.offset(square) as u64;
                square += 1;
            }
        }
        s += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All fits of a shape, and the first.
    struct Both(ShapeId, Words);

    impl BoardWork for Both {
        type Result = (Fits, Option<PlacedShape>);

        #[inline(always)]
        fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Self::Result {
            (F::all(self.0, self.1), F::first(self.0, self.1))
        }
    }

    proptest! {
        #[test]
        fn fits_are_the_anchors_of_each_orientation(a in any::<u128>(), b in any::<u128>()) {
            let quilt = Quilt::from_bits(!(a | b));
            let free = Words::new(quilt.complement());
            for shape in ShapeId::all() {
                let both = Both(shape, free).run::<PortableFits, u64, 1>();
                for instructions in Instructions::available() {
                    for free in [free, Words::free_of(quilt)] {
                        prop_assert_eq!(both, instructions.run(Both(shape, free)), "{:?}", instructions);
                    }
                }
                let (fits, first) = both;
                let orientations = shape.shape().orientations();
                let each = orientations.iter().zip(0..);
                let each = each.flat_map(|(orientation, index)| {
                    let anchors = orientation.anchors_in(free).squares();
                    anchors.squares().map(move |anchor| (index, anchor)).collect::<Vec<_>>()
                });
                let each: Vec<(u8, Square)> = each.collect();
                prop_assert!((0..fits.len()).map(|rank| fits.nth(rank)).eq(each.iter().copied()));
                let squares = |&(o, anchor): &(u8, Square)| orientations[usize::from(o)].place(anchor);
                let greatest = each.iter().max_by_key(|fit| squares(fit).bits().reverse_bits());
                let expected = greatest.map(|fit| (*fit, squares(fit)));
                prop_assert_eq!(first.map(|it| ((it.orientation, it.anchor), it.squares)), expected);
                for (i, orientation) in orientations.iter().enumerate() {
                    prop_assert_eq!(fits.anchors(i), orientation.anchors_in(free));
                }
                for (i, &count) in fits.counts().iter().enumerate() {
                    prop_assert_eq!(u32::from(count), fits.anchors(i).len());
                    prop_assert!(i < orientations.len() || count == 0);
                }
                let counts = fits.counts().map(u32::from).into_iter();
                prop_assert_eq!(fits.len(), counts.sum::<u32>());
            }
        }
    }
}
