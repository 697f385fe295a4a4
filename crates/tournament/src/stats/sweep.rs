//! The effect of each swept key: the mean rating, score and margin of its values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use patchwork_rating::{Clusters, Estimate, MarginGame, RatedGame, Ratings};
use schemars::JsonSchema;
use serde::Serialize;

use super::statistics::{VALUE_ELO, VALUE_LEAD, VALUE_MARGIN, VALUE_SCORE};

/// The effects of the keys of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepEffects {
    /// The keys, in alphabetical order.
    pub keys: Vec<SweptKey>,
    /// The pairs of keys.
    pub pairs: Vec<SweptKeyPair>,
}

/// The effect of a key.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweptKey {
    /// The dotted key.
    pub key: String,
    /// Its values, or ranges of values if there are more than eight numbers.
    pub values: Vec<SweptValue>,
    /// The value with the highest rating; null if fewer than two values have ratings that can be compared.
    pub best: Option<BestValue>,
}

/// The value of a key whose agents have the highest mean rating.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BestValue {
    /// The value.
    pub value: String,
    /// The value with the next highest mean rating.
    pub next: String,
    /// [`VALUE_LEAD`].
    #[schemars(description = VALUE_LEAD.about)]
    pub elo: Estimate,
    /// The value with the lowest mean rating.
    pub worst: String,
}

/// The results of the agents with one value of a key.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweptValue {
    /// The value.
    pub value: String,
    /// Number of agents with this value.
    pub agents: u64,
    /// Number of their games against agents without it.
    pub games: u64,
    /// [`VALUE_SCORE`].
    #[schemars(description = VALUE_SCORE.about)]
    pub score: Estimate,
    /// [`VALUE_MARGIN`].
    #[schemars(description = VALUE_MARGIN.about)]
    pub margin: Estimate,
    /// [`VALUE_ELO`].
    #[schemars(description = VALUE_ELO.about)]
    pub elo: Estimate,
}

/// The results of the agents with each combination of values of two keys.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweptKeyPair {
    /// One key.
    pub a: String,
    /// The other key.
    pub b: String,
    /// The combinations that agents have, in order of the values of `a`, then of `b`.
    pub cells: Vec<SweptCell>,
}

/// The results of the agents with one combination of values.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweptCell {
    /// The value of key `a`.
    pub a_value: String,
    /// The value of key `b`.
    pub b_value: String,
    /// Number of agents with these values.
    pub agents: u64,
    /// Number of their games against other agents.
    pub games: u64,
    /// [`VALUE_SCORE`].
    #[schemars(description = VALUE_SCORE.about)]
    pub score: Estimate,
    /// [`VALUE_MARGIN`].
    #[schemars(description = VALUE_MARGIN.about)]
    pub margin: Estimate,
}

/// Largest number of distinct numbers of a key that are reported one by one.
const MAX_VALUES: usize = 8;
/// Number of ranges otherwise.
const RANGES: usize = 5;

/// The text of a value, and the number if it is one.
pub type ValueText = (String, Option<f64>);

