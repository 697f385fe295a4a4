//! Takes over games from other results folders, so that no game is played twice.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use patchwork_engine::record::GameId;
use patchwork_engine::util::{InputError, KeyError};

use super::combine::{FolderGames, cannot_pool, conflict, wrong_pool};
use super::formats::Format;
use super::game_check::GameCheck;
use super::identity::{AgentId, GameAddress};
use super::manifest::{Manifest, difference};
use super::plan::Plan;
use super::results::{Aside, Results, playable};
use super::store::{self, Store, StoreError, StoredGame, record_digest};
use super::united_agents::united_agents;

/// Copies games of a tournament's plan from other folders into the tournament's folder, which is created if
/// it does not exist. Other games of those folders are ignored.
///
/// # Errors
/// As [`Results::open`], and when a folder is damaged, its games have another version of play, two folders
/// contradict each other, or a game cannot be written. Everything is checked before anything is written.
pub fn reuse(
    dir: &Path,
    manifest: &Manifest,
    dirs: &[PathBuf],
) -> Result<Vec<FolderGames>, InputError> {
    let sources = PoolSource::sharing(manifest, others(dirs, dir))?;
    let own = own_games(dir)?;
    let wanted = new_games(own.iter().chain(&sources))?;
    let (store, ..) = Results::open_each(dir, manifest, |_| ())?;
    copy(store, &sources, &wanted)
}

/// The number of missing games of a plan that each folder holds. `known` are the games that need not be
/// taken; a game is counted for the first folder that holds it.
pub(super) fn reusable(
    manifest: &Manifest,
    mut known: HashSet<GameId>,
    dirs: &[PathBuf],
) -> Result<Vec<(PathBuf, u64)>, InputError> {
    let check = GameCheck::new(manifest);
    let sources = PoolSource::sharing(manifest, store::distinct(dirs, None).into_iter())?;
    let count = |source: PoolSource| {
        let planned = source.games.iter();
        let planned = planned.filter_map(|(address, _)| check.planned(address));
        let new = planned.filter(|game| known.insert(game.id)).count();
        (source.dir, new as u64)
    };
    Ok(sources.into_iter().map(count).collect())
}

/// Combines the plans and the games of folders in `into`, which is created or keeps what it holds. The plan
/// has the agents of all folders and the largest number of pairs.
///
/// # Errors
/// As [`reuse`], and when the plans cannot be combined.
pub fn pool(
    dirs: &[PathBuf],
    into: &Path,
    name: &str,
) -> Result<(Results, Vec<FolderGames>), InputError> {
    let mut sources = Vec::new();
    for dir in others(dirs, into) {
        sources.push(PoolSource::read(dir, playable(dir)?, |_| true)?);
    }
    let own = own_games(into)?;
    let all = own.iter().chain(&sources);
    let all: Vec<(&Path, &Manifest)> = all.map(|source| (&*source.dir, &source.manifest)).collect();
    let mut united = union(&all, name)?;
    for (_, manifest) in &all {
        united.add_earlier(manifest);
    }
    let wanted = new_games(own.iter().chain(&sources))?;
    let (store, ..) = match &own {
        Some(own) => Results::open_as(into, &own.manifest, &united, |_| ())?,
        None => Results::open_each(into, &united, |_| ())?,
    };
    let taken = copy(store, &sources, &wanted)?;
    Ok((Results::read(into)?, taken))
}

/// The folders from which games are taken, each once, without the target.
fn others<'a>(dirs: &'a [PathBuf], target: &Path) -> impl Iterator<Item = &'a Path> {
    let dirs = store::distinct(dirs, None).into_iter();
    dirs.filter(|dir| !store::is_same(dir, target))
}

/// A folder from which games are taken.
struct PoolSource {
    dir: PathBuf,
    manifest: Manifest,
    /// The wanted games, with the digests of their records.
    games: Vec<(GameAddress, u64)>,
    aside: Aside,
}

impl PoolSource {
    /// Checks folders and lists their games that a plan contains.
    fn sharing<'a>(
        manifest: &Manifest,
        dirs: impl Iterator<Item = &'a Path>,
    ) -> Result<Vec<Self>, StoreError> {
        let check = GameCheck::new(manifest);
        let read = |dir| {
            let theirs = playable(dir)?;
            let shares = difference(&manifest.plan, &theirs.plan, ["", ""]).is_none();
            Self::read(dir, theirs, |game| {
                shares && check.planned(&game.address).is_some()
            })
        };
        dirs.map(read).collect()
    }

    /// Checks a folder and lists the wanted games.
    fn read(
        dir: &Path,
        manifest: Manifest,
        is_wanted: impl Fn(&StoredGame<'_>) -> bool + Sync,
    ) -> Result<Self, StoreError> {
        let (results, games) = Results::read_each(dir, &manifest, |game| {
            is_wanted(game).then(|| (game.address, record_digest(&game.entry().record)))
        })?;
        Ok(Self {
            dir: dir.to_owned(),
            manifest,
            games: games.into_iter().flatten().collect(),
            aside: results.aside,
        })
    }
}

