use std::collections::BTreeSet;

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::sprt::{EloModel, PairCounts, Sprt, Verdict};
use proptest::prelude::*;

use super::*;
use crate::testing;
use crate::{Format, Gauntlet};
use patchwork_test_support::tournaments::ended;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("a{i:02}")).collect()
}

fn plan(count: usize, format: impl Into<Format>, pairs: u32) -> Plan {
    testing::plan(&names(count), format, pairs).unwrap()
}

fn gauntlet(count: usize, challengers: &[usize], pairs: u32) -> Plan {
    let names = names(count);
    let challengers = challengers.iter().map(|&i| names[i].clone()).collect();
    plan(count, Gauntlet { challengers }, pairs)
}

fn tested(count: usize, pairs: u32) -> Plan {
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
    gauntlet(count, &[0], pairs).with_test(test).unwrap()
}

/// A game in which agents with higher indices win more often; equal points are common.
fn play(game: PlannedGame, luck: u64) -> GameFacts {
    let GameId { pairing, pair, leg } = game.id;
    let mut rng = stream(&[luck, pairing.into(), pair.into(), leg.into()]);
    let [first, second] = game.seats.map(u32::from);
    let first_won = below(first + second + 4, &mut rng) < first + 2;
    let margin = below(3, &mut rng) as i16;
    let first_is_a = leg == 0;
    let margin = if first_won == first_is_a {
        margin
    } else {
        -margin
    };
    ended(
        game.id,
        game.seats,
        usize::from(first_won != first_is_a),
        margin,
    )
}

/// Plays a schedule to its end with this many games at a time, which end in a random order. Returns the games
/// that count, in the order in which they came to count.
fn play_out(mut schedule: Schedule, at_once: usize, luck: u64, rng: &mut Rng) -> Vec<GameFacts> {
    let mut playing: Vec<PlannedGame> = Vec::new();
    let mut ended = BTreeSet::new();
    let mut counted = Vec::new();
    let before = schedule.finished_games();
    loop {
        while playing.len() < at_once
            && let Some(game) = schedule.next()
        {
            playing.push(game);
        }
        if playing.is_empty() {
            break;
        }
        let game = playing.swap_remove(below(playing.len() as u32, rng) as usize);
        let result = play(game, luck);
        assert!(ended.insert(game.id), "games are handed out once");
        counted.extend(
            schedule
                .finish(KnownGame::Stored(result))
                .iter()
                .map(KnownGame::facts),
        );
    }
    assert!(schedule.is_over());
    assert_eq!(schedule.next(), None);
    assert_eq!(schedule.finished_games(), before + counted.len() as u64);
    assert_eq!(schedule.planned_games(), schedule.finished_games());
    counted
}

fn sorted(mut games: Vec<GameFacts>) -> Vec<GameFacts> {
    games.sort_by_key(GameFacts::id);
    games
}

