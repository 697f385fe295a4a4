//! Strengths in points, estimated from score margins.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::{NORMAL, student};
use super::estimate::Estimate;
use super::game::{ClusteredGame, GamesInOrder, MarginGame, each_run, name_of};
use super::graph::{self, Seating, groups, ordered};
use super::matrix::{Matrix, fix_means};

/// Strengths in points, by agent index.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginRatings {
    /// The first player's advantage, in points per game.
    pub first_player: Estimate,
    /// The average number of points per game by which an agent beats the mean of all agents; `None`
    /// if it met no other agent. There are no intervals unless there are more pairs than
    /// parameters.
    pub agents: Vec<Option<Estimate>>,
    /// Standard deviation of a game's margin not explained by strengths and seat.
    pub residual: Option<f64>,
    strengths: Vec<f64>,
    /// Indexed by parameter, the seat last; `None` unless there are more pairs than parameters.
    covariance: Option<Matrix>,
    /// The parameter and the group of each agent that met another one.
    parameters: Vec<Option<(usize, usize)>>,
    /// The quantile used for intervals.
    quantile: f64,
}

/// Fits margin = strength of first - strength of second + seat by least squares.
///
/// The errors come from the sandwich estimator, which assumes only that pairs are independent:
/// margins may vary more in some pairings, and the two games of a pair may depend on each other in
/// any way (Liang and Zeger, Biometrika 1986). It uses the usual factor pairs / (pairs -
/// parameters) and Student's t. None if there are no games between different agents, or if they do
/// not separate the seat from the strengths. The `count` games are looked up by their index, several times each; their
/// order does not matter.
///
/// `setups` holds the setup number of each game if several pairs share a setup. Setups are then
/// treated as independent, with the factor setups / (setups - 1).
///
/// # Panics
/// When a game names an agent index that is not below `agents`.
pub fn rate_margins_by(
    count: usize,
    game: &dyn Fn(usize) -> MarginGame,
    setups: Option<&[u64]>,
    agents: usize,
) -> Option<MarginRatings> {
    // Sums of floats depend on their order.
    let order = |a: &ClusteredGame, b: &ClusteredGame| {
        let by_pair = (pair_of(a), a.0.rated.first).cmp(&(pair_of(b), b.0.rated.first));
        by_pair.then_with(|| a.0.margin.total_cmp(&b.0.margin))
    };
    let with_setup = |i| (game(i), setups.map(|setups| setups[i]));
    let of_two = |(game, _): &ClusteredGame| game.rated.first != game.rated.second;
    let games = GamesInOrder::new(count, with_setup, of_two, order);
    let cells = seating_sums(games.iter().map(|(game, _)| game));
    let mut index: BTreeMap<usize, usize> =
        cells.keys().flat_map(|&(a, b)| [(a, 0), (b, 0)]).collect();
    for (i, parameter) in index.values_mut().enumerate() {
        *parameter = i;
    }
    let players = index.len();
    if players == 0 {
        return None;
    }
    let contrast =
        |(first, second): Seating| [(index[&first], 1.0), (index[&second], -1.0), (players, 1.0)];
    let (mut information, score) = normal_equations(&cells, players + 1, contrast);
    let met: Vec<Seating> = cells.keys().map(|(a, b)| (index[a], index[b])).collect();
    let groups = groups(&met, players);
    fix_means(&mut information, &groups);
    let inverse = information.inverse()?;
    let solution = inverse.times(&score);

    let residual = |game: &MarginGame| {
        let x = contrast(game.rated.seating());
        game.margin - x.iter().map(|&(i, sign)| sign * solution[i]).sum::<f64>()
    };
    let squares: f64 = games.iter().map(|(game, _)| residual(&game).powi(2)).sum();
    let mut pairs = 0;
    each_run(
        games.iter(),
        |a, b| pair_of(a) == pair_of(b),
        |_| pairs += 1,
    );
    let score = |game: &MarginGame| {
        let x = contrast(game.rated.seating());
        x.map(|(i, sign)| (i, sign * residual(game)))
    };
    let (middle, count) = match setups {
        None => middle(&games, players, |a, b| pair_of(a) == pair_of(b), score),
        Some(_) => {
            let by_setup = games.clone().by_key(|(_, setup)| *setup);
            middle(&by_setup, players, |a, b| a.1 == b.1, score)
        }
    };
    let group_count = graph::count(&groups);
    let fitted = players + 1 - group_count;
    let freedom = match pairs - fitted.min(pairs) {
        0 => 0,
        _ if setups.is_some() => count - 1,
        freedom => freedom,
    };
    let covariance = (freedom > 0).then(|| {
        let factor = count as f64 / freedom as f64;
        inverse.sandwich(&middle).scaled(factor)
    });
    let mut parameters = vec![None; agents];
    for (&agent, &i) in &index {
        parameters[agent] = Some((i, groups[i]));
    }
    let left = games.iter().len() as f64 - fitted as f64;
    let mut ratings = MarginRatings {
        first_player: Estimate::default(),
        agents: Vec::new(),
        residual: (left > 0.0).then(|| (squares / left).sqrt()),
        strengths: solution,
        covariance,
        parameters,
        quantile: if freedom > 0 {
            student(freedom)
        } else {
            NORMAL
        },
    };
    ratings.first_player = ratings.of(&[(players, 1.0)]);
    ratings.agents = (0..agents)
        .map(|agent| Some(ratings.of(&[(ratings.parameters[agent]?.0, 1.0)])))
        .collect();
    Some(ratings)
}

