//! Whether given parts fit on given levels: levels are built from the top down, each covering the one above.
//!
//! All parts of a level that reach under the level above touch a connected region and cover it, so they are
//! connected; the other parts are added beside them. The first square not yet covered determines which
//! placements are tried, so each cover is found once.

use patchwork_engine::search::Stop;

use super::layout::{Layout, PlacedPart};
use super::part::{Part, Turn, nestings};
use super::plane::{Plane, SIDE};

/// A card that lies on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TowerCard {
    pub(super) part: Part,
    /// The position of the card in a known deck.
    pub(super) time: Option<u8>,
}

/// A part in the plane.
#[derive(Clone, Copy, Debug)]
struct Laid {
    card: TowerCard,
    turn: u8,
    row: u8,
    column: u8,
}

impl Laid {
    fn turn(&self) -> &'static Turn {
        &self.card.part.turns()[usize::from(self.turn)]
    }
}

/// The rows and columns in use: first and last of each.
#[derive(Clone, Copy, Debug)]
struct TowerExtent {
    rows: (u8, u8),
    columns: (u8, u8),
}

impl TowerExtent {
    const NONE: Self = Self {
        rows: (u8::MAX, 0),
        columns: (u8::MAX, 0),
    };

    fn with(self, turn: &Turn, row: u8, column: u8) -> Self {
        let grown = |range: (u8, u8), first: u8, size: u8| {
            (range.0.min(first), range.1.max(first + size - 1))
        };
        Self {
            rows: grown(self.rows, row, turn.height),
            columns: grown(self.columns, column, turn.width),
        }
    }

    fn fits(self, usable: usize) -> bool {
        let size = |range: (u8, u8)| usize::from(range.1 + 1 - range.0);
        size(self.rows) <= usable && size(self.columns) <= usable
    }
}

/// A search for a layout of cards with given levels.
pub(super) struct Tower<'a> {
    /// The cards of each level, from the top down.
    levels: &'a [Vec<TowerCard>],
    usable: usize,
    stop: &'a Stop,
    planes: Vec<Plane>,
    laid: Vec<Vec<Laid>>,
    /// Number of placements tried.
    pub(super) nodes: u64,
    most_nodes: u64,
    /// Whether the search was stopped, so that finding nothing proves nothing.
    pub(super) stopped: bool,
}

impl<'a> Tower<'a> {
    pub(super) fn new(levels: &'a [Vec<TowerCard>], usable: usize, stop: &'a Stop) -> Self {
        Self {
            levels,
            usable,
            stop,
            planes: vec![Plane::default(); levels.len()],
            laid: vec![Vec::new(); levels.len()],
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
        }
    }

    /// Finds a layout, if there is one.
    pub(super) fn find(&mut self) -> Option<Layout> {
        let left = all(self.levels[0].len());
        // The board is square, so the first part of the top level need not be turned.
        let card = self.levels[0][0];
        let middle = (SIDE / 2 - 2) as u8;
        let first = Laid {
            card,
            turn: 0,
            row: middle,
            column: middle,
        };
        let extent = TowerExtent::NONE.with(first.turn(), middle, middle);
        if !extent.fits(self.usable) {
            return None;
        }
        self.lay(0, first);
        let found = self.extend(0, left & !1, extent, &mut Vec::new());
        found.then(|| self.layout())
    }

    /// Finds a layout of the second level below a given first level, within a number of placements.
    pub(super) fn find_below(&mut self, above: &[PlacedPart], most_nodes: u64) -> Option<Layout> {
        self.most_nodes = most_nodes;
        let mut extent = TowerExtent::NONE;
        for placed in above {
            let laid = Laid {
                card: TowerCard {
                    part: placed.part,
                    time: None,
                },
                turn: placed.turn,
                row: placed.row,
                column: placed.column,
            };
            extent = extent.with(laid.turn(), laid.row, laid.column);
            self.lay(0, laid);
        }
        self.descend(1, extent).then(|| self.unmoved())
    }

