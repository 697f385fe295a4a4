//! Games between a person and an agent, at a terminal or in a browser.
//!
//! A [`Table`] is a game under way, with the way back. A [`HeldPiece`] is turned and moved before it is placed.
//! A [`Partner`] is an agent that follows the game, as an opponent or as an adviser. A [`PeopleGame`] has a
//! place in a results folder, in which it is kept when it is finished.

mod ledger;
mod partner;
mod piece;
mod table;

pub use ledger::{HUMAN, Invitation, LedgerError, PeopleGame};
pub use partner::{Partner, PartnerError};
pub use piece::HeldPiece;
pub use table::Table;
