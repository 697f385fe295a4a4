//! The models for solving a tiling.

use std::fmt::Display;

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::bits::Scan;
use super::problem::Tiling;
use super::regular_model::{RegularBy, solve_by_constraints};
use super::tally::{Tally, TilingResult};
use super::{bits, exact_cover};

/// The model that solves a tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TilingModel {
    /// `regular` constraints on the squares, whose values are the pieces (the 2008 paper, section 4.1).
    Basic,
    /// `regular` constraints on 0/1 variables channelled to the squares (section 4.2), with this propagation.
    Improved(RegularBy),
    /// Bit boards, the first empty square first, filled in this order.
    Bits(Scan),
    /// Exact cover by dancing links, the item with the fewest options first.
    ExactCover,
}

impl Tiling {
    /// The maximum number of squares in a constraint model.
    pub const MAX_CONSTRAINED: usize = 256;

    /// Searches until `all` solutions or the first one are found, or `stop` is set; `progress` gets the completed share
    /// of the search tree.
    pub fn solve(
        &self,
        model: TilingModel,
        all: bool,
        stop: &Stop,
        progress: &mut dyn FnMut(f64),
    ) -> Result<TilingResult, InputError> {
        let mut tally = Tally::new(self, all, stop, progress);
        match model {
            TilingModel::Bits(scan) => bits::solve(self, scan, &mut tally),
            TilingModel::ExactCover => exact_cover::solve(self, &mut tally),
            TilingModel::Basic | TilingModel::Improved(_) => {
                let squares = self.region().squares();
                if squares > Self::MAX_CONSTRAINED {
                    return Err(unsuitable(format_args!(
                        "the board has {squares} squares; expected at most {}",
                        Self::MAX_CONSTRAINED
                    )));
                }
                if let Some(piece) = self.pieces().iter().find(|piece| piece.copies > 1) {
                    return Err(unsuitable(format_args!(
                        "piece {} is used more than once; expected different pieces",
                        piece.label
                    )));
                }
                let regular = match model {
                    TilingModel::Improved(regular) => Some(regular),
                    _ => None,
                };
                solve_by_constraints(self, regular, &mut tally);
            }
        }
        Ok(tally.finish())
    }
}

/// A constraint model cannot solve a problem that the other models can.
fn unsuitable(what: impl Display) -> InputError {
    InputError::new(format!("{what}, or another model: bits or exact-cover"))
}
