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

/// One board; works on every processor.
impl Lanes<1> for u64 {
    const ZERO: Self = 0;

    #[inline(always)]
    fn new([word]: [u64; 1]) -> Self {
        word
    }

    #[inline(always)]
    fn words(self) -> [u64; 1] {
        [self]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn down(self, distance: u32) -> Self {
        self >> distance
    }

    #[inline(always)]
    fn up(self, distance: u32) -> Self {
        self << distance
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

                #[inline(always)]
                fn words(self) -> [u64; $lanes] {
                    // Safety: as above.
                    unsafe { transmute::<$register, [u64; $lanes]>(self.0) }
                }

                // Safety of all methods: the processor supports the instructions, as the
                // documentation of the types requires.
                #[inline(always)]
                fn and(self, other: Self) -> Self {
                    Self(unsafe { $and(self.0, other.0) })
                }

                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    Self(unsafe { $or(self.0, other.0) })
                }

                #[inline(always)]
                fn xor(self, other: Self) -> Self {
                    Self(unsafe { $xor(self.0, other.0) })
                }

                #[inline(always)]
                fn without(self, other: Self) -> Self {
                    Self(unsafe { $without(other.0, self.0) })
                }

                #[inline(always)]
                fn down(self, distance: u32) -> Self {
                    Self(unsafe { $down(self.0, _mm_cvtsi32_si128(distance as i32)) })
                }

                #[inline(always)]
                fn up(self, distance: u32) -> Self {
                    Self(unsafe { $up(self.0, _mm_cvtsi32_si128(distance as i32)) })
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

    /// Eight boards; must only be used in functions with the target features `avx512f` and `avx512vpopcntdq`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(__m512i);

    impl Avx512 {
        #[inline(always)]
        pub(crate) fn new(words: [u64; 8]) -> Self {
            // Safety: a register has the same bits as its words, in the same order.
            Self(unsafe { transmute::<[u64; 8], __m512i>(words) })
        }

        #[inline(always)]
        pub(crate) fn words(self) -> [u64; 8] {
            // Safety: as above.
            unsafe { transmute::<__m512i, [u64; 8]>(self.0) }
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Self) -> Self {
            // Safety: the processor supports the instructions, as the documentation of the type requires.
            Self(unsafe { _mm512_and_si512(self.0, other.0) })
        }

        /// Each word moved down by a distance of its own, below 64.
        #[inline(always)]
        pub(crate) fn down_each(self, distances: [u8; 8]) -> Self {
            let distances = i64::from_le_bytes(distances);
            // Safety: as above.
            Self(unsafe {
                let distances = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(distances));
                // The mask tells the compiler that no distance is larger.
                let distances = _mm512_and_si512(distances, _mm512_set1_epi64(63));
                _mm512_srlv_epi64(self.0, distances)
            })
        }

        /// The number of squares in each word.
        #[inline(always)]
        pub(crate) fn counts(self) -> [u8; 8] {
            // Safety: as above.
            let counts = unsafe { _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(self.0)) };
            unsafe { _mm_cvtsi128_si64(counts) }.to_le_bytes()
        }
    }

    impl Avx2 {
        /// Each word moved down by a distance of its own, below 64.
        #[inline(always)]
        pub(crate) fn down_each(self, distances: [u8; 4]) -> Self {
            // The mask tells the compiler that no distance is larger.
            let distances = i32::from_le_bytes(distances) & 0x3f3f_3f3f;
            // Safety: as for the other methods.
            Self(unsafe {
                let distances = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(distances));
                _mm256_srlv_epi64(self.0, distances)
            })
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512, Sse2};

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

        #[inline(always)]
        fn words(self) -> [u64; 2] {
            [
                u64x2_extract_lane::<0>(self.0),
                u64x2_extract_lane::<1>(self.0),
            ]
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(v128_andnot(self.0, other.0))
        }

        #[inline(always)]
        fn down(self, distance: u32) -> Self {
            Self(u64x2_shr(self.0, distance))
        }

        #[inline(always)]
        fn up(self, distance: u32) -> Self {
            Self(u64x2_shl(self.0, distance))
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::Simd128;
