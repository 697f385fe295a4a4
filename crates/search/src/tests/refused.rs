//! What a search refuses, since it would otherwise find what is not true, or never end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::games::*;

/// A game that gives a search what it is told to.
#[derive(Clone)]
struct Odd {
    /// Number of actions in position 0; the others have two.
    actions: u32,
    prior: f32,
    value: f64,
    /// A position is the number of moves, counted up to here and then from 0 again.
    most: u32,
}

const SOUND: Odd = Odd {
    actions: 2,
    prior: 1.0,
    value: 0.5,
    most: u32::MAX,
};

impl GameRules for Odd {
    type Position = u32;
    type Action = u32;

    fn is_over(&self, _: &u32) -> bool {
        false
    }

    fn mover(&self, position: &u32) -> Side {
        [First, Second][(position % 2) as usize]
    }

    fn play(&self, position: &mut u32, _: u32) {
        *position = (*position + 1) % self.most;
    }

    fn key(&self, position: &u32) -> Option<u64> {
        Some((*position).into())
    }
}

impl Guidance for Odd {
    fn expand(&mut self, position: &u32, out: &mut Vec<(u32, f32)>) -> bool {
        let actions = if *position == 0 { self.actions } else { 2 };
        out.extend((0..actions).map(|action| (action, self.prior)));
        true
    }

    fn evaluate(&mut self, _: &u32) -> Leaf {
        Leaf::estimate(Value::for_first(self.value))
    }
}

/// The sentence with which this ends.
fn sentence<R>(run: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).map(|_| ());
    let panic = panic.expect_err("it is refused");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => (*other.downcast::<&str>().expect("a text")).to_owned(),
    }
}

/// Searches a game for some iterations.
fn search(game: Odd, settings: Settings) -> Search<Odd> {
    decide(game, settings, 0, 200).0
}

#[test]
fn a_position_has_from_1_to_65_535_actions() {
    let with = |actions| Odd { actions, ..SOUND };
    let found = search(with(65_535), Settings::default());
    assert_eq!(found.candidates(&[]).len(), 65_535);
    assert_eq!(found.winner(), None);
    for actions in [65_536, 65_537, 200_000] {
        let text = sentence(|| search(with(actions), Settings::default()));
        let expected = format!("a position has at most 65,535 actions, found {actions}");
        assert_eq!(text, expected);
        let batched = BatchedSearch::new(with(actions), puct(), 0);
        let text = sentence(|| batched.expect("searchable").ask(1));
        assert!(text.contains("65,535"), "{text}");
    }
    let text = sentence(|| search(with(0), Settings::default()));
    assert!(text.contains("to pass is one"), "{text}");
}

#[test]
fn values_are_numbers_from_0_to_1() {
    for value in [f64::NAN, -0.1, 1.0 + f64::EPSILON, f64::INFINITY] {
        let text = sentence(|| search(Odd { value, ..SOUND }, Settings::default()));
        assert_eq!(text, "a value is from 0 to 1", "{value}");
        assert!(sentence(|| Value::for_side(Second, value)).contains("from 0 to 1"));
        let half = Value::for_first(0.5);
        assert!(sentence(|| half.mixed(half, value)).contains("from 0 to 1"));
    }
    for value in [0.0, -0.0, 1.0] {
        search(Odd { value, ..SOUND }, Settings::default());
    }
}

#[test]
fn priors_are_finite_and_not_negative() {
    for prior in [f32::NAN, f32::INFINITY, -1.0, f32::MAX] {
        let text = sentence(|| search(Odd { prior, ..SOUND }, puct()));
        assert_eq!(text, "a prior is a finite number, at least 0", "{prior}");
        let mut search = BatchedSearch::new(SOUND, puct(), 0).expect("searchable");
        search.ask(1);
        let answer = || search.answer(Value::for_first(0.5), [prior, prior]);
        assert!(sentence(answer).contains("prior"));
    }
    // Without a preference, all actions are equal.
    let prior = 0.0;
    let priors = search(Odd { prior, ..SOUND }, puct()).candidates(&[]);
    assert!(priors.iter().all(|one| one.prior == 0.5));
}

