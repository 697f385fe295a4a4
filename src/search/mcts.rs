//! UCT and its kin: one evaluation an iteration, whose value goes to every action on the way.
//!
//! Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006), without alternation: results
//! are added to an edge from the point of view of the player who moves there. Won and lost
//! positions are proven as in Winands, Bjornsson and Saito, "Monte-Carlo tree search solver" (2008).

use super::budget::{Budget, Meter, Stop};
use super::rule::{Bound, Over, Rule, Selected};
use super::tree::{Edge, Fate, KEY_BYTES, NODE_BYTES, NodeId, Tree};
use crate::game::Player;

/// A result of the game or an expectation of it, as the first player sees it: 1 is a win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value(f64);

impl Value {
    /// A value that is 0 (the first player loses) to 1 (the first player wins).
    #[must_use]
    pub const fn for_first(value: f64) -> Self {
        Self(value)
    }

    /// A value that this player sees as `value`.
    #[inline(always)]
    #[must_use]
    pub const fn for_player(player: Player, value: f64) -> Self {
        match player {
            Player::First => Self(value),
            Player::Second => Self(1.0 - value),
        }
    }

    /// The mean of this value and another one with this weight, 0 to 1.
    #[must_use]
    pub const fn mixed(self, other: Self, weight: f64) -> Self {
        Self(self.0 + weight * (other.0 - self.0))
    }

    /// The value as this player sees it, 0 to 1.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, player: Player) -> f64 {
        match player {
            Player::First => self.0,
            Player::Second => 1.0 - self.0,
        }
    }
}

/// What is found where an iteration leaves the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// The result or a guess.
    pub value: Value,
    /// The first player's chance to win, 0 to 1, where `value` counts something else or more.
    pub chance: Option<f32>,
    /// Who wins by best play, where that is certain.
    pub winner: Option<Player>,
}

/// What the search needs of a game.
pub trait Model {
    /// A position, cheap to copy.
    type State: Copy;
    /// A move.
    type Action: Copy + PartialEq;

    /// Whether nothing is left to decide.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Whose move it is in a position that is not over.
    fn mover(&self, state: &Self::State) -> Player;

    /// Plays a move that [`Self::expand`] has given.
    fn play(&self, state: &mut Self::State, action: Self::Action);

    /// Appends the moves to be searched, one at least, in the order in which to try them, with
    /// priors: how likely each is the best, on any scale. Says whether they are all the legal moves.
    fn expand(&mut self, state: &Self::State, out: &mut Vec<(Self::Action, f32)>) -> bool;

    /// Appends the legal moves to those that [`Self::expand`] gave and that turned out to lose, if it
    /// left any out; some may be given again. Says whether these are all: nothing is proven by the
    /// loss of actions when there may be others.
    fn expand_more(&mut self, _state: &Self::State, _out: &mut Vec<(Self::Action, f32)>) -> bool {
        false
    }

    /// Whether a move is one part of a decision and another one by the same player follows.
    fn is_part(&self, _action: Self::Action) -> bool {
        false
    }

    /// The result of a position that is over, a guess for any other.
    fn evaluate(&mut self, state: &Self::State) -> Leaf;

    /// A guess without playing on, for [`Rule::minimax`].
    fn estimate(&mut self, _state: &Self::State) -> Value {
        Value::for_first(0.5)
    }

    /// For [`Settings::transpositions`]: a hash that equal positions share and different ones do not.
    fn key(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// For [`Rule::rave`]: forgets all moves, before an iteration.
    fn forget_moves(&mut self) {}

    /// For [`Rule::rave`]: adds a move to those that the last [`Self::evaluate`] has made.
    fn note_move(&mut self, _player: Player, _action: Self::Action) {}

    /// For [`Rule::rave`]: whether the last evaluation or a noted move made this move.
    fn has_made(&self, _player: Player, _action: Self::Action, _over: Over) -> bool {
        false
    }
}

/// How a search goes, apart from its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How actions are selected.
    pub rule: Rule,
    /// Whether proven wins and losses are propagated.
    pub solver: bool,
    /// Whether the search ends as soon as no further iteration can change the choice.
    pub early_stop: bool,
    /// The tree has no more nodes than this; the least visited are recycled.
    pub nodes: u32,
    /// Whether positions that are reached in several ways are one node with several edges to it
    /// (Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search",
    /// 2008, their UCT1).
    pub transpositions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule: Rule::default(),
            solver: true,
            early_stop: false,
            nodes: 1 << 20,
            transpositions: false,
        }
    }
}

