//! Tiling as exact cover (the report on pentominoes, section 1): Knuth's Algorithm X with dancing links.
//!
//! An item is a square or a piece, an option a placement. A piece with several copies is an item that is
//! covered when its last copy is placed; since the areas are equal, all copies are used whenever all squares
//! are covered.

use std::ops::ControlFlow;

use super::problem::Tiling;
use super::tally::Tally;

/// A node of the links: an item's header, or a square or piece of an option.
#[derive(Clone, Copy, Debug)]
struct Link {
    up: u32,
    down: u32,
    item: u32,
    option: u32,
}

/// The sparse matrix of items and options, all in circular lists.
struct DancingLinks {
    links: Vec<Link>,
    /// The list of items to be covered, with its head after the last item.
    left: Vec<u32>,
    right: Vec<u32>,
    /// Number of options of each item.
    sizes: Vec<u32>,
    /// The links of each option: `starts[option]..starts[option + 1]`.
    starts: Vec<u32>,
}

impl DancingLinks {
    fn new(items: usize, options: &[Vec<usize>]) -> Self {
        let header = |item: usize| Link {
            up: item as u32,
            down: item as u32,
            item: item as u32,
            option: u32::MAX,
        };
        let head = items as u32;
        let mut matrix = Self {
            links: (0..items).map(header).collect(),
            left: (0..=head)
                .map(|item| item.checked_sub(1).unwrap_or(head))
                .collect(),
            right: (0..=head)
                .map(|item| if item == head { 0 } else { item + 1 })
                .collect(),
            sizes: vec![0; items],
            starts: vec![items as u32],
        };
        for (option, members) in options.iter().enumerate() {
            for &item in members {
                let up = matrix.links[item].up;
                let link = matrix.links.len() as u32;
                matrix.links.push(Link {
                    up,
                    down: item as u32,
                    item: item as u32,
                    option: option as u32,
                });
                matrix.links[up as usize].down = link;
                matrix.links[item].up = link;
                matrix.sizes[item] += 1;
            }
            matrix.starts.push(matrix.links.len() as u32);
        }
        matrix
    }

    /// The other links of the same option.
    fn others(&self, link: u32) -> (std::ops::Range<u32>, u32) {
        let option = self.links[link as usize].option as usize;
        (self.starts[option]..self.starts[option + 1], link)
    }

    /// Removes an item from the list.
    fn unlist(&mut self, item: u32) {
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = right;
        self.left[right as usize] = left;
    }

    fn relist(&mut self, item: u32) {
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
    }

    /// Removes the options of an item from the lists of their other items.
    fn hide(&mut self, item: u32) {
        let mut row = self.links[item as usize].down;
        while row != item {
            let (range, own) = self.others(row);
            for link in range.filter(|&link| link != own) {
                let Link { up, down, item, .. } = self.links[link as usize];
                self.links[up as usize].down = down;
                self.links[down as usize].up = up;
                self.sizes[item as usize] -= 1;
            }
            row = self.links[row as usize].down;
        }
    }

    fn show(&mut self, item: u32) {
        let mut row = self.links[item as usize].up;
        while row != item {
            let (range, own) = self.others(row);
            for link in range.rev().filter(|&link| link != own) {
                let Link { up, down, item, .. } = self.links[link as usize];
                self.links[up as usize].down = link;
                self.links[down as usize].up = link;
                self.sizes[item as usize] += 1;
            }
            row = self.links[row as usize].up;
        }
    }

    /// The listed item with the fewest options; ties go to the first one.
    fn smallest(&self) -> Option<u32> {
        let head = self.right.len() as u32 - 1;
        let mut item = self.right[head as usize];
        let mut best: Option<u32> = None;
        while item != head {
            let size = self.sizes[item as usize];
            if best.is_none_or(|best| size < self.sizes[best as usize]) {
                best = Some(item);
            }
            item = self.right[item as usize];
        }
        best
    }
}

struct CoverSearch<'a, 't> {
    tiling: &'a Tiling,
    tally: &'a mut Tally<'t>,
    matrix: DancingLinks,
    /// The squares and the piece of each option.
    placed: Vec<(Vec<usize>, usize)>,
    /// Number of copies left of each piece.
    copies: Vec<usize>,
    /// The options chosen so far.
    path: Vec<u32>,
    nodes: u64,
    failures: u64,
}

/// Number of nodes between two checks of `stop`.
const BETWEEN_LOOKS: u64 = 1 << 12;
/// Number of levels of the tree at which progress is reported.
const WATCHED_LEVELS: usize = 2;

