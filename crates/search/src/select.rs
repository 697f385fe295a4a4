//! Selection: which action of a node an iteration follows.

use std::array::from_fn;

use crate::game::{Side, Value};
use crate::part::{PartInfo, Selected, list_of_parts};
use crate::playout::PlayoutBuilder;
use crate::tree::node::{Extra, LANES, Node, Quad, VisitForm, quads};
use crate::tree::shared_vec::SharedVec;

/// A selection rule. It gives each action a bound, with the mean of its results, its visits n, the visits N of the node
/// and the exploration constant c; the first action with the greatest bound is followed.
#[derive(Clone, Copy, Debug)]
pub struct SelectionRule {
    /// Its name and keys.
    pub info: PartInfo,
    /// Whether the bounds depend on the priors; actions are then tried in the order of their priors.
    pub uses_priors: bool,
    /// Whether the bounds depend on the squares of results.
    pub uses_squares: bool,
    /// The form in which the visits n of an action are kept.
    pub visits: VisitForm,
    /// How an action learns from the result of an iteration in which its side made the same move here or later, for the
    /// side that moves; `None` if it learns only from the iterations that went through it.
    pub learn: Option<fn(&mut Extra, f32)>,
    /// What learns from the moves of all iterations, for a rule that needs that: what it [recalls](crate::Playout::recall) of
    /// an action is in [`Extra::amaf_visits`] and [`Extra::amaf_mean`].
    pub memory: Option<PlayoutBuilder>,
    /// The rank of the action to follow, by [`SelectionNode::greatest`]: one that has been tried, or the next one.
    pub select: fn(&SelectionNode<'_>) -> Option<u16>,
}

/// What a rule sees of a node.
#[derive(Debug)]
pub struct SelectionNode<'a> {
    /// N: one more than the visits of the node. A field, since a conversion to a float in the rule would wait for the
    /// result of the rule at the node above, whose register it takes.
    pub visits: f32,
    /// The exploration constant c.
    pub exploration: f32,
    pub(crate) rule: &'a Selected<SelectionRule>,
    pub(crate) node: &'a Node,
    pub(crate) quads: &'a SharedVec<Quad>,
    pub(crate) extras: &'a SharedVec<Extra>,
    /// The weight of the estimates backed up by minimax.
    pub(crate) minimax: f32,
    /// By how much the value of the next untried action is greater than the mean of the node, if it competes.
    pub(crate) first_play: Option<f32>,
}

impl SelectionNode<'_> {
    /// The values of the rule's keys.
    pub fn keys(&self) -> &[f64] {
        self.rule.values()
    }

    /// What else is known of the actions of the quad with this index, if the rule [learns](SelectionRule::learn), has
    /// a [memory](SelectionRule::memory) or [uses squares](SelectionRule::uses_squares); the last quad may have fewer.
    #[inline(always)]
    pub fn extras(&self, quad: usize) -> &[Extra] {
        let edges = self.node.range();
        let first = edges.start + LANES * quad;
        self.extras.slice(first..edges.end.min(first + LANES))
    }

    /// The rank of the first action with the greatest bound; `None` if all are proven to lose. The bound is the mean,
    /// mixed with the estimate backed up by minimax, and a term. `means` and `terms` get the index of a quad and the
    /// quad; the term of an untried action is `spread` times its prior.
    ///
    /// The bounds of a quad are computed at once, and most quads have none that is greater than those before. The
    /// others are compared one by one with branches: an iteration goes down as fast as the processor predicts them,
    /// rather than waiting for the result at each node.
    #[inline(always)]
    pub fn greatest(
        &self,
        means: impl Fn(usize, &Quad) -> [f32; LANES],
        spread: f32,
        terms: impl Fn(usize, &Quad) -> [f32; LANES],
    ) -> Option<u16> {
        let (node, minimax) = (self.node, self.minimax);
        // Actions whose bound is not a number are not followed.
        let mut best = (f32::NEG_INFINITY, 0);
        let quads = self.quads.slice(quads(&node.tried()));
        for (i, quad) in quads.iter().enumerate() {
            let (means, terms) = (means(i, quad), terms(i, quad));
            let mixed = |lane: usize| means[lane] + minimax * (quad.backup[lane] - means[lane]);
            let bounds: [f32; LANES] = from_fn(|lane| mixed(lane) + terms[lane]);
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
        let (bound, rank) = best;
        if let Some(urgency) = self.first_play {
            let mean = Value::unchecked(Side::First, node.mean().into());
            let mean = mean.seen_by(node.mover) as f32;
            let at = node.edge(node.tried);
            let prior = self.quads[at / LANES].prior[at % LANES];
            let next = mean + urgency + spread * prior;
            if bound == f32::NEG_INFINITY || next > bound {
                return Some(node.tried);
            }
        }
        (bound > f32::NEG_INFINITY).then_some(rank as u16)
    }
}

/// Keeps the compiler from replacing a branch with conditional moves.
#[cold]
#[inline(always)]
const fn is_branch() {}

list_of_parts! {
    type SelectionRule;
    bounds: UCB1, UCB1_TUNED, PUCT;
    rave: UCB1_RAVE, UCB1_TUNED_RAVE, PUCT_RAVE;
}
