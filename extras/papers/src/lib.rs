#![doc = include_str!("../README.md")]
//!
//! # Modules
//! | module | job | uses |
//! |---|---|---|
//! | [`paper`] | the constraint model of Patchwork, its learning strategies and the packing experiment | engine, kernel, rating |
//! | [`characterize`] | the game characteristics of the paper, measured by games of an agent against itself | engine, rating, tournament, patchwork-report |
//! | `report` | tables of the packing experiment | engine, paper, patchwork-report |
//! | [`puzzle`] | packings of polyominoes, battleships and Nmbr9 as constraint problems | engine, kernel |
//!
//! ```
//! use patchwork_papers::paper::{PUBLISHED_CELLS, published_table};
//!
//! assert_eq!(published_table().len(), PUBLISHED_CELLS);
//! ```

pub mod characterize;
pub mod paper;
pub mod puzzle;
mod report;

pub use characterize::write_characteristics;
pub use report::{PACKING_TABLES, PackingReport, PairedComparison};
