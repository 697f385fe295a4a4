//! The tree of a search: nodes and their edges in two vectors.

/// Index of a node in its tree.
pub(super) type NodeId = u32;

/// An edge whose node has not been made yet.
const NO_NODE: NodeId = NodeId::MAX;

/// Trees stop growing at this many edges (256 MiB); the search goes on with what there is.
const MOST_EDGES: usize = 1 << 23;

/// A position that the search has reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    first_edge: u32,
    edges: u32,
    /// How many of the edges have been tried; they are tried in order.
    tried: u32,
    pub(super) visits: u32,
}

impl Node {
    pub(super) const fn is_expanded(&self) -> bool {
        self.edges > 0
    }

    pub(super) const fn has_untried(&self) -> bool {
        self.tried < self.edges
    }
}

/// An action from a node, with what the search has seen of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    node: NodeId,
    pub(super) visits: u32,
    /// 1 / sqrt(visits), kept because selection reads it far more often than it changes.
    width: f32,
    /// Sum of the results for the player who moves here.
    total: f64,
    mean: f32,
}

impl<A> Edge<A> {
    const fn new(action: A) -> Self {
        Self {
            action,
            node: NO_NODE,
            visits: 0,
            width: 0.0,
            total: 0.0,
            mean: 0.0,
        }
    }

    /// Mean result for the player who moves here, 0 to 1.
    pub(super) const fn mean(&self) -> f32 {
        self.mean
    }

    pub(super) fn add(&mut self, result: f64) {
        self.visits += 1;
        self.total += result;
        self.mean = (self.total / f64::from(self.visits)) as f32;
        self.width = 1.0 / (self.visits as f32).sqrt();
    }
}

/// Nodes and edges; the root is node 0.
#[derive(Clone, Debug)]
pub(super) struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
}

impl<A: Copy + PartialEq> Tree<A> {
    pub(super) const ROOT: NodeId = 0;

    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            edges: Vec::new(),
        }
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.edges.clear();
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn visit(&mut self, id: NodeId) {
        self.nodes[id as usize].visits += 1;
    }

    pub(super) fn edge_mut(&mut self, edge: u32) -> &mut Edge<A> {
        &mut self.edges[edge as usize]
    }

    /// The edges of a node that have been tried.
    pub(super) fn tried(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..node.tried as usize]
    }

    /// All edges of a node.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..node.edges as usize]
    }

    pub(super) fn has_room(&self) -> bool {
        self.edges.len() < MOST_EDGES
    }

    /// Gives a node its edges, in the order in which they are to be tried.
    pub(super) fn expand(&mut self, id: NodeId, actions: &[A]) {
        let node = &mut self.nodes[id as usize];
        node.first_edge = self.edges.len() as u32;
        node.edges = actions.len() as u32;
        self.edges
            .extend(actions.iter().map(|&action| Edge::new(action)));
    }

    /// Takes the next untried edge of a node: its index and its new node.
    pub(super) fn try_next(&mut self, id: NodeId) -> (u32, NodeId) {
        let child = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        let node = &mut self.nodes[id as usize];
        let edge = node.first_edge + node.tried;
        node.tried += 1;
        self.edges[edge as usize].node = child;
        (edge, child)
    }

    /// The tried edge with the greatest mean + exploration / sqrt(visits), the first of equals: its
    /// index and its node.
    #[inline]
    pub(super) fn select(&self, id: NodeId, exploration: f32) -> (u32, NodeId) {
        let mut best = (f32::NEG_INFINITY, 0);
        for (i, edge) in self.tried(id).iter().enumerate() {
            let bound = edge.mean + exploration * edge.width;
            if bound > best.0 {
                best = (bound, i);
            }
        }
        let edge = self.node(id).first_edge + best.1 as u32;
        (edge, self.edges[edge as usize].node)
    }

    /// Makes the node behind an action of the root the new root and drops all that is not below it.
    /// A root or an action without a node leaves an empty tree.
    pub(super) fn keep(&mut self, action: A) {
        let edge = self
            .tried(Self::ROOT)
            .iter()
            .find(|edge| edge.action == action);
        let Some(child) = edge.map(|edge| edge.node) else {
            return self.clear();
        };
        // Breadth first into new vectors: a node's children get the indices in which they are met.
        let mut nodes = vec![self.nodes[child as usize]];
        let mut edges = Vec::new();
        let mut next = 0;
        while next < nodes.len() {
            let node = &mut nodes[next];
            let old = node.first_edge as usize..(node.first_edge + node.edges) as usize;
            node.first_edge = edges.len() as u32;
            let first = edges.len();
            edges.extend_from_slice(&self.edges[old]);
            for edge in &mut edges[first..] {
                if edge.node != NO_NODE {
                    let kept = nodes.len() as NodeId;
                    nodes.push(self.nodes[edge.node as usize]);
                    edge.node = kept;
                }
            }
            next += 1;
        }
        self.nodes = nodes;
        self.edges = edges;
    }
}