/// Small plans of all formats, with and without a test.
fn plans() -> impl Strategy<Value = Plan> {
    prop_oneof![
        (2usize..6, 1u32..4).prop_map(|(agents, pairs)| plan(agents, Format::RoundRobin, pairs)),
        (3usize..7, 1u32..4).prop_map(|(agents, pairs)| gauntlet(agents, &[0, 2], pairs)),
        (2usize..5, 1u32..60).prop_map(|(agents, pairs)| tested(agents, pairs)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_games_count_whatever_happens(
        plan in plans(),
        at_once in 2usize..9,
        luck in 0u64..1000,
        cut in any::<prop::sample::Index>(),
    ) {
        let mut rng = stream(&[luck, 1]);
        let expected = sorted(play_out(Schedule::new(&plan), 1, luck, &mut rng));
        let games = play_out(Schedule::new(&plan), at_once, luck, &mut rng);
        prop_assert_eq!(&sorted(games.clone()), &expected);

        // Every game has a unique index and identity.
        let indices: BTreeSet<u64> = expected.iter().map(|game| plan.index(game.id())).collect();
        prop_assert_eq!(indices.len(), expected.len());
        for &index in &indices {
            prop_assert!(index < plan.game_count() as u64);
            prop_assert_eq!(plan.game(index).map(|game| plan.index(game.id)), Some(index));
        }

        // Killed at any time, with the games that counted by then.
        let there = &games[..cut.index(games.len() + 1)];
        let schedule = Schedule::resume(&plan, there.iter().copied());
        prop_assert_eq!(schedule.finished_games(), there.len() as u64);
        let more = play_out(schedule, at_once, luck, &mut rng);
        prop_assert!(more.iter().all(|game| !there.contains(game)));
        prop_assert_eq!(sorted([there, &more].concat()), expected.clone());

        let done = Schedule::resume(&plan, expected.iter().copied());
        prop_assert!(done.is_over());
        prop_assert_eq!(done.planned_games(), expected.len() as u64);
    }

    #[test]
    fn a_test_ends_with_the_first_pair_that_decides(luck in 0u64..1000) {
        let plan = tested(4, 300);
        let test = plan.test().unwrap();
        let games = play_out(Schedule::new(&plan), 8, luck, &mut stream(&[luck]));
        let schedule = Schedule::resume(&plan, games.iter().copied());
        for (pairing, of) in (0..).zip(schedule.tests()) {
            let of_pairing = games.iter().filter(|game| game.pairing == pairing);
            let of_pairing: Vec<&GameFacts> = of_pairing.collect();
            prop_assert!(of_pairing.is_sorted_by_key(|game| game.id()));
            let mut counts = PairCounts::default();
            let mut verdict = Verdict::Continue;
            for pair in of_pairing.chunks(2) {
                prop_assert_eq!(verdict, Verdict::Continue);
                counts.add_wins(pair.iter().filter(|game| game.winner_of_pairing() == 0).count());
                verdict = test.verdict(&counts);
            }
            prop_assert_eq!(of.counts, counts);
            prop_assert_eq!(of.verdict, verdict);
            prop_assert!(verdict != Verdict::Continue || of.outcomes.len() == 300);
        }
    }
}

#[test]
fn games_after_a_gap_or_the_end_of_a_test_wait_and_are_not_played_again() {
    let plan = tested(2, 300);
    let games = play_out(Schedule::new(&plan), 1, 5, &mut stream(&[5]));
    let mut beyond = *games.last().unwrap();
    beyond.pair += 1;
    beyond.leg = 0;
    let with = Schedule::resume(&plan, [&games[..], &[beyond]].concat());
    assert!(with.is_over() && with.waiting(beyond.id()).is_some());
    let mut gap = Schedule::resume(&plan, [&games[..2], &games[3..5]].concat());
    assert_eq!(gap.finished_games(), 2);
    assert!(
        games[3..5]
            .iter()
            .all(|game| gap.waiting(game.id()).is_some())
    );
    let next = [gap.next(), gap.next()].map(|next| next.unwrap().id);
    assert_eq!(next, [games[2].id(), games[5].id()]);
    assert_eq!(gap.finish(KnownGame::Stored(games[2])).len(), 3);
}

#[test]
fn gauntlets_are_planned_from_the_challenger() {
    let plan = gauntlet(4, &[2, 1], 3);
    assert_eq!(plan.pairings(), [(1, 0), (1, 3), (2, 0), (2, 3)]);
    let games: Vec<PlannedGame> = plan.games().collect();
    assert_eq!(games.len(), plan.game_count());
    assert_eq!(games[0].seats, [1, 0]);
    assert_eq!(games[1].seats, [0, 1]);
    assert_eq!(games[3].seats, [3, 1]);
    for (pairing, (a, b)) in (0..).zip(plan.pairings()) {
        let game = plan.game(pairing * 6).unwrap();
        assert_eq!(game.seats, [a, b]);
        assert_eq!(u64::from(game.id.pairing), pairing);
    }
    assert_eq!(plan.game(24), None);
}

#[test]
fn a_plan_of_millions_of_pairings_keeps_only_what_was_played() {
    let plan = plan(10_000, Format::RoundRobin, 1);
    assert_eq!(plan.game_count(), 99_990_000);
    let mut schedule = Schedule::new(&plan);
    assert_eq!(schedule.planned_games(), 99_990_000);
    let mut games = [(); 6].map(|()| schedule.next().unwrap());
    let seats = [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]];
    assert_eq!(games.map(|game| game.seats), seats);
    games.reverse();
    for game in games {
        assert_eq!(schedule.finish(KnownGame::Stored(play(game, 1))).len(), 1);
    }
    assert_eq!((schedule.there.len(), schedule.finished_of.len()), (1, 3));
    assert_eq!(schedule.missing().nth(2), Some(([0, 3], 0)));
    assert_eq!(schedule.missing().nth(3), Some(([0, 4], 2)));

    let last = plan.find("a9998|a9999/0/1").unwrap();
    assert_eq!((last.id.pairing, last.seats), (49_994_999, [9999, 9998]));
    assert_eq!(
        (plan.place(games[5].id), plan.place(last.id)),
        (0, 99_989_999)
    );
    let there = [last, games[2], games[3]].map(|game| play(game, 1));
    let mut schedule = Schedule::resume(&plan, there);
    assert_eq!(
        (schedule.finished_games(), schedule.next()),
        (3, Some(games[5]))
    );
    assert_eq!(schedule.next(), Some(games[4]));
    assert_eq!(schedule.next(), Some(games[1]));
}
