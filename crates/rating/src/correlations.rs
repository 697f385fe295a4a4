//! The correlation of an agent's results in the games of a pair, for each pairing.

use std::collections::BTreeMap;

use super::game::{RatedGame, each_run};
use super::graph::{Seating, alias, ordered};
use super::likelihood::Likelihood;
use super::logistic::{probability, variance};
use super::matrix::Matrix;
use super::share::UNRELATED_PAIRS;

/// The minimum number of pairs for an estimate of their correlation.
const MIN_PAIRS: f64 = 3.0;

/// Number of pairs with the correlation of the other pairings that are added to the pairs of a pairing.
const COMMON_PAIRS: f64 = 0.5;

/// With more pairings, errors are treated as known, because each depends on many pairings.
const MAX_PAIRINGS: usize = 2000;

/// The correlations of an agent's results in the games of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Correlations {
    /// The correlation of all pairs together; `None` without pairs of games.
    common: Option<f64>,
    /// The number of players.
    players: usize,
    /// By pairing, the smaller index first.
    pairings: BTreeMap<Seating, LinkedGames>,
}

/// The couples of games that belong to the same pair of a pairing.
#[derive(Clone, Debug, Default, PartialEq)]
struct LinkedGames {
    /// The number of couples by their seatings.
    couples: BTreeMap<(Seating, Seating), f64>,
    /// Sum of the products of the standardized residuals of one agent.
    products: f64,
    /// Sum of half of their squares.
    squares: f64,
    /// Number of couples.
    count: f64,
    /// The correlation, shrunk towards the common one.
    rho: f64,
    /// The variance of that estimate.
    uncertainty: f64,
}

/// Whether one agent sits in different seats in two games of a pairing, as a sign. An agent that plays
/// itself swaps seats with itself.
fn sign((one, two): (Seating, Seating)) -> f64 {
    if one == (two.1, two.0) { -1.0 } else { 1.0 }
}

impl Correlations {
    /// The correlations given the fitted `logits`; games of a cluster are adjacent.
    pub(super) fn new(
        likelihood: &Likelihood,
        games: impl Iterator<Item = RatedGame>,
        logits: &[f64],
        bread: &Matrix,
    ) -> Self {
        let residual = |game: &RatedGame| {
            let logit = likelihood.logit(logits, game.seating());
            let noise = likelihood.noise(logit, game.seating());
            (game.score.points() - probability(logit)) / noise.sqrt()
        };
        let mut pairings: BTreeMap<Seating, LinkedGames> = BTreeMap::new();
        let mut largest = 0;
        let is_same = |a: &RatedGame, b: &RatedGame| a.cluster == b.cluster;
        each_run(games, is_same, |cluster| {
            largest = largest.max(cluster.len());
            for (i, one) in cluster.iter().enumerate() {
                for two in &cluster[i + 1..] {
                    let seatings = (one.seating(), two.seating());
                    if ordered(seatings.0) != ordered(seatings.1) {
                        continue;
                    }
                    let (a, b) = (residual(one), residual(two));
                    let pairing = pairings.entry(ordered(seatings.0)).or_default();
                    pairing.products += sign(seatings) * a * b;
                    pairing.squares += (a * a + b * b) / 2.0;
                    pairing.count += 1.0;
                    *pairing.couples.entry(seatings).or_default() += 1.0;
                }
            }
        });
        let mut all = Self {
            common: None,
            players: likelihood.players,
            pairings,
        };
        if !all.pairings.is_empty() {
            // Three or more equally correlated results cannot be as negatively correlated as two.
            let least = -1.0 / (largest as f64 - 1.0);
            all.shrink(least, |seating| {
                let spread = variance(likelihood.logit(logits, seating));
                spread * bread.quadratic(&likelihood.contrast(seating))
            });
        }
        all
    }

