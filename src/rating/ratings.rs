//! Elo ratings and the first player's advantage by joint maximum likelihood.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::{NORMAL, normal_below, student};
use super::estimate::Estimate;
use super::matrix::{Matrix, dot};
use super::share::UNRELATED_PAIRS;

/// Elo points of one unit of log odds: 400 points are odds of 10 to 1.
pub(crate) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Pairs from which on their correlation is told.
const LEAST_PAIRS: f64 = 3.0;

/// Steps to a maximum; a penalised one is approached a little more slowly.
const MOST_STEPS: usize = 1000;

/// The part of a drawn game that a pairing gets where games do not tell strengths from the seat.
const DRAWN: f64 = 0.2;

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Game {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other one.
    pub second: usize,
    /// Whether the agent that moved first won.
    pub first_won: bool,
}

/// How games are taken to depend on one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// Not at all: the inverse of the Fisher information.
    Independent,
    /// An agent's results in the two games of a pair are correlated, equally in every pair. Where
    /// pairs share setups, as in [`super::Summary`], all games on one setup depend on each other in
    /// any way.
    #[default]
    Clustered,
}

/// Whether the likelihood is multiplied with Jeffreys' prior, the square root of the determinant of
/// the information, which keeps ratings finite whatever the results (Firth, Biometrika 1993; Heinze
/// and Schemper, Statistics in Medicine 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Prior {
    /// Never. Where the results allow no finite ratings there are none.
    None,
    /// Only where the results alone allow no finite ratings.
    #[default]
    Auto,
    /// Always.
    Always,
}

/// An agent whose rating is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Its index.
    pub agent: usize,
    /// Its rating in Elo points.
    pub elo: f64,
}

/// How games are rated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How games are taken to depend on one another.
    pub errors: Errors,
    /// Whether the likelihood is penalised.
    pub prior: Prior,
    /// The agent whose rating is given; the errors of the others are then those of their differences
    /// from it. Without an anchor the mean of all is 0.
    pub anchor: Option<Anchor>,
}

impl From<Errors> for Options {
    fn from(errors: Errors) -> Self {
        Self {
            errors,
            ..Self::default()
        }
    }
}

/// What is known of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rating {
    /// Elo relative to the mean of all rated agents, or on the anchor's scale; no value if it never
    /// met another.
    pub elo: Estimate,
    /// Whether it won all, or lost all, of its games against others.
    pub perfect: bool,
    /// Whether how far it is from the others is not known, only the direction: no chain of wins leads
    /// both from it to most agents and back.
    pub separated: bool,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// By the agent's index.
    pub agents: Vec<Rating>,
    /// What moving first is worth: added to the first player's rating.
    pub first_player: Estimate,
    /// Correlation of an agent's results in the two games of a pair, -1 to 1, given the ratings;
    /// none with fewer than three pairs.
    pub rho: Option<f64>,
    /// Whether the likelihood was penalised, because no finite ratings were most likely or because
    /// it was asked for.
    pub prior_used: bool,
    /// Whether all agents that played are linked by games; otherwise every linked group has a mean
    /// of 0 of its own and ratings of different groups cannot be compared.
    pub connected: bool,
    /// How the ratings vary together, unless there are none.
    spread: Option<Spread>,
}

/// The covariance of all parameters.
#[derive(Clone, Debug, PartialEq)]
struct Spread {
    /// By parameter, in squares of log odds.
    covariance: Matrix,
    /// Degrees of freedom of the errors where they are those of setups that several pairs share: one
    /// less than there are setups. 0 with fewer than two pairs. `None` for the normal distribution.
    freedom: Option<usize>,
    /// The parameter and the group of each agent that met another.
    parameters: Vec<Option<(usize, usize)>>,
    /// By parameter: chains of wins lead from an agent to all others of its component.
    components: Vec<usize>,
}

/// A difference of two ratings before it becomes an [`Estimate`].
#[derive(Clone, Copy, Debug)]
struct Difference {
    elo: f64,
    error: f64,
    /// Whether the interval has no lower, and no upper end.
    open: [bool; 2],
}

