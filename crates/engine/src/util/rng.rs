//! Random streams, each derived from numbers that name its purpose.

use rand::{RngExt as _, SeedableRng as _};
use twox_hash::XxHash3_64;

/// The generator behind every random choice.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// The stream of this list of numbers, which is the same on every machine.
///
/// ```
/// use patchwork_engine::util::rng::{below, stream};
///
/// let mut one = stream(&[2026, 7]);
/// let mut same = stream(&[2026, 7]);
/// assert_eq!(below(1_000_000, &mut one), below(1_000_000, &mut same));
/// ```
pub fn stream(purpose: &[u64]) -> Rng {
    Rng::seed_from_u64(hash_words(purpose))
}

/// A 64-bit XXH3 hash of the numbers in little-endian order.
pub fn hash_words(words: &[u64]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    XxHash3_64::oneshot(&bytes)
}

/// A uniform random number below `bound`.
///
/// # Panics
/// When `bound` is 0.
#[inline(always)]
pub fn below(bound: u32, rng: &mut Rng) -> u32 {
    rng.random_range(0..bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform() {
        let mut rng = stream(&[3]);
        for bound in [1, 2, 7, 450] {
            let mut counts = vec![0u32; bound as usize];
            for _ in 0..1000 * bound {
                counts[below(bound, &mut rng) as usize] += 1;
            }
            // Binomial with mean 1000: five standard deviations are about 160.
            assert!(counts.iter().all(|n| n.abs_diff(1000) < 160), "{counts:?}");
        }
    }
}
