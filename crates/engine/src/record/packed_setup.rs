//! Setups in few bytes, for tournaments that play millions of them.

use std::num::NonZeroU64;

use crate::game::{PATCH_COUNT, Setup, Track};

/// A setup; setups are ordered by track, then by komi, then by the order of the patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Beside a number of four bytes there is no gap.
#[repr(Rust, packed(4))]
pub struct PackedSetup {
    high: NonZeroU64,
    low: u64,
}

/// The patches of a ring but the last, which is always patch 1.
const FREE: usize = PATCH_COUNT - 1;
/// Always set; the track, the komi and the upper bits of the ring's number are below.
const SET: u64 = 1 << 63;
const REVISED: u64 = 1 << 62;
/// The komi stands in bits 54 to 61; the numbers of all rings need 118 bits.
const KOMI: u32 = 54;

impl PackedSetup {
    /// Packs a setup.
    pub fn new(setup: &Setup) -> Self {
        // The number of the ring among all rings in order.
        let (mut number, mut left) = (0_u128, (1_u64 << FREE) - 1);
        for (place, patch) in setup.ring().order()[..FREE].iter().enumerate() {
            let bit = 1_u64 << (patch.number() - 2);
            let smaller = (left & (bit - 1)).count_ones();
            number = number * (FREE - place) as u128 + u128::from(smaller);
            left ^= bit;
        }
        let track = match setup.track() {
            Track::Original => 0,
            Track::Revised => REVISED,
        };
        let komi = u64::from(setup.rules().komi()) << KOMI;
        let high = SET | track | komi | (number >> u64::BITS) as u64;
        Self {
            high: NonZeroU64::new(high).expect("a bit is set"),
            low: number as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::util::rng::stream;

    #[test]
    fn packed_setups_have_the_order_of_the_setups() {
        let setup = |seed| {
            let komi = if seed % 3 == 0 { seed as u8 % 100 } else { 0 };
            let rules = Rules::with_komi(Track::ALL[seed as usize % 2], komi).expect("small");
            Setup::random(rules, &mut stream(&[seed]))
        };
        let setups: Vec<Setup> = (0..200).map(setup).collect();
        for one in &setups {
            for other in &setups {
                let order = |setup: &Setup| (setup.rules(), setup.ring().numbers());
                let expected = order(one).cmp(&order(other));
                assert_eq!(
                    PackedSetup::new(one).cmp(&PackedSetup::new(other)),
                    expected
                );
            }
        }
    }
}
