//! The size of the game as each agent and each pairing plays it: branching, length and game tree.

use std::collections::HashMap;

use patchwork_rating::{Estimate, keys, name_of};
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::branching::LEAST_LEGAL;
use super::means::{mean_by_pairing, mean_of_games};
use super::tally::{GameTally, PlyTally, Sum};

/// Branching, length and game tree, by agent and by pairing. Games that were lost by a fault are left
/// out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameSizes {
    /// All games together. These numbers describe the mix of agents that played, each game or ply with
    /// the same weight; they are not a property of the game alone.
    pub pooled: GameSize,
    /// The agents in the order of [`super::Summary::ratings`].
    pub agents: Vec<AgentGameSize>,
    /// The pairings of the plan, in plan order.
    pub pairings: Vec<PairingGameSize>,
}

/// The size of some games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GameSize {
    /// Number of games.
    pub games: u64,
    /// Number of legal actions at each ply, over plies. Its `count` is that of plies.
    pub branching: SizeSpread,
    /// Number of plies of both players, over games. Its `count` is that of games.
    pub length: SizeSpread,
    /// Decimal logarithm of the size of the game tree: the sum of the decimal logarithms of the
    /// numbers of legal actions over the plies of a game, averaged over games.
    #[serde(with = "keys::Mean")]
    pub tree: Estimate,
}

/// The distribution of a whole number.
///
/// Quantiles interpolate between neighbouring values (type 7 of Hyndman and Fan, The American
/// Statistician, 1996).
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SizeSpread {
    /// Number of observations.
    pub count: u64,
    /// The mean.
    #[serde(flatten, with = "keys::Mean")]
    pub mean: Estimate,
    /// The minimum.
    pub min: Option<u64>,
    /// The 25% quantile.
    pub p25: Option<f64>,
    /// The median.
    pub p50: Option<f64>,
    /// The 75% quantile.
    pub p75: Option<f64>,
    /// The 90% quantile.
    pub p90: Option<f64>,
    /// The maximum.
    pub max: Option<u64>,
}

/// The size of the games of one agent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgentGameSize {
    /// Its name.
    pub agent: String,
    /// Its games; branching is that of its own decisions only.
    #[serde(flatten)]
    pub size: GameSize,
    /// Number of its decisions with 0 to 9 legal actions, with 10 to 19, and so on to the largest
    /// number.
    pub branching_tens: Vec<u64>,
    /// Number of its games of each length, beginning with the shortest of its games.
    pub games_by_length: Vec<u64>,
    /// Mean number of legal actions of its decisions at each ply, counted from 0 at the start of the
    /// game; null where it had none.
    pub branching_by_ply: Vec<Option<f64>>,
}

/// The size of the games of two agents against each other.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairingGameSize {
    /// The first agent of the pairing.
    pub a: String,
    /// The other agent.
    pub b: String,
    /// Its games.
    #[serde(flatten)]
    pub size: GameSize,
}

/// Width of the bins of [`AgentGameSize::branching_tens`].
const BIN: usize = 10;

/// Computes the sizes of finished games, sorted by identity; `pairs` are the same games, sorted by setup if
/// pairs share setups. `order` has the names of the agents in row order.
pub(super) fn sizes(
    names: &[String],
    order: &[String],
    pairings: &[(u16, u16)],
    tallies: &[GameTally],
    pairs: &[&[GameTally]],
) -> GameSizes {
    let mut of_agents = vec![Vec::new(); order.len()];
    for &pair in pairs {
        let agents = pair.iter().flat_map(|tally| tally.agents.map(usize::from));
        for agent in agents.filter(|&agent| agent < order.len()) {
            let own: &mut Vec<&[GameTally]> = &mut of_agents[agent];
            if own.last().is_none_or(|last| !std::ptr::eq(*last, pair)) {
                own.push(pair);
            }
        }
    }
    let rows = of_agents.par_iter().enumerate().map(|(agent, pairs)| {
        let row = size_of_agent(name_of(names, agent), agent, pairs);
        (row.agent.clone(), row)
    });
    let mut rows: HashMap<String, AgentGameSize> = rows.collect();
    let by_pairing: Vec<&[GameTally]> = tallies
        .chunk_by(|one, other| one.id.pairing == other.id.pairing)
        .collect();
    let of_pairing = |(index, &(a, b)): (usize, &(u16, u16))| {
        let found = by_pairing.binary_search_by_key(&index, |games| games[0].id.pairing as usize);
        let games = found.map_or(&[][..], |at| by_pairing[at]);
        let is_theirs = |tally: &GameTally| tally.seat_of(a, b).is_some();
        let pairs: Vec<&[GameTally]> = games
            .chunk_by(GameTally::is_of_pair)
            .filter(|pair| pair.iter().all(is_theirs))
            .collect();
        PairingGameSize {
            a: name_of(names, usize::from(a)),
            b: name_of(names, usize::from(b)),
            size: size_of(&pairs),
        }
    };
    GameSizes {
        pooled: size_of(pairs),
        agents: order.iter().filter_map(|name| rows.remove(name)).collect(),
        pairings: pairings.par_iter().enumerate().map(of_pairing).collect(),
    }
}

