//! Selection: which edge of a node an iteration follows.

use super::game::Value;
use super::node::{Edge, Extra, Node, NodeId};
use super::settings::{Rule, Settings, Widening};
use super::tree::Tree;

impl Settings {
    /// Whether the search needs an [`Extra`] of each edge.
    pub(super) fn has_extras(&self) -> bool {
        self.rave.is_some() || self.minimax > 0.0 || self.select == Rule::Ucb1Tuned
    }

    /// The edge to follow from an expanded node: a tried one or the next; none if all have been tried
    /// and lose.
    #[inline]
    pub(super) fn select_edge<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
    ) -> Option<u32> {
        let node = tree.node(id);
        let (tried, untried) = tree.edges(id).split_at(node.tried.into());
        let opens = |widening: Widening| widening.allows(node) || tried.iter().all(Edge::is_lost);
        let next = untried.first().filter(|_| self.widening.is_none_or(opens));
        let rank = if next.is_some() && self.first_play.is_none() {
            Some(tried.len())
        } else if self.has_extras() {
            let extras = &tree.extras(id)[..tried.len()];
            let value = |i: usize| self.value(&tried[i], &extras[i]);
            let variance = |i: usize| {
                let mean = tried[i].mean;
                extras[i].squares / tried[i].visits as f32 - mean * mean
            };
            self.greatest(node, tried, next, value, variance)
        } else {
            self.greatest(node, tried, next, |i| tried[i].mean, |_| 0.25)
        };
        Some(node.first_edge + rank? as u32)
    }

    /// The rank of the edge with the greatest bound, given the values and variances of the tried edges.
    #[inline(always)]
    fn greatest<A>(
        &self,
        node: &Node,
        tried: &[Edge<A>],
        next: Option<&Edge<A>>,
        value: impl Fn(usize) -> f32,
        variance: impl Fn(usize) -> f32,
    ) -> Option<usize> {
        let visits = (node.visits + 1) as f32;
        let first_play = |term: f32| {
            let mean = Value::for_first(node.mean().into()).seen_by(node.mover) as f32;
            next.map(|_| mean + self.first_play.unwrap_or(0.0) + term)
        };
        match self.select {
            Rule::Ucb1 => {
                let spread = self.exploration * libm::logf(visits).sqrt();
                let bound = |i: usize| value(i) + spread * tried[i].width;
                greatest(tried, bound, first_play(0.0))
            }
            Rule::Ucb1Tuned => {
                let log = libm::logf(visits);
                let (spread, doubt) = (self.exploration * log.sqrt(), (2.0 * log).sqrt());
                let bound = |i: usize| {
                    let width = tried[i].width;
                    let variance = (variance(i) + doubt * width).clamp(0.0, 0.25);
                    value(i) + spread * width * variance.sqrt()
                };
                greatest(tried, bound, first_play(0.0))
            }
            Rule::Puct => {
                let spread = self.exploration * visits.sqrt();
                let bound = |i: usize| {
                    let edge = &tried[i];
                    value(i) + spread * edge.prior / (1.0 + edge.visits as f32)
                };
                let prior = next.map_or(0.0, |edge| edge.prior);
                greatest(tried, bound, first_play(spread * prior))
            }
        }
    }

    /// The value of an edge before exploration.
    #[inline(always)]
    fn value<A>(&self, edge: &Edge<A>, extra: &Extra) -> f32 {
        let mut value = edge.mean;
        if let Some(k) = self.rave
            && extra.amaf_visits > 0.0
        {
            let weight = (k / (3.0 * edge.visits as f32 + k)).sqrt();
            value += weight * (extra.amaf_mean - value);
        }
        value + self.minimax * (extra.backup - value)
    }
}

impl Widening {
    fn allows(self, node: &Node) -> bool {
        let most = self.base * libm::powf(node.visits as f32, self.power);
        f32::from(node.tried) < most.max(1.0)
    }
}

/// The rank of the first of the greatest bounds, that of the next edge included. Lost edges are not
/// followed.
#[inline(always)]
fn greatest<A>(
    tried: &[Edge<A>],
    bound: impl Fn(usize) -> f32,
    next: Option<f32>,
) -> Option<usize> {
    let mut best = (f32::NEG_INFINITY, None);
    for (i, edge) in tried.iter().enumerate() {
        let bound = bound(i);
        if bound > best.0 && !edge.is_lost() {
            best = (bound, Some(i));
        }
    }
    match next {
        Some(next) if best.1.is_none() || next > best.0 => Some(tried.len()),
        _ => best.1,
    }
}
