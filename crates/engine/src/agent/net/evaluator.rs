//! The evaluation of positions by a network.

use super::features::{QuiltFacts, for_each_input, for_each_pattern};
use super::weights::{Net, ONE, WEIGHT_BITS};
use super::{FIRST_UNITS, POINTS, QUILT_UNITS};
use crate::agent::position_estimate::certain_margin;
use crate::board::Quilt;
use crate::game::{LAST_SPACE, Player, Setup, State};

/// Evaluates positions, and remembers what it computed for quilts.
#[derive(Clone, Debug)]
pub struct Evaluator {
    net: &'static Net,
    /// One for each player, so that both quilts of a position have an entry.
    quilts: [QuiltTable; 2],
}

impl Evaluator {
    /// An evaluator that has not seen any quilt.
    #[must_use]
    pub fn new(net: &'static Net) -> Self {
        Self {
            net,
            quilts: std::array::from_fn(|_| QuiltTable::new()),
        }
    }

    /// The expected final margin of the first player, in points. For a finished game, its margin.
    #[must_use]
    pub fn margin(&mut self, setup: &Setup, state: &State) -> f32 {
        let certain = certain_margin(state);
        if Player::BOTH.map(|player| state.space(player)) == [LAST_SPACE; 2] {
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
        if has_avx2() {
            #[allow(unsafe_code, reason = "the features were detected just now")]
            return unsafe { self.gain_avx2(setup, state) };
        }
        self.gain_plain(setup, state)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn gain_avx2(&mut self, setup: &Setup, state: &State) -> f32 {
        self.gain_plain(setup, state)
    }

    #[inline(always)]
    fn gain_plain(&mut self, setup: &Setup, state: &State) -> f32 {
        let net = self.net;
        let mover = state.mover();
        let [first, second] = &mut self.quilts;
        let (mine, theirs) = match mover {
            Player::First => (first, second),
            Player::Second => (second, first),
        };
        let mine = mine.entry(net, state.quilt(mover));
        let theirs = theirs.entry(net, state.quilt(mover.other()));
        let mut units = net.first_bias;
        add(&mut units, &mine.sums[0]);
        add(&mut units, &theirs.sums[1]);
        for_each_input(
            setup,
            state,
            [&mut mine.facts, &mut theirs.facts],
            |input| {
                add(&mut units, &net.inputs[input]);
            },
        );
        clip(&mut units);
        let mut output = i32::from(net.output_bias) << WEIGHT_BITS;
        for ((weights, &bias), &weight) in net.second.iter().zip(&net.second_bias).zip(&net.output)
        {
            let sum = i32::from(bias) + (dot(&units, weights) >> WEIGHT_BITS);
            output += sum.clamp(0, ONE) * i32::from(weight);
        }
        output as f32 * (POINTS / (ONE << WEIGHT_BITS) as f32)
    }
}

/// Whether the processor has what `gain_avx2` and `fill_avx2` need.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

// The functions below are loops over slices of a known length, because a closure within a function of the standard
// library is not compiled for the wide registers of its caller.

/// Turns sums into the values of units, from 0 to 1.
#[inline(always)]
fn clip<const N: usize>(sums: &mut [i16; N]) {
    for sum in sums {
        *sum = (*sum).clamp(0, ONE as i16);
    }
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [i16; N], weights: &[i16; N]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.saturating_add(*weight);
    }
}

/// Cannot overflow: units are at most 1024 and there are at most 32.
#[inline(always)]
fn dot<const N: usize>(units: &[i16; N], weights: &[i16; N]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    return dot_sse2(units, weights);
    #[cfg(not(target_arch = "x86_64"))]
    units
        .iter()
        .zip(weights)
        .map(|(unit, weight)| i32::from(*unit) * i32::from(*weight))
        .sum()
}

/// Computes eight products at a time, in registers that every x86-64 processor has; the compiler does not
/// find this form.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn dot_sse2<const N: usize>(units: &[i16; N], weights: &[i16; N]) -> i32 {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_madd_epi16,
        _mm_setzero_si128, _mm_shuffle_epi32,
    };
    const { assert!(N.is_multiple_of(8)) };
    #[allow(
        unsafe_code,
        reason = "every x86-64 processor has SSE2, and the loads are of whole arrays without alignment"
    )]
    unsafe {
        let load = |eight: &[i16; 8]| _mm_loadu_si128(std::ptr::from_ref(eight).cast::<__m128i>());
        let mut sums = _mm_setzero_si128();
        for (units, weights) in units.as_chunks().0.iter().zip(weights.as_chunks().0) {
            sums = _mm_add_epi32(sums, _mm_madd_epi16(load(units), load(weights)));
        }
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b00_00_11_10>(sums));
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b00_00_00_01>(sums));
        _mm_cvtsi128_si32(sums)
    }
}