/// The size of all games of these pairs.
fn size_of(pairs: &[&[GameTally]]) -> GameSize {
    let mut fold = SizeFold::default();
    for tally in pairs.iter().copied().flatten() {
        fold.add(tally, |_| true);
    }
    let legal = mean_by_pairing(pairs, |pair| {
        let mut sum = Sum::default();
        pair.iter().for_each(|tally| sum.merge(tally.all_legal()));
        (sum.total as f64, sum.count as f64)
    });
    fold.size(pairs, legal)
}

/// The size of an agent's games, given as pairs.
fn size_of_agent(name: String, agent: usize, pairs: &[&[GameTally]]) -> AgentGameSize {
    let is_own = |tally: &GameTally, ply: PlyTally| usize::from(tally.agents[ply.seat()]) == agent;
    let mut fold = SizeFold::default();
    for tally in pairs.iter().copied().flatten() {
        fold.add(tally, |ply| is_own(tally, ply));
    }
    let legal = mean_by_pairing(pairs, |pair| {
        let mut sum = Sum::default();
        for tally in pair {
            let own = tally.legal.iter().filter(|ply| is_own(tally, **ply));
            own.for_each(|ply| sum.add(ply.legal().into()));
        }
        (sum.total as f64, sum.count as f64)
    });
    let tens = fold.branching.0.chunks(BIN);
    let shortest = fold.length.0.iter().position(|&games| games > 0);
    AgentGameSize {
        agent: name,
        branching_tens: tens.map(|bin| bin.iter().sum()).collect(),
        games_by_length: fold.length.0[shortest.unwrap_or(0)..].to_vec(),
        branching_by_ply: fold.by_ply.iter().map(mean_of).collect(),
        size: fold.size(pairs, legal),
    }
}

fn mean_of(sum: &Sum) -> Option<f64> {
    (sum.count > 0).then(|| sum.total as f64 / sum.count as f64)
}

/// Counts over some games and some of their plies.
#[derive(Clone, Debug, Default)]
struct SizeFold {
    branching: ValueCounts,
    length: ValueCounts,
    by_ply: Vec<Sum>,
}

impl SizeFold {
    fn add(&mut self, tally: &GameTally, counts: impl Fn(PlyTally) -> bool) {
        let plies = tally.legal.len();
        self.length.add(plies);
        if self.by_ply.len() < plies {
            self.by_ply.resize(plies, Sum::default());
        }
        for (ply, sum) in tally.legal.iter().zip(&mut self.by_ply) {
            if counts(*ply) {
                self.branching.add(ply.legal().into());
                sum.add(ply.legal().into());
            }
        }
    }

    /// The size of these games, which are also given as `pairs`; `legal` is the mean over the counted plies.
    fn size(&self, pairs: &[&[GameTally]], legal: Estimate) -> GameSize {
        let plies = mean_of_games(pairs, |tally| tally.legal.len() as f64);
        GameSize {
            games: self.length.count(),
            branching: self.branching.spread(legal.at_least(LEAST_LEGAL)),
            length: self.length.spread(plies.at_least(0.0)),
            tree: mean_of_games(pairs, |tally| tally.tree).at_least(0.0),
        }
    }
}

/// How often each whole number occurred; the last count is not 0.
#[derive(Clone, Debug, Default)]
struct ValueCounts(Vec<u64>);

impl ValueCounts {
    fn add(&mut self, value: usize) {
        if value >= self.0.len() {
            self.0.resize(value + 1, 0);
        }
        self.0[value] += 1;
    }

    fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The value at this place in ascending order, from 0.
    fn at(&self, place: u64) -> Option<usize> {
        let mut before = 0;
        self.0.iter().position(|&count| {
            before += count;
            place < before
        })
    }

    /// The quantile at `part` twentieths.
    fn quantile(&self, part: u64) -> Option<f64> {
        const PARTS: u64 = 20;
        let last = self.count().checked_sub(1)?;
        let (place, rest) = (last * part / PARTS, last * part % PARTS);
        let low = self.at(place)?;
        let high = if rest == 0 { low } else { self.at(place + 1)? };
        Some(low as f64 + (high - low) as f64 * rest as f64 / PARTS as f64)
    }

    fn spread(&self, mean: Estimate) -> SizeSpread {
        let count = self.count();
        let value = |place: Option<u64>| Some(self.at(place?)? as u64);
        SizeSpread {
            count,
            mean,
            min: value((count > 0).then_some(0)),
            p25: self.quantile(5),
            p50: self.quantile(10),
            p75: self.quantile(15),
            p90: self.quantile(18),
            max: value(count.checked_sub(1)),
        }
    }
}

#[cfg(test)]
mod tests;
