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
//! # Ok::<(), patchwork_papers::puzzle::RegionError>(())
//! ```

mod battleships;
mod drawing;
pub mod nmbr9;
mod polyomino;
mod region;
mod tiling;

pub use battleships::{
    Battleships, BattleshipsError, BattleshipsResult, Fleet, FleetError, GenerateError, Hint,
    ShipGrid, generate,
};
pub use drawing::{Drawing, DrawingError};
pub use polyomino::{PENTOMINOES, Polyomino};
pub use region::{Cell, CellError, Region, RegionError};
pub use tiling::{
    PUBLISHED_PENTOMINOES, ParsePiecesError, PublishedPentominoes, RegularBy, Scan, TilePiece,
    TilePieces, Tiling, TilingError, TilingModel, TilingOptions, TilingResult, UnsuitableTiling,
};
