//! The likelihood of results, and the covariance of its score.

mod maximum;

use std::collections::BTreeMap;

use super::draws::DrawModel;
use super::game::{GameScore, GamesInOrder, RatedGame, each_run};
use super::graph::{self, Seating, Wins, groups, ordered};
use super::logistic::{probability, variance};
use super::matrix::{Matrix, fix_means};
use super::setups::{FewSetups, SetupScore};
use super::share::UNRELATED_PAIRS;

/// With more seatings, the likelihood is taken as symmetric, because each estimate depends on many games.
const MAX_SEATINGS: usize = 4000;

/// The fraction of a drawn game added to a pairing if games do not separate strengths from the
/// seat.
const DRAWN: f64 = 0.2;

/// All games of one seating, which share their terms of the likelihood.
#[derive(Clone, Copy, Debug)]
struct SeatingCounts {
    seating: Seating,
    games: u64,
    /// Half points of the first player: 2 for a win, 1 for a draw.
    halves: u64,
    /// Virtual games, half of them won, used if games do not separate strengths from the seat.
    virtual_games: f64,
}

/// The likelihood, with one parameter per player, in log odds, and then one for each term for moving first. Games have
/// players numbered as in [`alias`](graph::alias).
pub(super) struct Likelihood {
    pub(super) players: usize,
    /// The number of terms for moving first.
    pub(super) seats: usize,
    seatings: Vec<SeatingCounts>,
    /// The group of each player; no chain of games links players of different groups.
    pub(super) groups: Vec<usize>,
    /// Whether the likelihood is multiplied by Jeffreys' prior.
    penalised: bool,
    /// Number of drawn games.
    drawn: u64,
    /// How draws reduce the variance of results; `None` until it is known, and without draws.
    draws: Option<Draws>,
}

/// The law of draws, and how much the results of each pairing vary by comparison.
struct Draws {
    model: DrawModel,
    /// By pairing, the smaller index first: the variance found there by that of the law.
    dispersion: BTreeMap<Seating, f64>,
}

/// Number of games that vary as the law of draws says, and are added to those of each pairing.
const GAMES_BY_THE_LAW: f64 = 10.0;

/// The contrast of a seating, and the third derivative of the log likelihood of its games by their log odds, with the
/// opposite sign.
pub(super) type ThirdDerivative = ([(usize, f64); 3], f64);

/// With more setups than this, or more players, the errors have the degrees of freedom and the correction of setups that
/// provide the same information.
const MAX_SINGLE_SETUPS: usize = 100;
const MAX_OF_FEW_SETUPS: usize = 40;

pub(super) struct Fit {
    pub(super) logits: Vec<f64>,
    pub(super) information: Matrix,
    /// Inverse of the information, after the mean of each group is fixed.
    pub(super) bread: Matrix,
}

impl Likelihood {
    pub(super) fn new(games: impl Iterator<Item = RatedGame>, players: usize) -> Self {
        let mut counts: BTreeMap<Seating, (u64, u64)> = BTreeMap::new();
        let mut drawn = 0;
        for game in games {
            drawn += u64::from(game.score == GameScore::Draw);
            let count = counts.entry(game.seating()).or_default();
            count.0 += 1;
            count.1 += game.score.half_points();
        }
        let seatings: Vec<SeatingCounts> = counts
            .into_iter()
            .map(|(seating, (games, halves))| SeatingCounts {
                seating,
                games,
                halves,
                virtual_games: 0.0,
            })
            .collect();
        let own = |(first, second): Seating| (first % players, second % players);
        let met: Vec<Seating> = seatings.iter().map(|counts| own(counts.seating)).collect();
        let groups = groups(&met, players);
        let terms = seatings.iter().map(|counts| counts.seating.0 / players + 1);
        Self {
            seats: terms.max().unwrap_or(1),
            players,
            seatings,
            groups,
            penalised: false,
            drawn,
            draws: None,
        }
    }

