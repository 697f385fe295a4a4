//! Elo ratings and the first player's advantage by joint maximum likelihood.

use serde::Serialize;

use super::correlations::Correlations;
use super::distribution::NORMAL;
use super::draws::DrawModel;
use super::estimate::Estimate;
use super::game::{GamesInOrder, RatedGame, each_run};
use super::graph::alias;
use super::likelihood::{Fit, Likelihood};
use super::logistic::{SCALE, variance};
use super::recession::Recession;
use super::setups::FewSetups;
use super::spread::{Combined, Spread};
use super::sprt::PairCounts;

/// How dependence between games is modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// Games are independent: the covariance is the inverse of the Fisher information.
    Independent,
    /// An agent's results in the two games of a pair are correlated, with a correlation of its own in
    /// each pairing. If pairs share setups, as in the statistics of a tournament, games on the same setup may
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
    /// The agent with a fixed rating. The errors of the others are then those of their differences from it.
    /// Without an anchor, the mean of all ratings is 0, or the mean of the ratings that are not
    /// [separated](Rating::separated).
    pub anchor: Option<Anchor>,
    /// Agents whose mean rating is set to 0 instead of that of the agents that are not separated, if any of
    /// them are rated.
    pub zero: Option<&'a [usize]>,
    /// The mean rating of the agents of `zero`, in Elo points.
    pub zero_at: f64,
    /// The setup number of each game, if several pairs share a setup. Clustered errors then assume
    /// only that setups are independent.
    pub setups: Option<&'a [u64]>,
    /// The number of the term for moving first of each game, if moving first is not worth the same in all, as with several
    /// printings or komis.
    pub seats: Option<&'a [u16]>,
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
    /// Elo relative to the mean of all rated agents that are not `separated` (of all if all are), or on
    /// the anchor's scale; no value if the agent never met another. The interval has no end on a side
    /// on which the results set no limit.
    pub elo: Estimate,
    /// The group of agents that chains of games link it with, from 1 for the largest; `None` if the agent never met another.
    /// Ratings of different groups cannot be compared.
    pub group: Option<u32>,
    /// Whether the agent won all, or lost all, of its games against others.
    pub perfect: bool,
    /// Whether its distance from the others is unknown: chains of wins link each of the largest number of
    /// agents to each other, but not this agent to them and back. The ratings of those agents do not depend
    /// on the distance.
    pub separated: bool,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// Ratings by agent index.
    pub agents: Vec<Rating>,
    /// The first player's advantage: added to the first player's rating. No value with several terms for it.
    pub first_player: Estimate,
    /// The terms for moving first, by their numbers.
    pub seats: Vec<Estimate>,
    /// Correlation of an agent's results in the two games of a pair, -1 to 1, given the ratings, over all
    /// pairs; `None` with fewer than three pairs. Errors use the correlation of each pairing.
    pub rho: Option<f64>,
    /// Whether the likelihood was penalised, either because no finite ratings maximise it or
    /// because the options asked for it.
    pub prior_used: bool,
    /// Whether games link all agents that played. Otherwise every linked group has its own mean of
    /// 0, and ratings of different groups cannot be compared.
    pub connected: bool,
    /// The law of draws; `None` without draws.
    pub(super) draws: Option<DrawModel>,
    /// The correlation of each pairing.
    correlations: Correlations,
    /// The spread of the estimates; `None` without ratings.
    spread: Option<Spread>,
}

impl Ratings {
    /// An agent's Elo; 0 if it never met another.
    pub fn elo(&self, agent: usize) -> f64 {
        self.agents[agent].elo.value.unwrap_or(0.0)
    }

    /// The share of games that equal agents draw, 0 to 1, by Davidson's law of draws, and its parameter nu; `None` without
    /// draws.
    pub fn draws(&self) -> Option<(f64, f64)> {
        self.draws.map(|law| (law.between_equals(), law.nu))
    }

    /// The variance of a result with these log odds.
    pub(super) fn noise(&self, logit: f64) -> f64 {
        self.draws
            .map_or_else(|| variance(logit), |law| law.variance(logit))
    }

