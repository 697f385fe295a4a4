//! Pieces that may be rotated and flipped.

use patchwork_engine::board::Transform;

use super::drawing::Drawing;
use super::region::Region;

/// The twelve pentominoes in the order of the 2008 paper, which tries harder pieces first.
pub(super) const PENTOMINOES: [(char, &str); 12] = [
    ('L', "XXXX/X..."),
    ('F', ".XX/XX./.X."),
    ('T', "XXX/.X./.X."),
    ('W', "X../XX./.XX"),
    ('Y', "XXXX/.X.."),
    ('I', "XXXXX"),
    ('Z', "XX./.X./.XX"),
    ('N', "XXX./..XX"),
    ('P', "XX/XX/X."),
    ('U', "X.X/XXX"),
    ('X', ".X./XXX/.X."),
    ('V', "X../X../XXX"),
];

/// A piece: a drawing and its distinct rotations and reflections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polyomino {
    orientations: Vec<Drawing>,
}

impl Polyomino {
    pub(super) fn new(drawing: &Drawing) -> Self {
        Self {
            orientations: drawing.distinct(&Transform::ALL),
        }
    }

    /// One of the twelve pentominoes, by its letter.
    pub(super) fn pentomino(letter: char) -> Option<Self> {
        let (_, literal) = PENTOMINOES.iter().find(|(name, _)| *name == letter)?;
        literal.parse().ok().map(|drawing| Self::new(&drawing))
    }

    /// The distinct orientations, at least one.
    pub(super) fn orientations(&self) -> &[Drawing] {
        &self.orientations
    }

    pub(super) fn area(&self) -> usize {
        self.orientations[0].area()
    }

    /// Whether two pieces are the same up to rotations and reflections.
    pub(super) fn is_congruent(&self, other: &Self) -> bool {
        self.orientations.contains(&other.orientations[0])
    }

    /// All placements of the piece on the open squares of a region: the squares of each in ascending order,
    /// orientation by orientation.
    pub(super) fn placements(&self, region: &Region) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for drawing in &self.orientations {
            for row in 0..(region.rows() + 1).saturating_sub(drawing.rows()) {
                for column in 0..(region.columns() + 1).saturating_sub(drawing.columns()) {
                    let place = |&(r, c): &(usize, usize)| region.square(row + r, column + c);
                    let squares: Vec<usize> = drawing.cells().iter().map(place).collect();
                    if squares.iter().all(|&square| region.is_open(square)) {
                        all.push(squares);
                    }
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pentominoes_are_twelve_different_pieces() {
        let pieces: Vec<Polyomino> = PENTOMINOES
            .iter()
            .filter_map(|&(letter, _)| Polyomino::pentomino(letter))
            .collect();
        assert_eq!(pieces.len(), 12);
        for (i, piece) in pieces.iter().enumerate() {
            assert_eq!(piece.area(), 5);
            assert!(piece.orientations().iter().all(Drawing::is_connected));
            assert!(pieces[..i].iter().all(|other| !piece.is_congruent(other)));
        }
        // The 63 fixed pentominoes.
        let fixed: usize = pieces.iter().map(|piece| piece.orientations().len()).sum();
        assert_eq!(fixed, 63);
        // Golomb, Polyominoes: 2056 placements on the 6x10 board.
        let region = Region::new(6, 10).expect("a region");
        let count = |piece: &Polyomino| piece.placements(&region).len();
        assert_eq!(pieces.iter().map(count).sum::<usize>(), 2056);
        let [l, p] = ['L', 'P'].map(|letter| Polyomino::pentomino(letter).expect("a letter"));
        assert_eq!((l.orientations().len(), count(&l)), (8, 248));
        assert_eq!((p.area(), p.orientations().len()), (5, 8));
    }
}
