//! Games between a person and an agent, at a terminal or in a browser.
//!
//! A [`Table`] is a game in progress, in which moves can be taken back. Its [`ask`](Table::ask) lets an agent decide, as the opponent or as an adviser. A
//! [`PeopleGame`] has a place in a results folder, where it is stored when it is finished.
//!
//! ```
//! use std::time::Duration;
//!
//! use patchwork_engine::game::{Action, Player, Setup, Track};
//! use patchwork_web::people::Table;
//! use patchwork_engine::record::Thought;
//! use patchwork_engine::util::rng::stream;
//!
//! let mut table = Table::new(Setup::random(Track::Original, &mut stream(&[1])));
//! table.play(Action::Advance, Thought::default(), Duration::from_secs(2))?;
//! assert_eq!(table.plies(), 1);
//! assert!(table.undo(Player::First));
//! assert_eq!(table.plies(), 0);
//! # Ok::<(), patchwork_engine::game::IllegalAction>(())
//! ```

mod people_game;
mod table;

pub use people_game::{HUMAN, Invitation, PeopleGame};
pub use table::Table;
