//! The rules of Patchwork: patches, track, komi, ring, positions and the notation of actions.
//!
//! A [`Setup`] is what is fixed before a game, a [`State`] is what is played in it. A state lists its legal
//! [`Action`]s, and playing one gives the next state or the reason why the action is illegal. [`perft`]
//! counts sequences of actions.
//!
//! An action is written `A` (advance), `2:a1b1a2` (buy patch 2 and place it on these squares, in
//! row-major order) or `S:e5` (place a special patch).
//!
//! ```
//! use patchwork_engine::game::{Action, IllegalAction, Player, Setup, State, Track};
//! use patchwork_engine::util::rng::stream;
//!
//! let setup = Setup::random(Track::Original, &mut stream(&[1]));
//! let start = State::new(&setup);
//! assert!(start.legal_actions(&setup).contains(&Action::Advance));
//! let next = start.try_play(&setup, Action::Advance)?;
//! assert_eq!(next.buttons(Player::First), 6);
//! assert_eq!(next.mover(), Player::Second, "the player further behind moves");
//! let special: Action = "S:e5".parse()?;
//! assert_eq!(next.try_play(&setup, special), Err(IllegalAction::NoSpecialWaits));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod generate;
mod key;
mod notation;
mod patch;
mod player;
mod position;
mod rules;
mod setup;
mod state;
mod track;

pub use action::{Action, IllegalAction, Placement};
pub(crate) use generate::{FindActions, PapersCounts};
pub use generate::{NumberedActions, perft};
pub use notation::ActionList;
pub use patch::{PATCH_COUNT, PATCHES, Patch, PatchId};
pub use player::Player;
pub use position::Position;
pub use rules::{MAX_KOMI, Rules};
pub use setup::{Ring, Setup};
pub use state::{BONUS_7X7, MAX_PLIES, Outcome, State};
pub use track::{INCOME_SPACES, LAST_SPACE, Track, incomes_ahead, is_income};
