//! Where a shape fits, in all its orientations at once.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512, Lanes as _};
#[cfg(target_arch = "x86_64")]
use super::orientation::MAX_SHAPE_SQUARES;
use super::quilt::Square;
use super::shape::{MAX_ORIENTATIONS, ShapeId};
#[cfg(target_arch = "x86_64")]
use super::shape::{SHAPE_COUNT, Shape};
use super::words::{Split, UPPER_SQUARES, Words, nth_bit};

/// The words of four orientations, two each: as many as one register of 512 bits holds.
const GROUP: usize = 8;
/// Enough for all orientations of a shape.
const GROUPS: usize = MAX_ORIENTATIONS * 2 / GROUP;

/// The anchors of each orientation of a shape on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fits {
    /// Both words of each orientation. They are empty from the number of orientations on.
    anchors: [[u64; GROUP]; GROUPS],
    /// The number of anchors in each word.
    counts: [[u8; GROUP]; GROUPS],
}

impl Fits {
    /// Finds the fits of a shape on these free squares and returns their number.
    #[inline(always)]
    pub(crate) fn find(&mut self, shape: ShapeId, free: Words) -> u32 {
        *self = Self::default();
        let orientations = shape.shape().orientations();
        let mut all = 0;
        for (orientation, index) in orientations.iter().zip(0..) {
            let anchors = orientation.anchors_in(free);
            all += self.put(2 * index, anchors.0);
        }
        all
    }

    /// Writes consecutive words of anchors, and returns the number of anchors.
    #[inline(always)]
    fn put<const N: usize>(&mut self, at: usize, words: [u64; N]) -> u32 {
        let found = words.map(u64::count_ones);
        let (group, lane) = (at / GROUP, at % GROUP);
        self.anchors[group][lane..lane + N].copy_from_slice(&words);
        self.counts[group][lane..lane + N].copy_from_slice(&found.map(|count| count as u8));
        found.iter().sum()
    }

    /// Does the same for two orientations at a time; must only be used in functions with the target feature `avx2`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn find_avx2(&mut self, shape: ShapeId, free: Words) -> u32 {
        *self = Self::default();
        let Words([upper, lower]) = free;
        let free = Avx2::new([upper, lower, upper, lower]);
        let (tables, shape) = (&TABLES[shape.index()], shape.shape());
        let (used, others) = (shape.count().div_ceil(2), shape.size() as usize - 1);
        let mut all = 0;
        for couple in 0..used {
            let (table, half) = (&tables[couple / 2], couple % 2);
            let mut fits = Avx2::new(table.anchors.as_chunks().0[half]).and(free);
            for offsets in table.offsets.iter().take(others) {
                fits = fits.and(free.down_each(offsets.as_chunks().0[half]));
            }
            all += self.put(4 * couple, fits.words());
        }
        all
    }

    /// Does the same for four orientations at a time and without branches; must only be used in functions with the
    /// target features `avx512f` and `avx512vpopcntdq`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn find_avx512(&mut self, shape: ShapeId, free: Words) -> u32 {
        let Words([upper, lower]) = free;
        let free = Avx512::new([upper, lower, upper, lower, upper, lower, upper, lower]);
        let outs = self.anchors.iter_mut().zip(&mut self.counts);
        let mut all = 0;
        for (table, (anchors, counts)) in TABLES[shape.index()].iter().zip(outs) {
            let mut fits = Avx512::new(table.anchors).and(free);
            for &offsets in &table.offsets {
                fits = fits.and(free.down_each(offsets));
            }
            (*anchors, *counts) = (fits.words(), fits.counts());
            all += (sums(*counts) >> 48) as u32;
        }
        all
    }

    /// The number of placements of each orientation; 0 from the number of orientations on.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u8; MAX_ORIENTATIONS] {
        let pairs = self.counts.as_flattened().as_chunks().0;
        std::array::from_fn(|orientation| {
            let [upper, lower] = pairs[orientation];
            upper + lower
        })
    }

    #[inline(always)]
    pub(crate) fn anchors(&self, orientation: usize) -> Split {
        Split(self.anchors.as_flattened().as_chunks().0[orientation])
    }

    /// The orientation and the anchor with this rank, by orientation and then row by row.
    #[inline(always)]
    pub(crate) fn nth(&self, rank: u32) -> (u8, Square) {
        // Without branches, except for the group: ranks cannot be predicted.
        let [first, second] = self.counts.map(sums);
        let in_first = (first >> 48) as u32;
        let (group, sums, rank) = match rank.checked_sub(in_first) {
            None => (0, first, rank),
            Some(rest) => (1, second, rest),
        };
        // The orientations of the group whose sums are at most the rank.
        let passed = (((u64::from(rank) * EACH) | HIGH) - sums) & HIGH;
        let passed = passed.count_ones();
        let before = (sums << 16 >> (16 * passed)) as u32 & 0xffff;
        let (rank, lane) = (rank - before, 2 * passed as usize);
        let [upper, lower] = [self.anchors[group][lane], self.anchors[group][lane + 1]];
        let in_upper = u32::from(self.counts[group][lane]);
        let is_lower = rank >= in_upper;
        let (word, rank, base) = if is_lower {
            (lower, rank - in_upper, UPPER_SQUARES)
        } else {
            (upper, rank, 0)
        };
        let index = nth_bit(word, rank) + base;
        let anchor = Square::new(index as u8).expect("rank is below the count");
        ((GROUP / 2 * group) as u8 + passed as u8, anchor)
    }
}

