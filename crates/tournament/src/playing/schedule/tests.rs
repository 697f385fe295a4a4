use std::collections::{BTreeMap, BTreeSet};

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::sprt::{EloModel, PairCounts, Sprt, Verdict};
use proptest::prelude::*;

use super::*;
use crate::planning::encounter::DecidedBy;
use crate::support::tournaments::{self, ended};
use crate::{Format, Gauntlet, KnockOut, Swiss};

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("a{i:02}")).collect()
}

fn plan(count: usize, format: impl Into<Format>, pairs: u32) -> Plan {
    tournaments::plan(&names(count), format, pairs).unwrap()
}

fn swiss(count: usize, rounds: u32, pairs: u32) -> Plan {
    let seeds = names(count);
    plan(count, Swiss { rounds, seeds }, pairs)
}

fn knock_out(count: usize, pairs: u32) -> Plan {
    let seeds = names(count).into_iter().rev().collect();
    plan(count, KnockOut { seeds }, pairs)
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
    ended(game, usize::from(first_won != first_is_a), margin)
}

/// Plays a schedule to its end with this many games at a time, which end in a random order. Returns the games
/// that count, in the order in which they came to count.
fn play_out(mut schedule: Schedule, at_once: usize, luck: u64, rng: &mut Rng) -> Vec<GameFacts> {
    let mut playing: Vec<PlannedGame> = Vec::new();
    let mut ended: BTreeMap<GameId, GameFacts> = BTreeMap::new();
    let mut counted = Vec::new();
    let before = schedule.finished_games();
    loop {
        while playing.len() < at_once
            && let Next::Game(game) = schedule.next_game()
        {
            playing.push(game);
        }
        if playing.is_empty() {
            break;
        }
        let game = playing.swap_remove(below(playing.len() as u32, rng) as usize);
        let result = play(game, luck);
        assert_eq!(
            ended.insert(game.id, result),
            None,
            "games are handed out once"
        );
        counted.extend(schedule.finish(result).iter().map(|id| ended[id]));
    }
    assert!(schedule.is_over());
    assert_eq!(schedule.next_game(), Next::Over);
    assert_eq!(schedule.finished_games(), before + counted.len() as u64);
    assert_eq!(schedule.planned_games(), schedule.finished_games());
    counted
}

fn sorted(mut games: Vec<GameFacts>) -> Vec<GameFacts> {
    games.sort_by_key(GameFacts::id);
    games
}

