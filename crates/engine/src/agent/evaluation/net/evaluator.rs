//! The evaluation of positions by a network.

use std::sync::Arc;

use super::features::{MAX_ON, QuiltFacts, for_each_input};
use super::weights::{INPUT_ROWS, NO_INPUT, Net, ONE, WEIGHT_BITS};
use super::{FIRST_UNITS, POINTS};
use crate::agent::evaluation::position_estimate::certain_margin;
use crate::board::Quilt;
use crate::board::patterns::for_each_pattern;
use crate::game::{Player, Setup, State};

/// Evaluates positions, and remembers what it computed for quilts.
#[derive(Clone, Debug)]
pub struct Evaluator {
    net: Arc<Net>,
    /// What is known of quilts, by a hash of the quilt; newer entries replace older ones. A table for each player, so that
    /// both quilts of a position have an entry.
    quilts: [Box<[KnownQuilt]>; 2],
}

impl Evaluator {
    /// An evaluator that has not seen any quilt.
    pub fn new(net: Arc<Net>) -> Self {
        // All entries are right from the start.
        let empty = KnownQuilt {
            quilt: Quilt::EMPTY,
            facts: QuiltFacts::of(Quilt::EMPTY),
            sums: plain::fill(&net, Quilt::EMPTY),
        };
        Self {
            net,
            quilts: [empty; 2].map(|empty| vec![empty; 1 << TABLE_BITS].into_boxed_slice()),
        }
    }

    /// The expected final margin of the first player, in points. For a finished game, its margin.
    pub fn margin(&mut self, setup: &Setup, state: &State) -> f32 {
        let certain = certain_margin(state);
        if state.spaces_left() == 0 {
            return certain;
        }
        let more = self.gain(setup, state);
        match state.mover() {
            Player::First => certain + more,
            Player::Second => certain - more,
        }
    }

    /// The gain that the mover expects beyond the certain margin, computed with the widest registers that
    /// this processor supports.
    #[inline]
    fn gain(&mut self, setup: &Setup, state: &State) -> f32 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            #[allow(unsafe_code, reason = "the features were detected just now")]
            return unsafe { self.gain_avx2(setup, state) };
        }
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        use plain as widest;
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        use simd128 as widest;
        self.gain_by(setup, state, widest::fill, widest::output)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn gain_avx2(&mut self, setup: &Setup, state: &State) -> f32 {
        self.gain_by(
            setup,
            state,
            |net, quilt| avx2::fill(net, quilt),
            |net, sums, inputs| avx2::output(net, sums, inputs),
        )
    }

    #[inline(always)]
    fn gain_by(
        &mut self,
        setup: &Setup,
        state: &State,
        fill: impl Fn(&Net, Quilt) -> QuiltSums,
        output: impl Fn(&Net, [&FirstSums; 2], &[u16; MAX_ON]) -> i32,
    ) -> f32 {
        let net = &*self.net;
        let mover = state.mover();
        let [first, second] = &mut self.quilts;
        let (mine, theirs) = match mover {
            Player::First => (first, second),
            Player::Second => (second, first),
        };
        let mine = entry_of(mine, state.quilt(mover), |quilt| fill(net, quilt));
        let theirs = entry_of(theirs, state.quilt(mover.other()), |quilt| fill(net, quilt));
        let mut inputs = [NO_INPUT as u16; MAX_ON];
        let mut count = 0;
        for_each_input(
            setup,
            state,
            [&mut mine.facts, &mut theirs.facts],
            |input| {
                inputs[count] = input as u16;
                count += 1;
            },
        );
        let output = output(net, [&mine.sums[0], &theirs.sums[1]], &inputs);
        output as f32 * (POINTS / (ONE << WEIGHT_BITS) as f32)
    }
}

/// Sums of the first layer.
type FirstSums = [i16; FIRST_UNITS];
/// The contribution of a quilt to the first layer, as the mover's quilt and as the opponent's.
type QuiltSums = [FirstSums; 2];

/// The layers as loops, for every processor.
mod plain {
    use super::*;

    /// Turns sums into the values of units, from 0 to 1.
    fn clip<const N: usize>(sums: [i16; N]) -> [i16; N] {
        sums.map(|sum| sum.clamp(0, ONE as i16))
    }

