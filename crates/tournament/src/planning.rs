//! What is to be played: tournament files, formats, pairings, rings, sweeps, and the identity of each game.

pub(super) mod file;
pub(super) mod format;
pub(super) mod formats;
pub(super) mod game_number;
pub(super) mod identity;
pub(super) mod manifest;
pub(super) mod pairings;
pub(super) mod plan;
pub(super) mod planned_agent;
pub(super) mod planned_game;
pub(super) mod rings;
pub(super) mod shard;
pub(super) mod sweep;
pub(super) mod thoughts;