/// Small plans of all formats.
fn plans() -> impl Strategy<Value = Plan> {
    prop_oneof![
        (2usize..6, 1u32..4).prop_map(|(agents, pairs)| plan(agents, Format::RoundRobin, pairs)),
        (3usize..7, 1u32..4).prop_map(|(agents, pairs)| gauntlet(agents, &[0, 2], pairs)),
        (2usize..9, 1u32..7, 1u32..4)
            .prop_map(|(agents, rounds, pairs)| swiss(agents, rounds, pairs)),
        (2usize..12, 1u32..4).prop_map(|(agents, pairs)| knock_out(agents, pairs)),
        (2usize..5, 1u32..60).prop_map(|(agents, pairs)| tested(agents, pairs)),
    ]
    .prop_filter("some agents have no opponents", |plan| {
        !plan.pairings().is_empty()
    })
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

        // Every game has a unique number and identity.
        let numbers: BTreeSet<u64> = expected.iter().map(|game| plan.number(game.id())).collect();
        prop_assert_eq!(numbers.len(), expected.len());
        for &number in &numbers {
            prop_assert!(number < plan.numbers());
            prop_assert_eq!(plan.game(number).map(|game| plan.number(game.id)), Some(number));
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
    fn a_swiss_round_has_everybody_once(
        agents in 2usize..12,
        rounds in 1u32..8,
        luck in 0u64..1000,
    ) {
        let plan = swiss(agents, rounds, 2);
        let games = play_out(Schedule::new(&plan), 3, luck, &mut stream(&[luck]));
        let schedule = Schedule::resume(&plan, games);
        prop_assert_eq!(schedule.rounds().len(), rounds as usize);
        for round in schedule.rounds() {
            let met = round.encounters.iter().flat_map(|e| [e.agents.0, e.agents.1]);
            let mut all: Vec<u16> = met.chain(round.byes.iter().copied()).collect();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..agents as u16));
            prop_assert_eq!(round.byes.len(), agents % 2);
        }
        let standings = schedule.standings().unwrap();
        let points: u64 = standings.iter().map(|place| place.points).sum();
        // Two pairs are four games, and a bye is worth two.
        prop_assert_eq!(points, u64::from(rounds) * (4 * (agents / 2) + 2 * (agents % 2)) as u64);
        prop_assert!(standings.is_sorted_by(|a, b| a.points >= b.points));
        // No agent gets a second bye before all have had one.
        let byes = standings.iter().map(|place| place.byes);
        prop_assert!(byes.clone().max().unwrap() <= byes.min().unwrap() + 1 || agents == 2);
    }

    #[test]
    fn a_knock_out_leaves_one(agents in 2usize..20, pairs in 1u32..4, luck in 0u64..1000) {
        let plan = knock_out(agents, pairs);
        let games = play_out(Schedule::new(&plan), 3, luck, &mut stream(&[luck]));
        let schedule = Schedule::resume(&plan, games);
        prop_assert_eq!(schedule.rounds().len() as u32, plan.round_count());
        let mut left: BTreeSet<u16> = (0..agents as u16).collect();
        for round in schedule.rounds() {
            for encounter in &round.encounters {
                let (a, b) = encounter.agents;
                let winner = encounter.winner().unwrap();
                prop_assert!(left.contains(&a) && left.contains(&b));
                left.remove(&if winner == a { b } else { a });
                prop_assert!((pairs..=2 * pairs).contains(&encounter.pairs));
            }
            prop_assert!(round.byes.iter().all(|agent| left.contains(agent)));
        }
        prop_assert!(schedule.champion().is_some());
        prop_assert!(left.into_iter().eq(schedule.champion()));
    }

    #[test]
    fn a_test_ends_with_the_first_pair_that_decides(luck in 0u64..1000) {
        let plan = tested(4, 300);
        let test = plan.test().unwrap();
        let games = play_out(Schedule::new(&plan), 8, luck, &mut stream(&[luck]));
        let schedule = Schedule::resume(&plan, games.iter().copied());
        for encounter in &schedule.rounds()[0].encounters {
            let of_pairing = games.iter().filter(|game| game.pairing == encounter.pairing);
            let of_pairing: Vec<&GameFacts> = of_pairing.collect();
            prop_assert!(of_pairing.is_sorted_by_key(|game| game.id()));
            let mut counts = PairCounts::default();
            let mut verdict = Verdict::Continue;
            for pair in of_pairing.chunks(2) {
                prop_assert_eq!(verdict, Verdict::Continue);
                counts.add_wins(pair.iter().filter(|game| game.winner_of_pairing() == 0).count());
                verdict = test.verdict(&counts);
            }
            prop_assert_eq!(encounter.test.counts, counts);
            prop_assert_eq!(encounter.test.verdict, verdict);
            prop_assert!(verdict != Verdict::Continue || encounter.pairs == 300);
        }
    }
}

#[test]
fn games_that_nothing_leads_to_wait_and_are_not_played_again() {
    let plan = swiss(4, 2, 1);
    let games = play_out(Schedule::new(&plan), 1, 5, &mut stream(&[5]));
    let (early, late) = games.split_at(4);
    // Results of a second round without the whole first round.
    let mut schedule = Schedule::resume(&plan, [&early[1..], late].concat());
    assert_eq!(schedule.finished_games(), 3);
    assert!(late.iter().all(|game| schedule.is_waiting(game.id())));
    let Next::Game(missing) = schedule.next_game() else {
        panic!("a game of the first round is missing");
    };
    assert_eq!(missing.id, early[0].id());
    assert_eq!(schedule.next_game(), Next::Wait);
    assert_eq!(schedule.finish(early[0]), [missing.id]);
    assert!(schedule.is_over() && !schedule.has_waiting());
    // Two agents that have not met.
    let met: Vec<u32> = games.iter().map(|game| game.pairing).collect();
    let unmet = (0..6).find(|pairing| !met.contains(pairing)).unwrap();
    let stranger = GameFacts {
        pairing: unmet,
        pair: 0,
        leg: 0,
        ..games[0]
    };
    let id = stranger.id();
    let with = Schedule::resume(&plan, [&games[..], &[stranger]].concat());
    assert!(with.is_over() && with.is_waiting(id));
    assert_eq!(with.finished_games(), 8);

    // Results after the end of a test, and after a gap.
    let plan = tested(2, 300);
    let games = play_out(Schedule::new(&plan), 1, 5, &mut stream(&[5]));
    let mut beyond = *games.last().unwrap();
    beyond.pair += 1;
    beyond.leg = 0;
    let with = Schedule::resume(&plan, [&games[..], &[beyond]].concat());
    assert!(with.is_over() && with.is_waiting(beyond.id()));
    let mut gap = Schedule::resume(&plan, [&games[..2], &games[3..5]].concat());
    assert_eq!(gap.finished_games(), 2);
    assert!(gap.is_waiting(games[3].id()) && gap.is_waiting(games[4].id()));
    let next = [gap.next_game(), gap.next_game()];
    let next = next.map(|next| match next {
        Next::Game(game) => game.id,
        _ => panic!("games are missing"),
    });
    assert_eq!(next, [games[2].id(), games[5].id()]);
    assert_eq!(gap.finish(games[2]).len(), 3);
}