    /// Estimates the correlations from the sums. `leverage` gives the leverage of a game.
    fn shrink(&mut self, least: f64, leverage: impl Fn(Seating) -> f64) {
        let sum = |of: fn(&LinkedGames) -> f64| self.pairings.values().map(of).sum::<f64>();
        let (products, squares) = (sum(|linked| linked.products), sum(|linked| linked.squares));
        self.common = Some((products / (squares + UNRELATED_PAIRS)).clamp(least, 1.0));
        for linked in self.pairings.values_mut() {
            let others = squares - linked.squares + UNRELATED_PAIRS;
            let common = ((products - linked.products) / others).clamp(least, 1.0);
            // The residuals vary less than the results, because the fit follows the results.
            let kept =
                |&(one, two): &(Seating, Seating)| 1.0 - (leverage(one) + leverage(two)) / 2.0;
            let kept: f64 = linked
                .couples
                .iter()
                .map(|(both, count)| count * kept(both))
                .sum();
            let own = linked.products / (kept / linked.count).max(0.5);
            let own = own.clamp(-linked.count, linked.count);
            let all = linked.count + COMMON_PAIRS;
            linked.rho = ((own + COMMON_PAIRS * common) / all).clamp(least, 1.0);
            linked.uncertainty = linked.count * (1.0 - linked.rho.powi(2)) / (all * all);
        }
    }

    /// The correlation of all pairs together; `None` with fewer than three pairs.
    pub(super) fn common(&self) -> Option<f64> {
        let pairs: f64 = self.pairings.values().map(|linked| linked.count).sum();
        self.common.filter(|_| pairs >= MIN_PAIRS)
    }

    /// The correlation in the pairs of two players that have this term for moving first.
    pub(super) fn of(&self, players: [usize; 2], term: usize) -> Option<f64> {
        let [one, other] = players.map(|player| alias(player, term, self.players));
        Some(self.pairings.get(&ordered((one, other)))?.rho)
    }

    /// Adds the covariance of the scores of the games of a pair.
    pub(super) fn add_to(&self, middle: &mut Matrix, likelihood: &Likelihood, logits: &[f64]) {
        let noise = |seating| likelihood.noise(likelihood.logit(logits, seating), seating);
        for linked in self.pairings.values() {
            for (&(one, two), count) in &linked.couples {
                let (x, y) = (likelihood.contrast(one), likelihood.contrast(two));
                let spread = noise(one) * noise(two);
                let weight = linked.rho * sign((one, two)) * count * spread.sqrt();
                middle.add_outer(weight, &x, &y);
                middle.add_outer(weight, &y, &x);
            }
        }
    }

    /// The contribution of each pairing to the uncertainty of variances.
    pub(super) fn doubts(&self, likelihood: &Likelihood, logits: &[f64]) -> Vec<Doubt> {
        if self.pairings.len() > MAX_PAIRINGS {
            return Vec::new();
        }
        let players = likelihood.players;
        let noise = |seating| likelihood.noise(likelihood.logit(logits, seating), seating);
        let term = |linked: &LinkedGames, pairing: Seating| {
            // In each couple, the legs of `pairing` count as (difference + seat) or
            // (-difference + seat).
            let (mut of_difference, mut of_seat) = (0.0, 0.0);
            for (&(one, two), count) in &linked.couples {
                let spread = noise(one) * noise(two);
                let weight = 2.0 * count * spread.sqrt();
                of_difference += weight;
                of_seat += sign((one, two)) * weight;
            }
            Doubt {
                pairing: (pairing.0 % players, pairing.1 % players),
                seat: players + pairing.0 / players,
                of_difference,
                of_seat,
                uncertainty: linked.uncertainty,
            }
        };
        let all = self.pairings.iter();
        all.map(|(&pairing, linked)| term(linked, pairing))
            .collect()
    }
}

/// How a variance depends on the correlation of one pairing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubt {
    pairing: Seating,
    seat: usize,
    of_difference: f64,
    of_seat: f64,
    uncertainty: f64,
}

impl Doubt {
    /// The variance of the estimated variance of a combination of parameters, due to this pairing.
    /// `weights` is the inverse information times the combination.
    pub(super) fn of(&self, weights: &[f64]) -> f64 {
        let difference = weights[self.pairing.0] - weights[self.pairing.1];
        let seat = weights[self.seat];
        let slope = self.of_difference * difference * difference + self.of_seat * seat * seat;
        slope * slope * self.uncertainty
    }
}
