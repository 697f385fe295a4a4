use patchwork_engine::record::Entry;

use super::*;
use crate::stats::Summary;
use patchwork_test_support::tournaments::{NAMES, PAIRINGS, names, tournament};

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("a number");
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

/// The mean and the standard deviation by definition.
fn is_of((mean, sd): (Estimate, Option<f64>), values: &[u64]) {
    let count = values.len() as f64;
    let expected = values.iter().sum::<u64>() as f64 / count;
    close(mean.value, expected);
    let squares = values
        .iter()
        .map(|&value| (value as f64 - expected).powi(2));
    close(sd, (squares.sum::<f64>() / (count - 1.0)).sqrt());
}

/// The plies of these games that count, the lengths, and the logarithms of the tree sizes.
fn observed<'a>(
    games: impl Iterator<Item = &'a Entry>,
    counts: impl Fn(&Entry, usize) -> bool,
) -> (Vec<u64>, Vec<u64>, f64) {
    let (mut legal, mut lengths, mut tree, mut count) = (Vec::new(), Vec::new(), 0.0, 0.0);
    for game in games {
        let plies = &game.record.plies;
        for ply in plies {
            if counts(game, ply.player.index()) {
                legal.push(ply.legal.into());
            }
            tree += f64::from(ply.legal).log10();
        }
        lengths.push(plies.len() as u64);
        count += 1.0;
    }
    (legal, lengths, tree / count)
}

fn agrees(size: &GameSize, (legal, lengths, tree): (Vec<u64>, Vec<u64>, f64)) {
    assert_eq!(size.games, lengths.len() as u64);
    is_of((size.legal, size.legal_sd), &legal);
    is_of((size.plies, size.plies_sd), &lengths);
    assert_eq!(size.plies_min, lengths.iter().min().copied());
    assert_eq!(size.plies_max, lengths.iter().max().copied());
    close(size.tree.value, tree);
    let (low, high) = size.tree.interval().expect("several pairs");
    assert!(low < tree && tree < high);
}

/// The sizes of all games, of the agents and of the pairings.
fn parts(sizes: &[GameSize]) -> [Vec<&GameSize>; 3] {
    let kinds = [GameSizeOf::All, GameSizeOf::Agent, GameSizeOf::Pairing];
    kinds.map(|by| sizes.iter().filter(|size| size.by == by).collect())
}

#[test]
fn sizes_are_those_of_the_values() {
    let entries = tournament(7);
    let summary = Summary::new(&names(), &PAIRINGS, &entries);
    let [all, agents, pairings] = parts(&summary.sizes);
    assert_eq!((all.len(), agents.len(), pairings.len()), (1, 3, 3));
    agrees(all[0], observed(entries.iter(), |_, _| true));
    for row in agents {
        let agent = NAMES.iter().position(|name| *name == row.a);
        let agent = agent.expect("an agent") as u16;
        let own = || {
            let games = entries.iter();
            games.filter(|game| game.record.agents.contains(&agent))
        };
        let is_own = |game: &Entry, seat: usize| game.record.agents[seat] == agent;
        let (legal, lengths, tree) = observed(own(), is_own);
        let bins = summary.lengths.iter().filter(|bin| bin.agent == row.a);
        for bin in bins.clone() {
            let such = lengths.iter().filter(|&&length| length == bin.length);
            assert_eq!(such.count() as u64, bin.plies);
        }
        assert_eq!(bins.map(|bin| bin.plies).sum::<u64>(), row.games);
        let by_ply = summary.branching_of_agents.iter();
        let by_ply: Vec<&PlyClass> = by_ply.filter(|class| class.agent == row.a).collect();
        assert_eq!(
            by_ply.iter().map(|class| class.plies).sum::<u64>(),
            legal.len() as u64
        );
        for class in by_ply {
            let ply: usize = class.value.parse().expect("a number");
            let plies = own().filter_map(|game| {
                let found = game.record.plies.get(ply - 1)?;
                is_own(game, found.player.index()).then_some((found.player, found.legal))
            });
            let plies: Vec<(Player, u16)> = plies.collect();
            let count = |is: fn(&(Player, u16)) -> bool| plies.iter().filter(|ply| is(ply)).count();
            let mean = plies.iter().map(|ply| f64::from(ply.1)).sum::<f64>() / plies.len() as f64;
            close(class.legal.value, mean);
            let forced = count(|ply| ply.1 == 1) as f64 / plies.len() as f64;
            close(class.forced.value, forced);
            assert_eq!(class.first, count(|ply| ply.0 == Player::First) as u64);
            assert_eq!(class.first + class.second, plies.len() as u64);
        }
        agrees(row, (legal, lengths, tree));
    }
    for (pairing, row) in pairings.into_iter().enumerate() {
        let games = entries.iter();
        let games = games.filter(|game| game.record.id.pairing as usize == pairing);
        agrees(row, observed(games, |_, _| true));
    }
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
