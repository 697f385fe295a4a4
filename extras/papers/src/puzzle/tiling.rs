//! Packing polyominoes into a region: every piece is used, no square is left over.
//!
//! [`Tiling::solve`] has three models ([`TilingModel`]), which find the same solutions.

mod bits;
mod problem;
mod regular_model;
mod solve;
mod symmetry;
mod tally;

pub use problem::{TilePiece, TilePieces, Tiling};
pub use regular_model::RegularBy;
pub use solve::{PUBLISHED_PENTOMINOES, PublishedPentominoes, TilingModel};
pub use tally::TilingResult;
