//! The paper's packing experiment (section 6.2): all patches of a random order are placed one after
//! the other by one strategy, never going back.
//!
//! An [`Experiment`] packs many orders with many strategies in one of two modes: as the paper
//! describes it, or as the program behind its Table 1 did it. [`Comparison`] lays our cells beside
//! the published ones.

pub mod characterize;
mod estimate;
mod experiment;
pub mod kernel;
mod learning;
mod mode;
pub mod model;
mod order;
mod packing;
mod published;
mod report;
mod table;
mod trace;

pub use estimate::{Difference, Estimate};
pub use experiment::{Experiment, Measure, Results, Row};
pub use learning::{LEARNING_POLICIES, LearningStrategy};
pub use mode::Mode;
pub use order::{ORDER_LEN, Order, OrderError, Orders};
pub use packing::{ALL_FIT, Packing, Step, pack};
pub use report::{Pair, Report, Table, write_csv, write_json, write_text};
pub use table::{
    Cell, Comparison, Expectation, Ours, PUBLISHED_CELLS, PublishedCell, published_table,
};
pub use trace::write_traces;
