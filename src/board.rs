//! The quilt and the shapes that are sewn onto it: squares, sets of squares, orientations.

mod cover;
mod quilt;
mod shape;
mod words;

pub use cover::cover;
pub(crate) use cover::{Boards, Places, covers};
pub use quilt::{ParseSquareError, Quilt, SIDE, SQUARES, Square};
pub use shape::{
    MAX_ORIENTATIONS, MAX_SHAPE_SQUARES, Orientation, SHAPE_COUNT, SHAPES, Shape, ShapeId,
    Transform,
};
pub use words::{Split, Words};
