use patchwork_engine::record::GameId;
use patchwork_rating::{Clusters, Estimate};

use super::*;
use crate::stats::PlyClassOf;
use patchwork_test_support::tournaments::{PAIRINGS, game, names, tournament};

#[test]
fn sums_add_up() {
    let entries = tournament(20);
    let summary = Summary::new(&names(), &PAIRINGS, &entries);
    assert_eq!(summary.games, 120);
    assert_eq!(
        summary.ratings.iter().map(|row| row.games).sum::<u64>(),
        240
    );
    assert_eq!(summary.ratings.iter().map(|row| row.wins).sum::<u64>(), 120);
    assert!(
        summary
            .ratings
            .iter()
            .filter_map(|row| row.elo.value)
            .sum::<f64>()
            .abs()
            < 1e-6
    );
    assert!(
        summary
            .ratings
            .is_sorted_by(|a, b| a.elo.value >= b.elo.value)
    );
    assert!(summary.connected && !summary.prior_used);
    for pairing in &summary.pairings {
        assert_eq!(pairing.games, 40);
        assert_eq!(pairing.a_wins + pairing.b_wins, 40);
    }
    let row = |name: &str| summary.ratings.iter().find(|row| row.agent == name);
    let wins_of = |agent: &str| {
        let pairings = summary.pairings.iter();
        let won = pairings.map(|row| match agent {
            name if name == row.a => row.a_wins,
            name if name == row.b => row.b_wins,
            _ => 0,
        });
        won.sum::<u64>()
    };
    let random = row("random").expect("an agent");
    assert_eq!(wins_of("random"), random.wins);
    let searcher = row("greedy").expect("an agent");
    assert_eq!(searcher.iterations_per_s, Some(20_000.0));
    assert_eq!(searcher.seconds_per_move, Some(0.05));
    assert_eq!(random.iterations_per_s, None);

    let first = &summary.first_player;
    let first_wins: u64 = summary.pairings.iter().map(|p| p.first_wins).sum();
    assert_eq!(first.win_rate.value, Some(first_wins as f64 / 120.0));

    let plies: usize = entries.iter().map(|e| e.record.plies.len()).sum();
    let size = &summary.sizes[0];
    let close = |a: Option<f64>, b: f64| (a.expect("a number") - b).abs() < 1e-9;
    assert!(close(size.plies.value, plies as f64 / 120.0));
    let classes = |by| summary.branching.iter().filter(move |class| class.by == by);
    for by in [
        PlyClassOf::All,
        PlyClassOf::Phase,
        PlyClassOf::Kind,
        PlyClassOf::Ply,
    ] {
        assert_eq!(
            classes(by).map(|class| class.plies).sum::<u64>(),
            plies as u64
        );
        assert!(classes(by).all(|class| class.first + class.second == class.plies));
        let legal = classes(by).map(|class| class.legal.value.expect("games") * class.plies as f64);
        assert!(close(size.legal.value, legal.sum::<f64>() / plies as f64));
    }
    assert_eq!(
        classes(PlyClassOf::Ply).next().map(|ply| ply.plies),
        Some(120)
    );
    let scores = &summary.scores;
    let points = |role: usize| scores.composition[role].points.expect("games");
    assert!(close(scores.margin, points(2) - points(3)));
    assert!(close(scores.mean, (points(0) + points(1)) / 2.0));
}

#[test]
fn the_order_of_games_does_not_matter() {
    let mut entries = tournament(7);
    let summary = Summary::new(&names(), &PAIRINGS, &entries);
    entries.reverse();
    assert_eq!(Summary::new(&names(), &PAIRINGS, &entries), summary);
    entries.rotate_left(11);
    assert_eq!(Summary::new(&names(), &PAIRINGS, &entries), summary);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let entries = tournament(9);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        let summary = pool.install(|| Summary::new(&names(), &PAIRINGS, &entries));
        serde_json::to_string(&summary).expect("plain data")
    };
    assert_eq!(with(1), with(5));
}

