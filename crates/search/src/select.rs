//! Selection: which edge of a node an iteration follows.

use std::array::from_fn;

use super::game::Value;
use super::node::{Edge, LANES, Node, NodeId, Quad};
use super::settings::{Rule, Settings, Widening};
use super::tree::Tree;

/// The bound and the rank of an edge; minus infinity without one.
type Bound = (f32, usize);

impl Settings {
    /// Whether the search needs an [`Extra`](super::node::Extra) for each edge.
    pub(super) fn has_extras(&self) -> bool {
        self.rave.is_some()
            || self.select == Rule::Ucb1Tuned
            || self.choice.part().uses_variance && !self.two_results
    }

    /// The rank of the edge to follow from an expanded node: a tried edge or the next one; `None` if all have
    /// been tried and lose.
    #[inline(always)]
    pub(super) fn select_edge<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
    ) -> Option<u16> {
        let node = tree.node(id);
        let opens =
            |widening: Widening| widening.allows(node) || tree.tried(id).iter().all(Edge::is_lost);
        let has_next = node.has_untried() && self.widening.is_none_or(opens);
        if has_next && self.first_play.is_none() {
            return Some(node.tried);
        }
        let next_prior = has_next.then(|| {
            let (quad, lane) = node.lane(node.tried);
            tree.quads[quad].prior[lane]
        });
        Some(self.greatest(tree, id, next_prior)? as u16)
    }

    /// The rank of the edge with the greatest bound; the next one, which has this prior, comes after the
    /// tried ones.
    #[inline(always)]
    fn greatest<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
        next_prior: Option<f32>,
    ) -> Option<usize> {
        let node = tree.node(id);
        let visits = (node.visits + 1) as f32;
        let (best, spread) = match self.select {
            Rule::Puct => {
                let spread = self.exploration * visits.sqrt();
                let best = match self.rave {
                    None => greatest(tree.tried_quads(id), |_, quad| {
                        puct(self.mixed(&quad.mean, quad), spread, quad)
                    }),
                    Some(_) => self.greatest_puct_by_amaf(tree, id, spread),
                };
                (best, spread)
            }
            Rule::Ucb1 => (self.greatest_ucb1(tree, id, visits), 0.0),
            Rule::Ucb1Tuned => (self.greatest_ucb1_tuned(tree, id, visits), 0.0),
        };
        let next = next_prior.map(|prior| {
            let mean = Value::for_first(node.mean().into()).seen_by(node.mover) as f32;
            mean + self.first_play.unwrap_or(0.0) + spread * prior
        });
        let (bound, rank) = best;
        match next {
            Some(next) if bound == f32::NEG_INFINITY || next > bound => Some(node.tried.into()),
            _ => (bound > f32::NEG_INFINITY).then_some(rank),
        }
    }

    #[inline(never)]
    fn greatest_puct_by_amaf<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
        spread: f32,
    ) -> Bound {
        greatest(tree.tried_quads(id), |i, quad| {
            puct(self.value(tree, id, i, quad), spread, quad)
        })
    }

    #[inline(never)]
    fn greatest_ucb1<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
        visits: f32,
    ) -> Bound {
        let spread = self.exploration * libm::logf(visits).sqrt();
        greatest(tree.tried_quads(id), |i, quad| {
            let value = self.value(tree, id, i, quad);
            from_fn(|lane| value[lane] + spread * quad.visits[lane])
        })
    }

    #[inline(never)]
    fn greatest_ucb1_tuned<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
        visits: f32,
    ) -> Bound {
        let log = libm::logf(visits);
        let (spread, doubt) = (self.exploration * log.sqrt(), (2.0 * log).sqrt());
        greatest(tree.tried_quads(id), |i, quad| {
            let value = self.value(tree, id, i, quad);
            let variance = variance(tree, id, i, quad);
            from_fn(|lane| {
                let width = quad.visits[lane];
                let variance = (variance[lane] + doubt * width).clamp(0.0, 0.25);
                value[lane] + spread * width * variance.sqrt()
            })
        })
    }

    /// The values of the edges in the quad with this index before exploration.
    #[inline(always)]
    fn value<P: Copy, A: Copy + PartialEq>(
        &self,
        tree: &Tree<P, A>,
        id: NodeId,
        i: usize,
        quad: &Quad,
    ) -> [f32; LANES] {
        let value = match self.rave {
            None => quad.mean,
            Some(k) => with_amaf(k, tree, id, i, quad),
        };
        self.mixed(&value, quad)
    }

    /// Means mixed with the estimates backed up by minimax.
    #[inline(always)]
    fn mixed(&self, value: &[f32; LANES], quad: &Quad) -> [f32; LANES] {
        from_fn(|lane| value[lane] + self.minimax * (quad.backup[lane] - value[lane]))
    }
}

