//! The input of a strategy: a quilt, a shape to place, and the patches that may follow.

use crate::board::{Quilt, SHAPE_COUNT, SQUARES, ShapeId};
use crate::game::{PATCH_COUNT, PatchId, Setup, State};

/// Numbers of squares by shape, with one more so that they fill whole registers.
pub(super) type LostSquares = [u8; SHAPE_COUNT + 1];

/// The patches that may still be placed on a board, not including the one being placed: the number
/// of patches of each shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// By shape, as long as [`LostSquares`].
    counts: [u8; SHAPE_COUNT + 1],
}

impl Available {
    /// No patches.
    pub const NONE: Self = Self {
        counts: [0; SHAPE_COUNT + 1],
    };

    /// Adds a patch of this shape.
    #[inline(always)]
    pub const fn add(&mut self, shape: ShapeId) {
        self.counts[shape.index()] += 1;
    }

    /// Removes a patch of this shape.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub const fn remove(&mut self, shape: ShapeId) {
        assert!(self.counts[shape.index()] > 0, "no patch has the shape");
        self.counts[shape.index()] -= 1;
    }

    /// Removes the patches of this shape and returns how many there were.
    pub(crate) const fn remove_all(&mut self, shape: ShapeId) -> u8 {
        std::mem::replace(&mut self.counts[shape.index()], 0)
    }

    /// The number of patches with this shape.
    #[inline(always)]
    pub const fn count(&self, shape: ShapeId) -> u8 {
        self.counts[shape.index()]
    }

    /// Sum of these numbers over all patches, where `numbers` has one for each shape.
    pub(super) fn weighted_sum(&self, numbers: &LostSquares) -> u16 {
        let products = self.counts.iter().zip(numbers);
        products
            .map(|(&count, &number)| u16::from(count) * u16::from(number))
            .sum()
    }

    #[inline(always)]
    pub(super) const fn count_at(&self, shape: usize) -> u8 {
        self.counts[shape]
    }

    /// The patches that remain in a game when a patch of this shape is being placed: the patches in
    /// the ring and the special patches on the track or waiting, without the one being placed.
    pub fn in_game(setup: &Setup, state: &State, placed: ShapeId) -> Self {
        let mut available = Self::NONE;
        let mut ring = state.ring_mask();
        while ring != 0 {
            let patch = setup.patch_at(ring.trailing_zeros() as usize);
            available.add(patch.patch().shape);
            ring &= ring - 1;
        }
        let specials = state.specials_on_track() as u8 + state.specials_waiting();
        available.counts[ShapeId::SINGLE.index()] += specials;
        available.counts[placed.index()] -= 1;
        available
    }
}

impl FromIterator<ShapeId> for Available {
    fn from_iter<I: IntoIterator<Item = ShapeId>>(shapes: I) -> Self {
        let mut available = Self::NONE;
        shapes.into_iter().for_each(|shape| available.add(shape));
        available
    }
}

/// A shape to place on a quilt.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    quilt: Quilt,
    shape: ShapeId,
    future: Future<'a>,
}

/// Most strategies never use the patches that may follow, so in a game these are computed on
/// demand.
#[derive(Clone, Copy, Debug)]
enum Future<'a> {
    Known(Available),
    OfGame(&'a Setup, &'a State),
}

impl<'a> Problem<'a> {
    /// The problem of placing `shape` on `quilt` when the patches `available` may follow.
    pub const fn new(quilt: Quilt, shape: ShapeId, available: Available) -> Self {
        Self {
            quilt,
            shape,
            future: Future::Known(available),
        }
    }

    /// The mover's problem of placing a patch from the ring.
    #[inline(always)]
    pub const fn patch(setup: &'a Setup, state: &'a State, patch: PatchId) -> Self {
        Self::in_game(setup, state, patch.patch().shape)
    }

    /// The mover's problem of placing a waiting special patch.
    #[inline(always)]
    pub const fn special(setup: &'a Setup, state: &'a State) -> Self {
        Self::in_game(setup, state, ShapeId::SINGLE)
    }

    #[inline(always)]
    pub(crate) const fn in_game(setup: &'a Setup, state: &'a State, shape: ShapeId) -> Self {
        Self {
            quilt: state.quilt(state.mover()),
            shape,
            future: Future::OfGame(setup, state),
        }
    }

    /// The same problem with the restriction that these squares must not be covered.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn avoiding(self, squares: Quilt) -> Self {
        Self {
            quilt: self.quilt.union(squares),
            ..self
        }
    }

    /// A number that identifies the problem among all problems of games on one setup; `None` outside a game.
    #[inline]
    pub fn key(&self) -> Option<u128> {
        let Future::OfGame(_, state) = self.future else {
            return None;
        };
        // 81 bits of the quilt, 33 of the ring, 5 of the shape; at most five special patches are left.
        let specials = state.specials_on_track() + u32::from(state.specials_waiting());
        let small = (self.shape.index() as u128) | u128::from(specials) << 5 | 1 << 8;
        Some(
            self.quilt.bits()
                | u128::from(state.ring_mask()) << SQUARES
                | small << (SQUARES + PATCH_COUNT),
        )
    }

    /// A number that identifies the quilt and the shape.
    #[inline]
    pub const fn quilt_key(&self) -> u128 {
        self.quilt.bits() | (1 + self.shape.index() as u128) << SQUARES
    }

    /// The squares that are already covered.
    #[inline(always)]
    pub const fn quilt(&self) -> Quilt {
        self.quilt
    }

    /// The shape to place.
    #[inline(always)]
    pub const fn shape(&self) -> ShapeId {
        self.shape
    }

    /// The patches that may follow.
    pub fn available(&self) -> Available {
        match self.future {
            Future::Known(available) => available,
            Future::OfGame(setup, state) => Available::in_game(setup, state, self.shape),
        }
    }
}
