//! Ratings compared with golden numbers and with simulated tournaments whose truth is known.

use std::collections::HashMap;

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::{
    Anchor, Errors, Estimate, Options, RatedGame, RatingPrior, Ratings, consistency, rate,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    pairing: String,
    pair: u64,
    first: String,
    second: String,
    winner: String,
}

#[derive(Deserialize)]
struct Golden {
    ratings: Vec<GoldenRating>,
    first_player_advantage: GoldenRating,
}

#[derive(Deserialize)]
struct GoldenRating {
    #[serde(default)]
    agent: String,
    elo: f64,
    standard_error: f64,
}

fn value(estimate: Estimate) -> f64 {
    estimate.value.expect("a rated agent")
}

fn data(file: &str) -> String {
    let path = patchwork_test_support::program::data(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_games(file: &str, names: &[String]) -> Vec<RatedGame> {
    let agent = |name: &str| names.iter().position(|n| n == name).expect("a rated agent");
    let mut pairings = HashMap::new();
    csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .from_reader(data(file).as_bytes())
        .deserialize()
        .map(|row| {
            let row: Row = row.expect("a game");
            let next = pairings.len() as u64;
            let pairing = *pairings.entry(row.pairing).or_insert(next);
            RatedGame {
                cluster: pairing << 32 | row.pair,
                first: agent(&row.first),
                second: agent(&row.second),
                score: (row.winner == "first").into(),
            }
        })
        .collect()
}

#[test]
fn ratings_match_the_golden_numbers() {
    let golden: HashMap<String, serde_json::Value> =
        serde_json::from_str(&data("ratings-golden.json")).expect("JSON");
    for file in ["ratings-games-1.tsv", "ratings-games-2.tsv"] {
        let golden = Golden::deserialize(&golden[file]).expect("golden numbers");
        let names: Vec<String> = golden.ratings.iter().map(|row| row.agent.clone()).collect();
        let mut games = read_games(file, &names);
        let ratings = rate(&games, names.len(), Errors::Independent);
        let close = |what: &str, estimate: Estimate, golden: &GoldenRating| {
            let error = estimate.error.expect("many games");
            assert!(
                (value(estimate) - golden.elo).abs() < 0.05
                    && (error / golden.standard_error - 1.0).abs() < 0.01,
                "{file} {what}: {} +- {error}, golden {} +- {}",
                value(estimate),
                golden.elo,
                golden.standard_error
            );
        };
        for (rating, golden) in ratings.agents.iter().zip(&golden.ratings) {
            close(&golden.agent, rating.elo, golden);
            assert!(!rating.perfect);
        }
        close(
            "first player",
            ratings.first_player,
            &golden.first_player_advantage,
        );
        assert!(ratings.connected && !ratings.prior_used);

        games.reverse();
        assert_eq!(rate(&games, names.len(), Errors::Independent), ratings);
        let clustered = rate(&games, names.len(), Errors::Clustered);
        assert_eq!(value(clustered.agents[0].elo), value(ratings.agents[0].elo));
        assert_eq!(clustered.rho, ratings.rho);
    }
}

const TRUTH: [f64; 4] = [120.0, 40.0, -30.0, -130.0];
const ADVANTAGE: f64 = 35.0;

fn uniform(rng: &mut Rng) -> f64 {
    f64::from(below(1 << 30, rng)) / f64::from(1 << 30)
}

/// What a setup favours.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Luck {
    /// The same seat in both games.
    Seat,
    /// The same agent in both games.
    Agent,
}

/// A round robin with 60 pairs per pairing. In the share `shared` of the pairs, one draw decides both games;
/// each game still has the model's win probability.
fn simulate(luck: Luck, shared: f64, rng: &mut Rng) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for a in 0..TRUTH.len() {
        for b in a + 1..TRUTH.len() {
            for _ in 0..60 {
                let cluster = games.len() as u64;
                let draw = uniform(rng);
                let second_draw = if uniform(rng) >= shared {
                    uniform(rng)
                } else if luck == Luck::Seat {
                    draw
                } else {
                    1.0 - draw
                };
                for (first, second, draw) in [(a, b, draw), (b, a, second_draw)] {
                    let gap = TRUTH[first] - TRUTH[second] + ADVANTAGE;
                    games.push(RatedGame {
                        cluster,
                        first,
                        second,
                        score: (draw < 1.0 / (1.0 + 10f64.powf(-gap / 400.0))).into(),
                    });
                }
            }
        }
    }
    games
}

