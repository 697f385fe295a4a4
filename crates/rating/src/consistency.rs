//! Tests whether ratings explain the results: observed against expected results of each pairing.

mod fit_test;

use std::collections::BTreeMap;

use serde::Serialize;

use self::fit_test::{Cell, PairingFitTest, PairingMoments, SetupScores};
use super::distribution::chi_square_above;
use super::elo::{Errors, Options, Ratings};
use super::game::{GamesInOrder, RatedGame, each_run, name_of};
use super::graph::{Seating, alias};
use super::logistic::{SCALE, probability, variance};
use super::matrix::dot;

/// In each cell of the test, both sides are expected to win at least this many games; with fewer,
/// the chi-square approximation is poor.
pub const MIN_EXPECTED: f64 = 5.0;

/// Pairings with fewer expected wins are pooled into at most this many cells.
const MAX_POOLS: f64 = 200.0;

/// Below this p-value, ratings do not explain the results.
pub const INCONSISTENT: f64 = 0.01;

/// How well one rating per agent explains the results of all pairings.
///
/// Ratings are transitive: they cannot represent three agents each of which beats the next. The
/// chi-square statistic compares them with a model in which every pairing has its own strength
/// difference, by generalized least squares at the fitted ratings. The two games of a pair are
/// correlated as the ratings found for the pairing, unless all games are treated as independent. Pairings with few expected
/// wins are pooled: how much better than expected their weaker agents do, all alike, is then one parameter.
///
/// If pairings share setups, games on one setup may depend on each other in any way: an agent may like
/// the setup against every opponent. The weights then stay the same, but the statistic is divided by its
/// mean under the hypothesis, which is estimated with setups as clusters, per degree of freedom (Rao and
/// Scott, JASA 1981), and compared with an F distribution (Box, Annals of Mathematical Statistics 1954).
/// The inverse of the whole covariance of the pairings is not used: it would need many more setups than
/// degrees of freedom.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Consistency {
    /// Number of cells of the test: pairings in which each agent is expected to win at least 5 games, and pools of others in
    /// which the weaker agents together are.
    pub tested: u64,
    /// No value if there are no more tested pairings than the ratings need, or a single setup for all games.
    pub chi_square: Option<f64>,
    /// Degrees of freedom: the number of additional parameters in the larger model.
    pub freedom: u64,
    /// [`ONE_ELO`](crate::statistic::ONE_ELO).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::ONE_ELO.about))]
    pub p: Option<f64>,
    /// All pairings of two agents that met, the most surprising first; those without a surprise
    /// come last.
    pub pairings: Vec<PairingFit>,
}

/// The results of a pairing compared with what the ratings predict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingFit {
    /// The agent with the smaller index.
    pub a: String,
    /// The other agent.
    pub b: String,
    /// Games they played against each other.
    pub games: u64,
    /// Games that `a` won.
    pub wins: u64,
    /// [`EXPECTED_WINS`](crate::statistic::EXPECTED_WINS).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::EXPECTED_WINS.about))]
    pub expected: f64,
    /// [`SURPRISE`](crate::statistic::SURPRISE).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::SURPRISE.about))]
    pub surprise: Option<f64>,
}

/// The games of a pairing; index 0 is for those in which its first agent moved first.
#[derive(Clone, Copy, Debug, Default)]
struct PairingGames {
    games: [f64; 2],
    /// Games won by the pairing's first agent.
    wins: [f64; 2],
    /// Number of couples of games of the same pair with the same seats.
    alike: [f64; 2],
    /// Number of couples of games of the same pair with swapped seats.
    swapped: f64,
}

/// Compares the results of each pairing with the ratings computed from the same games.
///
/// Of the `options`, which may be just [`Errors`], the dependence between games and the setups are used.
pub fn consistency<'a>(
    names: &[String],
    games: &[RatedGame],
    ratings: &Ratings,
    options: impl Into<Options<'a>>,
) -> Consistency {
    consistency_by(names, games.len(), &|i| games[i], ratings, options.into())
}

