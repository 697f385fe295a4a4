//! Small explicit trees with known values.

use super::super::rule::{Bound, Over, Rave, Widening};
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

    fn is_over(&self, &state: &usize) -> bool {
        matches!(self.0[state], Node::Leaf(_))
    }

    fn mover(&self, &state: &usize) -> Player {
        match self.0[state] {
            Node::Inner(player, _) => player,
            Node::Leaf(_) => panic!("a leaf has no mover"),
        }
    }

    fn play(&self, state: &mut usize, action: usize) {
        *state = action;
    }

    fn expand(&mut self, &state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        if let Node::Inner(_, actions) = self.0[state] {
            out.extend(actions.iter().map(|&action| (action, 1.0)));
        }
        true
    }

    fn evaluate(&mut self, &state: &usize) -> Leaf {
        // The worst of rollouts: always the first action.
        match self.0[state] {
            Node::Inner(_, actions) => Leaf {
                winner: None,
                ..self.evaluate(&actions[0])
            },
            Node::Leaf(value) => Leaf {
                value: Value::for_first(value),
                chance: None,
                winner: match value {
                    1.0 => Some(Player::First),
                    0.0 => Some(Player::Second),
                    _ => None,
                },
            },
        }
    }
}

use Node::{Inner, Leaf as End};
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
    End(1.0),
    End(0.2),
    End(1.0),
    End(0.9),
    End(0.1),
    End(0.7),
];

fn search(nodes: &'static [Node]) -> Search<Explicit> {
    Search::new(Explicit(nodes), Settings::default())
}

#[test]
fn values_belong_to_players_and_not_to_depths() {
    let mut search = search(&NO_ALTERNATION);
    let choice = search.decide(&0, Budget::Iterations(4000), &Stop::new());
    assert_eq!(choice.action, 2);
    assert_eq!(choice.iterations, 4000);
    let value = choice.value.expect("searched");
    assert!((value - 0.7).abs() < 0.03, "{value}");
    let left = search.actions(&[]).next().expect("an edge").value;
    assert!(
        left < 0.45,
        "{left}: the second player is left the good replies"
    );
}

#[test]
fn the_second_player_maximises_its_own_result() {
    static NODES: [Node; 4] = [Inner(Second, &[1, 2, 3]), End(0.9), End(0.3), End(0.5)];
    let choice = search(&NODES).decide(&0, Budget::Iterations(300), &Stop::new());
    assert_eq!(choice.action, 2);
    assert!((choice.value.expect("searched") - 0.7).abs() < 1e-6);
}

#[test]
fn every_action_is_tried_once_before_any_is_tried_again() {
    static NODES: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.9), End(0.3), End(0.5)];
    let mut search = search(&NODES);
    let _ = search.decide(&0, Budget::Iterations(3), &Stop::new());
    assert!(search.actions(&[]).all(|edge| edge.visits == 1));
}

#[test]
fn the_kept_tree_knows_what_the_old_one_knew() {
    let mut search = search(&NO_ALTERNATION);
    let _ = search.decide(&0, Budget::Iterations(500), &Stop::new());
    let visits = search.actions(&[]).nth(1).expect("an edge").visits;
    search.advance(2);
    assert_eq!(search.visits(), visits);
    let below: u32 = search.actions(&[]).map(|edge| edge.visits).sum();
    // The first visit ended in a rollout, before there were edges.
    assert_eq!(below, visits - 1);
    let choice = search.decide(&2, Budget::Iterations(50), &Stop::new());
    assert_eq!((choice.action, choice.iterations), (6, 50));
    search.advance(99);
    assert_eq!(search.visits(), 0, "an unknown action leaves nothing");
}

