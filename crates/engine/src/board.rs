//! The 9x9 quilt and the shapes of the patches as sets of bits.
//!
//! Squares go in and sets of squares come out: a [`Quilt`] is 81 bits, a [`Shape`] has up to eight
//! [`Orientation`]s, and an orientation's [anchors](Orientation::anchors_in) are all places where it
//! fits. [`cover`] is the union of all placements of a shape.
//!
//! ```
//! use patchwork_engine::board::{Quilt, ShapeId, Square, Words, cover};
//!
//! let domino = ShapeId::of("XX");
//! let free = Words::new(["a1", "b1", "c1", "e5"].iter().map(|s| s.parse::<Square>().unwrap()).collect());
//! let [across, down] = domino.shape().orientations() else { panic!("a domino has 2") };
//! assert_eq!(across.anchors_in(free).squares().to_string(), "a1b1");
//! assert!(down.anchors_in(free).is_empty());
//! assert_eq!(cover(domino, free).squares().to_string(), "a1b1c1");
//! assert!(Quilt::FULL.has_7x7());
//! ```

mod cover;
mod fits;
mod lanes;
mod orientation;
pub mod patterns;
mod quilt;
mod shape;
mod words;

pub use cover::cover;
pub(crate) use cover::{ALL_SHAPES, Boards, CoverLanes, Places, TakeCover, covers};
#[cfg(test)]
pub(crate) use fits::Instructions;
pub(crate) use fits::{BoardWork, FindFits, Fits, PlacedShape, PortableFits, with_best};
pub(crate) use lanes::Lanes;
pub use orientation::{MAX_SHAPE_SQUARES, Orientation, Transform};
pub use quilt::{Quilt, SIDE, SQUARES, Square};
pub use shape::{MAX_ORIENTATIONS, SHAPE_COUNT, SHAPES, Shape, ShapeId};
pub use words::{Split, Words};
