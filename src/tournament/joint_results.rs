//! The combined results of several folders, for ratings.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use patchwork_rating::RatedGame;

use crate::rate::ResultTable;

use super::combine::CombineError;
use super::encounter::PlannedGame;
use super::identity::{AgentId, GameAddress, Streams};
use super::plan::Plan;
use super::results::Results;
use super::united_agents::united_agents;

/// The results of all games of these folders. A game that several folders hold counts once. Agents with the
/// same settings are the same agent.
///
/// # Errors
/// When a folder cannot be read, or an agent has different settings in two folders.
pub fn joint_results(dirs: &[PathBuf]) -> Result<ResultTable, CombineError> {
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
        for (key, first_won) in keyed(results) {
            let (_, address) = key;
            games
                .entry(key)
                .or_insert((address.seats.map(index), first_won));
        }
    }
    let mut clusters = HashMap::new();
    let games = games
        .into_iter()
        .map(|((setup, mut address), ([first, second], first_won))| {
            let next = clusters.len() as u64;
            // The two legs of a pair share a setup.
            address.seats.sort();
            RatedGame {
                cluster: *clusters.entry((setup, address)).or_insert(next),
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

/// The track and the ring of a setup.
type SetupKey = (u8, [u8; 33]);

/// The games of a folder: the setup, the address, and whether the first player won.
fn keyed(results: &Results) -> impl Iterator<Item = ((SetupKey, GameAddress), bool)> {
    let streams = Streams::new(&results.manifest.plan);
    let results = results.games.results().zip(results.games.seats());
    results.map(move |(result, seats)| {
        let game = PlannedGame {
            id: result.id,
            seats,
        };
        let setup = streams.setup(game);
        let key = (setup.track() as u8, setup.ring().numbers());
        ((key, streams.address(game)), result.first_won())
    })
}
