//! The tree of a search: nodes and their edges in two vectors.

use std::time::Duration;

use crate::game::Player;

/// Index of a node in its tree.
pub(super) type NodeId = u32;

/// An edge whose node has not been made yet.
const NO_NODE: NodeId = NodeId::MAX;

/// Trees have no more edges than this (320 MiB), however many nodes they may have.
const MOST_EDGES: usize = 1 << 23;

/// How far a position is solved: who wins it.
pub(super) type Proof = Option<Player>;

/// A position that the search has reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Sum of the values that went through, as the first player sees them.
    total: f64,
    first_edge: u32,
    pub(super) visits: u32,
    edges: u16,
    /// How many of the edges have been tried; they are tried in order.
    tried: u16,
    pub(super) proof: Proof,
    /// Whether the edges are all legal actions, so that losing by all of them is losing.
    complete: bool,
}

/// Bytes of a node, beside those of its edges.
pub(super) const NODE_BYTES: usize = size_of::<Node>();

/// Bytes of a node's key and its place in the index, which is at least a quarter full.
pub(super) const KEY_BYTES: usize = size_of::<u64>() + 4 * size_of::<NodeId>();

const _: () = assert!(NODE_BYTES + KEY_BYTES <= 64);

impl Node {
    pub(super) const fn is_expanded(&self) -> bool {
        self.edges > 0
    }

    pub(super) const fn has_untried(&self) -> bool {
        self.tried < self.edges
    }

    pub(super) const fn tried(&self) -> u32 {
        self.tried as u32
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Mean of the values that went through, as the first player sees them.
    pub(super) fn mean(&self) -> f32 {
        (self.total / f64::from(self.visits.max(1))) as f32
    }
}

/// How an action turned out for the player who moves there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    #[default]
    Open,
    Won,
    Lost,
}

/// An action from a node, with what the search has seen of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    /// Sum of the results for the player who moves here.
    total: f64,
    pub(super) action: A,
    node: NodeId,
    pub(super) visits: u32,
    /// 1 / sqrt(visits), kept because selection reads it far more often than it changes.
    width: f32,
    mean: f32,
    pub(super) prior: f32,
    /// Mean chance of the player who moves here to win.
    chance: f32,
    pub(super) fate: Fate,
}

impl<A> Edge<A> {
    const fn new(action: A, prior: f32) -> Self {
        Self {
            total: 0.0,
            action,
            node: NO_NODE,
            visits: 0,
            width: 0.0,
            mean: 0.0,
            prior,
            chance: 0.0,
            fate: Fate::Open,
        }
    }

    /// Mean result for the player who moves here, 0 to 1.
    pub(super) const fn mean(&self) -> f32 {
        self.mean
    }

    pub(super) const fn width(&self) -> f32 {
        self.width
    }

    pub(super) const fn node(&self) -> NodeId {
        self.node
    }

    /// Mean chance of the player who moves here to win, 0 to 1.
    pub(super) const fn chance(&self) -> f32 {
        self.chance
    }

    /// Adds a result and the chance to win that goes with it.
    pub(super) fn add(&mut self, result: f64, chance: f32) {
        self.visits += 1;
        self.total += result;
        self.mean = (self.total / f64::from(self.visits)) as f32;
        self.width = 1.0 / (self.visits as f32).sqrt();
        self.chance += (chance - self.chance) / self.visits as f32;
    }
}

/// What only some rules of selection need of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    /// Sum of the squared results.
    pub(super) squares: f32,
    /// The static estimates below, backed up by minimax, for the player who moves here.
    pub(super) backup: f32,
    /// Iterations in which the player made the same move here or later.
    pub(super) amaf_visits: f32,
    /// Mean result of those.
    pub(super) amaf_mean: f32,
}

/// Nodes by their keys: open addressing with linear probing, at most half full.
#[derive(Clone, Debug, Default)]
struct Index {
    slots: Vec<NodeId>,
    len: usize,
}

impl Index {
    /// The node with a key, if there is one.
    fn find(&self, key: u64, keys: &[u64]) -> Option<NodeId> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = key as usize & mask;
        loop {
            match self.slots[at] {
                NO_NODE => return None,
                node if keys[node as usize] == key => return Some(node),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds a node whose key, which is in `keys`, is not there yet.
    fn insert(&mut self, node: NodeId, keys: &[u64]) {
        if 2 * (self.len + 1) > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![NO_NODE; (2 * old.len()).max(64)];
            for node in old.into_iter().filter(|&node| node != NO_NODE) {
                self.place(node, keys);
            }
        }
        self.place(node, keys);
        self.len += 1;
    }

    fn place(&mut self, node: NodeId, keys: &[u64]) {
        let mask = self.slots.len() - 1;
        let mut at = keys[node as usize] as usize & mask;
        while self.slots[at] != NO_NODE {
            at = (at + 1) & mask;
        }
        self.slots[at] = node;
    }
}

/// The key of nodes that have none; a position whose hash is this is not shared.
const NO_KEY: u64 = 0;

/// Nodes and edges. Where transpositions are kept, edges of several nodes may lead to one node: then it
/// is no tree, but there are no circles.
#[derive(Clone, Debug)]
pub(super) struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// As long as `edges`, or empty when no rule needs them.
    extras: Vec<Extra>,
    has_extras: bool,
    root: NodeId,
    most_nodes: usize,
    /// The key of each node that has one, or empty when transpositions are not kept.
    keys: Vec<u64>,
    by_key: Index,
}