    /// A term for moving first, in Elo.
    pub(crate) fn seat(&self, term: usize) -> f64 {
        self.seats
            .get(term)
            .and_then(|seat| seat.value)
            .unwrap_or(0.0)
    }

    /// The rating of `a` minus that of `b`, with the standard error of the difference, which takes
    /// the covariance of the ratings into account. `None` if no chain of games links the two
    /// agents, or if `a` is `b`.
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        Some(self.combined_difference(a, b)?.estimate())
    }

    /// The difference of two different agents linked by a chain of games.
    fn combined_difference(&self, a: usize, b: usize) -> Option<Combined> {
        (a != b).then(|| self.combined(&[(a, 1.0), (b, -1.0)]))?
    }

    /// The sum of the ratings of some agents, each times its weight, with the covariance of the ratings. The weights add up to
    /// 0, and no agent is listed twice. Its interval has no end on a side on which one of the differences between an agent
    /// of positive and one of negative weight has none. `None` if no chain of games links the agents.
    pub fn contrast(&self, weights: &[(usize, f64)]) -> Option<Estimate> {
        Some(self.combined(weights)?.estimate())
    }

    fn combined(&self, weights: &[(usize, f64)]) -> Option<Combined> {
        let spread = self.spread.as_ref()?;
        let parameter = |agent: usize| *spread.parameters.get(agent)?;
        let (_, group) = parameter(weights.first()?.0)?;
        let linked = weights.iter().map(|&(agent, by)| {
            let (i, of) = parameter(agent)?;
            (of == group).then_some((i, by))
        });
        let combination: Vec<(usize, f64)> = linked.collect::<Option<_>>()?;
        let mut open = [false; 2];
        for &(i, _) in combination.iter().filter(|(_, by)| *by > 0.0) {
            for &(j, _) in combination.iter().filter(|(_, by)| *by < 0.0) {
                let of_both = spread.recession.of_rating(i, &[j]);
                open.iter_mut()
                    .zip(of_both)
                    .for_each(|(open, one)| *open |= one);
            }
        }
        let elo = weights
            .iter()
            .map(|&(agent, by)| by * self.elo(agent))
            .sum();
        Some(spread.combined(elo, &combination, open))
    }

    /// Likelihood of superiority, 0 to 1: the probability that `a` is better than `b`, given the
    /// games and a flat prior. `None` if there is no [`difference`](Self::difference).
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        self.combined_difference(a, b)?.superiority()
    }

    /// The difference and the likelihood of superiority of two agents.
    pub(super) fn comparison(&self, a: usize, b: usize) -> Option<(Estimate, Option<f64>)> {
        let difference = self.combined_difference(a, b)?;
        Some((difference.estimate(), difference.superiority()))
    }

    /// The correlation of the results of one of two agents in the games of their pairs that have this term for moving
    /// first; 0 if they have no pairs.
    pub(super) fn correlation(&self, a: usize, b: usize, term: usize) -> f64 {
        self.spread
            .as_ref()
            .and_then(|spread| {
                let parameter = |agent: usize| *spread.parameters.get(agent)?;
                self.correlations
                    .of([parameter(a)?.0, parameter(b)?.0], term)
            })
            .unwrap_or(0.0)
    }

    /// Shifts the anchor, and all agents linked to it, to the anchor's scale.
    fn anchor(&mut self, anchor: Anchor) {
        let by = anchor.elo - self.elo(anchor.agent);
        let differences: Vec<Option<Combined>> = (0..self.agents.len())
            .map(|agent| self.combined_difference(agent, anchor.agent))
            .collect();
        for (agent, difference) in differences.into_iter().enumerate() {
            if let Some(difference) = difference {
                let elo = self.elo(agent) + by;
                self.agents[agent].elo = Combined { elo, ..difference }.estimate();
            } else if agent == anchor.agent && self.agents[agent].elo.value.is_some() {
                self.agents[agent].elo = Estimate::with_error(anchor.elo, 0.0, NORMAL);
            }
        }
    }
}

