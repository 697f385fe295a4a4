//! A ranking that needs no transitivity: the maximal lottery.
//!
//! Each agent gets a share. An opponent that is drawn with these shares is beaten by nobody: no agent is expected to win more
//! than half of its games against it. The shares are the optimal strategy of the game in which two sides each name an agent
//! and the payoff is the score of one against the other (Fishburn, Review of Economic Studies 1984). Where one agent beats
//! every other one, it has all of the share; where three beat each other in a circle, each has a part.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::estimate::Estimate;
use super::game::name_of;
use super::graph::Seating;

/// The part of an agent in the maximal lottery.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LotteryShare {
    /// The agent.
    pub agent: String,
    /// Its share, 0 to 1. The 95% interval is that of a parametric bootstrap of the pairings' scores.
    pub share: Estimate,
}

/// The results of the pairs of a pairing, from the point of view of the agent with the smaller index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    pub(super) games: f64,
    pub(super) pairs: f64,
    /// Points minus half of the games.
    pub(super) ahead: f64,
    /// Sum over pairs of games of the square of `ahead`.
    pub(super) squares: f64,
}

impl Lead {
    /// The mean of the points in a game minus one half, and its standard error. One more pair for each agent keeps the error
    /// of few or unanimous results from being 0.
    fn score(&self) -> (f64, f64) {
        let (pairs, squares) = (self.pairs + 2.0, self.squares + 2.0);
        let spread = (squares - self.ahead * self.ahead / pairs).max(0.0);
        let error = (spread * pairs / (pairs - 1.0)).sqrt() / self.games;
        (self.ahead / self.games, error)
    }
}

/// With more agents, no lottery is computed.
const MAX_AGENTS: usize = 100;
/// The number of bootstrap samples.
const SAMPLES: usize = 1000;

/// The agents that have a share, the largest first. `expected` is the score that two agents are expected to have against each
/// other; it stands for the result of those that did not meet.
pub(super) fn lottery(
    names: &[String],
    leads: &BTreeMap<Seating, Lead>,
    expected: impl Fn(usize, usize) -> f64,
) -> Vec<LotteryShare> {
    let mut agents: Vec<usize> = leads.keys().flat_map(|&(a, b)| [a, b]).collect();
    agents.sort_unstable();
    agents.dedup();
    let count = agents.len();
    if count > MAX_AGENTS {
        return Vec::new();
    }
    // Of each two agents, in order: their places, and the score of the first minus one half with its error.
    let mut scores = Vec::new();
    for (i, &a) in agents.iter().enumerate() {
        for (j, &b) in agents.iter().enumerate().skip(i + 1) {
            let lead = leads.get(&(a, b)).map(Lead::score);
            scores.push((i, j, lead.unwrap_or_else(|| (expected(a, b) - 0.5, 0.0))));
        }
    }
    let shares_with = |mut noise: Option<&mut Xoshiro256PlusPlus>| {
        let mut payoffs = vec![vec![0.0; count]; count];
        for &(i, j, (mean, error)) in &scores {
            let noise = noise.as_mut().map_or(0.0, |random| error * normal(random));
            let score = (mean + noise).clamp(-0.5, 0.5);
            (payoffs[i][j], payoffs[j][i]) = (score, -score);
        }
        optimal(&payoffs)
    };
    let found = shares_with(None);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let samples: Vec<Vec<f64>> = (0..SAMPLES)
        .map(|_| shares_with(Some(&mut random)))
        .collect();
    let mut shares: Vec<LotteryShare> = (agents.iter().zip(found).enumerate())
        .map(|(place, (&agent, value))| {
            let mut drawn: Vec<f64> = samples.iter().map(|sample| sample[place]).collect();
            drawn.sort_by(f64::total_cmp);
            let at = |share: f64| drawn[(share * (SAMPLES - 1) as f64).round() as usize];
            LotteryShare {
                agent: name_of(names, agent),
                share: Estimate {
                    value: Some(value),
                    low: Some(at(0.025).min(value)),
                    high: Some(at(0.975).max(value)),
                    error: None,
                },
            }
        })
        .filter(|row| row.share.high > Some(0.0))
        .collect();
    shares.sort_by(|one, other| other.share.value.partial_cmp(&one.share.value).unwrap());
    shares
}

/// A draw from the normal distribution (Box and Muller, Annals of Mathematical Statistics 1958).
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let [one, two]: [f64; 2] = random.random();
    let radius = (-2.0 * libm::log(1.0 - one)).sqrt();
    radius * libm::cos(std::f64::consts::TAU * two)
}

