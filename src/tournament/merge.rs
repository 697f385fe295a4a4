//! Combines folders in which parts of a plan were played, possibly on other people's machines.
//!
//! The merged folder depends only on the set of games in the folders: not on their order, on how often a
//! folder is merged, or on intermediate merges. Its games are stored in plan order.

use std::path::{Path, PathBuf};

use patchwork_engine::record::{Entry, GameId, Games as _};
use patchwork_engine::util::InputError;

use super::combine::{FolderGames, conflict};
use super::identity::Streams;
use super::manifest::{Manifest, difference};
use super::plan::Plan;
use super::results::{Results, playable};
use super::store::{self, Store, StoreError, comparable, encode_record};

/// What a merged folder keeps of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The whole record, its times and its optional data.
    Everything,
    /// The setup, the moves and the result. Games between searching agents then take about an eighth of the bytes.
    Moves,
}

/// Merges folders of one plan into a folder, which is created or keeps its games. Every record is checked
/// against the rules.
///
/// Returns the results in the merged folder; the folders with their games of the plan, the only ones that the merged
/// folder contains, the target first if it existed; and the number of games that were in more than one folder.
///
/// # Errors
/// When a folder cannot be read, has another plan or another version of play, a record breaks the rules, two
/// folders have different records of the same game, or the folder cannot be written. In that case the folder
/// is not changed.
pub fn merge(
    dirs: &[PathBuf],
    into: &Path,
    keep: Keep,
) -> Result<(Results, Vec<FolderGames>, u64), InputError> {
    let own = store::exists(into)?;
    let sources = store::distinct(dirs, own.then_some(into));
    let mut manifests = Vec::with_capacity(sources.len());
    for dir in &sources {
        manifests.push((*dir, playable(dir)?));
    }
    let manifest = common_manifest(&manifests)?;
    // Held until the games are replaced.
    let lock = if own {
        Some(Store::open(into, |_| Ok(()), |()| ())?.0)
    } else {
        None
    };
    let mut read = Vec::with_capacity(sources.len());
    for (dir, theirs) in &manifests {
        read.push((*dir, Results::read_each(dir, theirs, |_| ())?.0));
    }
    if let [(dir, target), ..] = &read[..]
        && own
        && target.aside.games() > 0
    {
        return Err(InputError::new(format!(
            "{} has games that are not in its plan ({}) and would be lost; merge into another folder",
            dir.display(),
            target.aside
        )));
    }
    let (picked, doubles) = pick(&manifest.plan, &read)?;
    let streams = Streams::new(&manifest.plan);
    let games = || {
        picked.iter().map(|game| {
            let games = &read[game.folder as usize].1.games;
            let index = game.index as usize;
            let encoded = match keep {
                Keep::Everything => games.encoded(index),
                Keep::Moves => games.encoded_moves(index),
            };
            (streams.address(games.planned(index)), encoded)
        })
    };
    match lock {
        Some(store) => {
            if manifests[0].1 != manifest {
                store.write_manifest(&manifest)?;
            }
            store.replace_games(games())?;
        }
        None => store::build_folder(into, |aside| -> Result<(), StoreError> {
            Store::create(aside, &manifest)?.replace_games(games())
        })?,
    }
    let mut taken = vec![0; read.len()];
    picked
        .iter()
        .for_each(|game| taken[game.folder as usize] += 1);
    let folders = read.iter().zip(taken);
    let folders = folders.map(|((dir, results), taken)| FolderGames {
        dir: dir.to_path_buf(),
        games: results.games.len() as u64,
        taken,
        aside: results.aside.clone(),
    });
    let folders = folders.collect();
    // The merged folder may be as large as all others together.
    drop((picked, read));
    Ok((Results::read(into)?, folders, doubles))
}

