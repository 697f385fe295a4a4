//! A self-play tournament engine for the board game Patchwork.
pub mod board;
pub mod check;
pub mod game;
pub mod record;
pub mod report;
pub mod rng;
pub mod stats;