/// On common rings, all games on a ring are one observation: repeating the games as those of another pairing
/// adds no information about the game.
#[test]
fn a_ring_that_is_played_again_is_no_new_observation() {
    let once = tournament(20)[..40].to_vec();
    let again = once.iter().cloned().map(|mut entry| {
        entry.record.id.pairing = 2;
        entry
    });
    let twice: Vec<Entry> = once.iter().cloned().chain(again).collect();
    let [one, two] = [&once, &twice].map(|games| Summary::new(&names(), &PAIRINGS, games));
    assert_eq!(
        (two.rings.rings, two.rings.pairs, two.rings.repeated),
        (20, 40, 20)
    );
    let half = |estimate: Estimate| estimate.interval().map(|(low, high)| high - low);
    let same = |one: Option<f64>, two: Option<f64>| {
        let (one, two) = one.zip(two).expect("intervals");
        (one - two).abs() < 1e-9 * one.abs()
    };
    let means = |summary: &Summary| {
        let mut plies = summary.branching.iter();
        let tenth = plies.find(|class| class.value == "10").expect("a ply");
        [
            half(tenth.legal),
            half(summary.sizes[0].legal),
            half(summary.sizes[0].plies),
            half(summary.first_player.margin),
        ]
    };
    for (one, two) in means(&one).into_iter().zip(means(&two)) {
        assert!(same(one, two), "{one:?} {two:?}");
    }
    let share = |first: &FirstPlayer| half(first.win_rate).expect("an interval");
    let (one, two) = (share(&one.first_player), share(&two.first_player));
    assert!(two > 0.9 * one, "{one} {two}");
}

/// Copies of a deterministic agent play the same game on a ring: more copies add no information about the
/// seat.
#[test]
fn copies_of_an_agent_on_common_rings_tell_no_more_of_the_seat() {
    let once = tournament(40)[..80].to_vec();
    let ends = |copies: u16| {
        let pairings: Vec<(u16, u16)> = (0..copies)
            .flat_map(|a| (a + 1..copies).map(move |b| (a, b)))
            .collect();
        let mut all = Vec::new();
        for (pairing, &(a, b)) in (0..).zip(&pairings) {
            for pair in once.chunks(2) {
                // Both games repeat the first one, with the seats swapped.
                for (leg, agents) in [(0, [a, b]), (1, [b, a])] {
                    let mut entry = pair[0].clone();
                    entry.record.id.pairing = pairing;
                    entry.record.id.leg = leg;
                    entry.record.agents = agents;
                    all.push(entry);
                }
            }
        }
        let names: Vec<String> = (0..copies).map(|i| format!("copy {i}")).collect();
        let summary = Summary::new(&names, &pairings, &all);
        let first = &summary.first_player;
        let width = |estimate: Estimate| estimate.interval().map_or(0.0, |(low, high)| high - low);
        [width(first.elo), width(first.margin)]
    };
    let two = ends(2);
    for copies in [3, 7] {
        for (more, two) in ends(copies).into_iter().zip(two) {
            assert!((more / two - 1.0).abs() < 0.1, "{copies}: {more} {two}");
        }
    }
}