/// The labels of the groups of agents by the value of a key, and the group of each agent; agents without the key are in
/// none.
fn groups(values: &[Option<&ValueText>]) -> (Vec<String>, Vec<Option<usize>>) {
    let mut distinct: Vec<&ValueText> = Vec::new();
    for value in values.iter().flatten() {
        if !distinct.contains(value) {
            distinct.push(value);
        }
    }
    let number = |value: &ValueText| value.1.unwrap_or(f64::NAN);
    let numeric = distinct.iter().all(|value| value.1.is_some());
    if numeric {
        distinct.sort_by(|a, b| number(a).total_cmp(&number(b)));
    } else {
        distinct.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let ranges = if numeric && distinct.len() > MAX_VALUES {
        RANGES
    } else {
        distinct.len()
    };
    let group = |place: usize| place * ranges / distinct.len().max(1);
    let labels = (0..ranges).map(|range| {
        let within: Vec<_> = (0..distinct.len())
            .filter(|&place| group(place) == range)
            .collect();
        match within[..] {
            [only] => distinct[only].0.clone(),
            [first, .., last] => format!("{} to {}", distinct[first].0, distinct[last].0),
            [] => String::new(),
        }
    });
    let place = |value: &ValueText| distinct.iter().position(|other| *other == value);
    let of_agents = values.iter().map(|value| place((*value)?).map(group));
    (labels.collect(), of_agents.collect())
}

/// Number of games and sums of the scores and margins of a group of agents, by setup.
#[derive(Default)]
struct GroupSums {
    /// The agents that met on the setup first, and the sums.
    setups: BTreeMap<u64, ([usize; 2], [f64; 3])>,
    /// Whether others met there, too.
    shared: bool,
}

impl GroupSums {
    fn add(&mut self, game: &RatedGame, score: f64, margin: f64) {
        let pairing = [game.first.min(game.second), game.first.max(game.second)];
        let (first, sums) = self
            .setups
            .entry(game.cluster)
            .or_insert((pairing, [0.0; 3]));
        self.shared |= *first != pairing;
        sums[0] += 1.0;
        sums[1] += score;
        sums[2] += margin;
    }

    fn games(&self) -> f64 {
        self.setups.values().map(|(_, sums)| sums[0]).sum()
    }

    /// The clusters of one of the sums per game. Unless setups are shared, each pairing is a stratum.
    fn clusters(&self, of: usize) -> Clusters {
        let mut setups: Vec<_> = self.setups.values().collect();
        if !self.shared {
            setups.sort_by_key(|(pairing, _)| *pairing);
        }
        let mut clusters = Clusters::default();
        let strata = setups.chunk_by(|(one, _), (other, _)| self.shared || one == other);
        for stratum in strata {
            for (_, sums) in stratum {
                clusters.add(sums[of], sums[0]);
            }
            clusters.close_stratum();
        }
        clusters
    }

    /// The mean score, with an interval within 0 and 1.
    fn score(&self) -> Estimate {
        self.clusters(1).share()
    }

    fn margin(&self) -> Estimate {
        self.clusters(2).mean()
    }
}

/// Sums of the games of each of `count` groups against agents outside the group, given the group of each agent.
fn group_sums(count: usize, of_agents: &[Option<usize>], games: &[MarginGame]) -> Vec<GroupSums> {
    let mut sums: Vec<GroupSums> = (0..count).map(|_| GroupSums::default()).collect();
    for MarginGame { rated, margin } in games {
        let [first, second] = [rated.first, rated.second].map(|agent| of_agents[agent]);
        if first == second {
            continue;
        }
        if let Some(group) = first {
            sums[group].add(rated, rated.score.points(), *margin);
        }
        if let Some(group) = second {
            sums[group].add(rated, rated.score.reversed().points(), -margin);
        }
    }
    sums
}

impl SweepEffects {
    /// The effects of a sweep. Games on the same setup have the same cluster; `ratings` are those of these games. For each
    /// agent, `values` holds the text of each swept key's value, and the number if it is one; it is empty for agents
    /// that are not part of the sweep.
    pub fn new(
        values: &[BTreeMap<String, ValueText>],
        games: &[MarginGame],
        ratings: &Ratings,
    ) -> Option<Self> {
        let mut names: Vec<&String> = values.iter().flat_map(BTreeMap::keys).collect();
        names.sort();
        names.dedup();
        if names.is_empty() {
            return None;
        }
        let all: Vec<SweptGroups<'_>> = names
            .into_iter()
            .map(|key| {
                let of_agents: Vec<_> = values.iter().map(|values| values.get(key)).collect();
                let (labels, of_agents) = groups(&of_agents);
                (&**key, labels, of_agents)
            })
            .collect();
        let keys = all.iter().map(|groups| key_effect(groups, games, ratings));
        let pairs = all.iter().enumerate().flat_map(|(i, one)| {
            let others = all[i + 1..].iter();
            others.map(|other| pair_effect(one, other, games))
        });
        Some(Self {
            keys: keys.collect(),
            pairs: pairs.collect(),
        })
    }
}

/// A key with the labels of its groups, and the group of each agent.
type SweptGroups<'a> = (&'a str, Vec<String>, Vec<Option<usize>>);

/// The number of agents in a group.
fn members(of_agents: &[Option<usize>], group: usize) -> u64 {
    of_agents.iter().filter(|of| **of == Some(group)).count() as u64
}

