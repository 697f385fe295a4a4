//! The memory of a tree: elements with an index, to which several threads can add.
//!
//! The vector can have parts: a part sees all elements of its whole, and adds elements where the whole has handed over
//! memory. So threads that work in different places of one tree need no lock for each element.

#![allow(
    unsafe_code,
    reason = "threads write to different elements of the same memory, which no safe type of the standard library allows"
)]

use std::mem::MaybeUninit;
use std::ops::{Index, IndexMut, Range};
use std::{iter, ptr, slice};

/// A vector of elements, or a part of one.
#[derive(Debug)]
pub(crate) struct SharedVec<T> {
    start: *mut T,
    /// Elements below this index can be read, but for those that were handed over and not written.
    readable: usize,
    /// The place of the next element.
    next: usize,
    /// The end of the memory for further elements.
    end: usize,
    /// The memory from `start` on; `None` in a part.
    memory: Option<Vec<MaybeUninit<T>>>,
}

// SAFETY: a vector owns its elements, and whoever makes a part promises that threads do not use the same elements.
unsafe impl<T: Send> Send for SharedVec<T> {}
// SAFETY: a shared reference to a vector only reads.
unsafe impl<T: Sync> Sync for SharedVec<T> {}

impl<T: Copy> SharedVec<T> {
    pub(crate) const fn new() -> Self {
        Self {
            start: ptr::dangling_mut(),
            readable: 0,
            next: 0,
            end: 0,
            memory: Some(Vec::new()),
        }
    }

    /// The number of elements, including those that parts have not used.
    pub(crate) const fn len(&self) -> usize {
        self.next
    }

    /// How many elements there is memory for.
    pub(crate) const fn capacity(&self) -> usize {
        self.end
    }

    /// How many elements can be added without more memory.
    pub(crate) const fn room(&self) -> usize {
        self.end - self.next
    }

    /// Whether this many elements can be added, which is always so except in a part.
    pub(crate) const fn fits(&self, count: usize) -> bool {
        self.memory.is_some() || count <= self.room()
    }

    pub(crate) const fn clear(&mut self) {
        (self.next, self.readable) = (0, 0);
    }

    /// Allocates memory for this many elements in all.
    ///
    /// # Panics
    /// When it is a part without memory for them.
    pub(crate) fn reserve(&mut self, capacity: usize) {
        if capacity > self.end {
            let memory = self.memory.as_mut();
            let memory = memory.expect("the memory of a part is that of its vector");
            // SAFETY: the elements may be uninitialised, and `next` is at most the capacity.
            unsafe { memory.set_len(self.next) };
            memory.reserve_exact(capacity - self.next);
            self.start = memory.as_mut_ptr().cast();
            self.end = memory.capacity();
        }
    }

    /// Allocates memory for this many further elements. If there is not enough, it is at least doubled, and enough for
    /// `least` elements in all.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, count: usize, least: usize) {
        if count > self.room() {
            self.reserve(least.max(self.next + count).max(2 * self.end));
        }
    }

    /// Adds an element.
    #[inline(always)]
    pub(crate) fn push(&mut self, element: T) {
        self.extend(iter::once(element));
    }

    /// Adds elements next to each other.
    #[inline(always)]
    pub(crate) fn extend(&mut self, elements: impl ExactSizeIterator<Item = T>) {
        let count = elements.len();
        if count > self.room() {
            self.make_room(count, 4);
        }
        // Local variables stay in registers.
        let (start, mut next) = (self.start, self.next);
        for element in elements.take(count) {
            // SAFETY: there is memory for `count` elements from the next one on.
            unsafe { start.add(next).write(element) };
            next += 1;
        }
        self.next = next;
        self.readable = self.readable.max(next);
    }

    /// Adds copies of these elements.
    pub(crate) fn extend_from_within(&mut self, elements: Range<usize>) {
        for i in elements {
            self.push(self[i]);
        }
    }

    #[inline(always)]
    pub(crate) fn slice(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.readable);
        // SAFETY: the elements can be read.
        unsafe { slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }

    #[inline(always)]
    pub(crate) fn slice_mut(&mut self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.readable);
        // SAFETY: the elements can be read, and the vector is borrowed.
        unsafe { slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// A part without room.
    ///
    /// # Safety
    /// While the part is used, the vector must live and not allocate. Of what was handed over, only elements that were written may
    /// be read. No two threads may use an element at the same time if one of them writes it.
    pub(crate) const unsafe fn part(&self) -> Self {
        Self {
            start: self.start,
            readable: self.end,
            next: 0,
            end: 0,
            memory: None,
        }
    }

    /// Hands the next elements over to a part. What the part had not used stays without use.
    ///
    /// # Panics
    /// When there is not enough memory.
    pub(crate) fn hand_over(&mut self, count: usize, part: &mut Self) {
        assert!(count <= self.room());
        part.next = self.next;
        self.next += count;
        part.end = self.next;
        self.readable = self.next;
    }

    /// Takes back what a part has not used. It is added to again if nothing comes behind it; otherwise it stays without
    /// use.
    pub(crate) fn take_back(&mut self, part: Self) {
        if part.end == self.next {
            (self.next, self.readable) = (part.next, part.next);
        }
    }

    /// Asks the processor to load the first lines of memory from this element on, which need not exist, into its cache, without
    /// waiting for them: a tree of some seconds is much larger than the processor's cache, and an iteration goes through some
    /// twenty of its nodes.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        let first = self.start.wrapping_add(index);
        #[cfg(target_arch = "x86_64")]
        for line in 0..3 {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every x86-64 processor has the instruction, and it only gives a hint.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.cast::<i8>().wrapping_add(64 * line)) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = first;
    }
}

