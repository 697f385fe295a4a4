//! The models for solving a tiling.

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::bits;
use super::problem::Tiling;
use super::regular_model::{RegularBy, solve_by_constraints};
use super::tally::{Tally, TilingResult};

/// The model that solves a tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TilingModel {
    /// `regular` constraints on the squares, whose values are the pieces (the 2008 paper, section 4.1).
    Basic,
    /// `regular` constraints on 0/1 variables channelled to the squares (section 4.2), with this propagation.
    Improved(RegularBy),
    /// Bit boards, the first empty square first, along the short side.
    Bits,
}

impl Tiling {
    /// The maximum number of squares in a constraint model.
    const MAX_CONSTRAINED: usize = 256;

    /// Searches until `all` solutions or the first one are found, or `stop` is set; `progress` gets the completed share
    /// of the search tree.
    pub fn solve(
        &self,
        model: TilingModel,
        all: bool,
        stop: &Stop,
        progress: &mut dyn FnMut(f64),
    ) -> Result<TilingResult, InputError> {
        let mut tally = Tally::new(self, all);
        match model {
            TilingModel::Bits => bits::solve(self, &mut tally, stop, progress),
            TilingModel::Basic | TilingModel::Improved(_) => {
                let squares = self.region().squares();
                if squares > Self::MAX_CONSTRAINED {
                    return Err(InputError::new(format!(
                        "the board has {squares} squares; expected at most {}, or the model bits",
                        Self::MAX_CONSTRAINED
                    )));
                }
                if let Some(piece) = self.pieces().iter().find(|piece| piece.copies > 1) {
                    return Err(InputError::new(format!(
                        "piece {} is used more than once; expected different pieces, or the model bits",
                        piece.label
                    )));
                }
                let regular = match model {
                    TilingModel::Improved(regular) => Some(regular),
                    _ => None,
                };
                solve_by_constraints(self, regular, &mut tally, stop, progress);
            }
        }
        let mut result = tally.result;
        let found = !all && result.counts.solutions > 0;
        result.complete = found || !stop.is_set();
        Ok(result)
    }
}

/// A row of the published table: failures and times of a pentomino board with all twelve pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedPentominoes {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Failures until the first solution and for all solutions.
    pub failures: [u64; 2],
    /// Milliseconds for the first solution and for all (Gecode 2.1.1 on an Athlon 64 3500+).
    pub milliseconds: [u64; 2],
}

/// Table 1 of Lagerkvist and Pesant, "Modeling irregular shape placement problems with regular
/// constraints" (2008), the columns of the `regular` model.
pub const PUBLISHED_PENTOMINOES: [PublishedPentominoes; 4] = [
    PublishedPentominoes {
        rows: 20,
        columns: 3,
        failures: [25_129, 35_680],
        milliseconds: [6_695, 9_320],
    },
    PublishedPentominoes {
        rows: 15,
        columns: 4,
        failures: [4_700, 649_068],
        milliseconds: [1_015, 147_210],
    },
    PublishedPentominoes {
        rows: 12,
        columns: 5,
        failures: [541, 2_478_035],
        milliseconds: [126, 576_270],
    },
    PublishedPentominoes {
        rows: 10,
        columns: 6,
        failures: [893, 5_998_165],
        milliseconds: [237, 1_517_150],
    },
];