/// The normal equations of the least squares; `contrast` gives the coefficients of a seating's parameters.
fn normal_equations(
    cells: &BTreeMap<Seating, (f64, f64)>,
    parameters: usize,
    contrast: impl Fn(Seating) -> [(usize, f64); 3],
) -> (Matrix, Vec<f64>) {
    let mut information = Matrix::zero(parameters);
    let mut score = vec![0.0; parameters];
    for (&seating, (games, margins)) in cells {
        let x = contrast(seating);
        information.add_outer(*games, &x, &x);
        for (i, sign) in x {
            score[i] += sign * margins;
        }
    }
    (information, score)
}

/// The number of games of each seating, and the sum of their margins.
fn seating_sums(games: impl Iterator<Item = MarginGame>) -> BTreeMap<Seating, (f64, f64)> {
    let mut cells: BTreeMap<Seating, (f64, f64)> = BTreeMap::new();
    for game in games {
        let (games, margins) = cells.entry(game.rated.seating()).or_default();
        *games += 1.0;
        *margins += game.margin;
    }
    cells
}

/// The middle of the sandwich, and the number of independent clusters; the games of a cluster come one after
/// another, and `score` gives the score of each.
fn middle(
    games: &GamesInOrder<impl Fn(usize) -> ClusteredGame>,
    players: usize,
    is_same: impl Fn(&ClusteredGame, &ClusteredGame) -> bool,
    score: impl Fn(&MarginGame) -> [(usize, f64); 3],
) -> (Matrix, usize) {
    let mut middle = Matrix::zero(players + 1);
    let mut clusters = 0;
    each_run(games.iter(), is_same, |cluster| {
        let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
        for (i, value) in cluster.iter().flat_map(|(game, _)| score(game)) {
            *sum.entry(i).or_default() += value;
        }
        let score: Vec<(usize, f64)> = sum.into_iter().collect();
        middle.add_outer(1.0, &score, &score);
        clusters += 1;
    });
    (middle, clusters)
}

/// The pairing and the pair of a game.
fn pair_of((game, _): &ClusteredGame) -> (Seating, u64) {
    (ordered(game.rated.seating()), game.rated.cluster)
}

impl MarginRatings {
    /// The average number of points by which `a` beats `b`. `None` if no chain of games links the
    /// two agents, or if `a` is `b`.
    pub(crate) fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let parameter = |agent: usize| *self.parameters.get(agent)?;
        let ((i, group), (j, other)) = (parameter(a)?, parameter(b)?);
        (a != b && group == other).then(|| self.of(&[(i, 1.0), (j, -1.0)]))
    }

    fn of(&self, combination: &[(usize, f64)]) -> Estimate {
        let points = combination
            .iter()
            .map(|&(i, by)| by * self.strengths[i])
            .sum();
        let se = self.covariance.as_ref().map(|covariance| {
            let terms = combination.iter().flat_map(|&(i, by)| {
                let row = combination.iter();
                row.map(move |&(j, other)| by * other * covariance.at(i, j))
            });
            terms.sum::<f64>().max(0.0).sqrt()
        });
        match se {
            Some(se) => Estimate::with_error(points, se, self.quantile).unless_certain(),
            None => Estimate {
                value: Some(points),
                ..Estimate::default()
            },
        }
    }
}

/// Strengths in points, alongside those in Elo.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Margins {
    /// The first player's advantage, adjusted for the agents' strengths.
    pub first_player: Option<Estimate>,
    /// The agents, in the order of their Elo ratings.
    pub agents: Vec<AgentMargin>,
    /// Standard deviation of a game's margin not explained by strengths and seat.
    pub residual: Option<f64>,
}

/// An agent's strength in points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentMargin {
    /// Its name.
    pub agent: String,
    /// The average number of points by which it beats the mean of all agents.
    pub points: Estimate,
}

