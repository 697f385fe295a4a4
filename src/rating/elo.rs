//! Elo ratings and the first player's advantage by joint maximum likelihood.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::{NORMAL, normal_below, student};
use super::estimate::Estimate;
use super::game::RatedGame;
use super::graph::Seating;
use super::likelihood::{Fit, Likelihood};
use super::logistic::{SCALE, variance};
use super::matrix::Matrix;

/// The minimum number of pairs for an estimate of their correlation.
const LEAST_PAIRS: f64 = 3.0;

/// How dependence between games is modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// Games are independent: the covariance is the inverse of the Fisher information.
    Independent,
    /// An agent's results in the two games of a pair are correlated, with the same correlation in
    /// every pair. If pairs share setups, as in the statistics of a tournament, games on the same setup may
    /// depend on each other in any way.
    #[default]
    Clustered,
}

/// Whether the likelihood is multiplied by Jeffreys' prior, the square root of the determinant of
/// the information. The prior keeps ratings finite for any results (Firth, Biometrika 1993; Heinze
/// and Schemper, Statistics in Medicine 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingPrior {
    /// Never. If the results do not determine finite ratings, there are no ratings.
    None,
    /// Only if the results alone do not determine finite ratings.
    #[default]
    Auto,
    /// Always.
    Always,
}

/// An agent with a fixed rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Its index.
    pub agent: usize,
    /// Its rating in Elo points.
    pub elo: f64,
}

/// Options for rating games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options<'a> {
    /// How dependence between games is modelled.
    pub errors: Errors,
    /// Whether the likelihood is penalised.
    pub prior: RatingPrior,
    /// The agent with a fixed rating. The errors of the others are then those of their differences
    /// from it. Without an anchor the mean of all ratings is 0.
    pub anchor: Option<Anchor>,
    /// The setup number of each game, if several pairs share a setup. Clustered errors then assume
    /// only that setups are independent.
    pub setups: Option<&'a [u64]>,
}

impl From<Errors> for Options<'_> {
    fn from(errors: Errors) -> Self {
        Self {
            errors,
            ..Self::default()
        }
    }
}

/// The estimates for one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rating {
    /// Elo relative to the mean of all rated agents, or on the anchor's scale; no value if the
    /// agent never met another.
    pub elo: Estimate,
    /// Whether the agent won all, or lost all, of its games against others.
    pub perfect: bool,
    /// Whether only the direction of its distance from the others is known: no chain of wins leads
    /// both from it to most agents and back.
    pub separated: bool,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// Ratings by agent index.
    pub agents: Vec<Rating>,
    /// The first player's advantage: added to the first player's rating.
    pub first_player: Estimate,
    /// Correlation of an agent's results in the two games of a pair, -1 to 1, given the ratings;
    /// none with fewer than three pairs.
    pub rho: Option<f64>,
    /// Whether the likelihood was penalised, either because no finite ratings maximise it or
    /// because the options asked for it.
    pub prior_used: bool,
    /// Whether games link all agents that played. Otherwise every linked group has its own mean of
    /// 0, and ratings of different groups cannot be compared.
    pub connected: bool,
    /// The covariance of the ratings; `None` without ratings.
    spread: Option<Covariance>,
}

/// The covariance of all parameters.
#[derive(Clone, Debug, PartialEq)]
struct Covariance {
    /// Indexed by parameter, in squared log odds.
    covariance: Matrix,
    /// Degrees of freedom of the errors if several pairs share a setup: one less than the number of
    /// setups, or 0 with fewer than two pairs. `None` for the normal distribution.
    freedom: Option<usize>,
    /// The parameter and the group of each agent that met another one.
    parameters: Vec<Option<(usize, usize)>>,
    /// The component of each parameter: chains of wins lead from an agent to all others of its
    /// component.
    components: Vec<usize>,
}

/// A difference of two ratings before it becomes an [`Estimate`].
#[derive(Clone, Copy, Debug)]
struct EloDifference {
    elo: f64,
    error: f64,
    /// Whether the interval has no lower end, and no upper end.
    open: [bool; 2],
}

/// The estimate of an Elo difference or rating. Its interval has no end on a side that is `open`:
/// if an agent never lost, the results are consistent with any distance.
fn estimate(elo: f64, error: f64, freedom: Option<usize>, open: [bool; 2]) -> Estimate {
    let estimate = Estimate::with_error(elo, error, quantile(freedom));
    let known = |side: usize| !open[side] && freedom != Some(0);
    Estimate {
        low: estimate.low.filter(|_| known(0)),
        high: estimate.high.filter(|_| known(1)),
        ..estimate
    }
}

fn quantile(freedom: Option<usize>) -> f64 {
    freedom.map_or(NORMAL, student)
}

impl Ratings {
    /// An agent's Elo; 0 if it never met another.
    pub(crate) fn elo(&self, agent: usize) -> f64 {
        self.agents[agent].elo.value.unwrap_or(0.0)
    }

