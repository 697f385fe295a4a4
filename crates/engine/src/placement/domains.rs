//! The paper's constraint propagation, in closed form on bitboards.
//!
//! Let p be the patch to be placed, O the covered squares and F the squares that all placements of
//! p have in common. The placements of all other patches avoid O and F. A hole is a free square
//! that no patch can cover. A patch t drops out if size(t) + size(p) + |O| is greater than 81 minus
//! the number of holes; this is repeated until nothing changes. The domain of a free square
//! consists of `empty` and every patch that can still cover it.

use std::cell::Cell;

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::problem::{Available, LostSquares, Problem};
use super::square_counts::SquareCounts;
use crate::board::{
    ALL_SHAPES, BoardWork, Boards, CoverLanes, FindFits, Lanes, MAX_SHAPE_SQUARES, Places, Quilt,
    SHAPE_COUNT, SQUARES, ShapeId, Split, Square, TakeCover, Words, cover, covers, with_best,
};
use crate::game::Placement;

/// The fixed point of propagation while one patch is to be placed.
#[derive(Clone, Debug)]
pub struct Domains {
    quilt: Quilt,
    size: u32,
    /// The other patches that can still be placed.
    others: Available,
    /// Squares that all candidates cover.
    common: Quilt,
    /// Squares that some candidate covers.
    own: Quilt,
    /// The squares that each of the others can cover; empty for patches that have dropped out.
    covers: [Split; SHAPE_COUNT],
}

impl Domains {
    /// The domains if the patch of the problem has these candidates, of which there must be at
    /// least one.
    pub fn new(problem: &Problem<'_>, candidates: &Candidates) -> Self {
        let mut domains = Self {
            quilt: problem.quilt(),
            size: candidates.shape().size(),
            others: problem.available(),
            common: candidates.common(),
            own: candidates.union(),
            covers: [Split::default(); SHAPE_COUNT],
        };
        domains.cover();
        domains.settle();
        domains
    }

    /// The domains before any decision; the patch must fit somewhere.
    pub fn root(problem: &Problem<'_>) -> Self {
        Self::new(problem, &Candidates::all(problem.shape(), problem.quilt()))
    }

    /// Propagates a restriction to these candidates, of which there must be at least one.
    pub(crate) fn narrow(&mut self, candidates: &Candidates) {
        let common = candidates.common();
        self.own = candidates.union();
        if common != self.common {
            self.common = common;
            self.cover();
        }
        self.settle();
    }

    /// Squares that some but not all candidates cover.
    pub const fn undecided(&self) -> Quilt {
        self.own.without(self.common)
    }

    /// Squares with more than one value left in their domain.
    ///
    /// All other squares are assigned: they are covered, common to all candidates, or out of reach
    /// of every patch.
    pub fn open(&self) -> Quilt {
        self.reach().union(self.own).without(self.common)
    }

    /// Domain size of a square: 1 if it is assigned, otherwise 1 for staying empty plus 1 for each
    /// patch that can cover it.
    pub fn size(&self, square: Square) -> u32 {
        if self.open().contains(square) {
            1 + self.counts().at(square) + u32::from(self.own.contains(square))
        } else {
            1
        }
    }

    /// The first square with the smallest domain among these [`Self::undecided`] squares.
    pub(crate) fn smallest(&self, among: Quilt) -> Option<Square> {
        self.counts().extreme(among, false).first()
    }

    /// The first square with the largest domain among these [`Self::undecided`] squares.
    pub fn largest(&self, among: Quilt) -> Option<Square> {
        self.counts().extreme(among, true).first()
    }

    /// The squares that are free for the other patches.
    fn free(&self) -> Quilt {
        self.quilt.union(self.common).complement()
    }

    /// The maximum size of another patch with this many holes on the board.
    fn room(&self, holes: u32) -> u32 {
        SQUARES as u32 - self.size - self.quilt.len() - holes
    }

    /// Recomputes the squares that the others cover.
    fn cover(&mut self) {
        self.covers = covers_of(self.free(), shapes_in(&self.others));
    }