/// Shares of tournaments in which the interval contains the truth, and in which a 5% test rejects the
/// hypothesis that ratings explain the pairings, which is true.
#[derive(Clone, Copy, Debug)]
struct Coverage {
    ratings: f64,
    differences: f64,
    anchored: f64,
    first_player: f64,
    false_alarms: f64,
}

fn coverage(luck: Luck, shared: f64, errors: Errors, tournaments: u64) -> Coverage {
    let inside = |estimate: Estimate, truth: f64| {
        let interval = estimate.interval();
        u32::from(interval.is_some_and(|(low, high)| low <= truth && truth <= high))
    };
    let anchor = Anchor {
        agent: 3,
        elo: TRUTH[3],
    };
    let names = ["a", "b", "c", "d"].map(String::from);
    let (mut ratings, mut differences, mut anchored) = (0, 0, 0);
    let (mut advantages, mut alarms) = (0, 0);
    for tournament in 0..tournaments {
        let games = simulate(luck, shared, &mut stream(&[41, tournament]));
        let rated = rate(&games, TRUTH.len(), errors);
        let relative = Options {
            anchor: Some(anchor),
            ..errors.into()
        };
        let relative = rate(&games, TRUTH.len(), relative);
        for (a, truth) in TRUTH.into_iter().enumerate() {
            ratings += inside(rated.agents[a].elo, truth);
            anchored += inside(relative.agents[a].elo, truth);
            for (b, other) in TRUTH.into_iter().enumerate().skip(a + 1) {
                let difference = rated.difference(a, b).expect("all met");
                differences += inside(difference, truth - other);
            }
        }
        advantages += inside(rated.first_player, ADVANTAGE);
        let p = consistency(&names, &games, &rated, errors).p;
        alarms += u32::from(p.expect("more pairings than agents") < 0.05);
    }
    let share = |count: u32, of: u32| f64::from(count) / f64::from(of) / tournaments as f64;
    Coverage {
        ratings: share(ratings, 4),
        differences: share(differences, 6),
        // The anchor itself has its given rating.
        anchored: share(anchored - tournaments as u32, 3),
        first_player: share(advantages, 1),
        false_alarms: share(alarms, 1),
    }
}

/// What a setup favours, and the share of the pairs in which one draw decides both games.
const LUCKS: [(Luck, f64); 4] = [
    (Luck::Seat, 0.0),
    (Luck::Seat, 0.6),
    (Luck::Agent, 0.3),
    (Luck::Agent, 0.6),
];

#[test]
#[ignore = "a simulation"]
fn intervals_cover_the_truth_95_times_in_100() {
    for (luck, shared) in LUCKS {
        let coverage = coverage(luck, shared, Errors::Clustered, 2000);
        println!("{luck:?} {shared}: {coverage:?}");
        for share in [
            coverage.ratings,
            coverage.differences,
            coverage.anchored,
            coverage.first_player,
            1.0 - coverage.false_alarms,
        ] {
            assert!((0.93..=0.97).contains(&share), "{shared}: {coverage:?}");
        }
    }
}