#[test]
fn settings_have_ranges_and_do_not_contradict_each_other() {
    let plain = Settings::default();
    let halving = || part("halving", &[]);
    let cold = part("temperature", &[("temperature", 0.0)]);
    let wide = |base, power| with!(widening: Some(Widening { base, power }));
    let refused = [
        with!(exploration: f32::NAN),
        with!(first_play: Some(1.5)),
        with!(minimax: -0.5),
        with!(confidence: f32::INFINITY),
        with!(batch: 0),
        with!(nodes: 0),
        with!(nodes: u32::MAX),
        wide(0.0, 0.5),
        wide(1.0, f32::NAN),
        with!(allocation: halving()),
        with!(allocation: halving(), choice: cold),
        with!(allocation: halving(), choice: part("value", &[]), batch: 2),
        with!(allocation: part("noise", &[])),
        with!(batch: 2, transpositions: true),
        with!(select: part("ucb1-rave", &[])),
    ];
    let expected = "\
exploration: expected a number from 0 to 1000, found NaN
first_play: expected a number from -1 to 1, found 1.5
minimax: expected a number from 0 to 1, found -0.5
confidence: expected a number from 0.1 to 10, found inf
batch: expected a number from 1 to 1024, found 0
nodes: expected a number from 1 to 67108864, found 0
nodes: expected a number from 1 to 67108864, found 4294967295
widening.base: expected a number from 0.001 to 1000000, found 0
widening.power: expected a number from 0 to 1, found NaN
allocation: requires another choice than by visits: the actions of the last round have equally many
allocation: requires another choice than by visits: the actions of the last round have equally many
allocation: cannot be combined with batch or widening
allocation: requires a selection rule with priors, such as puct
batch: cannot be combined with transpositions or a rule that learns, such as RAVE
select: a rule that learns from moves requires `Guidance::moves`";
    assert_eq!(expected.lines().count(), refused.len());
    for (settings, expected) in refused.into_iter().zip(expected.lines()) {
        let error = Search::new(SOUND, settings).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        let mut batched = BatchedSearch::new(SOUND, plain, 0).expect("searchable");
        let error = batched.go_on(&[], settings, |_| ()).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        assert_eq!(batched.ask(1), Some(0), "nothing has changed");
        let error = Search::parallel([SOUND, SOUND], settings).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
    for threads in [0, 257] {
        let error = Search::parallel(vec![SOUND; threads], plain).expect_err("too many or few");
        let expected = format!("expected from 1 to 256 threads, found {threads}");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn what_a_setting_requires_of_a_game_is_said() {
    let noise = with!(puct() => allocation: part("noise", &[]));
    for (settings, method) in [(with!(minimax: 0.5), "estimate"), (noise, "seed")] {
        let text = sentence(|| search(SOUND, settings));
        assert!(text.contains(&format!("`Guidance::{method}`")), "{text}");
    }
}

#[test]
fn a_search_decides_in_the_position_of_its_root() {
    let mut search = Search::new(SOUND, Settings::default()).expect("searchable");
    search.advance(0);
    search.decide(&5, &iterations(20));
    search.advance(1);
    let text = sentence(|| search.decide(&5, &iterations(20)));
    assert!(text.contains("not the root"), "{text}");
    search.decide(&6, &iterations(20));
    // Also where the tree does not go.
    search.advance(7);
    assert!(sentence(|| search.decide(&6, &iterations(20))).contains("not the root"));
    search.decide(&7, &iterations(20));
    search.restart(|_| ());
    search.decide(&0, &iterations(20));
}

#[test]
fn transpositions_need_a_game_without_repetitions() {
    for most in [1, 2, 50] {
        let game = Odd { most, ..SOUND };
        search(game.clone(), Settings::default());
        let settings = with!(transpositions: true);
        let text = sentence(|| search(game, settings));
        assert!(text.contains("repeats a position"), "{most}: {text}");
    }
    search(SOUND, with!(transpositions: true));
}

#[test]
fn a_search_waits_for_at_most_4096_answers() {
    let wide = Odd {
        actions: 65_535,
        ..SOUND
    };
    let mut search = BatchedSearch::new(wide, Settings::default(), 0).expect("searchable");
    search.ask(u32::MAX).expect("the root");
    search.answer(Value::for_first(0.5), []);
    let asked = std::iter::from_fn(|| search.ask(u32::MAX)).count();
    assert_eq!(asked, 4096);
    for _ in 0..asked {
        search.answer(Value::for_first(0.5), []);
    }
    let candidates = search.tree().candidates(&[]);
    assert!(candidates[..asked].iter().all(|one| one.visits == 1));
    assert!(search.ask(u32::MAX).is_some());
}

#[test]
fn parts_that_programs_add_follow_what_there_is() {
    // An action that does not exist.
    let rule = SelectionRule {
        select: |_| Some(2),
        ..*SelectionRule::named("ucb1").expect("known")
    };
    let far = with!(select: Selected::new(Box::leak(Box::new(rule))));
    let text = sentence(|| search(SOUND, far));
    assert!(text.contains("the next one"), "{text}");
}

#[test]
fn keys_of_parts_come_in_by_one_door() {
    let lcb: Selected<FinalChoice> = part("lcb", &[]);
    for (key, value, expected) in [
        ("y", 1.0, "unknown key `y`, expected `by` or `z` or `share`"),
        (
            "z",
            f64::NAN,
            "z: expected a number from 0 to 100, found NaN",
        ),
        (
            "share",
            1.5,
            "share: expected a number from 0 to 1, found 1.5",
        ),
    ] {
        let error = lcb.with(key, value).expect_err("it is refused");
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(lcb.with("z", 2.0), Selected::of("lcb", &[("z", 2.0)]));
}