#[test]
fn a_single_action_is_not_searched() {
    static NODES: [Node; 2] = [Inner(First, &[1]), End(0.9)];
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

fn settings(rule: Rule) -> Settings {
    Settings {
        rule,
        ..Settings::default()
    }
}

/// Every kind of rule.
fn rules() -> Vec<Rule> {
    let plain = Rule::default();
    let first_play = |rule: Rule| Rule {
        first_play: Some(0.3),
        ..rule
    };
    let bound = |bound: Bound| Rule { bound, ..plain };
    vec![
        plain,
        bound(Bound::Ucb1Tuned),
        bound(Bound::Puct),
        first_play(plain),
        first_play(bound(Bound::Ucb1Tuned)),
        first_play(bound(Bound::Puct)),
        Rule {
            widening: Some(Widening {
                base: 1.0,
                power: 0.5,
            }),
            ..plain
        },
        Rule {
            minimax: 0.3,
            ..plain
        },
        Rule {
            rave: Some(Rave {
                over: Over::Placements,
                equivalence: 30.0,
            }),
            ..plain
        },
    ]
}

#[test]
fn every_rule_finds_the_best_action_without_alternation() {
    for rule in rules() {
        let mut search = Search::new(Explicit(&NO_ALTERNATION), settings(rule));
        let choice = search.decide(&0, Budget::Iterations(4000), &Stop::new());
        assert_eq!(choice.action, 2, "{rule:?}");
        assert_eq!(choice.iterations, 4000, "{rule:?}");
        let visits: u32 = search.actions(&[]).map(|edge| edge.visits).sum();
        assert_eq!(visits, 4000, "{rule:?}");
        assert_eq!(search.line()[..2], [2, 6], "{rule:?}");
    }
}

/// The first player wins by 1 and then by whatever the second player does, who moves twice; by 2 the
/// second player wins on the second of the two moves.
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
fn a_won_game_is_proven_and_the_search_ends() {
    for rule in rules() {
        let mut search = Search::new(Explicit(&WON), settings(rule));
        let choice = search.decide(&0, Budget::Iterations(100_000), &Stop::new());
        assert_eq!((choice.action, choice.value), (1, Some(1.0)), "{rule:?}");
        assert!(choice.iterations < 1000, "{rule:?}: {}", choice.iterations);
        assert_eq!(search.winner(), Some(First), "{rule:?}");
        // What is proven for the one is so below, for whoever moves there.
        search.advance(1);
        assert_eq!(search.winner(), Some(First), "{rule:?}");
        assert!(search.actions(&[]).all(|edge| edge.proven == Some(false)));
        let choice = search.decide(&1, Budget::Iterations(100), &Stop::new());
        assert_eq!((choice.iterations, choice.value), (0, Some(0.0)));
    }
}

#[test]
fn without_the_solver_nothing_is_proven() {
    let plain = Settings {
        solver: false,
        ..Settings::default()
    };
    let mut search = Search::new(Explicit(&WON), plain);
    let choice = search.decide(&0, Budget::Iterations(2000), &Stop::new());
    assert_eq!((choice.action, choice.iterations), (1, 2000));
    assert_eq!(search.winner(), None);
}

/// A game in which some legal actions are never searched.
struct Partial(Explicit);

impl Model for Partial {
    type State = usize;
    type Action = usize;

    fn is_over(&self, state: &usize) -> bool {
        self.0.is_over(state)
    }

    fn mover(&self, state: &usize) -> Player {
        self.0.mover(state)
    }

    fn play(&self, state: &mut usize, action: usize) {
        self.0.play(state, action);
    }

    fn expand(&mut self, state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        self.0.expand(state, out);
        false
    }

    fn evaluate(&mut self, state: &usize) -> Leaf {
        self.0.evaluate(state)
    }
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
    let mut search = Search::new(Partial(Explicit(&NODES)), Settings::default());
    let choice = search.decide(&0, Budget::Iterations(200), &Stop::new());
    assert_eq!(choice.iterations, 200);
    assert_eq!((choice.action, search.winner()), (1, None));
}

#[test]
fn a_search_ends_early_only_when_its_choice_is_decided() {
    let early = Settings {
        early_stop: true,
        ..Settings::default()
    };
    for iterations in [100, 300, 1000, 5000] {
        let budget = Budget::Iterations(iterations);
        let whole = search(&NO_ALTERNATION).decide(&0, budget, &Stop::new());
        let mut search = Search::new(Explicit(&NO_ALTERNATION), early);
        let short = search.decide(&0, budget, &Stop::new());
        assert_eq!(short.action, whole.action);
        assert!(short.iterations <= iterations);
        if iterations == 5000 {
            assert!(short.iterations < 5000);
        }
    }
}

#[test]
fn first_play_urgency_leaves_bad_actions_untried() {
    static NODES: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.9), End(0.3), End(0.5)];
    let rule = Rule {
        first_play: Some(-0.5),
        exploration: 0.01,
        ..Rule::default()
    };
    let mut search = Search::new(Explicit(&NODES), settings(rule));
    let _ = search.decide(&0, Budget::Iterations(100), &Stop::new());
    let visits: Vec<u32> = search.actions(&[]).map(|edge| edge.visits).collect();
    assert_eq!(visits, [100, 0, 0]);
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
    let rule = Rule {
        widening: Some(Widening {
            base: 1.0,
            power: 0.5,
        }),
        ..Rule::default()
    };
    let mut search = Search::new(Explicit(&NODES), settings(rule));
    let mut opened = Vec::new();
    for _ in 0..17 {
        let _ = search.decide(&0, Budget::Iterations(1), &Stop::new());
        opened.push(search.actions(&[]).filter(|edge| edge.visits > 0).count());
    }
    // sqrt(N) actions after N visits.
    assert_eq!(opened, [1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]);
}