    fn layout(&self) -> Layout {
        let layout = self.unmoved().at_origin();
        let is_known = self.levels.iter().flatten().all(|card| card.time.is_some());
        if is_known {
            layout
        } else {
            layout.in_an_order()
        }
    }

    /// The layout at its position in the plane.
    fn unmoved(&self) -> Layout {
        let count = self.levels.len();
        let mut parts: Vec<(Option<u8>, PlacedPart)> = Vec::new();
        for (k, laid) in self.laid.iter().enumerate() {
            for one in laid {
                let placed = PlacedPart {
                    part: one.card.part,
                    turn: one.turn,
                    level: (count - k) as u8,
                    row: one.row,
                    column: one.column,
                };
                parts.push((one.card.time, placed));
            }
        }
        parts.sort_by_key(|&(time, _)| time);
        Layout {
            parts: parts.into_iter().map(|(_, placed)| placed).collect(),
        }
    }

    fn lay(&mut self, k: usize, laid: Laid) {
        let (row, column) = (laid.row.into(), laid.column.into());
        self.planes[k].add(laid.turn(), row, column);
        self.laid[k].push(laid);
    }

    fn lift(&mut self, k: usize) {
        if let Some(laid) = self.laid[k].pop() {
            let (row, column) = (laid.row.into(), laid.column.into());
            self.planes[k].remove(laid.turn(), row, column);
        }
    }

    fn is_stopped(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.most_nodes || self.nodes.is_multiple_of(1024) && self.stop.is_set() {
            self.stopped = true;
        }
        self.stopped
    }

    /// Covers the open squares below the level above, then continues. `left` are the cards not placed yet.
    fn cover(&mut self, k: usize, left: u32, extent: TowerExtent) -> bool {
        let above = &self.planes[k - 1];
        let Some((row, column)) = above.first_outside(&self.planes[k]) else {
            return self.extend(k, left, extent, &mut Vec::new());
        };
        for (i, card) in self.distinct(k, left) {
            for (t, turn) in card.part.turns().iter().enumerate() {
                for &(r, c) in &turn.cells {
                    let (Some(row), Some(column)) =
                        (row.checked_sub(r.into()), column.checked_sub(c.into()))
                    else {
                        continue;
                    };
                    if self.is_stopped() {
                        return false;
                    }
                    let laid = Laid {
                        card,
                        turn: t as u8,
                        row: row as u8,
                        column: column as u8,
                    };
                    let extent = extent.with(turn, laid.row, laid.column);
                    if !extent.fits(self.usable)
                        || !self.planes[k].is_free(turn, row, column)
                        || !self.may_support(k, &laid)
                    {
                        continue;
                    }
                    self.lay(k, laid);
                    if self.can_cover(k, left & !(1 << i))
                        && self.cover(k, left & !(1 << i), extent)
                    {
                        return true;
                    }
                    self.lift(k);
                }
            }
        }
        false
    }

    /// Whether the squares of the remaining cards suffice for the open ones.
    fn can_cover(&self, k: usize, left: u32) -> bool {
        let (above, own) = (&self.planes[k - 1], &self.planes[k]);
        let (top, bottom) = above.span();
        let open: u32 = (top..bottom)
            .map(|row| (above.row(row) & !own.row(row)).count_ones())
            .sum();
        let areas = self.left(k, left).map(|(_, card)| card.part.area());
        areas.sum::<u32>() >= open
    }

    /// Whether all parts of the level above may rest on this part: none on it alone, and none before it.
    fn may_support(&self, k: usize, laid: &Laid) -> bool {
        self.laid[k - 1].iter().all(|upper| {
            let row = upper.row as i8 - laid.row as i8;
            let column = upper.column as i8 - laid.column as i8;
            let is_nested = nestings(upper.turn(), laid.turn()).contains(&(row, column));
            !is_nested && (laid.card.time <= upper.card.time || !overlap(upper, laid))
        })
    }

