//! UCT: upper confidence bounds applied to trees, one rollout an iteration.
//!
//! Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006), without alternation: results
//! are added to an edge from the point of view of the player who moves there.

use super::budget::{Budget, Meter, Stop};
use super::tree::{NodeId, Tree};
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

/// What the search needs of a game.
pub trait Model {
    /// A position, cheap to copy.
    type State: Copy;
    /// A move.
    type Action: Copy + PartialEq;

    /// Whose move it is in a position that is not over.
    fn mover(&self, state: &Self::State) -> Player;

    /// Plays a move that [`Self::expand`] has given.
    fn play(&self, state: &mut Self::State, action: Self::Action);

    /// The result, once the position is over.
    fn result(&self, state: &Self::State) -> Option<Value>;

    /// Appends the moves to be searched, one at least, in the order in which to try them.
    fn expand(&mut self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Plays to the end by some cheap policy and gives the result.
    fn rollout(&mut self, state: Self::State) -> Value;
}

/// What a search has decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// The action with the most visits, the first tried of equals.
    pub action: A,
    /// Iterations spent on the decision.
    pub iterations: u32,
    /// Mean result of the action for the player who moves, 0 to 1; none when nothing was searched.
    pub value: Option<f32>,
}

/// A tree that grows by iterations and can be kept from move to move.
#[derive(Clone, Debug)]
pub struct Search<M: Model> {
    /// The game being searched.
    pub model: M,
    exploration: f32,
    tree: Tree<M::Action>,
    path: Vec<(u32, Player)>,
    actions: Vec<M::Action>,
}