impl<A: Copy + PartialEq> Tree<A> {
    /// A tree that is to have at most so many nodes.
    pub(super) fn new(most_nodes: usize, has_extras: bool) -> Self {
        Self {
            nodes: vec![Node::default()],
            edges: Vec::new(),
            extras: Vec::new(),
            has_extras,
            root: 0,
            most_nodes: most_nodes.max(1),
            keys: Vec::new(),
            by_key: Index::default(),
        }
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.edges.clear();
        self.extras.clear();
        self.keys.clear();
        self.by_key = Index::default();
        self.root = 0;
    }

    pub(super) const fn root(&self) -> NodeId {
        self.root
    }

    /// Number of nodes, those that a new root has cut off included until [`Self::tidy`].
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Bytes of an edge with what the rule needs of it.
    pub(super) const fn edge_bytes(&self) -> usize {
        let extra = if self.has_extras {
            size_of::<Extra>()
        } else {
            0
        };
        size_of::<Edge<A>>() + extra
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(super) fn edge(&self, edge: u32) -> &Edge<A> {
        &self.edges[edge as usize]
    }

    pub(super) fn edge_mut(&mut self, edge: u32) -> &mut Edge<A> {
        &mut self.edges[edge as usize]
    }

    pub(super) fn extra_mut(&mut self, edge: u32) -> &mut Extra {
        &mut self.extras[edge as usize]
    }

    /// Index of the first edge of a node.
    pub(super) fn first_edge(&self, id: NodeId) -> u32 {
        self.node(id).first_edge
    }

    /// The edges of a node that have been tried.
    pub(super) fn tried(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..usize::from(node.tried)]
    }

    /// What else is known of them, if anything is kept.
    pub(super) fn tried_extras(&self, id: NodeId) -> &[Extra] {
        let node = self.node(id);
        &self.extras[node.first_edge as usize..][..usize::from(node.tried)]
    }