/// The estimate of an Elo number. Its interval has no lower or upper end where that side is `open`:
/// results in which somebody never lost are consistent with any distance.
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

    /// What moving first adds to a rating, in Elo.
    pub(crate) fn seat(&self) -> f64 {
        self.first_player.value.unwrap_or(0.0)
    }

    /// How much better `a` is than `b`, with the error of the difference, which is not the sum of
    /// theirs: ratings vary together. `None` if no chain of games links the two agents, or if `a` is
    /// `b`.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let Difference { elo, error, open } = self.raw_difference(a, b)?;
        let freedom = self.spread.as_ref()?.freedom;
        Some(estimate(elo, error, freedom, open))
    }

    fn raw_difference(&self, a: usize, b: usize) -> Option<Difference> {
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
        Some(Difference {
            elo,
            error: SCALE * variance.max(0.0).sqrt(),
            open: [apart && elo < 0.0, apart && elo > 0.0],
        })
    }

    /// Likelihood of superiority, 0 to 1: the probability that `a` is better than `b`, given the games
    /// and a flat prior. `None` where there is no [`difference`](Self::difference).
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let Difference { elo, error, .. } = self.raw_difference(a, b)?;
        let freedom = self.spread.as_ref()?.freedom;
        // With few degrees of freedom, so that 97.5% stands for an interval that begins at 0.
        let scale = NORMAL / quantile(freedom);
        (error > 0.0 && freedom != Some(0)).then(|| normal_below(scale * elo / error))
    }

    /// Moves the anchor, and all agents that are linked to it, to the anchor's scale.
    fn anchor(&mut self, anchor: Anchor) {
        let by = anchor.elo - self.elo(anchor.agent);
        let freedom = self.spread.as_ref().and_then(|spread| spread.freedom);
        let differences: Vec<Option<Difference>> = (0..self.agents.len())
            .map(|agent| self.raw_difference(agent, anchor.agent))
            .collect();
        for (agent, difference) in differences.into_iter().enumerate() {
            if let Some(Difference { error, open, .. }) = difference {
                self.agents[agent].elo = estimate(self.elo(agent) + by, error, freedom, open);
            } else if agent == anchor.agent && self.agents[agent].elo.value.is_some() {
                self.agents[agent].elo = estimate(anchor.elo, 0.0, None, [false; 2]);
            }
        }
    }
}

/// Rates `agents` agents by their games.
///
/// The model is P(first wins) = 1 / (1 + 10^(-(r_first - r_second + h) / 400)) with a mean rating
/// of 0 (Bradley and Terry, Biometrika 1952, with a term for the seat as in Davidson and Beaver,
/// Biometrics 1977). `options` may be just [`Errors`]. [`Errors::Clustered`] gives the sandwich of Liang and Zeger (Biometrika 1986)
/// with the working correlation taken as true. The order of the games does not matter.
///
/// ```
/// use patchwork_arena::rating::{Errors, Game, rate};
///
/// // Agent 0 wins three games in four, whoever moves first.
/// let game = |i: u64| Game {
///     cluster: i / 2,
///     first: (i % 2) as usize,
///     second: 1 - (i % 2) as usize,
///     first_won: (i % 2 == 0) == (i / 2 % 4 > 0),
/// };
/// let games: Vec<Game> = (0..80).map(game).collect();
/// let ratings = rate(&games, 2, Errors::Clustered);
/// assert_eq!(ratings.agents[0].elo.value.map(f64::round), Some(95.0));
/// assert!(ratings.first_player.value.is_some_and(|elo| elo.abs() < 1e-9));
/// let ahead = ratings.difference(0, 1).expect("they met");
/// assert!(ahead.low > Some(0.0) && ratings.superiority(0, 1) > Some(0.99));
/// ```
///
/// # Panics
/// When a game, or the anchor, names an agent that is not below `agents`.
#[must_use]
pub fn rate(games: &[Game], agents: usize, options: impl Into<Options>) -> Ratings {
    rate_on_setups(games, None, agents, options.into())
}

