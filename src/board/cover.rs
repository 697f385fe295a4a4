//! The squares that a shape can still cover, for all shapes by straight-line code.

use super::shape::{SHAPE_COUNT, Shape, ShapeId};
use super::words::{Split, Words};

/// Union of all placements of a shape on these free squares.
#[inline(always)]
#[must_use]
pub fn cover(shape: ShapeId, free: Words) -> Split {
    COVERS[shape.index()](free)
}

/// Repeats a block for 0 to 7, the number as a constant.
macro_rules! unroll_8 {
    ($i:ident, $body:block) => {
        unroll_8!(@ $i, $body, 0 1 2 3 4 5 6 7)
    };
    (@ $i:ident, $body:block, $($n:literal)*) => {
        $({ const $i: usize = $n; $body })*
    };
}

const TABLE: [Shape; SHAPE_COUNT] = super::shape::table();

/// One copy a shape: with the distances known to the compiler, orientations share their shifts.
fn cover_of<const SHAPE: usize>(free: Words) -> Split {
    let Words(free) = free;
    let mut covered = [0; 2];
    unroll_8!(O, {
        if const { O < TABLE[SHAPE].count() } {
            let mut anchors = const { TABLE[SHAPE].orientation(O).anchors.0 };
            unroll_8!(K, {
                if const { K < TABLE[SHAPE].size() as usize } {
                    let offset = const { TABLE[SHAPE].orientation(O).offset(K) };
                    anchors[0] &= free[0] >> offset;
                    anchors[1] &= free[1] >> offset;
                }
            });
            unroll_8!(K, {
                if const { K < TABLE[SHAPE].size() as usize } {
                    let offset = const { TABLE[SHAPE].orientation(O).offset(K) };
                    covered[0] |= anchors[0] << offset;
                    covered[1] |= anchors[1] << offset;
                }
            });
        }
    });
    Split::merge(covered)
}

macro_rules! covers {
    ($($shape:literal)*) => { [$(cover_of::<$shape>),*] };
}

static COVERS: [fn(Words) -> Split; SHAPE_COUNT] = covers!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
);
