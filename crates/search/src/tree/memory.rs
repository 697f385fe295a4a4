//! The memory of a tree: it makes room for new nodes by dropping what a new root has cut off, or what is below the
//! least visited nodes, and it hands parts of itself to threads, each of which adds nodes in memory of its own.

use std::collections::HashMap;
use std::mem;
use std::time::Duration;

use crate::meter::Meter;
use crate::tree::node::{LANES, NO_NODE, NodeId, quads};
use crate::tree::{MAX_ACTIONS, MAX_EDGES, Tree};

/// Nodes and positions that a part gets at a time.
const NODES: usize = 1024;
/// Edges that a part gets at a time.
const EDGES: usize = 8 * MAX_ACTIONS;
/// How often there is memory for all of these at first: enough for a tenth of a second.
const FIRST: usize = 64;

impl<P: Copy, A: Copy + PartialEq> Tree<P, A> {
    /// Prepares the tree for a decision. What is not below the root is dropped if that is most of the tree, or if there
    /// may not be time for it when the tree is full; otherwise the copy of the rest would take longer than it saves.
    pub(crate) fn tidy(&mut self) {
        if self.root == 0 {
            return;
        }
        let is_large = self.nodes.len() > self.most_nodes() / 2 || self.edges.len() > MAX_EDGES / 2;
        // Nodes that were cut off must not be found by their keys.
        if is_large || !self.by_key.is_empty() {
            return self.drop_what_is_cut_off();
        }
        let nodes = self.nodes_below_root();
        let edges = nodes.iter().map(|&id| self.edges(id).len());
        self.count = (nodes.len(), edges.sum());
        if nodes.len() < self.nodes.len() / 2 {
            self.drop_what_is_cut_off();
        }
    }

    /// Drops everything that is not below the root.
    pub(crate) fn drop_what_is_cut_off(&mut self) {
        if self.root != 0 {
            self.rebuild(0);
        }
    }

    /// The root and all nodes below it, each once.
    fn nodes_below_root(&self) -> Vec<NodeId> {
        let mut is_known = vec![false; self.nodes.len()];
        is_known[self.root as usize] = true;
        let mut nodes = vec![self.root];
        let mut next = 0;
        while let Some(&id) = nodes.get(next) {
            next += 1;
            let tried = self.edges.slice(self.node(id).tried()).iter();
            let below = tried.map(|edge| edge.node);
            nodes.extend(below.filter(|&id| !mem::replace(&mut is_known[id as usize], true)));
        }
        nodes
    }

    /// Makes room in a full tree, if there is time: drops what is not below the root. If that is not enough, frees at least half
    /// of the room by dropping everything below the nodes with the fewest visits. These nodes keep their values and grow again
    /// when the search returns to them.
    pub(crate) fn recycle_if_full(&mut self, meter: &Meter<'_>) {
        /// An upper bound for each node and edge.
        const TIME: Duration = Duration::from_nanos(50);
        let cost = || TIME * (self.nodes.len() + self.edges.len()) as u32;
        if self.has_room() || !meter.has(cost()) {
            return;
        }
        self.drop_what_is_cut_off();
        if !self.has_room() {
            self.drop_the_least_visited();
        }
    }

    fn drop_the_least_visited(&mut self) {
        // Numbers of nodes and edges below nodes, by the number of bits of those nodes' visits.
        let mut sizes = [(0usize, 0usize); 33];
        for id in self.nodes_below_root() {
            let node = self.node(id);
            let size = &mut sizes[(u32::BITS - node.visits.leading_zeros()) as usize];
            size.0 += usize::from(node.tried);
            size.1 += usize::from(node.edges);
        }
        let (mut nodes, mut edges) = (1, 0);
        let dropped = sizes.iter().rposition(|size| {
            nodes += size.0;
            edges += size.1;
            nodes > self.most_nodes() / 2 || edges > MAX_EDGES / 2
        });
        // Visits of n bits begin at 2^(n - 1); those of one bit more than what does not fit are kept.
        self.rebuild(match dropped {
            None => 0,
            Some(32) => u32::MAX,
            Some(bits) => 1 << bits,
        });
    }

