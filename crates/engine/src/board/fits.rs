//! Where a shape fits, in all its orientations at once.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Lanes as _};
#[cfg(target_arch = "x86_64")]
use super::orientation::MAX_SHAPE_SQUARES;
use super::shape::{MAX_ORIENTATIONS, ShapeId};
#[cfg(target_arch = "x86_64")]
use super::shape::{SHAPE_COUNT, Shape};
use super::words::{Split, Words};

/// The anchors of each orientation of a shape on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fits {
    /// Empty from the number of orientations on.
    anchors: [Split; MAX_ORIENTATIONS],
    counts: [u8; MAX_ORIENTATIONS],
}

impl Fits {
    /// Finds the fits of a shape on these free squares, if there were none before, and returns their number.
    #[inline(always)]
    pub(crate) fn find(&mut self, shape: ShapeId, free: Words) -> u32 {
        let orientations = shape.shape().orientations();
        let outs = self.anchors.iter_mut().zip(&mut self.counts);
        let mut all = 0;
        for (orientation, (anchors, count)) in orientations.iter().zip(outs) {
            *anchors = orientation.anchors_in(free);
            let found = anchors.len();
            *count = found as u8;
            all += found;
        }
        all
    }

    /// Does the same for two orientations at a time; must only be used in functions with the target feature `avx2`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn find_avx2(&mut self, shape: ShapeId, free: Words) -> u32 {
        let Words([upper, lower]) = free;
        let free = Avx2::new([upper, lower, upper, lower]);
        let (couples, shape) = (&COUPLES[shape.index()], shape.shape());
        let (used, others) = (shape.count().div_ceil(2), shape.size() as usize - 1);
        let outs = (self.anchors.chunks_exact_mut(2)).zip(self.counts.chunks_exact_mut(2));
        let mut all = 0;
        for (couple, (anchors, counts)) in couples.iter().take(used).zip(outs) {
            let mut fits = Avx2::new(couple.anchors).and(free);
            for &offsets in couple.offsets.iter().take(others) {
                fits = fits.and(free.down_each(offsets));
            }
            let [a, b, c, d] = fits.words();
            (anchors[0], anchors[1]) = (Split([a, b]), Split([c, d]));
            let [one, two] = [anchors[0].len(), anchors[1].len()];
            (counts[0], counts[1]) = (one as u8, two as u8);
            all += one + two;
        }
        all
    }

    /// The number of placements of each orientation; 0 from the number of orientations on.
    #[inline(always)]
    pub(crate) const fn counts(&self) -> &[u8; MAX_ORIENTATIONS] {
        &self.counts
    }

    /// The anchors of an orientation.
    #[inline(always)]
    pub(crate) const fn anchors(&self, orientation: usize) -> Split {
        self.anchors[orientation]
    }
}

/// Two orientations of a shape. Both have two words: four lanes, which one register of 256 bits holds.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Couple {
    /// The anchors on an empty board; none for a missing orientation.
    anchors: [u64; 4],
    /// The distances of the other squares from the first.
    offsets: [[u8; 4]; MAX_SHAPE_SQUARES - 1],
}

#[cfg(target_arch = "x86_64")]
static COUPLES: [[Couple; MAX_ORIENTATIONS / 2]; SHAPE_COUNT] = couples();

#[cfg(target_arch = "x86_64")]
const fn couples() -> [[Couple; MAX_ORIENTATIONS / 2]; SHAPE_COUNT] {
    const SHAPES: [Shape; SHAPE_COUNT] = super::shape::table();
    let none = Couple {
        anchors: [0; 4],
        offsets: [[0; 4]; MAX_SHAPE_SQUARES - 1],
    };
    let mut all = [[none; MAX_ORIENTATIONS / 2]; SHAPE_COUNT];
    let mut shape = 0;
    while shape < SHAPE_COUNT {
        let mut o = 0;
        while o < SHAPES[shape].count() {
            let orientation = SHAPES[shape].orientation(o);
            let couple = &mut all[shape][o / 2];
            let lane = 2 * (o % 2);
            let Split([upper, lower]) = orientation.anchors;
            (couple.anchors[lane], couple.anchors[lane + 1]) = (upper, lower);
            let mut square = 1;
            while square < SHAPES[shape].size() as usize {
                let offset = orientation.offset(square);
                couple.offsets[square - 1][lane] = offset;
                couple.offsets[square - 1][lane + 1] = offset;
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
                let orientations = shape.shape().orientations();
                for (i, orientation) in orientations.iter().enumerate() {
                    prop_assert_eq!(fits.anchors(i), orientation.anchors_in(free));
                }
                for (i, &count) in fits.counts().iter().enumerate() {
                    prop_assert_eq!(u32::from(count), fits.anchors(i).len());
                    prop_assert!(i < orientations.len() || count == 0);
                }
                let counts = fits.counts().iter().map(|&count| u32::from(count));
                prop_assert_eq!(all, counts.sum::<u32>());
            }
        }
    }
}