    /// Drops the patches that can no longer be placed.
    fn settle(&mut self) {
        loop {
            let holes = self.free().without(self.reach()).without(self.own);
            let room = self.room(holes.len());
            if !drop_larger(&mut self.others, room) {
                return;
            }
            for shape in ShapeId::all() {
                if self.others.count(shape) == 0 {
                    self.covers[shape.index()] = Split::default();
                }
            }
        }
    }

    /// For each square, how many of the others can cover it.
    fn counts(&self) -> SquareCounts<u64, 1> {
        SquareCounts::new(&self.covers, &self.others)
    }

    /// The squares that some of the others can cover.
    fn reach(&self) -> Quilt {
        let both = |[a, b]: [u64; 2], cover: &Split| [a | cover.0[0], b | cover.0[1]];
        Split(self.covers.iter().fold([0; 2], both)).squares()
    }

    /// The paper's equation 7 for one placement, implemented literally.
    fn regret(&self, squares: Quilt) -> i32 {
        let mut after = self.clone();
        after.common = squares;
        after.own = squares;
        after.cover();
        after.settle();
        let outside = self.counts().sum(squares.complement()) as i32;
        self.own.len() as i32 - self.size as i32 + outside - after.counts().sum(Quilt::FULL) as i32
    }
}

/// The squares with more than one value in their domain before the patch, which must fit somewhere,
/// is placed: [`Domains::open`] at the root, without the counts.
pub fn open_before(problem: &Problem<'_>) -> Quilt {
    let candidates = Candidates::all(problem.shape(), problem.quilt());
    let common = candidates.common();
    open_squares(problem, common, candidates.union()).without(common)
}

/// The same after the patch has been placed on these squares.
pub fn open_after(problem: &Problem<'_>, squares: Quilt) -> Quilt {
    open_squares(problem, squares, Quilt::EMPTY)
}

/// Free squares that the patch to be placed or another one can cover, if the others must avoid the
/// squares that the patch is certain to cover.
fn open_squares(problem: &Problem<'_>, common: Quilt, own: Quilt) -> Quilt {
    let free = problem.quilt().union(common).complement();
    let occupied = problem.quilt().len() + problem.shape().shape().size();
    let mut others = problem.available();
    loop {
        let open = reach(&others, free, own);
        let holes = free.without(open).len();
        if !drop_larger(&mut others, SQUARES as u32 - occupied - holes) {
            return open;
        }
    }
}

/// Index of the first placement with the least regret; see [`regrets`]. `scores` is scratch space
/// with one number per placement.
///
/// Faster than computing all regrets, since most placements are abandoned as soon as their regret
/// is too large.
pub(crate) fn least_regret(
    problem: &Problem<'_>,
    placements: &[Placement],
    scores: &mut [i32],
) -> usize {
    assert!(!placements.is_empty(), "nothing to choose from");
    if placements
        .iter()
        .all(|placement| *placement == placements[0])
    {
        return 0;
    }
    score(problem, placements, scores, true);
    let least = (0..scores.len()).min_by_key(|&i| scores[i]);
    least.unwrap_or(0)
}

/// The paper's equation 7 for each placement: the amount by which it shrinks the domains of the
/// squares that were not assigned before and are not covered by it.
///
/// # Panics
/// If `out` is shorter than `placements`.
pub fn regrets(problem: &Problem<'_>, placements: &[Placement], out: &mut [i32]) {
    score(problem, placements, out, false);
}

/// The regrets. If only the least one matters, the result may be [`i32::MAX`] for placements whose
/// regret is not less than an earlier one.
fn score(problem: &Problem<'_>, placements: &[Placement], out: &mut [i32], only_least: bool) {
    /// The maximum number of placements that are checked for duplicates. No policy that generates
    /// duplicates generates more.
    const FEW: usize = 16;

    let root = Domains::root(problem);
    let regrets_of = |placements: &[Placement], out: &mut [i32]| {
        let (root, shape) = (&root, problem.shape());
        with_best(Regrets {
            root,
            shape,
            placements,
            out,
            only_least,
        });
    };
    let out = &mut out[..placements.len()];
    if placements.len() > FEW || placements.is_empty() {
        return regrets_of(placements, out);
    }
    let mut different = [placements[0]; FEW];
    let mut regrets = [0; FEW];
    let mut place = [0; FEW];
    let mut count = 0;
    for (i, placement) in placements.iter().enumerate() {
        let known = different[..count].iter().position(|p| p == placement);
        place[i] = known.unwrap_or(count);
        if known.is_none() {
            different[count] = *placement;
            count += 1;
        }
    }
    let regrets = &mut regrets[..count];
    regrets_of(&different[..count], regrets);
    for (regret, &place) in out.iter_mut().zip(&place) {
        *regret = regrets[place];
    }
}

