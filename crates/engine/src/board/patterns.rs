//! The 3x3 patterns of a quilt, and which of them are rotations or reflections of each other.

use std::sync::LazyLock;

use super::quilt::{Quilt, SIDE};

/// Number of 3x3 patterns that differ by more than a rotation or reflection.
pub const PATTERN_CLASSES: usize = 102;
/// Number of 3x3 patterns.
pub const PATTERNS: usize = 1 << 9;

/// Calls a function with the pattern of 3x3 squares around each square, in order. Bit 3c + r is the square in row r
/// and column c of the pattern, and is set where the square is covered or outside.
#[inline(always)]
pub fn for_each_pattern(quilt: Quilt, mut call: impl FnMut(usize)) {
    let bits = quilt.bits();
    let row = |row: usize| SPREAD[(bits >> (SIDE * row)) as usize & ((1 << SIDE) - 1)];
    let full = SPREAD[(1 << SIDE) - 1];
    let (mut above, mut here) = (full, row(0));
    for at in 1..=SIDE {
        let below = if at < SIDE { row(at) } else { full };
        let columns = above | here << 1 | below << 2;
        for column in 0..SIDE {
            call((columns >> (3 * column)) as usize % PATTERNS);
        }
        (above, here) = (here, below);
    }
}

/// Each row of a quilt between two columns outside, with three bits for each square.
static SPREAD: [u64; 1 << SIDE] = {
    let mut table = [1 | 1 << (3 * (SIDE + 1)); 1 << SIDE];
    let mut row = 0;
    while row < 1 << SIDE {
        let mut column = 0;
        while column < SIDE {
            table[row] |= (row as u64 >> column & 1) << (3 * (column + 1));
            column += 1;
        }
        row += 1;
    }
    table
};

/// The class of each pattern, below [`PATTERN_CLASSES`]. Patterns that are rotations or reflections of each other
/// have one class.
pub static CLASSES: LazyLock<[u8; PATTERNS]> = LazyLock::new(|| {
    let image = |pattern: usize, to: &dyn Fn(usize, usize) -> usize| -> usize {
        let squares = (0..9).filter(|square| pattern >> square & 1 == 1);
        squares.map(|square| 1 << to(square / 3, square % 3)).sum()
    };
    let mut classes = [u8::MAX; PATTERNS];
    let mut next = 0;
    for pattern in 0..PATTERNS {
        if classes[pattern] != u8::MAX {
            continue;
        }
        let mut turned = pattern;
        for _ in 0..4 {
            classes[turned] = next;
            classes[image(turned, &|row, column| 3 * row + 2 - column)] = next;
            turned = image(turned, &|row, column| 3 * column + 2 - row);
        }
        next += 1;
    }
    debug_assert_eq!(usize::from(next), PATTERN_CLASSES);
    classes
});

/// How many patterns of each class a quilt has.
pub fn class_counts(quilt: Quilt) -> [u8; PATTERN_CLASSES] {
    let mut counts = [0; PATTERN_CLASSES];
    for_each_pattern(quilt, |pattern| counts[usize::from(CLASSES[pattern])] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Square;

    #[test]
    fn patterns_that_turn_into_each_other_have_one_class() {
        let turned = |pattern: usize| -> usize {
            let squares = (0..9).filter(|square| pattern >> square & 1 == 1);
            squares
                .map(|square| 1 << (3 * (square % 3) + 2 - square / 3))
                .sum()
        };
        let mirrored = |pattern: usize| -> usize {
            let squares = (0..9).filter(|square| pattern >> square & 1 == 1);
            squares
                .map(|square| 1 << (3 * (square / 3) + 2 - square % 3))
                .sum()
        };
        for pattern in 0..CLASSES.len() {
            assert_eq!(CLASSES[pattern], CLASSES[turned(pattern)]);
            assert_eq!(CLASSES[pattern], CLASSES[mirrored(pattern)]);
        }
        // Burnside: (512 + 2 * 8 + 32 + 4 * 64) / 8.
        assert_eq!(
            usize::from(*CLASSES.iter().max().unwrap()) + 1,
            PATTERN_CLASSES
        );
        assert_eq!(PATTERN_CLASSES, 102);
    }

    proptest! {
        #[test]
        fn patterns_follow_the_quilt_when_it_is_turned(bits in any::<u128>()) {
            let quilt = Quilt::from_bits(bits);
            let turned: Quilt = (0..SIDE * SIDE)
                .filter(|square| bits >> square & 1 == 1)
                .map(|square| Square::at(SIDE - 1 - square / SIDE, square % SIDE))
                .collect();
            prop_assert_eq!(class_counts(quilt), class_counts(turned));
        }
    }
}