/// The manifest of the merged folder, if all folders have the same plan.
fn common_manifest(all: &[(&Path, Manifest)]) -> Result<Manifest, InputError> {
    let Some((one, first)) = all.first() else {
        return Err(InputError::new("no folder to merge; expected at least one"));
    };
    let mut merged = Manifest::new(first.name.clone(), first.plan.clone());
    merged.version.clone_from(&first.version);
    for (other, manifest) in all {
        let what = if manifest.name != first.name {
            format!("name: {}, {}", first.name, manifest.name)
        } else if manifest.plan != first.plan {
            told_difference(&first.plan, &manifest.plan)
        } else {
            // Folders of all versions with the same version of play are alike; the choice must not depend on
            // order.
            if manifest.version < merged.version {
                merged.version.clone_from(&manifest.version);
            }
            continue;
        };
        return Err(InputError::new(format!(
            "{} and {} hold parts of different plans ({what}); `pool` combines folders of different plans",
            one.display(),
            other.display()
        )));
    }
    Ok(merged)
}

/// Describes how two plans differ.
fn told_difference(one: &Plan, other: &Plan) -> String {
    if let Some(what) = difference(one, other, ["", ""]) {
        return what;
    }
    let (format, theirs) = (one.format(), other.format());
    if format.name() != theirs.name() {
        return format!("format: {}, {}", format.name(), theirs.name());
    }
    if one.pairs() != other.pairs() {
        return format!("pairs: {}, {}", one.pairs(), other.pairs());
    }
    for (plan, others) in [(one, other), (other, one)] {
        for agent in plan.agents() {
            match others
                .agents()
                .iter()
                .find(|other| other.name == agent.name)
            {
                None => return format!("only one has the agent {}", agent.name),
                Some(other) if other != agent => {
                    return format!("the settings of the agent {} differ", agent.name);
                }
                Some(_) => {}
            }
        }
    }
    if one.thoughts() != other.thoughts() {
        return "thoughts: one records more actions than the other".to_owned();
    }
    if one.test() != other.test() {
        return "sprt: the tests differ".to_owned();
    }
    "the settings of the format differ".to_owned()
}

/// Where a game of the merged folder comes from.
#[derive(Clone, Copy)]
struct Picked {
    id: GameId,
    folder: u32,
    index: u32,
}

/// The games of all folders in plan order without repetitions, and the number of games that several folders
/// hold.
fn pick(plan: &Plan, folders: &[(&Path, Results)]) -> Result<(Vec<Picked>, u64), InputError> {
    let mut all = Vec::new();
    for (folder, (_, results)) in folders.iter().enumerate() {
        let folder = folder as u32;
        let ids = (0..).zip(results.games.ids());
        all.extend(ids.map(|(index, id)| Picked { id, folder, index }));
    }
    all.sort_unstable_by_key(|game| (game.id, game.folder));
    // The picked games are moved to the front.
    let (mut doubles, mut counted, mut count) = (0, None, 0_usize);
    for next in 0..all.len() {
        let game = all[next];
        let last = count.checked_sub(1);
        let Some(last) = last.filter(|&last| all[last].id == game.id) else {
            all[count] = game;
            count += 1;
            continue;
        };
        let first = &all[last];
        if counted.replace(game.id) != Some(game.id) {
            doubles += 1;
        }
        let entry = |of: &Picked| -> Entry {
            let games = &folders[of.folder as usize].1.games;
            games.entry(of.index as usize).into_owned()
        };
        let (one, other) = (entry(first), entry(&game));
        if encode_record(&one.record) != encode_record(&other.record) {
            let deterministic =
                |&agent: &u16| plan.agents()[usize::from(agent)].config.is_deterministic();
            let reason = if one.record.agents.iter().all(deterministic) {
                "its agents play the same game each time, so one of the records is damaged or was written by a \
                 changed program; `verify` tells which"
            } else {
                "not all of its agents play the same game each time, so it was played twice; merge only one of \
                 the folders"
            };
            let [one, other] = [first, &game].map(|game| folders[game.folder as usize].0);
            return Err(conflict(one, other, &plan.game_name(game.id), reason));
        }
        // The records are equal, but the measured times are not; the choice must not depend on order.
        if comparable(&other) < comparable(&one) {
            all[last] = game;
        }
    }
    all.truncate(count);
    Ok((all, doubles))
}

#[cfg(test)]
mod tests;
