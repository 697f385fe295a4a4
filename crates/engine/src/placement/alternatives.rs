//! A list of placements with a fixed capacity, which never allocates.

use crate::board::{MAX_ORIENTATIONS, Quilt, Square};
use crate::game::Placement;

/// An upper bound on the number of placements of a shape: 8 orientations with 56 positions each.
pub(super) const MAX_ALTERNATIVES: usize = 448;

/// The placements that a policy has generated, in the order of generation.
#[derive(Clone, Debug)]
pub struct Alternatives {
    placements: [Placement; MAX_ALTERNATIVES],
    len: usize,
}

impl Default for Alternatives {
    fn default() -> Self {
        Self {
            placements: [Placement::inside(0, Square::at(0, 0)); MAX_ALTERNATIVES],
            len: 0,
        }
    }
}

impl Alternatives {
    /// Appends a placement.
    ///
    /// # Panics
    /// If the list already has 448 placements, which is more than a shape has.
    #[inline(always)]
    pub fn push(&mut self, placement: Placement) {
        self.placements[self.len] = placement;
        self.len += 1;
    }

    /// Removes all placements.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes duplicates, keeping the first of equal placements.
    pub fn drop_repeated(&mut self) {
        let mut seen = [Quilt::EMPTY; MAX_ORIENTATIONS];
        let mut kept = 0;
        for i in 0..self.len {
            let placement = self.placements[i];
            let known = &mut seen[placement.orientation() as usize];
            if !known.contains(placement.anchor()) {
                *known = known.union(Quilt::of(placement.anchor()));
                self.placements[kept] = placement;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The placements in order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Placement] {
        &self.placements[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SHAPES;

    #[test]
    fn no_shape_has_more_placements() {
        let most = SHAPES
            .iter()
            .map(|shape| shape.orientations().iter().map(|o| o.inside().len()).sum())
            .max();
        assert_eq!(most, Some(MAX_ALTERNATIVES as u32));
    }
}