pub(super) fn solve(tiling: &Tiling, tally: &mut Tally<'_>) {
    let region = tiling.region();
    let pieces = tiling.pieces().len();
    // Pieces come first, then the open squares.
    let mut items = pieces;
    let mut item = vec![0; region.squares()];
    for square in (0..region.squares()).filter(|&square| region.is_open(square)) {
        item[square] = items;
        items += 1;
    }
    let (mut options, mut placed) = (Vec::new(), Vec::new());
    for (id, piece) in tiling.pieces().iter().enumerate() {
        for squares in piece.shape.placements(region) {
            let covered = squares.iter().map(|&square| item[square]);
            options.push(std::iter::once(id).chain(covered).collect::<Vec<usize>>());
            placed.push((squares, id));
        }
    }
    let mut matrix = DancingLinks::new(items, &options);
    let copies: Vec<usize> = tiling.pieces().iter().map(|piece| piece.copies).collect();
    for (id, _) in copies.iter().enumerate().filter(|(_, copies)| **copies > 1) {
        // It is never chosen to be covered, because that would place its copies in every order.
        matrix.unlist(id as u32);
    }
    let mut search = CoverSearch {
        tiling,
        tally,
        matrix,
        placed,
        copies,
        path: Vec::new(),
        nodes: 0,
        failures: 0,
    };
    let _ = search.cover(0, (0.0, 1.0));
    let (nodes, failures) = (search.nodes, search.failures);
    (tally.result.nodes, tally.result.failures) = (nodes, failures);
}

impl CoverSearch<'_, '_> {
    /// Covers the item with the fewest options in all possible ways. The node's part of the tree starts at
    /// the first number and has the second number as its width.
    fn cover(&mut self, level: usize, (base, width): (f64, f64)) -> ControlFlow<()> {
        let Some(item) = self.matrix.smallest() else {
            return self.solution();
        };
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            self.tally.look()?;
        }
        let options = self.matrix.sizes[item as usize];
        self.failures += u64::from(options == 0);
        let part = width / f64::from(options.max(1));
        self.matrix.unlist(item);
        self.matrix.hide(item);
        let mut row = self.matrix.links[item as usize].down;
        let mut done = 0;
        while row != item {
            let option = self.matrix.links[row as usize].option;
            self.nodes += 1;
            self.path.push(option);
            self.take(row);
            let base = base + part * f64::from(done);
            self.cover(level + 1, (base, part))?;
            if level < WATCHED_LEVELS {
                self.tally.done(base + part);
            }
            self.give_back(row);
            self.path.pop();
            done += 1;
            row = self.matrix.links[row as usize].down;
        }
        self.matrix.show(item);
        self.matrix.relist(item);
        ControlFlow::Continue(())
    }

    /// Covers the other items of an option.
    fn take(&mut self, row: u32) {
        let (range, own) = self.matrix.others(row);
        let piece = self.piece(row);
        self.copies[piece] -= 1;
        for link in range.filter(|&link| link != own) {
            let item = self.matrix.links[link as usize].item;
            if item as usize != piece {
                self.matrix.unlist(item);
                self.matrix.hide(item);
            } else if self.is_used_up(piece) {
                if self.is_listed(piece) {
                    self.matrix.unlist(item);
                }
                self.matrix.hide(item);
            }
        }
    }

    /// Undoes [`Self::take`].
    fn give_back(&mut self, row: u32) {
        let (range, own) = self.matrix.others(row);
        let piece = self.piece(row);
        for link in range.rev().filter(|&link| link != own) {
            let item = self.matrix.links[link as usize].item;
            if item as usize != piece {
                self.matrix.show(item);
                self.matrix.relist(item);
            } else if self.is_used_up(piece) {
                self.matrix.show(item);
                if self.is_listed(piece) {
                    self.matrix.relist(item);
                }
            }
        }
        self.copies[piece] += 1;
    }

    fn piece(&self, row: u32) -> usize {
        let option = self.matrix.links[row as usize].option as usize;
        self.placed[option].1
    }

    fn is_used_up(&self, piece: usize) -> bool {
        self.copies[piece] == 0
    }

    /// Whether the piece is an item that the search may choose.
    fn is_listed(&self, piece: usize) -> bool {
        self.tiling.pieces()[piece].copies == 1
    }

    fn solution(&mut self) -> ControlFlow<()> {
        let placed = self.path.iter().map(|&id| &self.placed[id as usize]);
        let placed = placed.map(|(squares, piece)| (squares.as_slice(), *piece));
        self.tally.found(placed, 1)
    }
}
