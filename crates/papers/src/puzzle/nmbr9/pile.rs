//! A game in progress: the parts on each level, and the possible places of the next part.

use super::layout::{Layout, PlacedPart};
use super::part::{Part, Turn, nestings};
use super::plane::{Plane, SIDE};
use super::variant::{MAX_CARDS, MAX_LEVELS};

/// Parts on levels, placed one after another by the rules.
#[derive(Clone, Copy, Debug)]
pub struct Pile {
    levels: [Plane; MAX_LEVELS],
    most_levels: u8,
    usable: u8,
    placed: [PlacedPart; MAX_CARDS],
    len: u8,
    score: u32,
}

impl Pile {
    /// An empty pile on a board of `usable` rows and columns, at most 30.
    #[must_use]
    pub fn new(usable: usize, most_levels: usize) -> Self {
        let nowhere = PlacedPart {
            part: Part::ZERO,
            turn: 0,
            level: 1,
            row: 0,
            column: 0,
        };
        Self {
            levels: [Plane::default(); MAX_LEVELS],
            most_levels: most_levels.min(MAX_LEVELS) as u8,
            usable: usable.min(SIDE / 2 - 2) as u8,
            placed: [nowhere; MAX_CARDS],
            len: 0,
            score: 0,
        }
    }

    /// The parts in the order in which they were placed.
    #[must_use]
    pub fn placed(&self) -> &[PlacedPart] {
        &self.placed[..usize::from(self.len)]
    }

    /// The score so far.
    #[must_use]
    pub const fn score(&self) -> u32 {
        self.score
    }

    /// Number of levels with parts.
    #[must_use]
    pub fn height(&self) -> usize {
        self.levels
            .iter()
            .take_while(|level| !level.is_empty())
            .count()
    }

