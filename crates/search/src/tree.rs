//! A search tree: its nodes and their edges in vectors.

pub(crate) mod backup;
mod memory;
pub(crate) mod node;
mod selection;
pub(crate) mod shared_vec;

use std::iter::repeat_n;

use hashbrown::HashTable;

use crate::choice::{ActionTally, random};
use crate::game::Side;
use crate::settings::Settings;
use crate::tree::node::{
    Candidate, Edge, Extra, KEY_BYTES, LANES, NO_NODE, NODE_BYTES, Node, NodeId, Quad,
    with_confidence,
};
use crate::tree::shared_vec::SharedVec;

/// The visits of a root from which the confidence falls.
const LONG_SEARCH: f32 = 100_000.0;
/// Maximum number of visits of a root, including those kept from earlier decisions: they are counted in 32 bits.
/// A search ends when it gets there.
pub const MAX_VISITS: u32 = 4_000_000_000;

/// Maximum number of edges in a tree (384 MiB, and as much for its copy), whatever the limit on nodes.
pub(super) const MAX_EDGES: usize = 1 << 23;

/// In a part of a tree, a node is expanded only if it has at most this many actions.
pub(super) const MAX_ACTIONS: usize = 4096;

/// Nodes and edges. With transpositions, edges of several nodes may lead to one node, which makes it a
/// directed acyclic graph.
#[derive(Debug)]
pub(super) struct Tree<P, A> {
    pub(super) nodes: SharedVec<Node>,
    /// The node from which each node was added: the one above it, or one of several with transpositions.
    pub(super) parents: SharedVec<NodeId>,
    pub(super) edges: SharedVec<Edge<A>>,
    /// The positions of expanded nodes, so that an iteration plays a single action instead of all actions
    /// from the root to its leaf.
    pub(super) positions: SharedVec<P>,
    /// The quads of each expanded node are adjacent and contain all its edges in order.
    pub(super) quads: SharedVec<Quad>,
    /// As long as `edges`; empty if no setting needs them.
    pub(super) extras: SharedVec<Extra>,
    pub(super) has_extras: bool,
    pub(super) settings: Settings,
    pub(super) root: NodeId,
    /// The seed of what is drawn at the root, once that has begun.
    pub(super) seed: Option<u64>,
    /// The key of each node, up to the last node that has one; empty without transpositions.
    pub(super) keys: Vec<u64>,
    /// The nodes that have a key, by it.
    pub(super) by_key: HashTable<NodeId>,
    /// Numbers of nodes and edges in memory that the last [`Self::tidy`] found not to be below the root.
    pub(super) cut_off: (usize, usize),
    /// An empty tree whose memory is used for the next copy: new memory takes time (`docs/search.md`).
    pub(super) spare: Option<Box<Self>>,
}

/// The part of a search tree below its root. A search may hold several times as much memory: what was cut off lately,
/// and room for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Number of positions.
    pub nodes: usize,
    /// Number of actions, including those that have not been tried.
    pub edges: usize,
    /// Bytes of a position without its actions; an upper bound, because positions are stored from their
    /// second visit on.
    pub bytes_per_node: usize,
    /// Bytes of an action.
    pub bytes_per_edge: usize,
}

impl TreeSize {
    /// Bytes of all positions and actions.
    pub const fn bytes(&self) -> usize {
        self.nodes * self.bytes_per_node + self.edges * self.bytes_per_edge
    }
}

