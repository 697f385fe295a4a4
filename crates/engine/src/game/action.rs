//! Actions, and the reasons for which they can be illegal.

use super::patch::PatchId;
use crate::board::{Quilt, Shape, ShapeId, Square, Words};
use crate::util::InputError;

/// The position of a shape on a quilt: the index of its orientation, and the square of its first square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    orientation: u8,
    anchor: Square,
}

impl Placement {
    /// The placement of a patch on exactly these squares.
    ///
    /// ```
    /// use patchwork_engine::board::Square;
    /// use patchwork_engine::game::{PatchId, Placement};
    ///
    /// let domino = PatchId::new(1).expect("1 to 33");
    /// let on = |squares: [&str; 2]| squares.iter().map(|s| s.parse::<Square>().unwrap()).collect();
    /// assert_eq!(Placement::new(domino, on(["a1", "a2"]))?.anchor(), "a1".parse().unwrap());
    /// let error = Placement::new(domino, on(["a1", "b2"])).unwrap_err();
    /// assert_eq!(error.to_string(), "the squares a1b2 do not form patch 1 (XX)");
    /// # Ok::<(), patchwork_engine::util::InputError>(())
    /// ```
    pub fn new(patch: PatchId, squares: Quilt) -> Result<Self, InputError> {
        let orientations = patch.patch().shape().orientations().iter();
        let fit = squares.first().and_then(|anchor| {
            let mut indexed = orientations.zip(0..);
            let (_, index) = indexed.find(|(o, _)| o.try_place(anchor) == Some(squares))?;
            Some(Self::inside(index, anchor))
        });
        fit.ok_or_else(|| {
            let literal = patch.patch().shape().literal();
            InputError::new(format!(
                "the squares {squares} do not form patch {patch} ({literal})"
            ))
        })
    }

    /// The placement of an orientation of `shape` at an anchor; `None` if the shape has no such orientation
    /// or would extend beyond the board.
    pub fn oriented(shape: ShapeId, orientation: u8, anchor: Square) -> Option<Self> {
        let oriented = shape.shape().orientations().get(orientation as usize)?;
        oriented.inside().contains(anchor).then_some(Self {
            orientation,
            anchor,
        })
    }

    /// The placement of an orientation at an anchor that is known to be inside.
    #[inline(always)]
    pub const fn inside(orientation: u8, anchor: Square) -> Self {
        Self {
            orientation,
            anchor,
        }
    }

    /// Every placement of a shape on these free squares, by orientation and anchor.
    #[inline]
    pub fn all(shape: &'static Shape, free: Words) -> impl Iterator<Item = Self> {
        let orientations = shape.orientations().iter().zip(0..);
        orientations.flat_map(move |(orientation, index)| {
            let anchors = orientation.anchors_in(free).squares();
            anchors
                .squares()
                .map(move |anchor| Self::inside(index, anchor))
        })
    }

    /// Index among the shape's orientations, 0 to 7.
    pub const fn orientation(self) -> u8 {
        self.orientation
    }

    /// The first square in row-major order.
    pub const fn anchor(self) -> Square {
        self.anchor
    }

    /// The squares that `shape` covers in this placement.
    #[inline(always)]
    pub fn squares(self, shape: ShapeId) -> Quilt {
        shape.shape().orientations()[self.orientation as usize].place(self.anchor)
    }
}

/// A decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Move in front of the opponent, receiving one button per space.
    Advance,
    /// Buy a patch and place it.
    Buy(PatchId, Placement),
    /// Place a special patch.
    Special(Square),
}

impl Action {
    /// The squares that it covers.
    pub fn squares(self) -> Quilt {
        match self {
            Self::Advance => Quilt::EMPTY,
            Self::Buy(patch, placement) => placement.squares(patch.patch().shape),
            Self::Special(square) => Quilt::of(square),
        }
    }
}

/// Why an action is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalAction {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// A special patch must be placed before anything else.
    #[error("a special patch waits to be placed")]
    SpecialWaits,
    /// No special patch waits to be placed.
    #[error("no special patch waits to be placed")]
    NoSpecialWaits,
    /// The patch is not one of the next three in the ring.
    #[error("patch {0} is not on offer")]
    NotOnOffer(PatchId),
    /// The patch costs more buttons than the player has.
    #[error("patch {patch} costs {cost} buttons, but the player has {buttons}")]
    TooDear {
        /// The requested patch.
        patch: PatchId,
        /// Its price.
        cost: u8,
        /// The player's buttons.
        buttons: u16,
    },
    /// A square is already covered.
    #[error("{0} is already covered")]
    Covered(Square),
}