    /// The layout, moved to the origin of the board.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let parts = self.placed().to_vec();
        Layout { parts }.at_origin()
    }

    /// Places a part where [`Self::placements`] allows it. Does nothing beyond the maximum number of cards.
    pub fn place(&mut self, placed: PlacedPart) {
        let turn = &placed.part.turns()[usize::from(placed.turn)];
        let Some(slot) = self.placed.get_mut(usize::from(self.len)) else {
            return;
        };
        *slot = placed;
        self.len += 1;
        let level = usize::from(placed.level) - 1;
        self.levels[level].add(turn, placed.row.into(), placed.column.into());
        self.score += placed.part.value() * level as u32;
    }

    /// Calls `visit` with every legal placement of a part, from the highest level down; on each level by
    /// rotation, row and column.
    pub fn placements(&self, part: Part, visit: &mut dyn FnMut(PlacedPart)) {
        let height = self.height().min(usize::from(self.most_levels) - 1);
        for level in (0..=height).rev() {
            self.placements_on(level, part, visit);
        }
    }

    /// The highest level, counted from 0, on which a part can be placed, if any.
    #[must_use]
    pub fn highest(&self, part: Part) -> Option<usize> {
        let height = self.height().min(usize::from(self.most_levels) - 1);
        (0..=height).rev().find(|&level| {
            let mut turns = part.turns().iter();
            turns.any(|turn| {
                let mut rows = self.rows(level, turn);
                rows.any(|row| self.anchors(level, turn, row) != 0)
            })
        })
    }

    /// Calls `visit` with every legal placement of a part on a level, from 0.
    fn placements_on(&self, level: usize, part: Part, visit: &mut dyn FnMut(PlacedPart)) {
        for (t, turn) in part.turns().iter().enumerate() {
            if self.len == 0 && t > 0 {
                // On an empty, square board, one rotation is enough.
                break;
            }
            for row in self.rows(level, turn) {
                let mut anchors = self.anchors(level, turn, row);
                while anchors != 0 {
                    visit(PlacedPart {
                        part,
                        turn: t as u8,
                        level: level as u8 + 1,
                        row: row as u8,
                        column: anchors.trailing_zeros() as u8,
                    });
                    anchors &= anchors - 1;
                }
            }
        }
    }

    /// The rows in which the box of a turn may start.
    fn rows(&self, level: usize, turn: &Turn) -> std::ops::Range<usize> {
        let (height, usable) = (usize::from(turn.height), usize::from(self.usable));
        if self.len == 0 {
            let fits = height.max(turn.width.into()) <= usable;
            return CENTRE..CENTRE + usize::from(level == 0 && fits);
        }
        let (top, bottom) = self.levels[level.saturating_sub(1)].span();
        if level > 0 {
            return top..(bottom + 1).saturating_sub(height);
        }
        let first = (top - height).max(bottom.saturating_sub(usable));
        first..(bottom + 1).min((top + usable + 1).saturating_sub(height))
    }

    /// The columns, as bits, in which the box of a turn may start in this row.
    fn anchors(&self, level: usize, turn: &Turn, row: usize) -> u64 {
        if self.len == 0 {
            return 1 << CENTRE;
        }
        let own = &self.levels[level];
        let below = level.checked_sub(1).map(|below| &self.levels[below]);
        let (mut free, mut near) = (u64::MAX, 0);
        for (i, &bits) in turn.rows().iter().enumerate() {
            let open = !own.row(row + i) & below.map_or(u64::MAX, |below| below.row(row + i));
            let beside = own.near(row + i);
            let mut left = bits;
            while left != 0 {
                let column = left.trailing_zeros();
                free &= open >> column;
                near |= beside >> column;
                left &= left - 1;
            }
            if free == 0 {
                return 0;
            }
        }
        if !own.is_empty() {
            free &= near;
        }
        match level {
            0 => free & self.columns(turn),
            _ => free & !self.nested(level, turn, row),
        }
    }

    /// On the first level, the columns in which the box may start so that everything fits on the board.
    fn columns(&self, turn: &Turn) -> u64 {
        let used = self.levels[0].columns();
        let (first, last) = (used.trailing_zeros(), 63 - used.leading_zeros());
        let (usable, width) = (u32::from(self.usable), u32::from(turn.width));
        if width > usable {
            return 0;
        }
        let from = (last + 1).saturating_sub(usable);
        let to = (first + usable - width).min(SIDE as u32 - width);
        (u64::MAX << from) & (u64::MAX >> (63 - to))
    }

    /// The columns in which the turn would rest on a single part.
    fn nested(&self, level: usize, turn: &Turn, row: usize) -> u64 {
        let mut columns = 0;
        for lower in self.placed() {
            if usize::from(lower.level) != level {
                continue;
            }
            let outer = &lower.part.turns()[usize::from(lower.turn)];
            for &(r, c) in nestings(turn, outer) {
                if row as i32 == i32::from(lower.row) + i32::from(r) {
                    columns |= 1 << (i32::from(lower.column) + i32::from(c));
                }
            }
        }
        columns
    }

    /// The squares of a level, counted from 0, for [`Self::take_back`].
    pub(super) fn level(&self, level: usize) -> Plane {
        self.levels[level]
    }

    /// Takes back the last placement, given the squares of its level before it.
    pub(super) fn take_back(&mut self, before: Plane) {
        let Some(len) = self.len.checked_sub(1) else {
            return;
        };
        self.len = len;
        let last = self.placed[usize::from(len)];
        let level = usize::from(last.level) - 1;
        self.levels[level] = before;
        self.score -= last.part.value() * level as u32;
    }

    /// The number of edges by which the rim of a level grows.
    pub(super) fn rim_growth(&self, placed: &PlacedPart) -> i32 {
        let turn = &placed.part.turns()[usize::from(placed.turn)];
        let level = &self.levels[usize::from(placed.level) - 1];
        let (mut sides, mut contacts) = (4 * turn.cells.len() as u32, 0);
        let mut above = 0;
        for (i, &bits) in turn.rows().iter().enumerate() {
            let row = usize::from(placed.row) + i;
            let own = level.row(row);
            let bits = bits << placed.column;
            sides -= 2 * ((bits & bits << 1).count_ones() + (bits & above).count_ones());
            contacts += (own << 1 & bits).count_ones() + (own >> 1 & bits).count_ones();
            contacts += (level.row(row - 1) & bits).count_ones();
            contacts += (level.row(row + 1) & bits).count_ones();
            above = bits;
        }
        sides as i32 - 2 * contacts as i32
    }
}

/// Row and column of the first part.
const CENTRE: usize = SIDE / 2 - 2;
