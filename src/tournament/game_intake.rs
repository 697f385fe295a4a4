//! Takes games that are played elsewhere.

use super::delivery::Delivery;
use super::encounter::PlannedGame;
use super::identity::GameAddress;
use super::manifest::Manifest;
use super::store::StoreError;
use crate::record::{Entry, GameId};

/// Knows which games of a plan are missing, checks those that come, and keeps them.
pub trait GameIntake {
    /// The plan of the games.
    fn manifest(&self) -> &Manifest;

    /// The missing games of the next pair; `None` if all were handed out that are known so far.
    fn next_pair(&mut self) -> Option<Vec<PlannedGame>>;

    /// Whether a game that was handed out is still missing.
    fn is_wanted(&self, id: GameId) -> bool;

    /// Whether nothing is missing.
    fn is_over(&self) -> bool;

    /// Checks a game, and keeps it if it is new and counts. Beside the games stands who played it.
    ///
    /// # Errors
    /// When it is not a game of the plan, breaks the rules, or cannot be kept.
    fn offer(
        &mut self,
        address: &GameAddress,
        entry: Entry,
        by: &Delivery,
    ) -> Result<Offered, OfferError>;
}

/// What became of a game that was offered.
#[derive(Clone, Debug, PartialEq)]
pub enum Offered {
    /// These games newly count and are kept: usually the game itself.
    Counted(Vec<Entry>),
    /// The game does not count before others do.
    Waits,
    /// The game is known, with the same record.
    Double,
    /// The game is known, with another record, which stays.
    Different,
    /// The plan no longer needs the game.
    NotNeeded,
}

impl Offered {
    /// What becomes of a game that is known, by the digests of its records.
    pub(super) const fn again(known: u64, digest: u64) -> Self {
        if known == digest {
            Self::Double
        } else {
            Self::Different
        }
    }
}

/// Why a game was not taken.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// The game is not one of the plan, or breaks the rules.
    #[error("{0}")]
    Wrong(String),
    /// The game cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}