/// The games of the target folder, if it exists.
fn own_games(dir: &Path) -> Result<Option<PoolSource>, InputError> {
    if !store::exists(dir)? {
        return Ok(None);
    }
    Ok(Some(PoolSource::read(dir, playable(dir)?, |_| true)?))
}

/// Assigns each game to the first folder that holds it, after checking that no two folders contradict each
/// other.
fn new_games<'a>(
    sources: impl Iterator<Item = &'a PoolSource>,
) -> Result<HashMap<GameAddress, &'a Path>, InputError> {
    let mut known: HashMap<GameAddress, (u64, &PoolSource)> = HashMap::new();
    for source in sources {
        let deterministic = deterministic_agents(&source.manifest);
        for &(address, digest) in &source.games {
            let (other, from) = *known.entry(address).or_insert((digest, source));
            if digest == other {
                continue;
            }
            let names = address.seats.map(|id| deterministic.get(&id));
            if let [Some(first), Some(second)] = names {
                let game = format!(
                    "the same game ({first} against {second}, pair {}), although its agents have no time budget",
                    address.pair
                );
                let reason = "one of the folders is damaged or was written by a changed program";
                return Err(conflict(&from.dir, &source.dir, &game, reason));
            }
        }
    }
    let found = known.into_iter();
    Ok(found
        .map(|(address, (_, source))| (address, &*source.dir))
        .collect())
}

/// Copies from each folder the games that are assigned to it.
fn copy(
    mut store: Store,
    sources: &[PoolSource],
    found: &HashMap<GameAddress, &Path>,
) -> Result<Vec<FolderGames>, InputError> {
    let mut all = Vec::new();
    for source in sources {
        let is_new = |address: &GameAddress| found.get(address) == Some(&&*source.dir);
        let new = source
            .games
            .iter()
            .filter(|(address, _)| is_new(address))
            .count();
        all.push(FolderGames {
            dir: source.dir.clone(),
            games: source.games.len() as u64,
            taken: new as u64,
            aside: source.aside.clone(),
        });
        if new == 0 {
            continue;
        }
        // The games of a folder are copied in its order, a block at a time.
        let new = |game: StoredGame<'_>| {
            Ok(is_new(&game.address).then(|| (game.address, game.entry().into_owned())))
        };
        let mut copied = Ok(());
        store::read_games(&source.dir, new, |game| {
            if let (Some((address, entry)), Ok(())) = (game, &copied) {
                copied = store.append(&address, &entry).map(|_| ());
            }
        })?;
        copied?;
    }
    store.finish()?;
    Ok(all)
}

/// The agents without a time budget, and their names.
fn deterministic_agents(manifest: &Manifest) -> HashMap<AgentId, String> {
    let deterministic = manifest.known_agents();
    let deterministic = deterministic.filter(|agent| agent.config.is_deterministic());
    deterministic
        .map(|agent| (agent.id(), agent.name))
        .collect()
}

/// The manifest of a pool of folders.
fn union(all: &[(&Path, &Manifest)], name: &str) -> Result<Manifest, InputError> {
    let Some(&(one, first)) = all.first() else {
        let none = KeyError::at("folders", "none; expected at least one");
        return Err(wrong_pool(none));
    };
    for &(other, manifest) in all {
        if let Some(what) = difference(&first.plan, &manifest.plan, ["", ""]) {
            return Err(cannot_pool(one, other, &what));
        }
    }
    let plans: Vec<(&Path, &Plan)> = all.iter().map(|(dir, of)| (*dir, &of.plan)).collect();
    let agents = united_agents(&plans)?.into_values();
    let format = united_format(all)?;
    let pairs = all
        .iter()
        .map(|(_, manifest)| manifest.plan.pairs())
        .max()
        .unwrap_or(1);
    let thoughts = all.iter().filter_map(|(_, of)| of.plan.thoughts());
    let thoughts = thoughts.max_by_key(|top| top.count());
    let plan = Plan::new(
        first.plan.seed(),
        first.plan.rules(),
        format,
        pairs,
        agents.collect(),
    );
    let mut plan = plan
        .map_err(wrong_pool)?
        .with_rings(first.plan.rings().clone())
        .with_thoughts(thoughts);
    if let Some(test) = first.plan.test()
        && all
            .iter()
            .all(|(_, manifest)| manifest.plan.test() == Some(test))
    {
        plan = plan.with_test(*test).map_err(wrong_pool)?;
    }
    Ok(Manifest::new(name.to_owned(), plan))
}

/// The format that all plans share, or round-robin if the formats differ and in none of them rounds depend on
/// results.
fn united_format(all: &[(&Path, &Manifest)]) -> Result<Format, InputError> {
    let (one, first) = all[0];
    for &(other, manifest) in all {
        let (ours, theirs) = (first.plan.format(), manifest.plan.format());
        if ours == theirs {
            continue;
        }
        if ours.is_adaptive() || theirs.is_adaptive() {
            let (ours, theirs) = (ours.name(), theirs.name());
            let what = format!("format: {ours} and {theirs} with different settings");
            return Err(cannot_pool(one, other, &what));
        }
        return Ok(Format::RoundRobin);
    }
    Ok(first.plan.format().clone())
}
