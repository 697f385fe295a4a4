//! The pieces and the board, and mistakes found before the search.

use std::str::FromStr;

use patchwork_engine::util::InputError;

use crate::puzzle::drawing::Drawing;
use crate::puzzle::polyomino::{PENTOMINOES, Polyomino};
use crate::puzzle::region::Region;

/// A piece and its number of copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilePiece {
    /// The letter of the piece in layouts.
    pub(super) label: char,
    pub(super) shape: Polyomino,
    /// The number of copies, 1 or more.
    pub copies: usize,
}

/// Different pieces, the harder ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilePieces(Vec<TilePiece>);

impl TilePieces {
    /// The maximum number of different pieces.
    const MOST: usize = 62;
    const MAX_COPIES: usize = 1024;

    /// The twelve pentominoes.
    pub fn pentominoes() -> Self {
        let named = PENTOMINOES.iter().filter_map(|&(label, _)| {
            Some(TilePiece {
                label,
                shape: Polyomino::pentomino(label)?,
                copies: 1,
            })
        });
        Self(named.collect())
    }

    /// Adds copies of a piece, to those of a congruent piece if there is one.
    fn add(&mut self, label: Option<char>, shape: Polyomino, copies: usize) -> bool {
        let known = |piece: &&mut TilePiece| piece.shape.is_congruent(&shape);
        if let Some(piece) = self.0.iter_mut().find(known) {
            piece.copies += copies;
            return true;
        }
        let letters = ('A'..='Z').chain('a'..='z').chain('0'..='9');
        let mut free = letters.filter(|letter| {
            // The pentominoes keep their letters.
            let is_named = PENTOMINOES.iter().any(|(name, _)| name == letter);
            !is_named && self.0.iter().all(|piece| piece.label != *letter)
        });
        match label.or_else(|| free.next()) {
            Some(label) if self.0.len() < Self::MOST => {
                self.0.push(TilePiece {
                    label,
                    shape,
                    copies,
                });
                true
            }
            _ => false,
        }
    }
}

impl FromStr for TilePieces {
    type Err = InputError;

    /// Reads pieces separated by commas: the letter of a pentomino or a drawing such as `XX/.X`, with
    /// the number of copies in front, as in `30*XX`.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut pieces = Self(Vec::new());
        for part in text.split(',') {
            let (copies, name) = part.split_once('*').unwrap_or(("1", part));
            let number: Option<usize> = copies.parse().ok();
            let number = number.filter(|n| (1..=Self::MAX_COPIES).contains(n));
            let copies = number.ok_or_else(|| {
                InputError::new(format!(
                    "'{copies}' is not a number of copies; expected 1 to {}",
                    Self::MAX_COPIES
                ))
            })?;
            let mut letters = name.chars();
            let letter = letters.next().filter(|_| letters.next().is_none());
            let pentomino = letter.and_then(|l| Some((l, Polyomino::pentomino(l)?)));
            let fits = match pentomino {
                Some((label, shape)) => pieces.add(Some(label), shape, copies),
                None => {
                    let drawing = name.parse::<Drawing>().map_err(|_| {
                        InputError::new(format!(
                            "'{name}' is not a piece; expected one of L F T W Y I Z N P U X V, or a drawing such as XX/.X"
                        ))
                    })?;
                    if !drawing.is_connected() {
                        return Err(InputError::new(format!(
                            "'{name}' is not a piece; its squares are not connected"
                        )));
                    }
                    let shape = Polyomino::new(&drawing);
                    let named = PENTOMINOES.iter().filter_map(|&(label, _)| {
                        let same = Polyomino::pentomino(label)?.is_congruent(&shape);
                        same.then_some(label)
                    });
                    let label = named.into_iter().next();
                    pieces.add(label, shape, copies)
                }
            };
            if !fits {
                return Err(InputError::new(format!(
                    "there are more than {} different pieces",
                    Self::MOST
                )));
            }
        }
        Ok(pieces)
    }
}

/// Pieces, and the region to be filled.
#[derive(Clone, Debug)]
pub struct Tiling {
    region: Region,
    pieces: Vec<TilePiece>,
}

impl Tiling {
    /// The problem of filling a region with pieces.
    pub fn new(region: Region, pieces: TilePieces) -> Result<Self, InputError> {
        let TilePieces(pieces) = pieces;
        let area = |piece: &TilePiece| piece.shape.area() * piece.copies;
        let total: usize = pieces.iter().map(area).sum();
        if total != region.area() {
            return Err(InputError::new(format!(
                "the pieces have {total} squares and the board has {}; expected the same number",
                region.area()
            )));
        }
        let sizes: Vec<(usize, usize)> = pieces
            .iter()
            .map(|piece| (piece.shape.area(), piece.copies))
            .collect();
        if let Some(&part) = region.parts().iter().find(|&&part| !is_sum(&sizes, part)) {
            return Err(InputError::new(format!(
                "the holes cut off a part of {part} squares; no choice of the pieces has that many squares"
            )));
        }
        let mut misfits = pieces.iter();
        if let Some(piece) = misfits.find(|piece| piece.shape.placements(&region).is_empty()) {
            return Err(InputError::new(format!(
                "piece {} does not fit on the board anywhere",
                piece.label
            )));
        }
        Ok(Self { region, pieces })
    }

    /// The region.
    pub const fn region(&self) -> &Region {
        &self.region
    }

