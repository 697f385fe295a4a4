//! Small games with known values, none of which alternates turns.

use std::time::Duration;

use super::Side::{First, Second};
use super::node::Edge;
use super::*;

/// A position of an explicit tree: the side to move and where its actions lead, or the first side's
/// result.
enum Node {
    Inner(Side, &'static [usize]),
    End(f64),
}

use Node::{End, Inner};

/// An explicit tree; an action is the number of the position that it leads to.
#[derive(Clone)]
struct Explicit {
    nodes: &'static [Node],
    /// How many actions an expansion has.
    expanded: usize,
    /// Whether the others can be asked for.
    knows_more: bool,
    /// Whether later actions have higher priors.
    prefers_last: bool,
    /// Whether rollouts know nothing and the game goes on after its end: only estimates tell.
    blind: bool,
}

const fn explicit(nodes: &'static [Node]) -> Explicit {
    Explicit {
        nodes,
        expanded: usize::MAX,
        knows_more: true,
        prefers_last: false,
        blind: false,
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

    fn estimate(&mut self, &position: &usize) -> Value {
        match self.nodes[position] {
            Inner(..) => Value::for_first(0.5),
            End(value) => Value::for_first(value),
        }
    }
}

/// Take one to three of the matches; who takes two moves again; who takes the last one wins.
#[derive(Clone, Default)]
struct ExtraTurns {
    taken: [[bool; 4]; 2],
    /// Positions with at most this many matches are proven when they are expanded.
    provable: u32,
}

#[derive(Clone, Copy)]
struct Matches {
    left: u32,
    mover: Side,
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
            self.insert(end.mover, action);
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

    fn moves(&mut self) -> Option<&mut dyn MoveSet<u32>> {
        Some(self)
    }
}

impl MoveSet<u32> for ExtraTurns {
    fn clear(&mut self) {
        self.taken = Default::default();
    }

    fn insert(&mut self, side: Side, action: u32) {
        self.taken[side as usize][action as usize] = true;
    }

    fn contains(&self, side: Side, action: u32) -> bool {
        self.taken[side as usize][action as usize]
    }
}

/// The side that wins by best play of both, by trying everything.
fn solve(game: &mut ExtraTurns, position: &Matches) -> Side {
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

/// A game that never ends: any number can be doubled or doubled and increased.
#[derive(Clone)]
struct Endless {
    /// The program fails where an expansion is asked for a larger number.
    most: u64,
}

const ENDLESS: Endless = Endless { most: u64::MAX };

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

    fn evaluate(&mut self, position: &u64) -> Leaf {
        let value = position.wrapping_mul(0x9e37_79b9) >> 16 & 1;
        Leaf::estimate(Value::for_first(value as f64))
    }
}

/// Two ways to the same position: four of eight numbers in any order.
#[derive(Clone)]
struct Sets;

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
}

/// Every selection rule and everything that changes selection.
fn all_settings() -> Vec<Settings> {
    let plain = Settings::default();
    let select = |select: Rule| Settings { select, ..plain };
    let mut all = vec![plain, select(Rule::Ucb1Tuned), select(Rule::Puct)];
    let first_play = |settings: &Settings| Settings {
        first_play: Some(0.3),
        ..*settings
    };
    all.extend(all.clone().iter().map(first_play));
    all.push(Settings {
        widening: Some(Widening {
            base: 1.0,
            power: 0.5,
        }),
        ..plain
    });
    all.push(Settings {
        minimax: 0.3,
        ..plain
    });
    all.push(Settings {
        rave: Some(30.0),
        ..plain
    });
    all
}

/// An empty search and its decision.
fn decide<G: Guidance + Send>(
    game: G,
    settings: Settings,
    root: G::Position,
    iterations: u32,
) -> (Search<G>, Choice<G::Action>)
where
    G::Position: Send + Sync,
    G::Action: Send,
{
    let mut search = Search::new(game, settings);
    let choice = search.decide(&root, Budget::Iterations(iterations), &Stop::new());
    (search, choice)
}

fn visits<G: Guidance>(search: &Search<G>) -> Vec<u32> {
    let candidates = search.candidates(&[]);
    candidates.iter().map(|one| one.visits).collect()
}

/// The first side moves twice in a row on the right, the second twice on the left.
/// Left: the second side avoids both good leaves. Right: the first reaches 0.7 by two moves.
static NO_ALTERNATION: [Node; 13] = [
    Inner(First, &[1, 2]),
    Inner(Second, &[3, 4]),
    Inner(First, &[5, 6]),
    Inner(Second, &[7, 8]),
    Inner(Second, &[9, 10]),
    Inner(Second, &[11, 11]),
    Inner(First, &[11, 12]),
    End(1.0),
    End(0.2),
    End(1.0),
    End(0.9),
    End(0.1),
    End(0.7),
];

/// Three results for the first side.
static RESULTS: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.9), End(0.3), End(0.5)];

