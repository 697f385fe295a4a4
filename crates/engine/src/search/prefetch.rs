//! Asking for memory before it is needed: a tree of some seconds is much larger than the processor's
//! cache, and an iteration goes through some twenty of its nodes.

/// Asks the processor to load these elements into its cache, without waiting for them.
#[inline(always)]
pub(super) fn prefetch<T>(elements: &[T]) {
    const LINE: usize = 64;
    #[cfg(target_arch = "x86_64")]
    for at in (0..size_of_val(elements)).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(
            unsafe_code,
            reason = "every x86-64 processor has the instruction, and it only gives a hint"
        )]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(elements.as_ptr().cast::<i8>().wrapping_add(at));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (elements, LINE);
}
