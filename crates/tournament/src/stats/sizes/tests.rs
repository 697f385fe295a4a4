use patchwork_engine::record::Entry;

use super::*;
use crate::stats::Summary;
use crate::support::tournaments::{NAMES, PAIRINGS, names, tournament};

/// The quantile by definition: interpolated between neighbouring sorted values.
fn quantile(values: &[u64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let h = (sorted.len() - 1) as f64 * p;
    let below = sorted[h.floor() as usize] as f64;
    below + (sorted[h.ceil() as usize] as f64 - below) * h.fract()
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("a number");
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

fn is_of(spread: &SizeSpread, values: &[u64]) {
    assert_eq!(spread.count, values.len() as u64);
    assert_eq!(spread.min, values.iter().min().copied());
    assert_eq!(spread.max, values.iter().max().copied());
    for (found, p) in [
        (spread.p25, 0.25),
        (spread.p50, 0.5),
        (spread.p75, 0.75),
        (spread.p90, 0.9),
    ] {
        close(found, quantile(values, p));
    }
    close(
        spread.mean.value,
        values.iter().sum::<u64>() as f64 / values.len() as f64,
    );
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
    is_of(&size.branching, &legal);
    is_of(&size.length, &lengths);
    close(size.tree.value, tree);
    let (low, high) = size.tree.interval().expect("several pairs");
    assert!(low < tree && tree < high);
}

#[test]
fn sizes_are_those_of_the_sorted_values() {
    let entries = tournament(7);
    let sizes = Summary::new(&names(), &PAIRINGS, &entries).sizes;
    agrees(&sizes.pooled, observed(entries.iter(), |_, _| true));
    for row in &sizes.agents {
        let agent = NAMES.iter().position(|name| *name == row.agent);
        let agent = agent.expect("an agent") as u16;
        let own = || {
            let games = entries.iter();
            games.filter(|game| game.record.agents.contains(&agent))
        };
        let is_own = |game: &Entry, seat: usize| game.record.agents[seat] == agent;
        let (legal, lengths, tree) = observed(own(), is_own);
        for (i, &count) in row.branching_tens.iter().enumerate() {
            let inside = legal.iter().filter(|&&legal| legal / 10 == i as u64);
            assert_eq!(inside.count() as u64, count);
        }
        assert_eq!(row.branching_tens.iter().sum::<u64>(), legal.len() as u64);
        let shortest = lengths.iter().min().expect("games");
        for (length, &count) in (*shortest..).zip(&row.games_by_length) {
            let such = lengths.iter().filter(|&&other| other == length);
            assert_eq!(such.count() as u64, count);
        }
        assert_eq!(row.games_by_length.iter().sum::<u64>(), row.size.games);
        for (i, mean) in row.branching_by_ply.iter().enumerate() {
            let plies = own().filter_map(|game| {
                let ply = game.record.plies.get(i)?;
                is_own(game, ply.player.index()).then(|| f64::from(ply.legal))
            });
            let plies: Vec<f64> = plies.collect();
            let expected = plies.iter().sum::<f64>() / plies.len() as f64;
            assert_eq!(mean.is_none(), plies.is_empty());
            mean.iter().for_each(|mean| close(Some(*mean), expected));
        }
        agrees(&row.size, (legal, lengths, tree));
    }
    for (pairing, row) in sizes.pairings.iter().enumerate() {
        let games = entries.iter();
        let games = games.filter(|game| game.record.id.pairing as usize == pairing);
        agrees(&row.size, observed(games, |_, _| true));
    }
}

#[test]
fn pooled_numbers_are_those_of_the_other_sections() {
    let summary = Summary::new(&names(), &PAIRINGS, &tournament(5));
    let pooled = &summary.sizes.pooled;
    assert_eq!(pooled.branching.mean, summary.branching.all);
    assert_eq!(pooled.length.mean, summary.plies.all.both);
    assert_eq!(pooled.length.min, summary.plies.all.min);
    let order: Vec<&str> = summary.ratings.iter().map(|row| &*row.agent).collect();
    let rows: Vec<&str> = summary.sizes.agents.iter().map(|row| &*row.agent).collect();
    assert_eq!(rows, order);
}

#[test]
fn an_agent_against_itself_has_every_ply_once() {
    let mut entries = tournament(4);
    entries.retain(|game| game.record.id.pairing == 0);
    for game in &mut entries {
        game.record.agents = [0, 0];
    }
    let sizes = Summary::new(&names()[..1], &[(0, 0)], &entries).sizes;
    assert_eq!(sizes.agents[0].size, sizes.pooled);
    assert_eq!(sizes.pairings[0].size, sizes.pooled);
    assert_eq!(sizes.pooled.games, 8);
}

#[test]
fn agents_and_pairings_without_games_have_rows() {
    let sizes = Summary::new(&names(), &PAIRINGS, &[]).sizes;
    assert_eq!((sizes.agents.len(), sizes.pairings.len()), (3, 3));
    assert_eq!(sizes.pooled, GameSize::default());
    assert_eq!(sizes.pairings[2].size, GameSize::default());
    assert!(sizes.agents[0].branching_tens.is_empty());
    assert!(sizes.agents[0].games_by_length.is_empty());
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
    for size in sizes.pairings.iter().map(|row| &row.size) {
        assert_eq!(
            (size.games, size.length.min, size.length.max),
            (12, length, length)
        );
    }
    for size in sizes.agents.iter().map(|row| &row.size) {
        assert_eq!(
            (size.games, size.length.min, size.length.max),
            (24, length, length)
        );
    }
}
