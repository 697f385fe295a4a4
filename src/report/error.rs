use std::io;

use crate::document::counted;
use crate::tournament::store::StoreError;

/// Why a part of a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A game selected for the page is not legal.
    #[error("{0}")]
    Game(String),
    /// A ring book: no ring has been played by both games of a pair.
    #[error("no ring has been played in both legs of a pair yet")]
    NoRings,
    /// A ring book: there are too few rings.
    #[error(
        "which seat a ring favours cannot be told from {}; at least 4 rings and some chance are needed", counted(*.0, "ring")
    )]
    TooFewRings(u64),
    /// A ring book: no ring is of the requested kind.
    #[error("none of the {0} rings is of this kind")]
    NoRingOfKind(u64),
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A file in the folder could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
