//! The size of the game as all agents, each agent and each pairing played it: branching, length and game tree.

use std::collections::HashMap;

use patchwork_engine::game::Player;
use patchwork_engine::record::GameFacts;
use patchwork_rating::{Estimate, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::branching::{MIN_LEGAL, PlyClass};
use super::means::{Moments, PairClusters, Sum, of_agent};
use super::pairings::seat_of;
use super::statistics;
use super::tally::{ClassTally, WholeTally, agents_of};

/// The size of some games. Games that were lost by a fault are left out.
///
/// The numbers of all games describe the mix of agents that played, each game or ply with the same weight; they are not a
/// property of the game alone.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameSize {
    /// Which games these are.
    pub by: GameSizeOf,
    /// The agent, or the first agent of the pairing; empty for all games.
    pub a: String,
    /// The other agent of the pairing, or empty.
    pub b: String,
    /// Number of games.
    pub games: u64,
    /// [`statistics::LEGAL`].
    #[schemars(description = statistics::LEGAL.about)]
    pub legal: Estimate,
    /// [`statistics::LEGAL_SD`].
    #[schemars(description = statistics::LEGAL_SD.about)]
    pub legal_sd: Option<f64>,
    /// [`statistics::PLIES`].
    #[schemars(description = statistics::PLIES.about)]
    pub plies: Estimate,
    /// [`statistics::PLIES_SD`].
    #[schemars(description = statistics::PLIES_SD.about)]
    pub plies_sd: Option<f64>,
    /// The minimum number of plies.
    pub plies_min: Option<u64>,
    /// The maximum number of plies.
    pub plies_max: Option<u64>,
    /// [`statistics::PAPERS`].
    #[schemars(description = statistics::PAPERS.about)]
    pub papers: Estimate,
    /// The number of games in that sample: those of every k-th pair by pairing and number, at most 20,000 pairs of all agents.
    pub papers_games: u64,
    /// [`statistics::TREE`].
    #[schemars(description = statistics::TREE.about)]
    pub tree: Estimate,
}

/// Which games a size is that of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameSizeOf {
    /// All games together.
    All,
    /// The games of an agent.
    Agent,
    /// The games of two agents against each other.
    Pairing,
}

impl GameSizeOf {
    /// `all`, `agent` or `pairing`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Agent => "agent",
            Self::Pairing => "pairing",
        }
    }
}

/// Number of games of one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LengthBin {
    /// The agent whose games these are; empty for all games.
    pub agent: String,
    /// Number of decisions of both players.
    pub length: u64,
    /// Number of games with this many plies.
    pub plies: u64,
    /// Number of games with this many turns: plies that do not place a special patch.
    pub turns: u64,
}

/// Folds games into sizes, a pair at a time, in the order of [`PairClusters`].
#[derive(Clone, Debug)]
pub(super) struct SizesFold {
    all: DetailFold,
    /// By the agent's index.
    agents: Vec<DetailFold>,
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
            all: DetailFold::default(),
            agents: Vec::new(),
            pairings: pairings.to_vec(),
            open: HashMap::new(),
            done: HashMap::new(),
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        self.all.size.add(setup, pair, |_, _| true);
        self.all.add_lengths(pair);
        for agent in agents_of(pair) {
            let is_own = |game: &GameFacts, player: Player| game.agents[player.index()] == agent;
            let fold = of_agent(&mut self.agents, agent.into());
            fold.size.add(setup, pair, is_own);
            fold.add_lengths(pair);
            fold.add_plies(pair, is_own);
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
            .extend(open.map(|(pairing, fold)| (pairing, fold.size(GameSizeOf::Pairing))));
    }

