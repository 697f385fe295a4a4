//! The quilt and the shapes that are sewn onto it: squares, sets of squares, orientations.

mod cover;
mod lanes;
mod orientation;
mod quilt;
mod shape;
mod words;

pub use cover::cover;
pub(crate) use cover::{Boards, Places, TakeCover, covers};
pub(crate) use lanes::Lanes;
#[cfg(target_arch = "x86_64")]
pub(crate) use lanes::{Avx2, Sse2};
pub use quilt::{ParseSquareError, Quilt, SIDE, SQUARES, Square};
pub use orientation::{MAX_SHAPE_SQUARES, Orientation, Transform};
pub use shape::{MAX_ORIENTATIONS, SHAPE_COUNT, SHAPES, Shape, ShapeId};
pub use words::{Split, Words};
