//! Searches of small games with known values.

mod batches;
mod choices;
mod decisions;
mod games;
mod memory;
mod outside;
mod playouts;
mod refused;
mod threads;