    /// All wins, including those of an agent against itself; in a draw, each agent takes something from the
    /// other, as if each had won.
    pub(super) fn wins(&self) -> Wins {
        let wins = self.seatings.iter().flat_map(|counts| {
            let (first, second) = counts.seating;
            let by_first = (counts.halves > 0).then_some(((first, second), true));
            let by_second = (counts.halves < 2 * counts.games).then_some(((second, first), false));
            by_first.into_iter().chain(by_second)
        });
        Wins::new(wins, self.players)
    }

    /// For each group, the players whose mean its ratings are relative to: its largest component, or the
    /// whole group if no component is larger than all others.
    pub(super) fn references(&self, components: &[usize]) -> Vec<Vec<usize>> {
        let mut sizes = vec![0; self.players];
        for &component in components {
            sizes[component] += 1;
        }
        let of_group = |group: usize| -> Vec<usize> {
            let members = || (0..self.players).filter(|&i| self.groups[i] == group);
            let largest = members().map(|i| sizes[components[i]]).max();
            let of_largest = || members().filter(|&i| Some(sizes[components[i]]) == largest);
            let first = of_largest().next().map(|i| components[i]);
            if of_largest().all(|i| Some(components[i]) == first) {
                of_largest().collect()
            } else {
                members().collect()
            }
        };
        (0..graph::count(&self.groups)).map(of_group).collect()
    }

    /// Penalises the likelihood with Jeffreys' prior. If seats were never swapped, no number of
    /// games separates strengths from the seat, and neither does the prior. In that case each
    /// pairing that met is also given a small fraction of a drawn game, half of it in either
    /// seating.
    pub(super) fn penalise(&mut self) {
        self.penalised = true;
        let (_, mut information) = self.derivatives(&vec![0.0; self.parameters()]);
        fix_means(&mut information, &self.groups);
        if information.inverse().is_none() {
            self.add_draws();
        }
    }

    fn add_draws(&mut self) {
        let mut cells: BTreeMap<Seating, SeatingCounts> = self
            .seatings
            .iter()
            .map(|&counts| (counts.seating, counts))
            .collect();
        for counts in &self.seatings {
            let (first, second) = counts.seating;
            let orders = [(first, second), (second, first)];
            for seating in orders {
                let counts = cells.entry(seating).or_insert(SeatingCounts {
                    seating,
                    games: 0,
                    halves: 0,
                    virtual_games: 0.0,
                });
                // Assign, do not add: a pairing is visited once per seating it played. An agent
                // that played itself has a single seating, which receives the whole fraction.
                counts.virtual_games = if first == second { DRAWN } else { DRAWN / 2.0 };
            }
        }
        self.seatings = cells.into_values().collect();
    }

    /// Estimates the law of draws from the fitted results, and for each pairing how much its results vary by comparison.
    /// Without draws, results vary as their expectation says.
    pub(super) fn find_draws(&mut self, games: impl Iterator<Item = RatedGame>, fit: &Fit) {
        let counts = self.seatings.iter();
        let chances: Vec<(f64, f64)> = counts
            .map(|counts| (counts.games as f64, self.logit(&fit.logits, counts.seating)))
            .collect();
        let Some(model) = DrawModel::new(self.drawn, &chances) else {
            return;
        };
        // For each pairing: its games, and the sum of the squared standardized residuals.
        let mut sums: BTreeMap<Seating, (f64, f64)> = BTreeMap::new();
        for game in games {
            let seating = game.seating();
            let logit = self.logit(&fit.logits, seating);
            let leverage = variance(logit) * fit.bread.quadratic(&self.contrast(seating));
            let square = (game.score.points() - probability(logit)).powi(2);
            let sum = sums.entry(ordered(seating)).or_default();
            sum.0 += 1.0;
            sum.1 += square / (model.variance(logit) * (1.0 - leverage).max(0.5));
        }
        let shrunk = |(games, squares)| (squares + GAMES_BY_THE_LAW) / (games + GAMES_BY_THE_LAW);
        let dispersion = sums
            .into_iter()
            .map(|(pairing, sums)| (pairing, shrunk(sums)));
        let dispersion = dispersion.collect();
        self.draws = Some(Draws { model, dispersion });
    }

