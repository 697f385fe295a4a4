//! All ways to put a level below another that waste only a few squares.

use super::hand::RemainingParts;
use super::layout::PlacedPart;
use super::part::{MAX_EXTENT, Part};
use super::plane::Plane;

/// Rows and columns of the window in which covers are searched.
const WINDOW: usize = 16;

/// Squares of the window as bits, row by row.
type Window = [u64; 4];

fn bit(row: usize, column: usize) -> (usize, u64) {
    let place = row * WINDOW + column;
    (place / 64, 1 << (place % 64))
}

/// A placement that covers part of the level above.
struct CoverPlacement {
    squares: Window,
    placed: PlacedPart,
    covered: u32,
    wasted: u32,
}

/// A search for the covers of a level.
struct Cover<'a> {
    above: Window,
    /// For each square of the window, the placements that cover it, least waste first.
    candidates: Vec<Vec<CoverPlacement>>,
    left: RemainingParts,
    /// Number of cards that may still be used.
    cards: u32,
    /// Number of squares that may be wasted.
    waste: u32,
    laid: Vec<PlacedPart>,
    visit: &'a mut dyn FnMut(&[PlacedPart]),
}

/// Calls `visit` with every cover of a level by at most `cards` parts of the hand that wastes at most `waste`
/// squares. A level too long for the window has none.
pub(super) fn covers(
    upper: &[PlacedPart],
    plane: &Plane,
    (hand, cards, waste): (RemainingParts, u32, u32),
    visit: &mut dyn FnMut(&[PlacedPart]),
) {
    let (height, width) = plane.extent();
    let margin = MAX_EXTENT - 1;
    if height.max(width) + 2 * margin > WINDOW {
        return;
    }
    let top = plane.span().0 - margin;
    let left = plane.columns().trailing_zeros() as usize - margin;
    let mut above = Window::default();
    for row in 0..WINDOW {
        for column in 0..WINDOW {
            if row + top < 64 && plane.row(row + top) >> (column + left) & 1 == 1 {
                let (word, bit) = bit(row, column);
                above[word] |= bit;
            }
        }
    }
    let mut candidates: Vec<Vec<CoverPlacement>> = Vec::new();
    candidates.resize_with(WINDOW * WINDOW, Vec::new);
    for part in Part::up_to(9).filter(|&part| hand.has(part)) {
        for (t, turn) in part.turns().iter().enumerate() {
            for row in 0..=WINDOW - usize::from(turn.height) {
                for column in 0..=WINDOW - usize::from(turn.width) {
                    let mut squares = Window::default();
                    for &(r, c) in &turn.cells {
                        let (word, bit) = bit(row + usize::from(r), column + usize::from(c));
                        squares[word] |= bit;
                    }
                    let covered: u32 = (0..4).map(|i| (squares[i] & above[i]).count_ones()).sum();
                    let wasted = part.area() - covered;
                    if covered == 0 || wasted > waste {
                        continue;
                    }
                    let placed = PlacedPart {
                        part,
                        turn: t as u8,
                        level: 1,
                        row: (row + top) as u8,
                        column: (column + left) as u8,
                    };
                    if upper.iter().any(|upper| placed.holds_alone(upper)) {
                        continue;
                    }
                    for i in 0..4 {
                        let mut bits = squares[i] & above[i];
                        while bits != 0 {
                            let place = i * 64 + bits.trailing_zeros() as usize;
                            bits &= bits - 1;
                            candidates[place].push(CoverPlacement {
                                squares,
                                placed,
                                covered,
                                wasted,
                            });
                        }
                    }
                }
            }
        }
    }
    for list in &mut candidates {
        list.sort_by_key(|candidate| candidate.wasted);
    }
    let open = plane.area();
    let mut cover = Cover {
        above,
        candidates,
        left: hand,
        cards,
        waste,
        laid: Vec::new(),
        visit,
    };
    cover.search(Window::default(), open);
}

impl Cover<'_> {
    fn search(&mut self, own: Window, open: u32) {
        if open == 0 {
            (self.visit)(&self.laid);
            return;
        }
        if self.cards == 0 {
            return;
        }
        let first = (0..4).find_map(|i| {
            let bits = self.above[i] & !own[i];
            (bits != 0).then(|| i * 64 + bits.trailing_zeros() as usize)
        });
        let Some(place) = first else { return };
        let list = std::mem::take(&mut self.candidates[place]);
        for candidate in &list {
            if candidate.wasted > self.waste {
                break;
            }
            let hit = (0..4).fold(0, |hit, i| hit | candidate.squares[i] & own[i]);
            let part = candidate.placed.part;
            if hit != 0 || !self.left.has(part) {
                continue;
            }
            let union = [0, 1, 2, 3].map(|i| own[i] | candidate.squares[i]);
            self.left.take(part);
            self.waste -= candidate.wasted;
            self.cards -= 1;
            self.laid.push(candidate.placed);
            self.search(union, open - candidate.covered);
            self.laid.pop();
            self.cards += 1;
            self.waste += candidate.wasted;
            self.left.put(part);
        }
        self.candidates[place] = list;
    }
}