/// As [`rate`], where `setups` tells the number of each game's setup if several pairs share one:
/// clustered errors are then those of setups that are independent and of nothing else.
pub(crate) fn rate_on_setups(
    games: &[Game],
    setups: Option<&[u64]>,
    agents: usize,
    options: Options,
) -> Ratings {
    let Options {
        errors,
        prior,
        anchor,
    } = options;
    let mut ratings = Ratings {
        agents: vec![Rating::default(); agents],
        connected: true,
        ..Ratings::default()
    };
    if games.is_empty() {
        return ratings;
    }
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
    let mut games: Vec<(Game, u64)> = games
        .iter()
        .enumerate()
        .map(|(i, game)| {
            let game = Game {
                first: index[game.first],
                second: index[game.second],
                ..*game
            };
            (game, setups.map_or(game.cluster, |setups| setups[i]))
        })
        .collect();
    // Sums of floats depend on their order; the ratings must not.
    games.sort_unstable();
    let (games, numbers): (Vec<Game>, Vec<u64>) = games.into_iter().unzip();

    let mut model = Model::new(&games, players.len());
    let components = model.components();
    ratings.connected = model.groups.iter().all(|&group| group == 0);
    for (i, &player) in players.iter().enumerate() {
        let (won, met) = model.record_against_others(i);
        let rating = &mut ratings.agents[player];
        rating.perfect = met > 0 && (won == 0 || won == met);
        rating.separated = met > 0 && model.is_separated(&components, i);
    }
    let use_prior = match prior {
        Prior::None => false,
        Prior::Auto => !model.maximum_exists(),
        Prior::Always => true,
    };
    if use_prior {
        ratings.prior_used = true;
        model.penalise();
    } else if prior == Prior::None && !model.maximum_exists() {
        return ratings;
    }
    let mut fit = model.fit();
    if fit.is_none() && prior == Prior::Auto && !use_prior {
        ratings.prior_used = true;
        model.penalise();
        fit = model.fit();
    }
    // With the prior there is a maximum and the steps lead to it; zeros are better than a panic.
    let Some(fit) = fit else {
        return ratings;
    };
    let (rho, links) = model.links(&games, &fit.logits);
    ratings.rho =
        rho.filter(|_| links.values().map(|count| count.abs()).sum::<f64>() >= LEAST_PAIRS);
    let of_setups = (setups.is_some() && errors == Errors::Clustered)
        .then(|| model.spread_of_setups(&games, &numbers, &fit))
        .flatten();
    let one_pair = match errors {
        Errors::Independent => games.len() < 2,
        Errors::Clustered => numbers.iter().all(|&number| number == numbers[0]),
    };
    let freedom = if one_pair {
        Some(0)
    } else {
        of_setups.as_ref().map(|(_, freedom)| *freedom)
    };
    let mut middle = fit.information;
    if let Some((spread, _)) = of_setups {
        middle = spread;
    } else if errors == Errors::Clustered {
        for (&(one, two), count) in &links {
            let (x, y) = (model.contrast(one), model.contrast(two));
            let weight = rho.unwrap_or(0.0)
                * count
                * (variance(model.logit(&fit.logits, one))
                    * variance(model.logit(&fit.logits, two)))
                .sqrt();
            middle.add_outer(weight, &x, &y);
            middle.add_outer(weight, &y, &x);
        }
    }
    let covariance = fit.bread.sandwich(&middle);
    let estimate = |i: usize, open: [bool; 2]| {
        let error = SCALE * covariance.at(i, i).max(0.0).sqrt();
        estimate(SCALE * fit.logits[i], error, freedom, open)
    };
    ratings.first_player = estimate(players.len(), [false; 2]);
    let mut parameters = vec![None; agents];
    for (i, &player) in players.iter().enumerate() {
        let (won, met) = model.record_against_others(i);
        if met > 0 {
            ratings.agents[player].elo = estimate(i, [won == 0, won == met]);
            parameters[player] = Some((i, model.groups[i]));
        }
    }
    ratings.spread = Some(Spread {
        covariance,
        freedom,
        parameters,
        components,
    });
    if let Some(anchor) = anchor {
        ratings.anchor(anchor);
    }
    ratings
}