    /// The first player's advantage in Elo.
    pub(crate) fn seat(&self) -> f64 {
        self.first_player.value.unwrap_or(0.0)
    }

    /// The rating of `a` minus that of `b`, with the standard error of the difference, which takes
    /// the covariance of the ratings into account. `None` if no chain of games links the two
    /// agents, or if `a` is `b`.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let EloDifference { elo, error, open } = self.raw_difference(a, b)?;
        let freedom = self.spread.as_ref()?.freedom;
        Some(estimate(elo, error, freedom, open))
    }

    fn raw_difference(&self, a: usize, b: usize) -> Option<EloDifference> {
        let spread = self.spread.as_ref()?;
        let parameter = |agent: usize| *spread.parameters.get(agent)?;
        let ((i, group), (j, other)) = (parameter(a)?, parameter(b)?);
        if a == b || group != other {
            return None;
        }
        let at = |i, j| spread.covariance.at(i, j);
        let variance = at(i, i) + at(j, j) - at(i, j) - at(j, i);
        let elo = self.elo(a) - self.elo(b);
        let apart = spread.components[i] != spread.components[j];
        Some(EloDifference {
            elo,
            error: SCALE * variance.max(0.0).sqrt(),
            open: [apart && elo < 0.0, apart && elo > 0.0],
        })
    }

    /// Likelihood of superiority, 0 to 1: the probability that `a` is better than `b`, given the
    /// games and a flat prior. `None` if there is no [`difference`](Self::difference).
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let EloDifference { elo, error, .. } = self.raw_difference(a, b)?;
        let freedom = self.spread.as_ref()?.freedom;
        // With few degrees of freedom, rescale so that 97.5% corresponds to an interval that begins
        // at 0.
        let scale = NORMAL / quantile(freedom);
        (error > 0.0 && freedom != Some(0)).then(|| normal_below(scale * elo / error))
    }

    /// Shifts the anchor, and all agents linked to it, to the anchor's scale.
    fn anchor(&mut self, anchor: Anchor) {
        let by = anchor.elo - self.elo(anchor.agent);
        let freedom = self.spread.as_ref().and_then(|spread| spread.freedom);
        let differences: Vec<Option<EloDifference>> = (0..self.agents.len())
            .map(|agent| self.raw_difference(agent, anchor.agent))
            .collect();
        for (agent, difference) in differences.into_iter().enumerate() {
            if let Some(EloDifference { error, open, .. }) = difference {
                self.agents[agent].elo = estimate(self.elo(agent) + by, error, freedom, open);
            } else if agent == anchor.agent && self.agents[agent].elo.value.is_some() {
                self.agents[agent].elo = estimate(anchor.elo, 0.0, None, [false; 2]);
            }
        }
    }
}

