//! What a strategy is asked: a quilt, a shape to place, and the patches that may follow.

use crate::board::{Quilt, SHAPE_COUNT, ShapeId};
use crate::game::{PatchId, Setup, State};

/// The patches that may still come to a board, without the one being placed: shapes with the number
/// of patches that have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Available {
    counts: [u8; SHAPE_COUNT],
}

impl Available {
    /// No patch at all.
    pub const NONE: Self = Self {
        counts: [0; SHAPE_COUNT],
    };

    /// Adds a patch of this shape.
    #[inline(always)]
    pub const fn add(&mut self, shape: ShapeId) {
        self.counts[shape.index()] += 1;
    }

    /// Removes a patch of this shape.
    ///
    /// # Panics
    /// When there is none.
    #[inline(always)]
    pub const fn remove(&mut self, shape: ShapeId) {
        assert!(self.counts[shape.index()] > 0, "no patch has the shape");
        self.counts[shape.index()] -= 1;
    }

    /// Removes the patches of this shape and says how many there were.
    pub const fn remove_all(&mut self, shape: ShapeId) -> u8 {
        std::mem::replace(&mut self.counts[shape.index()], 0)
    }

    /// How many patches have the shape.
    #[inline(always)]
    #[must_use]
    pub const fn count(&self, shape: ShapeId) -> u8 {
        self.counts[shape.index()]
    }

    /// How many patches have the shape with this index.
    #[inline(always)]
    pub(super) const fn count_at(&self, shape: usize) -> u8 {
        self.counts[shape]
    }

    /// What is left when a patch of this shape is being placed in a game: the patches in the ring
    /// and the special patches on the track or waiting, less the one placed.
    #[must_use]
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

/// Most strategies never ask what may follow, so in a game it is looked up on demand.
#[derive(Clone, Copy, Debug)]
enum Future<'a> {
    Known(Available),
    OfGame(&'a Setup, &'a State),
}

impl<'a> Problem<'a> {
    /// The problem of placing `shape` on `quilt` when `available` may follow.
    #[must_use]
    pub const fn new(quilt: Quilt, shape: ShapeId, available: Available) -> Self {
        Self {
            quilt,
            shape,
            future: Future::Known(available),
        }
    }

    /// The mover's problem of placing a patch of the ring.
    #[inline(always)]
    #[must_use]
    pub const fn patch(setup: &'a Setup, state: &'a State, patch: PatchId) -> Self {
        Self {
            quilt: state.quilt(state.mover()),
            shape: patch.patch().shape,
            future: Future::OfGame(setup, state),
        }
    }

    /// The mover's problem of placing a special patch that waits.
    #[inline(always)]
    #[must_use]
    pub const fn special(setup: &'a Setup, state: &'a State) -> Self {
        Self {
            quilt: state.quilt(state.mover()),
            shape: ShapeId::SINGLE,
            future: Future::OfGame(setup, state),
        }
    }

    /// The same problem where these squares must not be covered.
    #[inline(always)]
    #[must_use]
    pub const fn avoiding(self, squares: Quilt) -> Self {
        Self {
            quilt: self.quilt.union(squares),
            ..self
        }
    }

    /// The squares covered already.
    #[inline(always)]
    #[must_use]
    pub const fn quilt(&self) -> Quilt {
        self.quilt
    }

    /// The shape to place.
    #[inline(always)]
    #[must_use]
    pub const fn shape(&self) -> ShapeId {
        self.shape
    }

    /// The patches that may follow.
    #[must_use]
    pub fn available(&self) -> Available {
        match self.future {
            Future::Known(available) => available,
            Future::OfGame(setup, state) => Available::in_game(setup, state, self.shape),
        }
    }
}