/// Who sits first and who second.
pub(crate) type Seating = (usize, usize);

/// The seatings that two games of one cluster had, with how many such twos there are: less than 0
/// where the first player of one game is the second of the other.
type Links = BTreeMap<(Seating, Seating), f64>;

/// All games of one seating: which parts of the likelihood they share.
#[derive(Clone, Copy, Debug)]
struct Cell {
    seating: Seating,
    games: u64,
    wins: u64,
    /// Virtual games that are half won, where games do not tell strengths from the seat.
    virtual_games: f64,
}

/// The likelihood: one parameter for each player, in log odds, and the last one for the seat.
struct Model {
    players: usize,
    cells: Vec<Cell>,
    /// The group of each player; players of different groups are linked by no chain of games.
    groups: Vec<usize>,
    /// Whether the likelihood is multiplied with Jeffreys' prior.
    penalised: bool,
}

struct Fit {
    logits: Vec<f64>,
    information: Matrix,
    /// Inverse of the information after the mean of each group is fixed.
    bread: Matrix,
}

impl Model {
    fn new(games: &[Game], players: usize) -> Self {
        let mut counts: BTreeMap<Seating, (u64, u64)> = BTreeMap::new();
        for game in games {
            let count = counts.entry((game.first, game.second)).or_default();
            count.0 += 1;
            count.1 += u64::from(game.first_won);
        }
        let cells: Vec<Cell> = counts
            .into_iter()
            .map(|(seating, (games, wins))| Cell {
                seating,
                games,
                wins,
                virtual_games: 0.0,
            })
            .collect();
        let seatings: Vec<Seating> = cells.iter().map(|cell| cell.seating).collect();
        let groups = groups(&seatings, players);
        Self {
            players,
            cells,
            groups,
            penalised: false,
        }
    }

    /// Who won against whom, itself or another.
    fn wins(&self) -> Vec<Seating> {
        let mut wins = Vec::new();
        for cell in &self.cells {
            let (first, second) = cell.seating;
            if cell.wins > 0 {
                wins.push((first, second));
            }
            if cell.wins < cell.games {
                wins.push((second, first));
            }
        }
        wins
    }

    /// Of each player the first of those that chains of wins lead to, and back.
    fn components(&self) -> Vec<usize> {
        let down = self.wins();
        let up: Vec<Seating> = down.iter().map(|&(a, b)| (b, a)).collect();
        let mut components = vec![usize::MAX; self.players];
        for player in 0..self.players {
            if components[player] == usize::MAX {
                let above: Vec<usize> = reached(player, &up, self.players).collect();
                for below in reached(player, &down, self.players) {
                    if above.binary_search(&below).is_ok() {
                        components[below] = player;
                    }
                }
            }
        }
        components
    }

    /// Whether other players of its group, but not only a smaller part of it, are not of its component.
    fn is_separated(&self, components: &[usize], player: usize) -> bool {
        let mut sizes = vec![0; self.players];
        for (&component, &group) in components.iter().zip(&self.groups) {
            if group == self.groups[player] {
                sizes[component] += 1;
            }
        }
        let own = std::mem::take(&mut sizes[components[player]]);
        sizes.into_iter().any(|size| size >= own)
    }