    /// Adds the remaining cards beside the others, then continues with the level below.
    fn extend(&mut self, k: usize, left: u32, extent: TowerExtent, banned: &mut Vec<Laid>) -> bool {
        if left == 0 {
            return self.is_in_time(k) && self.descend(k + 1, extent);
        }
        let known = banned.len();
        for laid in self.beside(k, left, extent) {
            if self.is_stopped() {
                return false;
            }
            let same = |other: &Laid| {
                (other.card, other.turn, other.row, other.column)
                    == (laid.card, laid.turn, laid.row, laid.column)
            };
            if banned[..known].iter().any(same) {
                continue;
            }
            let i = self.left(k, left).find(|(_, card)| *card == laid.card);
            let Some((i, _)) = i else { continue };
            self.lay(k, laid);
            let extent = extent.with(laid.turn(), laid.row, laid.column);
            if self.extend(k, left & !(1 << i), extent, banned) {
                return true;
            }
            self.lift(k);
            banned.push(laid);
        }
        banned.truncate(known);
        false
    }

    fn descend(&mut self, k: usize, extent: TowerExtent) -> bool {
        match self.levels.get(k) {
            None => true,
            Some(cards) => {
                self.planes[k] = Plane::default();
                let left = all(cards.len());
                self.can_cover(k, left) && self.cover(k, left, extent)
            }
        }
    }

    /// Every placement of the remaining cards that touches the level and stays in the grid.
    fn beside(&self, k: usize, left: u32, extent: TowerExtent) -> Vec<Laid> {
        let plane = &self.planes[k];
        let (top, bottom) = plane.span();
        let columns = plane.columns();
        let (first, last) = (
            columns.trailing_zeros() as usize,
            64 - columns.leading_zeros() as usize,
        );
        let mut found = Vec::new();
        for (_, card) in self.distinct(k, left) {
            for (t, turn) in card.part.turns().iter().enumerate() {
                let (height, width) = (usize::from(turn.height), usize::from(turn.width));
                for row in top.saturating_sub(height)..=bottom.min(SIDE - height) {
                    for column in first.saturating_sub(width)..=last.min(SIDE - width) {
                        let grown = extent.with(turn, row as u8, column as u8);
                        let touches =
                            |(i, bits): (usize, &u64)| bits << column & plane.near(row + i) != 0;
                        if grown.fits(self.usable)
                            && plane.is_free(turn, row, column)
                            && turn.rows().iter().enumerate().any(touches)
                        {
                            found.push(Laid {
                                card,
                                turn: t as u8,
                                row: row as u8,
                                column: column as u8,
                            });
                        }
                    }
                }
            }
        }
        found
    }

    /// In a known deck, whether each part of the level touched an earlier part when it was placed.
    fn is_in_time(&self, k: usize) -> bool {
        let laid = &self.laid[k];
        let first = laid.iter().map(|one| one.card.time).min();
        laid.iter().all(|one| {
            one.card.time.is_none()
                || Some(one.card.time) == first
                || laid
                    .iter()
                    .any(|other| other.card.time < one.card.time && touch(other, one))
        })
    }

    fn left(&self, k: usize, left: u32) -> impl Iterator<Item = (usize, TowerCard)> + use<'a> {
        let cards = self.levels[k].iter().copied().enumerate();
        cards.filter(move |(i, _)| left >> i & 1 == 1)
    }

    /// The remaining cards, one of each kind.
    fn distinct(&self, k: usize, left: u32) -> Vec<(usize, TowerCard)> {
        let mut all: Vec<(usize, TowerCard)> = self.left(k, left).collect();
        all.dedup_by_key(|(_, card)| *card);
        all
    }
}

fn all(count: usize) -> u32 {
    (1 << count) - 1
}

fn single(laid: &Laid) -> Plane {
    let mut plane = Plane::default();
    plane.add(laid.turn(), laid.row.into(), laid.column.into());
    plane
}

fn overlap(one: &Laid, two: &Laid) -> bool {
    !single(one).is_free(two.turn(), two.row.into(), two.column.into())
}

fn touch(one: &Laid, two: &Laid) -> bool {
    let plane = single(one);
    let mut rows = two.turn().rows().iter().enumerate();
    rows.any(|(i, bits)| plane.near(usize::from(two.row) + i) & bits << two.column != 0)
}
