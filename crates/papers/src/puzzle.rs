//! The other puzzles of the papers: polyomino packing, battleships, and more.
//!
//! Each puzzle has a model on the constraint kernel and, where that is faster, a search on bits. The
//! shared parts are [`Drawing`] (cells in rows and columns), [`Polyomino`] (a drawing in all its
//! orientations) and [`Region`] (a board of any size with holes).
//!
//! ```
//! use patchwork_papers::puzzle::{Polyomino, Region};
//!
//! let region = Region::new(6, 10)?;
//! let l = Polyomino::pentomino('L').expect("a pentomino");
//! assert_eq!(l.orientations().len(), 8);
//! assert_eq!(l.placements(&region).len(), 248);
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod battleships;
mod drawing;
pub mod nmbr9;
mod polyomino;
mod region;
mod tiling;

pub use battleships::{Battleships, BattleshipsResult, Fleet, Hint, ShipGrid, generate};
pub use drawing::Drawing;
pub use polyomino::{PENTOMINOES, Polyomino};
pub use region::{Region, parse_square, square_name};
pub use tiling::{
    PUBLISHED_PENTOMINOES, PublishedPentominoes, RegularBy, TilePiece, TilePieces, Tiling,
    TilingModel, TilingResult,
};