    /// Whether finite parameters, and only one set of them, maximise the likelihood.
    ///
    /// They do unless some direction d of the parameters makes no result less likely (Albert and
    /// Anderson, Biometrika 1984). If d leaves the seat alone, the winner must not lose by it in
    /// any game, which is possible unless each group is strongly connected by wins. If it adds
    /// +1 or -1 to the seat, d_loser <= d_winner + seat must hold, with the seat's sign turned where
    /// the second player won: differences that can be met unless some cycle of wins has a
    /// negative sum.
    fn maximum_exists(&self) -> bool {
        let mut wins: Vec<(Seating, i64)> = Vec::new();
        for cell in &self.cells {
            let (first, second) = cell.seating;
            if cell.wins > 0 {
                wins.push(((first, second), 1));
            }
            if cell.wins < cell.games {
                wins.push(((second, first), -1));
            }
        }
        let down: Vec<Seating> = wins.iter().map(|win| win.0).collect();
        let up: Vec<Seating> = down
            .iter()
            .map(|&(winner, loser)| (loser, winner))
            .collect();
        let group_sizes = |player: usize| {
            let group = self.groups[player];
            self.groups.iter().filter(|&&other| other == group).count()
        };
        let mut seen = vec![false; self.players];
        for player in 0..self.players {
            if std::mem::replace(&mut seen[self.groups[player]], true) {
                continue;
            }
            let size = group_sizes(player);
            let all = |edges: &[Seating]| reached(player, edges, self.players).count() == size;
            if !all(&down) || !all(&up) {
                return false;
            }
        }
        [1, -1].into_iter().all(|sign| {
            let edges: Vec<(Seating, i64)> =
                wins.iter().map(|&(win, seat)| (win, sign * seat)).collect();
            has_negative_cycle(&edges, self.players)
        })
    }

    /// Penalises the likelihood by Jeffreys' prior. Where seats never changed, so that no amount of
    /// games tells strengths from the seat, the prior does not either: there each pairing that met
    /// gets a small part of a drawn game as well, half of it in either seating.
    fn penalise(&mut self) {
        self.penalised = true;
        let (_, mut information) = self.derivatives(&vec![0.0; self.players + 1]);
        fix_means(&mut information, &self.groups);
        if information.inverse().is_none() {
            self.add_draws();
        }
    }

    fn add_draws(&mut self) {
        let mut cells: BTreeMap<Seating, Cell> = self
            .cells
            .iter()
            .map(|&cell| (cell.seating, cell))
            .collect();
        for cell in &self.cells {
            let (first, second) = cell.seating;
            let orders = [(first, second), (second, first)];
            for seating in orders {
                let cell = cells.entry(seating).or_insert(Cell {
                    seating,
                    games: 0,
                    wins: 0,
                    virtual_games: 0.0,
                });
                // Set, not added: a pairing comes here once for each seating it played. An agent
                // that played itself has only one seating for the whole game.
                cell.virtual_games = if first == second { DRAWN } else { DRAWN / 2.0 };
            }
        }
        self.cells = cells.into_values().collect();
    }

    /// The parameters that a seating's log odds are the sum of.
    fn contrast(&self, (first, second): Seating) -> [(usize, f64); 3] {
        [(first, 1.0), (second, -1.0), (self.players, 1.0)]
    }

    fn logit(&self, logits: &[f64], seating: Seating) -> f64 {
        let contrast = self.contrast(seating);
        contrast.iter().map(|&(i, sign)| sign * logits[i]).sum()
    }

    /// The logarithm of what is maximised; minus infinity where it is not a number.
    fn log_likelihood(&self, logits: &[f64]) -> f64 {
        let of_games: f64 = self
            .cells
            .iter()
            .map(|cell| {
                let logit = self.logit(logits, cell.seating);
                // ln(1 + e^logit) without overflow.
                let softplus = logit.max(0.0) + libm::log1p(libm::exp(-logit.abs()));
                cell.score() * logit - cell.weight() * softplus
            })
            .sum();
        if !self.penalised {
            return of_games;
        }
        let (_, mut information) = self.derivatives(logits);
        fix_means(&mut information, &self.groups);
        let penalty = information.log_determinant();
        penalty.map_or(f64::NEG_INFINITY, |log| of_games + log / 2.0)
    }

