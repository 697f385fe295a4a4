//! Parts of a tree: each thread of a search adds nodes in memory of its own, which the tree hands over.

use super::node::{LANES, Node, NodeId};
use super::tree::{MOST_ACTIONS, Tree};

/// Nodes and positions that a part gets at a time.
const NODES: usize = 1024;
/// Edges that a part gets at a time.
const EDGES: usize = 8 * MOST_ACTIONS;
/// Quads that a part gets at a time.
const QUADS: usize = 2 * EDGES / LANES;
/// How often there is memory for all of these at first: enough for a tenth of a second.
const FIRST: usize = 64;

impl<P: Copy, A: Copy + PartialEq> Tree<P, A> {
    /// Allocates memory for this many parts.
    pub(super) fn prepare_parts(&mut self, parts: usize) {
        let nodes = (parts * NODES).min(self.most_nodes() - self.nodes.len());
        self.nodes.make_room(nodes, FIRST * NODES);
        self.parents.reserve(self.nodes.capacity());
        self.positions.make_room(parts * NODES, FIRST * NODES);
        self.edges.make_room(parts * EDGES, FIRST * EDGES);
        self.quads.make_room(parts * QUADS, FIRST * QUADS);
        if self.has_extras {
            self.extras.reserve(self.edges.capacity());
        }
    }

    /// A part without room.
    ///
    /// # Safety
    /// As for [`SharedVec::part`].
    #[allow(unsafe_code, reason = "the caller promises what the vectors need")]
    pub(super) unsafe fn part(&self) -> Self {
        // SAFETY: as the caller promises.
        unsafe {
            Self {
                nodes: self.nodes.part(),
                parents: self.parents.part(),
                edges: self.edges.part(),
                positions: self.positions.part(),
                quads: self.quads.part(),
                extras: self.extras.part(),
                ..Self::without_memory(&self.settings, self.root)
            }
        }
    }

    /// Gives a part room for this many iterations. Returns whether it has that now; if not, memory is used up or the tree is full.
    pub(super) fn supply(&mut self, part: &mut Self, iterations: usize) -> bool {
        let is_supplied = |part: &Self| part.has_room() && part.positions.room() >= iterations;
        if is_supplied(part) || !self.has_room() {
            return is_supplied(part);
        }
        let nodes = NODES
            .min(self.most_nodes() - self.nodes.len())
            .min(self.nodes.room());
        if part.nodes.room() == 0 {
            self.parents.hand_over(nodes, &mut part.parents);
            for id in self.nodes.hand_over(nodes, &mut part.nodes) {
                (self.nodes[id], self.parents[id]) = (Node::NEW, id as NodeId);
            }
        }
        if part.positions.room() < iterations && self.positions.room() >= NODES {
            self.positions.hand_over(NODES, &mut part.positions);
        }
        if !part.fits(MOST_ACTIONS) && self.edges.room() >= EDGES && self.quads.room() >= QUADS {
            self.edges.hand_over(EDGES, &mut part.edges);
            self.quads.hand_over(QUADS, &mut part.quads);
            if self.has_extras {
                self.extras.hand_over(EDGES, &mut part.extras);
            }
        }
        is_supplied(part)
    }

    /// Takes back what a part has not used. Nodes that stay without use have no node above them.
    pub(super) fn take_back_part(&mut self, mut part: Self) {
        self.nodes.take_back(&mut part.nodes);
        self.parents.take_back(&mut part.parents);
        self.edges.take_back(&mut part.edges);
        self.positions.take_back(&mut part.positions);
        self.quads.take_back(&mut part.quads);
        self.extras.take_back(&mut part.extras);
    }
}
