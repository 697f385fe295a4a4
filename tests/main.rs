//! All integration tests that need no process or features of their own, as one program: the library is linked once,
//! and the helpers are compiled once.

mod support;

mod analyze;
mod battleships;
mod cli;
mod coverage;
mod docs;
#[cfg(unix)]
mod external;
mod formats;
mod fuzz;
mod kernel;
mod nmbr9;
mod packing;
mod page;
mod players;
mod ratings;
mod reports;
mod schemas;
mod sprt;
mod statistics;
mod tilings;
mod witness;
