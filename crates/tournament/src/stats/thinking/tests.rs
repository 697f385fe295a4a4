use patchwork_engine::record::{GameId, Thought, TreeFacts};

use super::*;
use patchwork_test_support::tournaments::{game, names, tournament};

fn fold(entries: &[Entry]) -> Vec<AgentThinking> {
    let mut fold = ThinkingFold::default();
    entries.iter().for_each(|entry| fold.add(entry));
    fold.finish(&names(), &[0, 1, 2])
}

#[test]
fn the_order_of_games_does_not_matter() {
    let mut entries = tournament(5);
    for entry in &mut entries {
        for (i, ply) in entry.record.plies.iter_mut().enumerate() {
            ply.thought.tree = Some(TreeFacts {
                mean_depth: i as f32 / 90.0,
                ..TreeFacts::default()
            });
        }
    }
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
    let row = &thinking[won];
    let tree = row.tree.expect("a tree");
    assert_eq!(
        (tree.mean_depth, tree.entropy, tree.mean_nodes),
        (2.5, 0.75, 10.0)
    );
    assert_eq!(row.broken_proofs, 0);
    assert_eq!(thinking[lost].broken_proofs, thinking[lost].plies);
    let deepest = thinking
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
    let plies: u64 = thinking.iter().map(|row| row.plies).sum();
    assert_eq!(plies, entry.record.plies.len() as u64);
    let time = row.time.expect("choices");
    assert_eq!(time.mean, 0.002);
    assert!((time.p50 - 0.002).abs() <= 2e-6 && time.max == 0.002);
    let moves: u64 = thinking
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
        ply.thought.tree = Some(TreeFacts {
            mean_depth: -odd,
            ..TreeFacts::default()
        });
    }
    entry.nanos.clear();
    let thinking = fold(&[entry]);
    assert_eq!(thinking[0].time, None);
    assert_eq!(thinking[2].forced, None);
    let text = format!("{thinking:?}");
    assert!(!text.contains("NaN"), "{text}");
}