/// The shares with which no column has a positive expected payoff, of an antisymmetric matrix with entries of at most 1/2: by
/// the simplex method on the payoffs plus 1, which are positive, so that the value of the game is 1.
fn optimal(payoffs: &[Vec<f64>]) -> Vec<f64> {
    let count = payoffs.len();
    // Maximise the sum of x with rows (payoffs of the opponents + 1) x <= 1. The columns are those of x, of the slack, and the
    // limit; the last row is the objective.
    let mut table: Vec<Vec<f64>> = (0..count)
        .map(|row| {
            let weights = payoffs[row].iter().map(|payoff| payoff + 1.0);
            let slack = (0..count).map(|column| f64::from(u8::from(column == row)));
            weights.chain(slack).chain([1.0]).collect()
        })
        .collect();
    table.push(
        (0..=2 * count)
            .map(|column| if column < count { -1.0 } else { 0.0 })
            .collect(),
    );
    let mut basis: Vec<usize> = (count..2 * count).collect();
    // Bland's rule: the first column and, among equals, the row of the first variable; so it ends.
    while let Some(column) = (0..2 * count).find(|&column| table[count][column] < -1e-12) {
        let ratio = |row: usize| table[row][2 * count] / table[row][column];
        let rows = (0..count).filter(|&row| table[row][column] > 1e-12);
        let Some(row) = rows.min_by(|&one, &other| {
            let by_ratio = ratio(one).total_cmp(&ratio(other));
            by_ratio.then(basis[one].cmp(&basis[other]))
        }) else {
            break;
        };
        basis[row] = column;
        let pivot = table[row][column];
        table[row].iter_mut().for_each(|value| *value /= pivot);
        let scaled = table[row].clone();
        for (other, values) in table.iter_mut().enumerate() {
            let factor = values[column];
            if other != row && factor != 0.0 {
                let of_row = values.iter_mut().zip(&scaled);
                of_row.for_each(|(value, scaled)| *value -= factor * scaled);
            }
        }
    }
    let mut shares = vec![0.0; count];
    for (row, &column) in basis.iter().enumerate() {
        if column < count {
            shares[column] = table[row][2 * count].max(0.0);
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn antisymmetric(rows: &[(usize, usize, f64)], count: usize) -> Vec<Vec<f64>> {
        let mut payoffs = vec![vec![0.0; count]; count];
        for &(a, b, score) in rows {
            (payoffs[a][b], payoffs[b][a]) = (score, -score);
        }
        payoffs
    }

    #[test]
    fn known_games_have_their_optimal_shares() {
        let close = |found: &[f64], expected: &[f64]| {
            let mut pairs = found.iter().zip(expected);
            assert!(
                pairs.all(|(found, expected)| (found - expected).abs() < 1e-9),
                "{found:?}"
            );
        };
        // Rock, paper, scissors; with unequal stakes, each has the share of the game between the other two.
        let even = antisymmetric(&[(0, 1, 0.3), (1, 2, 0.3), (2, 0, 0.3)], 3);
        close(&optimal(&even), &[1.0 / 3.0; 3]);
        let uneven = antisymmetric(&[(0, 1, 0.1), (1, 2, 0.2), (2, 0, 0.5)], 3);
        close(&optimal(&uneven), &[0.25, 0.625, 0.125]);
        // One beats all, although the others form a circle.
        let best = antisymmetric(
            &[
                (0, 1, 0.3),
                (1, 2, 0.3),
                (2, 0, 0.3),
                (3, 0, 0.1),
                (3, 1, 0.1),
                (3, 2, 0.1),
            ],
            4,
        );
        close(&optimal(&best), &[0.0, 0.0, 0.0, 1.0]);
        close(&optimal(&antisymmetric(&[], 1)), &[1.0]);
    }

    /// Nobody is expected to win more than half against the shares: the definition, on random matrices.
    #[test]
    fn nobody_beats_the_shares() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for count in 1..30 {
            let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
            let rows: Vec<(usize, usize, f64)> = pairs
                .map(|(a, b)| (a, b, random.random::<f64>() - 0.5))
                .collect();
            let payoffs = antisymmetric(&rows, count);
            let shares = optimal(&payoffs);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for row in &payoffs {
                let expected: f64 = row.iter().zip(&shares).map(|(a, b)| a * b).sum();
                assert!(expected < 1e-9, "{expected} of {count}");
            }
        }
    }

    #[test]
    fn a_circle_shares_and_its_intervals_have_the_truth() {
        let lead = |ahead: f64| Lead {
            games: 200.0,
            pairs: 100.0,
            ahead,
            squares: 60.0,
        };
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let mut leads: BTreeMap<Seating, Lead> = BTreeMap::new();
        leads.extend([
            ((0, 1), lead(20.0)),
            ((1, 2), lead(20.0)),
            ((0, 2), lead(-20.0)),
        ]);
        leads.extend([0, 1, 2].map(|agent| ((agent, 3), lead(60.0))));
        let found = lottery(&names, &leads, |_, _| 0.5);
        let names: Vec<&str> = found.iter().map(|row| &*row.agent).collect();
        assert_eq!(names.len(), 3, "{names:?}: the worst has no share");
        for row in &found {
            let (low, high) = row.share.interval().expect("ends");
            assert!((row.share.value.unwrap() - 1.0 / 3.0).abs() < 1e-9);
            assert!(
                0.02 < low && low < 0.3 && 0.4 < high && high < 0.8,
                "{row:?}"
            );
        }
        assert_eq!(lottery(&[], &BTreeMap::new(), |_, _| 0.5), []);
    }
}
