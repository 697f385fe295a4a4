//! The combined results of several folders, for ratings.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use patchwork_rating::RatedGame;

use crate::rate::ResultTable;

use super::encounter::PlannedGame;
use super::identity::{AgentId, Streams};
use super::manifest::Manifest;
use super::plan::Plan;
use super::pool::PoolError;
use super::results::Results;
use super::united_agents::united_agents;

/// The results of all games of these folders. A game that several folders hold counts once. Agents with the
/// same settings are the same agent.
///
/// # Errors
/// When a folder cannot be read, or an agent has different settings in two folders.
pub fn joint_results(dirs: &[PathBuf]) -> Result<ResultTable, PoolError> {
    let all: Vec<Results> = dirs
        .iter()
        .map(|dir| Results::read(dir))
        .collect::<Result<_, _>>()?;
    let plans = dirs.iter().zip(&all);
    let plans: Vec<(&Path, &Plan)> = plans
        .map(|(dir, results)| (&**dir, &results.manifest.plan))
        .collect();
    let united = united_agents(&plans)?;
    let mut agents: Vec<&String> = united.values().map(|agent| &agent.name).collect();
    agents.sort();
    let index = |id: AgentId| agents.binary_search(&&united[&id].name).unwrap_or(0);
    let mut games = BTreeMap::new();
    for results in &all {
        for ((setup, seats), first_won) in keyed(results) {
            games
                .entry((setup, seats))
                .or_insert((seats.map(index), first_won));
        }
    }
    let mut clusters = HashMap::new();
    let games = games
        .into_iter()
        .map(|((setup, seats), ([first, second], first_won))| {
            let next = clusters.len() as u64;
            let [a, b] = seats;
            RatedGame {
                cluster: *clusters.entry((setup, a.min(b), a.max(b))).or_insert(next),
                first,
                second,
                score: first_won.into(),
            }
        });
    let games = games.collect();
    let agents = agents.into_iter().cloned().collect();
    Ok(ResultTable {
        agents,
        games,
        unfinished: 0,
    })
}

/// A key that identifies a setup: the track, the ring, the seed and the pair.
type SetupKey = (u8, [u8; 33], u64, u32);

/// The games of a folder: the setup, the agents by seat, and whether the first one won.
fn keyed(results: &Results) -> impl Iterator<Item = ((SetupKey, [AgentId; 2]), bool)> {
    let Manifest { plan, .. } = &results.manifest;
    let streams = Streams::new(plan);
    let results = results.games.results().zip(results.games.seats());
    results.map(move |(result, seats)| {
        let game = PlannedGame {
            id: result.id,
            seats,
        };
        let (address, setup) = (streams.address(game), streams.setup(game));
        let key = (
            setup.track() as u8,
            setup.ring().numbers(),
            address.seed,
            address.pair,
        );
        ((key, address.seats), result.by_seat().first_won)
    })
}
