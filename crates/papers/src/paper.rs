//! The paper reproduced: arXiv 2001.04233, "State Representation and Polyomino Placement for the Game
//! Patchwork".
//!
//! In its packing experiment (section 6.2), a strategy places all patches of a random order one after
//! another, without backtracking. An [`Experiment`] packs many orders with many strategies in one of two
//! [`Mode`]s: as described in the paper, or as implemented in the program behind its Table 1.
//! [`TableComparison`] compares the results with the published ones. [`model`] is the paper's
//! constraint model, on the solver in [`kernel`](patchwork_kernel).
//!
//! ```
//! use patchwork_papers::paper::{Experiment, Mode, Orders, PackingMeasure};
//!
//! let mode = Mode::Described;
//! let orders = Orders::seeded(20, 1);
//! let strategies = mode.strategies(&["bl-lb"], &["every"], &["first", "regret"])?;
//! let experiment = Experiment { mode, orders: orders.as_slice(), strategies: &strategies, seed: 1 };
//! let results = experiment.run(&|_| ());
//! let [first, regret] = &results.rows[..] else { panic!("two strategies") };
//! assert!(regret.above(first, PackingMeasure::Area).estimate.mean > 0.0);
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod experiment;
mod learning_strategy;
mod mean;
mod mode;
pub mod model;
mod order;
mod packing;
mod published_program;
mod published_table;
mod traces;

pub use experiment::{ByMeasure, Experiment, PackingMeasure, PackingResults, StrategyPackings};
pub use learning_strategy::{LEARNING_POLICIES, LearningStrategy};
pub use mean::{MeanWithError, PairedDifference};
pub use mode::Mode;
pub use order::{ORDER_LEN, Order, Orders};
pub use packing::{ALL_FIT, Packing, PackingStep, pack};
pub use published_table::{
    ComparedCell, Expectation, Ours, PUBLISHED_CELLS, PublishedCell, TableComparison,
    published_table,
};
pub use traces::write_traces;