/// Rates `agents` agents from their games.
///
/// The model is P(first wins) = 1 / (1 + 10^(-(r_first - r_second + h) / 400)) with a mean rating
/// of 0 (Bradley and Terry, Biometrika 1952, with a term for the seat as in Davidson and Beaver,
/// Biometrics 1977). `options` may be just [`Errors`]. [`Errors::Clustered`] uses the sandwich
/// estimator of Liang and Zeger (Biometrika 1986) with a correlation for each pairing, which is shrunk
/// towards that of the others. The order of the games does not matter.
///
/// ```
/// use patchwork_rating::{Errors, RatedGame, rate};
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
pub fn rate<'a>(games: &[RatedGame], agents: usize, options: impl Into<Options<'a>>) -> Ratings {
    rate_by(games.len(), &|i| games[i], agents, options.into())
}

/// Like [`rate`], for `count` games that are looked up by their index, several times each.
pub fn rate_by(
    count: usize,
    game: &dyn Fn(usize) -> RatedGame,
    agents: usize,
    options: Options<'_>,
) -> Ratings {
    let Options {
        errors,
        prior,
        anchor,
        zero,
        zero_at,
        setups,
        seats,
    } = options;
    let mut ratings = Ratings {
        agents: vec![Rating::default(); agents],
        connected: true,
        ..Ratings::default()
    };
    if count == 0 {
        return ratings;
    }
    let (players, index) = played((0..count).map(game), agents);
    let with_setup = |i: usize| {
        let RatedGame { first, second, .. } = game(i);
        let term = seats.map_or(0, |seats| usize::from(seats[i]));
        let [first, second] = [first, second].map(|agent| alias(index[agent], term, players.len()));
        let renumbered = RatedGame {
            first,
            second,
            ..game(i)
        };
        (
            renumbered,
            setups.map_or(renumbered.cluster, |setups| setups[i]),
        )
    };
    // Sums of floats depend on their order; the ratings must not.
    let games = GamesInOrder::new(count, with_setup, |_| true, Ord::cmp);
    let rated = || games.iter().map(|(game, _)| game);
    let mut likelihood = Likelihood::new(rated(), players.len());
    let wins = likelihood.wins();
    ratings.connected = likelihood.groups.iter().all(|&group| group == 0);
    let references = likelihood.references(&wins.components);
    for (i, &player) in players.iter().enumerate() {
        let (won, met) = likelihood.record_against_others(i);
        let rating = &mut ratings.agents[player];
        rating.group = (met > 0).then_some(likelihood.groups[i] as u32 + 1);
        rating.perfect = met > 0 && (won == 0 || won == met);
        let linked = |&other: &usize| wins.components[other] == wins.components[i];
        rating.separated = met > 0 && !references[likelihood.groups[i]].iter().all(linked);
    }
    let exists = wins.maximum_exists(&likelihood.groups);
    let fit;
    (fit, ratings.prior_used) = fit_with_prior(&mut likelihood, exists, prior);
    // With the prior there is a maximum and the iteration finds it; zeros are better than a panic.
    let Some(fit) = fit else {
        return ratings;
    };
    likelihood.find_draws(rated(), &fit);
    ratings.draws = likelihood.draw_model();
    ratings.correlations = Correlations::new(&likelihood, rated(), &fit.logits, &fit.bread);
    ratings.rho = ratings.correlations.common();
    let mut spread = spread(
        &likelihood,
        &games,
        &fit,
        errors,
        setups.is_some(),
        &ratings.correlations,
    );
    if !exists {
        spread.recession = Recession::new(&wins);
    }
    let term = |term: usize| {
        let (seat, open) = (players.len() + term, spread.recession.of_seat(term));
        let combined = spread.combined(SCALE * fit.logits[seat], &[(seat, 1.0)], open);
        combined.estimate()
    };
    ratings.seats = (0..likelihood.seats).map(term).collect();
    if let [only] = ratings.seats[..] {
        ratings.first_player = only;
    }
    spread.parameters = vec![None; agents];
    let references = match zero {
        Some(zero) => zeros(&players, &likelihood.groups, references, zero),
        None => references,
    };
    for (group, reference) in references.iter().enumerate() {
        let met =
            |&i: &usize| likelihood.groups[i] == group && likelihood.record_against_others(i).1 > 0;
        let members: Vec<usize> = (0..players.len()).filter(met).collect();
        let relative = spread.relative_to(&fit.logits, &members, reference);
        let is_zero = |zero: &[usize]| reference.iter().any(|&i| zero.contains(&players[i]));
        let at = if zero.is_some_and(is_zero) {
            zero_at
        } else {
            0.0
        };
        for (&i, mut relative) in members.iter().zip(relative) {
            relative.elo += at;
            ratings.agents[players[i]].elo = relative.estimate();
            spread.parameters[players[i]] = Some((i, group));
        }
    }
    ratings.spread = Some(spread);
    if let Some(anchor) = anchor {
        ratings.anchor(anchor);
    }
    ratings
}