    /// Copies everything below the root breadth first, without the edges of nodes with fewer visits. The root
    /// keeps its edges. So does the node behind a winning action: it may be part of a decision, and the next
    /// part is needed, too.
    fn rebuild(&mut self, fewest_visits: u32) {
        let spare = self.spare.take();
        let mut old = spare.unwrap_or_else(|| Box::new(Self::new(&self.settings)));
        mem::swap(self, &mut old);
        self.seed = old.seed;
        let keys = old.by_key.drain().map(|(key, id)| (id, key));
        let keys: HashMap<_, _> = keys.collect();
        self.nodes[0] = *old.node(old.root);
        let mut won = None;
        let mut next = 0;
        while next < self.nodes.len() {
            let node = &mut self.nodes[next];
            if node.visits < fewest_visits && next > 0 && Some(next as NodeId) != won {
                (node.edges, node.tried) = (0, 0);
            }
            let from = node.range();
            node.first_edge = self.edges.len() as u32;
            let copy = node.range();
            if node.is_expanded() {
                self.positions.push(old.positions[node.position as usize]);
                node.position = self.positions.len() as u32 - 1;
            }
            let copies = |range| old.quads.slice(quads(range)).iter().copied();
            self.quads.extend(copies(&from));
            if self.has_extras {
                let extras = old.extras.slice(from.clone());
                self.extras.extend(extras.iter().copied());
            }
            self.edges.extend(old.edges.slice(from).iter().copied());
            self.fill_quad();
            for at in copy.clone() {
                let from = self.edges[at].node;
                if from != NO_NODE {
                    let key = keys.get(&from).copied();
                    let known = key.and_then(|key| self.by_key.get(&key).copied());
                    let child = known.unwrap_or_else(|| self.add(*old.node(from), key));
                    self.edges[at].node = child;
                }
            }
            self.count.1 += copy.len();
            if next == 0 {
                let mut edges = self.edges(0).iter();
                let edge = edges.find(|edge| edge.proven == Some(true));
                won = edge.map(|edge| edge.node);
            }
            next += 1;
        }
        old.clear();
        self.spare = Some(old);
    }

    /// Allocates memory for this many parts.
    pub(crate) fn prepare_parts(&mut self, parts: usize) {
        let nodes = (parts * NODES).min(self.most_nodes() - self.nodes.len());
        self.nodes.make_room(nodes, FIRST * NODES);
        self.positions.make_room(parts * NODES, FIRST * NODES);
        self.edges.make_room(parts * EDGES, FIRST * EDGES);
        self.quads.reserve(self.edges.capacity().div_ceil(LANES));
        if self.has_extras {
            self.extras.reserve(self.edges.capacity());
        }
    }

    /// A part without room.
    ///
    /// # Safety
    /// As for [`SharedVec::part`].
    #[allow(unsafe_code, reason = "the caller promises what the vectors need")]
    pub(crate) unsafe fn part(&self) -> Self {
        let empty = Self::without_memory(&self.settings, self.root);
        // SAFETY: as the caller promises.
        unsafe {
            Self {
                nodes: self.nodes.part(),
                edges: self.edges.part(),
                positions: self.positions.part(),
                quads: self.quads.part(),
                extras: self.extras.part(),
                ..empty
            }
        }
    }

    /// Gives a part room for this many iterations. Returns whether it has that now; if not, memory is used up or the tree is full.
    pub(crate) fn supply(&mut self, part: &mut Self, iterations: usize) -> bool {
        let is_supplied = |part: &Self| part.has_room() && part.positions.room() >= iterations;
        if is_supplied(part) || !self.has_room() {
            return is_supplied(part);
        }
        let nodes = NODES
            .min(self.most_nodes() - self.nodes.len())
            .min(self.nodes.room());
        if part.nodes.room() == 0 {
            self.nodes.hand_over(nodes, &mut part.nodes);
        }
        if part.positions.room() < iterations && self.positions.room() >= NODES {
            self.positions.hand_over(NODES, &mut part.positions);
        }
        if !part.edges.fits(MAX_ACTIONS) && self.edges.room() >= EDGES {
            self.edges.hand_over(EDGES, &mut part.edges);
            self.quads.hand_over(EDGES / LANES, &mut part.quads);
            if self.has_extras {
                self.extras.hand_over(EDGES, &mut part.extras);
            }
        }
        is_supplied(part)
    }

    /// Takes back what a part has not used.
    pub(crate) fn take_back_part(&mut self, part: Self) {
        self.nodes.take_back(part.nodes);
        self.edges.take_back(part.edges);
        self.positions.take_back(part.positions);
        self.quads.take_back(part.quads);
        self.extras.take_back(part.extras);
        self.count.0 += part.count.0;
        self.count.1 += part.count.1;
    }
}