    fn add<const N: usize>(sums: &mut [i16; N], weights: &[i16; N]) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum = sum.saturating_add(*weight);
        }
    }

    /// Cannot overflow: units are at most 1024 and there are at most 32.
    fn layer<const N: usize>(units: &[i16], weights: &[[[i16; 2]; N]]) -> [i32; N] {
        let mut sums = [0; N];
        for (units, weights) in units.as_chunks::<2>().0.iter().zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let products = units.iter().zip(weights);
                *sum += products
                    .map(|(&unit, &weight)| i32::from(unit) * i32::from(weight))
                    .sum::<i32>();
            }
        }
        sums
    }

    pub(super) fn fill(net: &Net, quilt: Quilt) -> QuiltSums {
        let mut units = net.quilt_bias;
        for_each_pattern(quilt, |pattern| add(&mut units, &net.patterns[pattern]));
        let sums = layer(&clip(units), &net.quilts[..]).map(|sum| {
            let sum = sum >> WEIGHT_BITS;
            sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        });
        let (mine, theirs) = sums.split_at(FIRST_UNITS);
        [mine, theirs].map(|part| std::array::from_fn(|unit| part[unit]))
    }

    #[cfg_attr(
        all(target_arch = "wasm32", target_feature = "simd128"),
        expect(dead_code, reason = "the registers are known at compile time")
    )]
    pub(super) fn output(
        net: &Net,
        [mine, theirs]: [&FirstSums; 2],
        inputs: &[u16; MAX_ON],
    ) -> i32 {
        let mut units = net.first_bias;
        add(&mut units, mine);
        add(&mut units, theirs);
        for &input in inputs {
            add(&mut units, &net.inputs[usize::from(input) % INPUT_ROWS]);
        }
        let mut output = i32::from(net.output_bias) << WEIGHT_BITS;
        let sums = layer(&clip(units), &net.second);
        for ((sum, bias), weight) in sums.iter().zip(net.second_bias).zip(net.output) {
            output += (bias + (sum >> WEIGHT_BITS)).clamp(0, ONE) * weight;
        }
        output
    }
}