/// What a search has decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// The action with the most visits, the first tried of equals; one that is proven to win if
    /// there is any.
    pub action: A,
    /// Iterations spent on the decision.
    pub iterations: u32,
    /// Chance of the player who moves to win by the action, 0 to 1; none when nothing was searched.
    pub value: Option<f32>,
}

/// What is known of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their mean result for the player who moves, 0 to 1; 0 without visits.
    pub value: f32,
    /// The player's chance to win by it, 0 to 1, certain where it is proven; 0 without visits.
    pub chance: f32,
    /// How likely the expansion took it to be the best; those of a position add up to 1.
    pub prior: f32,
    /// Whether it is proven to win (true) or to lose (false).
    pub proven: Option<bool>,
}

/// A step of an iteration.
#[derive(Clone, Copy, Debug)]
struct Step {
    edge: u32,
    node: NodeId,
    mover: Player,
}

/// A tree that grows by iterations and can be kept from move to move.
#[derive(Clone, Debug)]
pub struct Search<M: Model> {
    /// The game being searched.
    pub model: M,
    settings: Settings,
    tree: Tree<M::Action>,
    path: Vec<Step>,
    actions: Vec<(M::Action, f32)>,
    order: Vec<((M::Action, f32), u16)>,
    /// Plies of all iterations of the last decision, and the most of one.
    depths: (u64, usize),
}

impl<M: Model> Search<M> {
    /// An empty tree.
    #[must_use]
    pub fn new(model: M, settings: Settings) -> Self {
        Self {
            model,
            settings,
            tree: Tree::new(settings.nodes as usize, settings.rule.has_extras()),
            path: Vec::new(),
            actions: Vec::new(),
            order: Vec::new(),
            depths: (0, 0),
        }
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
    }

    /// Moves the root along an action that was played, keeping what is known below it.
    pub fn advance(&mut self, action: M::Action) {
        self.tree.keep(action);
    }

