//! The experiments and puzzles of the papers on placing polyominoes.

pub mod paper;
pub mod puzzle;