    /// The pieces.
    pub fn pieces(&self) -> &[TilePiece] {
        &self.pieces
    }

    /// The piece to which a copy in a layout belongs.
    fn piece(&self, copy: u16) -> Option<&TilePiece> {
        let mut first = 0;
        self.pieces.iter().find(|piece| {
            first += piece.copies;
            usize::from(copy) < first
        })
    }

    /// The number of the first copy of each piece.
    pub(super) fn first_copies(&self) -> Vec<u16> {
        let mut first = 0;
        let of_piece = |piece: &TilePiece| {
            first += piece.copies as u16;
            first - piece.copies as u16
        };
        self.pieces.iter().map(of_piece).collect()
    }

    /// A layout as text: for each square the label of its piece, `.` for a hole.
    pub fn picture(&self, layout: &[u16]) -> Vec<String> {
        let label = |&copy: &u16| self.piece(copy).map_or('.', |piece| piece.label);
        let rows = layout.chunks(self.region.columns());
        rows.map(|row| row.iter().map(label).collect()).collect()
    }

    /// Label and squares of each copy in a layout, by first square.
    pub fn placed(&self, layout: &[u16]) -> Vec<(char, Vec<usize>)> {
        let mut copies: Vec<(u16, Vec<usize>)> = Vec::new();
        for (square, &copy) in layout.iter().enumerate() {
            match copies.iter_mut().find(|(known, _)| *known == copy) {
                Some((_, squares)) => squares.push(square),
                None => copies.push((copy, vec![square])),
            }
        }
        let named = copies.into_iter().filter_map(|(copy, squares)| {
            let piece = self.piece(copy)?;
            Some((piece.label, squares))
        });
        named.collect()
    }

    /// Whether a layout is a solution: every copy of a piece is on the board, possibly rotated or flipped.
    /// Shares no code with the searches.
    pub fn is_solved_by(&self, layout: &[u16]) -> bool {
        let copies: usize = self.pieces.iter().map(|piece| piece.copies).sum();
        let mut squares = layout.iter().enumerate();
        let holes = squares.all(|(square, &copy)| {
            square < self.region.squares()
                && self.region.is_open(square) == (usize::from(copy) < copies)
        });
        holes
            && layout.len() == self.region.squares()
            && (0..copies as u16).all(|copy| {
                let mine = layout.iter().enumerate().filter(|(_, of)| **of == copy);
                let cells = mine.map(|(square, _)| {
                    let columns = self.region.columns();
                    (square / columns, square % columns)
                });
                let (piece, drawing) = (self.piece(copy), Drawing::new(cells));
                piece
                    .zip(drawing.ok())
                    .is_some_and(|(piece, drawing)| piece.shape.orientations().contains(&drawing))
            })
    }
}

/// Whether some of these sizes, each with its number of copies, sum to the total.
fn is_sum(sizes: &[(usize, usize)], total: usize) -> bool {
    let mut sums = vec![false; total + 1];
    sums[0] = true;
    for &(size, copies) in sizes {
        for _ in 0..copies {
            for sum in (size..=total).rev() {
                sums[sum] |= sums[sum - size];
            }
        }
    }
    sums[total]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::region::parse_square;

    #[test]
    fn pieces_are_read() {
        let pieces: TilePieces = "L,3*XX,XX/X.,X,.X/XX,#".parse().expect("pieces");
        let facts: Vec<(char, usize, usize)> = pieces
            .0
            .iter()
            .map(|piece| (piece.label, piece.shape.area(), piece.copies))
            .collect();
        assert_eq!(
            facts,
            [
                ('L', 5, 1),
                ('A', 2, 3),
                ('B', 3, 2),
                ('X', 5, 1),
                ('C', 1, 1)
            ]
        );
        for (text, error) in [
            ("Q", "'Q' is not a piece; expected one of"),
            ("L,", "'' is not a piece; expected one of"),
            ("0*L", "'0' is not a number of copies"),
            ("X.X", "'X.X' is not a piece; its squares are not connected"),
        ] {
            let found = text.parse::<TilePieces>().expect_err(text).to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn what_cannot_be_filled_is_said_before_searching() {
        let new = |rows, columns, holes: &str, pieces: &str| {
            let holes = holes.split(',').filter_map(|name| parse_square(name).ok());
            let region = Region::new(rows, columns).expect("a size");
            let region = region
                .with_holes(&holes.collect::<Vec<_>>())
                .expect("holes");
            let tiling = Tiling::new(region, pieces.parse().expect("pieces"));
            tiling
                .err()
                .map_or(String::new(), |error| error.to_string())
        };
        let area = "the pieces have 10 squares and the board has 9; expected the same number";
        assert_eq!(new(3, 3, "", "L,V"), area);
        let part =
            "the holes cut off a part of 3 squares; no choice of the pieces has that many squares";
        assert_eq!(new(3, 5, "b1,b2,b3", "P,U,XX"), part);
        let unplaceable = "piece X does not fit on the board anywhere";
        assert_eq!(new(2, 5, "", "X,P"), unplaceable);
        assert_eq!(new(2, 5, "", "P,P"), "");
    }

    #[test]
    fn sums_use_each_copy_once() {
        let sizes = [(5, 2), (3, 1)];
        let reached: Vec<usize> = (0..15).filter(|&total| is_sum(&sizes, total)).collect();
        assert_eq!(reached, [0, 3, 5, 8, 10, 13]);
    }
}
