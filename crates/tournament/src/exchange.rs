//! Games in and out of a ledger: import, export, replay, checks, estimates and plan files.

pub mod check_games;
pub mod export;
pub(super) mod exported_games;
pub(super) mod forecast;
pub(super) mod game_times;
pub mod import;
pub(super) mod plan_file;
pub mod replay;
pub(super) mod sample;
pub mod verify;