/// The bounds of PUCT.
#[inline(always)]
fn puct(value: [f32; LANES], spread: f32, quad: &Quad) -> [f32; LANES] {
    from_fn(|lane| value[lane] + spread * quad.prior[lane] / quad.visits[lane])
}

/// The means of the edges in the quad with this index and the results of the same moves made later, with
/// the RAVE constant `k`.
#[inline(never)]
fn with_amaf<P: Copy, A: Copy + PartialEq>(
    k: f32,
    tree: &Tree<P, A>,
    id: NodeId,
    i: usize,
    quad: &Quad,
) -> [f32; LANES] {
    let mut value = quad.mean;
    let tried = tree.tried(id).iter().zip(tree.extras(id));
    for (value, (edge, extra)) in value.iter_mut().zip(tried.skip(LANES * i)) {
        if extra.amaf_visits > 0.0 {
            let weight = (k / (3.0 * edge.visits as f32 + k)).sqrt();
            *value += weight * (extra.amaf_mean - *value);
        }
    }
    value
}

/// The variances of the results of the edges in the quad with this index.
fn variance<P: Copy, A: Copy + PartialEq>(
    tree: &Tree<P, A>,
    id: NodeId,
    i: usize,
    quad: &Quad,
) -> [f32; LANES] {
    let mut variance = [0.0; LANES];
    let tried = tree.tried(id).iter().zip(tree.extras(id));
    for (lane, (edge, extra)) in tried.skip(LANES * i).take(LANES).enumerate() {
        let mean = quad.mean[lane];
        let squares = (extra.squares / f64::from(edge.visits.max(1))) as f32;
        variance[lane] = squares - mean * mean;
    }
    variance
}

impl Widening {
    fn allows(self, node: &Node) -> bool {
        let most = self.base * libm::powf(node.visits as f32, self.power);
        f32::from(node.tried) < most.max(1.0)
    }
}

/// The greatest bound and the rank of the first edge that has it. Edges whose bound is not a number are
/// not followed.
///
/// The bounds of a quad are computed at once, and most quads have none that is greater than those before. The others
/// are compared one by one with branches: an iteration goes down as fast as the processor predicts them, rather than
/// waiting for the result at each node.
#[inline(always)]
fn greatest(quads: &[Quad], bounds: impl Fn(usize, &Quad) -> [f32; LANES]) -> Bound {
    let mut best = (f32::NEG_INFINITY, 0);
    for (i, quad) in quads.iter().enumerate() {
        let bounds: [f32; LANES] = bounds(i, quad);
        let greater = bounds.map(|bound| bound > best.0);
        if greater == [false; LANES] {
            continue;
        }
        for (lane, bound) in bounds.into_iter().enumerate() {
            if bound > best.0 {
                is_branch();
                best = (bound, LANES * i + lane);
            }
        }
    }
    best
}

/// Keeps the compiler from replacing a branch with conditional moves.
#[cold]
#[inline(always)]
const fn is_branch() {}