    /// Newton's method with steps that are halved until they do not lose, from equal agents on.
    fn fit(&self) -> Option<Fit> {
        let size = self.players + 1;
        let mut logits = vec![0.0; size];
        let mut value = self.log_likelihood(&logits);
        for _ in 0..MOST_STEPS {
            let (mut gradient, information) = self.derivatives(&logits);
            // The likelihood is flat where all of a group go up together. This fixes the group's
            // mean at 0 and changes nothing else.
            let mut fixed = information.clone();
            fix_means(&mut fixed, &self.groups);
            let bread = fixed.inverse()?;
            let step = if self.penalised {
                self.add_penalty(&logits, &bread, &mut gradient, &mut fixed);
                fixed.inverse()?.times(&gradient)
            } else {
                bread.times(&gradient)
            };
            let gain = dot(&step, &gradient);
            if gain < 1e-18 {
                return Some(Fit {
                    logits,
                    information,
                    bread,
                });
            }
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = logits
                    .iter()
                    .zip(&step)
                    .map(|(x, dx)| x + length * dx)
                    .collect();
                let reached = self.log_likelihood(&next);
                // Close to the top the gain drowns in rounding, and full steps are right.
                if reached > value || gain < 1e-6 {
                    logits = next;
                    value = reached;
                    break;
                }
                length /= 2.0;
                if length < 1e-9 {
                    return None;
                }
            }
        }
        None
    }

    /// Adds the penalty's gradient, and about what it adds to the curvature: to each seating as many
    /// virtual draws as its games have leverage, which is as many as there are parameters in all.
    fn add_penalty(
        &self,
        logits: &[f64],
        inverse: &Matrix,
        gradient: &mut [f64],
        curvature: &mut Matrix,
    ) {
        for cell in &self.cells {
            let logit = self.logit(logits, cell.seating);
            let contrast = self.contrast(cell.seating);
            let leverage = cell.weight() * variance(logit) * inverse.quadratic(&contrast);
            for &(i, sign) in &contrast {
                gradient[i] += sign * leverage * (0.5 - probability(logit));
            }
            curvature.add_outer(leverage * variance(logit), &contrast, &contrast);
        }
    }

    fn derivatives(&self, logits: &[f64]) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.players + 1];
        let mut information = Matrix::zero(self.players + 1);
        for cell in &self.cells {
            let logit = self.logit(logits, cell.seating);
            let contrast = self.contrast(cell.seating);
            let surprise = cell.score() - cell.weight() * probability(logit);
            for &(i, sign) in &contrast {
                gradient[i] += sign * surprise;
            }
            information.add_outer(cell.weight() * variance(logit), &contrast, &contrast);
        }
        (gradient, information)
    }

    /// The correlation within pairs, and which games are correlated by it.
    fn links(&self, games: &[Game], logits: &[f64]) -> (Option<f64>, Links) {
        let residual = |game: &Game| {
            let logit = self.logit(logits, (game.first, game.second));
            let result = f64::from(u8::from(game.first_won));
            (result - probability(logit)) / variance(logit).sqrt()
        };
        let (mut product, mut square, mut largest) = (0.0, 0.0, 0);
        let mut links = Links::new();
        for cluster in games.chunk_by(|a, b| a.cluster == b.cluster) {
            largest = largest.max(cluster.len());
            for (i, one) in cluster.iter().enumerate() {
                for two in &cluster[i + 1..] {
                    let seatings = ((one.first, one.second), (two.first, two.second));
                    // The first player of one game, seen in the other. An agent that plays itself
                    // swaps seats with itself.
                    let sign = if seatings.0 == (two.second, two.first) {
                        -1.0
                    } else if seatings.0 == seatings.1 {
                        1.0
                    } else {
                        continue;
                    };
                    let (a, b) = (residual(one), residual(two));
                    product += sign * a * b;
                    square += (a * a + b * b) / 2.0;
                    *links.entry(seatings).or_default() += sign;
                }
            }
        }
        if links.is_empty() {
            return (None, links);
        }
        // More than two equally correlated results cannot be as opposed as two.
        let least = -1.0 / (largest as f64 - 1.0);
        let rho = (product / (square + UNRELATED_PAIRS)).clamp(least, 1.0);
        (Some(rho), links)
    }

    /// How the score varies when setups are independent and nothing else is taken for granted (Liang
    /// and Zeger, Biometrika 1986), with the degrees of freedom; `None` of a single setup.
    ///
    /// Added is what [`UNRELATED_PAIRS`] setups of independent games would be, so that setups on which
    /// the same happens every time do not claim an error of 0; and with the prior, in each seating, by
    /// how much results vary less than they should: those of hopeless games hardly vary.
    fn spread_of_setups(
        &self,
        games: &[Game],
        setups: &[u64],
        fit: &Fit,
    ) -> Option<(Matrix, usize)> {
        let mut scores: BTreeMap<u64, BTreeMap<usize, f64>> = BTreeMap::new();
        let mut missing: BTreeMap<Seating, f64> = BTreeMap::new();
        for (game, &setup) in games.iter().zip(setups) {
            let seating = (game.first, game.second);
            let logit = self.logit(&fit.logits, seating);
            let off = f64::from(u8::from(game.first_won)) - probability(logit);
            let score = scores.entry(setup).or_default();
            for (i, sign) in self.contrast(seating) {
                *score.entry(i).or_default() += sign * off;
            }
            *missing.entry(seating).or_default() += variance(logit) - off * off;
        }
        let freedom = scores.len() - 1;
        if freedom == 0 {
            return None;
        }
        let count = scores.len() as f64;
        let mut spread = fit
            .information
            .clone()
            .scaled(UNRELATED_PAIRS / (count + UNRELATED_PAIRS));
        for score in scores.into_values() {
            let score: Vec<(usize, f64)> = score.into_iter().collect();
            spread.add_outer(count / freedom as f64, &score, &score);
        }
        if self.penalised {
            for (seating, missing) in missing {
                let contrast = self.contrast(seating);
                spread.add_outer(missing.max(0.0), &contrast, &contrast);
            }
        }
        Some((spread, freedom))
    }

    /// Games won and games played against other agents.
    fn record_against_others(&self, player: usize) -> (u64, u64) {
        let (mut won, mut met) = (0, 0);
        for cell in &self.cells {
            let (first, second) = cell.seating;
            if first != second && (first == player || second == player) {
                met += cell.games;
                won += if first == player {
                    cell.wins
                } else {
                    cell.games - cell.wins
                };
            }
        }
        (won, met)
    }
}