impl<P: Copy, A: Copy + PartialEq> Tree<P, A> {
    /// An empty tree for searches with these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let mut tree = Self::without_memory(settings, 0);
        tree.clear();
        tree
    }

    /// A tree without a node.
    pub(super) fn without_memory(settings: &Settings, root: NodeId) -> Self {
        Self {
            nodes: SharedVec::new(),
            parents: SharedVec::new(),
            edges: SharedVec::new(),
            positions: SharedVec::new(),
            quads: SharedVec::new(),
            extras: SharedVec::new(),
            has_extras: settings.has_extras(),
            settings: *settings,
            root,
            seed: None,
            keys: Vec::new(),
            by_key: HashTable::new(),
            cut_off: (0, 0),
            spare: None,
        }
    }

    /// Allocates as much memory as another tree has, so that a tree that replaces it need not be copied while it grows.
    pub(super) fn reserve(&mut self, other: &Self) {
        self.nodes.reserve(other.nodes.capacity());
        self.parents.reserve(other.parents.capacity());
        self.edges.reserve(other.edges.capacity());
        self.positions.reserve(other.positions.capacity());
        self.quads.reserve(other.quads.capacity());
        self.extras.reserve(other.extras.capacity());
        let keys = other.keys.capacity();
        self.keys.reserve_exact(keys - self.keys.len().min(keys));
    }

    /// Removes everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::NEW);
        self.parents.clear();
        self.parents.push(0);
        self.edges.clear();
        self.positions.clear();
        self.quads.clear();
        self.extras.clear();
        self.keys.clear();
        // A small table keeps its memory: to empty it takes less time than to grow it again.
        match self.by_key.capacity() {
            0..MAX_KEPT => self.by_key.clear(),
            _ => self.by_key = HashTable::new(),
        }
        self.cut_off = (0, 0);
        self.root = 0;
        self.seed = None;
    }

    /// The size below the root of the last decision.
    pub(super) fn size(&self, transpositions: bool) -> TreeSize {
        TreeSize {
            nodes: self.nodes.used() - self.cut_off.0,
            edges: self.edges.used() - self.cut_off.1,
            bytes_per_node: NODE_BYTES
                + size_of::<P>()
                + if transpositions { KEY_BYTES } else { 0 },
            bytes_per_edge: size_of::<Edge<A>>()
                + size_of::<Quad>() / LANES
                + if self.has_extras {
                    size_of::<Extra>()
                } else {
                    0
                },
        }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The position of a node that has been expanded.
    pub(super) fn position(&self, id: NodeId) -> &P {
        &self.positions[self.node(id).position as usize]
    }

    pub(super) fn edge(&self, edge: u32) -> &Edge<A> {
        &self.edges[edge as usize]
    }

    /// All edges of a node.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        self.edges.slice(self.node(id).range())
    }

    /// The edges of a node that have been tried.
    pub(super) fn tried(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        let first = node.first_edge as usize;
        self.edges.slice(first..first + usize::from(node.tried))
    }

    /// The quads of the edges of a node that have been tried.
    pub(super) fn tried_quads(&self, id: NodeId) -> &[Quad] {
        let node = self.node(id);
        self.quads.slice(node.quads(node.tried))
    }

    /// The candidates of a node's actions.
    pub(super) fn candidates(&self, id: NodeId) -> impl Iterator<Item = Candidate<A>> {
        let confidence = self.confidence();
        (0..self.node(id).edges).map(move |rank| self.candidate(id, rank, confidence))
    }

    fn candidate(&self, id: NodeId, rank: u16, confidence: f32) -> Candidate<A> {
        let node = self.node(id);
        let (quad, lane) = node.lane(rank);
        let edge = self.edge(node.edge(rank));
        Candidate {
            action: edge.action,
            visits: edge.visits,
            value: edge.mean(),
            chance: with_confidence(edge.chance(), confidence),
            prior: self.quads[quad].prior[lane],
            proven: edge.proven,
        }
    }

    /// By what the log-odds of the chances of all nodes are multiplied.
    fn confidence(&self) -> f32 {
        let length = self.node(self.root).visits as f32 / LONG_SEARCH;
        let Settings {
            confidence,
            confidence_power,
            ..
        } = self.settings;
        confidence * libm::powf(length.max(1.0), confidence_power)
    }

    /// The action to choose: a proven win, or else by the final choice one that is not proven to lose, or else a loss; ties
    /// go to the first one. A choice that draws does so if the node `is_root`, or the next part of a decision there.
    pub(super) fn best(&self, id: NodeId, is_root: bool) -> Option<Candidate<A>> {
        let most_visited = |proven: Option<bool>| {
            let edges = self.edges(id).iter().zip(0..);
            let edges = edges.filter(|(edge, _)| edge.proven == proven);
            edges.reduce(|best, one| {
                if one.0.visits > best.0.visits {
                    one
                } else {
                    best
                }
            })
        };
        let rank = match (most_visited(Some(true)), most_visited(None)) {
            (Some((_, rank)), _) => rank,
            (None, Some((most, _))) => self.greatest_score(id, most.visits, is_root)?,
            (None, None) => most_visited(Some(false))?.1,
        };
        Some(self.candidate(id, rank, self.confidence()))
    }

    /// The rank of the edge of the final choice among those that are not proven, of which one has the most visits.
    fn greatest_score(&self, id: NodeId, most: u32, is_root: bool) -> Option<u16> {
        let choice = &self.settings.choice;
        let (part, keys) = (choice.part(), choice.values());
        let fewest = (part.share)(keys) * f64::from(most);
        let enough = |edge: &Edge<A>| edge.proven.is_none() && f64::from(edge.visits) >= fewest;
        let mut best = None;
        for (edge, rank) in self
            .edges(id)
            .iter()
            .zip(0..)
            .filter(|(edge, _)| enough(edge))
        {
            let mut tally = self.tally(id, rank, edge);
            if let Some(seed) = self.seed.filter(|_| is_root) {
                tally.random = random(!seed, u64::from(id) << 16 | u64::from(rank));
            }
            let score = (part.score)(keys, &tally);
            if best.is_none_or(|(greatest, _)| score > greatest) {
                best = Some((score, rank));
            }
        }
        Some(best?.1)
    }

    /// What is known of an action of the root; `None` if it is proven to lose.
    pub(super) fn root_tally(&self, rank: usize) -> Option<ActionTally> {
        let edge = &self.edges(self.root)[rank];
        (!edge.is_lost()).then(|| self.tally(self.root, rank as u16, edge))
    }

    fn tally(&self, id: NodeId, rank: u16, edge: &Edge<A>) -> ActionTally {
        let node = self.node(id);
        let (quad, lane) = node.lane(rank);
        let mean = edge.mean();
        let variance = if self.has_extras {
            let squares = self.extras[node.edge(rank) as usize].squares;
            (squares / f64::from(edge.visits.max(1))) as f32 - mean * mean
        } else {
            mean * (1.0 - mean)
        };
        ActionTally {
            visits: edge.visits,
            value: mean + self.settings.minimax * (self.quads[quad].backup[lane] - mean),
            variance,
            random: 0.5,
        }
    }

    /// Begins what is drawn at the root, whose actions are known, unless it has begun.
    pub(super) fn draw(&mut self, seed: impl FnOnce() -> u64) {
        let (settings, node) = (self.settings, *self.node(self.root));
        let mix = settings.allocation.part().mix;
        if self.seed.is_some() || mix.is_none() && !settings.choice.part().draws {
            return;
        }
        let seed = seed();
        self.seed = Some(seed);
        let Some(mix) = mix else { return };
        let lanes = (0..node.edges).map(|rank| node.lane(rank));
        let mut priors: Vec<f32> = (lanes
            .clone()
            .map(|(quad, lane)| self.quads[quad].prior[lane]))
        .collect();
        let mut index = 0;
        mix(settings.allocation.values(), &mut priors, &mut || {
            index += 1;
            random(seed, index)
        });
        let actions = self.edges(self.root).iter().map(|edge| edge.action);
        let mut actions: Vec<(A, f32)> = actions.zip(priors).collect();
        if settings.select.part().uses_priors {
            actions[node.tried.into()..].sort_by(|one, two| two.1.total_cmp(&one.1));
        }
        for ((edge, (quad, lane)), (action, prior)) in node.range().zip(lanes).zip(actions) {
            self.edges[edge].action = action;
            self.quads[quad].prior[lane] = prior;
        }
    }

    /// The node behind an action of a node that has been tried.
    pub(super) fn child(&self, id: NodeId, action: A) -> Option<NodeId> {
        let mut tried = self.tried(id).iter();
        Some(tried.find(|edge| edge.action == action)?.node)
    }

    /// The node that these actions lead to from the root; `None` where the tree does not go.
    pub(super) fn node_after(&self, path: &[A]) -> Option<NodeId> {
        (path.iter()).try_fold(self.root, |id, &action| self.child(id, action))
    }

    /// The actions that lead from the root to a node; `None` if it is not below the root.
    pub(super) fn path_to(&self, mut id: NodeId) -> Option<Vec<A>> {
        let mut path = Vec::new();
        while id != self.root {
            let parent = self.parents[id as usize];
            let mut edges = self.tried(parent).iter();
            path.push(edges.find(|edge| edge.node == id)?.action);
            id = parent;
        }
        path.reverse();
        Some(path)
    }

    /// Maximum number of nodes, at least 1.
    pub(super) fn most_nodes(&self) -> usize {
        (self.settings.nodes as usize).max(1)
    }

    /// Whether there is room to expand a node.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < self.most_nodes()
            && self.edges.len() < MAX_EDGES
            && self.nodes.fits(1)
            && self.fits(MAX_ACTIONS)
    }

    /// Whether a node can have this many actions more, which is always so except in a part of a tree.
    pub(super) fn fits(&self, actions: usize) -> bool {
        self.edges.fits(actions) && self.quads.fits(actions.div_ceil(LANES))
    }

    /// Gives a node its position, in which `mover` is to move.
    pub(super) fn place(&mut self, id: NodeId, position: P, mover: Side) {
        let index = self.positions.len() as u32;
        self.positions.push(position);
        let node = self.node_mut(id);
        (node.position, node.mover) = (index, mover);
    }

    /// Adds edges to a node after its existing ones, in the order in which they are to be tried. All its
    /// edges move to the end; the old place is freed when the tree is next copied. `complete` means that they
    /// are all legal actions.
    pub(super) fn expand(&mut self, id: NodeId, actions: &[(A, f32)], complete: bool) {
        let before = *self.node(id);
        let old = before.range();
        debug_assert!(old.len() + actions.len() <= usize::from(u16::MAX));
        let first_edge = self.edges.len() as u32;
        let first_quad = self.quads.len() as u32;
        self.edges.extend_from_within(old.clone());
        let new = actions.iter().map(|&(action, _)| Edge::new(action));
        self.edges.extend(new);
        self.quads.extend_from_within(before.quads(before.edges));
        if self.has_extras {
            debug_assert_eq!(self.extras.len(), first_edge as usize);
            self.extras.extend_from_within(old);
            self.extras
                .extend(repeat_n(Extra::default(), actions.len()));
        }
        let node = self.node_mut(id);
        (node.first_edge, node.first_quad) = (first_edge, first_quad);
        node.edges += actions.len() as u16;
        node.complete = complete;
        let after = *node;
        let quads = after.quads(after.edges).end - self.quads.len();
        self.quads.extend(repeat_n(Quad::EMPTY, quads));
        for (rank, &(_, prior)) in (before.edges..).zip(actions) {
            let (quad, lane) = after.lane(rank);
            self.quads[quad].prior[lane] = prior;
        }
    }

    /// Marks the next edge of a node as tried; it leads to the node with the key or to a new node.
    pub(super) fn try_next(&mut self, id: NodeId, key: Option<u64>) {
        let key = key.unwrap_or(NO_KEY);
        let known = if key == NO_KEY {
            None
        } else {
            let has_key = |&id: &NodeId| self.keys[id as usize] == key;
            self.by_key.find(key, has_key).copied()
        };
        let child = known.unwrap_or_else(|| self.add(Node::NEW, key, id));
        let node = &mut self.nodes[id as usize];
        self.edges[node.edge(node.tried) as usize].node = child;
        node.tried += 1;
    }

    /// Undoes the last [`Self::try_next`] for a node. Only if the edge led to a node that had been there before,
    /// which stays.
    pub(super) fn untry_last(&mut self, id: NodeId) {
        let node = &mut self.nodes[id as usize];
        node.tried -= 1;
        let (edge, (quad, lane)) = (node.edge(node.tried), node.lane(node.tried));
        self.edges[edge as usize].node = NO_NODE;
        let quad = &mut self.quads[quad];
        (quad.mean[lane], quad.visits[lane]) = (f32::NAN, 0.0);
    }

    /// Adds a node below another one. Its key, if it has one, must not have a node yet.
    pub(super) fn add(&mut self, node: Node, key: u64, parent: NodeId) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.parents.push(parent);
        if key != NO_KEY {
            self.keys.resize(self.nodes.len(), NO_KEY);
            self.keys[id as usize] = key;
            let keys = &self.keys;
            self.by_key.insert_unique(key, id, |&id| keys[id as usize]);
        }
        id
    }

    /// Makes the node behind an action of the root the new root. An untried action leaves an empty tree. The
    /// parts cut off stay in memory until [`Self::tidy`] or [`Self::recycle`] drops them.
    pub(super) fn advance(&mut self, action: A) {
        self.seed = None;
        match self.child(self.root, action) {
            Some(child) => self.root = child,
            None => self.clear(),
        }
    }
}

/// The key of a node without one; a position whose hash is this is not shared.
pub(super) const NO_KEY: u64 = 0;

/// The number of nodes up to which an empty table has room for them.
const MAX_KEPT: usize = 1 << 13;
