//! A piece in a player's hand: turned, flipped and moved over the quilt before it is placed.

use patchwork_engine::board::{Orientation, Quilt, SIDE, ShapeId, Square};
use patchwork_engine::game::{Action, PatchId, Placement};

/// A patch or a special patch over a quilt, always inside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldPiece {
    patch: Option<PatchId>,
    orientation: u8,
    /// Column and row of the corner of its bounding box.
    corner: (usize, usize),
}

impl HeldPiece {
    /// A patch as drawn, in the top left corner.
    #[must_use]
    pub const fn patch(patch: PatchId) -> Self {
        Self {
            patch: Some(patch),
            orientation: 0,
            corner: (0, 0),
        }
    }

    /// A special patch in the top left corner.
    #[must_use]
    pub const fn special() -> Self {
        Self {
            patch: None,
            orientation: 0,
            corner: (0, 0),
        }
    }

    /// The patch; `None` for a special one.
    #[must_use]
    pub const fn which(&self) -> Option<PatchId> {
        self.patch
    }

    /// Another piece at the position of this one.
    #[must_use]
    pub fn replaced_by(&self, other: Self) -> Self {
        Self {
            corner: self.corner,
            ..other
        }
        .inside()
    }

    /// A patch in all its orientations.
    #[must_use]
    pub fn orientations(patch: PatchId) -> Vec<Self> {
        let count = patch.patch().shape().orientations().len() as u8;
        let turned = |orientation| Self {
            orientation,
            ..Self::patch(patch)
        };
        (0..count).map(turned).collect()
    }

    /// The index of its orientation among those of its shape.
    #[must_use]
    pub const fn orientation(&self) -> u8 {
        self.orientation
    }

    /// Its squares as columns and rows from the corner of its bounding box, in row-major order.
    #[must_use]
    pub fn cells(&self) -> Vec<(usize, usize)> {
        self.oriented().cells().collect()
    }

    fn shape(&self) -> ShapeId {
        self.patch
            .map_or(ShapeId::SINGLE, |patch| patch.patch().shape)
    }

    fn oriented(&self) -> &'static Orientation {
        &self.shape().shape().orientations()[usize::from(self.orientation)]
    }

    /// The same piece moved by this many columns and rows, but not beyond the board.
    #[must_use]
    pub fn moved(mut self, columns: isize, rows: isize) -> Self {
        let (column, row) = self.corner;
        self.corner = (
            column.saturating_add_signed(columns),
            row.saturating_add_signed(rows),
        );
        self.inside()
    }

    fn inside(mut self) -> Self {
        let (columns, rows) = self.oriented().size();
        self.corner.0 = self.corner.0.min(SIDE - columns);
        self.corner.1 = self.corner.1.min(SIDE - rows);
        self
    }

    /// The same piece after a quarter turn to the right.
    #[must_use]
    pub fn turned(mut self) -> Self {
        self.orientation = self.shape().shape().turned(self.orientation);
        self.inside()
    }

    /// The same piece with left and right swapped.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.orientation = self.shape().shape().flipped(self.orientation);
        self.inside()
    }

    /// The squares it lies on.
    #[must_use]
    pub fn squares(&self) -> Quilt {
        let (column, row) = self.corner;
        let cells = self.oriented().cells();
        cells
            .map(|(columns, rows)| Square::at(column + columns, row + rows))
            .collect()
    }

    /// The action that places it here.
    #[must_use]
    pub fn action(&self) -> Action {
        let squares = self.squares();
        let special = Square::at(self.corner.0, self.corner.1);
        match self.patch {
            None => Action::Special(special),
            Some(patch) => Placement::new(patch, squares)
                .map_or(Action::Special(special), |placement| {
                    Action::Buy(patch, placement)
                }),
        }
    }

    /// The piece that an action has placed.
    #[must_use]
    pub fn of(action: Action) -> Option<Self> {
        let (patch, orientation) = match action {
            Action::Advance => return None,
            Action::Special(_) => (None, 0),
            Action::Buy(patch, placement) => (Some(patch), placement.orientation()),
        };
        let squares = action.squares();
        let columns = squares.squares().map(Square::column).min()?;
        let rows = squares.squares().map(Square::row).min()?;
        Some(Self {
            patch,
            orientation,
            corner: (columns, rows),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_flips_reach_every_orientation_and_come_back() {
        for patch in PatchId::all() {
            let start = HeldPiece::patch(patch).moved(4, 5);
            let mut seen: Vec<u8> = Vec::new();
            let mut piece = start;
            for _ in 0..2 {
                for _ in 0..4 {
                    seen.push(piece.orientation);
                    piece = piece.turned();
                }
                piece = piece.flipped();
            }
            assert_eq!(piece.orientation, start.orientation, "patch {patch}");
            seen.sort_unstable();
            seen.dedup();
            let all = patch.patch().shape().orientations().len();
            assert_eq!(seen.len(), all, "patch {patch}");
        }
    }

    #[test]
    fn a_piece_stays_inside_and_places_what_it_covers() {
        for patch in PatchId::all() {
            let mut piece = HeldPiece::patch(patch);
            for (columns, rows) in [(0, 0), (100, 0), (0, 100), (-3, -2), (-100, 50), (1, -100)] {
                piece = piece.moved(columns, rows).turned();
                let size = patch.patch().shape().size();
                assert_eq!(piece.squares().len(), size);
                let Action::Buy(bought, placement) = piece.action() else {
                    panic!("patch {patch} is bought");
                };
                assert_eq!(bought, patch);
                assert_eq!(placement.squares(patch.patch().shape), piece.squares());
                assert_eq!(HeldPiece::of(piece.action()), Some(piece));
            }
        }
        let special = HeldPiece::special().moved(3, 20);
        assert_eq!(special.action().to_string(), "S:d9");
        assert_eq!(HeldPiece::of(special.action()), Some(special));
        assert_eq!(HeldPiece::of(Action::Advance), None);
        let long = HeldPiece::patch(PatchId::new(20).expect("a patch")).moved(0, 8);
        assert_eq!(
            special.replaced_by(long).squares().to_string(),
            "d9e9f9g9h9"
        );
    }
}