#[test]
fn pairs_taken_as_independent_mislead() {
    let of = |luck| coverage(luck, 0.6, Errors::Independent, 200);
    let seat = of(Luck::Seat);
    assert!(
        seat.ratings > 0.98 && seat.differences > 0.98 && seat.first_player < 0.91,
        "{seat:?}"
    );
    let agent = of(Luck::Agent);
    assert!(
        agent.ratings < 0.91 && agent.differences < 0.91 && agent.false_alarms > 0.1,
        "{agent:?}"
    );
}

/// A round robin in which every pairing plays the same rings. In the share `shared` of the games, the ring decides:
/// each agent has a form there, against every opponent, or the ring favours a seat in all games. Each game still has
/// the model's win probability. The setup of a game is the ring, its cluster the pair.
fn simulate_on_rings(
    luck: Luck,
    shared: f64,
    agents: usize,
    rings: u64,
    rng: &mut Rng,
) -> (Vec<RatedGame>, Vec<u64>) {
    let (mut games, mut setups) = (Vec::new(), Vec::new());
    for ring in 0..rings {
        let form: Vec<f64> = (0..agents).map(|_| uniform(rng)).collect();
        let favour = uniform(rng);
        for a in 0..agents {
            for b in a + 1..agents {
                for (first, second) in [(a, b), (b, a)] {
                    // The distribution of the difference of two uniform variables makes it uniform.
                    let behind = form[second] - form[first];
                    let of_ring = match luck {
                        Luck::Seat => favour,
                        Luck::Agent if behind < 0.0 => (1.0 + behind).powi(2) / 2.0,
                        Luck::Agent => 1.0 - (1.0 - behind).powi(2) / 2.0,
                    };
                    let draw = if uniform(rng) < shared {
                        of_ring
                    } else {
                        uniform(rng)
                    };
                    let gap = 20.0 * (second as f64 - first as f64) + ADVANTAGE;
                    setups.push(ring);
                    games.push(RatedGame {
                        cluster: ((a * agents + b) as u64) << 32 | ring,
                        first,
                        second,
                        score: (draw < 1.0 / (1.0 + 10f64.powf(-gap / 400.0))).into(),
                    });
                }
            }
        }
    }
    (games, setups)
}

/// The shares of tournaments in which the test of consistency rejects at 5%, although ratings explain the pairings:
/// with rings as clusters, and with pairs as clusters.
fn false_alarms_on_rings(
    luck: Luck,
    shared: f64,
    agents: usize,
    rings: u64,
    tournaments: u64,
) -> [f64; 2] {
    let names: Vec<String> = (0..agents).map(|agent| agent.to_string()).collect();
    let mut alarms = [0; 2];
    for tournament in 0..tournaments {
        let rng = &mut stream(&[43, tournament]);
        let (games, setups) = simulate_on_rings(luck, shared, agents, rings, rng);
        let ratings = rate(&games, agents, Errors::Clustered);
        for (alarms, setups) in alarms.iter_mut().zip([Some(&setups[..]), None]) {
            let options = Options {
                setups,
                ..Options::default()
            };
            let p = consistency(&names, &games, &ratings, options).p;
            *alarms += u32::from(p.expect("more pairings than agents") < 0.05);
        }
    }
    alarms.map(|alarms| f64::from(alarms) / tournaments as f64)
}

