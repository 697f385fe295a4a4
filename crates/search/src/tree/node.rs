//! The elements of a tree: positions and the actions between them.

use std::ops::Range;

use crate::game::Side;

/// Index of a node in its tree.
pub(crate) type NodeId = u32;

/// The node of an edge that has not been tried.
pub(crate) const NO_NODE: NodeId = NodeId::MAX;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Sum of the values of its iterations, from the first side's point of view.
    pub(crate) total: f64,
    /// Index of the first edge, a multiple of [`LANES`].
    pub(crate) first_edge: u32,
    pub(crate) visits: u32,
    pub(crate) edges: u16,
    /// Number of edges that have been tried. They are tried in order, so this is the rank of the next one.
    pub(crate) tried: u16,
    /// Index of the position, once the node has been expanded.
    pub(crate) position: u32,
    /// The side that moves, once the node has been expanded.
    pub(crate) mover: Side,
    /// The side that is proven to win, if any.
    pub(crate) winner: Option<Side>,
    /// Whether the edges are all legal actions: if so, a position in which all of them lose is lost.
    pub(crate) complete: bool,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    /// A position that has not been visited.
    pub(crate) const NEW: Self = Self {
        total: 0.0,
        first_edge: 0,
        visits: 0,
        edges: 0,
        tried: 0,
        position: 0,
        mover: Side::First,
        winner: None,
        complete: false,
    };

    pub(crate) const fn is_expanded(&self) -> bool {
        self.edges > 0
    }

    pub(crate) const fn has_untried(&self) -> bool {
        self.tried < self.edges
    }

    /// Mean of the values of its iterations, from the first side's point of view.
    pub(crate) fn mean(&self) -> f32 {
        (self.total / f64::from(self.visits.max(1))) as f32
    }

    /// The index of the edge of this rank.
    pub(crate) const fn edge(&self, rank: u16) -> usize {
        self.first_edge as usize + rank as usize
    }

    /// Indices of the edges.
    pub(crate) const fn range(&self) -> Range<usize> {
        self.edge(0)..self.edge(self.edges)
    }

    /// Indices of the edges that have been tried.
    pub(crate) const fn tried(&self) -> Range<usize> {
        self.edge(0)..self.edge(self.tried)
    }
}

/// Indices of the quads of the edges of one node with these indices.
pub(crate) const fn quads(edges: &Range<usize>) -> Range<usize> {
    edges.start / LANES..edges.end.div_ceil(LANES)
}

/// An action and its results so far: the data that an iteration needs for the edges that it follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A> {
    /// Sum of the results for the side that moves.
    pub(crate) total: f64,
    /// Sum of its chances to win, over the finished iterations.
    pub(crate) chances: f64,
    pub(crate) action: A,
    pub(crate) node: NodeId,
    /// Finished iterations that went through it, and its virtual losses.
    pub(crate) visits: u32,
    /// Virtual losses: one for each unfinished iteration, or two in a search by threads (see [`parallel`](crate::parallel)).
    pub(crate) unfinished: u16,
    /// Whether the action is proven to win (true) or to lose (false) for the side that moves.
    pub(crate) proven: Option<bool>,
}

impl<A> Edge<A> {
    pub(crate) const fn new(action: A) -> Self {
        Self {
            total: 0.0,
            chances: 0.0,
            action,
            node: NO_NODE,
            visits: 0,
            unfinished: 0,
            proven: None,
        }
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.proven == Some(false)
    }

    /// Mean result for the side that moves; 0 without visits.
    pub(crate) fn mean(&self) -> f32 {
        (self.total / f64::from(self.visits.max(1))) as f32
    }

    /// The chance of the side that moves to win by the action; 0 before an iteration has finished.
    pub(crate) fn chance(&self) -> f32 {
        let finished = self.visits - u32::from(self.unfinished);
        let mean = (self.chances / f64::from(finished.max(1))) as f32;
        self.proven.map_or(mean, |wins| f32::from(u8::from(wins)))
    }
}

/// The form in which the visits n of an action are kept: computed at each visit, it is at hand when the next iterations
/// come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitForm {
    /// n.
    Count,
    /// 1 + n.
    CountAndOne,
    /// 1 / sqrt(n).
    InverseRoot,
}

impl VisitForm {
    /// The number that is kept.
    #[inline(always)]
    pub fn of(self, visits: f32) -> f32 {
        match self {
            Self::Count => visits,
            Self::CountAndOne => 1.0 + visits,
            Self::InverseRoot => 1.0 / visits.sqrt(),
        }
    }
}

/// Number of actions in a [`Quad`].
pub const LANES: usize = 4;

/// The data of four adjacent actions of a node that selection reads. They fill a cache line, and the bounds of
/// all four are computed at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Quad {
    /// Mean results for the side that moves. NaN for an action that must not be followed, because it is untried
    /// or loses: its bound is then never the greatest.
    pub mean: [f32; LANES],
    /// The position estimates below, backed up by minimax, for the side that moves; 0 while untried.
    pub backup: [f32; LANES],
    /// The priors.
    pub prior: [f32; LANES],
    /// What is kept of the visits ([`SelectionRule::visits`](crate::SelectionRule::visits)).
    pub visits: [f32; LANES],
}

const _: () = assert!(size_of::<Quad>() == 64);

impl Quad {
    pub(crate) const EMPTY: Self = Self {
        mean: [f32::NAN; LANES],
        backup: [0.0; LANES],
        prior: [0.0; LANES],
        visits: [0.0; LANES],
    };
}

/// The data of an action that only some settings need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra {
    /// Sum of the squared results.
    pub squares: f64,
    /// Iterations in which the side made the same move here or later, or another number of a rule that
    /// [learns](crate::SelectionRule::learn).
    pub amaf_visits: f32,
    /// Mean result of these iterations, or another number.
    pub amaf_mean: f32,
}

/// An action of a position with the results of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their mean result for the side that moves, 0 to 1; 0 without visits.
    pub value: f32,
    /// The side's chance to win with it, 0 to 1, with the [`confidence`](crate::Settings::confidence) of the
    /// search; certain where it is proven; 0 without visits.
    pub chance: f32,
    /// The expansion's probability that it is the best. The priors of a position add up to 1, except those of
    /// actions that the expansion left out and the search added later, which add up to another 1.
    pub prior: f32,
    /// Whether it is proven to win (true) or to lose (false).
    pub proven: Option<bool>,
}

/// The chance whose log-odds are those of this chance times the confidence. A confidence of 1 keeps every bit.
pub(crate) fn with_confidence(chance: f32, confidence: f32) -> f32 {
    if confidence == 1.0 {
        return chance;
    }
    let won = libm::powf(chance, confidence);
    let lost = libm::powf(1.0 - chance, confidence);
    won / (won + lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_multiplies_log_odds() {
        let log_odds = |chance: f32| (chance / (1.0 - chance)).ln();
        for chance in [0.02, 0.3, 0.5, 0.71, 0.97] {
            assert_eq!(with_confidence(chance, 1.0), chance);
            let told = with_confidence(chance, 1.6);
            assert!(
                (log_odds(told) - 1.6 * log_odds(chance)).abs() < 1e-3,
                "{chance}"
            );
            let other = with_confidence(1.0 - chance, 1.6);
            assert!((told + other - 1.0).abs() < 1e-6, "{chance}");
        }
        assert_eq!(
            [0.0, 0.5, 1.0].map(|chance| with_confidence(chance, 3.0)),
            [0.0, 0.5, 1.0]
        );
    }
}
