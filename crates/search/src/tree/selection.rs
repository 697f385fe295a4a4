//! The edge that an iteration follows from a node.

use crate::select::SelectionNode;
use crate::settings::Widening;
use crate::tree::Tree;
use crate::tree::node::{Edge, NodeId};

impl<P: Copy, A: Copy + PartialEq> Tree<P, A> {
    /// The rank of the edge to follow from an expanded node: a tried edge or the next one; `None` if all have
    /// been tried and lose.
    #[inline(always)]
    pub(crate) fn select_edge(&self, id: NodeId) -> Option<u16> {
        let (node, settings) = (self.node(id), &self.settings);
        let opens = |widening: Widening| {
            let most = widening.base * libm::powf(node.visits as f32, widening.power);
            let mut tried = self.edges.slice(node.tried()).iter();
            f32::from(node.tried) < most.max(1.0) || tried.all(Edge::is_lost)
        };
        let has_next = node.has_untried() && settings.widening.is_none_or(opens);
        if has_next && settings.first_play.is_none() {
            return Some(node.tried);
        }
        (settings.select.part().select)(&SelectionNode {
            visits: (node.visits + 1) as f32,
            exploration: settings.exploration,
            rule: &settings.select,
            node,
            quads: &self.quads,
            extras: &self.extras,
            minimax: settings.minimax,
            first_play: settings.first_play.filter(|_| has_next),
        })
    }
}