/// Like [`consistency`], for `count` games that are looked up by their index.
pub fn consistency_by(
    names: &[String],
    count: usize,
    game: &dyn Fn(usize) -> RatedGame,
    ratings: &Ratings,
    options: Options<'_>,
) -> Consistency {
    let Options {
        errors,
        setups,
        seats,
        ..
    } = options;
    let agents = ratings.agents.len();
    let own = |i: usize| {
        let (game, term) = (game(i), seats.map_or(0, |seats| usize::from(seats[i])));
        let [first, second] = [game.first, game.second].map(|agent| alias(agent, term, agents));
        RatedGame {
            first,
            second,
            ..game
        }
    };
    let blocks = blocks(count, &own);
    let rho = |&(a, b): &Seating| match errors {
        Errors::Independent => 0.0,
        Errors::Clustered => ratings.correlation(a % agents, b % agents, a / agents),
    };
    let logits = |&(a, b): &Seating| {
        let [one, other] = [a, b].map(|agent| ratings.elo(agent % agents) / SCALE);
        let seat = ratings.seat(a / agents) / SCALE;
        [one - other + seat, one - other - seat]
    };
    let chances = |pairing: &Seating| logits(pairing).map(probability);
    let expected = |pairing: &Seating, block: &PairingGames| dot(&block.games, &chances(pairing));
    let all: Vec<(Seating, PairingMoments)> = blocks
        .iter()
        .map(|(pairing, block)| {
            let moments =
                block.moments(logits(pairing), rho(pairing), &|logit| ratings.noise(logit));
            (*pairing, moments)
        })
        .collect();
    // What the weaker agent is expected to win, as negative if it is the second one.
    let least = blocks.iter().map(|(pairing, block)| {
        let wins = expected(pairing, block);
        let losses = block.games[0] + block.games[1] - wins;
        if wins < losses { wins } else { -losses }
    });
    let test = PairingFitTest::new(&all, agents, &cells(&least.collect::<Vec<f64>>()));
    let shared = setups
        .filter(|_| errors == Errors::Clustered)
        .map(|setups| SetupScores::new(&test, &all, count, &|i| (own(i), setups[i]), &chances));
    let surprises: BTreeMap<Seating, f64> = (0..)
        .zip(&all)
        .filter_map(|(at, (pairing, moments))| {
            let surprise = test.surprise(at, *pairing, moments, shared.as_ref())?;
            Some((*pairing, surprise))
        })
        .collect();
    let mut pairings: Vec<PairingFit> = blocks
        .iter()
        .map(|(pairing, block)| PairingFit {
            a: name_of(names, pairing.0 % agents),
            b: name_of(names, pairing.1 % agents),
            games: (block.games[0] + block.games[1]) as u64,
            wins: (block.wins[0] + block.wins[1]) as u64,
            expected: expected(pairing, block),
            surprise: surprises.get(pairing).copied(),
        })
        .collect();
    let size = |fit: &PairingFit| fit.surprise.map_or(-1.0, f64::abs);
    pairings.sort_by(|one, other| size(other).total_cmp(&size(one)));
    let (chi_square, freedom) = test.chi_square(&all);
    let (chi_square, p) = match (chi_square, &shared) {
        (Some(chi_square), Some(shared)) => shared.adjusted(chi_square, freedom).unzip(),
        (found, _) => (found, found.map(|found| chi_square_above(found, freedom))),
    };
    Consistency {
        tested: test.cells(),
        chi_square,
        freedom,
        p,
        pairings,
    }
}

/// The cells of pairings, given what the weaker agent of each is expected to win. A pairing in which that is enough is a cell
/// of its own. The others are pooled, those with the most first, until a pool has enough.
fn cells(least: &[f64]) -> Vec<Cell> {
    let small = |at: &usize| least[*at].abs() < MIN_EXPECTED;
    let mut order: Vec<usize> = (0..least.len()).filter(small).collect();
    order.sort_by(|&one, &other| least[other].abs().total_cmp(&least[one].abs()));
    let sum: f64 = order.iter().map(|&at| least[at].abs()).sum();
    let enough = MIN_EXPECTED.max(sum / MAX_POOLS);
    let (mut pools, mut wins) = (vec![Vec::new()], 0.0);
    for at in order {
        if wins >= enough {
            pools.push(Vec::new());
            wins = 0.0;
        }
        wins += least[at].abs();
        pools.last_mut().expect("a pool").push(at);
    }
    // What is not enough for a pool joins the one before or, without one, has no parameter.
    let rest = if wins < enough { pools.pop() } else { None };
    let mut cells = vec![Cell::Own; least.len()];
    for at in rest.into_iter().flatten() {
        match pools.last_mut() {
            Some(pool) => pool.push(at),
            None => cells[at] = Cell::Pooled(None),
        }
    }
    for (number, pool) in pools.into_iter().enumerate() {
        pool.into_iter()
            .for_each(|at| cells[at] = Cell::Pooled(Some((number, least[at].signum()))));
    }
    cells
}

