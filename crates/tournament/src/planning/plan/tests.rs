use super::*;
use patchwork_engine::testing::rows;
use std::collections::HashSet;

use patchwork_engine::game::{Ring, Setup};
use patchwork_engine::util::InputError;
use patchwork_rating::sprt::EloModel;

use crate::testing;
use crate::{Book, Gauntlet, Streams};
use patchwork_engine::testing::ring;
use patchwork_test_support::tournaments::owned as names;

fn message(plan: Result<Plan, InputError>) -> String {
    plan.unwrap_err().to_string()
}

fn test(model: EloModel) -> Sprt {
    Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap()
}

fn gauntlet(of: &[&str]) -> Result<Plan, InputError> {
    let challengers = names(of);
    planned(Gauntlet { challengers })
}

fn plan(names: &[&str], pairs: u32) -> Result<Plan, InputError> {
    testing::plan(names, Format::RoundRobin, pairs)
}

#[test]
fn every_pair_is_played_twice_with_seats_swapped() {
    let plan = plan(&["c", "a", "b"], 4).unwrap();
    assert_eq!(plan.names(), ["a", "b", "c"]);
    assert_eq!(plan.pairings(), [(0, 1), (0, 2), (1, 2)]);
    let games: Vec<PlannedGame> = plan.games().collect();
    assert_eq!(games.len(), plan.game_count());
    assert_eq!(games.len(), 3 * 4 * 2);
    let streams = Streams::new(&plan);
    for two in games.chunks(2) {
        let [one, other] = two else {
            panic!("legs come together")
        };
        assert_eq!([one.seats[1], one.seats[0]], other.seats);
        assert_eq!(streams.setup(*one), streams.setup(*other));
    }
    let setups: HashSet<Setup> = games.iter().map(|game| streams.setup(*game)).collect();
    assert_eq!(setups.len(), 12);
    let indices: HashSet<u64> = games.iter().map(|game| plan.index(game.id)).collect();
    assert_eq!(indices, (0..24).collect());
    for (place, game) in (0..).zip(&games) {
        assert_eq!(plan.game(plan.index(game.id)), Some(*game));
        assert_eq!(plan.place(game.id), place);
    }
    assert_eq!(plan.game(24), None);
    assert_eq!(plan.game(u64::MAX), None);
}

#[test]
fn the_hash_changes_with_the_plan_and_not_with_the_order_of_agents() {
    let hash = plan(&["a", "b"], 4).unwrap().hash();
    assert_eq!(plan(&["b", "a"], 4).unwrap().hash(), hash);
    assert_ne!(plan(&["a", "b"], 5).unwrap().hash(), hash);
    assert_ne!(plan(&["a", "c"], 4).unwrap().hash(), hash);
    // Pinned: results of this version must stay readable by later ones.
    assert_eq!(format!("{hash:016x}"), "bec7ce89093f985b");
}

#[test]
fn plans_that_cannot_be_played_are_refused() {
    for (agents, pairs, expected) in [
        (
            &[][..],
            4,
            "agents: found 0; expected at least two, at most 65535",
        ),
        (
            &["a"],
            4,
            "agents: found 1; expected at least two, at most 65535",
        ),
        (
            &["a", "b", "a"],
            4,
            "agents: a is named twice; expected each agent once",
        ),
        (&["a", "b"], 0, "pairs: 0; expected 1 or more"),
        (
            &["a", "b", "c"],
            u32::MAX,
            "pairs: 25769803770 games in all; expected at most 2147483648",
        ),
    ] {
        assert_eq!(message(plan(agents, pairs)), expected);
    }
}

fn planned(format: impl Into<Format>) -> Result<Plan, InputError> {
    testing::plan(&["b", "a", "c"], format, 2)
}