/// Of the first side's second action, the one that is tried first loses.
static LOST_FIRST: [Node; 5] = [
    Inner(First, &[1, 2]),
    Inner(First, &[4, 3]),
    End(0.4),
    End(0.6),
    End(0.0),
];

/// The first side wins by 1 and then whatever the second side does, which moves twice; by 2 the
/// second side wins on the second of the two moves.
static WON: [Node; 11] = [
    Inner(First, &[2, 1]),
    Inner(Second, &[3, 4]),
    Inner(Second, &[5, 6]),
    Inner(Second, &[7, 8]),
    Inner(First, &[9, 7]),
    End(1.0),
    Inner(Second, &[8, 10]),
    End(1.0),
    End(1.0),
    End(0.0),
    End(0.0),
];

#[test]
fn values_belong_to_sides_and_not_to_depths() {
    let (search, choice) = decide(explicit(&NO_ALTERNATION), Settings::default(), 0, 4000);
    assert_eq!((choice.best.action, choice.iterations), (2, 4000));
    let value = choice.best.chance;
    assert!((value - 0.7).abs() < 0.03, "{value}");
    let left = search.candidates(&[])[0].value;
    assert!(
        left < 0.45,
        "{left}: the second side is left the good replies"
    );
}

#[test]
fn the_second_side_maximises_its_own_result() {
    static NODES: [Node; 4] = [Inner(Second, &[1, 2, 3]), End(0.9), End(0.3), End(0.5)];
    let (_, choice) = decide(explicit(&NODES), Settings::default(), 0, 300);
    assert_eq!(choice.best.action, 2);
    assert!((choice.best.chance - 0.7).abs() < 1e-6);
}

#[test]
fn every_action_is_tried_once_before_any_is_tried_again() {
    let (search, _) = decide(explicit(&RESULTS), Settings::default(), 0, 3);
    assert_eq!(visits(&search), [1, 1, 1]);
}

#[test]
fn the_kept_tree_knows_what_the_old_one_knew() {
    let (mut search, _) = decide(explicit(&NO_ALTERNATION), Settings::default(), 0, 500);
    let before = visits(&search)[1];
    search.advance(2);
    // The first visit ended in a rollout, before there were edges.
    assert_eq!(visits(&search).iter().sum::<u32>(), before - 1);
    let choice = search.decide(&2, Budget::Iterations(50), &Stop::new());
    assert_eq!((choice.best.action, choice.iterations), (6, 50));
    search.advance(99);
    assert!(
        visits(&search).is_empty(),
        "an unknown action leaves nothing"
    );
}

#[test]
fn a_single_action_is_not_searched() {
    static NODES: [Node; 2] = [Inner(First, &[1]), End(0.9)];
    let (_, choice) = decide(explicit(&NODES), Settings::default(), 0, 300);
    assert_eq!((choice.best.action, choice.iterations), (1, 0));
    assert_eq!(choice.best.visits, 0);
}

#[test]
fn stopping_and_running_out_of_time_end_a_search() {
    let stop = Stop::new();
    let time = std::time::Duration::from_millis(5);
    for threads in [1, 2] {
        let games = || vec![explicit(&NO_ALTERNATION); threads];
        let stop = Stop::new();
        let mut search = Search::parallel(games(), Settings::default());
        assert!(search.decide(&0, Budget::Time(time), &stop).iterations > 1);
        stop.set();
        let mut search = Search::parallel(games(), Settings::default());
        let choice = search.decide(&0, Budget::Iterations(u32::MAX), &stop);
        assert!(choice.iterations < 100);
    }
    assert!(!stop.is_set());
}

#[test]
fn every_rule_finds_the_best_action_without_alternation() {
    for settings in all_settings() {
        let (search, choice) = decide(explicit(&NO_ALTERNATION), settings, 0, 4000);
        assert_eq!(
            (choice.best.action, choice.iterations),
            (2, 4000),
            "{settings:?}"
        );
        assert_eq!(visits(&search).iter().sum::<u32>(), 4000, "{settings:?}");
        let line: Vec<usize> = search.line().map(|one| one.action).collect();
        assert_eq!(line[..2], [2, 6], "{settings:?}");
    }
}