/// A 1 in each of four numbers of 16 bits.
const EACH: u64 = 0x0001_0001_0001_0001;
/// The highest bit of each of them.
const HIGH: u64 = EACH << 15;

/// The numbers of placements of the orientations of a group up to each of them, as numbers of 16 bits.
#[inline(always)]
const fn sums(counts: [u8; GROUP]) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let bytes = u64::from_le_bytes(counts);
    let pairs = (bytes & EVEN) + (bytes >> 8 & EVEN);
    pairs.wrapping_mul(EACH)
}

/// Four orientations of a shape on an empty board. Each has two words, and each word a lane of a register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct GroupTable {
    /// The anchors on an empty board; none for a missing orientation.
    anchors: [u64; GROUP],
    /// The distances of the other squares from the first; 0 for a missing square.
    offsets: [[u8; GROUP]; MAX_SHAPE_SQUARES - 1],
}

#[cfg(target_arch = "x86_64")]
static TABLES: [[GroupTable; GROUPS]; SHAPE_COUNT] = tables();

#[cfg(target_arch = "x86_64")]
const fn tables() -> [[GroupTable; GROUPS]; SHAPE_COUNT] {
    const SHAPES: [Shape; SHAPE_COUNT] = super::shape::table();
    let none = GroupTable {
        anchors: [0; GROUP],
        offsets: [[0; GROUP]; MAX_SHAPE_SQUARES - 1],
    };
    let mut all = [[none; GROUPS]; SHAPE_COUNT];
    let mut shape = 0;
    while shape < SHAPE_COUNT {
        let mut o = 0;
        while o < SHAPES[shape].count() {
            let orientation = SHAPES[shape].orientation(o);
            let table = &mut all[shape][2 * o / GROUP];
            let lane = 2 * o % GROUP;
            let Split([upper, lower]) = orientation.anchors;
            (table.anchors[lane], table.anchors[lane + 1]) = (upper, lower);
            let mut square = 1;
            while square < SHAPES[shape].size() as usize {
                let offset = orientation.offset(square);
                table.offsets[square - 1][lane] = offset;
                table.offsets[square - 1][lane + 1] = offset;
                square += 1;
            }
            o += 1;
        }
        shape += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::Quilt;
    use super::*;
    use proptest::prelude::*;

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn find_avx2(fits: &mut Fits, shape: ShapeId, free: Words) -> u32 {
        fits.find_avx2(shape, free)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
    fn find_avx512(fits: &mut Fits, shape: ShapeId, free: Words) -> u32 {
        fits.find_avx512(shape, free)
    }

    proptest! {
        #[test]
        fn fits_are_the_anchors_of_each_orientation(a in any::<u128>(), b in any::<u128>()) {
            let free = Words::new(Quilt::from_bits(a | b));
            for shape in ShapeId::all() {
                let mut fits = Fits::default();
                let all = fits.find(shape, free);
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                    let mut wide = Fits::default();
                    #[allow(unsafe_code, reason = "the features were detected just now")]
                    let count = unsafe { find_avx2(&mut wide, shape, free) };
                    prop_assert_eq!((all, &fits), (count, &wide));
                }
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                    let mut wide = Fits::default();
                    #[allow(unsafe_code, reason = "the features were detected just now")]
                    let count = unsafe { find_avx512(&mut wide, shape, free) };
                    prop_assert_eq!((all, &fits), (count, &wide));
                }
                let each = shape.shape().orientations().iter().zip(0..);
                let each = each.flat_map(|(orientation, index)| {
                    let anchors = orientation.anchors_in(free).squares();
                    anchors.squares().map(move |anchor| (index, anchor)).collect::<Vec<_>>()
                });
                let each: Vec<(u8, Square)> = each.collect();
                prop_assert!((0..all).map(|rank| fits.nth(rank)).eq(each));
                let orientations = shape.shape().orientations();
                for (i, orientation) in orientations.iter().enumerate() {
                    prop_assert_eq!(fits.anchors(i), orientation.anchors_in(free));
                }
                for (i, &count) in fits.counts().iter().enumerate() {
                    prop_assert_eq!(u32::from(count), fits.anchors(i).len());
                    prop_assert!(i < orientations.len() || count == 0);
                }
                let counts = fits.counts().map(u32::from).into_iter();
                prop_assert_eq!(all, counts.sum::<u32>());
            }
        }
    }
}
