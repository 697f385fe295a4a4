//! Takes in games that are played elsewhere.

use patchwork_engine::record::{Entry, GameId};

use super::delivery::Delivery;
use super::encounter::PlannedGame;
use super::identity::GameAddress;
use super::manifest::Manifest;
use super::store::StoreError;

/// Knows which games of a plan are missing, checks the games that arrive, and stores them.
pub trait GameIntake {
    /// The plan of the games.
    fn manifest(&self) -> &Manifest;

    /// The missing games of the next pair; `None` if all pairs known so far were handed out.
    fn next_pair(&mut self) -> Option<Vec<PlannedGame>>;

    /// Whether a game that was handed out is still missing.
    fn is_wanted(&self, id: GameId) -> bool;

    /// Whether no game is missing.
    fn is_over(&self) -> bool;

    /// Checks a game, and stores it with who played it if it is new and counts.
    ///
    /// # Errors
    /// When the game is not in the plan, breaks the rules, or cannot be stored.
    fn offer(
        &mut self,
        address: &GameAddress,
        entry: Entry,
        by: &Delivery,
    ) -> Result<Offered, OfferError>;
}

/// What happened to an offered game.
#[derive(Clone, Debug, PartialEq)]
pub enum Offered {
    /// These games newly count and are stored: usually the game itself.
    Counted(Vec<Entry>),
    /// The game does not count until earlier games do.
    Waits,
    /// The game is known, with the same record.
    Double,
    /// The game is known with a different record, which is kept.
    Different,
    /// The plan no longer needs the game.
    NotNeeded,
}

impl Offered {
    /// The outcome for a game that is already known, given the digests of both records.
    pub(super) const fn again(known: u64, digest: u64) -> Self {
        if known == digest {
            Self::Double
        } else {
            Self::Different
        }
    }
}

/// Why a game was rejected.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// The game is not in the plan, or breaks the rules.
    #[error("{0}")]
    Wrong(String),
    /// The game cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}