    /// The law of draws, once it was [found](Self::find_draws).
    pub(super) fn draw_model(&self) -> Option<DrawModel> {
        self.draws.as_ref().map(|draws| draws.model)
    }

    /// The variance of a result with these log odds.
    pub(super) fn noise(&self, logit: f64, seating: Seating) -> f64 {
        match &self.draws {
            None => variance(logit),
            Some(Draws { model, dispersion }) => {
                let by = dispersion.get(&ordered(seating));
                model.variance(logit) * by.unwrap_or(&1.0)
            }
        }
    }

    /// The covariance of the score if all games are independent: the information, unless games are drawn.
    pub(super) fn spread_of_games(&self, fit: &Fit) -> Matrix {
        if self.draws.is_none() {
            return fit.information.clone();
        }
        let mut spread = Matrix::zero(self.parameters());
        for counts in &self.seatings {
            let contrast = self.contrast(counts.seating);
            let noise = self.noise(self.logit(&fit.logits, counts.seating), counts.seating);
            spread.add_outer(counts.weight() * noise, &contrast, &contrast);
        }
        spread
    }

    /// The parameters and coefficients whose weighted sum is the seating's log odds.
    pub(super) fn contrast(&self, (first, second): Seating) -> [(usize, f64); 3] {
        let seat = self.players + first / self.players;
        [
            (first % self.players, 1.0),
            (second % self.players, -1.0),
            (seat, 1.0),
        ]
    }

    /// The number of parameters.
    pub(super) const fn parameters(&self) -> usize {
        self.players + self.seats
    }

    pub(super) fn logit(&self, logits: &[f64], seating: Seating) -> f64 {
        let contrast = self.contrast(seating);
        contrast.iter().map(|&(i, sign)| sign * logits[i]).sum()
    }

    fn log_likelihood_of(&self, seatings: &[SeatingCounts], logits: &[f64]) -> f64 {
        let of_seating = |counts: &SeatingCounts| {
            let logit = self.logit(logits, counts.seating);
            // ln(1 + e^logit) without overflow.
            let softplus = logit.max(0.0) + libm::log1p(libm::exp(-logit.abs()));
            counts.score() * logit - counts.weight() * softplus
        };
        seatings.iter().map(of_seating).sum()
    }

    /// The logarithm of the objective; minus infinity if it is not a number.
    fn log_likelihood(&self, logits: &[f64]) -> f64 {
        let of_games = self.log_likelihood_of(&self.seatings, logits);
        if !self.penalised {
            return of_games;
        }
        let (_, mut information) = self.derivatives(logits);
        fix_means(&mut information, &self.groups);
        let penalty = information.log_determinant();
        penalty.map_or(f64::NEG_INFINITY, |log| of_games + log / 2.0)
    }

    fn leverage(&self, counts: &SeatingCounts, logits: &[f64], inverse: &Matrix) -> f64 {
        let logit = self.logit(logits, counts.seating);
        counts.weight() * variance(logit) * inverse.quadratic(&self.contrast(counts.seating))
    }