/// The contributions of quilts to the first layer, by a hash of the quilt; newer entries replace older ones.
#[derive(Clone, Debug)]
struct QuiltTable {
    entries: Box<[KnownQuilt]>,
}

#[derive(Clone, Copy, Debug)]
struct KnownQuilt {
    quilt: Option<Quilt>,
    facts: QuiltFacts,
    /// As the mover's quilt, and as the opponent's.
    sums: [[i16; FIRST_UNITS]; 2],
}

/// A table has 2 to this many entries, so that it stays in the cache of a core.
const TABLE_BITS: u32 = 11;

impl QuiltTable {
    fn new() -> Self {
        let empty = KnownQuilt {
            quilt: None,
            facts: QuiltFacts::of(Quilt::EMPTY),
            sums: [[0; FIRST_UNITS]; 2],
        };
        Self {
            entries: vec![empty; 1 << TABLE_BITS].into_boxed_slice(),
        }
    }

    #[inline(always)]
    fn entry(&mut self, net: &Net, quilt: Quilt) -> &mut KnownQuilt {
        let bits = quilt.bits();
        let folded = bits as u64 ^ (bits >> 64) as u64;
        let hash = (folded ^ folded >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.entries[(hash >> (u64::BITS - TABLE_BITS)) as usize];
        if entry.quilt != Some(quilt) {
            entry.fill(net, quilt);
        }
        entry
    }
}

impl KnownQuilt {
    #[inline(never)]
    fn fill(&mut self, net: &Net, quilt: Quilt) {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            #[allow(unsafe_code, reason = "the features were detected just now")]
            return unsafe { self.fill_avx2(net, quilt) };
        }
        self.fill_plain(net, quilt);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn fill_avx2(&mut self, net: &Net, quilt: Quilt) {
        self.fill_plain(net, quilt);
    }

    #[inline(always)]
    fn fill_plain(&mut self, net: &Net, quilt: Quilt) {
        let mut units: [i16; QUILT_UNITS] = net.quilt_bias;
        for_each_pattern(quilt, |pattern| add(&mut units, &net.patterns[pattern]));
        clip(&mut units);
        self.quilt = Some(quilt);
        self.facts = QuiltFacts::of(quilt);
        for (sums, weights) in self.sums.iter_mut().zip(&net.quilts) {
            for (sum, weights) in sums.iter_mut().zip(weights.iter()) {
                let exact = dot(&units, weights) >> WEIGHT_BITS;
                *sum = exact.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::net::tests::random_net;
    use crate::support::positions::random_games;

    #[test]
    fn wide_registers_compute_the_same_bits() {
        let net: &Net = Box::leak(Box::new(random_net()));
        let (mut plain, mut widest) = (Evaluator::new(net), Evaluator::new(net));
        random_games(20, |setup, state| {
            let expected = plain.gain_plain(setup, state);
            assert_eq!(widest.gain(setup, state).to_bits(), expected.to_bits());
            let quilt = state.quilt(state.mover());
            let mut known = [*plain.quilts[0].entry(net, quilt); 2];
            known[0].fill(net, quilt);
            known[1].fill_plain(net, quilt);
            assert_eq!(known[0].sums, known[1].sums);
        });
    }
}
