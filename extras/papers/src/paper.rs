//! The paper reproduced: arXiv 2001.04233, "State Representation and Polyomino Placement for the Game
//! Patchwork".
//!
//! In its packing experiment (section 6.2), a strategy places all patches of a random order one after
//! another, without backtracking. [`pack_all`] packs many orders with many strategies in one of two
//! [`Mode`]s: as described in the paper, or as implemented in the program behind its Table 1.
//! [`compared_with`] compares the results with the published ones. [`model`] is the paper's
//! constraint model, on the solver in [`kernel`](patchwork_kernel).
//!
//! ```
//! use patchwork_papers::paper::{Mode, Orders, PackingMeasure, pack_all};
//!
//! let mode = Mode::Described;
//! let orders = Orders::seeded(20, 1);
//! let strategies = mode.strategies(&["bl-lb"], &["every"], &["first", "regret"])?;
//! let results = pack_all(mode, orders.as_slice(), &strategies, 1, &|_| ());
//! let [first, regret] = &results.rows[..] else { panic!("two strategies") };
//! assert!(regret.above(first, PackingMeasure::Area).value > Some(0.0));
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod experiment;
mod learning_strategy;
mod mode;
pub mod model;
mod order;
mod packing;
mod published_program;
mod published_table;
mod traces;

pub use experiment::{ByMeasure, PackingMeasure, PackingResults, StrategyPackings, pack_all};
pub use learning_strategy::{LEARNING_POLICIES, LearningStrategy};
pub use mode::Mode;
pub use order::{ORDER_LEN, Order, Orders};
pub use packing::{ALL_FIT, Packing, PackingStep, pack};
pub use published_table::{
    ComparedCell, Expectation, Ours, PUBLISHED_CELLS, PublishedCell, compared, compared_with,
    exact_cells, published_table,
};
pub use traces::write_traces;
