//! The results of the games in results folders.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use patchwork_engine::game::Rules;
use patchwork_engine::record::PackedSetup;
use patchwork_engine::util::InputError;
use patchwork_rating::RatedGame;
use patchwork_tournament::import::united_agents;
use patchwork_tournament::{AgentId, Plan, PlannedAgent, Results, Streams, ledger};

use super::table::ResultTable;

/// A game of a folder, in the order in which games are rated; there may be millions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct JointGame {
    setup: PackedSetup,
    /// The place of the seed among all seeds.
    seed: u16,
    pair: u32,
    /// The places of the agents among all identities.
    seats: [u16; 2],
    /// The place of its folder: of a game that several folders hold, the first one's counts.
    folder: u16,
    first_won: bool,
}

const _: () = assert!(size_of::<JointGame>() == 32);

/// The number of games after which the memory of those that are no longer needed is given back.
const FREED: usize = 1 << 16;

/// The results of all games of these folders. A game that several folders hold counts once. Agents with the same
/// settings are the same agent. A folder without games stands for the results folders in it, without those of searches for
/// better agents unless `with_searches`. Agents with the same name and different settings have the name of their folder, too.
///
/// # Errors
/// When a folder cannot be read.
pub fn results_of_folders(
    dirs: &[PathBuf],
    with_searches: bool,
) -> Result<ResultTable, InputError> {
    let dirs = with_those_inside(dirs, with_searches)?;
    let all = dirs.iter().map(|dir| Results::read(dir));
    let all: Vec<Results> = all.collect::<Result<_, _>>()?;
    let plans = all.iter().map(|results| &results.manifest.plan);
    let plans: Vec<(&Path, &Plan)> = dirs.iter().map(PathBuf::as_path).zip(plans).collect();
    let united = united_agents(&plans);
    let mut agents: Vec<String> = united.values().map(|agent| agent.name.clone()).collect();
    agents.sort();
    let index = |agent: &PlannedAgent| agents.binary_search(&agent.name).unwrap_or(0);
    let indices: Vec<usize> = united.values().map(index).collect();
    let ids: Vec<AgentId> = united.into_keys().collect();
    let seeds: BTreeSet<u64> = plans.iter().map(|(_, plan)| plan.seed()).collect();
    let seeds: Vec<u64> = seeds.into_iter().collect();
    let of_folders: Vec<Rules> = plans.iter().map(|(_, plan)| plan.rules()).collect();
    let mut games: Vec<JointGame> = Vec::new();
    for (folder, results) in (0..).zip(all) {
        let plan = &results.manifest.plan;
        let streams = Streams::new(plan);
        let place = |id: &AgentId| ids.binary_search(id).unwrap_or(0) as u16;
        let places: Vec<u16> = streams.agents().iter().map(place).collect();
        let seed = seeds.binary_search(&plan.seed()).unwrap_or(0) as u16;
        let mut facts = results.games.into_facts();
        games.reserve_exact(facts.len());
        while let Some(game) = facts.pop() {
            games.push(JointGame {
                setup: PackedSetup::new(&streams.setup((&game).into())),
                seed,
                pair: game.pair,
                seats: game.agents.map(|agent| places[usize::from(agent)]),
                folder,
                first_won: game.first_won(),
            });
            // Both lists together would take twice the memory.
            if facts.len().is_multiple_of(FREED) {
                facts.shrink_to_fit();
            }
        }
    }
    games.sort_unstable();
    let key = |game: &JointGame| (game.setup, game.seed, game.pair, game.seats);
    games.dedup_by(|later, earlier| key(later) == key(earlier));
    let (seats, rules) = rules_of(&games, &of_folders);
    let setups = shared_setups(&games);
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
        seats,
        rules: rules.iter().map(ToString::to_string).collect(),
        setups,
        ..ResultTable::default()
    })
}

/// The number of the setup of each game, which come in the order of their setups; empty if no two pairs share one.
fn shared_setups(games: &[JointGame]) -> Vec<u64> {
    let on_setups = || games.chunk_by(|one, other| one.setup == other.setup);
    let pair = |game: &JointGame| {
        let [one, other] = game.seats;
        (game.seed, game.pair, one.min(other), one.max(other))
    };
    let mut games_of_all = on_setups().map(|on_setup| on_setup.iter().map(pair));
    if games_of_all.all(|mut pairs| {
        let first = pairs.next();
        pairs.all(|pair| Some(pair) == first)
    }) {
        return Vec::new();
    }
    let numbered = (0..).zip(on_setups());
    let numbers = numbered.flat_map(|(number, games)| games.iter().map(move |_| number));
    numbers.collect()
}

/// The index of the rules of each game, and the rules: moving first is not worth the same with all. Both are empty if there are
/// no two.
fn rules_of(games: &[JointGame], of_folders: &[Rules]) -> (Vec<u16>, Vec<Rules>) {
    let mut rules: Vec<Rules> = Vec::new();
    let seats = games.iter().map(|game| {
        let own = of_folders[usize::from(game.folder)];
        let known = rules.iter().position(|rules| *rules == own);
        known.unwrap_or_else(|| {
            rules.push(own);
            rules.len() - 1
        }) as u16
    });
    let seats: Vec<u16> = seats.collect();
    match rules.len() {
        0 | 1 => (Vec::new(), Vec::new()),
        _ => (seats, rules),
    }
}

/// These folders; in place of one without games, the results folders in it.
fn with_those_inside(
    dirs: &[PathBuf],
    with_searches: bool,
) -> Result<BTreeSet<PathBuf>, InputError> {
    let mut all = BTreeSet::new();
    for dir in dirs {
        let inside = match ledger::exists(dir)? {
            true => Vec::new(),
            false => folders_in(dir, with_searches),
        };
        match inside.is_empty() {
            true if !with_searches && !folders_in(dir, true).is_empty() => {
                let what = "has only searches for better agents; expected the folder of one, or agents in --only or --not";
                return Err(InputError::in_file(dir, what));
            }
            true => all.extend([dir.clone()]),
            false => all.extend(inside),
        }
    }
    Ok(all)
}

/// The results folders in a folder and in those below it, such as those of matches; those of searches, and of proofs in them,
/// only `with_searches`.
fn folders_in(dir: &Path, with_searches: bool) -> Vec<PathBuf> {
    const DEEPEST: usize = 3;
    let (mut found, mut left) = (Vec::new(), vec![(dir.to_owned(), 0)]);
    while let Some((dir, depth)) = left.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if !path.is_dir() {
                continue;
            }
            let is_search = || {
                let facts = ledger::facts(&path);
                facts.is_ok_and(|facts| facts.manifest.is_search_over.is_some())
            };
            match ledger::exists(&path).unwrap_or(false) {
                true if is_search() => {
                    if with_searches {
                        left.push((path.clone(), DEEPEST));
                        found.push(path);
                    }
                }
                true => found.push(path),
                false if depth < DEEPEST => left.push((path, depth + 1)),
                false => {}
            }
        }
    }
    found
}
