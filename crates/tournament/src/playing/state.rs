//! How far the tournament of a results folder is.

use serde::Serialize;

use crate::planning::manifest::Manifest;

/// How far a tournament is, as its ledger says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentState {
    /// A program adds games and chooses which.
    Searching,
    /// A program adds games.
    Playing,
    /// Nothing is left to be played.
    Complete,
    /// Games are missing, and no program adds them.
    Stopped,
    /// The ledger cannot be read, or not all of it.
    Damaged,
}

impl TournamentState {
    /// The state of a tournament to which a program adds games.
    pub(super) const fn running(manifest: &Manifest) -> Self {
        match manifest.is_search_over {
            Some(_) => Self::Searching,
            None => Self::Playing,
        }
    }

    /// Whether a program adds games.
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Searching | Self::Playing)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Searching => "searching",
            Self::Playing => "playing",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
            Self::Damaged => "damaged",
        }
    }
}
