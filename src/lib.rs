//! A self-play tournament engine for the board game Patchwork.

pub mod agent;
pub mod bench;
pub mod board;
pub mod check;
pub mod config;
pub mod export;
pub mod game;
pub mod placement;
pub mod play;
pub mod record;
pub mod replay;
pub mod report;
pub mod rng;
pub mod search;
pub mod stats;
pub mod tournament;