#[test]
fn priors_decide_what_is_tried_first() {
    struct Backwards(Explicit);

    impl Model for Backwards {
        type State = usize;
        type Action = usize;

        fn is_over(&self, state: &usize) -> bool {
            self.0.is_over(state)
        }

        fn mover(&self, state: &usize) -> Player {
            self.0.mover(state)
        }

        fn play(&self, state: &mut usize, action: usize) {
            self.0.play(state, action);
        }

        fn expand(&mut self, state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
            let complete = self.0.expand(state, out);
            for (i, action) in out.iter_mut().enumerate() {
                action.1 = 2.0 + i as f32;
            }
            complete
        }

        fn evaluate(&mut self, state: &usize) -> Leaf {
            self.0.evaluate(state)
        }
    }

    static NODES: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.5), End(0.5), End(0.5)];
    let rule = Rule {
        bound: Bound::Puct,
        first_play: Some(0.0),
        ..Rule::default()
    };
    let mut search = Search::new(Backwards(Explicit(&NODES)), settings(rule));
    let _ = search.decide(&0, Budget::Iterations(900), &Stop::new());
    let edges: Vec<_> = search.actions(&[]).collect();
    assert_eq!(
        edges.iter().map(|edge| edge.action).collect::<Vec<_>>(),
        [3, 2, 1]
    );
    assert!((edges.iter().map(|edge| edge.prior).sum::<f32>() - 1.0).abs() < 1e-6);
    // Of equal results, visits go by the priors 4 : 3 : 2.
    for (edge, share) in edges.iter().zip([4.0, 3.0, 2.0]) {
        let expected = 900.0 * share / 9.0;
        assert!((edge.visits as f32 - expected).abs() < 5.0, "{edges:?}");
    }
}

