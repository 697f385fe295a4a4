//! Rules of selection: which of a node's actions an iteration follows.

use super::tree::{Edge, Extra, Fate, Node};

/// The bound that decides between the actions of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// mean + c sqrt(ln N / n): UCB1 of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002).
    Ucb1,
    /// mean + c sqrt(ln N / n min(1/4, V)) with V = variance + sqrt(2 ln N / n), of the same paper.
    Ucb1Tuned,
    /// mean + c P sqrt(N) / (1 + n) with the prior P of the action: PUCT as in Silver et al.
    /// (Nature 550, 2017).
    Puct,
}

/// How many of a node's actions may be tried: base x N^power of N visits, one at least, in the order of the
/// expansion (Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Actions at the first visit.
    pub base: f32,
    /// 0 to 1.
    pub power: f32,
}

/// Results of the same move made later in an iteration count for the move now: with weight
/// sqrt(k / (3 n + k)) after n visits (Gelly and Silver, Artificial Intelligence 175, 2011).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rave {
    /// What makes two moves the same.
    pub over: Over,
    /// The k: visits at which the weight is one half.
    pub equivalence: f32,
}

/// When two moves of a player count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The same patch is bought.
    Patches,
    /// The same patch is bought and covers the same squares.
    Placements,
}

/// How the tree is walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// What decides.
    pub bound: Bound,
    /// The c of the bound, 0 or more.
    pub exploration: f32,
    /// First-play urgency: an action that has not been tried counts as the mean of its node and this,
    /// and PUCT's term; without it every action is tried before any is tried again.
    pub first_play: Option<f32>,
    /// How many actions may be tried; all when none.
    pub widening: Option<Widening>,
    /// All-moves-as-first statistics.
    pub rave: Option<Rave>,
    /// Weight of the static estimates backed up by minimax, 0 to 1, the rest being the mean's
    /// (Lanctot et al., "Monte Carlo tree search with heuristic evaluations using implicit minimax
    /// backups", 2014).
    pub minimax: f32,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            bound: Bound::Ucb1,
            exploration: 0.7,
            first_play: None,
            widening: None,
            rave: None,
            minimax: 0.0,
        }
    }
}

/// What is done with a node that is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selected {
    /// The next action that has not been tried.
    Next,
    /// The tried action of this rank.
    Tried(usize),
    /// All actions have been tried and lose.
    Lost,
}

impl Rule {
    /// Whether the rule needs more of an edge than every search keeps.
    pub(super) fn has_extras(&self) -> bool {
        self.rave.is_some() || self.minimax > 0.0 || self.bound == Bound::Ucb1Tuned
    }

    /// Selects among the actions of a node. `mean` is the node's own for the player who moves there;
    /// `extras` are of the tried edges, or none if the rule needs none.
    #[inline]
    pub(super) fn select<A>(
        &self,
        node: &Node,
        mean: f32,
        tried: &[Edge<A>],
        extras: &[Extra],
        next: Option<&Edge<A>>,
    ) -> Selected {
        let all_lost = || tried.iter().all(|edge| edge.fate == Fate::Lost);
        let opens = |widening: Widening| widening.allows(node) || all_lost();
        let next = next.filter(|_| self.widening.is_none_or(opens));
        if let (Some(_), None) = (next, self.first_play) {
            return Selected::Next;
        }
        if self.has_extras() {
            let value = |i: usize| self.value(&tried[i], &extras[i]);
            let variance = |i: usize| {
                let mean = tried[i].mean();
                extras[i].squares / tried[i].visits as f32 - mean * mean
            };
            self.best(node, mean, tried, next, value, variance)
        } else {
            self.best(node, mean, tried, next, |i| tried[i].mean(), |_| 0.25)
        }
    }

    #[inline(always)]
    fn best<A>(
        &self,
        node: &Node,
        mean: f32,
        tried: &[Edge<A>],
        next: Option<&Edge<A>>,
        value: impl Fn(usize) -> f32,
        variance: impl Fn(usize) -> f32,
    ) -> Selected {
        let visits = (node.visits + 1) as f32;
        let first_play = |term: f32| next.map(|_| mean + self.first_play.unwrap_or(0.0) + term);
        match self.bound {
            Bound::Ucb1 => {
                let spread = self.exploration * libm::logf(visits).sqrt();
                let bound = |i: usize| value(i) + spread * tried[i].width();
                greatest(tried, bound, first_play(0.0))
            }
            Bound::Ucb1Tuned => {
                let log = libm::logf(visits);
                let (spread, doubt) = (self.exploration * log.sqrt(), (2.0 * log).sqrt());
                let bound = |i: usize| {
                    let width = tried[i].width();
                    let variance = (variance(i) + doubt * width).clamp(0.0, 0.25);
                    value(i) + spread * width * variance.sqrt()
                };
                greatest(tried, bound, first_play(0.0))
            }
            Bound::Puct => {
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

    /// What an edge is taken to be worth, before exploration.
    #[inline(always)]
    fn value<A>(&self, edge: &Edge<A>, extra: &Extra) -> f32 {
        let mut value = edge.mean();
        if let Some(rave) = self.rave
            && extra.amaf_visits > 0.0
        {
            let k = rave.equivalence;
            let weight = (k / (3.0 * edge.visits as f32 + k)).sqrt();
            value += weight * (extra.amaf_mean - value);
        }
        value + self.minimax * (extra.backup - value)
    }
}

impl Widening {
    fn allows(self, node: &Node) -> bool {
        let most = self.base * libm::powf(node.visits as f32, self.power);
        (node.tried() as f32) < most.max(1.0)
    }
}

/// The first of the greatest bounds; lost actions only where there is nothing else.
#[inline(always)]
fn greatest<A>(tried: &[Edge<A>], bound: impl Fn(usize) -> f32, next: Option<f32>) -> Selected {
    let mut best = (f32::NEG_INFINITY, None);
    for (i, edge) in tried.iter().enumerate() {
        let bound = bound(i);
        if bound > best.0 && edge.fate != Fate::Lost {
            best = (bound, Some(i));
        }
    }
    match (best.1, next) {
        (Some(_), Some(next)) if next > best.0 => Selected::Next,
        (Some(rank), _) => Selected::Tried(rank),
        (None, Some(_)) => Selected::Next,
        (None, None) => Selected::Lost,
    }
}