    /// The sizes, the lengths, and the legal actions of each agent by ply; `order` has the agents in row order.
    pub(super) fn finish(
        mut self,
        names: &[String],
        order: &[usize],
    ) -> (Vec<GameSize>, Vec<LengthBin>, Vec<PlyClass>) {
        self.close_pairings();
        let mut lengths = self.all.lengths("");
        let mut sizes = vec![self.all.size.size(GameSizeOf::All)];
        let mut branching = Vec::new();
        for &agent in order {
            let (fold, name) = (of_agent(&mut self.agents, agent), name_of(names, agent));
            let fold = std::mem::take(fold);
            lengths.extend(fold.lengths(&name));
            let plies = (0..)
                .zip(&fold.by_ply)
                .filter(|(_, tally)| tally.plies() > 0);
            branching.extend(plies.map(|(ply, tally)| PlyClass::of_ply(&name, ply, tally)));
            sizes.push(GameSize {
                a: name,
                ..fold.size.size(GameSizeOf::Agent)
            });
        }
        let of_pairing = |(index, (a, b)): (u32, (u16, u16))| {
            let size = self.done.remove(&index);
            GameSize {
                a: name_of(names, usize::from(a)),
                b: name_of(names, usize::from(b)),
                ..size.unwrap_or_else(|| SizeFold::default().size(GameSizeOf::Pairing))
            }
        };
        sizes.extend((0..).zip(self.pairings).map(of_pairing));
        (sizes, lengths, branching)
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
    legal: Moments,
    plies: Moments,
    /// The number of games with the paper's branching.
    replayed: u64,
    means: PairClusters,
}

impl Default for SizeFold {
    fn default() -> Self {
        Self {
            legal: Moments::default(),
            plies: Moments::default(),
            replayed: 0,
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
        for (tally, game) in pair {
            for player in Player::BOTH.into_iter().filter(|&of| counts(tally, of)) {
                let legal = game.seats[player.index()];
                self.legal += legal;
                sums[LEGAL] += legal.total();
                sums[PAPERS] += game.papers[player.index()];
            }
            self.plies.add(game.legal.len() as u64);
            self.replayed += u64::from(game.papers.iter().any(|sum| sum.count > 0.0));
            sums[PLIES].add(game.legal.len() as f64);
            sums[TREE].add(game.tree);
        }
        self.means.add(setup, pair[0].0.pairing, &sums);
    }

    fn size(self, by: GameSizeOf) -> GameSize {
        let means = self.means.finish();
        let mean = |mean: usize, least: f64| means[mean].mean_above(least);
        GameSize {
            by,
            a: String::new(),
            b: String::new(),
            games: self.plies.count,
            legal: mean(LEGAL, MIN_LEGAL),
            legal_sd: self.legal.deviation(),
            plies: mean(PLIES, 0.0),
            plies_sd: self.plies.deviation(),
            plies_min: self.plies.least(),
            plies_max: self.plies.greatest(),
            papers: mean(PAPERS, 0.0),
            papers_games: self.replayed,
            tree: mean(TREE, 0.0),
        }
    }
}

/// The size of the games of all agents or of one of them, and its distributions.
#[derive(Clone, Debug, Default)]
struct DetailFold {
    size: SizeFold,
    /// Number of games by plies and by turns.
    lengths: Vec<[u64; 2]>,
    by_ply: Vec<ClassTally>,
}

impl DetailFold {
    fn add_lengths(&mut self, pair: &[WholeTally]) {
        for (_, game) in pair {
            let plies = game.legal.len();
            if plies >= self.lengths.len() {
                self.lengths.resize(plies + 1, [0; 2]);
            }
            self.lengths[plies][0] += 1;
            self.lengths[game.turns()][1] += 1;
        }
    }

    fn add_plies(&mut self, pair: &[WholeTally], counts: impl Fn(&GameFacts, Player) -> bool) {
        for (tally, game) in pair {
            if self.by_ply.len() < game.legal.len() {
                self.by_ply.resize(game.legal.len(), ClassTally::default());
            }
            for (&(player, legal), sum) in game.legal.iter().zip(&mut self.by_ply) {
                if counts(tally, player) {
                    sum.add(player, legal);
                }
            }
        }
    }

    fn lengths(&self, agent: &str) -> Vec<LengthBin> {
        let bins = (0..).zip(&self.lengths);
        let bins = bins.filter(|(_, games)| **games != [0; 2]);
        bins.map(|(length, &[plies, turns])| LengthBin {
            agent: agent.to_owned(),
            length,
            plies,
            turns,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