#[test]
fn implicit_minimax_backs_up_the_best_estimate_of_the_mover() {
    /// Rollouts that say nothing, estimates that are the truth.
    struct Blind(Explicit);

    impl Model for Blind {
        type State = usize;
        type Action = usize;

        fn is_over(&self, _: &usize) -> bool {
            false
        }

        fn mover(&self, state: &usize) -> Player {
            match self.0.0[*state] {
                Inner(player, _) => player,
                End(_) => First,
            }
        }

        fn play(&self, state: &mut usize, action: usize) {
            self.0.play(state, action);
        }

        fn expand(&mut self, state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
            match self.0.0[*state] {
                Inner(..) => self.0.expand(state, out),
                // The end goes on for ever.
                End(_) => {
                    out.push((*state, 1.0));
                    true
                }
            }
        }

        fn evaluate(&mut self, _: &usize) -> Leaf {
            Leaf {
                value: Value::for_first(0.5),
                chance: None,
                winner: None,
            }
        }

        fn estimate(&mut self, state: &usize) -> Value {
            match self.0.0[*state] {
                Inner(..) => Value::for_first(0.5),
                End(value) => Value::for_first(value),
            }
        }
    }

    let rule = Rule {
        minimax: 0.9,
        exploration: 0.3,
        ..Rule::default()
    };
    let mut search = Search::new(Blind(Explicit(&NO_ALTERNATION)), settings(rule));
    let choice = search.decide(&0, Budget::Iterations(2000), &Stop::new());
    assert_eq!(choice.action, 2);
    assert_eq!(search.line()[..2], [2, 6]);
}

/// A game that never ends: any number can be doubled or doubled and increased.
struct Endless;

impl Model for Endless {
    type State = u64;
    type Action = bool;

    fn is_over(&self, _: &u64) -> bool {
        false
    }

    fn mover(&self, &state: &u64) -> Player {
        if state % 3 == 0 { First } else { Second }
    }

    fn play(&self, state: &mut u64, action: bool) {
        *state = state.wrapping_mul(2) + u64::from(action);
    }

    fn expand(&mut self, _: &u64, out: &mut Vec<(bool, f32)>) -> bool {
        out.extend([(false, 1.0), (true, 1.0)]);
        true
    }

    fn evaluate(&mut self, state: &u64) -> Leaf {
        Leaf {
            value: Value::for_first((state.wrapping_mul(0x9e37_79b9) >> 16 & 1) as f64),
            chance: None,
            winner: None,
        }
    }
}

#[test]
fn a_tree_keeps_to_its_nodes_and_goes_on() {
    for rule in rules() {
        let mut few = settings(rule);
        few.nodes = 1000;
        let mut search = Search::new(Endless, few);
        let mut root = 1;
        for _ in 0..5 {
            let choice = search.decide(&root, Budget::Iterations(5000), &Stop::new());
            assert_eq!(choice.iterations, 5000);
            // An iteration adds one node, after looking whether there is room.
            assert!(search.nodes() <= 1001, "{}", search.nodes());
            let visits: Vec<u32> = search.actions(&[]).map(|edge| edge.visits).collect();
            assert!(visits.iter().sum::<u32>() >= 5000, "{visits:?}");
            search.advance(choice.action);
            Endless.play(&mut root, choice.action);
        }
    }
}

#[test]
fn a_large_enough_tree_is_never_recycled() {
    let mut large = Search::new(Endless, Settings::default());
    let mut enough = Search::new(
        Endless,
        Settings {
            nodes: 5002,
            ..Settings::default()
        },
    );
    let budget = Budget::Iterations(5000);
    assert_eq!(
        large.decide(&1, budget, &Stop::new()),
        enough.decide(&1, budget, &Stop::new())
    );
    assert!(large.actions(&[]).eq(enough.actions(&[])));
}

/// Two ways to the same position: the numbers of a set in any order.
struct Sets;

impl Model for Sets {
    type State = u32;
    type Action = u32;

    fn is_over(&self, state: &u32) -> bool {
        state.count_ones() == 4
    }

    fn mover(&self, state: &u32) -> Player {
        if state.count_ones().is_multiple_of(3) {
            First
        } else {
            Second
        }
    }

    fn play(&self, state: &mut u32, action: u32) {
        *state |= 1 << action;
    }

    fn expand(&mut self, state: &u32, out: &mut Vec<(u32, f32)>) -> bool {
        out.extend((0..8).filter(|i| state >> i & 1 == 0).map(|i| (i, 1.0)));
        true
    }

    fn evaluate(&mut self, state: &u32) -> Leaf {
        Leaf {
            value: Value::for_first(f64::from(state.wrapping_mul(0x9e37_79b9) >> 28) / 15.0),
            chance: None,
            winner: None,
        }
    }

