use super::*;
use crate::stats::Summary;
use patchwork_test_support::tournaments::{PAIRINGS, names, tournament};

/// The sizes of all games, of the agents and of the pairings.
fn parts(sizes: &[GameSize]) -> [Vec<&GameSize>; 3] {
    let kinds = [GameSizeOf::All, GameSizeOf::Agent, GameSizeOf::Pairing];
    kinds.map(|by| sizes.iter().filter(|size| size.by == by).collect())
}

#[test]
fn the_size_of_all_games_is_that_of_their_plies() {
    let summary = Summary::new(&names(), &PAIRINGS, &tournament(5));
    let [all, agents, _] = parts(&summary.sizes);
    assert_eq!(all[0].legal, summary.branching[0].legal);
    let bins = summary.lengths.iter().filter(|bin| bin.agent.is_empty());
    let lengths = bins.filter(|bin| bin.plies > 0).map(|bin| bin.length);
    assert_eq!(
        (all[0].plies_min, all[0].plies_max),
        (lengths.clone().min(), lengths.max())
    );
    let order: Vec<&str> = summary.ratings.iter().map(|row| &*row.agent).collect();
    let rows: Vec<&str> = agents.iter().map(|row| &*row.a).collect();
    assert_eq!(rows, order);
}

/// Without the names.
fn unnamed(size: &GameSize) -> GameSize {
    GameSize {
        by: GameSizeOf::All,
        a: String::new(),
        b: String::new(),
        ..size.clone()
    }
}

#[test]
fn an_agent_against_itself_has_every_ply_once() {
    let mut entries = tournament(4);
    entries.retain(|game| game.record.id.pairing == 0);
    for game in &mut entries {
        game.record.agents = [0, 0];
    }
    let sizes = Summary::new(&names()[..1], &[(0, 0)], &entries).sizes;
    let [all, agents, pairings] = parts(&sizes);
    assert_eq!(unnamed(agents[0]), *all[0]);
    assert_eq!(unnamed(pairings[0]), *all[0]);
    assert_eq!(all[0].games, 8);
}

#[test]
fn agents_and_pairings_without_games_have_rows() {
    let summary = Summary::new(&names(), &PAIRINGS, &[]);
    let [all, agents, pairings] = parts(&summary.sizes);
    assert_eq!((agents.len(), pairings.len()), (3, 3));
    for size in [all[0], agents[0], pairings[2]] {
        assert_eq!(
            (size.games, size.legal.value, size.plies_sd),
            (0, None, None)
        );
    }
    assert!(summary.lengths.is_empty() && summary.branching_of_agents.is_empty());
}

#[test]
fn rows_do_not_depend_on_the_order_of_games_or_on_shared_rings() {
    let mut entries = tournament(6);
    let sizes = Summary::new(&names(), &PAIRINGS, &entries).sizes;
    let first = entries[0].clone();
    entries.reverse();
    assert_eq!(Summary::new(&names(), &PAIRINGS, &entries).sizes, sizes);
    // All pairs on one ring.
    for game in &mut entries {
        let (id, agents) = (game.record.id, game.record.agents);
        game.record = first.record.clone();
        (game.record.id, game.record.agents) = (id, agents);
    }
    let sizes = Summary::new(&names(), &PAIRINGS, &entries).sizes;
    let length = Some(first.record.plies.len() as u64);
    let [_, agents, pairings] = parts(&sizes);
    for (rows, games) in [(agents, 24), (pairings, 12)] {
        for size in rows {
            let found = (size.games, size.plies_min, size.plies_max);
            assert_eq!(found, (games, length, length));
        }
    }
}