#[test]
fn parts_add_up_to_wholes() {
    let entries = tournament(12);
    let summary = Summary::new(&names(), &PAIRINGS, &entries);
    let close = |a: Option<f64>, b: f64| (a.expect("a number") - b).abs() < 1e-9;
    let size = &summary.sizes[0];
    let lengths = || summary.lengths.iter().filter(|bin| bin.agent.is_empty());
    assert_eq!(lengths().map(|bin| bin.plies).sum::<u64>(), 72);
    assert_eq!(lengths().map(|bin| bin.turns).sum::<u64>(), 72);
    assert!(lengths().is_sorted_by_key(|bin| bin.length));
    let longest = lengths().rfind(|bin| bin.plies > 0);
    assert_eq!(longest.map(|bin| bin.length), size.plies_max);
    let turns: u64 = lengths().map(|bin| bin.length * bin.turns).sum();
    let class = |value: &str| {
        let mut classes = summary.branching.iter();
        classes.find(|class| class.value == value).expect("a class")
    };
    assert_eq!(turns, class("advance").plies + class("patch").plies);

    let scores = &summary.scores;
    for part in &scores.composition {
        let parts = part.buttons.zip(part.squares).zip(part.bonus);
        assert!(close(
            part.points,
            parts.map_or(0.0, |((a, b), c)| a + b + c)
        ));
    }
    let sum: f64 = scores
        .histogram
        .iter()
        .map(|bin| f64::from(bin.points) * bin.winner as f64)
        .sum();
    assert!(close(scores.composition[2].points, sum / 72.0));
    assert!(
        scores
            .histogram
            .iter()
            .all(|bin| bin.first + bin.second == bin.winner + bin.loser)
    );
    let margin: f64 = scores
        .margins
        .iter()
        .map(|bin| f64::from(bin.margin) * bin.games as f64)
        .sum();
    assert!(close(scores.margin, margin / 72.0));

    let forced: usize = entries
        .iter()
        .flat_map(|entry| &entry.record.plies)
        .filter(|ply| ply.legal == 1)
        .count();
    for by in [
        PlyClassOf::All,
        PlyClassOf::Phase,
        PlyClassOf::Kind,
        PlyClassOf::Ply,
    ] {
        let classes = summary.branching.iter().filter(|class| class.by == by);
        let sum = classes.map(|class| class.forced.value.unwrap_or(0.0) * class.plies as f64);
        assert!(close(Some(sum.sum()), forced as f64));
    }
    // The first plies of a pair's two games share a setup: the interval is that of 36 setups.
    let first = |entry: &Entry| f64::from(entry.record.plies[0].legal);
    let mut clusters = Clusters::default();
    for stratum in entries.chunks(24) {
        for pair in stratum.chunks(2) {
            clusters.add(first(&pair[0]) * 2.0, 2.0);
        }
        clusters.close_stratum();
    }
    let interval = clusters.mean_above(1.0);
    let ply = class("1").legal;
    for (ours, plain) in [
        (ply.value, interval.value),
        (ply.low, interval.low),
        (ply.high, interval.high),
    ] {
        assert!(close(ours, plain.unwrap_or(0.0)));
    }

    let rings = &summary.rings;
    assert_eq!((rings.rings, rings.pairs, rings.repeated), (36, 36, 0));
    let games: Archive = entries.iter().cloned().collect();
    let all = || (0..rings.all.len()).map(|place| rings.all.ring(place, &games));
    assert_eq!(all().map(|ring| ring.games).sum::<u64>(), 72);
    let wins: u64 = all().map(|ring| ring.first_wins).sum();
    assert!(close(rings.wins.mean, wins as f64 / 72.0));
    assert!(close(
        rings.margin.mean,
        summary.first_player.margin.value.unwrap_or(0.0)
    ));
}

#[test]
fn few_games_give_no_number_that_is_none() {
    let all = tournament(2);
    for count in 0..all.len() {
        let summary = Summary::new(&names(), &PAIRINGS, &all[..count]);
        let text = format!("{summary:?}");
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        assert!(
            words.all(|word| word != "NaN" && word != "inf"),
            "{count} games"
        );
        assert_eq!(summary.games, count as u64);
    }
    let empty = Summary::new(&names(), &PAIRINGS, &[]);
    assert_eq!(empty.ratings.len(), 3);
    assert!(
        empty
            .ratings
            .iter()
            .all(|row| row.elo == Estimate::default())
    );
    assert!(
        empty
            .branching
            .iter()
            .all(|class| class.by != PlyClassOf::Ply)
    );
}

#[test]
fn a_tournament_of_one_agent_measures_the_seats() {
    let entries: Vec<Entry> = (0..20)
        .map(|i| {
            let (pair, leg) = (i / 2, (i % 2) as u8);
            game(
                GameId {
                    pair,
                    leg,
                    ..GameId::default()
                },
                [0, 0],
            )
        })
        .collect();
    let summary = Summary::new(&names(), &[(0, 0)], &entries);
    assert_eq!(summary.first_player.games, 20);
    assert!(summary.first_player.elo.value.is_some());
    let row = &summary.ratings[0];
    assert_eq!(
        (row.games, row.wins, row.elo.value, row.perfect),
        (40, 20, None, false)
    );
    assert_eq!(summary.pairings[0].games, 20);
}

#[test]
fn an_agent_without_a_name_gets_a_number() {
    let id = GameId {
        pairing: 9,
        ..GameId::default()
    };
    let summary = Summary::new(&names(), &PAIRINGS, &[game(id, [0, 700])]);
    assert!(summary.ratings.iter().any(|row| row.agent == "agent 700"));
    assert_eq!(summary.ratings.len(), 4);
    assert!(summary.pairings.iter().all(|pairing| pairing.games == 0));
}
