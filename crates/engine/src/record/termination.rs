//! How a game ended if it was not played to its end.

use std::fmt;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::game::Player;

/// The kind of fault by which an agent lost a game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaultReason {
    /// It chose an action that the rules do not allow.
    IllegalAction,
    /// It sent text that is not an action.
    GarbledAction,
    /// It did not decide in time.
    Time,
    /// Its program ended during the game.
    Crash,
    /// Its program was not ready in time.
    StartTime,
    /// Its program ended before it was ready, or did not follow the protocol at the start.
    StartCrash,
    /// It wrote too much, or an overlong line.
    Flood,
    /// It closed its input or its output while its program was running.
    ClosedPipe,
}

impl FaultReason {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::IllegalAction,
        Self::GarbledAction,
        Self::Time,
        Self::Crash,
        Self::StartTime,
        Self::StartCrash,
        Self::Flood,
        Self::ClosedPipe,
    ];

    /// Its name in words, such as `illegal action`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalAction => "illegal action",
            Self::GarbledAction => "garbled action",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::StartTime => "time at start",
            Self::StartCrash => "crash at start",
            Self::Flood => "output flood",
            Self::ClosedPipe => "closed pipe",
        }
    }
}

impl fmt::Display for FaultReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The end of a game by a fault: the loser and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// The player who lost.
    pub loser: Player,
    /// The fault.
    pub reason: FaultReason,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} player lost by {}", self.loser, self.reason)
    }
}
