//! What a search knows about the actions of a position.

use super::node::Edge;

/// An action of a position with the results of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their mean result for the side that moves, 0 to 1; 0 without visits.
    pub value: f32,
    /// The side's chance to win with it, 0 to 1, certain where it is proven; 0 without visits.
    pub chance: f32,
    /// The expansion's probability that it is the best. The priors of a position add up to 1, except those of
    /// actions that the expansion left out and the search added later, which add up to another 1.
    pub prior: f32,
    /// Whether it is proven to win (true) or to lose (false).
    pub proven: Option<bool>,
}

impl<A: Copy + PartialEq> Candidate<A> {
    pub(super) fn new(edge: &Edge<A>, prior: f32) -> Self {
        Self {
            action: edge.action,
            visits: edge.visits,
            value: edge.mean(),
            chance: edge.chance(),
            prior,
            proven: edge.proven,
        }
    }
}

/// The action to choose: a proven win, or else the action with the most visits that is not proven to lose;
/// ties go to the first one.
pub(super) fn best<A>(candidates: impl IntoIterator<Item = Candidate<A>>) -> Option<Candidate<A>> {
    let key = |one: &Candidate<A>| {
        let rank = match one.proven {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        };
        (rank, one.visits)
    };
    let candidates = candidates.into_iter();
    candidates.reduce(|best, one| if key(&one) > key(&best) { one } else { best })
}
