//! Ratings against golden numbers and against simulated tournaments whose truth is known.

use std::collections::HashMap;
use std::path::Path;

use patchwork_arena::rng::{Rng, below, stream};
use patchwork_arena::stats::{Errors, Estimate, Game, Ratings, rate};
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

fn data(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_games(file: &str, names: &[String]) -> Vec<Game> {
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
            Game {
                cluster: pairing << 32 | row.pair,
                first: agent(&row.first),
                second: agent(&row.second),
                first_won: row.winner == "first",
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
                (estimate.elo - golden.elo).abs() < 0.05
                    && (error / golden.standard_error - 1.0).abs() < 0.01,
                "{file} {what}: {} +- {error}, golden {} +- {}",
                estimate.elo,
                golden.elo,
                golden.standard_error
            );
        };
        for (rating, golden) in ratings.agents.iter().zip(&golden.ratings) {
            close(&golden.agent, rating.estimate, golden);
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
        assert_eq!(
            clustered.agents[0].estimate.elo,
            ratings.agents[0].estimate.elo
        );
        assert_eq!(clustered.rho, ratings.rho);
    }
}

const TRUTH: [f64; 4] = [120.0, 40.0, -30.0, -130.0];
const ADVANTAGE: f64 = 35.0;

fn uniform(rng: &mut Rng) -> f64 {
    f64::from(below(1 << 30, rng)) / f64::from(1 << 30)
}

/// Whom a setup favours.
#[derive(Clone, Copy, PartialEq)]
enum Luck {
    /// The same seat in both games.
    Seat,
    /// The same agent in both games.
    Agent,
}

/// A round robin of 60 pairs a pairing. In `shared` of the pairs one draw decides both games, so
/// that each game still has the win probability of the model.
fn simulate(luck: Luck, shared: f64, rng: &mut Rng) -> Vec<Game> {
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
                    games.push(Game {
                        cluster,
                        first,
                        second,
                        first_won: draw < 1.0 / (1.0 + 10f64.powf(-gap / 400.0)),
                    });
                }
            }
        }
    }
    games
}

/// How many of 200 tournaments have the truth in the interval: of all ratings, and of the advantage.
fn coverage(luck: Luck, shared: f64, errors: Errors) -> (f64, f64) {
    let inside = |estimate: Estimate, truth: f64| {
        let interval = estimate.low().zip(estimate.high());
        interval.is_some_and(|(low, high)| low <= truth && truth <= high)
    };
    let (mut ratings, mut advantages) = (0, 0);
    for tournament in 0..200 {
        let games = simulate(luck, shared, &mut stream(&[41, tournament]));
        let rated = rate(&games, TRUTH.len(), errors);
        for (rating, truth) in rated.agents.iter().zip(TRUTH) {
            ratings += u32::from(inside(rating.estimate, truth));
        }
        advantages += u32::from(inside(rated.first_player, ADVANTAGE));
    }
    (f64::from(ratings) / 800.0, f64::from(advantages) / 200.0)
}

#[test]
fn intervals_cover_the_truth_95_times_in_100() {
    for (luck, shared) in [
        (Luck::Seat, 0.0),
        (Luck::Seat, 0.6),
        (Luck::Agent, 0.3),
        (Luck::Agent, 0.6),
    ] {
        let (ratings, advantage) = coverage(luck, shared, Errors::Clustered);
        for share in [ratings, advantage] {
            assert!(
                (0.91..=0.985).contains(&share),
                "{ratings} and {advantage} of {shared}"
            );
        }
    }
}

#[test]
fn pairs_taken_as_independent_mislead() {
    let (ratings, advantage) = coverage(Luck::Seat, 0.6, Errors::Independent);
    assert!(
        ratings > 0.98 && advantage < 0.91,
        "{ratings} and {advantage}"
    );
    let (ratings, _) = coverage(Luck::Agent, 0.6, Errors::Independent);
    assert!(ratings < 0.91, "{ratings}");
}

/// Pairs between `a` and `b`; the outcomes are those of `a` in leg 0 and leg 1.
fn pairs(a: usize, b: usize, outcomes: &[(bool, bool)]) -> Vec<Game> {
    let mut games = Vec::new();
    for (i, &(one, two)) in (0..).zip(outcomes) {
        let cluster = ((a * 100 + b) as u64) << 32 | i;
        games.push(Game {
            cluster,
            first: a,
            second: b,
            first_won: one,
        });
        games.push(Game {
            cluster,
            first: b,
            second: a,
            first_won: !two,
        });
    }
    games
}

fn assert_sensible(ratings: &Ratings) {
    for rating in &ratings.agents {
        let estimate = rating.estimate;
        assert!(estimate.elo.is_finite() && estimate.elo.abs() < 4000.0);
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
    let rated = |games: &[Game], agents| rate(games, agents, Errors::Clustered);

    let ratings = rated(&pairs(0, 1, &mixed), 2);
    assert!(!ratings.prior_used && !ratings.agents[0].perfect);

    // One agent won everything.
    let ratings = rated(&pairs(0, 1, &[won; 10]), 2);
    assert!(ratings.prior_used && ratings.agents[0].perfect && ratings.agents[1].perfect);
    assert!(ratings.agents[0].estimate.elo > 200.0);

    // The first player won everything.
    let ratings = rated(&pairs(0, 1, &[first; 10]), 2);
    assert!(ratings.prior_used && !ratings.agents[0].perfect);
    assert!(ratings.first_player.elo > 300.0 && ratings.agents[0].estimate.elo.abs() < 1e-6);

    // Seats were never swapped: the advantage cannot be told from the agents' strengths.
    let one_way: Vec<Game> = pairs(0, 1, &mixed).into_iter().step_by(2).collect();
    assert!(rated(&one_way, 2).prior_used);

    // Nobody is perfect, but the first two never lost to the other two.
    let mut games = pairs(0, 1, &mixed);
    games.extend(pairs(2, 3, &mixed));
    let apart = rated(&games, 4);
    assert!(!apart.connected && !apart.prior_used);
    games.extend(pairs(1, 2, &[won; 4]));
    let ratings = rated(&games, 4);
    assert!(ratings.connected && ratings.prior_used);
    assert!(ratings.agents.iter().all(|rating| !rating.perfect));
    assert!(ratings.agents[1].estimate.elo > ratings.agents[2].estimate.elo + 100.0);

    // Each agent wins and loses, and so does each seat, but some direction explains all results.
    let mut games = pairs(0, 1, &[first; 5]);
    games.extend(pairs(1, 2, &[first; 5]));
    games.extend(pairs(0, 2, &[won; 5]));
    let ratings = rated(&games, 3);
    assert!(ratings.prior_used && ratings.connected);
    assert_sensible(&ratings);
}

#[test]
fn an_agent_without_games_has_no_interval() {
    let games = pairs(
        0,
        2,
        &[(true, true), (false, false), (true, false), (false, true)],
    );
    let ratings = rate(&games, 4, Errors::Clustered);
    assert_eq!(ratings.agents[1].estimate, Estimate::default());
    assert_eq!(ratings.agents[3].estimate.low(), None);
    assert!(ratings.connected);
    let none = rate(&[], 2, Errors::Clustered);
    assert_eq!((none.agents.len(), none.first_player.error), (2, None));
}
