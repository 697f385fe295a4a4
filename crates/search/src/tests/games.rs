//! Small games with known values, none of which alternates turns.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub(super) use crate::Side::{First, Second};
use crate::tree::node::quads;
pub(super) use crate::*;

/// The moves of an iteration, each a number below 64.
#[derive(Clone, Copy, Default)]
pub(super) struct Made([u64; 2]);

pub(super) const NONE_MADE: Made = Made([0; 2]);

fn bit(action: impl TryInto<u64>) -> u64 {
    1 << (action.try_into().ok().expect("a small number") % 64)
}

impl<A: TryInto<u64>> MoveSet<A> for Made {
    fn clear(&mut self) {
        *self = NONE_MADE;
    }

    fn insert(&mut self, side: Side, action: A) {
        self.0[side as usize] |= bit(action);
    }

    fn contains(&self, side: Side, action: A) -> bool {
        self.0[side as usize] & bit(action) != 0
    }
}

/// A position of an explicit tree: the side to move and where its actions lead, or the first side's
/// result.
pub(super) enum Node {
    Inner(Side, &'static [usize]),
    End(f64),
}

pub(super) use Node::{End, Inner};

/// The positions of an explicit tree: first the inner ones, each with its side and where its actions lead, then the results.
macro_rules! nodes {
    ($($side:ident $actions:expr),+; $($result:expr),+) => {
        &[$(Inner($side, &$actions),)+ $(End($result)),+]
    };
}
pub(super) use nodes;

/// What the games do alike that are no explicit tree: nothing is random, an estimate says nothing, and moves are kept.
macro_rules! plain_guidance {
    ($position:ty, $action:ty) => {
        fn estimate(&mut self, _: &$position) -> Value {
            Value::for_first(0.5)
        }

        fn seed(&mut self) -> u64 {
            0
        }

        fn moves(&mut self) -> Option<&mut dyn MoveSet<$action>> {
            Some(&mut self.made)
        }
    };
}

/// An explicit tree; an action is the number of the position that it leads to.
#[derive(Clone)]
pub(super) struct Explicit {
    pub(super) nodes: &'static [Node],
    /// How many actions an expansion has.
    pub(super) expanded: usize,
    /// Whether the others can be asked for.
    pub(super) knows_more: bool,
    /// Whether later actions have higher priors.
    pub(super) prefers_last: bool,
    /// Whether rollouts know nothing and the game goes on after its end: only estimates tell.
    pub(super) blind: bool,
    pub(super) seed: u64,
    pub(super) made: Made,
}

pub(super) const fn explicit(nodes: &'static [Node]) -> Explicit {
    Explicit {
        nodes,
        expanded: usize::MAX,
        knows_more: true,
        prefers_last: false,
        blind: false,
        seed: 0,
        made: NONE_MADE,
    }
}

impl GameRules for Explicit {
    type Position = usize;
    type Action = usize;

    fn is_over(&self, &position: &usize) -> bool {
        !self.blind && matches!(self.nodes[position], End(_))
    }

    fn mover(&self, &position: &usize) -> Side {
        match self.nodes[position] {
            Inner(side, _) => side,
            End(_) if self.blind => First,
            End(_) => panic!("nobody moves at the end"),
        }
    }

    fn play(&self, position: &mut usize, action: usize) {
        *position = action;
    }
}

impl Guidance for Explicit {
    fn expand(&mut self, &position: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        let (Inner(_, actions), expanded) = (&self.nodes[position], self.expanded) else {
            out.push((position, 1.0));
            return true;
        };
        let prior = |i: usize| {
            if self.prefers_last {
                2.0 + i as f32
            } else {
                1.0
            }
        };
        let all = actions.iter().enumerate();
        out.extend(all.take(expanded).map(|(i, &action)| (action, prior(i))));
        expanded >= actions.len() && self.knows_more
    }

    fn expand_more(&mut self, &position: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        if let Inner(_, actions) = self.nodes[position] {
            out.extend(actions.iter().map(|&action| (action, 1.0)));
        }
        self.knows_more
    }

