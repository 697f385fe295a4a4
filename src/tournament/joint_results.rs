//! The results of several folders together, for ratings.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::encounter::PlannedGame;
use super::identity::{AgentId, Streams};
use super::manifest::Manifest;
use super::pool::PoolError;
use super::results::Results;
use crate::rating::{RatedGame, ResultTable};

/// The results of all games of these folders. A game that several folders have counts once. Agents are told
/// apart by name.
///
/// # Errors
/// When a folder cannot be read, or an agent has other settings in one folder than in another.
pub fn joint_results(dirs: &[PathBuf]) -> Result<ResultTable, PoolError> {
    let all: Vec<Results> = dirs
        .iter()
        .map(|dir| Results::read(dir))
        .collect::<Result<_, _>>()?;
    let mut agents: BTreeMap<&str, (AgentId, &Path)> = BTreeMap::new();
    for (dir, results) in dirs.iter().zip(&all) {
        for agent in results.manifest.plan.agents() {
            let id = AgentId::new(&agent.config, 0);
            let (known, other) = *agents.entry(&agent.name).or_insert((id, dir));
            if known != id {
                return Err(PoolError::Plans {
                    one: other.to_owned(),
                    other: dir.clone(),
                    what: format!(
                        "the settings of the agent {} differ; rename one of them",
                        agent.name
                    ),
                });
            }
        }
    }
    let indices: HashMap<&str, usize> = agents.keys().copied().zip(0..).collect();
    let mut games = BTreeMap::new();
    for results in &all {
        for (key, name_of, first_won) in keyed(results) {
            games
                .entry(key)
                .or_insert((name_of.map(|name| indices[name]), first_won));
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
                first_won,
            }
        });
    let games = games.collect();
    let agents = agents.into_keys().map(str::to_owned).collect();
    Ok(ResultTable { agents, games })
}

/// A setup within a kind of rings: the track, the ring, the seed and the pair.
type SetupKey = (u8, [u8; 33], u64, u32);

/// Each game of a folder: what it is, the names of its agents by seat, and whether the first one won.
fn keyed(results: &Results) -> impl Iterator<Item = ((SetupKey, [AgentId; 2]), [&str; 2], bool)> {
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
        let first_won = result.winner == result.id.leg;
        (
            (key, address.seats),
            seats.map(|agent| plan.name(agent)),
            first_won,
        )
    })
}
