//! How each agent plays: its economy by space, its first purchases, and the squares that it covers early.

use patchwork_engine::board::SQUARES;
use patchwork_engine::game::{INCOME_SPACES, PATCH_COUNT};
use patchwork_rating::{Estimate, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, Sum, of_agent, per};
use super::tally::{SPACES, WholeTally, agents_of};

/// How an agent plays, in the games of the first 50 pairs of each pairing that were played to their end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgentEconomy {
    /// Its name.
    pub agent: String,
    /// Number of its games; a game against itself counts once per seat.
    pub games: u64,
    /// When its token has reached or passed each income space.
    pub by_space: Vec<SpaceEconomy>,
    /// Number of games in which each patch was the first that it bought; the first element is for patch 1.
    pub first_purchases: Vec<u64>,
    /// Share of games in which it covered each square before its token passed space 29, 0 to 1: from the top left, row by
    /// row.
    pub covered_early: Vec<Option<f64>>,
}

/// Means over an agent's games when its token has reached or passed an income space.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpaceEconomy {
    /// The income space.
    pub space: u8,
    /// Its buttons, with the income of the space.
    pub buttons: Estimate,
    /// Its income in buttons.
    pub income: Estimate,
    /// The squares that it has covered, 0 to 81.
    pub squares: Estimate,
    /// Its expected chance of winning, 0 to 1, at its decisions since the income space before; no value if it reports none.
    pub chance: Estimate,
}

/// The quantities of [`SpaceEconomy`].
const QUANTITIES: usize = 4;

/// Folds the games of an agent into its [`AgentEconomy`], a pair at a time, in the order of [`PairClusters`].
pub(super) struct EconomyFold {
    games: u64,
    means: PairClusters,
    first_purchases: Vec<u64>,
    covered_early: Vec<u64>,
}

impl Default for EconomyFold {
    fn default() -> Self {
        Self {
            games: 0,
            means: PairClusters::new(QUANTITIES * SPACES),
            first_purchases: vec![0; PATCH_COUNT],
            covered_early: vec![0; SQUARES],
        }
    }
}

impl EconomyFold {
    /// Adds a pair of finished games, of which there is at least one, to the agents that played it.
    pub(super) fn add(agents: &mut Vec<Self>, setup: Option<u32>, pair: &[WholeTally]) {
        for agent in agents_of(pair) {
            let games = pair.iter().flat_map(|(game, plies)| {
                let economy = plies.economy.iter().flatten();
                game.agents.into_iter().zip(economy)
            });
            let mut own = games.filter(|(of, _)| *of == agent).peekable();
            if own.peek().is_none() {
                continue;
            }
            let fold = of_agent(agents, agent.into());
            let mut sums = [Sum::default(); QUANTITIES * SPACES];
            for (_, player) in own {
                for (sum, quantity) in sums.iter_mut().zip(player.quantities()) {
                    *sum += quantity;
                }
                fold.games += 1;
                if let Some(patch) = player.first_purchase {
                    fold.first_purchases[patch.index()] += 1;
                }
                for &square in &player.covered_early {
                    fold.covered_early[square] += 1;
                }
            }
            fold.means.add(setup, pair[0].0.pairing, &sums);
        }
    }

    /// The economies of those agents that played, in this order.
    pub(super) fn finish(
        mut agents: Vec<Self>,
        names: &[String],
        order: &[usize],
    ) -> Vec<AgentEconomy> {
        let played = order.iter().filter_map(|&agent| {
            let fold = std::mem::take(agents.get_mut(agent)?);
            (fold.games > 0).then(|| fold.of_agent(name_of(names, agent)))
        });
        played.collect()
    }

    fn of_agent(self, agent: String) -> AgentEconomy {
        let means = self.means.finish();
        let row = |(place, space): (usize, u8)| {
            let mean = |quantity: usize| means[QUANTITIES * place + quantity].mean().at_least(0.0);
            SpaceEconomy {
                space,
                buttons: mean(0),
                income: mean(1),
                squares: mean(2),
                chance: means[QUANTITIES * place + 3].share(),
            }
        };
        let covered = self.covered_early.into_iter();
        AgentEconomy {
            agent,
            games: self.games,
            by_space: INCOME_SPACES.into_iter().enumerate().map(row).collect(),
            first_purchases: self.first_purchases,
            covered_early: covered.map(|games| per(games as f64, self.games)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::stats::Summary;
    use crate::stats::tally::{EARLY, economy};
    use crate::support::tournaments::{PAIRINGS, names, tournament};

    #[test]
    fn the_economy_is_that_of_the_games_played_again() {
        let entries = tournament(4);
        let summary = Summary::new(&names(), &PAIRINGS, &entries);
        for agent in &summary.economy {
            let index = names().iter().position(|name| *name == agent.agent);
            let (mut games, mut buttons, mut squares) = (0, 0.0, 0.0);
            for record in entries.iter().map(|entry| &entry.record) {
                let players = economy(&record.setup, record);
                for (seat, player) in players.iter().enumerate() {
                    if Some(usize::from(record.agents[seat])) == index {
                        games += 1;
                        buttons += player.reached[8][0] as f64;
                        squares += player.reached[8][2] as f64;
                        let last = (record.buttons[seat], record.covered[seat]);
                        assert!(player.reached[8][0] <= u64::from(last.0), "{record:?}");
                        assert!(player.reached[8][2] <= u64::from(last.1));
                    }
                }
            }
            let last = agent.by_space.last().expect("nine spaces");
            assert_eq!((agent.games, last.space), (games, 53));
            let mean = |sum: f64| Some(sum / games as f64);
            assert_eq!(
                (last.buttons.value, last.squares.value),
                (mean(buttons), mean(squares))
            );
            let bought: u64 = agent.first_purchases.iter().sum();
            assert!(bought <= games);
            let early: f64 = agent.covered_early.iter().flatten().sum();
            assert!((early - agent.by_space[EARLY].squares.value.expect("games")).abs() < 1e-9);
        }
    }
}
