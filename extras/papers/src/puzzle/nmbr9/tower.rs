//! Whether given parts fit on given levels: levels are built from the top down, each covering the one above.
//!
//! All parts of a level that reach under the level above touch a connected region and cover it, so they are
//! connected; the other parts are added beside them. The first square not yet covered determines which
//! placements are tried, so each cover is found once.

use patchwork_engine::search::Stop;

use super::layout::{Layout, PlacedPart};
use super::part::Part;
use super::plane::{Plane, in_the_middle};

/// A card that lies on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TowerCard {
    pub(super) part: Part,
    /// The position of the card in a known deck.
    pub(super) time: Option<u8>,
}

/// A part in the plane, with the position of its card in a known deck.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Laid {
    placed: PlacedPart,
    time: Option<u8>,
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

    fn with(self, placed: &PlacedPart) -> Self {
        let grown = |range: (u8, u8), first: u8, size: u8| {
            (range.0.min(first), range.1.max(first + size - 1))
        };
        Self {
            rows: grown(self.rows, placed.row, placed.turn().height),
            columns: grown(self.columns, placed.column, placed.turn().width),
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
        let TowerCard { part, time } = self.levels[0][0];
        let placed = in_the_middle(part);
        let extent = TowerExtent::NONE.with(&placed);
        if !extent.fits(self.usable) {
            return None;
        }
        self.lay(0, Laid { placed, time });
        let found = self.extend(0, left & !1, extent, &mut Vec::new());
        found.then(|| self.layout())
    }

    /// Finds the second level below a given first level, within a number of placements.
    pub(super) fn find_below(
        &mut self,
        above: &[PlacedPart],
        most_nodes: u64,
    ) -> Option<Vec<PlacedPart>> {
        self.most_nodes = most_nodes;
        let mut extent = TowerExtent::NONE;
        for &placed in above {
            extent = extent.with(&placed);
            self.lay(0, Laid { placed, time: None });
        }
        if !self.descend(1, extent) {
            return None;
        }
        Some(self.laid[1].iter().map(|laid| laid.placed).collect())
    }

    fn layout(&self) -> Layout {
        let mut parts: Vec<Laid> = Vec::new();
        for (level, laid) in (1..).zip(self.laid.iter().rev()) {
            parts.extend(laid.iter().map(|&Laid { placed, time }| Laid {
                placed: PlacedPart { level, ..placed },
                time,
            }));
        }
        parts.sort_by_key(|laid| laid.time);
        let is_known = parts.iter().all(|laid| laid.time.is_some());
        let parts = parts.into_iter().map(|laid| laid.placed).collect();
        let layout = Layout { parts }.at_origin();
        if is_known {
            layout
        } else {
            layout.in_an_order()
        }
    }

    fn lay(&mut self, k: usize, laid: Laid) {
        self.planes[k].add(&laid.placed);
        self.laid[k].push(laid);
    }

    fn lift(&mut self, k: usize) {
        if let Some(laid) = self.laid[k].pop() {
            self.planes[k].remove(&laid.placed);
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
                    let placed = PlacedPart {
                        part: card.part,
                        turn: t as u8,
                        level: 1,
                        row: row as u8,
                        column: column as u8,
                    };
                    let laid = Laid {
                        placed,
                        time: card.time,
                    };
                    let extent = extent.with(&placed);
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
        let overlaps = |upper: &PlacedPart| {
            let Laid { placed, .. } = laid;
            let plane = Plane::of(&[*upper]);
            !plane.is_free(placed.turn(), placed.row.into(), placed.column.into())
        };
        self.laid[k - 1].iter().all(|upper| {
            !laid.placed.holds_alone(&upper.placed)
                && (laid.time <= upper.time || !overlaps(&upper.placed))
        })
    }

    /// Adds the remaining cards beside the others, then continues with the level below.
    fn extend(&mut self, k: usize, left: u32, extent: TowerExtent, banned: &mut Vec<Laid>) -> bool {
        if left == 0 {
            return self.is_in_time(k) && self.descend(k + 1, extent);
        }
        let known = banned.len();
        for (i, laid, extent) in self.beside(k, left, extent) {
            if self.is_stopped() {
                return false;
            }
            if banned[..known].contains(&laid) {
                continue;
            }
            self.lay(k, laid);
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

    /// Every placement of the remaining cards that touches the level and stays in the grid: the card's index, and the
    /// extent with it.
    fn beside(&self, k: usize, left: u32, extent: TowerExtent) -> Vec<(usize, Laid, TowerExtent)> {
        let mut found = Vec::new();
        for (i, TowerCard { part, time }) in self.distinct(k, left) {
            let fits = |placed: &PlacedPart| extent.with(placed).fits(self.usable);
            for placed in self.planes[k].beside(part, fits) {
                found.push((i, Laid { placed, time }, extent.with(&placed)));
            }
        }
        found
    }

    /// In a known deck, whether each part of the level touched an earlier part when it was placed.
    fn is_in_time(&self, k: usize) -> bool {
        let laid = &self.laid[k];
        let first = laid.iter().map(|one| one.time).min();
        laid.iter().all(|one| {
            let touched = |other: &Laid| other.time < one.time && other.placed.touches(&one.placed);
            one.time.is_none() || Some(one.time) == first || laid.iter().any(touched)
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