impl<T> Index<usize> for SharedVec<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        assert!(index < self.readable);
        // SAFETY: the element can be read.
        unsafe { &*self.start.add(index) }
    }
}

impl<T> IndexMut<usize> for SharedVec<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        assert!(index < self.readable);
        // SAFETY: the element can be read, and the vector is borrowed.
        unsafe { &mut *self.start.add(index) }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_shared_vector_is_a_vector(changes in prop::collection::vec((0..4u8, 0..9usize), 0..200)) {
            let mut shared = SharedVec::new();
            let mut vector = Vec::new();
            for (change, number) in changes {
                match change {
                    0 => {
                        shared.push(number);
                        vector.push(number);
                    }
                    1 => {
                        shared.extend(number..2 * number);
                        vector.extend(number..2 * number);
                    }
                    2 => {
                        let end = number.min(vector.len());
                        shared.extend_from_within(0..end);
                        vector.extend_from_within(0..end);
                        if end > 0 {
                            shared[end - 1] += 1;
                            vector[end - 1] += 1;
                        }
                    }
                    _ if number == 0 => {
                        shared.clear();
                        vector.clear();
                    }
                    _ => shared.reserve(10 * number),
                }
                prop_assert_eq!(shared.slice(0..shared.len()), &vector[..]);
                prop_assert!(shared.capacity() >= shared.len());
            }
        }
    }

    #[test]
    #[should_panic]
    fn there_is_nothing_behind_the_last_element() {
        let mut shared = SharedVec::new();
        shared.reserve(10);
        shared.push(1);
        let _ = shared[1];
    }

    /// A part of a vector, whose user keeps to the rules.
    fn part(shared: &SharedVec<usize>) -> SharedVec<usize> {
        // SAFETY: the tests write each element in one thread, and do not read it in another before that has ended.
        unsafe { shared.part() }
    }

    #[test]
    fn threads_fill_what_was_handed_over() {
        let mut shared = SharedVec::new();
        shared.push(7);
        shared.reserve(1 + 4 * 1000);
        let mut parts: Vec<_> = (0..4).map(|_| part(&shared)).collect();
        for part in &mut parts {
            assert!(!part.fits(1));
            shared.hand_over(1000, part);
            assert!(part.fits(1000) && !part.fits(1001));
        }
        thread::scope(|scope| {
            let fill = |part: &mut SharedVec<usize>| {
                for _ in 0..990 {
                    part.push(part[0] + part.len());
                }
            };
            let threads = parts.iter_mut().map(|part| scope.spawn(move || fill(part)));
            let threads: Vec<_> = threads.collect();
            // ThreadSanitizer sees the end of a thread where it is joined.
            threads
                .into_iter()
                .for_each(|one| one.join().expect("filled"));
        });
        for part in parts.into_iter().rev() {
            shared.take_back(part);
        }
        // The last part came at the end; 10 elements stay without use behind each other one.
        assert_eq!(shared.len(), 3991);
        let written = (0..shared.len()).filter(|i| *i == 0 || (i - 1) % 1000 < 990);
        assert!(written.clone().skip(1).all(|i| shared[i] == 7 + i));
        assert_eq!(written.count(), 3961);
        shared.clear();
        assert_eq!(shared.len(), 0);
    }

    #[test]
    #[should_panic = "the memory of a part is that of its vector"]
    fn a_part_does_not_grow() {
        let mut shared = SharedVec::new();
        shared.reserve(10);
        let mut part = part(&shared);
        shared.hand_over(1, &mut part);
        part.push(1);
        part.push(2);
    }
}