#[test]
fn plans_of_all_kinds_are_written_and_read() {
    let test = test(EloModel::Normalized);
    let rings = vec![ring(1)];
    let book = Book::new(rings).unwrap();
    let plans = [
        planned(Format::RoundRobin)
            .unwrap()
            .with_rings(PlannedRings::Common),
        planned(Format::RoundRobin)
            .unwrap()
            .with_rings(PlannedRings::Book(book)),
        gauntlet(&["b", "a"]).unwrap(),
        gauntlet(&["c"]).unwrap().with_test(test).unwrap(),
    ];
    for plan in &plans {
        let json = serde_json::to_string(plan).unwrap();
        assert_eq!(
            serde_json::from_str::<Plan>(&json).unwrap(),
            *plan,
            "{json}"
        );
    }
    // Pinned: results of this version must stay readable by later ones.
    let hashes = plans.map(|plan| format!("{:016x}", plan.hash()));
    assert_eq!(
        hashes,
        [
            "1c5fe860ecb6da51",
            "938c812991077d72",
            "7682f0b2ae45ab4b",
            "0bfac320ff3ac8b2",
        ]
    );
    assert_eq!(
        gauntlet(&["a", "b"]).unwrap().hash(),
        gauntlet(&["b", "a"]).unwrap().hash()
    );
}

#[test]
fn formats_that_do_not_suit_the_agents_are_refused() {
    for (challengers, expected) in [
        (&[][..], "none; expected one or more of the agents"),
        (
            &["a", "b", "c"],
            "all of the agents; expected at least one other agent",
        ),
        (&["x"], "x is not one of the agents"),
        (&["a", "a"], "a is named twice; expected each agent once"),
    ] {
        let expected = format!("challengers: {expected}");
        assert_eq!(message(gauntlet(challengers)), expected);
    }
    let test = test(EloModel::Logistic);
    assert_eq!(
        message(planned(Format::RoundRobin).unwrap().with_test(test)),
        "sprt: requires format = \"gauntlet\", and the format is \"round-robin\""
    );
    let ring = ring(1);
    let book = Book::new(vec![ring]).unwrap();
    let booked = gauntlet(&["a"]).unwrap();
    let booked = booked.with_rings(PlannedRings::Book(book)).with_test(test);
    assert!(message(booked).starts_with("pairs: 2, and the book has 1; expected at most"));
    // The same holds when a plan is read.
    let good = serde_json::to_string(&planned(Format::RoundRobin).unwrap()).unwrap();
    for [old, new] in rows(
        r#"
        "round-robin" => {"gauntlet":{"challengers":["x"]}}
        "pairs":2 => "pairs":0
        "name":"b" => "name":"a"
    "#,
    ) {
        assert!(
            serde_json::from_str::<Plan>(&good.replace(old, new)).is_err(),
            "{new}"
        );
    }
}

#[test]
fn rings_are_own_or_common_or_of_a_book() {
    let setups = |rings: &PlannedRings| {
        let plan = plan(&["a", "b", "c"], 8).unwrap().with_rings(rings.clone());
        let streams = Streams::new(&plan);
        [[0, 1], [0, 2], [1, 2]].map(|seats| {
            let games = (0..8).filter_map(|pair| plan.game_of(seats, pair));
            let setups = games.map(|game| streams.setup(game));
            setups.collect::<Vec<Setup>>()
        })
    };
    let distinct = |of: &[Setup]| of.iter().collect::<HashSet<_>>().len();
    let own = setups(&PlannedRings::Own);
    assert_eq!(distinct(&own.concat()), 24);
    let common = setups(&PlannedRings::Common);
    assert_eq!(distinct(&common.concat()), 8);
    assert_eq!(common[0], common[2]);
    // All rings of the book come before one repeats, and not in the order of the book.
    let rings: Vec<Ring> = own[0][..5].iter().map(|setup| *setup.ring()).collect();
    let book = Book::new(rings).unwrap();
    let booked = setups(&PlannedRings::Book(book));
    assert_eq!(booked[0], booked[1]);
    assert_eq!(distinct(&booked[0][..5]), 5);
    assert_eq!(booked[0][5..], booked[0][..3]);
    assert_ne!(booked[0][..5], own[0][..5]);
    assert!(booked[0].iter().all(|setup| own[0][..5].contains(setup)));
}
