use patchwork_engine::record::{GameId, Thought, TreeFacts};

use super::*;
use crate::support::tournaments::{game, names, tournament};

fn fold(entries: &[Entry]) -> Thinking {
    let mut fold = ThinkingFold::default();
    entries.iter().for_each(|entry| fold.add(entry));
    // The first two agents are about equal.
    fold.finish(&names(), &[0, 1, 2], |a, b| a.max(b) < 2)
}

#[test]
fn equals_are_counted_by_themselves() {
    let entries = thoughtful(4, |won, i| {
        Some((0.3 + 0.001 * i as f32) + 0.4 * f32::from(u8::from(won)))
    });
    let all = fold(&entries);
    let between: Vec<Entry> = entries
        .iter()
        .filter(|entry| entry.record.agents.into_iter().max() < Some(2))
        .cloned()
        .collect();
    assert_eq!(between.len(), 8);
    let equals = fold(&between);
    assert!(all.calibration_equals.is_some() && equals.calibration != all.calibration);
    assert_eq!(all.calibration_equals, equals.calibration);
    for agent in 0..2 {
        assert_eq!(
            all.agents[agent].calibration_equals,
            equals.agents[agent].calibration
        );
    }
    assert_eq!(all.agents[2].calibration_equals, None);
    assert!(all.agents[2].calibration.is_some());
}

/// The random tournament with thoughts: each player's expectation is `expect` of whether it wins and of the
/// ply.
fn thoughtful(pairs: u32, expect: impl Fn(bool, usize) -> Option<f32>) -> Vec<Entry> {
    let mut entries = tournament(pairs);
    for entry in &mut entries {
        let winner = entry.record.winner;
        for (i, ply) in entry.record.plies.iter_mut().enumerate() {
            ply.thought.value = expect(ply.player == winner, i);
        }
    }
    entries
}

#[test]
fn an_agent_that_knows_has_no_error_and_one_that_shrugs_has_a_quarter() {
    let knows = fold(&thoughtful(3, |won, _| Some(f32::from(u8::from(won)))));
    let knows = knows.calibration.expect("expectations");
    assert_eq!((knows.brier, knows.expected_error), (0.0, 0.0));
    assert_eq!(
        (knows.bins[0].won.value, knows.bins[9].won.value),
        (Some(0.0), Some(1.0))
    );
    assert_eq!(knows.bins[4].won.value, None);

    let shrugs = fold(&thoughtful(3, |_, _| Some(0.5)));
    let shrugs = shrugs.calibration.expect("expectations");
    assert_eq!(shrugs.brier, 0.25);
    assert_eq!(shrugs.bins[5].games, 18);
    assert_eq!(shrugs.games, 18);
    let bin = shrugs.bins[5];
    let close = (bin.won.value.expect("plies") - 0.5).abs();
    assert!((shrugs.expected_error - close).abs() < 1e-12);
}

#[test]
fn the_decisions_of_a_game_do_not_make_an_interval_narrower() {
    // Every decision of a game has the same expectation, so 1 decision per game carries as much information
    // as 40.
    let once = fold(&thoughtful(40, |_, i| (i == 0).then_some(0.55)));
    let often = fold(&thoughtful(40, |_, i| (i < 8).then_some(0.55)));
    let width = |thinking: &Thinking, agent: usize| {
        let bin = thinking.agents[agent]
            .calibration
            .as_ref()
            .expect("told")
            .bins[5];
        let (low, high) = bin.won.interval().expect("many");
        (high - low, bin.games)
    };
    let (one, games_one) = width(&once, 2);
    let (many, games_many) = width(&often, 2);
    // Only games in which the agent moves first have a first ply of its own.
    assert!((79..=81).contains(&games_one) && games_many == 160);
    let by_games = one / (games_many as f64 / games_one as f64).sqrt();
    assert!((many / by_games - 1.0).abs() < 0.1, "{many} {by_games}");
}

#[test]
fn the_order_of_games_does_not_matter() {
    let mut entries = thoughtful(5, |won, i| {
        Some((i as f32 / 90.0).max(f32::from(u8::from(won)) / 3.0))
    });
    let there = fold(&entries);
    entries.reverse();
    assert_eq!(fold(&entries), there);
    entries.rotate_left(7);
    assert_eq!(fold(&entries), there);
}

#[test]
fn trees_times_and_proofs_are_counted() {
    let mut entry = game(GameId::default(), [0, 1]);
    let winner = entry.record.winner;
    let of =
        |player: patchwork_engine::game::Player| usize::from(entry.record.agents[player.index()]);
    let (won, lost) = (of(winner), of(winner.other()));
    for (i, ply) in entry.record.plies.iter_mut().enumerate() {
        ply.thought = Thought {
            iterations: 100,
            value: None,
            proven: Some(true),
            tree: Some(TreeFacts {
                nodes: 10,
                mean_depth: 2.5,
                max_depth: i as u16,
                entropy: 0.75,
            }),
        };
        entry.nanos[i] = 2_000_000;
    }
    let thinking = fold(&[entry.clone()]);
    let row = &thinking.agents[won];
    let tree = row.tree.expect("a tree");
    assert_eq!(
        (tree.mean_depth, tree.entropy, tree.mean_nodes),
        (2.5, 0.75, 10.0)
    );
    assert_eq!(row.broken_proofs, 0);
    assert_eq!(
        thinking.agents[lost].broken_proofs,
        thinking.agents[lost].plies
    );
    let deepest = thinking
        .agents
        .iter()
        .filter_map(|row| row.tree)
        .map(|tree| tree.max_depth);
    assert_eq!(deepest.max(), Some(entry.record.plies.len() as u16 - 1));
    assert_eq!(row.iterations_per_move, Some(100.0));
    assert_eq!(row.iterations_per_s, Some(50_000.0));
    assert_eq!(row.solved, Some(1.0));
    let forced = entry
        .record
        .plies
        .iter()
        .filter(|ply| ply.legal == 1)
        .count() as u64;
    let plies: u64 = thinking.agents.iter().map(|row| row.plies).sum();
    assert_eq!(plies, entry.record.plies.len() as u64);
    let time = row.time.expect("choices");
    assert_eq!(time.mean, 0.002);
    assert!((time.p50 - 0.002).abs() <= 2e-6 && time.max == 0.002);
    let moves: u64 = thinking
        .agents
        .iter()
        .filter_map(|row| row.time)
        .map(|t| t.moves)
        .sum();
    assert_eq!(moves, plies - forced);
}

#[test]
fn numbers_that_are_none_are_passed_over() {
    let mut entry = game(GameId::default(), [0, 0]);
    let odd = [f32::NAN, f32::INFINITY, -1.0, 2.0];
    for (ply, odd) in entry.record.plies.iter_mut().zip(odd.into_iter().cycle()) {
        ply.thought.value = Some(odd);
        ply.thought.tree = Some(TreeFacts {
            mean_depth: -odd,
            ..TreeFacts::default()
        });
    }
    entry.nanos.clear();
    let thinking = fold(&[entry]);
    assert_eq!(thinking.calibration, None);
    assert_eq!(thinking.agents[0].time, None);
    assert_eq!(thinking.agents[2].forced, None);
    let text = format!("{thinking:?}");
    assert!(!text.contains("NaN"), "{text}");
}