    /// All edges of a node.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..usize::from(node.edges)]
    }

    /// Whether a node may be expanded.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < self.most_nodes && self.edges.len() < MOST_EDGES
    }

    /// Adds the value of an iteration, as the first player sees it, to a node on its way.
    pub(super) fn visit(&mut self, id: NodeId, value: f64) {
        let node = self.node_mut(id);
        node.visits += 1;
        node.total += value;
    }

    /// Gives a node its edges, in the order in which they are to be tried. `complete`: they are all
    /// there are.
    pub(super) fn expand(&mut self, id: NodeId, actions: &[(A, f32)], complete: bool) {
        debug_assert!(actions.len() <= usize::from(u16::MAX), "few moves");
        let first_edge = self.edges.len() as u32;
        let edges = actions
            .iter()
            .map(|&(action, prior)| Edge::new(action, prior));
        self.edges.extend(edges);
        if self.has_extras {
            self.extras.resize(self.edges.len(), Extra::default());
        }
        let node = self.node_mut(id);
        node.first_edge = first_edge;
        node.edges = actions.len() as u16;
        node.complete = complete;
    }

    /// Gives an expanded node more edges, which make it complete. Its edges move to the end; what they
    /// leave behind is freed when the tree is next tidied.
    pub(super) fn expand_more(&mut self, id: NodeId, actions: &[(A, f32)]) {
        let node = self.node(id);
        let old = node.first_edge as usize..node.first_edge as usize + usize::from(node.edges);
        let first_edge = self.edges.len() as u32;
        self.edges.extend_from_within(old.clone());
        let more = actions
            .iter()
            .map(|&(action, prior)| Edge::new(action, prior));
        self.edges.extend(more);
        if self.has_extras {
            self.extras.extend_from_within(old);
            self.extras.resize(self.edges.len(), Extra::default());
        }
        let node = self.node_mut(id);
        node.first_edge = first_edge;
        node.edges += actions.len() as u16;
        node.complete = true;
    }

    /// Index of the next untried edge of a node that has one.
    pub(super) fn next_edge(&self, id: NodeId) -> u32 {
        let node = self.node(id);
        node.first_edge + u32::from(node.tried)
    }

    /// Takes the next untried edge of a node and gives it a node: the one with the key, if there is
    /// one and it has a key, else a new one.
    pub(super) fn try_next(&mut self, id: NodeId, key: Option<u64>) {
        let edge = self.next_edge(id);
        let key = key.filter(|&key| key != NO_KEY);
        let known = key.and_then(|key| self.by_key.find(key, &self.keys));
        let child = known.unwrap_or_else(|| {
            let child = self.nodes.len() as NodeId;
            self.nodes.push(Node::default());
            if let Some(key) = key {
                self.keys.resize(self.nodes.len(), NO_KEY);
                self.keys[child as usize] = key;
                self.by_key.insert(child, &self.keys);
            }
            child
        });
        self.nodes[id as usize].tried += 1;
        self.edges[edge as usize].node = child;
    }

    /// Makes the node behind an action of the root the new root. A root or an action without a node
    /// leaves an empty tree. What is cut off stays in memory until [`Self::tidy`].
    pub(super) fn keep(&mut self, action: A) {
        let edge = self
            .tried(self.root)
            .iter()
            .find(|edge| edge.action == action);
        match edge.map(|edge| edge.node) {
            Some(child) => self.root = child,
            None => self.clear(),
        }
    }

    /// Drops what is not below the root.
    pub(super) fn tidy(&mut self) {
        if self.root != 0 {
            self.rebuild(0);
        }
    }

    /// About as long as [`Self::recycle`] takes at most.
    pub(super) fn cost_of_recycling(&self) -> Duration {
        const EACH: Duration = Duration::from_nanos(50);
        EACH * (self.nodes.len() + self.edges.len()) as u32
    }

    /// Frees at least half of the room by forgetting what is below the nodes with the fewest visits:
    /// those come to life again, from their own value on, when the search comes back to them.
    pub(super) fn recycle(&mut self) {
        // Nodes and edges below, by the number of bits of the visits of the node above.
        let mut sizes = [(0usize, 0usize); 33];
        let mut met = vec![false; self.nodes.len()];
        let mut stack = vec![self.root];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut met[id as usize], true) {
                continue;
            }
            let size = &mut sizes[(u32::BITS - self.node(id).visits.leading_zeros()) as usize];
            size.0 += self.tried(id).len();
            size.1 += self.edges(id).len();
            stack.extend(self.tried(id).iter().map(|edge| edge.node));
        }
        let (mut nodes, mut edges) = (1, 0);
        let mut bits = sizes.len();
        while bits > 0 {
            let (more_nodes, more_edges) = sizes[bits - 1];
            let fits =
                nodes + more_nodes <= self.most_nodes / 2 && edges + more_edges <= MOST_EDGES / 2;
            if !fits {
                break;
            }
            (nodes, edges) = (nodes + more_nodes, edges + more_edges);
            bits -= 1;
        }
        // The classes from this one on fit; the first of them begins at 2^(bits - 1) visits.
        self.rebuild(match bits {
            0 => 0,
            33.. => u32::MAX,
            bits => 1 << (bits - 1),
        });
    }

    /// Copies what is below the root breadth first, without the edges of nodes that have fewer
    /// visits; the root keeps its own, and so does the node behind an action that wins: it may be a
    /// part of a decision, and the next part is to be known too.
    fn rebuild(&mut self, fewest_visits: u32) {
        let mut nodes = vec![*self.node(self.root)];
        let mut edges: Vec<Edge<A>> = Vec::new();
        let mut extras = Vec::new();
        // Where nodes have gone that several edges may lead to.
        let mut places = vec![
            NO_NODE;
            if self.keys.is_empty() {
                0
            } else {
                self.nodes.len()
            }
        ];
        let mut keys = Vec::new();
        let mut by_key = Index::default();
        let mut won = None;
        let mut next = 0;
        while next < nodes.len() {
            let node: &mut Node = &mut nodes[next];
            if node.visits < fewest_visits && next > 0 && Some(next as NodeId) != won {
                (node.edges, node.tried) = (0, 0);
            }
            let old = node.first_edge as usize..node.first_edge as usize + usize::from(node.edges);
            node.first_edge = edges.len() as u32;
            let first = edges.len();
            if self.has_extras {
                extras.extend_from_slice(&self.extras[old.clone()]);
            }
            edges.extend_from_slice(&self.edges[old]);
            for edge in &mut edges[first..] {
                if edge.node == NO_NODE {
                    continue;
                }
                let from = edge.node as usize;
                edge.node = nodes.len() as NodeId;
                let key = self.keys.get(from).copied().filter(|&key| key != NO_KEY);
                if let Some(key) = key {
                    if places[from] != NO_NODE {
                        edge.node = places[from];
                        continue;
                    }
                    places[from] = edge.node;
                    keys.resize(nodes.len() + 1, NO_KEY);
                    keys[nodes.len()] = key;
                    by_key.insert(edge.node, &keys);
                }
                nodes.push(self.nodes[from]);
            }
            if next == 0 {
                let edge = edges.iter().find(|edge| edge.fate == Fate::Won);
                won = edge.map(|edge| edge.node);
            }
            next += 1;
        }
        self.nodes = nodes;
        self.edges = edges;
        self.extras = extras;
        self.keys = keys;
        self.by_key = by_key;
        self.root = 0;
    }
}