fn key_effect(
    (key, labels, of_agents): &SweptGroups<'_>,
    games: &[MarginGame],
    ratings: &Ratings,
) -> SweptKey {
    let sums = group_sums(labels.len(), of_agents, games);
    let contrast = |weights: &[f64]| contrast(of_agents, weights, ratings).unwrap_or_default();
    // The mean of all values is that of the values with ratings.
    let rated: Vec<bool> = (0..labels.len())
        .map(|group| rated_members(of_agents, group, ratings).next().is_some())
        .collect();
    let count = rated.iter().filter(|&&is_rated| is_rated).count() as f64;
    let effect = |group: usize| {
        let weight = |of: usize| f64::from(of == group) - f64::from(rated[of]) / count;
        let weights: Vec<f64> = (0..labels.len()).map(weight).collect();
        if rated[group] {
            contrast(&weights)
        } else {
            Estimate::default()
        }
    };
    let value = |(group, own): (usize, &GroupSums)| SweptValue {
        value: labels[group].clone(),
        agents: members(of_agents, group),
        games: own.games() as u64,
        score: own.score(),
        margin: own.margin(),
        elo: effect(group),
    };
    let values: Vec<SweptValue> = sums.iter().enumerate().map(value).collect();
    let elo = |group: usize| Some((values[group].elo.value?, group));
    let mut order: Vec<(f64, usize)> = (0..values.len()).filter_map(elo).collect();
    order.sort_by(|(one, _), (other, _)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
    let best = match order[..] {
        [(_, best), (_, next), .., (_, worst)] | [(_, best), (_, next @ worst)] => {
            let weights = (0..values.len()).map(|of| f64::from(of == best) - f64::from(of == next));
            Some(BestValue {
                value: labels[best].clone(),
                next: labels[next].clone(),
                elo: contrast(&weights.collect::<Vec<f64>>()),
                worst: labels[worst].clone(),
            })
        }
        _ => None,
    };
    SweptKey {
        key: (*key).to_owned(),
        values,
        best,
    }
}

/// The agents of a group that have a rating.
fn rated_members<'a>(
    of_agents: &'a [Option<usize>],
    group: usize,
    ratings: &'a Ratings,
) -> impl Iterator<Item = usize> + 'a {
    let own = (0..of_agents.len()).filter(move |&agent| of_agents[agent] == Some(group));
    own.filter(|&agent| ratings.agents[agent].elo.value.is_some())
}

/// The sum of the mean ratings of the groups of agents, each times its weight; the weights add up to 0.
fn contrast(of_agents: &[Option<usize>], weights: &[f64], ratings: &Ratings) -> Option<Estimate> {
    let of_group = |(group, &weight): (usize, &f64)| {
        let agents: Vec<usize> = rated_members(of_agents, group, ratings).collect();
        let each = weight / agents.len() as f64;
        agents.into_iter().map(move |agent| (agent, each))
    };
    let weights = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0.0);
    ratings.contrast(&weights.flat_map(of_group).collect::<Vec<_>>())
}