/// Rates `agents` agents from their games.
///
/// The model is P(first wins) = 1 / (1 + 10^(-(r_first - r_second + h) / 400)) with a mean rating
/// of 0 (Bradley and Terry, Biometrika 1952, with a term for the seat as in Davidson and Beaver,
/// Biometrics 1977). `options` may be just [`Errors`]. [`Errors::Clustered`] uses the sandwich
/// estimator of Liang and Zeger (Biometrika 1986) and assumes that the working correlation is the
/// true one. The order of the games does not matter.
///
/// ```
/// use patchwork_arena::rating::{Errors, RatedGame, rate};
///
/// // Agent 0 wins three games in four, whoever moves first.
/// let game = |i: u64| RatedGame {
///     cluster: i / 2,
///     first: (i % 2) as usize,
///     second: 1 - (i % 2) as usize,
///     score: ((i % 2 == 0) == (i / 2 % 4 > 0)).into(),
/// };
/// let games: Vec<RatedGame> = (0..80).map(game).collect();
/// let ratings = rate(&games, 2, Errors::Clustered);
/// assert_eq!(ratings.agents[0].elo.value.map(f64::round), Some(95.0));
/// assert!(ratings.first_player.value.is_some_and(|elo| elo.abs() < 1e-9));
/// let ahead = ratings.difference(0, 1).expect("they met");
/// assert!(ahead.low > Some(0.0) && ratings.superiority(0, 1) > Some(0.99));
/// ```
///
/// # Panics
/// When a game or the anchor names an agent index that is not below `agents`.
#[must_use]
pub fn rate<'a>(games: &[RatedGame], agents: usize, options: impl Into<Options<'a>>) -> Ratings {
    let Options {
        errors,
        prior,
        anchor,
        setups,
    } = options.into();
    let mut ratings = Ratings {
        agents: vec![Rating::default(); agents],
        connected: true,
        ..Ratings::default()
    };
    if games.is_empty() {
        return ratings;
    }
    let (players, games, numbers) = renumbered(games, setups, agents);
    let mut likelihood = Likelihood::new(&games, players.len());
    let wins = likelihood.wins();
    ratings.connected = likelihood.groups.iter().all(|&group| group == 0);
    for (i, &player) in players.iter().enumerate() {
        let (won, met) = likelihood.record_against_others(i);
        let rating = &mut ratings.agents[player];
        rating.perfect = met > 0 && (won == 0 || won == met);
        rating.separated = met > 0 && likelihood.is_separated(&wins.components, i);
    }
    let exists = wins.maximum_exists(&likelihood.groups);
    let fit;
    (fit, ratings.prior_used) = fit_with_prior(&mut likelihood, exists, prior);
    // With the prior there is a maximum and the steps lead to it; zeros are better than a panic.
    let Some(fit) = fit else {
        return ratings;
    };
    let (rho, links) = likelihood.links(&games, &fit.logits);
    ratings.rho =
        rho.filter(|_| links.values().map(|count| count.abs()).sum::<f64>() >= LEAST_PAIRS);
    let of_setups = (setups.is_some() && errors == Errors::Clustered)
        .then(|| likelihood.spread_of_setups(&games, &numbers, &fit))
        .flatten();
    let one_pair = match errors {
        Errors::Independent => games.len() < 2,
        Errors::Clustered => numbers.iter().all(|&number| number == numbers[0]),
    };
    let of_spread = of_setups.as_ref().map(|(_, freedom)| *freedom);
    let freedom = if one_pair { Some(0) } else { of_spread };
    let mut middle = fit.information;
    if let Some((spread, _)) = of_setups {
        middle = spread;
    } else if errors == Errors::Clustered {
        add_links(
            &mut middle,
            &likelihood,
            &fit.logits,
            &links,
            rho.unwrap_or(0.0),
        );
    }
    let covariance = fit.bread.sandwich(&middle);
    let estimate = |i: usize, open: [bool; 2]| {
        let error = SCALE * covariance.at(i, i).max(0.0).sqrt();
        estimate(SCALE * fit.logits[i], error, freedom, open)
    };
    ratings.first_player = estimate(players.len(), [false; 2]);
    let mut parameters = vec![None; agents];
    for (i, &player) in players.iter().enumerate() {
        let (won, met) = likelihood.record_against_others(i);
        if met > 0 {
            ratings.agents[player].elo = estimate(i, [won == 0, won == met]);
            parameters[player] = Some((i, likelihood.groups[i]));
        }
    }
    ratings.spread = Some(Covariance {
        covariance,
        freedom,
        parameters,
        components: wins.components,
    });
    if let Some(anchor) = anchor {
        ratings.anchor(anchor);
    }
    ratings
}

/// The agents that played; the games between them, sorted, with indices into these agents; and the setup
/// of each game.
fn renumbered(
    games: &[RatedGame],
    setups: Option<&[u64]>,
    agents: usize,
) -> (Vec<usize>, Vec<RatedGame>, Vec<u64>) {
    let mut played = vec![false; agents];
    for game in games {
        played[game.first] = true;
        played[game.second] = true;
    }
    let players: Vec<usize> = (0..agents).filter(|&agent| played[agent]).collect();
    let mut index = vec![0; agents];
    for (i, &player) in players.iter().enumerate() {
        index[player] = i;
    }
    let mut games: Vec<(RatedGame, u64)> = games
        .iter()
        .enumerate()
        .map(|(i, game)| {
            let game = RatedGame {
                first: index[game.first],
                second: index[game.second],
                ..*game
            };
            (game, setups.map_or(game.cluster, |setups| setups[i]))
        })
        .collect();
    // Sums of floats depend on their order; the ratings must not.
    games.sort_unstable();
    let (games, numbers) = games.into_iter().unzip();
    (players, games, numbers)
}

/// The fit, if there is one, and whether the likelihood was penalised for it. `exists` says whether the
/// likelihood without the prior has a maximum.
fn fit_with_prior(
    likelihood: &mut Likelihood,
    exists: bool,
    prior: RatingPrior,
) -> (Option<Fit>, bool) {
    if prior == RatingPrior::None && !exists {
        return (None, false);
    }
    let penalised = prior == RatingPrior::Always || !exists;
    if !penalised {
        let fit = likelihood.fit();
        if fit.is_some() || prior == RatingPrior::None {
            return (fit, false);
        }
    }
    likelihood.penalise();
    (likelihood.fit(), true)
}

/// Adds the covariance of the scores of the two legs of a pair, whose results correlate by `rho`.
fn add_links(
    middle: &mut Matrix,
    likelihood: &Likelihood,
    logits: &[f64],
    links: &BTreeMap<(Seating, Seating), f64>,
    rho: f64,
) {
    for (&(one, two), count) in links {
        let (x, y) = (likelihood.contrast(one), likelihood.contrast(two));
        let weight = rho
            * count
            * (variance(likelihood.logit(logits, one)) * variance(likelihood.logit(logits, two)))
                .sqrt();
        middle.add_outer(weight, &x, &y);
        middle.add_outer(weight, &y, &x);
    }
}
