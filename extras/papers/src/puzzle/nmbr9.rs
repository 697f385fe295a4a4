//! Nmbr9: numbers as polyominoes, laid on top of each other (the paper "Nmbr9 as a Constraint
//! Programming Challenge", 2020).
//!
//! All cards are placed, each on a level. A level is connected after each placement; a part above the
//! first level is fully supported by the level below and rests on at least two different parts. Parts
//! are rotated, not flipped. The score is the sum of the values times the level less one.
//!
//! - [`solve`]: the best layout of a variant whose draft is free or known, with proof where possible. A
//!   proof tries splits of the cards into levels by descending score; for each of them, levels are built
//!   from the top down.
//! - [`BeamSettings`]: those of a beam search, which finds high scores of free drafts too large for that.
//! - [`Layout::check`]: an independent check of the rules.
//! - [`NmbrModel`]: the paper's constraint model, for small variants.
//!
//! ```
//! use patchwork_papers::puzzle::nmbr9::{NmbrVariant, solve};
//! use patchwork_engine::search::Stop;
//!
//! let variant = NmbrVariant {
//!     deck: Some(NmbrVariant::parse_deck("4 3 2 1", 4)?),
//!     max_value: 4,
//!     copies: 1,
//!     cards: 4,
//!     grid: 8,
//!     levels: 3,
//! };
//! let optimum = solve(&variant, &[], &Stop::new(), &mut |_, _| ())?;
//! let layout = optimum.layout.expect("all cards can be placed");
//! assert!(optimum.proven);
//! assert_eq!(layout.check(variant.usable()), Ok(2));
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod beam;
mod cover;
mod exact;
mod hand;
mod layout;
mod model;
mod part;
mod plane;
mod solve;
mod tower;
mod variant;

pub use beam::BeamSettings;
pub use exact::Optimum;
pub use layout::{Layout, LayoutFault, PlacedPart};
pub use model::NmbrModel;
pub use part::{Part, Turn};
pub use solve::solve;
pub use variant::NmbrVariant;