impl<M: Model> Search<M> {
    /// An empty tree. `exploration` is the c of mean + c sqrt(ln N / n).
    #[must_use]
    pub fn new(model: M, exploration: f32) -> Self {
        Self {
            model,
            exploration,
            tree: Tree::new(),
            path: Vec::new(),
            actions: Vec::new(),
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
        self.tree.node(Tree::<M::Action>::ROOT).visits
    }

    /// The root's actions with visits and mean result for the player who moves, in the order in
    /// which they are tried.
    pub fn root_actions(&self) -> impl Iterator<Item = (M::Action, u32, f32)> {
        let edges = self.tree.edges(Tree::<M::Action>::ROOT).iter();
        edges.map(|edge| (edge.action, edge.visits, edge.mean()))
    }

    /// Searches from `root`, the position that the tree stands at, and decides.
    ///
    /// A root with a single action is not searched.
    ///
    /// # Panics
    /// When the position is over.
    pub fn decide(&mut self, root: &M::State, budget: Budget, stop: &Stop) -> Choice<M::Action> {
        let meter = Meter::new(budget, stop);
        assert!(self.model.result(root).is_none(), "the game is over");
        if !self.tree.node(Tree::<M::Action>::ROOT).is_expanded() {
            self.expand(Tree::<M::Action>::ROOT, root);
        }
        let edges = self.tree.edges(Tree::<M::Action>::ROOT);
        if let [only] = edges {
            return Choice {
                action: only.action,
                iterations: 0,
                value: (only.visits > 0).then(|| only.mean()),
            };
        }
        let mut iterations = 0;
        while meter.allows(iterations) {
            self.iterate(root);
            iterations += 1;
        }
        let edges = self.tree.tried(Tree::<M::Action>::ROOT);
        let mut best = &edges[0];
        for edge in edges {
            if edge.visits > best.visits {
                best = edge;
            }
        }
        Choice {
            action: best.action,
            iterations,
            value: Some(best.mean()),
        }
    }

    fn expand(&mut self, id: NodeId, state: &M::State) {
        self.actions.clear();
        self.model.expand(state, &mut self.actions);
        self.tree.expand(id, &self.actions);
    }

    /// Walks down to a position that is new or over, gets a value for it, and adds it on the way.
    fn iterate(&mut self, root: &M::State) {
        let mut state = *root;
        let mut id = Tree::<M::Action>::ROOT;
        self.path.clear();
        let value = loop {
            let visits = self.tree.node(id).visits;
            self.tree.visit(id);
            if !self.tree.node(id).is_expanded() {
                if let Some(result) = self.model.result(&state) {
                    break result;
                }
                // A node is expanded when it is come to a second time; the first time it has no
                // more than a rollout. The root is expanded before it is visited.
                if visits == 0 || !self.tree.has_room() {
                    break self.model.rollout(state);
                }
                self.expand(id, &state);
            }
            let mover = self.model.mover(&state);
            let (edge, child) = if self.tree.node(id).has_untried() {
                self.tree.try_next(id)
            } else {
                let spread = libm::logf((visits + 1) as f32).sqrt();
                self.tree.select(id, self.exploration * spread)
            };
            self.path.push((edge, mover));
            let action = self.tree.edge_mut(edge).action;
            self.model.play(&mut state, action);
            id = child;
        };
        for &(edge, mover) in &self.path {
            self.tree.edge_mut(edge).add(value.seen_by(mover));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An explicit tree: inner nodes say who moves and where it leads, leaves what comes out.
    enum Node {
        Inner(Player, &'static [usize]),
        Leaf(f64),
    }

    struct Explicit(&'static [Node]);

    impl Model for Explicit {
        type State = usize;
        type Action = usize;

        fn mover(&self, &state: &usize) -> Player {
            match self.0[state] {
                Node::Inner(player, _) => player,
                Node::Leaf(_) => panic!("a leaf has no mover"),
            }
        }

        fn play(&self, state: &mut usize, action: usize) {
            *state = action;
        }

        fn result(&self, &state: &usize) -> Option<Value> {
            match self.0[state] {
                Node::Inner(..) => None,
                Node::Leaf(value) => Some(Value::for_first(value)),
            }
        }

        fn expand(&mut self, &state: &usize, out: &mut Vec<usize>) {
            if let Node::Inner(_, actions) = self.0[state] {
                out.extend_from_slice(actions);
            }
        }

        fn rollout(&mut self, state: usize) -> Value {
            // The worst of rollouts: always the first action.
            match self.0[state] {
                Node::Inner(_, actions) => self.rollout(actions[0]),
                Node::Leaf(value) => Value::for_first(value),
            }
        }
    }

    use Node::{Inner, Leaf};
    use Player::{First, Second};

    /// The first player moves twice in a row on the right side, the second twice on the left.
    /// Left: the second player avoids both good leaves. Right: the first reaches 0.7 by two moves.
    static NO_ALTERNATION: [Node; 13] = [
        Inner(First, &[1, 2]),
        Inner(Second, &[3, 4]),
        Inner(First, &[5, 6]),
        Inner(Second, &[7, 8]),
        Inner(Second, &[9, 10]),
        Inner(Second, &[11, 11]),
        Inner(First, &[11, 12]),
        Leaf(1.0),
        Leaf(0.2),
        Leaf(1.0),
        Leaf(0.9),
        Leaf(0.1),
        Leaf(0.7),
    ];

    fn search(nodes: &'static [Node]) -> Search<Explicit> {
        Search::new(Explicit(nodes), 0.7)
    }

    #[test]
    fn values_belong_to_players_and_not_to_depths() {
        let mut search = search(&NO_ALTERNATION);
        let choice = search.decide(&0, Budget::Iterations(4000), &Stop::new());
        assert_eq!(choice.action, 2);
        assert_eq!(choice.iterations, 4000);
        let value = choice.value.expect("searched");
        assert!((value - 0.7).abs() < 0.03, "{value}");
        let left = search.root_actions().next().expect("an edge").2;
        assert!(
            left < 0.45,
            "{left}: the second player is left the good replies"
        );
    }

    #[test]
    fn the_second_player_maximises_its_own_result() {
        static NODES: [Node; 4] = [Inner(Second, &[1, 2, 3]), Leaf(0.9), Leaf(0.3), Leaf(0.5)];
        let choice = search(&NODES).decide(&0, Budget::Iterations(300), &Stop::new());
        assert_eq!(choice.action, 2);
        assert!((choice.value.expect("searched") - 0.7).abs() < 1e-6);
    }

    #[test]
    fn every_action_is_tried_once_before_any_is_tried_again() {
        static NODES: [Node; 4] = [Inner(First, &[1, 2, 3]), Leaf(0.9), Leaf(0.3), Leaf(0.5)];
        let mut search = search(&NODES);
        let _ = search.decide(&0, Budget::Iterations(3), &Stop::new());
        assert!(search.root_actions().all(|(_, visits, _)| visits == 1));
    }

    #[test]
    fn the_kept_tree_knows_what_the_old_one_knew() {
        let mut search = search(&NO_ALTERNATION);
        let _ = search.decide(&0, Budget::Iterations(500), &Stop::new());
        let (_, visits, _) = search.root_actions().nth(1).expect("an edge");
        search.advance(2);
        assert_eq!(search.visits(), visits);
        let below: u32 = search.root_actions().map(|(_, visits, _)| visits).sum();
        // The first visit ended in a rollout, before there were edges.
        assert_eq!(below, visits - 1);
        let choice = search.decide(&2, Budget::Iterations(50), &Stop::new());
        assert_eq!((choice.action, choice.iterations), (6, 50));
        search.advance(99);
        assert_eq!(search.visits(), 0, "an unknown action leaves nothing");
    }

    #[test]
    fn a_single_action_is_not_searched() {
        static NODES: [Node; 2] = [Inner(First, &[1]), Leaf(0.9)];
        let choice = search(&NODES).decide(&0, Budget::Iterations(300), &Stop::new());
        assert_eq!(
            (choice.action, choice.iterations, choice.value),
            (1, 0, None)
        );
    }

    #[test]
    fn stopping_and_running_out_of_time_end_a_search() {
        let stop = Stop::new();
        let time = std::time::Duration::from_millis(5);
        let choice = search(&NO_ALTERNATION).decide(&0, Budget::Time(time), &stop);
        assert!(choice.iterations > 1);
        stop.set();
        let choice = search(&NO_ALTERNATION).decide(&0, Budget::Iterations(u32::MAX), &stop);
        assert!(choice.iterations < 100);
    }
}
