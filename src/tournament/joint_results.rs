//! The combined results of several folders, for ratings.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use patchwork_engine::record::PackedSetup;
use patchwork_engine::util::InputError;
use patchwork_rating::RatedGame;

use crate::rate::ResultTable;

use super::encounter::PlannedGame;
use super::identity::{AgentId, Streams};
use super::plan::Plan;
use super::results::Results;
use super::united_agents::united_agents;

/// A game of a folder, in the order in which games are rated; there may be millions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct JointGame {
    setup: PackedSetup,
    /// The place of the seed among all seeds.
    seed: u16,
    pair: u32,
    /// The places of the agents among all identities.
    seats: [u16; 2],
    folder: u16,
    first_won: bool,
}

const _: () = assert!(size_of::<JointGame>() == 32);

/// The results of all games of these folders. A game that several folders hold counts once. Agents with the
/// same settings are the same agent.
///
/// # Errors
/// When a folder cannot be read, or an agent has different settings in two folders.
pub fn joint_results(dirs: &[PathBuf]) -> Result<ResultTable, InputError> {
    let all: Vec<Results> = dirs
        .iter()
        .map(|dir| Results::read(dir))
        .collect::<Result<_, _>>()?;
    let plans = dirs.iter().zip(&all);
    let plans: Vec<(&Path, &Plan)> = plans
        .map(|(dir, results)| (&**dir, &results.manifest.plan))
        .collect();
    let united = united_agents(&plans)?;
    let mut agents: Vec<String> = united.values().map(|agent| agent.name.clone()).collect();
    agents.sort();
    let ids: Vec<AgentId> = united.keys().copied().collect();
    let index = |id: AgentId| agents.binary_search(&united[&id].name).unwrap_or(0);
    let indices: Vec<usize> = ids.iter().map(|&id| index(id)).collect();
    let seeds: BTreeSet<u64> = plans.iter().map(|(_, plan)| plan.seed()).collect();
    let seeds: Vec<u64> = seeds.into_iter().collect();
    let mut games: Vec<JointGame> = Vec::new();
    for (folder, results) in (0..).zip(all) {
        let plan = &results.manifest.plan;
        let streams = Streams::new(plan);
        let place = |id: &AgentId| ids.binary_search(id).unwrap_or(0) as u16;
        let places: Vec<u16> = streams.agents().iter().map(place).collect();
        let seed = seeds.binary_search(&plan.seed()).unwrap_or(0) as u16;
        let played = results.games.results().zip(results.games.seats());
        games.extend(played.map(|(result, seats)| JointGame {
            setup: PackedSetup::new(&streams.setup(PlannedGame {
                id: result.id,
                seats,
            })),
            seed,
            pair: result.id.pair,
            seats: seats.map(|agent| places[usize::from(agent)]),
            folder,
            first_won: result.first_won(),
        }));
    }
    games.sort_unstable();
    let key = |game: &JointGame| (game.setup, game.seed, game.pair, game.seats);
    games.dedup_by(|later, earlier| key(later) == key(earlier));
    // The two legs of a pair share a setup.
    let mut clusters: HashMap<[u16; 2], u64> = HashMap::new();
    let (mut count, mut latest) = (0, None);
    let rated = games.into_iter().map(|game| {
        let pair = (game.setup, game.seed, game.pair);
        if latest.replace(pair) != Some(pair) {
            clusters.clear();
        }
        let [one, other] = game.seats;
        let cluster = *clusters
            .entry([one.min(other), one.max(other)])
            .or_insert_with(|| {
                count += 1;
                count - 1
            });
        let [first, second] = game.seats.map(|place| indices[usize::from(place)]);
        RatedGame {
            cluster,
            first,
            second,
            score: game.first_won.into(),
        }
    });
    let games = rated.collect();
    Ok(ResultTable {
        agents,
        games,
        ..ResultTable::default()
    })
}