impl Cell {
    fn weight(&self) -> f64 {
        self.games as f64 + self.virtual_games
    }

    fn score(&self) -> f64 {
        self.wins as f64 + self.virtual_games / 2.0
    }
}

pub(crate) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// Of one result, p (1 - p).
pub(crate) fn variance(logit: f64) -> f64 {
    // Both factors directly: 1 - p would round to 0 for a hopeless game.
    probability(logit) * probability(-logit)
}

/// The group of each player: those that are linked by a chain of games. Groups are numbered from 0 on.
pub(crate) fn groups(met: &[Seating], players: usize) -> Vec<usize> {
    let both_ways: Vec<Seating> = met.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let mut groups = vec![usize::MAX; players];
    let mut next = 0;
    for player in 0..players {
        if groups[player] == usize::MAX {
            for linked in reached(player, &both_ways, players) {
                groups[linked] = next;
            }
            next += 1;
        }
    }
    groups
}

/// Makes the information of strengths that are only known up to a constant in each group invertible:
/// the mean of each group becomes 0.
pub(crate) fn fix_means(information: &mut Matrix, groups: &[usize]) {
    for (i, group) in groups.iter().enumerate() {
        for (j, other) in groups.iter().enumerate() {
            if group == other {
                information.add(i, j, 1.0);
            }
        }
    }
}

/// The nodes that edges lead to from `start` on, itself among them.
fn reached(start: usize, edges: &[Seating], nodes: usize) -> impl Iterator<Item = usize> {
    let mut next = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        next[from].push(to);
    }
    let mut seen = vec![false; nodes];
    seen[start] = true;
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for &to in &next[node] {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    (0..nodes).filter(move |&node| seen[node])
}

/// Whether some cycle of edges has a negative sum, by Bellman and Ford from all nodes at once.
fn has_negative_cycle(edges: &[(Seating, i64)], nodes: usize) -> bool {
    let mut distance = vec![0; nodes];
    for _ in 0..=nodes {
        let mut shorter = false;
        for &((from, to), length) in edges {
            if distance[from] + length < distance[to] {
                distance[to] = distance[from] + length;
                shorter = true;
            }
        }
        if !shorter {
            return false;
        }
    }
    true
}