#[test]
#[ignore = "a simulation"]
fn on_common_rings_the_test_of_consistency_has_the_error_rate_of_its_level() {
    for (luck, shared, agents, rings) in [
        (Luck::Agent, 0.0, 6, 40),
        (Luck::Agent, 0.5, 6, 40),
        (Luck::Seat, 0.6, 6, 40),
        (Luck::Agent, 0.5, 4, 12),
    ] {
        let [by_ring, by_pair] = false_alarms_on_rings(luck, shared, agents, rings, 600);
        println!("{luck:?} {shared}, {agents} agents, {rings} rings: {by_ring}, by pair {by_pair}");
        assert!(
            (0.02..0.075).contains(&by_ring),
            "{luck:?} {shared}: {by_ring}"
        );
        if luck == Luck::Agent && shared > 0.0 && rings > 12 {
            // The form of an agent is a part of its strength, which no pairing shows alone.
            assert!(by_pair < 0.02, "{by_pair}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_error_rate_of_consistency_in_the_design_of_the_study_in_full() {
    for (luck, shared) in [
        (Luck::Agent, 0.0),
        (Luck::Agent, 0.3),
        (Luck::Agent, 0.7),
        (Luck::Seat, 0.6),
    ] {
        let [by_ring, by_pair] = false_alarms_on_rings(luck, shared, 8, 114, 1000);
        println!("{luck:?} {shared}: {by_ring}, by pair {by_pair}");
        assert!(
            (0.03..0.07).contains(&by_ring),
            "{luck:?} {shared}: {by_ring}"
        );
    }
}

/// Pairs between `a` and `b`; the outcomes are those of `a` in leg 0 and leg 1.
fn pairs(a: usize, b: usize, outcomes: &[(bool, bool)]) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for (i, &(one, two)) in (0..).zip(outcomes) {
        let cluster = ((a * 100 + b) as u64) << 32 | i;
        games.push(RatedGame {
            cluster,
            first: a,
            second: b,
            score: one.into(),
        });
        games.push(RatedGame {
            cluster,
            first: b,
            second: a,
            score: (!two).into(),
        });
    }
    games
}

fn assert_sensible(ratings: &Ratings) {
    for rating in &ratings.agents {
        let estimate = rating.elo;
        assert!(value(estimate).is_finite() && value(estimate).abs() < 4000.0);
        let error = estimate.error.expect("it played");
        assert!(error > 20.0 && error < 4000.0, "{ratings:?}");
    }
    let error = ratings.first_player.error.expect("games were played");
    assert!(error > 20.0 && error < 4000.0, "{ratings:?}");
}

#[test]
fn small_tournaments_have_sensible_errors() {
    for games in 1..=8usize {
        for outcome in 0..1u32 << games {
            let won = |i: usize| outcome >> i & 1 == 1;
            let results: Vec<(bool, bool)> = (0..games.div_ceil(2))
                .map(|i| (won(2 * i), won(2 * i + 1)))
                .collect();
            let mut list = pairs(0, 1, &results);
            list.truncate(games);
            for errors in [Errors::Independent, Errors::Clustered] {
                assert_sensible(&rate(&list, 2, errors));
            }
        }
    }
}

#[test]
fn the_prior_comes_in_only_where_there_is_no_maximum() {
    let (won, lost, first, second) = ((true, true), (false, false), (true, false), (false, true));
    let mixed = [won, lost, first, second];
    let rated = |games: &[RatedGame], agents| rate(games, agents, Errors::Clustered);

    let ratings = rated(&pairs(0, 1, &mixed), 2);
    assert!(!ratings.prior_used && !ratings.agents[0].perfect);

    // One agent won all games.
    let ratings = rated(&pairs(0, 1, &[won; 10]), 2);
    assert!(ratings.prior_used && ratings.agents[0].perfect && ratings.agents[1].perfect);
    assert!(value(ratings.agents[0].elo) > 200.0);
    // How far they are apart is unknown.
    let [best, last] = [0, 1].map(|agent| ratings.agents[agent].elo);
    assert!(best.low.is_some() && best.high.is_none());
    assert!(last.low.is_none() && last.high.is_some());
    let ahead = ratings.difference(0, 1).expect("they met");
    assert!(ahead.low > Some(0.0) && ahead.high.is_none());

    // The first player won all games.
    let ratings = rated(&pairs(0, 1, &[first; 10]), 2);
    assert!(ratings.prior_used && !ratings.agents[0].perfect);
    assert!(value(ratings.first_player) > 300.0 && value(ratings.agents[0].elo).abs() < 1e-6);

    // Seats were never swapped: the advantage cannot be separated from the agents' strengths.
    let one_way: Vec<RatedGame> = pairs(0, 1, &mixed).into_iter().step_by(2).collect();
    assert!(rated(&one_way, 2).prior_used);

    // No agent is perfect, but the first two never lost to the other two.
    let mut games = pairs(0, 1, &mixed);
    games.extend(pairs(2, 3, &mixed));
    let apart = rated(&games, 4);
    assert!(!apart.connected && !apart.prior_used);
    games.extend(pairs(1, 2, &[won; 4]));
    let ratings = rated(&games, 4);
    assert!(ratings.connected && ratings.prior_used);
    assert!(ratings.agents.iter().all(|rating| !rating.perfect));
    assert!(ratings.agents.iter().all(|rating| rating.separated));
    assert!(value(ratings.agents[1].elo) > value(ratings.agents[2].elo) + 100.0);

    // Each agent wins and loses, and so does each seat, but some direction explains all results.
    let mut games = pairs(0, 1, &[first; 5]);
    games.extend(pairs(1, 2, &[first; 5]));
    games.extend(pairs(0, 2, &[won; 5]));
    let ratings = rated(&games, 3);
    assert!(ratings.prior_used && ratings.connected);
    assert_sensible(&ratings);
}

#[test]
fn differences_of_any_two_agents() {
    let mixed = [(true, true), (false, false), (true, false), (true, true)];
    let mut games = pairs(0, 1, &mixed.repeat(10));
    games.extend(pairs(1, 2, &mixed.repeat(10)));
    games.extend(pairs(3, 4, &mixed.repeat(10)));
    let ratings = rate(&games, 6, Errors::Clustered);
    let difference = |a, b| ratings.difference(a, b);
    let ahead = difference(0, 2).expect("linked by 1");
    let elo = |agent: usize| value(ratings.agents[agent].elo);
    assert!((value(ahead) - (elo(0) - elo(2))).abs() < 1e-9);
    assert_eq!(
        difference(2, 0).expect("the same two").error,
        ahead.error,
        "seen from either side"
    );
    // The difference between agents with two links is less certain than with one link.
    assert!(ahead.error > difference(0, 1).expect("they met").error);
    let los = ratings.superiority(0, 1).expect("they met");
    assert!(los > 0.95 && (los + ratings.superiority(1, 0).expect("they met") - 1.0).abs() < 1e-9);
    // Groups that never met, an agent that never played, an agent and itself, an unknown agent.
    for (a, b) in [(0, 3), (0, 5), (5, 0), (1, 1), (0, 6)] {
        assert_eq!(difference(a, b), None);
        assert_eq!(ratings.superiority(a, b), None);
    }
    assert!(difference(3, 4).is_some());
}

#[test]
fn an_anchor_moves_its_group_and_changes_no_difference() {
    let mixed = [(true, true), (false, false), (true, false), (true, true)];
    let mut games = pairs(0, 1, &mixed.repeat(10));
    games.extend(pairs(1, 2, &mixed.repeat(10)));
    games.extend(pairs(3, 4, &mixed.repeat(10)));
    let free = rate(&games, 5, Errors::Clustered);
    let anchored = rate(
        &games,
        5,
        Options {
            anchor: Some(Anchor {
                agent: 1,
                elo: 1500.0,
            }),
            ..Options::default()
        },
    );
    let estimate = |agent: usize| anchored.agents[agent].elo;
    assert_eq!((value(estimate(1)), estimate(1).error), (1500.0, Some(0.0)));
    let difference = free.difference(0, 1).expect("they met");
    assert!((value(estimate(0)) - 1500.0 - value(difference)).abs() < 1e-9);
    assert_eq!(estimate(0).error, difference.error);
    let (one, other) = (free.difference(0, 2), anchored.difference(0, 2));
    let (one, other) = one.zip(other).expect("linked");
    assert!((value(one) - value(other)).abs() < 1e-9 && one.error == other.error);
    // The other group is not moved.
    assert_eq!(anchored.agents[3], free.agents[3]);
    assert_eq!(anchored.first_player, free.first_player);
}

#[test]
fn the_prior_can_be_refused_or_asked_for() {
    let rated = |games: &[RatedGame], prior| {
        let options = Options {
            prior,
            ..Options::default()
        };
        rate(games, 2, options)
    };
    let perfect = pairs(0, 1, &[(true, true); 10]);
    let none = rated(&perfect, RatingPrior::None);
    assert!(!none.prior_used && none.agents.iter().all(|rating| rating.perfect));
    assert!(none.agents.iter().all(|r| r.elo == Estimate::default()));
    assert_eq!(
        (none.difference(0, 1), none.first_player.error),
        (None, None)
    );
    assert!(rated(&perfect, RatingPrior::Auto).prior_used);

    let mixed = pairs(
        0,
        1,
        &[(true, true), (false, false), (true, true)].repeat(4),
    );
    let [none, auto, always] = [RatingPrior::None, RatingPrior::Auto, RatingPrior::Always]
        .map(|prior| rated(&mixed, prior));
    assert_eq!(none, auto);
    assert!(!auto.prior_used && always.prior_used);
    // The prior moves the agents slightly closer together.
    let elo = |ratings: &Ratings| value(ratings.agents[0].elo);
    assert!(elo(&always) < elo(&auto) && elo(&always) > 0.8 * elo(&auto));
}

#[test]
fn a_hundred_thousand_games_of_all_pairings_are_rated() {
    let mut rng = stream(&[7]);
    let agents = 20;
    let games: Vec<RatedGame> = (0..100_000_u64)
        .map(|i| {
            let (a, b) = (i / 2 % 190, i % 2);
            let (x, y) = (0..agents)
                .flat_map(|x| (x + 1..agents).map(move |y| (x, y)))
                .nth(a as usize)
                .expect("190 pairings");
            let (first, second) = if b == 0 { (x, y) } else { (y, x) };
            RatedGame {
                cluster: i / 2,
                first,
                second,
                score: (uniform(&mut rng) < 0.5 + 0.02 * (second as f64 - first as f64)).into(),
            }
        })
        .collect();
    let names: Vec<String> = (0..agents).map(|i| i.to_string()).collect();
    let ratings = rate(&games, agents, Errors::Clustered);
    let found = consistency(&names, &games, &ratings, Errors::Clustered);
    assert_eq!((found.pairings.len(), found.freedom), (190, 171));
}

/// The zero can be set, so that ratings of different games share it.
#[test]
fn the_zero_may_be_the_mean_of_any_agents() {
    let mixed = [
        (true, true),
        (false, false),
        (true, false),
        (false, true),
        (true, true),
    ];
    let (won, lost) = ((true, true), (false, false));
    let mut games = pairs(0, 1, &mixed);
    games.extend(pairs(1, 2, &[won; 4]));
    let usual = rate(&games, 3, Errors::Clustered);
    assert!(!usual.agents[1].separated && usual.agents[2].separated);
    assert!((value(usual.agents[0].elo) + value(usual.agents[1].elo)).abs() < 1e-9);
    let of = |games: &[RatedGame], zero: &[usize]| {
        let options = Options {
            zero: Some(zero),
            ..Options::default()
        };
        rate(games, 3, options)
    };
    let told = of(&games, &[0, 1, 2]);
    let sum: f64 = told.agents.iter().map(|rating| value(rating.elo)).sum();
    assert!(sum.abs() < 1e-9, "{sum}");
    // One of the three is at an unknown distance, and so is their mean.
    assert!(
        told.agents
            .iter()
            .all(|rating| rating.elo.low.is_none() || rating.elo.high.is_none())
    );
    assert_eq!(told.agents[2].separated, usual.agents[2].separated);
    let gap = |ratings: &Ratings| value(ratings.difference(0, 1).expect("they met"));
    assert!((gap(&told) - gap(&usual)).abs() < 1e-9);
    // When the third agent wins, it is linked, and the zero does not move.
    games.extend(pairs(1, 2, &[lost]));
    assert_eq!(
        of(&games, &[0, 1, 2]).agents,
        rate(&games, 3, Errors::Clustered).agents
    );
    // Agents that did not play provide no zero.
    assert_eq!(
        of(&pairs(0, 1, &mixed), &[2]).agents,
        rate(&pairs(0, 1, &mixed), 3, Errors::Clustered).agents
    );
}

#[test]
fn an_agent_without_games_has_no_interval() {
    let games = pairs(
        0,
        2,
        &[(true, true), (false, false), (true, false), (false, true)],
    );
    let ratings = rate(&games, 4, Errors::Clustered);
    assert_eq!(ratings.agents[1].elo, Estimate::default());
    assert_eq!(ratings.agents[3].elo.low, None);
    assert!(ratings.connected);
    let none = rate(&[], 2, Errors::Clustered);
    assert_eq!((none.agents.len(), none.first_player.error), (2, None));
}

/// Tournaments of agents so far apart that the results alone often do not allow finite ratings. For these:
/// how often intervals contain the truth, and the mean rating of the best agent.
#[test]
fn intervals_cover_the_truth_where_the_prior_is_used() {
    let truth: [f64; 6] = [700.0, 550.0, -50.0, -150.0, -250.0, -800.0];
    let (mut used, mut ratings, mut best, mut seats) = (0, 0, 0.0, 0);
    let inside = |estimate: Estimate, truth: f64| {
        let above = estimate.low.is_none_or(|low| low <= truth);
        let below = estimate.high.is_none_or(|high| truth <= high);
        u32::from(above && below)
    };
    for tournament in 0..300 {
        let mut rng = stream(&[42, tournament]);
        let mut games = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                for _ in 0..8 {
                    let cluster = games.len() as u64;
                    for (first, second) in [(a, b), (b, a)] {
                        let gap = truth[first] - truth[second] + ADVANTAGE;
                        games.push(RatedGame {
                            cluster,
                            first,
                            second,
                            score: (uniform(&mut rng) < 1.0 / (1.0 + 10f64.powf(-gap / 400.0)))
                                .into(),
                        });
                    }
                }
            }
        }
        let rated = rate(&games, truth.len(), Errors::Clustered);
        if !rated.prior_used {
            continue;
        }
        used += 1;
        best += value(rated.agents[0].elo);
        seats += inside(rated.first_player, ADVANTAGE);
        // Ratings are relative to the agents that are not separated, or to all agents if all are.
        let all = rated.agents.iter().all(|rating| rating.separated);
        let reference = rated.agents.iter().zip(truth);
        let reference: Vec<f64> = reference
            .filter(|(rating, _)| all || !rating.separated)
            .map(|(_, truth)| truth)
            .collect();
        let mean = reference.iter().sum::<f64>() / reference.len() as f64;
        for (rating, truth) in rated.agents.iter().zip(truth) {
            ratings += inside(rating.elo, truth - mean);
        }
    }
    assert!(used > 50, "{used} of 300 tournaments are about the prior");
    let used = f64::from(used);
    let (ratings, seats) = (f64::from(ratings) / used / 6.0, f64::from(seats) / used);
    println!(
        "{used} with the prior: {ratings}, seat {seats}, best {}",
        best / used
    );
    assert!(ratings > 0.93 && seats > 0.93, "{ratings} {seats}");
    assert!((600.0..900.0).contains(&(best / used)), "{}", best / used);
}

