//! A 64-bit key of a position, for transposition tables.

use super::state::State;

/// Odd constants with as many ones as zeros: the digits of sqrt(2), sqrt(3), sqrt(5) and so on.
const SALTS: [u64; 6] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
];

impl State {
    /// A 64-bit hash of the position; two different positions share it with a probability of about
    /// 2^-64.
    ///
    /// It is computed from all fields by three wide multiplications.
    #[inline]
    pub fn key(&self) -> u64 {
        let words = self.packed();
        let mut key = 0;
        for (pair, salts) in words.chunks_exact(2).zip(SALTS.chunks_exact(2)) {
            key = fold(pair[0] ^ salts[0] ^ key, pair[1] ^ salts[1])
                .wrapping_add(key.rotate_left(23));
        }
        key
    }
}

/// The two halves of the product, one over the other.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::game::State;
    use crate::testing::{random_walk, setup, setup_and_rng};
    use crate::util::rng::stream;
    use proptest::prelude::*;

    #[test]
    fn a_key_stands_for_one_position() {
        let setup = setup(1);
        let mut rng = stream(&[2]);
        let mut known: HashMap<u64, State> = HashMap::new();
        let mut seen_again = 0;
        for _ in 0..3000 {
            random_walk(&setup, &mut rng, |state| {
                let first = known.entry(state.key()).or_insert(*state);
                assert_eq!(first, state);
                seen_again += 1;
            });
        }
        assert!(known.len() > 50_000, "{} positions", known.len());
        assert!(seen_again > known.len(), "some positions came twice");
    }

    #[test]
    fn every_bit_of_a_key_depends_on_the_position() {
        let setup = setup(1);
        let mut counts = [0u32; 64];
        let mut total = 0;
        let mut rng = stream(&[3]);
        for _ in 0..200 {
            random_walk(&setup, &mut rng, |state| {
                total += 1;
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count += (state.key() >> bit & 1) as u32;
                }
            });
        }
        // Binomial with mean one half: five standard deviations are 2.5 / sqrt(total), and the start
        // is in every game.
        let slack = 2.5 * f64::from(total).sqrt() + 200.0;
        let half = f64::from(total) / 2.0;
        assert!(
            counts.iter().all(|&n| (f64::from(n) - half).abs() < slack),
            "{counts:?}"
        );
    }

    proptest! {
        #[test]
        fn one_action_more_or_another_one_makes_another_key(seed in any::<u64>()) {
            let (setup, mut rng) = setup_and_rng(seed);
            let mut before: Option<State> = None;
            random_walk(&setup, &mut rng, |state| {
                if let Some(old) = before {
                    assert_ne!(old.key(), state.key());
                    let copy = old;
                    assert_eq!(copy.key(), old.key());
                    let mut keys: Vec<u64> = old
                        .legal_actions(&setup)
                        .into_iter()
                        .map(|action| {
                            let mut next = old;
                            next.play_unchecked(&setup, action);
                            next.key()
                        })
                        .collect();
                    let count = keys.len();
                    keys.sort_unstable();
                    keys.dedup();
                    assert_eq!(keys.len(), count);
                }
                before = Some(*state);
            });
        }
    }
}