/// The regrets, computed for `N` placements at once.
///
/// A square leaves the domain of another patch only where that patch's cover shrinks, so the sum in
/// equation 7 is the loss of the covers outside the placement. The patch being placed leaves the
/// domains of all squares except its own, which contributes the same number for every placement.
struct Regrets<'a> {
    root: &'a Domains,
    shape: ShapeId,
    placements: &'a [Placement],
    out: &'a mut [i32],
    only_least: bool,
}

impl BoardWork for Regrets<'_> {
    type Result = ();

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) {
        let Self {
            root,
            shape,
            placements,
            out,
            only_least,
        } = self;
        let mut least = i32::MAX;
        let own = root.own.len() as i32 - root.size as i32;
        let wanted = shapes_in(&root.others);
        let largest = ShapeId::all()
            .filter(|shape| wanted >> shape.index() & 1 == 1)
            .map(|shape| shape.shape().size())
            .max()
            .unwrap_or(0);
        for (batch, out) in placements.chunks(N).zip(out.chunks_mut(N)) {
            let last = batch.len() - 1;
            let placed: [Quilt; N] = std::array::from_fn(|i| batch[i.min(last)].squares(shape));
            let free = placed.map(|squares| root.quilt.union(squares).complement());
            let places = Places::<L, N>::on(free);
            let mut losses = Losses {
                root,
                free: Boards::split(free.map(Split::new)),
                reached: Boards::NONE,
                lost: SquareCounts::default(),
                limit: if only_least {
                    least.saturating_sub(own).max(0) as u32
                } else {
                    u32::MAX
                },
                given_up: Cell::new(false),
            };
            covers(&places, wanted, &mut losses);
            if losses.given_up.get() {
                out.fill(i32::MAX);
                continue;
            }
            let holes = losses.free.without(losses.reached).each();
            let lost = losses.lost.totals();
            for (i, regret) in out.iter_mut().enumerate() {
                // If the holes leave no room for the largest of the others, those patches lose their
                // whole cover.
                *regret = if root.room(holes[i].len()) < largest {
                    root.regret(placed[i])
                } else {
                    own + lost[i] as i32
                };
                least = least.min(*regret);
            }
        }
    }
}

/// The squares that the covers have lost relative to the root.
struct Losses<'a, L, const N: usize> {
    root: &'a Domains,
    free: Boards<L, N>,
    /// Squares that some patch can cover.
    reached: Boards<L, N>,
    /// For each free square, how many patches can no longer cover it.
    lost: SquareCounts<L, N>,
    /// A board that has lost this much is abandoned.
    limit: u32,
    /// Whether all boards were abandoned before everything was counted.
    given_up: Cell<bool>,
}

impl<L: Lanes<N>, const N: usize> TakeCover<L, N> for Losses<'_, L, N> {
    #[inline(always)]
    fn take(&mut self, shape: usize, cover: Boards<L, N>) {
        self.reached = self.reached.or(cover);
        let before = Boards::split([self.root.covers[shape]; N]);
        let lost = before.and(self.free).without(cover);
        for _ in 0..self.root.others.count_at(shape) {
            self.lost.add(lost, 0);
        }
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        // The losses only grow, whichever patches drop out for lack of room.
        if self.limit < u32::MAX && self.lost.totals().iter().all(|&lost| lost >= self.limit) {
            self.given_up.set(true);
        }
        self.given_up.get()
    }
}