/// For each group, the players among those of `zero`; in a group without any, the default reference players.
fn zeros(
    players: &[usize],
    groups: &[usize],
    references: Vec<Vec<usize>>,
    zero: &[usize],
) -> Vec<Vec<usize>> {
    let chosen = |(group, usual): (usize, Vec<usize>)| {
        let members = (0..players.len()).filter(|&i| groups[i] == group);
        let told: Vec<usize> = members.filter(|&i| zero.contains(&players[i])).collect();
        if told.is_empty() { usual } else { told }
    };
    references.into_iter().enumerate().map(chosen).collect()
}

/// The spread of the estimates of a fit, without the agents' parameters and the limits of the results.
fn spread(
    likelihood: &Likelihood,
    games: &GamesInOrder<impl Fn(usize) -> (RatedGame, u64) + Clone>,
    fit: &Fit,
    errors: Errors,
    shared: bool,
    correlations: &Correlations,
) -> Spread {
    let mut middle = likelihood.spread_of_games(fit);
    let (mut freedom, mut doubts) = (None, Vec::new());
    let mut few = FewSetups::default();
    if errors == Errors::Clustered {
        let of_setups = shared.then(|| likelihood.spread_of_setups(games, fit));
        if let Some(found) = of_setups.flatten() {
            let count;
            (middle, count, few) = found;
            freedom = Some(count);
        } else {
            correlations.add_to(&mut middle, likelihood, &fit.logits);
            doubts = correlations.doubts(likelihood, &fit.logits);
        }
    }
    let one_pair = match errors {
        Errors::Independent => games.iter().len() < 2,
        Errors::Clustered => {
            let mut setups = games.iter().map(|(_, setup)| setup);
            let first = setups.next();
            setups.all(|setup| Some(setup) == first)
        }
    };
    Spread {
        covariance: fit.bread.sandwich(&middle),
        bread: fit.bread.clone(),
        freedom: if one_pair { Some(0) } else { freedom },
        doubts,
        few,
        pairs: pair_counts(likelihood, games, errors).map(|counts| counts.estimate()),
        thirds: likelihood.third_derivatives(&fit.logits),
        parameters: Vec::new(),
        recession: Recession::default(),
    }
}

/// The pairs of two players who meet no others and draw games, if each pair has a setup of its own: their scores then show
/// all that is known of the difference.
fn pair_counts(
    likelihood: &Likelihood,
    games: &GamesInOrder<impl Fn(usize) -> (RatedGame, u64) + Clone>,
    errors: Errors,
) -> Option<PairCounts> {
    let possible = likelihood.players == 2 && likelihood.seats == 1 && errors == Errors::Clustered;
    likelihood.draw_model().filter(|_| possible)?;
    let mut counts = PairCounts::default();
    let mut all = true;
    let of_setup = |one: &(RatedGame, u64), other: &(RatedGame, u64)| one.1 == other.1;
    each_run(
        games.clone().by_key(|game| game.1).iter(),
        of_setup,
        |pair| {
            if let [(one, _), (two, _)] = pair
                && one.first == two.second
                && one.first != one.second
            {
                let halves = one.score.half_points() + two.score.reversed().half_points();
                counts.0[if one.first == 0 { halves } else { 4 - halves } as usize] += 1;
            } else {
                all = false;
            }
        },
    );
    all.then_some(counts)
}

/// The agents that played, and the index of each agent among them.
fn played(games: impl Iterator<Item = RatedGame>, agents: usize) -> (Vec<usize>, Vec<usize>) {
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
    (players, index)
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
