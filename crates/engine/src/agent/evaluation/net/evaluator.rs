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

/// The layers in registers of 256 bits, which the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;
    use std::array::from_fn;

    use super::*;

    #[allow(
        unsafe_code,
        reason = "the loads and stores are of whole arrays without alignment"
    )]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn load<T: Copy, const N: usize>(values: &[T; N]) -> __m256i {
        const { assert!(size_of::<[T; N]>() == size_of::<__m256i>()) };
        unsafe { _mm256_loadu_si256(std::ptr::from_ref(values).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    #[allow(unsafe_code, reason = "integers of the same size as a register")]
    fn words<T: Copy, const N: usize>(register: __m256i) -> [T; N] {
        const { assert!(size_of::<[T; N]>() == size_of::<__m256i>()) };
        unsafe { std::mem::transmute_copy(&register) }
    }

    /// The 32 sums of a layer, in two registers.
    type SumRegisters = [__m256i; 2];

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn load_sums(sums: &[i16; 32]) -> SumRegisters {
        let (halves, _) = sums.as_chunks::<16>();
        [load(&halves[0]), load(&halves[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn add(sums: &mut SumRegisters, weights: &[i16; 32]) {
        let [low, high] = load_sums(weights);
        *sums = [
            _mm256_adds_epi16(sums[0], low),
            _mm256_adds_epi16(sums[1], high),
        ];
    }

    /// The next layer's sums, eight in a register. Each number of the clipped units is a pair of units.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn layer<const N: usize, const REGISTERS: usize>(
        sums: SumRegisters,
        weights: &[[[i16; 2]; N]; 16],
    ) -> [__m256i; REGISTERS] {
        const { assert!(N == 8 * REGISTERS) };
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE as i16));
        let mut next = [zero; REGISTERS];
        for (sums, weights) in sums.into_iter().zip(weights.as_chunks::<8>().0) {
            let units = _mm256_min_epi16(_mm256_max_epi16(sums, zero), one);
            let pairs: [i32; 8] = words(units);
            for (pair, weights) in pairs.into_iter().zip(weights) {
                let pair = _mm256_set1_epi32(pair);
                let (weights, _) = weights.as_chunks::<8>();
                for (sum, weights) in next.iter_mut().zip(weights) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, load(weights)));
                }
            }
        }
        next
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn fill(net: &Net, quilt: Quilt) -> QuiltSums {
        let mut units = load_sums(&net.quilt_bias);
        for_each_pattern(quilt, |pattern| add(&mut units, &net.patterns[pattern]));
        let sums: [__m256i; 8] = layer(units, &net.quilts);
        let sums = sums.map(|sums| _mm256_srai_epi32::<{ WEIGHT_BITS as i32 }>(sums));
        // Packing saturates, and takes the halves of both registers in turns.
        let packed = |i: usize| -> [i16; 16] {
            let packed = _mm256_packs_epi32(sums[i], sums[i + 1]);
            words(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
        };
        let quarters: [[i16; 16]; 4] = from_fn(|i| packed(2 * i));
        let half = |i: usize| from_fn(|unit| quarters[i + unit / 16][unit % 16]);
        [half(0), half(2)]
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn output(
        net: &Net,
        [mine, theirs]: [&FirstSums; 2],
        inputs: &[u16; MAX_ON],
    ) -> i32 {
        let mut units = load_sums(&net.first_bias);
        add(&mut units, mine);
        add(&mut units, theirs);
        let (sevens, rest) = inputs.as_chunks::<7>();
        for seven in sevens {
            for &input in seven {
                add(&mut units, &net.inputs[usize::from(input) % INPUT_ROWS]);
            }
        }
        for &input in rest {
            add(&mut units, &net.inputs[usize::from(input) % INPUT_ROWS]);
        }
        let sums: [__m256i; 2] = layer(units, &net.second);
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi32(ONE));
        let (biases, _) = net.second_bias.as_chunks::<8>();
        let (weights, _) = net.output.as_chunks::<8>();
        let mut output = zero;
        for ((sums, bias), weights) in sums.into_iter().zip(biases).zip(weights) {
            let sums = _mm256_srai_epi32::<{ WEIGHT_BITS as i32 }>(sums);
            let sums = _mm256_add_epi32(sums, load(bias));
            let units = _mm256_min_epi32(_mm256_max_epi32(sums, zero), one);
            output = _mm256_add_epi32(output, _mm256_mullo_epi32(units, load(weights)));
        }
        let output: [i32; 8] = words(output);
        (i32::from(net.output_bias) << WEIGHT_BITS) + output.iter().sum::<i32>()
    }
}

/// The layers in registers of WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::*;
    use std::array::from_fn;

    use super::*;

    #[inline(always)]
    #[allow(unsafe_code, reason = "the load is of a whole array without alignment")]
    fn load<T: Copy, const N: usize>(values: &[T; N]) -> v128 {
        const { assert!(size_of::<[T; N]>() == size_of::<v128>()) };
        unsafe { v128_load(std::ptr::from_ref(values).cast()) }
    }

    #[inline(always)]
    #[allow(unsafe_code, reason = "integers of the same size as a register")]
    fn words<T: Copy, const N: usize>(register: v128) -> [T; N] {
        const { assert!(size_of::<[T; N]>() == size_of::<v128>()) };
        unsafe { std::mem::transmute_copy(&register) }
    }

    /// The 32 sums of a layer, in four registers.
    type FourRegisters = [v128; 4];

    #[inline(always)]
    fn load_sums(sums: &[i16; 32]) -> FourRegisters {
        let (quarters, _) = sums.as_chunks::<8>();
        from_fn(|i| load(&quarters[i]))
    }

    #[inline(always)]
    fn add(sums: &mut FourRegisters, weights: &[i16; 32]) {
        let weights = load_sums(weights);
        *sums = from_fn(|i| i16x8_add_sat(sums[i], weights[i]));
    }

    /// The next layer's sums, four in a register. Each number of the clipped units is a pair of units.
    #[inline(always)]
    fn layer<const N: usize, const REGISTERS: usize>(
        sums: FourRegisters,
        weights: &[[[i16; 2]; N]; 16],
    ) -> [v128; REGISTERS] {
        const { assert!(N == 4 * REGISTERS) };
        let (zero, one) = (i16x8_splat(0), i16x8_splat(ONE as i16));
        let mut next = [zero; REGISTERS];
        for (sums, weights) in sums.into_iter().zip(weights.as_chunks::<4>().0) {
            let units = i16x8_min(i16x8_max(sums, zero), one);
            let pairs: [i32; 4] = words(units);
            for (pair, weights) in pairs.into_iter().zip(weights) {
                let pair = i32x4_splat(pair);
                let (weights, _) = weights.as_chunks::<4>();
                for (sum, weights) in next.iter_mut().zip(weights) {
                    *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, load(weights)));
                }
            }
        }
        next
    }

    #[inline(always)]
    pub(super) fn fill(net: &Net, quilt: Quilt) -> QuiltSums {
        let mut units = load_sums(&net.quilt_bias);
        for_each_pattern(quilt, |pattern| add(&mut units, &net.patterns[pattern]));
        let sums: [v128; 16] = layer(units, &net.quilts);
        let sums = sums.map(|sums| i32x4_shr(sums, WEIGHT_BITS as u32));
        // Narrowing saturates.
        let eighths: [[i16; 8]; 8] =
            from_fn(|i| words(i16x8_narrow_i32x4(sums[2 * i], sums[2 * i + 1])));
        let half = |i: usize| from_fn(|unit| eighths[i + unit / 8][unit % 8]);
        [half(0), half(4)]
    }

    #[inline(always)]
    pub(super) fn output(
        net: &Net,
        [mine, theirs]: [&FirstSums; 2],
        inputs: &[u16; MAX_ON],
    ) -> i32 {
        let mut units = load_sums(&net.first_bias);
        add(&mut units, mine);
        add(&mut units, theirs);
        for &input in inputs {
            add(&mut units, &net.inputs[usize::from(input) % INPUT_ROWS]);
        }
        let sums: [v128; 4] = layer(units, &net.second);
        let (zero, one) = (i32x4_splat(0), i32x4_splat(ONE));
        let (biases, _) = net.second_bias.as_chunks::<4>();
        let (weights, _) = net.output.as_chunks::<4>();
        let mut output = zero;
        for ((sums, bias), weights) in sums.into_iter().zip(biases).zip(weights) {
            let sums = i32x4_add(i32x4_shr(sums, WEIGHT_BITS as u32), load(bias));
            let units = i32x4_min(i32x4_max(sums, zero), one);
            output = i32x4_add(output, i32x4_mul(units, load(weights)));
        }
        let output: [i32; 4] = words(output);
        (i32::from(net.output_bias) << WEIGHT_BITS) + output.iter().sum::<i32>()
    }
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
