//! A self-play tournament engine for the board game Patchwork.

pub mod agent;
pub mod board;
pub mod check;
pub mod config;
pub mod game;
pub mod kernel;
pub mod model;

pub mod placement;
pub mod play;
pub mod record;
pub mod report;
pub mod rng;
pub mod search;
pub mod stats;
pub mod tournament;
