//! The rules of Patchwork: patches, track, ring, states and the notation of actions.

mod key;
mod notation;
mod patch;
mod perft;
mod setup;
mod state;
mod track;

pub use notation::{ActionList, ParseActionError};
pub use patch::{PATCH_COUNT, PATCHES, Patch, PatchId};
pub use perft::perft;
pub use setup::{Ring, RingError, Setup};
pub use state::{
    Action, BONUS_7X7, IllegalAction, MAX_PLIES, Offers, Outcome, Placement, Player, State,
};
pub use track::{
    LAST_SPACE, ParseTrackError, SPECIAL_COUNT, Track, incomes_ahead, incomes_crossed,
};
