//! The same word of several boards in one register.

/// Words of `N` boards; every operation applies to all of them at once.
pub(crate) trait Lanes<const N: usize>: Copy {
    const ZERO: Self;

    fn new(words: [u64; N]) -> Self;

    fn words(self) -> [u64; N];

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn xor(self, other: Self) -> Self;

    /// Squares in this one and not in the other.
    fn without(self, other: Self) -> Self;

    /// Each word shifted towards bit 0.
    fn down(self, distance: u32) -> Self;

    /// Each word shifted away from bit 0.
    fn up(self, distance: u32) -> Self;
}

/// Declares methods by what they return. Code for wider registers must be inlined.
macro_rules! methods {
    ($($name:ident($this:pat_param $(, $other:ident: $type:ty)?) -> $result:ty $value:block)*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: $type)?) -> $result {
            let $this = self;
            $value
        }
    )*};
}

/// One board; works on every processor.
impl Lanes<1> for u64 {
    const ZERO: Self = 0;

    #[inline(always)]
    fn new([word]: [u64; 1]) -> Self {
        word
    }

    methods! {
        words(a) -> [u64; 1] { [a] }
        and(a, b: Self) -> Self { a & b }
        or(a, b: Self) -> Self { a | b }
        xor(a, b: Self) -> Self { a ^ b }
        without(a, b: Self) -> Self { a & !b }
        down(a, distance: u32) -> Self { a >> distance }
        up(a, distance: u32) -> Self { a << distance }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    reason = "the compiler does not find these instructions by itself in code of this length; \
              whoever uses the registers says that the processor has them"
)]
mod x86 {
    use std::arch::x86_64::*;
    use std::mem::transmute;

    use super::Lanes;

    /// Implements lanes with one instruction per operation.
    macro_rules! register {
        ($name:ident, $register:ty, $lanes:literal, $and:ident $or:ident $xor:ident
            $without:ident $down:ident $up:ident) => {
            impl Lanes<$lanes> for $name {
                // Safety: a register has the same bits as its words, in the same order.
                const ZERO: Self =
                    Self(unsafe { transmute::<[u64; $lanes], $register>([0; $lanes]) });

                #[inline(always)]
                fn new(words: [u64; $lanes]) -> Self {
                    // Safety: as above.
                    Self(unsafe { transmute::<[u64; $lanes], $register>(words) })
                }

                // Safety of all methods: a register has the bits of its words, and the processor supports the
                // instructions, as the documentation of the types requires.
                methods! {
                    words(a) -> [u64; $lanes] { unsafe { transmute::<$register, [u64; $lanes]>(a.0) } }
                    and(a, b: Self) -> Self { Self(unsafe { $and(a.0, b.0) }) }
                    or(a, b: Self) -> Self { Self(unsafe { $or(a.0, b.0) }) }
                    xor(a, b: Self) -> Self { Self(unsafe { $xor(a.0, b.0) }) }
                    without(a, b: Self) -> Self { Self(unsafe { $without(b.0, a.0) }) }
                    down(a, by: u32) -> Self { Self(unsafe { $down(a.0, _mm_cvtsi32_si128(by as i32)) }) }
                    up(a, by: u32) -> Self { Self(unsafe { $up(a.0, _mm_cvtsi32_si128(by as i32)) }) }
                }
            }
        };
    }

    /// Two boards; works on every x86-64 processor.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Sse2(__m128i);

    /// Four boards; must only be used in functions with the target feature `avx2`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(__m256i);

    register!(Sse2, __m128i, 2, _mm_and_si128 _mm_or_si128 _mm_xor_si128 _mm_andnot_si128
        _mm_srl_epi64 _mm_sll_epi64);
    register!(Avx2, __m256i, 4, _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256
        _mm256_andnot_si256 _mm256_srl_epi64 _mm256_sll_epi64);

    /// Eight words, as two registers of AVX2 or one of AVX-512.
    pub(crate) trait Eight: Lanes<8> {
        /// The number of bits of each word.
        fn counts(self) -> [u8; 8];

        /// Each word shifted towards bit 0 by its own distance, below 64. What comes in at the other end is undefined.
        fn down_each(self, distances: Self) -> Self;

        /// The squares of all words together, of this one and of the other.
        fn unions(self, other: Self) -> [u64; 2];

        /// The words that are not empty: bit `i` for word `i`.
        fn filled(self) -> u8;
    }

    impl Lanes<8> for [Avx2; 2] {
        const ZERO: Self = [Avx2::ZERO; 2];