/// Results of one encounter: who wins each game and by how much.
fn decided(pairs: u32, results: &[(usize, i16)]) -> (Schedule, usize) {
    let plan = knock_out(2, pairs);
    let mut schedule = Schedule::new(&plan);
    let mut played = 0;
    while let Next::Game(game) = schedule.next_game() {
        let (winner, margin) = results[played % results.len()];
        schedule.finish(ended(game, winner, margin));
        played += 1;
    }
    assert!(schedule.is_over());
    (schedule, played)
}

#[test]
fn ties_are_broken_by_points_then_pairs_then_seeds() {
    let (schedule, games) = decided(2, &[(0, 1), (0, 1), (0, 1), (1, -9)]);
    let decision = |schedule: &Schedule| schedule.rounds()[0].encounters[0].decision;
    let by = |winner, by| Some((winner, by));
    assert_eq!((decision(&schedule), games), (by(0, DecidedBy::Wins), 4));
    assert_eq!(schedule.champion(), Some(0));

    let (schedule, games) = decided(1, &[(0, 4), (1, -5)]);
    assert_eq!((decision(&schedule), games), (by(1, DecidedBy::Margin), 2));

    let (schedule, games) = decided(2, &[(0, 4), (1, -4), (0, 4), (1, -4), (1, -1), (1, -1)]);
    assert_eq!(
        (decision(&schedule), games),
        (by(1, DecidedBy::FurtherPairs), 6)
    );

    // The agent with the last name is seeded first.
    let (schedule, games) = decided(3, &[(0, 4), (1, -4)]);
    assert_eq!((decision(&schedule), games), (by(1, DecidedBy::Seed), 12));
    assert_eq!(schedule.planned_games(), 12);
}

#[test]
fn everybody_meets_in_as_many_rounds_as_there_are_opponents() {
    for agents in [2, 3, 4, 6, 7, 10] {
        let rounds = agents - 1 + agents % 2;
        let plan = swiss(agents, 2 * rounds as u32, 1);
        let games = play_out(Schedule::new(&plan), 1, 3, &mut stream(&[3]));
        let schedule = Schedule::resume(&plan, games);
        // In later rounds, earlier pairings may leave no way to avoid a second meeting.
        let early = Round::meetings(&schedule.rounds()[..agents.div_ceil(2)]);
        assert!(early.values().all(|&times| times == 1), "{agents} agents");
        let all = Round::meetings(schedule.rounds());
        assert!(
            all.values().all(|&times| times <= 4),
            "{agents} agents: {all:?}"
        );
    }
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
fn a_long_swiss_of_many_is_paired_quickly() {
    let plan = swiss(200, 9, 1);
    let games = play_out(Schedule::new(&plan), 1, 3, &mut stream(&[3]));
    assert_eq!(games.len(), 1800);
    let schedule = Schedule::resume(&plan, games);
    assert!(
        Round::meetings(schedule.rounds())
            .values()
            .all(|&times| times == 1)
    );
}

#[test]
fn a_plan_of_millions_of_pairings_keeps_only_what_was_played() {
    let plan = plan(10_000, Format::RoundRobin, 1);
    assert_eq!(plan.game_count(), 99_990_000);
    let mut schedule = Schedule::new(&plan);
    assert_eq!(schedule.planned_games(), 99_990_000);
    let mut games = [(); 6].map(|()| match schedule.next_game() {
        Next::Game(game) => game,
        _ => panic!("games are missing"),
    });
    let seats = [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]];
    assert_eq!(games.map(|game| game.seats), seats);
    games.reverse();
    for game in games {
        assert_eq!(schedule.finish(play(game, 1)), [game.id]);
    }
    assert_eq!(schedule.rounds()[0].encounters.len(), 3);
    assert_eq!(schedule.missing().nth(2), Some((2, [0, 3], 0)));
    assert_eq!(schedule.missing().nth(3), Some((3, [0, 4], 2)));

    let last = plan.find("a9998|a9999/0/1").unwrap();
    assert_eq!((last.id.pairing, last.seats), (49_994_999, [9999, 9998]));
    let order = plan.order();
    assert_eq!((order(games[5].id), order(last.id)), (0, 99_989_999));
    let there = [last, games[2], games[3]].map(|game| play(game, 1));
    let mut schedule = Schedule::resume(&plan, there);
    assert_eq!(
        (schedule.finished_games(), schedule.next_game()),
        (3, Next::Game(games[5]))
    );
    let mut rest = std::iter::from_fn(|| match schedule.next_game() {
        Next::Game(game) => Some(game),
        _ => None,
    });
    assert_eq!(rest.next(), Some(games[4]));
    assert_eq!(rest.next(), Some(games[1]));
}