#[test]
fn a_game_with_extra_turns_is_solved_with_all_settings() {
    let reference: Vec<Side> = (0..14)
        .map(|left| solve(&mut ExtraTurns::default(), &Matches { left, mover: First }))
        .collect();
    for settings in all_settings() {
        for (transpositions, nodes) in [(false, 1 << 20), (true, 1 << 20), (false, 60), (true, 10)]
        {
            let settings = Settings {
                transpositions,
                nodes,
                ..settings
            };
            for (threads, left) in [(1, 2), (1, 4), (1, 9), (1, 12), (1, 13), (3, 12), (3, 13)] {
                let case = format!("{left} matches, {threads} threads, {settings:?}");
                let root = Matches { left, mover: First };
                let winner = reference[left as usize];
                let mut search = Search::parallel(vec![ExtraTurns::default(); threads], settings);
                let budget = Budget::Iterations(5000);
                let choice = search.decide_together(&root, budget, &Stop::new());
                // What is recycled may never be proven, but nothing false is.
                if nodes > 100 || search.winner().is_some() {
                    assert_eq!(search.winner(), Some(winner), "{case}");
                    let mut next = root;
                    search.game().play(&mut next, choice.best.action);
                    let after = solve(&mut ExtraTurns::default(), &next);
                    assert_eq!(after, winner, "{case}");
                }
            }
        }
    }
}

#[test]
fn a_won_game_is_proven_and_the_search_ends() {
    for settings in all_settings() {
        let (mut search, choice) = decide(explicit(&WON), settings, 0, 100_000);
        assert_eq!(
            (choice.best.action, choice.best.chance),
            (1, 1.0),
            "{settings:?}"
        );
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        // What is proven for the one is so below, for whoever moves there.
        search.advance(1);
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        let replies = search.candidates(&[]);
        assert!(replies.iter().all(|one| one.proven == Some(false)));
        let choice = search.decide(&1, Budget::Iterations(100), &Stop::new());
        assert_eq!((choice.iterations, choice.best.chance), (0, 0.0));
    }
}

#[test]
fn proofs_of_the_game_end_a_search_sooner_and_change_no_winner() {
    for left in 15..20 {
        let root = Matches { left, mover: First };
        let expected = solve(&mut ExtraTurns::default(), &root);
        for settings in all_settings() {
            let [plain, proving] = [0, 8].map(|provable| {
                let game = ExtraTurns {
                    provable,
                    ..ExtraTurns::default()
                };
                let (search, choice) = decide(game, settings, root, 1_000_000);
                assert_eq!(search.winner(), Some(expected), "{left}: {settings:?}");
                choice.iterations
            });
            assert!(proving < plain, "{left}: {proving}, {plain}: {settings:?}");
        }
    }
}

#[test]
fn without_the_solver_nothing_is_proven() {
    let plain = Settings {
        solver: false,
        ..Settings::default()
    };
    let (search, choice) = decide(explicit(&WON), plain, 0, 2000);
    assert_eq!((choice.best.action, choice.iterations), (1, 2000));
    assert_eq!(search.winner(), None);
}

#[test]
fn losing_by_some_of_the_actions_proves_nothing() {
    static NODES: [Node; 6] = [
        Inner(First, &[1, 2]),
        Inner(Second, &[3, 4]),
        End(0.5),
        End(1.0),
        End(1.0),
        End(0.0),
    ];
    let partial = Explicit {
        knows_more: false,
        ..explicit(&NODES)
    };
    let (search, choice) = decide(partial, Settings::default(), 0, 200);
    assert_eq!((choice.best.action, choice.iterations), (1, 200));
    assert_eq!(search.winner(), None);
}

#[test]
fn what_was_left_out_is_tried_when_all_else_loses() {
    static NODES: [Node; 5] = [
        Inner(First, &[1, 2, 3, 4]),
        End(0.0),
        End(0.0),
        End(1.0),
        End(0.0),
    ];
    static LOST: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.0), End(0.0), End(0.0)];
    let narrow = |nodes: &'static [Node]| Explicit {
        expanded: 2,
        ..explicit(nodes)
    };
    for settings in all_settings() {
        let (search, choice) = decide(narrow(&NODES), settings, 0, 2000);
        assert_eq!(
            (choice.best.action, choice.best.chance),
            (3, 1.0),
            "{settings:?}"
        );
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        let (search, choice) = decide(narrow(&LOST), settings, 0, 2000);
        assert_eq!(search.winner(), Some(Second), "{settings:?}");
        assert!(choice.iterations <= 100, "{settings:?}: {choice:?}");
    }
}

