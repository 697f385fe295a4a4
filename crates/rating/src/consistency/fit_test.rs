//! The test of whether a fit of ratings explains pairings, from the scores of the pairings and, where these share setups, of
//! the setups.

use std::collections::BTreeMap;

use super::super::distribution::f_above;
use super::super::game::{GamesInOrder, RatedGame, each_run};
use super::super::graph::{self, Seating, groups};
use super::super::matrix::{Matrix, dot, fix_means};
use super::super::share::UNRELATED_PAIRS;

/// The score vector and the information of a pairing's own strength difference and of the seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairingMoments {
    /// Information of the difference, of difference and seat jointly, and of the seat.
    pub(super) information: [f64; 3],
    /// Score of the difference and of the seat.
    pub(super) score: [f64; 2],
    /// By how much both scores grow if the pairing's first agent wins a game of each seating.
    pub(super) weights: [[f64; 2]; 2],
}

/// What a pairing is in the larger model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    /// It has its own strength difference.
    Own,
    /// It has that of the ratings and, in a pool, the parameter of the pool, with this sign.
    Pooled(Option<(usize, f64)>),
}

/// The least squares fit of ratings and seat to the pairings.
pub(super) struct PairingFitTest {
    /// The number of agents, by which the numbers of players are those of agents.
    agents: usize,
    /// The number of terms for moving first.
    seats: usize,
    /// The parameter index of each agent in the test.
    parameters: BTreeMap<usize, usize>,
    cells: Vec<Cell>,
    /// Of the larger model without the pairings that have a difference of their own: the generalized inverse of the information
    /// of ratings, pools and seat, and its rank.
    larger: (Matrix, u64),
    /// Inverse of the information; of the strengths only, if the seat effect is not identifiable.
    inverse: Option<Matrix>,
    /// Strengths, then the terms for moving first.
    solution: Vec<f64>,
    /// The number of free parameters.
    rank: usize,
    /// The reduction in the sum of squares due to the fit.
    gain: f64,
}

impl PairingFitTest {
    pub(super) fn new(tested: &[(Seating, PairingMoments)], agents: usize, cells: &[Cell]) -> Self {
        let mut parameters = BTreeMap::new();
        for ((a, b), _) in tested {
            for agent in [a, b] {
                let next = parameters.len();
                parameters.entry(*agent % agents).or_insert(next);
            }
        }
        let seats = tested.iter().map(|((a, _), _)| a / agents + 1).max();
        let mut test = Self {
            agents,
            seats: seats.unwrap_or(1),
            parameters,
            cells: cells.to_vec(),
            larger: (Matrix::zero(0), 0),
            inverse: None,
            solution: Vec::new(),
            rank: 0,
            gain: 0.0,
        };
        if tested.is_empty() {
            return test;
        }
        test.solve(tested, true);
        if test.inverse.is_none() {
            test.solve(tested, false);
        }
        test.larger = test.larger_model(tested);
        test
    }

    /// The information of [`Self::larger`].
    fn larger_model(&self, tested: &[(Seating, PairingMoments)]) -> (Matrix, u64) {
        let mut information = Matrix::zero(self.seats_of_larger() + self.seats);
        for ((at, cell), (_, moments)) in (0..).zip(&self.cells).zip(tested) {
            let [own, mixed, seat] = moments.information;
            let x = self.in_larger(at, tested[at].0);
            let mut unit = [(self.seats_of_larger() + self.term(tested[at].0), 1.0)];
            if !self.has_seat() {
                unit[0].1 = 0.0;
            }
            if *cell == Cell::Own {
                let left = if own > 0.0 { mixed * mixed / own } else { 0.0 };
                information.add_outer((seat - left).max(0.0), &unit, &unit);
                continue;
            }
            information.add_outer(own, &x, &x);
            information.add_outer(mixed, &x, &unit);
            information.add_outer(mixed, &unit, &x);
            information.add_outer(seat, &unit, &unit);
        }
        information.generalized_inverse()
    }

    /// The term for moving first of a pairing.
    const fn term(&self, (a, _): Seating) -> usize {
        a / self.agents
    }

    /// The place of the terms for moving first among the parameters of the larger model: after the agents and the pools.
    fn seats_of_larger(&self) -> usize {
        let pools = self.cells.iter().filter_map(|cell| match cell {
            Cell::Pooled(Some((pool, _))) => Some(pool + 1),
            _ => None,
        });
        self.parameters.len() + pools.max().unwrap_or(0)
    }

    /// The parameters of a pooled pairing in the larger model.
    fn in_larger(&self, at: usize, pairing: Seating) -> Vec<(usize, f64)> {
        let mut x = self.contrast(pairing).to_vec();
        if let Cell::Pooled(Some((pool, sign))) = self.cells[at] {
            x.push((self.parameters.len() + pool, sign));
        }
        x
    }

    /// The number of cells: pairings with a difference of their own, and pools.
    pub(super) fn cells(&self) -> u64 {
        let own = self.cells.iter().filter(|cell| **cell == Cell::Own);
        (own.count() + self.seats_of_larger() - self.parameters.len()) as u64
    }