#[test]
fn a_draw_is_half_a_win_for_each() {
    use patchwork_rating::GameScore::{self, Draw, Loss, Win};
    // 30 wins, 40 draws and 10 losses of agent 0 from either seat: 62.5% of the points.
    let scores = [(Win, 30), (Draw, 40), (Loss, 10)];
    let games = |scores: &[(GameScore, u64)]| -> Vec<RatedGame> {
        let all = scores
            .iter()
            .flat_map(|&(score, count): &(GameScore, u64)| (0..count).map(move |_| score));
        (0..)
            .zip(all)
            .flat_map(|(i, score)| {
                [false, true].map(|swapped| RatedGame {
                    cluster: 2 * i + u64::from(swapped),
                    first: usize::from(swapped),
                    second: usize::from(!swapped),
                    score: if swapped { score.reversed() } else { score },
                })
            })
            .collect()
    };
    let rated = rate(&games(&scores), 2, Errors::Independent);
    let expected = 400.0 * (0.625_f64 / 0.375).log10();
    let ahead = rated.difference(0, 1).and_then(|gap| gap.value);
    assert!((ahead.expect("they met") - expected).abs() < 1e-6);
    // Only draws: equal ratings, without a prior and without a mark.
    let rated = rate(&games(&[(Draw, 9)]), 2, Errors::Independent);
    assert!(!rated.prior_used && !rated.agents[0].perfect && !rated.agents[0].separated);
    assert!(value(rated.agents[0].elo).abs() < 1e-9);
}