#[test]
fn a_search_ends_early_only_when_its_choice_is_decided() {
    let early = Settings {
        early_stop: true,
        ..Settings::default()
    };
    for iterations in [100, 300, 1000, 5000] {
        let game = explicit(&NO_ALTERNATION);
        let (_, whole) = decide(game.clone(), Settings::default(), 0, iterations);
        let (_, short) = decide(game, early, 0, iterations);
        assert_eq!(short.best.action, whole.best.action);
        assert!(short.iterations <= iterations);
        if iterations == 5000 {
            assert!(short.iterations < 5000);
        }
    }
}

#[test]
fn first_play_urgency_leaves_bad_actions_untried() {
    let settings = Settings {
        first_play: Some(-0.5),
        exploration: 0.01,
        ..Settings::default()
    };
    let (search, _) = decide(explicit(&RESULTS), settings, 0, 100);
    assert_eq!(visits(&search), [100, 0, 0]);
}

#[test]
fn widening_opens_actions_one_by_one() {
    static NODES: [Node; 5] = [
        Inner(First, &[1, 2, 3, 4]),
        End(0.1),
        End(0.2),
        End(0.3),
        End(0.4),
    ];
    let settings = Settings {
        widening: Some(Widening {
            base: 1.0,
            power: 0.5,
        }),
        ..Settings::default()
    };
    let mut search = Search::new(explicit(&NODES), settings);
    let mut opened = Vec::new();
    for _ in 0..17 {
        let _ = search.decide(&0, Budget::Iterations(1), &Stop::new());
        opened.push(visits(&search).iter().filter(|&&visits| visits > 0).count());
    }
    // sqrt(N) actions after N visits.
    assert_eq!(opened, [1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]);
}

#[test]
fn priors_decide_what_is_tried_first() {
    static NODES: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.5), End(0.5), End(0.5)];
    let settings = Settings {
        select: Rule::Puct,
        first_play: Some(0.0),
        ..Settings::default()
    };
    let game = Explicit {
        prefers_last: true,
        ..explicit(&NODES)
    };
    let (search, _) = decide(game, settings, 0, 900);
    let candidates = search.candidates(&[]);
    let actions: Vec<usize> = candidates.iter().map(|one| one.action).collect();
    assert_eq!(actions, [3, 2, 1]);
    assert!((candidates.iter().map(|one| one.prior).sum::<f32>() - 1.0).abs() < 1e-6);
    // Of equal results, visits go by the priors 4 : 3 : 2.
    for (one, share) in candidates.iter().zip([4.0, 3.0, 2.0]) {
        let expected = 900.0 * share / 9.0;
        assert!((one.visits as f32 - expected).abs() < 5.0, "{candidates:?}");
    }
}

#[test]
fn confidence_falls_in_long_searches() {
    let chances = |confidence, confidence_power, iterations| {
        let settings = Settings {
            confidence,
            confidence_power,
            ..Settings::default()
        };
        let (search, _) = decide(Sets, settings, 0, iterations);
        let chances = search.candidates(&[]).into_iter().map(|one| one.chance);
        chances.collect::<Vec<_>>()
    };
    assert_eq!(chances(2.0, -0.5, 5_000), chances(2.0, 0.0, 5_000));
    let (long, plain) = (chances(2.0, -0.5, 400_000), chances(1.0, 0.0, 400_000));
    assert!(long.iter().all(|chance| (0.0..=1.0).contains(chance)));
    for (long, plain) in long.iter().zip(&plain) {
        assert!((long - plain).abs() < 1e-3, "{long}, {plain}");
    }
    assert_ne!(plain, chances(2.0, 0.0, 400_000));
}

#[test]
fn implicit_minimax_backs_up_the_best_estimate_of_the_mover() {
    let settings = Settings {
        minimax: 0.9,
        exploration: 0.3,
        ..Settings::default()
    };
    let blind = Explicit {
        blind: true,
        ..explicit(&NO_ALTERNATION)
    };
    let (search, choice) = decide(blind, settings, 0, 2000);
    assert_eq!(choice.best.action, 2);
    assert_eq!(search.line().nth(1).map(|one| one.action), Some(6));
}

#[test]
fn a_budget_of_iterations_is_spent_by_one_thread() {
    let decide = |threads: usize| {
        let mut search = Search::parallel(vec![ENDLESS; threads], Settings::default());
        let choice = search.decide(&1, Budget::Iterations(1000), &Stop::new());
        (choice, search.candidates(&[]), search.size())
    };
    assert_eq!(decide(1), decide(3));
}

