//! What there is to say about folders whose games are combined.

use std::path::PathBuf;

use super::results::{Aside, ResultsError};
use super::store::StoreError;
use patchwork_engine::util::KeyError;

/// Why the games of folders cannot be combined.
#[derive(Debug, thiserror::Error)]
pub enum CombineError {
    /// One of the folders cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// No folder was given.
    #[error("no folder to merge; expected at least one")]
    Nothing,
    /// Two folders that are to be merged have different plans.
    #[error(
        "{} and {} hold parts of different plans ({what}); `pool` combines folders of different plans",
        one.display(),
        other.display()
    )]
    OtherPlan {
        /// The first folder.
        one: PathBuf,
        /// The second folder.
        other: PathBuf,
        /// How the plans differ.
        what: String,
    },
    /// The plans of two folders cannot be combined.
    #[error("{} and {} cannot be pooled: {what}", one.display(), other.display())]
    Plans {
        /// The first folder.
        one: PathBuf,
        /// The second folder.
        other: PathBuf,
        /// How they differ.
        what: String,
    },
    /// The combined plan is not valid.
    #[error("the pool's {0}")]
    Plan(#[from] KeyError),
    /// The folder to merge into has games that are not in its plan.
    #[error(
        "{} has games that are not in its plan ({aside}) and would be lost; merge into another folder",
        dir.display()
    )]
    Aside {
        /// The folder.
        dir: PathBuf,
        /// The games.
        aside: Box<Aside>,
    },
    /// Two folders have different records of a game.
    #[error("{} and {} have different records of {game}: {reason}", one.display(), other.display())]
    Conflict {
        /// The first folder.
        one: PathBuf,
        /// The second folder.
        other: PathBuf,
        /// The game.
        game: String,
        /// The possible cause, and what to do.
        reason: &'static str,
    },
}

impl From<StoreError> for CombineError {
    fn from(error: StoreError) -> Self {
        Self::Results(error.into())
    }
}

/// What a folder contributed to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderGames {
    /// The folder.
    pub dir: PathBuf,
    /// Number of its games that are wanted.
    pub games: u64,
    /// Number of those that were taken; the others were there already.
    pub taken: u64,
    /// Its games that are not in its plan.
    pub aside: Aside,
}