    fn key(&self, state: &u32) -> Option<u64> {
        Some((*state).into())
    }
}

#[test]
fn positions_reached_in_several_ways_are_one_node() {
    let budget = Budget::Iterations(20_000);
    for rule in rules() {
        for nodes in [100, 1 << 20] {
            let merged = Settings {
                rule,
                nodes,
                transpositions: true,
                ..Settings::default()
            };
            let mut search = Search::new(Sets, merged);
            let choice = search.decide(&0, budget, &Stop::new());
            // Sets of 0 to 4 of 8 numbers.
            assert!(search.nodes() <= 1 + 8 + 28 + 56 + 70, "{}", search.nodes());
            let line = search.line();
            let mut apart = Search::new(Sets, settings(rule));
            let alone = apart.decide(&0, budget, &Stop::new());
            if rule == Rule::default() {
                assert!(apart.nodes() > 500, "{}", apart.nodes());
            }
            if nodes > 1000 && rule.rave.is_none() {
                assert!((choice.value.unwrap_or(0.0) - alone.value.unwrap_or(1.0)).abs() < 0.05);
            }
            // What is kept can be searched on.
            let mut root = 0;
            for action in line.into_iter().take(2) {
                search.advance(action);
                Sets.play(&mut root, action);
                let choice = search.decide(&root, Budget::Iterations(100), &Stop::new());
                assert_eq!(choice.iterations, 100);
            }
        }
    }
}

/// A game in which the expansion leaves out the only action that wins.
struct Blinkered(Explicit);

impl Model for Blinkered {
    type State = usize;
    type Action = usize;

    fn is_over(&self, state: &usize) -> bool {
        self.0.is_over(state)
    }

    fn mover(&self, state: &usize) -> Player {
        self.0.mover(state)
    }

    fn play(&self, state: &mut usize, action: usize) {
        self.0.play(state, action);
    }

    fn expand(&mut self, state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        let complete = self.0.expand(state, out);
        let all = out.len();
        out.truncate(2);
        complete && out.len() == all
    }

    fn expand_more(&mut self, state: &usize, out: &mut Vec<(usize, f32)>) -> bool {
        self.0.expand(state, out)
    }

    fn evaluate(&mut self, state: &usize) -> Leaf {
        self.0.evaluate(state)
    }
}

#[test]
fn what_was_left_out_is_looked_at_when_all_else_loses() {
    static NODES: [Node; 5] = [
        Inner(First, &[1, 2, 3, 4]),
        End(0.0),
        End(0.0),
        End(1.0),
        End(0.0),
    ];
    static LOST: [Node; 4] = [Inner(First, &[1, 2, 3]), End(0.0), End(0.0), End(0.0)];
    for rule in rules() {
        let mut search = Search::new(Blinkered(Explicit(&NODES)), settings(rule));
        let choice = search.decide(&0, Budget::Iterations(2000), &Stop::new());
        assert_eq!((choice.action, choice.value), (3, Some(1.0)), "{rule:?}");
        assert_eq!(search.winner(), Some(First), "{rule:?}");
        let mut search = Search::new(Blinkered(Explicit(&LOST)), settings(rule));
        let choice = search.decide(&0, Budget::Iterations(2000), &Stop::new());
        assert_eq!(search.winner(), Some(Second), "{rule:?}");
        assert!(choice.iterations <= 100, "{rule:?}: {}", choice.iterations);
    }
}

#[test]
fn recycling_keeps_nearly_half() {
    let mut few = settings(Rule::default());
    few.nodes = 10_000;
    let mut search = Search::new(Endless, few);
    let _ = search.decide(&1, Budget::Iterations(9_990), &Stop::new());
    let before = search.nodes();
    let _ = search.decide(&1, Budget::Iterations(30), &Stop::new());
    let after = search.nodes();
    assert!(before > 9_900 && after < 5_100, "{before}, {after}");
    // Classes of visits are powers of two: at worst one just does not fit.
    assert!(after > 2_000, "{after}");
}