    fn evaluate(&mut self, &position: &usize) -> Leaf {
        match self.nodes[position] {
            _ if self.blind => Leaf::estimate(Value::for_first(0.5)),
            // The worst of rollouts: always the first action.
            Inner(_, actions) => Leaf {
                winner: None,
                ..self.evaluate(&actions[0])
            },
            End(1.0) => Leaf::won_by(First),
            End(0.0) => Leaf::won_by(Second),
            End(value) => Leaf::estimate(Value::for_first(value)),
        }
    }

    fn seed(&mut self) -> u64 {
        self.seed += 1;
        self.seed
    }

    fn estimate(&mut self, &position: &usize) -> Value {
        match self.nodes[position] {
            Inner(..) => Value::for_first(0.5),
            End(value) => Value::for_first(value),
        }
    }

    fn moves(&mut self) -> Option<&mut dyn MoveSet<usize>> {
        Some(&mut self.made)
    }
}

/// Take one to three of the matches; who takes two moves again; who takes the last one wins.
#[derive(Clone, Default)]
pub(super) struct ExtraTurns {
    pub(super) made: Made,
    /// Positions with at most this many matches are proven when they are expanded.
    pub(super) provable: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Matches {
    pub(super) left: u32,
    pub(super) mover: Side,
}

impl GameRules for ExtraTurns {
    type Position = Matches;
    type Action = u32;

    fn is_over(&self, position: &Matches) -> bool {
        position.left == 0
    }

    fn mover(&self, position: &Matches) -> Side {
        position.mover
    }

    fn play(&self, position: &mut Matches, action: u32) {
        position.left -= action;
        if action != 2 || position.left == 0 {
            position.mover = position.mover.other();
        }
    }

    fn key(&self, position: &Matches) -> Option<u64> {
        Some(u64::from(2 * position.left) + 1 + position.mover as u64)
    }
}

impl Guidance for ExtraTurns {
    fn expand(&mut self, position: &Matches, out: &mut Vec<(u32, f32)>) -> bool {
        out.extend((1..=position.left.min(3)).map(|action| (action, 1.0)));
        true
    }

    fn evaluate(&mut self, position: &Matches) -> Leaf {
        let mut end = *position;
        while !self.is_over(&end) {
            let action = 1 + end.left % 3.min(end.left);
            self.made.insert(end.mover, action);
            self.play(&mut end, action);
        }
        Leaf {
            winner: self.is_over(position).then(|| end.mover.other()),
            ..Leaf::won_by(end.mover.other())
        }
    }

    fn prove(&mut self, position: &Matches) -> Option<Side> {
        (position.left <= self.provable).then(|| solve(self, position))
    }

    plain_guidance!(Matches, u32);
}

/// The side that wins by best play of both, by trying everything.
pub(super) fn solve(game: &mut ExtraTurns, position: &Matches) -> Side {
    if game.is_over(position) {
        return position.mover.other();
    }
    let mut actions = Vec::new();
    let _ = game.expand(position, &mut actions);
    let mover = position.mover;
    let wins = |(action, _)| {
        let mut next = *position;
        game.play(&mut next, action);
        solve(game, &next) == mover
    };
    if actions.into_iter().any(wins) {
        mover
    } else {
        mover.other()
    }
}

/// A game that never ends: any number can be doubled or doubled and increased. It checks that the path that it is told leads
/// to the position that it evaluates.
#[derive(Clone)]
pub(super) struct Endless {
    /// The program fails where an expansion is asked for a larger number.
    pub(super) most: u64,
    pub(super) made: Made,
    /// Where each path begins, if that is checked.
    pub(super) root: Option<u64>,
    pub(super) path: Vec<(u64, bool)>,
    pub(super) above: usize,
    /// The paths that had steps above where they started.
    pub(super) inner: usize,
    pub(super) advanced: usize,
}

pub(super) const ENDLESS: Endless = Endless {
    most: u64::MAX,
    made: NONE_MADE,
    root: None,
    path: Vec::new(),
    above: 0,
    inner: 0,
    advanced: 0,
};

impl GameRules for Endless {
    type Position = u64;
    type Action = bool;