    /// The reduction in the sum of squares by the larger model, from scores of the differences of pairings and of the seat
    /// there.
    fn larger_gain(
        &self,
        tested: &[(Seating, PairingMoments)],
        scores: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> f64 {
        let (mut gain, mut sums) = (0.0, BTreeMap::new());
        let mut add = |at: usize, by: f64| *sums.entry(at).or_insert(0.0) += by;
        let seats_of_larger = self.seats_of_larger();
        for (at, [own_score, seat_score]) in scores {
            let (pairing, moments) = &tested[at];
            let [own, mixed, _] = moments.information;
            let seat_of_larger = seats_of_larger + self.term(*pairing);
            match self.cells[at] {
                Cell::Own => {
                    gain += own_score.powi(2) / own;
                    add(seat_of_larger, seat_score - mixed * own_score / own);
                }
                Cell::Pooled(_) => {
                    for (i, by) in self.in_larger(at, *pairing) {
                        add(i, by * own_score);
                    }
                    add(seat_of_larger, seat_score);
                }
            }
        }
        gain + self
            .larger
            .0
            .quadratic(&sums.into_iter().collect::<Vec<_>>())
    }

    fn solve(&mut self, tested: &[(Seating, PairingMoments)], with_seat: bool) {
        let agents = self.parameters.len();
        let seats = if with_seat { self.seats } else { 0 };
        let mut information = Matrix::zero(agents + seats);
        let mut score = vec![0.0; agents + seats];
        for (pairing, moments) in tested {
            let [own, mixed, seat] = moments.information;
            let x = self.contrast(*pairing);
            information.add_outer(own, &x, &x);
            for (i, sign) in x {
                score[i] += sign * moments.score[0];
            }
            if with_seat {
                let term = agents + self.term(*pairing);
                let unit = [(term, 1.0)];
                information.add_outer(mixed, &x, &unit);
                information.add_outer(mixed, &unit, &x);
                information.add_outer(seat, &unit, &unit);
                score[term] += moments.score[1];
            }
        }
        let met: Vec<Seating> = tested
            .iter()
            .map(|&(pairing, _)| {
                let [(a, _), (b, _)] = self.contrast(pairing);
                (a, b)
            })
            .collect();
        let groups = groups(&met, agents);
        let group_count = graph::count(&groups);
        fix_means(&mut information, &groups);
        self.inverse = information.inverse();
        if let Some(inverse) = &self.inverse {
            self.solution = inverse.times(&score);
            self.gain = dot(&self.solution, &score);
            self.rank = score.len() - group_count;
        }
    }

    fn contrast(&self, (a, b): Seating) -> [(usize, f64); 2] {
        [(a, 1.0), (b, -1.0)].map(|(of, sign)| (self.parameters[&(of % self.agents)], sign))
    }

    fn has_seat(&self) -> bool {
        self.solution.len() > self.parameters.len()
    }

    /// By how many standard errors a pairing's strength difference exceeds the difference of the
    /// ratings: the score test of a parameter for this pairing, number `at` of those tested.
    pub(super) fn surprise(
        &self,
        at: usize,
        pairing: Seating,
        moments: &PairingMoments,
        shared: Option<&SetupScores>,
    ) -> Option<f64> {
        let inverse = self
            .inverse
            .as_ref()
            .filter(|_| self.cells[at] == Cell::Own)?;
        let [own, mixed, _] = moments.information;
        let mut gradient: Vec<(usize, f64)> = self
            .contrast(pairing)
            .map(|(i, sign)| (i, sign * own))
            .to_vec();
        gradient.sort_unstable_by_key(|(i, _)| *i);
        if self.has_seat() {
            gradient.push((self.parameters.len() + self.term(pairing), mixed));
        }
        let along = |values: &[f64]| gradient.iter().map(|&(i, by)| by * values[i]).sum::<f64>();
        let score = moments.score[0] - along(&self.solution);
        let explained = inverse.times_sparse(&gradient);
        let information = own - along(&explained);
        if information <= 1e-6 * own {
            return None;
        }
        let variance = match shared {
            Some(shared) => shared.variance(at, &explained, score, information)?,
            None => information,
        };
        Some(score / variance.sqrt())
    }

    /// The further reduction in the sum of squares if each pairing has its own difference, and the
    /// number of additional parameters.
    pub(super) fn chi_square(&self, tested: &[(Seating, PairingMoments)]) -> (Option<f64>, u64) {
        if self.inverse.is_none() {
            return (None, 0);
        }
        let scores = tested.iter().map(|(_, moments)| moments.score);
        let gain = self.larger_gain(tested, scores.enumerate());
        let own = self.cells.iter().filter(|cell| **cell == Cell::Own);
        let rank = own.count() as u64 + self.larger.1;
        let freedom = rank.saturating_sub(self.rank as u64);
        ((freedom > 0).then(|| (gain - self.gain).max(0.0)), freedom)
    }

    /// The scores of ratings and seat, from those of a pairing's difference and of the seat there.
    fn add_to(&self, score: &mut BTreeMap<usize, f64>, pairing: Seating, [own, seat]: [f64; 2]) {
        for (i, sign) in self.contrast(pairing) {
            *score.entry(i).or_default() += sign * own;
        }
        if self.has_seat() {
            let term = self.parameters.len() + self.term(pairing);
            *score.entry(term).or_default() += seat;
        }
    }
}

/// The scores of the setups, which are independent of each other, while the pairings on a setup need not be.
pub(super) struct SetupScores {
    /// Number of setups with games of a tested pairing.
    setups: f64,
    /// The sum over setups of the statistic of the setup's scores alone.
    statistics: f64,
    /// The sum over setups of the squares and products of the scores of ratings and seat.
    squares: Matrix,
    /// For each tested pairing, the sum over setups of the squared scores of its difference, and the sums of the products
    /// with the scores of ratings and seat.
    pairings: Vec<(f64, BTreeMap<usize, f64>)>,
}

impl SetupScores {
    /// From `count` games with their setups. `chances` are those of a pairing's first agent in both seats.
    pub(super) fn new(
        test: &PairingFitTest,
        tested: &[(Seating, PairingMoments)],
        count: usize,
        game: &dyn Fn(usize) -> (RatedGame, u64),
        chances: &dyn Fn(&Seating) -> [f64; 2],
    ) -> Self {
        let numbers: BTreeMap<Seating, usize> = tested
            .iter()
            .map(|(pairing, _)| *pairing)
            .zip(0..)
            .collect();
        let is_tested = |(game, _): &(RatedGame, u64)| numbers.contains_key(&game.by_agents().0);
        let order = |one: &(RatedGame, u64), other: &(RatedGame, u64)| {
            (one.1, one.0).cmp(&(other.1, other.0))
        };
        let games = GamesInOrder::new(count, game, is_tested, order);
        let mut sums = Self {
            setups: 0.0,
            statistics: 0.0,
            squares: Matrix::zero(test.solution.len()),
            pairings: vec![(0.0, BTreeMap::new()); tested.len()],
        };
        let Some(inverse) = &test.inverse else {
            return sums;
        };
        each_run(
            games.iter(),
            |one, other| one.1 == other.1,
            |setup| {
                let mut scores: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
                for (game, _) in setup {
                    let (pairing, seat, points) = game.by_agents();
                    let at = numbers[&pairing];
                    let off = points - chances(&pairing)[seat];
                    let weights = tested[at].1.weights[seat];
                    let sum = scores.entry(at).or_default();
                    (0..2).for_each(|i| sum[i] += weights[i] * off);
                }
                let mut fitted = BTreeMap::new();
                for (&at, &score) in &scores {
                    test.add_to(&mut fitted, tested[at].0, score);
                }
                for (&at, [own, _]) in &scores {
                    let (squares, products) = &mut sums.pairings[at];
                    *squares += own * own;
                    for (&i, by) in &fitted {
                        *products.entry(i).or_default() += own * by;
                    }
                }
                let fitted: Vec<(usize, f64)> = fitted.into_iter().collect();
                let own = scores.iter().map(|(&at, &score)| (at, score));
                sums.statistics += test.larger_gain(tested, own) - inverse.quadratic(&fitted);
                sums.squares.add_outer(1.0, &fitted, &fitted);
                sums.setups += 1.0;
            },
        );
        sums
    }

