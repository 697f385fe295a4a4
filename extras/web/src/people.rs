//! Games between a person and an agent, at a terminal or in a browser.
//!
//! A [`Table`] is a game in progress, in which moves can be taken back. Its [`ask`](Table::ask) lets an agent decide, as the opponent or as an adviser. A
//! [`PeopleGame`] has a place in a results folder, where it is stored when it is finished.

mod people_game;
mod table;

pub use people_game::{HUMAN, Invitation, PeopleGame};
pub use table::Table;
