//! How each agent plays: its economy by space, its first purchases, and the squares that it covers early.

use patchwork_engine::board::SQUARES;
use patchwork_engine::game::{INCOME_SPACES, PATCH_COUNT};
use patchwork_rating::{Estimate, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, per};
use super::tally::{SPACES, WholeTally};

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

/// Folds games into [`AgentEconomy`], a pair at a time, in the order of [`PairClusters`].
pub(super) struct EconomyFold(Vec<EconomySums>);

/// The games of an agent.
struct EconomySums {
    games: u64,
    means: PairClusters,
    first_purchases: Vec<u64>,
    covered_early: Vec<u64>,
}

impl Default for EconomySums {
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
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let players = || {
            pair.iter().flat_map(|(game, plies)| {
                let agents = game.agents.map(usize::from).into_iter();
                agents.zip(plies.economy.iter().flatten())
            })
        };
        let Some(most) = players().map(|(agent, _)| agent).max() else {
            return;
        };
        if self.0.len() <= most {
            self.0.resize_with(most + 1, EconomySums::default);
        }
        for (agent, fold) in self.0.iter_mut().enumerate() {
            let own = || players().filter(|&(of, _)| of == agent).map(|(_, own)| own);
            if own().next().is_none() {
                continue;
            }
            fold.means.begin_pair(setup, pair[0].0.pairing);
            for place in 0..SPACES {
                for quantity in 0..QUANTITIES {
                    let (sum, count) = own().fold((0.0, 0.0), |(sum, count), player| {
                        let (more, number) = player.quantity(place, quantity);
                        (sum + more, count + number)
                    });
                    fold.means.add(QUANTITIES * place + quantity, sum, count);
                }
            }
            for player in own() {
                fold.games += 1;
                if let Some(patch) = player.first_purchase {
                    fold.first_purchases[patch.index()] += 1;
                }
                for &square in &player.covered_early {
                    fold.covered_early[square] += 1;
                }
            }
        }
    }

    /// The agents of these names, in this order.
    pub(super) fn finish(mut self, names: &[String], order: &[String]) -> Vec<AgentEconomy> {
        let mut agents: Vec<Option<EconomySums>> = self.0.drain(..).map(Some).collect();
        let name = |agent: usize| name_of(names, agent);
        let place = |of: &String| (0..agents.len()).find(|&agent| name(agent) == *of);
        let places: Vec<usize> = order.iter().filter_map(place).collect();
        let folds = places.into_iter().filter_map(|agent| {
            let fold = agents[agent].take().filter(|fold| fold.games > 0)?;
            Some(fold.finish(name(agent)))
        });
        folds.collect()
    }
}

impl EconomySums {
    fn finish(self, agent: String) -> AgentEconomy {
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
                let setup = record.setup().expect("a setup");
                let players = economy(&setup, record);
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