    fn derivatives(&self, logits: &[f64]) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.parameters()];
        let mut information = Matrix::zero(self.parameters());
        for counts in &self.seatings {
            let logit = self.logit(logits, counts.seating);
            let contrast = self.contrast(counts.seating);
            let surprise = counts.score() - counts.weight() * probability(logit);
            for &(i, sign) in &contrast {
                gradient[i] += sign * surprise;
            }
            information.add_outer(counts.weight() * variance(logit), &contrast, &contrast);
        }
        (gradient, information)
    }

    /// The third derivatives of the log likelihood, with the opposite sign; none with more than
    /// [`MAX_SEATINGS`].
    pub(super) fn third_derivatives(&self, logits: &[f64]) -> Vec<ThirdDerivative> {
        if self.seatings.len() > MAX_SEATINGS {
            return Vec::new();
        }
        let third = |counts: &SeatingCounts| {
            let logit = self.logit(logits, counts.seating);
            let change = variance(logit) * (1.0 - 2.0 * probability(logit));
            (self.contrast(counts.seating), counts.weight() * change)
        };
        self.seatings.iter().map(third).collect()
    }

    /// The covariance of the score, assuming only that setups are independent (Liang and Zeger,
    /// Biometrika 1986), with its degrees of freedom; `None` with a single setup.
    ///
    /// It includes the contribution of `UNRELATED_PAIRS` pairs of independent games, so that
    /// setups with identical results do not give an error of 0. With the prior, each seating also
    /// receives the amount by which its results vary less than the model predicts, because results
    /// of very unequal pairings hardly vary.
    ///
    /// Few setups are not in the matrix, but given one by one. Each game comes with its setup.
    pub(super) fn spread_of_setups(
        &self,
        games: &GamesInOrder<impl Fn(usize) -> (RatedGame, u64) + Clone>,
        fit: &Fit,
    ) -> Option<(Matrix, usize, FewSetups)> {
        let logit = |game: &RatedGame| self.logit(&fit.logits, game.seating());
        let off = |game: &RatedGame| game.score.points() - probability(logit(game));
        let mut missing: BTreeMap<Seating, f64> = BTreeMap::new();
        for (game, _) in games.iter() {
            let seating = game.seating();
            let of_seating = missing.entry(seating).or_default();
            *of_seating += self.noise(logit(&game), seating) - off(&game) * off(&game);
        }
        let by_setup = games.clone().by_key(|(_, setup)| *setup);
        let is_same = |one: &(RatedGame, u64), other: &(RatedGame, u64)| one.1 == other.1;
        let mut setups = 0_usize;
        each_run(by_setup.iter(), is_same, |_| setups += 1);
        let freedom = setups - 1;
        if freedom == 0 {
            return None;
        }
        let mut pairs = 0_u32;
        let of_pair = |one: &RatedGame, other: &RatedGame| one.cluster == other.cluster;
        each_run(games.iter().map(|(game, _)| game), of_pair, |_| pairs += 1);
        let unrelated = UNRELATED_PAIRS / (f64::from(pairs) + UNRELATED_PAIRS);
        let mut few = FewSetups {
            unrelated,
            ..FewSetups::default()
        };
        let are_few = setups <= MAX_SINGLE_SETUPS && self.players <= MAX_OF_FEW_SETUPS;
        let count = setups as f64;
        let mut spread = self.spread_of_games(fit).scaled(unrelated);
        each_run(by_setup.iter(), is_same, |setup| {
            let mut score: BTreeMap<usize, f64> = BTreeMap::new();
            let mut seatings: BTreeMap<Seating, f64> = BTreeMap::new();
            for (game, _) in setup {
                let seating = game.seating();
                *seatings.entry(seating).or_default() += variance(logit(game));
                for (i, sign) in self.contrast(seating) {
                    *score.entry(i).or_default() += sign * off(game);
                }
            }
            let score: Vec<(usize, f64)> = score.into_iter().collect();
            if are_few {
                let information = seatings.into_iter();
                let information =
                    information.map(|(seating, by)| (self.contrast(seating).to_vec(), by));
                few.setups.push(SetupScore {
                    score,
                    information: information.collect(),
                });
            } else {
                spread.add_outer(count / freedom as f64, &score, &score);
            }
        });
        if self.penalised {
            for (seating, missing) in missing {
                let contrast = self.contrast(seating);
                spread.add_outer(missing.max(0.0), &contrast, &contrast);
            }
        }
        Some((spread, freedom, few))
    }

    /// Half points won, and half points played for, in games against other agents.
    pub(super) fn record_against_others(&self, player: usize) -> (u64, u64) {
        let (mut won, mut met) = (0, 0);
        for counts in &self.seatings {
            let (first, second) = counts.seating;
            let [first, second] = [first, second].map(|of| of % self.players);
            if first != second && (first == player || second == player) {
                met += 2 * counts.games;
                won += if first == player {
                    counts.halves
                } else {
                    2 * counts.games - counts.halves
                };
            }
        }
        (won, met)
    }
}

impl SeatingCounts {
    fn weight(&self) -> f64 {
        self.games as f64 + self.virtual_games
    }

    fn score(&self) -> f64 {
        self.halves as f64 / 2.0 + self.virtual_games / 2.0
    }
}