        #[inline(always)]
        fn new([a, b, c, d, e, f, g, h]: [u64; 8]) -> Self {
            [Avx2::new([a, b, c, d]), Avx2::new([e, f, g, h])]
        }

        methods! {
            words(both) -> [u64; 8] {
                let [[a, b, c, d], [e, f, g, h]] = both.map(Avx2::words);
                [a, b, c, d, e, f, g, h]
            }
            and([a, b], other: Self) -> Self { [a.and(other[0]), b.and(other[1])] }
            or([a, b], other: Self) -> Self { [a.or(other[0]), b.or(other[1])] }
            xor([a, b], other: Self) -> Self { [a.xor(other[0]), b.xor(other[1])] }
            without([a, b], other: Self) -> Self { [a.without(other[0]), b.without(other[1])] }
            down(both, by: u32) -> Self { both.map(|half| half.down(by)) }
            up(both, by: u32) -> Self { both.map(|half| half.up(by)) }
        }
    }

    // Safety of all methods: as for the lanes.
    impl Eight for [Avx2; 2] {
        methods! {
            counts(both) -> [u8; 8] { both.words().map(|word| word.count_ones() as u8) }
            down_each([a, b], by: Self) -> Self {
                // The mask tells the compiler that no distance is larger.
                let by = by.map(|by| by.and(Avx2::new([63; 4])));
                let down = |a: Avx2, by: Avx2| Avx2(unsafe { _mm256_srlv_epi64(a.0, by.0) });
                [down(a, by[0]), down(b, by[1])]
            }
            unions([a, b], other: Self) -> [u64; 2] {
                let (a, b) = (a.or(b).0, other[0].or(other[1]).0);
                unsafe {
                    let low = _mm256_unpacklo_epi64(a, b);
                    let pairs = _mm256_or_si256(low, _mm256_unpackhi_epi64(a, b));
                    let upper = _mm256_extracti128_si256::<1>(pairs);
                    let both = _mm_or_si128(_mm256_castsi256_si128(pairs), upper);
                    transmute::<__m128i, [u64; 2]>(both)
                }
            }
            filled(both) -> u8 {
                let [low, high] = both.map(|half| unsafe {
                    let empty = _mm256_cmpeq_epi64(half.0, _mm256_setzero_si256());
                    _mm256_movemask_pd(_mm256_castsi256_pd(empty))
                });
                !(low | high << 4) as u8
            }
        }
    }

    /// Eight words; must only be used in functions with the target features `avx512vl` and `avx512vpopcntdq`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(__m512i);

    register!(Avx512, __m512i, 8, _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512
        _mm512_andnot_si512 _mm512_srl_epi64 _mm512_sll_epi64);

    impl Eight for Avx512 {
        methods! {
            counts(a) -> [u8; 8] {
                let counts = unsafe { _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(a.0)) };
                (unsafe { _mm_cvtsi128_si64(counts) }).to_le_bytes()
            }
            // The compiler knows that every distance is allowed.
            down_each(a, by: Self) -> Self { Self(unsafe { _mm512_rorv_epi64(a.0, by.0) }) }
            unions(a, b: Self) -> [u64; 2] {
                [a, b].map(|all| unsafe { _mm512_reduce_or_epi64(all.0) } as u64)
            }
            filled(a) -> u8 { unsafe { _mm512_test_epi64_mask(a.0, a.0) } }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512, Eight, Sse2};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::*;

    use super::Lanes;

    /// Two boards in a register of WebAssembly.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Simd128(v128);

    impl Lanes<2> for Simd128 {
        const ZERO: Self = Self(u64x2(0, 0));

        #[inline(always)]
        fn new([low, high]: [u64; 2]) -> Self {
            Self(u64x2(low, high))
        }

        methods! {
            words(a) -> [u64; 2] { [u64x2_extract_lane::<0>(a.0), u64x2_extract_lane::<1>(a.0)] }
            and(a, b: Self) -> Self { Self(v128_and(a.0, b.0)) }
            or(a, b: Self) -> Self { Self(v128_or(a.0, b.0)) }
            xor(a, b: Self) -> Self { Self(v128_xor(a.0, b.0)) }
            without(a, b: Self) -> Self { Self(v128_andnot(a.0, b.0)) }
            down(a, distance: u32) -> Self { Self(u64x2_shr(a.0, distance)) }
            up(a, distance: u32) -> Self { Self(u64x2_shl(a.0, distance)) }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::Simd128;