    /// Number of iterations that have gone through the root.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.tree.node(self.tree.root()).visits
    }

    /// Number of positions in the tree.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Number of actions in the tree, those included that have not been tried.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.tree.edge_count()
    }

    /// Bytes of a position in the tree, beside those of its actions: at most, with transpositions.
    #[must_use]
    pub const fn node_bytes(&self) -> usize {
        NODE_BYTES
            + if self.settings.transpositions {
                KEY_BYTES
            } else {
                0
            }
    }

    /// Bytes of an action in the tree, beside the [`Self::node_bytes`] of the position
    /// that it leads to.
    #[must_use]
    pub const fn edge_bytes(&self) -> usize {
        self.tree.edge_bytes()
    }

    /// Plies from the root to where the last decision's iterations left the tree: the sum over the
    /// iterations, and the most of any.
    #[must_use]
    pub const fn depths(&self) -> (u64, usize) {
        self.depths
    }

    /// Who wins from the root by best play, once that is proven.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.tree.node(self.tree.root()).proof
    }

    /// The actions of the position that is reached by these from the root, in the order in which
    /// they are tried; none where the tree does not go.
    pub fn actions(&self, path: &[M::Action]) -> impl Iterator<Item = Candidate<M::Action>> {
        let mut id = Some(self.tree.root());
        for &action in path {
            id = id.and_then(|id| {
                let mut tried = self.tree.tried(id).iter();
                Some(tried.find(|edge| edge.action == action)?.node())
            });
        }
        let edges = id.map_or(&[][..], |id| self.tree.edges(id)).iter();
        edges.map(|edge| Candidate {
            action: edge.action,
            visits: edge.visits,
            value: edge.mean(),
            chance: chance_of(edge),
            prior: edge.prior,
            proven: match edge.fate {
                Fate::Open => None,
                Fate::Won => Some(true),
                Fate::Lost => Some(false),
            },
        })
    }

    /// The actions that the search would choose one after the other, as far as the tree goes.
    #[must_use]
    pub fn line(&self) -> Vec<M::Action> {
        let mut line = Vec::new();
        let mut id = self.tree.root();
        while let Some(best) = self.best_edge(id) {
            let edge = self.tree.edge(best);
            line.push(edge.action);
            id = edge.node();
        }
        line
    }

    /// Searches from `root`, the position that the tree stands at, and decides.
    ///
    /// A root with a single action is not searched.
    ///
    /// # Panics
    /// When the position is over.
    pub fn decide(&mut self, root: &M::State, budget: Budget, stop: &Stop) -> Choice<M::Action> {
        assert!(!self.model.is_over(root), "the game is over");
        let meter = Meter::new(budget, stop);
        self.tree.tidy();
        self.depths = (0, 0);
        let top = self.tree.root();
        if !self.tree.node(top).is_expanded() {
            self.expand(top, root);
        }
        self.forget_unfounded_proof(self.model.mover(root));
        if let [only] = self.tree.edges(top)
            && (only.fate != Fate::Lost || self.tree.node(top).is_complete())
        {
            return Choice {
                action: only.action,
                iterations: 0,
                value: (only.visits > 0).then(|| chance_of(only)),
            };
        }
        let mut iterations = 0;
        while meter.allows(iterations) && !self.is_decided(&meter, iterations) {
            if !self.tree.has_room() {
                meter.pay(self.tree.cost_of_recycling(), || self.tree.recycle());
            }
            self.iterate(root);
            iterations += 1;
        }
        let best = self.best_edge(self.tree.root());
        let edge = self
            .tree
            .edge(best.unwrap_or(self.tree.first_edge(self.tree.root())));
        Choice {
            action: edge.action,
            iterations,
            value: (edge.visits > 0).then(|| chance_of(edge)),
        }
    }

    /// A position that was proven without its actions must be searched when it comes to playing it.
    fn forget_unfounded_proof(&mut self, mover: Player) {
        let top = self.tree.root();
        let mut tried = self.tree.tried(top).iter();
        let founded = match self.tree.node(top).proof {
            Some(winner) if winner == mover => tried.any(|edge| edge.fate == Fate::Won),
            _ => !self.tree.node(top).has_untried() && tried.all(|edge| edge.fate == Fate::Lost),
        };
        if !founded {
            self.tree.node_mut(top).proof = None;
        }
    }

    /// Whether more iterations make no difference to the choice.
    fn is_decided(&self, meter: &Meter<'_>, done: u32) -> bool {
        const BETWEEN_LOOKS: u32 = 64;
        let node = self.tree.node(self.tree.root());
        if node.proof.is_some() {
            return true;
        }
        if !self.settings.early_stop || done == 0 || !done.is_multiple_of(BETWEEN_LOOKS) {
            return false;
        }
        let left = meter.left(done);
        let mut id = self.tree.root();
        loop {
            let (mut most, mut second) = (0, 0);
            for edge in self.tree.tried(id) {
                if edge.fate != Fate::Lost {
                    second = second.max(edge.visits.min(most));
                    most = most.max(edge.visits);
                }
            }
            if most - second <= left {
                return false;
            }
            // Where the choice is a part of a decision, the next part must be decided too.
            match self.best_edge(id).map(|best| self.tree.edge(best)) {
                Some(edge) if self.model.is_part(edge.action) => id = edge.node(),
                _ => return true,
            }
        }
    }

    /// The tried edge of a node that is best to play.
    fn best_edge(&self, id: NodeId) -> Option<u32> {
        let rank = |fate: Fate| match fate {
            Fate::Lost => 0,
            Fate::Open => 1,
            Fate::Won => 2,
        };
        let mut best = None;
        for (edge, i) in self.tree.tried(id).iter().zip(self.tree.first_edge(id)..) {
            let key = (rank(edge.fate), edge.visits);
            if best.is_none_or(|(most, _)| key > most) {
                best = Some((key, i));
            }
        }
        best.map(|(_, edge)| edge)
    }

    fn expand(&mut self, id: NodeId, state: &M::State) {
        self.actions.clear();
        let complete = self.model.expand(state, &mut self.actions);
        let sum: f32 = self.actions.iter().map(|(_, prior)| prior).sum();
        if self.settings.rule.bound == Bound::Puct {
            // Of the actions that were not tried, the rule looks at the next one alone.
            // Stable without the memory that a stable sort takes.
            self.order.clear();
            self.order.extend(self.actions.iter().copied().zip(0u16..));
            self.order
                .sort_unstable_by(|(a, i), (b, j)| b.1.total_cmp(&a.1).then(i.cmp(j)));
            self.actions.clear();
            self.actions
                .extend(self.order.iter().map(|&(action, _)| action));
        }
        if sum > 0.0 {
            for (_, prior) in &mut self.actions {
                *prior /= sum;
            }
        }
        self.tree.expand(id, &self.actions, complete);
    }

    /// Walks down to a position that is new or over, gets a value for it, and adds it on the way.
    fn iterate(&mut self, root: &M::State) {
        let mut state = *root;
        let mut id = self.tree.root();
        self.path.clear();
        if self.settings.rule.rave.is_some() {
            self.model.forget_moves();
        }
        let leaf = loop {
            let node = self.tree.node(id);
            if let Some(winner) = node.proof {
                // Only where all else is lost, or nothing else was expanded.
                break Leaf {
                    value: Value::for_player(winner, 1.0),
                    chance: None,
                    winner: Some(winner),
                };
            }
            if !node.is_expanded() {
                // A node is expanded when it is come to a second time; the first time it has no
                // more than an evaluation. The root is expanded before it is visited.
                if node.visits == 0 || !self.tree.has_room() || self.model.is_over(&state) {
                    break self.model.evaluate(&state);
                }
                self.expand(id, &state);
            }
            let mover = self.model.mover(&state);
            let (edge, is_new) = match self.select(id, mover) {
                Some(selected) => selected,
                // All that was expanded loses: what was left out is the only hope.
                None => match self.select_left_out(id, &state) {
                    Some(edge) => (edge, true),
                    None => (self.tree.first_edge(id), false),
                },
            };
            if is_new && !self.tree.has_room() {
                break self.model.evaluate(&state);
            }
            self.path.push(Step {
                edge,
                node: id,
                mover,
            });
            self.model.play(&mut state, self.tree.edge(edge).action);
            if is_new {
                let key = self.settings.transpositions.then(|| self.model.key(&state));
                self.tree.try_next(id, key.flatten());
            }
            id = self.tree.edge(edge).node();
        };
        self.depths.0 += self.path.len() as u64;
        self.depths.1 = self.depths.1.max(self.path.len());
        if self.settings.rule.rave.is_some() {
            self.count_moves(leaf.value);
        }
        self.back_up(id, leaf);
        if self.settings.rule.minimax > 0.0 {
            self.back_up_estimate(id, &state);
        }
    }

    /// The edge to follow from an expanded node, and whether it is one that has not been tried; none
    /// when all lose.
    #[inline]
    fn select(&self, id: NodeId, mover: Player) -> Option<(u32, bool)> {
        let node = self.tree.node(id);
        let rule = &self.settings.rule;
        let tried = self.tree.tried(id);
        let next = node
            .has_untried()
            .then(|| &self.tree.edges(id)[tried.len()]);
        let extras = if rule.has_extras() {
            self.tree.tried_extras(id)
        } else {
            &[]
        };
        let mean = Value::for_first(node.mean().into()).seen_by(mover) as f32;
        match rule.select(node, mean, tried, extras, next) {
            Selected::Next => Some((self.tree.next_edge(id), true)),
            Selected::Tried(rank) => Some((self.tree.first_edge(id) + rank as u32, false)),
            Selected::Lost => None,
        }
    }

    /// The first of the actions that the expansion of a node left out, if it did.
    fn select_left_out(&mut self, id: NodeId, state: &M::State) -> Option<u32> {
        if self.tree.node(id).is_complete() {
            return None;
        }
        self.actions.clear();
        if !self.model.expand_more(state, &mut self.actions) {
            return None;
        }
        let known = self.tree.edges(id);
        self.actions
            .retain(|(action, _)| known.iter().all(|edge| edge.action != *action));
        let prior = 1.0 / self.actions.len().max(1) as f32;
        for action in &mut self.actions {
            action.1 = prior;
        }
        self.tree.expand_more(id, &self.actions);
        self.tree
            .node(id)
            .has_untried()
            .then(|| self.tree.next_edge(id))
    }

    /// Adds a leaf's value to all that led to it, and proves what it proves.
    fn back_up(&mut self, leaf: NodeId, found: Leaf) {
        let Leaf {
            value,
            chance,
            winner,
        } = found;
        let chance = chance.map_or(value, |chance| Value::for_first(chance.into()));
        let mut winner = winner.filter(|_| self.settings.solver);
        let squares = self.settings.rule.has_extras();
        self.tree.visit(leaf, value.0);
        self.tree.node_mut(leaf).proof = winner;
        for step in self.path.iter().rev() {
            let result = value.seen_by(step.mover);
            let edge = self.tree.edge_mut(step.edge);
            edge.add(result, chance.seen_by(step.mover) as f32);
            if let Some(player) = winner {
                edge.fate = if player == step.mover {
                    Fate::Won
                } else {
                    Fate::Lost
                };
            }
            if squares {
                self.tree.extra_mut(step.edge).squares += (result * result) as f32;
            }
            self.tree.visit(step.node, value.0);
            winner = winner.filter(|&player| {
                let node = self.tree.node(step.node);
                let all_lost = || {
                    let mut edges = self.tree.tried(step.node).iter();
                    edges.all(|edge| edge.fate == Fate::Lost)
                };
                player == step.mover || (node.is_complete() && !node.has_untried() && all_lost())
            });
            if winner.is_some() {
                self.tree.node_mut(step.node).proof = winner;
            }
        }
    }

    /// Takes a leaf's static estimate and the best of each node's to the node above.
    fn back_up_estimate(&mut self, leaf: NodeId, state: &M::State) {
        let node = self.tree.node(leaf);
        let mut below = match node.proof {
            Some(winner) => Value::for_player(winner, 1.0),
            None if node.tried() > 0 => self.best_estimate(leaf, self.model.mover(state)),
            None => self.model.estimate(state),
        };
        for i in (0..self.path.len()).rev() {
            let step = self.path[i];
            self.tree.extra_mut(step.edge).backup = below.seen_by(step.mover) as f32;
            below = self.best_estimate(step.node, step.mover);
        }
    }

    /// The best of what was backed up to a node's edges, for its mover.
    fn best_estimate(&self, id: NodeId, mover: Player) -> Value {
        let edges = self.tree.tried(id).iter().zip(self.tree.tried_extras(id));
        let values = edges.map(|(edge, extra)| match edge.fate {
            Fate::Open => extra.backup,
            Fate::Won => 1.0,
            Fate::Lost => 0.0,
        });
        Value::for_player(mover, values.fold(0.0, f32::max).into())
    }

    /// Counts an iteration's result for every action on the way that was made then or later.
    fn count_moves(&mut self, value: Value) {
        let Some(rave) = self.settings.rule.rave else {
            return;
        };
        for step in self.path.iter().rev() {
            self.model
                .note_move(step.mover, self.tree.edge(step.edge).action);
            let result = value.seen_by(step.mover) as f32;
            let first = self.tree.first_edge(step.node);
            for i in 0..self.tree.tried(step.node).len() as u32 {
                let action = self.tree.edge(first + i).action;
                if self.model.has_made(step.mover, action, rave.over) {
                    let extra = self.tree.extra_mut(first + i);
                    extra.amaf_visits += 1.0;
                    extra.amaf_mean += (result - extra.amaf_mean) / extra.amaf_visits;
                }
            }
        }
    }
}

/// The mover's chance to win by an action.
fn chance_of<A>(edge: &Edge<A>) -> f32 {
    match edge.fate {
        Fate::Open => edge.chance(),
        Fate::Won => 1.0,
        Fate::Lost => 0.0,
    }
}

#[cfg(test)]
mod tests;
