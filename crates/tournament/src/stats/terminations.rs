//! Games that an agent lost by a fault.

use std::collections::BTreeMap;

use patchwork_engine::record::{FaultReason, GameFacts};
use patchwork_rating::name_of;
use schemars::JsonSchema;
use serde::Serialize;

/// Number of games that an agent lost by one kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TerminationCount {
    /// The agent that lost.
    pub agent: String,
    /// The fault.
    pub reason: FaultReason,
    /// Number of games.
    pub games: u64,
}

/// By the agents in their order, then by reason.
pub(super) fn terminations(names: &[String], games: &[GameFacts]) -> Vec<TerminationCount> {
    let mut counts: BTreeMap<(u16, FaultReason), u64> = BTreeMap::new();
    for game in games {
        if let Some(reason) = game.fault {
            let agent = game.agents[game.winner.other().index()];
            *counts.entry((agent, reason)).or_default() += 1;
        }
    }
    let row = |((agent, reason), games)| TerminationCount {
        agent: name_of(names, usize::from(agent)),
        reason,
        games,
    };
    counts.into_iter().map(row).collect()
}