impl Margins {
    /// `ranking` holds the rated agents from best to worst.
    pub fn new(names: &[String], ranking: &[usize], margins: Option<&MarginRatings>) -> Self {
        let Some(margins) = margins else {
            return Self::default();
        };
        let row = |&agent: &usize| {
            Some(AgentMargin {
                agent: name_of(names, agent),
                points: margins.agents[agent]?,
            })
        };
        Self {
            first_player: Some(margins.first_player),
            agents: ranking.iter().filter_map(row).collect(),
            residual: margins.residual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RatedGame;
    use patchwork_engine::util::rng::{Rng, below, stream};

    fn value(points: Estimate) -> f64 {
        points.value.expect("an estimate")
    }

    fn game(cluster: u64, first: usize, second: usize, margin: f64) -> MarginGame {
        let rated = RatedGame {
            cluster,
            first,
            second,
            score: (margin > 0.0).into(),
        };
        MarginGame { rated, margin }
    }

    fn fitted(
        games: &[MarginGame],
        setups: Option<&[u64]>,
        agents: usize,
    ) -> Option<MarginRatings> {
        rate_margins_by(games.len(), &|i| games[i], setups, agents)
    }

    #[test]
    fn strengths_without_luck_are_found_exactly() {
        let strengths = [7.0, 1.0, -8.0];
        let mut games = Vec::new();
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            for pair in 0..3 {
                for (first, second) in [(a, b), (b, a)] {
                    let margin = strengths[first] - strengths[second] + 2.5;
                    games.push(game(pair, first, second, margin));
                }
            }
        }
        let rated = fitted(&games, None, 4).expect("all met");
        for (agent, strength) in strengths.into_iter().enumerate() {
            let points = rated.agents[agent].expect("it played");
            assert!((value(points) - strength).abs() < 1e-9);
            assert!(points.error.is_some_and(|se| se < 1e-6));
        }
        assert!((value(rated.first_player) - 2.5).abs() < 1e-9);
        assert_eq!(rated.agents[3], None);
        let ahead = rated.difference(0, 2).expect("they met");
        assert!((value(ahead) - 15.0).abs() < 1e-9);
        assert_eq!(
            (rated.difference(1, 1), rated.difference(1, 3)),
            (None, None)
        );
        games.reverse();
        assert_eq!(fitted(&games, None, 4), Some(rated));
    }

    #[test]
    fn what_is_not_told_is_none() {
        assert_eq!(fitted(&[], None, 2), None);
        assert_eq!(fitted(&[game(0, 1, 1, 3.0)], None, 2), None);
        // The seats were never swapped.
        assert_eq!(
            fitted(&[game(0, 0, 1, 3.0), game(1, 0, 1, 5.0)], None, 2),
            None
        );
        let two = fitted(&[game(0, 0, 1, 3.0), game(0, 1, 0, 5.0)], None, 2).expect("swapped");
        assert!((value(two.first_player) - 4.0).abs() < 1e-9 && two.first_player.error.is_none());
        // Groups that never met.
        let games: Vec<MarginGame> = [(0, 1), (2, 3)]
            .into_iter()
            .flat_map(|(a, b)| (0..9).map(move |i| (a, b, i)))
            .flat_map(|(a, b, i)| [game(i, a, b, i as f64), game(i, b, a, 4.0)])
            .collect();
        let apart = fitted(&games, None, 4).expect("swapped");
        assert!(apart.difference(0, 1).is_some_and(|d| d.error.is_some()));
        assert_eq!(apart.difference(0, 2), None);
    }

    #[test]
    fn intervals_cover_the_truth() {
        let strengths = [6.0, 0.0, -2.0, -4.0];
        let seat = -1.5;
        let noise = |rng: &mut Rng| {
            let sum: u64 = (0..12).map(|_| u64::from(below(1 << 20, rng))).sum();
            sum as f64 / f64::from(1 << 20) - 6.0
        };
        let (mut ratings, mut differences, mut seats) = (0, 0, 0);
        let runs = 2000;
        for run in 0..runs {
            let mut rng = stream(&[77, run]);
            let mut games = Vec::new();
            for a in 0..4 {
                for b in a + 1..4 {
                    // Margins vary more in games of the last agent, and each setup favours a seat.
                    let sd = if b == 3 { 20.0 } else { 10.0 };
                    for pair in 0..15 {
                        let luck = 6.0 * noise(&mut rng);
                        for (first, second) in [(a, b), (b, a)] {
                            let margin = strengths[first] - strengths[second]
                                + seat
                                + luck
                                + sd * noise(&mut rng);
                            games.push(game(pair, first, second, margin));
                        }
                    }
                }
            }
            let rated = fitted(&games, None, 4).expect("all met");
            let covers = |points: Estimate, truth: f64| {
                let interval = points.interval();
                u32::from(interval.is_some_and(|(low, high)| low <= truth && truth <= high))
            };
            for (agent, truth) in strengths.into_iter().enumerate() {
                ratings += covers(rated.agents[agent].expect("it played"), truth);
            }
            for (a, b) in [(0, 1), (2, 3)] {
                let difference = rated.difference(a, b).expect("they met");
                differences += covers(difference, strengths[a] - strengths[b]);
            }
            seats += covers(rated.first_player, seat);
        }
        for (covered, of) in [(ratings, 4), (differences, 2), (seats, 1)] {
            let share = f64::from(covered) / f64::from(of) / runs as f64;
            assert!((0.93..=0.97).contains(&share), "{share} of {of}");
        }
    }
}
