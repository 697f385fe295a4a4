//! The fair komi of a tournament.

use std::collections::{BTreeSet, HashMap};

use patchwork_rating::{Estimate, KomiGame, Options, fair_komi, rate_by};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Results, TournamentError};

/// The komi at which moving first is worth nothing between equals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct FairKomi {
    /// By the margins of these games, as if a button at the start were a point at the end.
    pub by_points: Estimate,
    /// By the wins at several komis.
    pub by_wins: Estimate,
    /// The Elo of a button, by the same games.
    #[serde(rename = "button_elo")]
    pub button: Estimate,
    /// The komis of these games; empty without games at another komi than the tournament's.
    pub komis: Vec<u8>,
    /// Number of these games.
    pub games: u64,
}

impl FairKomi {
    /// By the points by which the first player is ahead of an equal one, at this komi.
    pub fn by_points(komi: u8, ahead: Estimate) -> Self {
        let from = |points: Option<f64>| points.map(|points| points + f64::from(komi));
        Self {
            by_points: Estimate {
                value: from(ahead.value),
                low: from(ahead.low),
                high: from(ahead.high),
                error: ahead.error,
            },
            ..Self::default()
        }
    }

    /// Adds what the wins of tournaments at several komis tell.
    pub fn add_wins(&mut self, tournaments: &[&Results]) -> Result<(), TournamentError> {
        let (mut rings, mut games, mut komis) = (HashMap::new(), Vec::new(), BTreeSet::new());
        for results in tournaments {
            let archive = &results.games;
            let indices: Vec<u32> = (0..archive.len() as u32).collect();
            let agents = results.manifest.plan.agents().len();
            let rated = |i| archive.rated(i);
            let ratings = rate_by(archive.len(), &rated, agents, Options::default());
            for (index, setup) in (0..).zip(archive.setups(&indices)?) {
                let facts = &archive.facts()[index];
                let Some(setup) = setup.filter(|_| facts.is_finished()) else {
                    continue;
                };
                let ring = rings.len() as u64;
                let [first, second] = facts.agents.map(|agent| ratings.elo(agent.into()));
                komis.insert(setup.rules().komi());
                games.push(KomiGame {
                    cluster: *rings.entry(setup.ring().to_string()).or_insert(ring),
                    komi: setup.rules().komi().into(),
                    lead: first - second,
                    first_won: facts.first_won(),
                });
            }
        }
        if let Some((komi, button)) = fair_komi(&games) {
            (self.by_wins, self.button) = (komi, button);
        }
        (self.komis, self.games) = (komis.into_iter().collect(), games.len() as u64);
        Ok(())
    }
}