/// Pairs with draws between two agents: the ratings say what the calculator of sequential tests says.
#[test]
fn ratings_and_the_calculator_agree_about_pairs() {
    use patchwork_rating::GameScore::{Draw, Loss, Win};
    use patchwork_rating::sprt::PairCounts;
    for counts in [[10, 40, 80, 50, 20], [3, 1, 9, 2, 1], [0, 2, 10, 30, 58]] {
        let mut games = Vec::new();
        let scores = [
            (Loss, Loss),
            (Loss, Draw),
            (Draw, Draw),
            (Win, Draw),
            (Win, Win),
        ];
        for (score, count) in scores.into_iter().zip(counts) {
            for number in 0..count {
                let cluster = games.len() as u64;
                let (one, two) = if number % 2 == 0 {
                    score
                } else {
                    (score.1, score.0)
                };
                for (first, score) in [(0, one), (1, two.reversed())] {
                    games.push(RatedGame {
                        cluster,
                        first,
                        second: 1 - first,
                        score,
                    });
                }
            }
        }
        let ratings = rate(&games, 2, Errors::Clustered);
        let (found, pairs) = (
            ratings.difference(0, 1).expect("they met"),
            PairCounts(counts).estimate(),
        );
        let (los, ends) = (
            ratings.superiority(0, 1),
            found.interval().zip(pairs.elo.interval()),
        );
        let ((low, high), (pair_low, pair_high)) = ends.expect("intervals");
        assert!(
            (value(found) - value(pairs.elo)).abs() < 0.05,
            "{found:?} {pairs:?}"
        );
        assert!((low - pair_low).abs() < 0.05 && (high - pair_high).abs() < 0.05);
        assert_eq!(los, pairs.los);
        assert_eq!(
            ratings
                .superiority(1, 0)
                .zip(los)
                .map(|(one, other)| one + other),
            Some(1.0)
        );
        let behind = ratings.difference(1, 0).expect("they met");
        assert!((behind.low.expect("an end") + high).abs() < 1e-9);
        let half = ratings.agents[0].elo.high.expect("an end");
        assert!((2.0 * half - high).abs() < 1e-6);
        // Two equal agents would draw these games as often.
        let drawn = games.iter().filter(|game| game.score == Draw).count() as f64;
        let (share, nu) = ratings.draws().expect("draws");
        assert!(
            (share - drawn / games.len() as f64).abs() < if counts[0] > 0 { 0.03 } else { 1.0 }
        );
        assert!((share - nu / (2.0 + nu)).abs() < 1e-12);
    }
}
