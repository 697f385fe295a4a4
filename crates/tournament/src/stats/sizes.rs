//! The size of the game as each agent and each pairing plays it: branching, length and game tree.

use std::collections::HashMap;

use patchwork_engine::game::Player;
use patchwork_engine::record::GameFacts;
use patchwork_rating::{Estimate, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::branching::MIN_LEGAL;
use super::means::{PairClusters, Sum, ValueCounts, of_agent};
use super::pairings::seat_of;
use super::tally::{WholeTally, agents_of};

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
    /// Branching as the paper counts it: placements of the last patch on offer, over plies with an offer, in the first 50 pairs
    /// of each pairing.
    pub papers: Estimate,
    /// Decimal logarithm of the size of the game tree: the sum of the decimal logarithms of the
    /// numbers of legal actions over the plies of a game, averaged over games.
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
    /// Mean number of legal actions of its decisions at each ply; the first element is for the first ply,
    /// and null where it had none.
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

/// Folds games into [`GameSizes`], a pair at a time, in the order of [`PairClusters`].
pub(super) struct SizesFold {
    pooled: SizeFold,
    /// By the agent's index.
    agents: Vec<SizeFold>,
    /// The agents of each pairing of the plan.
    pairings: Vec<(u16, u16)>,
    /// The pairings that may get more games.
    open: HashMap<u32, SizeFold>,
    done: HashMap<u32, GameSize>,
}

impl SizesFold {
    /// No games yet, of these pairings of the plan.
    pub(super) fn new(pairings: &[(u16, u16)]) -> Self {
        Self {
            pooled: SizeFold::default(),
            agents: Vec::new(),
            pairings: pairings.to_vec(),
            open: HashMap::new(),
            done: HashMap::new(),
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        self.pooled.add(setup, pair, |_, _| true);
        for agent in agents_of(pair) {
            let is_own = |game: &GameFacts, player: Player| game.agents[player.index()] == agent;
            of_agent(&mut self.agents, agent.into()).add(setup, pair, is_own);
        }
        self.add_to_pairing(setup, pair);
    }

    fn add_to_pairing(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let first = &pair[0].0;
        let pairing = first.pairing;
        let Some(&(a, b)) = self.pairings.get(pairing as usize) else {
            return;
        };
        if pair.iter().any(|(game, _)| seat_of(game, a, b).is_none()) {
            return;
        }
        // Without shared setups, the pairings come one after another.
        if setup.is_none() && !self.open.contains_key(&pairing) {
            self.close_pairings();
        }
        let fold = self.open.entry(pairing).or_default();
        fold.add(setup, pair, |_, _| true);
    }

    fn close_pairings(&mut self) {
        let open = self.open.drain();
        self.done
            .extend(open.map(|(pairing, fold)| (pairing, fold.size())));
    }

    /// The sizes; `order` has the agents in row order.
    pub(super) fn finish(mut self, names: &[String], order: &[usize]) -> GameSizes {
        self.close_pairings();
        let row = |&agent: &usize| {
            let fold = std::mem::take(of_agent(&mut self.agents, agent));
            fold.of_agent(name_of(names, agent))
        };
        let agents = order.iter().map(row).collect();
        let of_pairing = |(index, (a, b)): (u32, (u16, u16))| PairingGameSize {
            a: name_of(names, usize::from(a)),
            b: name_of(names, usize::from(b)),
            size: match self.done.remove(&index) {
                Some(size) => size,
                None => SizeFold::default().size(),
            },
        };
        GameSizes {
            pooled: self.pooled.size(),
            agents,
            pairings: (0..).zip(self.pairings).map(of_pairing).collect(),
        }
    }
}

/// The places of the means in [`SizeFold::means`].
const LEGAL: usize = 0;
const PLIES: usize = 1;
const TREE: usize = 2;
const PAPERS: usize = 3;

/// Counts over some games and some of their plies.
#[derive(Clone, Debug)]
struct SizeFold {
    branching: ValueCounts,
    length: ValueCounts,
    by_ply: Vec<Sum>,
    means: PairClusters,
}

impl Default for SizeFold {
    fn default() -> Self {
        Self {
            branching: ValueCounts::default(),
            length: ValueCounts::default(),
            by_ply: Vec::new(),
            means: PairClusters::new(PAPERS + 1),
        }
    }
}

impl SizeFold {
    /// Adds a pair, and those plies of its players for which `counts` is true.
    fn add(
        &mut self,
        setup: Option<u32>,
        pair: &[WholeTally],
        counts: impl Fn(&GameFacts, Player) -> bool,
    ) {
        let mut sums = [Sum::default(); PAPERS + 1];
        for (tally, plies) in pair {
            let legal = &plies.legal;
            self.length.add(legal.len());
            if self.by_ply.len() < legal.len() {
                self.by_ply.resize(legal.len(), Sum::default());
            }
            for (&(player, legal), sum) in legal.iter().zip(&mut self.by_ply) {
                if counts(tally, player) {
                    self.branching.add(legal.into());
                    sum.add(legal);
                    sums[LEGAL].add(legal);
                }
            }
            for player in Player::BOTH.into_iter().filter(|&of| counts(tally, of)) {
                sums[PAPERS] += plies.papers[player.index()];
            }
            sums[PLIES].add(legal.len() as f64);
            sums[TREE].add(plies.tree);
        }
        self.means.add(setup, pair[0].0.pairing, &sums);
    }

    fn size(self) -> GameSize {
        let means = self.means.finish();
        let mean = |mean: usize, least: f64| means[mean].mean().at_least(least);
        GameSize {
            games: self.length.count(),
            branching: self.branching.spread(mean(LEGAL, MIN_LEGAL)),
            length: self.length.spread(mean(PLIES, 0.0)),
            papers: mean(PAPERS, 0.0),
            tree: mean(TREE, 0.0),
        }
    }

    fn of_agent(self, name: String) -> AgentGameSize {
        let tens = self.branching.0.chunks(BIN);
        let shortest = self.length.0.iter().position(|&games| games > 0);
        AgentGameSize {
            agent: name,
            branching_tens: tens.map(|bin| bin.iter().sum()).collect(),
            games_by_length: self.length.0[shortest.unwrap_or(0)..].to_vec(),
            branching_by_ply: self.by_ply.iter().map(|sum| sum.mean()).collect(),
            size: self.size(),
        }
    }
}

impl ValueCounts {
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
