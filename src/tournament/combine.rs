//! What there is to say about folders whose games are combined.

use std::path::{Path, PathBuf};

use patchwork_engine::util::{InputError, KeyError};

use super::results::Aside;

/// The error of plans that cannot be combined, and how they differ.
pub(super) fn cannot_pool(one: &Path, other: &Path, what: &str) -> InputError {
    let (one, other) = (one.display(), other.display());
    InputError::new(format!("{one} and {other} cannot be pooled: {what}"))
}

/// The error of a combined plan that is not valid.
pub(super) fn wrong_pool(error: KeyError) -> InputError {
    InputError::new(format!("the pool's {error}"))
}

/// The error of a game with different records in two folders: its possible cause, and what to do.
pub(super) fn conflict(one: &Path, other: &Path, game: &str, reason: &str) -> InputError {
    let (one, other) = (one.display(), other.display());
    InputError::new(format!(
        "{one} and {other} have different records of {game}: {reason}"
    ))
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