fn pair_effect(
    (a, rows, row_of): &SweptGroups<'_>,
    (b, columns, column_of): &SweptGroups<'_>,
    games: &[MarginGame],
) -> SweptKeyPair {
    let width = columns.len();
    let both = row_of.iter().zip(column_of);
    let cell_of = both.map(|(row, column)| Some((*row)? * width + (*column)?));
    let cell_of: Vec<Option<usize>> = cell_of.collect();
    let sums = group_sums(rows.len() * width, &cell_of, games);
    let cell = |(group, sums): (usize, &GroupSums)| SweptCell {
        a_value: rows[group / width].clone(),
        b_value: columns[group % width].clone(),
        agents: members(&cell_of, group),
        games: sums.games() as u64,
        score: sums.score(),
        margin: sums.margin(),
    };
    let cells = sums.iter().enumerate().map(cell);
    SweptKeyPair {
        a: (*a).to_owned(),
        b: (*b).to_owned(),
        cells: cells.filter(|cell| cell.agents > 0).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(games: &[MarginGame], agents: usize) -> Ratings {
        let games: Vec<RatedGame> = games.iter().map(|game| game.rated).collect();
        patchwork_rating::rate(&games, agents, patchwork_rating::Errors::Clustered)
    }

    fn values(of: &[(&str, f64)]) -> BTreeMap<String, ValueText> {
        let value =
            |&(key, number): &(&str, f64)| (key.to_owned(), (number.to_string(), Some(number)));
        of.iter().map(value).collect()
    }

    /// Three variants against the fixed agent 3 on common setups.
    fn sweep() -> (Vec<BTreeMap<String, ValueText>>, Vec<MarginGame>) {
        let agents = vec![
            values(&[("x", 1.0), ("y", 0.0)]),
            values(&[("x", 2.0), ("y", 0.0)]),
            values(&[("x", 2.0), ("y", 1.0)]),
            BTreeMap::new(),
        ];
        let mut games = Vec::new();
        for setup in 0..10 {
            for agent in 0..3 {
                for leg in 0..2 {
                    // The ring decides most of the margin; the agent adds its number.
                    let margin = f64::from(setup % 5) * 4.0 - 8.0 + f64::from(agent);
                    let margin = margin + if leg == 0 { 0.5 } else { -0.5 };
                    let sign = if leg == 0 { 1.0 } else { -1.0 };
                    let (first, second) = if leg == 0 { (agent, 3) } else { (3, agent) };
                    let margin = sign * margin;
                    let rated = RatedGame {
                        cluster: setup as u64,
                        first: first as usize,
                        second: second as usize,
                        score: (margin > 0.0).into(),
                    };
                    games.push(MarginGame { rated, margin });
                }
            }
        }
        (agents, games)
    }

    #[test]
    fn values_are_compared_on_the_same_setups() {
        let (agents, games) = sweep();
        let effects = SweepEffects::new(&agents, &games, &rated(&games, 4)).unwrap();
        let names: Vec<&str> = effects.keys.iter().map(|key| key.key.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
        let x = &effects.keys[0];
        let [one, two] = &x.values[..] else { panic!() };
        assert_eq!(
            (one.agents, one.games, two.agents, two.games),
            (1, 20, 2, 40)
        );
        assert!((one.margin.value.unwrap() - 0.0).abs() < 1e-12);
        assert!((two.margin.value.unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(effects.pairs.len(), 1);
        let cells: Vec<_> = effects.pairs[0]
            .cells
            .iter()
            .map(|c| (c.a_value.as_str(), c.b_value.as_str(), c.games))
            .collect();
        assert_eq!(cells, [("1", "0", 20), ("2", "0", 20), ("2", "1", 20)]);
        let none = SweepEffects::new(&[BTreeMap::new()], &[], &rated(&[], 1));
        assert_eq!(none, None);
    }

    #[test]
    fn many_numbers_become_ranges() {
        let agents: Vec<_> = (0..23).map(|i| values(&[("x", f64::from(i))])).collect();
        let effects = SweepEffects::new(&agents, &[], &rated(&[], 23)).unwrap();
        let labels: Vec<&str> = effects.keys[0]
            .values
            .iter()
            .map(|v| v.value.as_str())
            .collect();
        assert_eq!(
            labels,
            ["0 to 4", "5 to 9", "10 to 13", "14 to 18", "19 to 22"]
        );
        assert_eq!(
            effects.keys[0].values.iter().map(|v| v.agents).sum::<u64>(),
            23
        );
    }

    /// Agents with planted strengths: for each key, an effect of each value. The effects in Elo are those that were planted,
    /// however many values there are and whoever the opponents are, with intervals that cover them.
    #[test]
    fn planted_effects_are_found() {
        const X: [f64; 3] = [-60.0, 0.0, 120.0];
        const Y: [f64; 2] = [-25.0, 25.0];
        let mut agents = Vec::new();
        let mut strengths = Vec::new();
        for (x, of_x) in X.iter().enumerate() {
            for (y, of_y) in Y.iter().enumerate() {
                agents.push(values(&[("x", x as f64), ("y", y as f64)]));
                strengths.push(of_x + of_y);
            }
        }
        // One that is not swept.
        agents.push(BTreeMap::new());
        strengths.push(-150.0);
        let mut rng = patchwork_engine::util::rng::stream(&[73]);
        let mut draw = || {
            f64::from(patchwork_engine::util::rng::below(1 << 20, &mut rng)) / f64::from(1 << 20)
        };
        let (runs, pairs) = (400, 12);
        let (mut covered, mut sums, mut best) = ([0; 5], [0.0; 5], 0);
        for _ in 0..runs {
            let mut games = Vec::new();
            for one in 0..agents.len() {
                for other in 0..one {
                    for pair in 0..pairs {
                        for [first, second] in [[one, other], [other, one]] {
                            let lead = strengths[first] - strengths[second] + 30.0;
                            let chance = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
                            let rated = RatedGame {
                                cluster: (pair + pairs * (one * agents.len() + other)) as u64,
                                first,
                                second,
                                score: (draw() < chance).into(),
                            };
                            games.push(MarginGame { rated, margin: 0.0 });
                        }
                    }
                }
            }
            let effects = SweepEffects::new(&agents, &games, &rated(&games, agents.len())).unwrap();
            let [x, y] = &effects.keys[..] else { panic!() };
            let mean = X.iter().sum::<f64>() / 3.0;
            let truths = X.map(|of_x| of_x - mean).into_iter().chain(Y);
            let found = x.values.iter().chain(&y.values).map(|value| value.elo);
            for (i, (elo, truth)) in found.zip(truths).enumerate() {
                let (low, high) = elo.interval().expect("an interval");
                covered[i] += u32::from(low <= truth && truth <= high);
                sums[i] += elo.value.expect("a value") - truth;
            }
            let lead = y.best.as_ref().expect("two values");
            let (low, high) = lead.elo.interval().expect("an interval");
            let truth = if lead.value == "1" { 50.0 } else { -50.0 };
            best += u32::from(low <= truth && truth <= high);
            let lead = x.best.as_ref().expect("three values");
            assert_eq!((&*lead.value, lead.worst == "2"), ("2", false));
        }
        for count in covered.into_iter().chain([best]) {
            let share = f64::from(count) / f64::from(runs);
            // Three standard deviations of a binomial share of 95% are 3.3%.
            assert!((0.917..0.983).contains(&share), "{covered:?} {best}");
        }
        // The error of a single run is about 20.
        assert!(
            sums.iter().all(|sum| (sum / f64::from(runs)).abs() < 4.0),
            "{sums:?}"
        );
    }
}
