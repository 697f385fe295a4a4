//! A search tree: its nodes and their edges in vectors.

pub(crate) mod backup;
mod memory;
pub(crate) mod node;
mod selection;
pub(crate) mod shared_vec;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter::repeat_n;

use crate::allocation::{Allocator, RootTally};
use crate::choice::{ActionTally, random};
use crate::game::{Side, check_priors};
use crate::settings::Settings;
use crate::tree::node::{
    Candidate, Edge, Extra, LANES, Node, NodeId, Quad, quads, with_confidence,
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
    /// Those of a node are adjacent, and begin a quad.
    pub(super) edges: SharedVec<Edge<A>>,
    /// The positions of expanded nodes, so that an iteration plays a single action instead of all actions
    /// from the root to its leaf.
    pub(super) positions: SharedVec<P>,
    /// Each has the data of four edges.
    pub(super) quads: SharedVec<Quad>,
    /// As long as `edges`; empty if no setting needs them.
    pub(super) extras: SharedVec<Extra>,
    pub(super) has_extras: bool,
    pub(super) settings: Settings,
    pub(super) root: NodeId,
    /// The seed of what is drawn at the root, once that has begun.
    pub(super) seed: Option<u64>,
    /// The nodes that have a key, by it; empty without transpositions.
    pub(super) by_key: HashMap<u64, NodeId>,
    /// The numbers of nodes and of their edges, without those that the last [`Self::tidy`] found not to be below the root.
    pub(super) count: (usize, usize),
    /// An empty tree whose memory is used for the next copy: new memory takes time (`docs/lab/search.md`).
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
            edges: SharedVec::new(),
            positions: SharedVec::new(),
            quads: SharedVec::new(),
            extras: SharedVec::new(),
            has_extras: settings.has_extras(),
            settings: *settings,
            root,
            seed: None,
            by_key: HashMap::new(),
            count: (0, 0),
            spare: None,
        }
    }

    /// Removes everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.positions.clear();
        self.quads.clear();
        self.extras.clear();
        self.by_key.clear();
        self.count = (0, 0);
        self.root = self.add(Node::NEW, None);
        self.seed = None;
    }

    /// The size below the root of the last decision.
    pub(super) fn size(&self) -> TreeSize {
        let (nodes, edges) = self.count;
        // A bucket has a byte more, and at least 7 of 16 are full.
        let key = (size_of::<(u64, NodeId)>() + 1) * 16 / 7;
        let merges = usize::from(self.settings.transpositions);
        let has_extras = usize::from(self.has_extras);
        TreeSize {
            nodes,
            edges,
            bytes_per_node: size_of::<Node>() + size_of::<P>() + merges * key,
            bytes_per_edge: size_of::<Edge<A>>()
                + size_of::<Quad>() / LANES
                + has_extras * size_of::<Extra>(),
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

    /// Whether it is proven who wins, or the visits of the root cannot be counted further.
    #[inline(always)]
    pub(super) fn is_proven(&self) -> bool {
        let root = self.node(self.root);
        root.winner.is_some() || root.visits >= MAX_VISITS
    }

    /// Whether this many further iterations cannot change the choice, unless they prove who wins, and the search ends then.
    /// Virtual losses count for the other actions, but not for the one with the most visits. At a claimed node, the
    /// answer is no.
    pub(super) fn is_final(
        &self,
        left: u32,
        is_part: impl Fn(A) -> bool,
        is_claimed: impl Fn(NodeId) -> bool,
    ) -> bool {
        let (choice, keys) = self.settings.choice.part_with_keys();
        let share = (choice.share)(keys);
        let mut id = self.root;
        loop {
            if is_claimed(id) {
                return false;
            }
            let (mut most, mut second, mut unfinished) = (0, 0, 0);
            for one in self.edges(id).iter().filter(|edge| !edge.is_lost()) {
                second = second.max(one.visits.min(most));
                if one.visits > most {
                    (most, unfinished) = (one.visits, u32::from(one.unfinished));
                }
            }
            // If all of them went to one other action, it would not have enough visits to be chosen.
            let more = u64::from(second) + u64::from(left) + u64::from(unfinished);
            if more as f64 >= share * f64::from(most) {
                return false;
            }
            // If the choice is only part of a decision, the next part must be decided as well.
            match self.best(id, true) {
                Some(part) if is_part(part.action) => match self.child(id, part.action) {
                    Some(next) => id = next,
                    None => return false,
                },
                _ => return true,
            }
        }
    }

    /// All edges of a node.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        self.edges.slice(self.node(id).range())
    }

    /// The candidates of a node's actions.
    pub(super) fn candidates(&self, id: NodeId) -> impl Iterator<Item = Candidate<A>> {
        let confidence = self.confidence();
        let edges = self.node(id).range();
        edges.map(move |edge| self.candidate(edge, confidence))
    }

    fn candidate(&self, at: usize, confidence: f32) -> Candidate<A> {
        let edge = &self.edges[at];
        Candidate {
            action: edge.action,
            visits: edge.visits,
            value: edge.mean(),
            chance: with_confidence(edge.chance(), confidence),
            prior: self.quads[at / LANES].prior[at % LANES],
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
            let edges = self.node(id).range();
            let edges = edges.filter(|&at| self.edges[at].proven == proven);
            edges.min_by_key(|&at| Reverse(self.edges[at].visits))
        };
        let chosen = || self.chosen(id, self.edges[most_visited(None)?].visits, is_root);
        let at = most_visited(Some(true)).or_else(chosen);
        let at = at.or_else(|| most_visited(Some(false)))?;
        Some(self.candidate(at, self.confidence()))
    }

    /// The edge of the final choice among those of a node that are not proven, of which one has the most visits.
    fn chosen(&self, id: NodeId, most: u32, is_root: bool) -> Option<usize> {
        let (part, keys) = self.settings.choice.part_with_keys();
        let fewest = (part.share)(keys).min(1.0) * f64::from(most);
        let edges = self.node(id).range();
        let mut best = None;
        for (rank, at) in edges.enumerate() {
            let edge = &self.edges[at];
            if edge.proven.is_some() || f64::from(edge.visits) < fewest {
                continue;
            }
            let mut tally = self.tally(at);
            if let Some(seed) = self.seed.filter(|_| is_root) {
                tally.random = random(!seed, u64::from(id) << 16 | rank as u64);
            }
            let score = (part.score)(keys, &tally);
            assert!(!score.is_nan(), "the score of a final choice is a number");
            if best.is_none_or(|(greatest, _)| score > greatest) {
                best = Some((score, at));
            }
        }
        Some(best?.1)
    }

    /// The rank of the action of the root that the next iteration follows, if the allocator tells it.
    pub(super) fn allocate(&self, allocator: &mut Allocator, done: u32, all: u32) -> Option<u16> {
        let root = self.node(self.root);
        let known = |rank: usize| {
            assert!(rank < root.edges.into(), "the root has no action {rank}");
            rank as u16
        };
        let tally = |rank: usize| {
            let at = root.edge(known(rank));
            (!self.edges[at].is_lost()).then(|| self.tally(at))
        };
        let rank = allocator(&RootTally {
            actions: root.edges.into(),
            done,
            all,
            tally: &tally,
        });
        rank.map(known)
    }

    fn tally(&self, at: usize) -> ActionTally {
        let (edge, mean) = (&self.edges[at], self.edges[at].mean());
        let variance = if self.has_extras {
            (self.extras[at].squares / f64::from(edge.visits.max(1))) as f32 - mean * mean
        } else {
            mean * (1.0 - mean)
        };
        let backup = self.quads[at / LANES].backup[at % LANES];
        ActionTally {
            visits: edge.visits,
            value: mean + self.settings.minimax * (backup - mean),
            variance,
            random: 0.5,
        }
    }

    /// Begins what is drawn at the root once its actions are known, unless it has begun.
    pub(super) fn draw(&mut self, seed: impl FnOnce() -> u64) {
        let (settings, node) = (self.settings, *self.node(self.root));
        let (allocation, keys) = settings.allocation.part_with_keys();
        let draws = allocation.mix.is_some() || settings.choice.part().draws;
        if self.seed.is_some() || !node.is_expanded() || !draws {
            return;
        }
        let seed = seed();
        self.seed = Some(seed);
        let Some(mix) = allocation.mix else { return };
        let edges = node.range();
        let prior = |at: usize| self.quads[at / LANES].prior[at % LANES];
        let mut priors: Vec<f32> = edges.clone().map(prior).collect();
        let mut index = 0;
        mix(keys, &mut priors, &mut || {
            index += 1;
            random(seed, index)
        });
        check_priors(priors.iter().copied());
        let actions = self.edges(self.root).iter().map(|edge| edge.action);
        let mut actions: Vec<(A, f32)> = actions.zip(priors).collect();
        if settings.select.part().uses_priors {
            actions[node.tried.into()..].sort_by(|one, two| two.1.total_cmp(&one.1));
        }
        for (at, (action, prior)) in edges.zip(actions) {
            self.edges[at].action = action;
            self.quads[at / LANES].prior[at % LANES] = prior;
        }
    }

    /// The node behind an action of a node that has been tried.
    pub(super) fn child(&self, id: NodeId, action: A) -> Option<NodeId> {
        let mut tried = self.edges.slice(self.node(id).tried()).iter();
        Some(tried.find(|edge| edge.action == action)?.node)
    }

    /// The node that these actions lead to from the root; `None` where the tree does not go.
    pub(super) fn node_after(&self, path: &[A]) -> Option<NodeId> {
        (path.iter()).try_fold(self.root, |id, &action| self.child(id, action))
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
            && self.edges.fits(MAX_ACTIONS)
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
        let first = self.edges.len();
        let node = &mut self.nodes[id as usize];
        let old = node.range();
        node.first_edge = first as u32;
        node.edges += actions.len() as u16;
        node.complete = complete;
        self.count.1 += actions.len();
        self.edges.extend_from_within(old.clone());
        let new = actions.iter().map(|&(action, _)| Edge::new(action));
        self.edges.extend(new);
        self.quads.extend_from_within(quads(&old));
        if self.has_extras {
            let new = repeat_n(Extra::default(), actions.len());
            self.extras.extend_from_within(old.clone());
            self.extras.extend(new);
        }
        self.fill_quad();
        let empty = self.edges.len() / LANES - self.quads.len();
        self.quads.extend(repeat_n(Quad::EMPTY, empty));
        for (at, &(_, prior)) in (first + old.len()..).zip(actions) {
            self.quads[at / LANES].prior[at % LANES] = prior;
        }
    }

    /// Adds edges without use, so that those of the next node begin a quad.
    pub(super) fn fill_quad(&mut self) {
        while !self.edges.len().is_multiple_of(LANES) {
            self.edges.push(self.edges[self.edges.len() - 1]);
            if self.has_extras {
                self.extras.push(Extra::default());
            }
        }
    }

    /// Marks the next edge of a node as tried; it leads to the node with the key or to a new node.
    pub(super) fn try_next(&mut self, id: NodeId, key: Option<u64>) {
        let known = key.and_then(|key| self.by_key.get(&key).copied());
        let child = known.unwrap_or_else(|| self.add(Node::NEW, key));
        let node = &mut self.nodes[id as usize];
        self.edges[node.edge(node.tried)].node = child;
        node.tried += 1;
    }

    /// Adds a node. Its key, if it has one, must not have a node yet.
    pub(super) fn add(&mut self, node: Node, key: Option<u64>) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.count.0 += 1;
        if let Some(key) = key {
            self.by_key.insert(key, id);
        }
        id
    }

    /// Makes the node behind an action of the root the new root. An untried action leaves an empty tree. The
    /// parts cut off stay in memory until [`Self::tidy`] or [`Self::recycle_if_full`] drops them.
    pub(super) fn advance(&mut self, action: A) {
        self.seed = None;
        match self.child(self.root, action) {
            Some(child) => self.root = child,
            None => self.clear(),
        }
    }
}
