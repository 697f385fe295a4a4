//! Solitaire battleships: find the ships of a fleet from the number of occupied squares in each row
//! and column, and a few revealed squares (CSPLib problem 14; the 2008 paper, section 5).

mod generate;
mod instance;
mod model;
mod text;

pub use generate::generate;
pub use instance::{Battleships, Fleet, Hint, ShipGrid};
pub use model::BattleshipsResult;