/// For each placement and each shape, the number of squares outside the placement that the shape can no longer cover.
pub(super) fn lost_squares(
    problem: &Problem<'_>,
    placements: &[Placement],
    out: &mut [LostSquares],
) {
    let common = Candidates::all(problem.shape(), problem.quilt()).common();
    let before = covers_of(problem.quilt().union(common).complement(), ALL_SHAPES);
    with_best(Losing {
        problem,
        before: &before,
        placements,
        out,
    });
}

/// The lost squares, computed for `N` placements at once.
struct Losing<'a> {
    problem: &'a Problem<'a>,
    before: &'a [Split; SHAPE_COUNT],
    placements: &'a [Placement],
    out: &'a mut [LostSquares],
}

impl BoardWork for Losing<'_> {
    type Result = ();

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) {
        struct EachLoss<'a, L, const N: usize> {
            before: &'a [Split; SHAPE_COUNT],
            free: Boards<L, N>,
            lost: [LostSquares; N],
        }

        impl<L: Lanes<N>, const N: usize> TakeCover<L, N> for EachLoss<'_, L, N> {
            #[inline(always)]
            fn take(&mut self, shape: usize, cover: Boards<L, N>) {
                let before = Boards::split([self.before[shape]; N]);
                let lost = before.and(self.free).without(cover).each();
                for (counts, lost) in self.lost.iter_mut().zip(lost) {
                    counts[shape] = lost.len() as u8;
                }
            }
        }

        let Self {
            problem,
            before,
            placements,
            out,
        } = self;
        for (batch, out) in placements.chunks(N).zip(out.chunks_mut(N)) {
            let last = batch.len() - 1;
            let free: [Quilt; N] = std::array::from_fn(|i| {
                let placed = batch[i.min(last)].squares(problem.shape());
                problem.quilt().union(placed).complement()
            });
            let mut losses = EachLoss {
                before,
                free: Boards::split(free.map(Split::new)),
                lost: [[0; SHAPE_COUNT + 1]; N],
            };
            covers(&Places::<L, N>::on(free), ALL_SHAPES, &mut losses);
            out.copy_from_slice(&losses.lost[..batch.len()]);
        }
    }
}

/// The shapes of these patches: bit `i` for the shape with index `i`.
fn shapes_in(patches: &Available) -> u32 {
    ShapeId::all()
        .map(|shape| u32::from(patches.count(shape) > 0) << shape.index())
        .sum()
}

/// The cover of each of these shapes.
fn covers_of(free: Quilt, wanted: u32) -> [Split; SHAPE_COUNT] {
    let mut all = [Split::default(); SHAPE_COUNT];
    covers(&Places::on([free]), wanted, &mut all);
    all
}

/// The free squares that at least one of the patches can cover, and those of `own`.
fn reach(patches: &Available, free: Quilt, own: Quilt) -> Quilt {
    let mut reached = own;
    // Small shapes first: if there is a 1x1, no other shape needs to be checked.
    for shape in ShapeId::all() {
        if free.without(reached).is_empty() {
            break;
        }
        if patches.count(shape) > 0 {
            reached = reached.union(cover(shape, Words::new(free)).squares());
        }
    }
    reached
}

/// Removes the patches with more squares than `room`; returns whether any were removed.
fn drop_larger(others: &mut Available, room: u32) -> bool {
    let mut dropped = false;
    if room < MAX_SHAPE_SQUARES as u32 {
        for shape in ShapeId::all() {
            if shape.shape().size() > room {
                dropped |= others.remove_all(shape) > 0;
            }
        }
    }
    dropped
}

/// The placements that searches by the domains of squares arrive at: in each group, repeatedly covers the undecided square that `next` picks and propagates, until
/// one placement is left.
pub fn search_by_domain(
    problem: &Problem<'_>,
    groups: &[Candidates],
    out: &mut Alternatives,
    next: impl Fn(&Domains, Quilt) -> Option<Square>,
) {
    let root = Domains::root(problem);
    for candidates in groups {
        let mut left = *candidates;
        let mut domains = root.clone();
        domains.narrow(&left);
        while let Some(square) = next(&domains, domains.undecided()) {
            left = left.covering(square);
            domains.narrow(&left);
        }
        out.push(left.nth(0));
    }
}

#[cfg(test)]
mod tests;
