//! A finished game as data: every decision with the agent's thoughts, the result, and separately the time of
//! each decision and optional data that only some tournaments record.
//!
//! Playing makes a [`Record`]; statistics, reports and exports read it. [`pgn`] writes and reads games
//! as text, [`picture`] draws positions.
//!
//! ```
//! use patchwork_engine::game::{Setup, State, Track};
//! use patchwork_engine::record::{GameId, Ply, Record, Thought};
//! use patchwork_engine::util::rng::stream;
//!
//! let mut rng = stream(&[1]);
//! let setup = Setup::random(Track::Original, &mut rng);
//! let (mut state, mut plies) = (State::new(&setup), Vec::new());
//! while !state.is_over() {
//!     let action = state.random_action(&setup, &mut rng);
//!     plies.push(Ply::new(&setup, &state, action, Thought::default()));
//!     state.play_unchecked(&setup, action);
//! }
//! let id = GameId { pairing: 0, pair: 0, leg: 0 };
//! let record = Record::new(id, [0, 1], &setup, plies, &state, None);
//! assert_eq!(record.winner, state.outcome().expect("over").winner);
//! ```

mod extras;
mod games;
mod packed;
mod packed_setup;
pub mod pgn;
pub mod picture;
mod ply;
mod termination;

pub use extras::{ConsideredAction, ConsideredActions, ExpectedLines, Extras, PlyLists};
pub use games::{Entry, GameFacts, GameId, Record, play_through};
pub use packed::{Unpacked, pack, pack_played, unpack, unpack_setup};
pub use packed_setup::PackedSetup;
pub use ply::{Ply, Thought, TreeFacts};
pub use termination::{FaultReason, Termination};