/// The layers in wide registers, which the compiler does not find by itself, by the instructions that a module has names for:
/// the numbers of 16 and of 32 bits in a register, and the attributes of functions.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! wide_layers {
    ($words:literal $numbers:literal $(#[$attribute:meta])*) => {
        use std::array::from_fn;

        use super::*;

        #[allow(unsafe_code, reason = "the load is of a whole array without alignment")]
        $(#[$attribute])*
        fn load<T: Copy, const N: usize>(values: &[T; N]) -> Register {
            const { assert!(size_of::<[T; N]>() == size_of::<Register>()) };
            unsafe {
                std::ptr::from_ref(values)
                    .cast::<Register>()
                    .read_unaligned()
            }
        }

        #[allow(unsafe_code, reason = "integers of the same size as a register")]
        $(#[$attribute])*
        fn words<T: Copy, const N: usize>(register: Register) -> [T; N] {
            const { assert!(size_of::<[T; N]>() == size_of::<Register>()) };
            unsafe { std::mem::transmute_copy(&register) }
        }

        /// The 32 sums of a layer.
        type SumRegisters = [Register; 32 / $words];

        $(#[$attribute])*
        fn load_sums(sums: &[i16; 32]) -> SumRegisters {
            let (parts, _) = sums.as_chunks::<$words>();
            from_fn(|i| load(&parts[i]))
        }

        $(#[$attribute])*
        fn add(sums: &mut SumRegisters, weights: &[i16; 32]) {
            for (sum, weights) in sums.iter_mut().zip(load_sums(weights)) {
                *sum = add_words(*sum, weights);
            }
        }

        /// The next layer's sums. Each number of the clipped units is a pair of units.
        $(#[$attribute])*
        fn layer<const N: usize, const REGISTERS: usize>(
            sums: SumRegisters,
            weights: &[[[i16; 2]; N]; 16],
        ) -> [Register; REGISTERS] {
            const { assert!(N == $numbers * REGISTERS) };
            let (zero, one) = (splat_words(0), splat_words(ONE as i16));
            let mut next = [zero; REGISTERS];
            for (sums, weights) in sums.into_iter().zip(weights.as_chunks::<$numbers>().0) {
                let pairs: [i32; $numbers] = words(min_words(max_words(sums, zero), one));
                for (pair, weights) in pairs.into_iter().zip(weights) {
                    let pair = splat(pair);
                    let (weights, _) = weights.as_chunks::<$numbers>();
                    for (sum, weights) in next.iter_mut().zip(weights) {
                        *sum = add_numbers(*sum, multiply_pairs(pair, load(weights)));
                    }
                }
            }
            next
        }

        $(#[$attribute])*
        pub(super) fn fill(net: &Net, quilt: Quilt) -> QuiltSums {
            let mut units = load_sums(&net.quilt_bias);
            for_each_pattern(quilt, |pattern| add(&mut units, &net.patterns[pattern]));
            let sums: [Register; 2 * FIRST_UNITS / $numbers] = layer(units, &net.quilts);
            let sums = sums.map(|sums| without_fraction(sums));
            let packed = |i: usize| -> [i16; $words] { words(narrow(sums[i], sums[i + 1])) };
            let parts: [[i16; $words]; 2 * FIRST_UNITS / $words] = from_fn(|i| packed(2 * i));
            let half = |i: usize| from_fn(|unit| parts[i + unit / $words][unit % $words]);
            [half(0), half(FIRST_UNITS / $words)]
        }

        $(#[$attribute])*
        pub(super) fn output(
            net: &Net,
            [mine, theirs]: [&FirstSums; 2],
            inputs: &[u16; MAX_ON],
        ) -> i32 {
            let mut units = load_sums(&net.first_bias);
            add(&mut units, mine);
            add(&mut units, theirs);
            const { assert!(MAX_ON % 7 == 0) };
            for seven in inputs.as_chunks::<7>().0 {
                for &input in seven {
                    add(&mut units, &net.inputs[usize::from(input) % INPUT_ROWS]);
                }
            }
            let sums: [Register; super::super::SECOND_UNITS / $numbers] = layer(units, &net.second);
            let (zero, one) = (splat(0), splat(ONE));
            let (biases, _) = net.second_bias.as_chunks::<$numbers>();
            let (weights, _) = net.output.as_chunks::<$numbers>();
            let mut output = zero;
            for ((sums, bias), weights) in sums.into_iter().zip(biases).zip(weights) {
                let sums = add_numbers(without_fraction(sums), load(bias));
                let units = min(max(sums, zero), one);
                output = add_numbers(output, multiply(units, load(weights)));
            }
            let output: [i32; $numbers] = words(output);
            (i32::from(net.output_bias) << WEIGHT_BITS) + output.iter().sum::<i32>()
        }
    };
}

/// The layers in registers of 256 bits.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i as Register, _mm256_add_epi32 as add_numbers, _mm256_adds_epi16 as add_words,
        _mm256_madd_epi16 as multiply_pairs, _mm256_max_epi16 as max_words,
        _mm256_max_epi32 as max, _mm256_min_epi16 as min_words, _mm256_min_epi32 as min,
        _mm256_mullo_epi32 as multiply, _mm256_set1_epi16 as splat_words,
        _mm256_set1_epi32 as splat, *,
    };

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn without_fraction(sums: Register) -> Register {
        _mm256_srai_epi32::<{ WEIGHT_BITS as i32 }>(sums)
    }

    /// Packing saturates, and takes the halves of both registers in turns.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn narrow(one: Register, two: Register) -> Register {
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(one, two))
    }

    wide_layers! { 16 8 #[inline] #[target_feature(enable = "avx2,popcnt")] }
}

/// The layers in registers of WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_add_sat as add_words, i16x8_max as max_words, i16x8_min as min_words,
        i16x8_narrow_i32x4 as narrow, i16x8_splat as splat_words, i32x4_add as add_numbers,
        i32x4_dot_i16x8 as multiply_pairs, i32x4_max as max, i32x4_min as min,
        i32x4_mul as multiply, i32x4_shr, i32x4_splat as splat, v128 as Register,
    };

    #[inline(always)]
    fn without_fraction(sums: Register) -> Register {
        i32x4_shr(sums, WEIGHT_BITS as u32)
    }

    wide_layers! { 8 4 #[inline(always)] }
}

/// A quilt and its contribution to the first layer.
#[derive(Clone, Copy, Debug)]
struct KnownQuilt {
    quilt: Quilt,
    facts: QuiltFacts,
    sums: QuiltSums,
}

/// A table has 2 to this many entries, so that it stays in the cache of a core.
const TABLE_BITS: u32 = 11;

/// The entry of a quilt in a table, filled unless the quilt is known.
#[inline(always)]
fn entry_of(
    table: &mut [KnownQuilt],
    quilt: Quilt,
    fill: impl Fn(Quilt) -> QuiltSums,
) -> &mut KnownQuilt {
    let bits = quilt.bits();
    let folded = bits as u64 ^ (bits >> 64) as u64;
    let hash = (folded ^ folded >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let entry = &mut table[(hash >> (u64::BITS - TABLE_BITS)) as usize];
    if entry.quilt != quilt {
        *entry = KnownQuilt {
            quilt,
            facts: QuiltFacts::of(quilt),
            sums: fill(quilt),
        };
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::evaluation::net::tests::random_net;
    use crate::testing::random_games;

    #[test]
    fn wide_registers_compute_the_same_bits() {
        let mut loops = Evaluator::new(Arc::new(random_net()));
        let mut widest = loops.clone();
        random_games(20, |setup, state| {
            let expected = loops.gain_by(setup, state, plain::fill, plain::output);
            assert_eq!(widest.gain(setup, state).to_bits(), expected.to_bits());
            for (loops, widest) in loops.quilts.iter().zip(&widest.quilts) {
                let both = loops.iter().zip(widest);
                both.for_each(|(loops, widest)| assert_eq!(loops.sums, widest.sums));
            }
        });
    }
}
