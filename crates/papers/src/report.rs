//! The tables of the packing experiment and of the characteristics.

mod characteristics;
mod packing;

pub use characteristics::write_characteristics;
pub use packing::{PackingReport, PackingTable, PairedComparison};