#[test]
fn threads_that_search_together_leave_no_virtual_loss() {
    for transpositions in [false, true] {
        for settings in all_settings() {
            let settings = Settings {
                transpositions,
                ..settings
            };
            let mut search = Search::parallel(vec![Sets; 3], settings);
            let choice = search.decide_together(&0, Budget::Iterations(20_000), &Stop::new());
            assert_eq!(choice.iterations, 20_000, "{settings:?}");
            assert_eq!(visits(&search).iter().sum::<u32>(), 20_000, "{settings:?}");
            let tree = &search.tree;
            let mut nodes = vec![tree.root];
            while let Some(id) = nodes.pop() {
                let edges = tree.edges(id);
                assert!(edges.iter().all(|edge| edge.unfinished == 0));
                let below: u32 = edges.iter().map(|edge| edge.visits).sum();
                assert!(transpositions || below <= tree.node(id).visits);
                let followed = edges.iter().filter(|edge| edge.visits > 0);
                nodes.extend(followed.map(|edge| edge.node));
            }
            let root = tree.node(tree.root);
            let first_won = |edge: &Edge<_>| {
                let mean = Value::for_side(root.mover, edge.mean().into());
                f64::from(edge.visits) * mean.seen_by(First)
            };
            let won: f64 = tree.edges(tree.root).iter().map(first_won).sum();
            assert_eq!(root.visits, 20_000);
            assert!((root.total - won).abs() < 0.1, "{} {won}", root.total);
            for one in search.candidates(&[]) {
                assert!((0.0..=1.0).contains(&one.value), "{one:?}, {settings:?}");
                let below = search.candidates(&[one.action]);
                assert!(below.iter().all(|one| (0.0..=1.0).contains(&one.value)));
                let below: u32 = below.iter().map(|one| one.visits).sum();
                assert!(transpositions || below < one.visits.max(1), "{settings:?}");
            }
        }
    }
}

#[test]
fn threads_that_search_together_find_the_best_action() {
    for settings in all_settings() {
        let mut search = Search::parallel(vec![explicit(&NO_ALTERNATION); 2], settings);
        let choice = search.decide_together(&0, Budget::Iterations(4000), &Stop::new());
        assert_eq!(choice.best.action, 2, "{settings:?}");
        let mut search = Search::parallel(vec![explicit(&WON); 2], settings);
        let choice = search.decide_together(&0, Budget::Iterations(100_000), &Stop::new());
        assert_eq!((choice.best.action, search.winner()), (1, Some(First)));
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
    }
}

#[test]
fn a_full_tree_is_recycled_when_no_thread_needs_it() {
    for mut settings in all_settings() {
        settings.nodes = 1000;
        let mut search = Search::parallel(vec![ENDLESS; 3], settings);
        let choice = search.decide_together(&1, Budget::Iterations(20_000), &Stop::new());
        assert_eq!(choice.iterations, 20_000, "{settings:?}");
        assert!(search.size().nodes <= 1001, "{:?}", search.size());
        assert!(visits(&search).iter().sum::<u32>() >= 20_000);
    }
}

#[test]
fn a_search_makes_at_least_one_iteration() {
    for batch in [1, 64] {
        let settings = Settings {
            batch,
            ..Settings::default()
        };
        let (_, choice) = decide(explicit(&RESULTS), settings, 0, 0);
        assert_eq!(choice.iterations, 1, "{batch}");
    }
}

#[test]
fn time_ends_for_threads_that_find_no_room() {
    static NODES: [Node; 9] = [
        Inner(First, &[1, 2, 3, 4, 5, 6, 7, 8]),
        End(0.1),
        End(0.2),
        End(0.3),
        End(0.4),
        End(0.5),
        End(0.6),
        End(0.7),
        End(0.8),
    ];
    let settings = Settings {
        widening: Some(Widening {
            base: 1.0,
            power: 0.5,
        }),
        nodes: 4,
        ..Settings::default()
    };
    let mut search = Search::parallel(vec![explicit(&NODES); 3], settings);
    let _ = search.decide_together(&0, Budget::Iterations(2000), &Stop::new());
    for _ in 0..100 {
        let before = search.tree.node(search.tree.root).visits;
        let choice = search.decide_together(&0, Budget::Time(Duration::ZERO), &Stop::new());
        assert!(choice.iterations > 0);
        let root = search.tree.node(search.tree.root);
        assert_eq!(root.visits, before + choice.iterations);
    }
}

