//! The learned estimate: a small network that predicts the final margin of a position.
//!
//! A position switches on some [inputs](features): facts of the mover, of the opponent and of the patches next in
//! the ring, and for each quilt its 81 patterns of 3x3 squares, where squares outside count as covered. The network
//! adds to the [part that is certain](super::position_estimate::certain_margin):
//!
//! ```text
//! patterns of a quilt -> 32 units, the same weights for both quilts --+
//! other inputs ------------------------------------------------------+-> 32 units -> 16 units -> margin
//! ```
//!
//! Units are clipped to 0 to 1. Patterns that are rotations or reflections of each other share their weights, so
//! an estimate does not change with the orientation of a quilt. Seen from the mover, the network has no seats:
//! swapping them negates the estimate.
//!
//! All sums are of 16-bit and 32-bit integers, so every machine computes the same bits, with whatever instructions.
//! An [`Evaluator`] keeps what it computed for a quilt, since many positions of a search share it.

mod evaluator;
pub mod features;
#[cfg(test)]
mod tests;
mod weights;

pub use evaluator::Evaluator;
pub use weights::{Net, SHIPPED_NETS, WEIGHTS, WeightMatrix, layout};

/// Number of units of a quilt.
pub const QUILT_UNITS: usize = 32;
/// Number of units of the first layer of a position.
pub const FIRST_UNITS: usize = 32;
/// Number of units of the second layer.
pub const SECOND_UNITS: usize = 16;
/// Points of margin per unit of the output.
pub const POINTS: f32 = 10.0;
