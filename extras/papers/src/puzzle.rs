//! The other puzzles of the papers: polyomino packing, battleships, and more.
//!
//! Each puzzle has a model on the constraint kernel and, where that is faster, a search on bits. They share drawings
//! (cells in rows and columns), polyominoes (a drawing in all its orientations) and [`Region`] (a board of any size
//! with holes).
//!
//! ```
//! use patchwork_engine::search::Stop;
//! use patchwork_papers::puzzle::{Region, Tiling, TilingModel};
//!
//! let region = Region::new(4, 4)?;
//! let dominoes = Tiling::new(region, "8*XX".parse()?)?;
//! let all = dominoes.solve(TilingModel::Bits, true, &Stop::new(), &mut |_| ())?;
//! assert_eq!((all.counts.solutions, all.distinct), (36, 9));
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod battleships;
mod drawing;
pub mod nmbr9;
mod polyomino;
mod region;
mod search;
mod tiling;

pub use battleships::{Battleships, BattleshipsResult, Fleet, Hint, ShipGrid, generate};
pub use region::{Region, parse_square, square_name};
pub use tiling::{
    PUBLISHED_PENTOMINOES, PublishedPentominoes, RegularBy, TilePiece, TilePieces, Tiling,
    TilingModel, TilingResult,
};