/// Checks that all numbers of a tree without transpositions are those of its iterations.
fn check<G: Guidance>(search: &Search<G>) {
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
        for edge in tree.tried(id) {
            let child = tree.node(edge.node);
            assert!(edge.visits > 0);
            assert_eq!(
                (edge.visits, tree.parents[edge.node as usize]),
                (child.visits, id)
            );
            let mean = Value::for_first(child.mean().into()).seen_by(node.mover) as f32;
            assert!((edge.mean() - mean).abs() < 1e-4, "{child:?}");
            assert!((0.0..=1.0).contains(&edge.chance()));
            below.push(edge.node);
        }
        let quads = tree.tried_quads(id).iter().flat_map(|quad| quad.backup);
        for (edge, backup) in tree.tried(id).iter().zip(quads) {
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
fn all_batches() -> impl Iterator<Item = Settings> {
    let all = all_settings().into_iter();
    let all = all.filter(|settings| settings.rave.is_none());
    let puct = Settings {
        select: Rule::Puct,
        minimax: 0.2,
        first_play: Some(0.05),
        ..Settings::default()
    };
    all.chain([puct])
        .flat_map(|settings| [2, 64].map(|batch| Settings { batch, ..settings }))
}

#[test]
fn iterations_below_a_node_count_above_it() {
    for settings in all_batches() {
        let (search, choice) = decide(ENDLESS, settings, 1, 5000);
        assert_eq!(choice.iterations, 5000);
        assert_eq!(visits(&search).iter().sum::<u32>(), 5000, "{settings:?}");
        let Depth { sum, max } = search.depth();
        assert!(5000 < sum && sum < 5000 * max as u64, "{settings:?}");
        check(&search);
        let (same, same_choice) = decide(ENDLESS, settings, 1, 5000);
        assert_eq!(
            (choice, search.candidates(&[])),
            (same_choice, same.candidates(&[]))
        );
    }
}

#[test]
fn nodes_with_few_visits_have_no_batches() {
    for settings in all_batches() {
        let single = Settings {
            batch: 1,
            ..settings
        };
        // Two iterations start at a node with 16 visits.
        for (iterations, is_same) in [(17, true), (5000, false)] {
            let (batched, _) = decide(ENDLESS, settings, 1, iterations);
            let (alone, _) = decide(ENDLESS, single, 1, iterations);
            let same = batched.candidates(&[]) == alone.candidates(&[]);
            assert_eq!(same, is_same, "{iterations}: {settings:?}");
        }
    }
}

#[test]
fn batches_find_what_single_iterations_find() {
    for settings in all_batches() {
        let (_, choice) = decide(explicit(&NO_ALTERNATION), settings, 0, 4000);
        assert_eq!(choice.best.action, 2, "{settings:?}");
        let (search, choice) = decide(explicit(&WON), settings, 0, 100_000);
        assert_eq!((choice.best.action, search.winner()), (1, Some(First)));
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
        let few = Settings {
            nodes: 1000,
            ..settings
        };
        let (search, choice) = decide(ENDLESS, few, 1, 20_000);
        assert_eq!(choice.iterations, 20_000);
        assert!(search.size().nodes <= 1001);
    }
}

#[test]
fn rave_and_transpositions_have_no_batches() {
    for (rave, transpositions) in [(Some(30.0), false), (None, true)] {
        let settings = Settings {
            rave,
            transpositions,
            ..Settings::default()
        };
        let batches = Settings {
            batch: 64,
            ..settings
        };
        let (alone, choice) = decide(Sets, settings, 0, 3000);
        assert_eq!(decide(Sets, batches, 0, 3000).1, choice);
        let mut search = Search::parallel(vec![Sets; 3], settings);
        let together = search.decide_together(&0, Budget::Iterations(3000), &Stop::new());
        assert_eq!(together, choice);
        assert_eq!(search.candidates(&[]), alone.candidates(&[]));
    }
}

#[test]
fn threads_that_search_together_build_one_tree() {
    for settings in all_batches() {
        for threads in [2, 5] {
            let mut search = Search::parallel(vec![ENDLESS; threads], settings);
            let mut root = 1;
            for decision in 0..6 {
                // One thread goes on with what several have found, and the other way round.
                let iterations = Budget::Iterations(3001);
                let choice = if decision % 3 == 2 {
                    search.decide(&root, iterations, &Stop::new())
                } else {
                    search.decide_together(&root, iterations, &Stop::new())
                };
                assert_eq!(choice.iterations, 3001, "{settings:?}");
                check(&search);
                ENDLESS.play(&mut root, choice.best.action);
                search.advance(choice.best.action);
            }
        }
    }
}

#[test]
fn a_search_ends_before_its_visits_overflow() {
    for settings in all_settings() {
        let (mut search, _) = decide(ENDLESS, settings, 1, 5);
        search.tree.node_mut(0).visits = MOST_VISITS - 3;
        let choice = search.decide(&1, Budget::Iterations(10), &Stop::new());
        assert_eq!(choice.iterations, 3);
    }
}

#[test]
fn an_untried_action_is_better_than_a_lost_one() {
    let mut found = 0;
    for iterations in 1..40 {
        let (search, _) = decide(explicit(&LOST_FIRST), Settings::default(), 0, iterations);
        let all = search.candidates(&[1]);
        if all
            .iter()
            .all(|one| one.visits == 0 || one.proven == Some(false))
        {
            let best = search.best(&[1]).map(|best| (best.action, best.visits));
            let is_visited = all.iter().any(|one| one.visits > 0);
            found += u32::from(is_visited);
            assert_eq!(best, is_visited.then_some((3, 0)));
            assert!(search.line().all(|step| step.visits > 0));
        }
    }
    assert!(found > 0);
}

#[test]
fn a_panic_of_one_thread_ends_the_search_of_all() {
    for _ in 0..20 {
        let panic = std::panic::catch_unwind(|| {
            let mut search =
                Search::parallel(vec![Endless { most: 9_999 }; 3], Settings::default());
            search.decide_together(&1, Budget::Iterations(u32::MAX), &Stop::new())
        });
        assert!(panic.is_err());
    }
}

#[test]
fn a_tree_keeps_to_its_nodes_and_goes_on() {
    for mut settings in all_settings() {
        settings.nodes = 1000;
        let mut search = Search::new(ENDLESS, settings);
        let mut root = 1;
        for _ in 0..5 {
            let choice = search.decide(&root, Budget::Iterations(5000), &Stop::new());
            assert_eq!(choice.iterations, 5000);
            // An iteration adds one node, after looking whether there is room.
            assert!(search.size().nodes <= 1001, "{:?}", search.size());
            assert!(visits(&search).iter().sum::<u32>() >= 5000);
            search.advance(choice.best.action);
            ENDLESS.play(&mut root, choice.best.action);
        }
    }
}

#[test]
fn a_large_enough_tree_is_never_recycled() {
    let enough = Settings {
        nodes: 5002,
        ..Settings::default()
    };
    let (large, choice) = decide(ENDLESS, Settings::default(), 1, 5000);
    let (search, same_choice) = decide(ENDLESS, enough, 1, 5000);
    assert_eq!(choice, same_choice);
    assert_eq!(large.candidates(&[]), search.candidates(&[]));
}

#[test]
fn recycling_keeps_nearly_half() {
    let few = Settings {
        nodes: 10_000,
        ..Settings::default()
    };
    let (mut search, _) = decide(ENDLESS, few, 1, 9_990);
    let before = search.size().nodes;
    let _ = search.decide(&1, Budget::Iterations(30), &Stop::new());
    let after = search.size().nodes;
    assert!(before > 9_900 && after < 5_100, "{before}, {after}");
    // Classes of visits are powers of two: at worst one just does not fit.
    assert!(after > 2_000, "{after}");
}

/// The candidates of the first decisions of a game one after another, the sizes of the tree, and the nodes in memory over
/// all decisions. With `drops`, what is cut off is dropped before each decision; otherwise the search chooses when.
fn play_on<G: Guidance + Send>(
    game: G,
    settings: Settings,
    mut root: G::Position,
    drops: bool,
) -> (Vec<Candidate<G::Action>>, Vec<TreeSize>, usize)
where
    G::Position: Send + Sync,
    G::Action: Send,
{
    let mut search = Search::new(game, settings);
    let (mut candidates, mut sizes, mut nodes) = (Vec::new(), Vec::new(), 0);
    while sizes.len() < 12 && !search.game().is_over(&root) {
        if drops {
            search.tree.drop_what_is_cut_off();
        }
        let choice = search.decide(&root, Budget::Iterations(800), &Stop::new());
        candidates.push(choice.best);
        candidates.extend(search.candidates(&[]));
        sizes.push(search.size());
        nodes += search.tree.nodes.len();
        search.game().play(&mut root, choice.best.action);
        search.advance(choice.best.action);
    }
    (candidates, sizes, nodes)
}

#[test]
fn what_is_cut_off_changes_no_decision() {
    let mut kept = 0;
    for settings in all_settings() {
        for nodes in [1000, 4000, 1 << 20] {
            let settings = Settings { nodes, ..settings };
            let (lazy, sizes, most) = play_on(ENDLESS, settings, 1, false);
            let (eager, same_sizes, fewest) = play_on(ENDLESS, settings, 1, true);
            assert_eq!((lazy, sizes), (eager, same_sizes), "{settings:?}");
            kept += most - fewest;
            let merged = Settings {
                transpositions: true,
                ..settings
            };
            let (lazy, ..) = play_on(Sets, merged, 0, false);
            assert_eq!(lazy, play_on(Sets, merged, 0, true).0, "{merged:?}");
        }
    }
    assert!(kept > 0, "what was cut off was dropped at once");
}

#[test]
fn positions_reached_in_several_ways_are_one_node() {
    for settings in all_settings() {
        for nodes in [100, 1 << 20] {
            let merged = Settings {
                nodes,
                transpositions: true,
                ..settings
            };
            let (mut search, choice) = decide(Sets, merged, 0, 20_000);
            // Sets of 0 to 4 of 8 numbers.
            assert!(
                search.size().nodes <= 1 + 8 + 28 + 56 + 70,
                "{:?}",
                search.size()
            );
            let line: Vec<_> = search.line().collect();
            let (apart, alone) = decide(Sets, settings, 0, 20_000);
            if settings == Settings::default() {
                assert!(apart.size().nodes > 500, "{:?}", apart.size());
            }
            if nodes > 1000 {
                assert!((choice.best.chance - alone.best.chance).abs() < 0.05);
            }
            // What is kept can be searched on.
            let mut root = 0;
            for one in line.into_iter().take(2) {
                search.advance(one.action);
                Sets.play(&mut root, one.action);
                let choice = search.decide(&root, Budget::Iterations(100), &Stop::new());
                assert_eq!(choice.iterations, 100);
            }
        }
    }
}

/// Evaluates what a search asks for as the game would, at most `at_once` positions together.
fn answered<G: Guidance + Clone>(
    game: &G,
    settings: Settings,
    root: G::Position,
    iterations: u32,
    at_once: usize,
) -> (BatchedSearch<G>, Vec<usize>) {
    let (mut search, mut rounds) = (BatchedSearch::new(game.clone(), settings, root), Vec::new());
    while !search.is_done(iterations) {
        let asked = std::iter::from_fn(|| search.ask(iterations));
        let asked: Vec<_> = asked.take(at_once).collect();
        rounds.push(asked.len());
        for position in asked {
            let value = game.clone().evaluate(&position).value;
            search.answer(value, []);
        }
    }
    (search, rounds)
}

#[test]
fn evaluations_from_outside_find_the_winning_move() {
    let game = ExtraTurns::default();
    let settings = Settings {
        select: Rule::Puct,
        first_play: Some(0.0),
        ..Settings::default()
    };
    for left in 5..=14 {
        let root = Matches { left, mover: First };
        let winner = solve(&mut game.clone(), &root);
        for at_once in [1, 8] {
            let (search, _) = answered(&game, settings, root, 3000, at_once);
            let best = search.best().expect("it was searched");
            let mut next = root;
            game.play(&mut next, best.action);
            if winner == First {
                assert_eq!(solve(&mut game.clone(), &next), First, "{left} {at_once}");
            }
        }
    }
}

#[test]
fn evaluations_from_outside_are_one_for_each_iteration_and_the_root() {
    let settings = Settings {
        select: Rule::Puct,
        first_play: Some(0.0),
        ..Settings::default()
    };
    for at_once in [1, 5] {
        let (search, rounds) = answered(&ENDLESS, settings, 1, 200, at_once);
        assert_eq!(rounds.iter().sum::<usize>(), 201);
        assert!(rounds.iter().all(|&asked| 1 <= asked && asked <= at_once));
        // The root is alone: nothing else is known before its evaluation.
        assert_eq!(rounds[0], 1);
        assert!(at_once == 1 || rounds.len() < 100, "{}", rounds.len());
        let visits = search
            .candidates()
            .iter()
            .map(|one| one.visits)
            .sum::<u32>();
        assert_eq!(visits, 200);
    }
}

#[test]
fn priors_from_outside_lead_the_search() {
    let settings = Settings {
        select: Rule::Puct,
        first_play: Some(0.0),
        ..Settings::default()
    };
    let mut search = BatchedSearch::new(ENDLESS, settings, 1);
    for _ in 0..=50 {
        search.ask(50).expect("nothing is proven");
        let priors = search
            .asked()
            .map(|action| 1.0 + 2.0 * f32::from(u8::from(action)));
        let priors: Vec<f32> = priors.collect();
        search.answer(Value::for_first(0.5), priors);
    }
    assert!(search.is_done(50) && search.ask(50).is_none());
    let candidates = search.candidates();
    assert_eq!(
        candidates.iter().map(|one| one.prior).collect::<Vec<_>>(),
        [0.75, 0.25]
    );
    assert!(candidates[0].action && candidates[0].visits > 2 * candidates[1].visits);
}