    /// The statistic divided by its mean per degree of freedom, which is shrunk towards that of independent pairings
    /// as if there were `UNRELATED_PAIRS` more setups, and its p-value. `None` with a single setup.
    pub(super) fn adjusted(&self, chi_square: f64, freedom: u64) -> Option<(f64, f64)> {
        let others = self.setups - 1.0;
        if others < 1.0 {
            return None;
        }
        let freedom_of_mean = freedom as f64 * others;
        let mean = (self.setups * self.statistics - chi_square).max(0.0) / freedom_of_mean;
        let mean = (self.setups * mean + UNRELATED_PAIRS) / (self.setups + UNRELATED_PAIRS);
        let adjusted = chi_square / mean;
        let p = f_above(adjusted / freedom as f64, freedom as f64, freedom_of_mean);
        Some((adjusted, p))
    }

    /// The variance of the score of a tested pairing's difference, `score`, of which the ratings and the seat leave
    /// over what is not `explained` by them, shrunk like the mean towards that of independent pairings,
    /// `information`. `None` with a single setup.
    fn variance(&self, at: usize, explained: &[f64], score: f64, information: f64) -> Option<f64> {
        let others = self.setups - 1.0;
        let (squares, products) = &self.pairings[at];
        let products = products.iter();
        let mixed: f64 = products.map(|(&i, product)| explained[i] * product).sum();
        let fitted = dot(explained, &self.squares.times(explained));
        let squares = squares - 2.0 * mixed + fitted;
        let variance = (self.setups * squares - score * score).max(0.0) / others;
        let all = self.setups + UNRELATED_PAIRS;
        (others >= 1.0).then(|| (self.setups * variance + UNRELATED_PAIRS * information) / all)
    }
}