    fn is_over(&self, _: &u64) -> bool {
        false
    }

    fn mover(&self, &position: &u64) -> Side {
        if position % 3 == 0 { First } else { Second }
    }

    fn play(&self, position: &mut u64, action: bool) {
        *position = position.wrapping_mul(2) + u64::from(action);
    }
}

impl Guidance for Endless {
    fn expand(&mut self, position: &u64, out: &mut Vec<(bool, f32)>) -> bool {
        assert!(*position <= self.most, "a large number");
        out.extend([(false, 1.0), (true, 1.0)]);
        true
    }

    fn follow<'a>(&mut self, goes_on: bool, steps: impl Iterator<Item = (&'a u64, bool)>) {
        self.path.truncate(if goes_on { self.above } else { 0 });
        self.path
            .extend(steps.map(|(from, action)| (*from, action)));
        if goes_on {
            self.inner += 1;
        } else {
            self.above = self.path.len();
        }
    }

    fn advance(&mut self, _: bool) {
        self.advanced += 1;
        self.path.clear();
    }

    fn evaluate(&mut self, position: &u64) -> Leaf {
        let mut at = self.path.first().map_or(*position, |(from, _)| *from);
        assert!(self.root.is_none_or(|root| root == at));
        for (from, action) in &self.path {
            assert_eq!(*from, at);
            self.play(&mut at, *action);
        }
        assert_eq!(at, *position);
        let value = position.wrapping_mul(0x9e37_79b9) >> 16 & 1;
        Leaf::estimate(Value::for_first(value as f64))
    }

    plain_guidance!(u64, bool);
}

/// Two ways to the same position: four of eight numbers in any order.
#[derive(Clone)]
pub(super) struct Sets {
    pub(super) made: Made,
}

pub(super) const SETS: Sets = Sets { made: NONE_MADE };

impl GameRules for Sets {
    type Position = u32;
    type Action = u32;

    fn is_over(&self, position: &u32) -> bool {
        position.count_ones() == 4
    }

    fn mover(&self, position: &u32) -> Side {
        if position.count_ones().is_multiple_of(3) {
            First
        } else {
            Second
        }
    }

    fn play(&self, position: &mut u32, action: u32) {
        *position |= 1 << action;
    }

    fn key(&self, position: &u32) -> Option<u64> {
        Some((*position).into())
    }
}

impl Guidance for Sets {
    fn expand(&mut self, position: &u32, out: &mut Vec<(u32, f32)>) -> bool {
        out.extend((0..8).filter(|i| position >> i & 1 == 0).map(|i| (i, 1.0)));
        true
    }

    fn evaluate(&mut self, position: &u32) -> Leaf {
        let value = f64::from(position.wrapping_mul(0x9e37_79b9) >> 28) / 15.0;
        Leaf::estimate(Value::for_first(value))
    }

    plain_guidance!(u32, u32);
}

/// The part of this name, with these values of its keys.
pub(super) fn part<T: SearchPart>(name: &str, keys: &[(&str, f64)]) -> Selected<T> {
    Selected::of(name, keys).expect("known")
}

/// Settings with these values; the others are those before `=>` or the defaults.
macro_rules! with {
    ($base:expr => $($key:ident $(: $value:expr)?),+) => { Settings { $($key $(: $value)?,)+ ..$base } };
    ($($key:ident $(: $value:expr)?),+) => { with!(Settings::default() => $($key $(: $value)?),+) };
}
pub(super) use with;

/// The settings of a search with priors.
pub(super) fn puct() -> Settings {
    with!(select: part("puct", &[]), first_play: Some(0.0))
}

/// Every selection rule and everything that changes selection.
pub(super) fn all_settings() -> Vec<Settings> {
    let plain = Settings::default();
    let rules = SelectionRule::all().into_iter().map(Selected::new);
    let mut all: Vec<_> = rules.map(|select| Settings { select, ..plain }).collect();
    let first_play = |settings: &Settings| with!(*settings => first_play: Some(0.3));
    all.extend(all.clone().iter().map(first_play));
    all.push(with!(plain => widening: Some(Widening { base: 1.0, power: 0.5 })));
    all.push(with!(plain => minimax: 0.3));
    all
}