/// Games by the agents' indices, the smaller one first. An agent's games against itself are left
/// out.
fn blocks(count: usize, game: &dyn Fn(usize) -> RatedGame) -> BTreeMap<Seating, PairingGames> {
    let key = |game: &RatedGame| (game.cluster, game.by_agents().0);
    let of_two = |game: &RatedGame| game.first != game.second;
    let games = GamesInOrder::new(count, game, of_two, |a, b| key(a).cmp(&key(b)));
    let mut blocks: BTreeMap<Seating, PairingGames> = BTreeMap::new();
    // The sums are of whole and half numbers, so the order of the pairs does not matter.
    each_run(
        games.iter(),
        |a, b| key(a) == key(b),
        |pair| {
            let block = blocks.entry(key(&pair[0]).1).or_default();
            let mut seats = [0.0; 2];
            for game in pair {
                let (_, seat, points) = game.by_agents();
                seats[seat] += 1.0;
                block.games[seat] += 1.0;
                block.wins[seat] += points;
            }
            for (alike, games) in block.alike.iter_mut().zip(seats) {
                *alike += games * (games - 1.0) / 2.0;
            }
            block.swapped += seats[0] * seats[1];
        },
    );
    blocks
}

impl PairingGames {
    /// Least squares with the variances and covariances of the results. Results are those of the
    /// pairing's first agent, whose results in the two games of a pair have correlation `rho`.
    fn moments(&self, logits: [f64; 2], rho: f64, noise: &dyn Fn(f64) -> f64) -> PairingMoments {
        let variances = logits.map(noise);
        let residuals: [f64; 2] =
            std::array::from_fn(|i| self.wins[i] - self.games[i] * probability(logits[i]));
        let slopes: [f64; 2] = std::array::from_fn(|i| self.games[i] * variance(logits[i]));
        let spreads: [f64; 2] =
            std::array::from_fn(|i| variances[i] * (self.games[i] + 2.0 * rho * self.alike[i]));
        let mut covariance = rho * self.swapped * (variances[0] * variances[1]).sqrt();
        let product = spreads[0] * spreads[1];
        // Nearly identical results would be weighted by the inverse of nearly 0.
        let most = 0.99 * product.max(0.0).sqrt();
        covariance = covariance.clamp(-most, most);
        let inverse = |x: [f64; 2], y: [f64; 2]| {
            if product > 0.0 {
                let determinant = product - covariance * covariance;
                (x[0] * y[0] * spreads[1] + x[1] * y[1] * spreads[0]
                    - (x[0] * y[1] + x[1] * y[0]) * covariance)
                    / determinant
            } else {
                // The pairing was played in one seating only.
                let own = |i: usize| {
                    if spreads[i] > 0.0 {
                        x[i] * y[i] / spreads[i]
                    } else {
                        0.0
                    }
                };
                own(0) + own(1)
            }
        };
        let seat = [slopes[0], -slopes[1]];
        PairingMoments {
            information: [
                inverse(slopes, slopes),
                inverse(slopes, seat),
                inverse(seat, seat),
            ],
            score: [inverse(slopes, residuals), inverse(seat, residuals)],
            weights: [[1.0, 0.0], [0.0, 1.0]].map(|one| [inverse(slopes, one), inverse(seat, one)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::{below, stream};

    use crate::distribution::f_above;
    use crate::matrix::{Matrix, fix_means};
    use crate::rate;
    use crate::share::UNRELATED_PAIRS;

    /// Games of which `a` won `wins`, in both seats.
    fn pairing(a: usize, b: usize, wins: u64, games: u64) -> impl Iterator<Item = RatedGame> {
        (0..2 * games).map(move |i| {
            let (game, swapped) = (i / 2, i % 2 == 1);
            RatedGame {
                cluster: ((a * 10 + b) as u64) << 32 | i,
                first: if swapped { b } else { a },
                second: if swapped { a } else { b },
                score: ((game < wins) != swapped).into(),
            }
        })
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("agent {i}")).collect()
    }

    fn tested(games: &[RatedGame], agents: usize) -> Consistency {
        let ratings = rate(games, agents, Errors::Independent);
        consistency(&names(agents), games, &ratings, Errors::Independent)
    }

    #[test]
    fn a_circle_of_three_is_seen_and_has_the_chi_square_of_the_textbook() {
        let games: Vec<RatedGame> = pairing(0, 1, 60, 100)
            .chain(pairing(1, 2, 60, 100))
            .chain(pairing(2, 0, 60, 100))
            .collect();
        let found = tested(&games, 3);
        // All are rated alike: (120 - 100)^2 / (200 / 4) for each of the three.
        assert_eq!(found.freedom, 1);
        assert!((found.chi_square.expect("a test") - 24.0).abs() < 1e-6);
        assert!(found.p.is_some_and(|p| p < 1e-5));
        assert_eq!(found.pairings.len(), 3);
        for fit in &found.pairings {
            assert!((fit.expected - 100.0).abs() < 1e-6);
            // The single degree of freedom shows in each pairing.
            assert!((fit.surprise.expect("tested").abs() - 24f64.sqrt()).abs() < 1e-6);
            assert_eq!(fit.surprise > Some(0.0), fit.wins > 100);
        }
    }

    #[test]
    fn what_cannot_be_tested_is_not() {
        // Two agents; a tree of agents; an agent that is expected to win nothing.
        let two: Vec<RatedGame> = pairing(0, 1, 7, 10).collect();
        assert_eq!(tested(&two, 2).chi_square, None);
        assert_eq!(tested(&two, 2).pairings[0].surprise, None);
        let tree: Vec<RatedGame> = pairing(0, 1, 7, 10).chain(pairing(0, 2, 4, 10)).collect();
        let found = tested(&tree, 4);
        assert_eq!((found.freedom, found.p, found.pairings.len()), (0, None, 2));
        let hopeless: Vec<RatedGame> = pairing(0, 1, 7, 10)
            .chain(pairing(0, 2, 10, 10))
            .chain(pairing(1, 2, 10, 10))
            .collect();
        let found = tested(&hopeless, 3);
        assert!(found.chi_square.is_none_or(f64::is_finite));
        assert_eq!(tested(&[], 3), Consistency::default());
    }

    #[test]
    fn pairings_with_few_expected_wins_are_pooled() {
        let pooled = |sign| Cell::Pooled(Some((0, sign)));
        // The rest of 1.5 wins joins the pool of 5.
        let found = cells(&[6.0, -7.0, 2.0, -3.0, 1.0, -0.5]);
        let own = Cell::Own;
        assert_eq!(
            found,
            [
                own,
                own,
                pooled(1.0),
                pooled(-1.0),
                pooled(1.0),
                pooled(-1.0)
            ]
        );
        // Too little for a pool.
        assert_eq!(
            cells(&[2.0, 9.0, -2.0]),
            [Cell::Pooled(None), own, Cell::Pooled(None)]
        );
    }

    #[test]
    fn each_term_for_moving_first_is_fitted_by_its_own_games() {
        let mut rng = stream(&[64]);
        let mut once: Vec<RatedGame> = Vec::new();
        for (pair, (a, b)) in (0..240).zip(
            [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
                .into_iter()
                .cycle(),
        ) {
            // The first player is strong, and a third of pairs goes to one agent.
            let both = (below(3, &mut rng) == 0).then(|| below(2, &mut rng) == 0);
            for (first, second) in [(a, b), (b, a)] {
                let won = both.map_or(below(10, &mut rng) < 8, |both| both == (first == a));
                once.push(RatedGame {
                    cluster: pair,
                    first,
                    second,
                    score: won.into(),
                });
            }
        }
        // The same games with other rules, or those with the seats exchanged, whose first player is as weak.
        let tested = |exchanged: bool| {
            let again = once.iter().map(|game| match exchanged {
                false => RatedGame {
                    cluster: game.cluster + 1000,
                    ..*game
                },
                true => RatedGame {
                    cluster: game.cluster + 1000,
                    first: game.second,
                    second: game.first,
                    score: game.score.reversed(),
                },
            });
            let games: Vec<RatedGame> = once.iter().copied().chain(again).collect();
            let seats: Vec<u16> = (0..games.len()).map(|i| (i >= once.len()).into()).collect();
            let options = Options {
                seats: Some(&seats),
                ..Errors::Clustered.into()
            };
            let ratings = rate(&games, 4, options);
            consistency(&names(4), &games, &ratings, options)
        };
        let [same, exchanged] =
            [false, true].map(|exchanged| tested(exchanged).chi_square.expect("a test"));
        assert!((same - exchanged).abs() < 1e-6 * same, "{same} {exchanged}");
    }

    #[test]
    fn games_in_one_seating_are_no_obstacle() {
        let one_way = |a: usize, b: usize, wins: u64| {
            pairing(a, b, wins, 40).filter(|game| game.first < game.second)
        };
        let games: Vec<RatedGame> = one_way(0, 1, 25)
            .chain(one_way(1, 2, 25))
            .chain(one_way(0, 2, 20))
            .collect();
        let found = tested(&games, 3);
        assert!(found.chi_square.is_none_or(f64::is_finite));
        assert!(found.p.is_none_or(|p| (0.0..=1.0).contains(&p)));
    }

    /// Three games of four on each of some rings, some of which an agent likes against everybody.
    fn on_rings(agents: usize, rings: u64) -> (Vec<RatedGame>, Vec<u64>) {
        let (mut games, mut setups) = (Vec::new(), Vec::new());
        for ring in 0..rings {
            for a in 0..agents {
                for b in a + 1..agents {
                    for (leg, (first, second)) in (0..).zip([(a, b), (b, a)]) {
                        let number = ring * 7 + (first * 5 + second * 3) as u64 + leg;
                        if number.is_multiple_of(4) {
                            continue;
                        }
                        let likes = first as u64 == ring % agents as u64;
                        setups.push(ring + 10);
                        games.push(RatedGame {
                            cluster: (a * agents + b) as u64 * rings + ring,
                            first,
                            second,
                            score: (likes || number * number % 5 < 2).into(),
                        });
                    }
                }
            }
        }
        (games, setups)
    }

    /// The mean of the statistic per degree of freedom, and the variances of the scores of the pairings, by whole matrices:
    /// the scores of each ring minus their mean, and what they contribute when the ratings have been fitted.
    #[test]
    fn clusters_give_what_whole_matrices_give() {
        let (agents, rings) = (4, 9);
        let (games, setups) = on_rings(agents, rings);
        let ratings = rate(&games, agents, Errors::Clustered);
        let options = Options {
            setups: Some(&setups),
            ..Options::default()
        };
        let found = consistency(&names(agents), &games, &ratings, options);
        let alone = consistency(&names(agents), &games, &ratings, Errors::Clustered);
        let (chi_square, freedom) = (alone.chi_square.expect("a test"), alone.freedom);

        let logits = |&(a, b): &Seating| {
            let [one, other] = [a, b].map(|agent| ratings.elo(agent) / SCALE);
            [1.0, -1.0].map(|sign| one - other + sign * ratings.seat(0) / SCALE)
        };
        let pairings = blocks(games.len(), &|i| games[i]);
        let moments: Vec<(Seating, PairingMoments)> = pairings
            .iter()
            .map(|(pairing, block)| {
                let rho = ratings.correlation(pairing.0, pairing.1, 0);
                (*pairing, block.moments(logits(pairing), rho, &variance))
            })
            .collect();
        let seat = moments.len();
        let mut information = Matrix::zero(seat + 1);
        let mut ridge = Matrix::zero(agents + 1);
        for (at, (pairing, of)) in moments.iter().enumerate() {
            let [own, mixed, both] = of.information;
            let (x, unit) = ([(at, 1.0)], [(seat, 1.0)]);
            information.add_outer(own, &x, &x);
            information.add_outer(mixed, &x, &unit);
            information.add_outer(mixed, &unit, &x);
            information.add_outer(both, &unit, &unit);
            let (x, unit) = ([(pairing.0, 1.0), (pairing.1, -1.0)], [(agents, 1.0)]);
            ridge.add_outer(own, &x, &x);
            ridge.add_outer(mixed, &x, &unit);
            ridge.add_outer(mixed, &unit, &x);
            ridge.add_outer(both, &unit, &unit);
        }
        fix_means(&mut ridge, &vec![0; agents]);
        let (full, fitted) = (
            information.inverse().expect("full"),
            ridge.inverse().expect("full"),
        );
        let mut scores = vec![vec![0.0; seat + 1]; rings as usize];
        for (game, setup) in games.iter().zip(&setups) {
            let (pairing, side, points) = game.by_agents();
            let at = moments
                .iter()
                .position(|(other, _)| *other == pairing)
                .expect("met");
            let off = points - probability(logits(&pairing)[side]);
            let weights = moments[at].1.weights[side];
            scores[*setup as usize - 10][at] += weights[0] * off;
            scores[*setup as usize - 10][seat] += weights[1] * off;
        }
        let n = rings as f64;
        let total = |i: usize| scores.iter().map(|score| score[i]).sum::<f64>();
        for (at, (_, of)) in moments.iter().enumerate() {
            assert!(
                (total(at) - of.score[0]).abs() < 1e-9,
                "weights and scores agree"
            );
        }
        let mean: Vec<f64> = (0..=seat).map(|i| total(i) / n).collect();
        let of_agents = |score: &[f64]| {
            let mut sums = vec![0.0; agents + 1];
            for (((a, b), _), score) in moments.iter().zip(score) {
                sums[*a] += score;
                sums[*b] -= score;
            }
            sums[agents] = score[seat];
            sums
        };
        let mut statistic = 0.0;
        let mut variances = vec![0.0; seat];
        for score in &scores {
            let off: Vec<f64> = score
                .iter()
                .zip(&mean)
                .map(|(one, mean)| one - mean)
                .collect();
            let sums = of_agents(&off);
            let solution = fitted.times(&sums);
            statistic += dot(&off, &full.times(&off)) - dot(&sums, &solution);
            for (at, ((a, b), of)) in moments.iter().enumerate() {
                let [own, mixed, _] = of.information;
                let predicted = own * (solution[*a] - solution[*b]) + mixed * solution[agents];
                variances[at] += n * (off[at] - predicted).powi(2) / (n - 1.0);
            }
        }
        let per_freedom = n * statistic / (n - 1.0) / freedom as f64;
        let mean = (n * per_freedom + UNRELATED_PAIRS) / (n + UNRELATED_PAIRS);
        let adjusted = found.chi_square.expect("a test");
        assert!((adjusted - chi_square / mean).abs() < 1e-8, "{adjusted}");
        let q = freedom as f64;
        assert_eq!(found.p, Some(f_above(adjusted / q, q, q * (n - 1.0))));
        for fit in &found.pairings {
            let same = |other: &&PairingFit| (&other.a, &other.b) == (&fit.a, &fit.b);
            let model = alone.pairings.iter().find(same).expect("the same pairings");
            let [surprise, before] = [fit.surprise, model.surprise].map(|z| z.expect("tested"));
            // Of the score and its variance, the ratio of the two variances remains.
            let place = |name: &str| names(agents).iter().position(|other| other == name);
            let pairing = (place(&fit.a).expect("one"), place(&fit.b).expect("one"));
            let at = moments
                .iter()
                .position(|(other, _)| *other == pairing)
                .expect("met");
            let [own, mixed, _] = moments[at].1.information;
            let mut gradient = vec![0.0; agents + 1];
            gradient[pairing.0] = own;
            gradient[pairing.1] = -own;
            gradient[agents] = mixed;
            let information = own - dot(&gradient, &fitted.times(&gradient));
            let variance =
                (n * variances[at] + UNRELATED_PAIRS * information) / (n + UNRELATED_PAIRS);
            let expected = before * (information / variance).sqrt();
            assert!((surprise - expected).abs() < 1e-8, "{surprise} {expected}");
        }
        // With one ring for all games, nothing is known about its chance.
        let one = Options {
            setups: Some(&vec![1; games.len()]),
            ..Options::default()
        };
        let single = consistency(&names(agents), &games, &ratings, one);
        assert_eq!(
            (single.chi_square, single.p, single.freedom),
            (None, None, freedom)
        );
        assert!(single.pairings.iter().all(|fit| fit.surprise.is_none()));
    }
}
