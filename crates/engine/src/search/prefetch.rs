//! Asking for memory before it is needed: a tree of some seconds is much larger than the processor's
//! cache, and an iteration goes through some twenty of its nodes.

/// Asks the processor to load the first lines of memory from this address on into its cache, without waiting for them.
#[inline(always)]
pub(super) fn prefetch<T>(first: *const T) {
    const LINE: usize = 64;
    const LINES: usize = 3;
    #[cfg(target_arch = "x86_64")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(
            unsafe_code,
            reason = "every x86-64 processor has the instruction, and it only gives a hint"
        )]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(first.cast::<i8>().wrapping_add(line * LINE));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, LINE, LINES);
}