static STOP: Stop = Stop::new();

/// A budget of this many iterations.
pub(super) fn iterations(count: u32) -> Meter<'static> {
    Meter::iterations(count, &STOP)
}

/// The clock of the wall.
pub(super) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// An empty search and its decision.
pub(super) fn decide<G: Guidance + Send>(
    game: G,
    settings: Settings,
    root: G::Position,
    count: u32,
) -> (Search<G>, Choice<G::Action>)
where
    G::Position: Send + Sync,
    G::Action: Send,
{
    let mut search = Search::new(game, settings).expect("searchable");
    let choice = search.decide(&root, &iterations(count));
    (search, choice)
}

pub(super) fn visits<G: Guidance>(search: &Search<G>) -> Vec<u32> {
    let candidates = search.candidates(&[]);
    candidates.iter().map(|one| one.visits).collect()
}

/// The first side moves twice in a row on the right, the second twice on the left.
/// Left: the second side avoids both good leaves. Right: the first reaches 0.7 by two moves.
pub(super) static NO_ALTERNATION: &[Node] = nodes!(
    First [1, 2], Second [3, 4], First [5, 6], Second [7, 8], Second [9, 10], Second [11, 11], First [11, 12];
    1.0, 0.2, 1.0, 0.9, 0.1, 0.7
);

/// Three results for the first side.
pub(super) static RESULTS: &[Node] = nodes!(First [1, 2, 3]; 0.9, 0.3, 0.5);

/// Of the first side's second action, the one that is tried first loses.
pub(super) static LOST_FIRST: &[Node] = nodes!(First [1, 2], First [4, 3]; 0.4, 0.6, 0.0);

/// The first side wins by 1 and then whatever the second side does, which moves twice; by 2 the
/// second side wins on the second of the two moves.
pub(super) static WON: &[Node] = nodes!(
    First [2, 1], Second [3, 4], Second [6, 5], Second [7, 8], First [9, 7], Second [8, 10];
    1.0, 1.0, 1.0, 0.0, 0.0
);

/// Checks that all numbers of a tree without transpositions are those of its iterations.
pub(super) fn check<G: Guidance>(search: &Search<G>) {
    let tree = &search.tree;
    let mut below = vec![tree.root];
    let (mut nodes, mut edges) = (0, 0);
    while let Some(id) = below.pop() {
        nodes += 1;
        edges += tree.edges(id).len();
        let node = tree.node(id);
        let visits: u32 = tree.edges(id).iter().map(|edge| edge.visits).sum();
        assert!(
            id == tree.root || visits < node.visits.max(1),
            "an iteration ended here"
        );
        let tried = tree.edges.slice(node.tried());
        for edge in tried {
            let child = tree.node(edge.node);
            assert!(edge.visits > 0);
            assert_eq!(edge.visits, child.visits);
            let mean = Value::for_first(child.mean().into()).seen_by(node.mover) as f32;
            assert!((edge.mean() - mean).abs() < 1e-4, "{child:?}");
            assert!((0.0..=1.0).contains(&edge.chance()));
            below.push(edge.node);
        }
        let quads = tree.quads.slice(quads(&node.tried())).iter();
        for (edge, backup) in tried.iter().zip(quads.flat_map(|quad| quad.backup)) {
            let child = tree.node(edge.node);
            if tree.settings.minimax > 0.0 && child.tried > 0 && child.winner.is_none() {
                let best = tree.best_estimate(edge.node, child.mover);
                assert_eq!(backup, best.seen_by(node.mover) as f32);
            }
        }
    }
    let size = search.size();
    assert_eq!((size.nodes, size.edges), (nodes, edges));
}

/// Every setting that allows batches, with batches.
pub(super) fn all_batches() -> impl Iterator<Item = Settings> {
    let all = all_settings().into_iter();
    let all = all.filter(Settings::has_batches);
    let puct = with!(puct() => minimax: 0.2, first_play: Some(0.05));
    all.chain([puct])
        .flat_map(|settings| [2, 64].map(|batch| Settings { batch, ..settings }))
}
