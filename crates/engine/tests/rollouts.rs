//! Rollouts against a plain loop: options in a list, placements by the parts of the strategy, actions by the rules.

use patchwork_engine::agent::RolloutPlayer;
use patchwork_engine::board::{Quilt, ShapeId};
use patchwork_engine::game::{
    Action, LAST_SPACE, PatchId, Placement, Setup, State, Track, incomes_ahead,
};
use patchwork_engine::placement::{
    Alternatives, Available, Candidates, EVALUATIONS, POLICIES, Problem, Scratch, Strategy,
    Transforms,
};
use patchwork_engine::search::{Picker, PlayoutOption};
use patchwork_engine::util::rng::{Rng, below, stream};
use proptest::prelude::{Just, Strategy as Values, any, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use rand::RngExt as _;

/// A placement by the parts of the strategy.
fn best_of(strategy: &Strategy, problem: &Problem<'_>, rng: &mut Rng) -> Option<Placement> {
    let candidates = Candidates::all(problem.shape(), problem.quilt());
    if candidates.is_empty() {
        return None;
    }
    let evaluation = strategy.evaluation();
    if strategy.policy().is_exhaustive && evaluation.is_uniform {
        return Some(candidates.nth(below(candidates.len(), rng)));
    }
    let mut alternatives = Alternatives::default();
    strategy.generate(problem, &candidates, &mut alternatives);
    let placements = alternatives.as_slice();
    if let [only] = placements {
        return Some(*only);
    }
    let mut scores = vec![0; placements.len()];
    Some(placements[evaluation.best(problem, placements, rng, &mut scores)])
}

/// A placement by the settings of the player.
fn place(
    player: &RolloutPlayer,
    (setup, state): (&Setup, &State),
    shape: ShapeId,
    rng: &mut Rng,
) -> Option<Placement> {
    let is_late = |&(from, _): &(u8, Strategy)| state.space(state.mover()) >= from;
    let late = player.late.filter(is_late);
    let strategy = late.map_or(player.strategy, |(_, late)| late);
    let available = Available::in_game(setup, state, shape);
    let quilt = state.quilt(state.mover());
    let mut best = |quilt| best_of(&strategy, &Problem::new(quilt, shape, available), rng);
    if player.corner && state.bonus().is_none() {
        let outside = [7, 8].map(|i| Quilt::column(i).union(Quilt::row(i)));
        let inside = best(quilt.union(outside[0]).union(outside[1]));
        return inside.or_else(|| best(quilt));
    }
    best(quilt)
}

/// The paper's equation 1 above the gain of advancing.
fn worth(picker: Picker, patch: PatchId, space: u8) -> f32 {
    let printed = patch.patch();
    let points = 2 * printed.shape().size() as i32
        + incomes_ahead(space) as i32 * i32::from(printed.income)
        - i32::from(printed.button_cost);
    let time = printed.time_cost.min(LAST_SPACE - space);
    // Every time divides 60.
    picker.worth((60 * points / i32::from(time) - 60) as f32, 60.0)
}

fn decide(
    player: &RolloutPlayer,
    picker: Picker,
    (setup, state): (&Setup, &State),
    rng: &mut Rng,
) -> Action {
    let position = (setup, state);
    if state.specials_waiting() > 0 {
        let placement = place(player, position, ShapeId::SINGLE, rng).expect("a free square");
        return Action::Special(placement.anchor());
    }
    let mut patches: Vec<PatchId> = state.affordable(setup).collect();
    let at_random = (picker.at_random).is_some_and(|chance| rng.random_bool(chance));
    // A patch that does not fit is removed and another one is picked.
    loop {
        let worth = |patch: &PatchId| worth(picker, *patch, state.space(state.mover()));
        let worths = patches.iter().map(worth).chain([picker.no_gain()]);
        let options: Vec<_> = worths
            .map(|worth| PlayoutOption { kind: 0, worth })
            .collect();
        let picked = match at_random {
            true => below(options.len() as u32, rng) as usize,
            false => picker.draw(&options, || rng.random()),
        };
        let Some(&patch) = patches.get(picked) else {
            return Action::Advance;
        };
        if let Some(placement) = place(player, position, patch.patch().shape, rng) {
            return Action::Buy(patch, placement);
        }
        patches.remove(picked);
    }
}

fn strategies() -> impl Values<Value = Strategy> {
    let any = (0..POLICIES.len(), 0..EVALUATIONS.len(), any::<bool>());
    let any = any.prop_map(|(policy, evaluation, each)| {
        let transforms = Transforms::ALL[usize::from(each)];
        Strategy::new(POLICIES[policy], transforms, EVALUATIONS[evaluation])
    });
    let direct = select(vec!["in-order/some/first", "all/every/random"]);
    prop_oneof![any, direct.prop_map(|text| text.parse().expect("known"))]
}

proptest! {
    #[test]
    fn rollouts_are_those_of_the_plain_loop(
        seed in any::<u64>(),
        track in select(Track::ALL.to_vec()),
        picker in prop_oneof![
            Just(Picker::GREEDY),
            select(vec![0.0, 0.1, 0.5, 1.0]).prop_map(Picker::epsilon_greedy),
            select(vec![1.0, 5.0]).prop_map(Picker::softmax),
        ],
        corner in any::<bool>(),
        strategy in strategies(),
        late in proptest::option::of((1_u8..LAST_SPACE, strategies())),
    ) {
        let mut player = RolloutPlayer::new(picker, strategy);
        (player.corner, player.late) = (corner, late);
        let setup = Setup::random(track, &mut stream(&[seed]));
        let mut scratch = Scratch::default();
        // Equal generators have drawn the same numbers.
        let mut rngs = [0; 3].map(|_| stream(&[seed, 1]));
        let [plainly, by_plies, at_once] = &mut rngs;
        let mut state = State::new(&setup);
        let end = player.play_out(&setup, state, at_once, &mut scratch);
        while !state.is_over() {
            let action = decide(&player, picker, (&setup, &state), plainly);
            prop_assert_eq!(player.action(&setup, &state, by_plies, &mut scratch), action);
            state = state.try_play(&setup, action).expect("a legal action");
        }
        prop_assert_eq!(end, state);
        prop_assert_eq!(&rngs[0], &rngs[1]);
        prop_assert_eq!(&rngs[0], &rngs[2]);
    }
}
