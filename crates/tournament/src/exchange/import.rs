//! Brings games from elsewhere into a ledger: from other results folders, such as those of shards, and from exported
//! files.
//!
//! A game is known by its address, whoever played it. The same record is there already. Another record of a game that
//! its address determines is a contradiction; of a game that depends on time or on a program, the first record counts
//! and the other is kept beside it. All games of an import are one transaction: either all are there or none.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use patchwork_engine::record::{Entry, Extras, GameId, play_through};
use patchwork_engine::util::InputError;
use serde::Serialize;
use tempfile::TempDir;

use super::exported_games;
use crate::ledger::{self, GameCheck, Store, StoredGame, TournamentError};
use crate::planning::formats::Format;
use crate::planning::identity::{AgentId, GameAddress, Streams};
use crate::planning::manifest::{Manifest, difference};
use crate::planning::plan::Plan;
use crate::planning::planned_agent::PlannedAgent;
use crate::playing::results::{Results, of_this_play, playable};

/// What is kept of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The whole record, its times and its optional data.
    Everything,
    /// The setup, the moves and the result. Games between searching agents then take about an eighth of the bytes.
    Moves,
}

/// What a source contributed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The folder or file.
    pub source: PathBuf,
    /// Number of games that were taken.
    pub taken: u64,
    /// Number of those that are not in the plan.
    pub unplanned: u64,
    /// Number of games that were there already, with the same record.
    pub there: u64,
    /// Number of games of which another record counts.
    pub others: u64,
    /// Number of games that damage has destroyed, if it is known.
    pub lost: Option<u64>,
}

/// Takes over the games of results folders and exported files into a folder, which is created or keeps what it holds.
/// It gets the plan of `manifest`; otherwise it keeps its own, and a new one gets the plan that unites those of the
/// folders.
///
/// # Errors
/// When a source cannot be read, plans cannot share games, a game breaks the rules, two records of one game contradict
/// each other, or the folder cannot be written. In that case the folder is not changed.
pub fn import(
    sources: &[PathBuf],
    into: &Path,
    manifest: Option<&Manifest>,
    keep: Keep,
) -> Result<(Results, Vec<Imported>), InputError> {
    let sources = ledger::distinct(sources).into_iter();
    let (folders, files): (Vec<&Path>, Vec<&Path>) = sources
        .filter(|source| !ledger::is_same(source, into))
        .partition(|source| source.is_dir());
    // The folder is locked before its plan is read, so that nobody else gives it another one.
    let (held, own) = match ledger::exists(into)? {
        true => {
            let (store, own) = Store::open(into)?;
            (Some(store), Some(of_this_play(into, own)?))
        }
        false => (None, None),
    };
    // The plan of a folder that is damaged there.
    let known = manifest.or(own.as_ref());
    let mut read = Vec::new();
    for dir in folders {
        read.push(match (playable(dir), known) {
            (Err(error), Some(known)) if error.is_damage() => (dir, known.clone()),
            (theirs, _) => (dir, theirs?),
        });
    }
    let mut target = match (manifest, own) {
        (Some(manifest), None) => manifest.clone(),
        (Some(manifest), Some(own)) => own
            .with_plan(&manifest.plan)
            .map_err(|what| cannot_share(into, Path::new("the tournament"), &what))?,
        (None, Some(own)) => own,
        (None, None) if read.is_empty() => {
            return Err(InputError::new(format!(
                "{}: files of games have no agents' settings: expected --tournament with the tournament's file, or a results folder",
                into.display()
            )));
        }
        (None, None) => {
            let name = into.file_name().map(|name| name.to_string_lossy());
            union(&read, &name.unwrap_or_default())?
        }
    };
    for (dir, theirs) in &read {
        if let Some(what) = difference(&target.plan, &theirs.plan, ["", ""]) {
            return Err(cannot_share(into, dir, &what));
        }
        target.add_earlier(theirs);
    }
    let fill = |store: Store| -> Result<Vec<Imported>, InputError> {
        let mut import = Import::new(store, &target, keep)?;
        let streams = Streams::new(&target.plan);
        let mut done = Vec::new();
        for (dir, theirs) in &read {
            done.push(import.folder(dir, theirs, &streams)?);
        }
        for file in &files {
            done.push(import.file(file, &target.plan, &streams)?);
        }
        import.store.finish()?;
        Ok(done)
    };
    let done = match held {
        None => ledger::build_folder(into, |dir| fill(Store::create(dir, &target)?))?,
        Some(store) => {
            Results::in_store(&store, target.clone())?;
            fill(store)?
        }
    };
    Ok((Results::read(into)?, done))
}

/// The longest name of several folders, in characters.
const MAX_OF_NAME: usize = 60;

/// The results of several folders as the one that [`import`] would make of them, which is in the temporary folder.
///
/// # Errors
/// As for [`import`], and when damage has destroyed games.
pub fn united(dirs: &[PathBuf]) -> Result<(Results, Vec<Imported>, TempDir), InputError> {
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let names = dirs.iter().filter_map(|dir| dir.file_name()?.to_str());
    let name = names.collect::<Vec<_>>().join(" + ");
    let into = folder
        .path()
        .join(name.chars().take(MAX_OF_NAME).collect::<String>());
    let (results, sources) = import(dirs, &into, None, Keep::Everything)?;
    match sources.iter().find(|source| source.lost != Some(0)) {
        Some(damaged) => Err(InputError::new(format!(
            "{}: its games are damaged; patchwork-arena verify says where",
            damaged.source.display()
        ))),
        None => Ok((results, sources, folder)),
    }
}

/// An import in progress.
struct Import {
    store: Store,
    check: GameCheck,
    keep: Keep,
    /// The names of the agents that play the same game each time.
    deterministic: HashMap<AgentId, String>,
}

impl Import {
    fn new(mut store: Store, manifest: &Manifest, keep: Keep) -> Result<Self, TournamentError> {
        store.write_manifest(manifest)?;
        store.begin_whole()?;
        let agents = manifest.known_agents();
        let deterministic = agents.filter(|agent| agent.config.is_deterministic());
        Ok(Self {
            store,
            check: GameCheck::new(manifest),
            keep,
            deterministic: deterministic
                .map(|agent| (agent.id(), agent.name))
                .collect(),
        })
    }

    /// Takes over the games of a folder.
    fn folder(
        &mut self,
        dir: &Path,
        theirs: &Manifest,
        streams: &Streams,
    ) -> Result<Imported, InputError> {
        let mut done = Imported::new(dir);
        let mut failed = None;
        let look = |game: StoredGame<'_>| {
            let entry = checked(&game, streams)?;
            Ok((game.address, entry))
        };
        let add = |(address, entry): (GameAddress, Entry)| {
            if failed.is_none() {
                failed = self.add(&address, entry, &mut done).err();
            }
        };
        let lost = ledger::salvage(dir, theirs, look, add)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(Imported { lost, ..done }),
        }
    }

    /// Takes over the games of an exported file.
    fn file(
        &mut self,
        file: &Path,
        plan: &Plan,
        streams: &Streams,
    ) -> Result<Imported, InputError> {
        let mut done = Imported::new(file);
        exported_games::read(file, plan, streams, |game, entry| {
            self.add(&streams.address(game), entry, &mut done)
        })?;
        Ok(done)
    }

    fn add(
        &mut self,
        address: &GameAddress,
        mut entry: Entry,
        done: &mut Imported,
    ) -> Result<(), InputError> {
        if self.keep == Keep::Moves {
            entry.record = ledger::without_thoughts(&entry.record);
            entry.nanos.fill(0);
            entry.extras = Extras {
                moves_only: true,
                ..Extras::default()
            };
        }
        let Some(there) = self.store.find(address)? else {
            self.store.append(address, &entry.into(), None)?;
            done.taken += 1;
            done.unplanned += u64::from(self.check.planned(address).is_none());
            return Ok(());
        };
        if ledger::is_same_game(&there, &entry) {
            done.there += 1;
            return Ok(());
        }
        let seats = address.seats.map(|id| self.deterministic.get(&id));
        if let [Some(first), Some(second)] = seats {
            return Err(InputError::new(format!(
                "{} and {} have different records of the same game ({first} against {second}, pair {}), although its agents \
                 have no time budget: one of them is damaged or was written by a changed program",
                self.store.dir().display(),
                done.source.display(),
                address.pair
            )));
        }
        let source = done.source.display().to_string();
        self.store.keep_other(address, &entry.into(), &source)?;
        done.others += 1;
        Ok(())
    }
}

impl Imported {
    fn new(source: &Path) -> Self {
        Self {
            source: source.to_owned(),
            taken: 0,
            unplanned: 0,
            there: 0,
            others: 0,
            lost: Some(0),
        }
    }
}

/// The entry of a stored game, checked by the rules and against its row and its address.
pub(super) fn checked(game: &StoredGame<'_>, streams: &Streams) -> Result<Entry, String> {
    let (entry, _) = game.decode()?;
    play_through(&entry.record).map_err(|what| format!("not a legal game: {what}"))?;
    if entry.record.setup != streams.setup_at(&game.address) {
        return Err("its setup is not that of its pair".to_owned());
    }
    game.row
        .agrees_with(&entry)
        .then_some(entry)
        .ok_or_else(|| "its columns are not those of its record".to_owned())
}

/// The number of games of a plan that other folders hold. `known` are the games that need not be taken; a game is
/// counted for the first folder that holds it.
pub(crate) fn importable(
    manifest: &Manifest,
    mut known: HashSet<GameId>,
    dirs: &[PathBuf],
) -> Result<Vec<(PathBuf, u64)>, InputError> {
    let check = GameCheck::new(manifest);
    let mut all = Vec::new();
    for dir in ledger::distinct(dirs) {
        let theirs = playable(dir)?;
        let mut count = 0;
        if difference(&manifest.plan, &theirs.plan, ["", ""]).is_none() {
            let place = |game: StoredGame<'_>| Ok(check.planned(&game.address));
            ledger::read_games(dir, &theirs, place, |game| {
                count += u64::from(game.is_some_and(|game| known.insert(game.id)));
            })?;
        }
        all.push((dir.to_owned(), count));
    }
    Ok(all)
}

/// The agents of all plans by their identity. Agents with the same settings are the same agent, whatever
/// their names; it gets the first name in alphabetical order. The order of the plans does not matter.
///
/// Agents with the same name and different settings have the name of their folder, too.
pub fn united_agents(plans: &[(&Path, &Plan)]) -> BTreeMap<AgentId, PlannedAgent> {
    let agents = || plans.iter().flat_map(|(_, plan)| plan.agents());
    let mut by_name: BTreeMap<&str, BTreeSet<AgentId>> = BTreeMap::new();
    for agent in agents() {
        let settings = AgentId::new(&agent.config, 0);
        by_name.entry(&agent.name).or_default().insert(settings);
    }
    // The agents with the same settings by name, and the largest number of them in a plan.
    let mut by_settings: BTreeMap<AgentId, (BTreeMap<String, PlannedAgent>, usize)> =
        BTreeMap::new();
    for &(dir, plan) in plans {
        let alike = |other: &&(&Path, &Plan)| other.0.file_name() == dir.file_name();
        let folder = match plans.iter().filter(alike).count() {
            1 => dir.file_name().unwrap_or_default().to_string_lossy(),
            _ => dir.to_string_lossy(),
        };
        let mut copies: BTreeMap<AgentId, usize> = BTreeMap::new();
        for agent in plan.agents() {
            let settings = AgentId::new(&agent.config, 0);
            let mut agent = agent.clone();
            if by_name[&*agent.name].len() > 1 {
                agent.name = format!("{} ({folder})", agent.name);
            }
            let (same, most) = by_settings.entry(settings).or_default();
            same.entry(agent.name.clone()).or_insert(agent);
            let count = copies.entry(settings).or_default();
            *count += 1;
            *most = (*most).max(*count);
        }
    }
    let mut united = BTreeMap::new();
    for (same, most) in by_settings.into_values() {
        for (copy, agent) in (0..).zip(same.into_values().take(most)) {
            united.insert(AgentId::new(&agent.config, copy), agent);
        }
    }
    united
}

/// The manifest that unites those of folders: all agents, and the largest number of pairs.
fn union(all: &[(&Path, Manifest)], name: &str) -> Result<Manifest, InputError> {
    let (one, first) = &all[0];
    for (other, manifest) in all {
        if let Some(what) = difference(&first.plan, &manifest.plan, ["", ""]) {
            return Err(cannot_share(one, other, &what));
        }
    }
    let mut united = Manifest::new(name.to_owned(), united_plan(all)?);
    // Versions with the same version of play are alike; the choice must not depend on the order.
    let versions = all.iter().map(|(_, manifest)| &manifest.version);
    united
        .version
        .clone_from(versions.min().unwrap_or(&first.version));
    Ok(united)
}

fn united_plan(all: &[(&Path, Manifest)]) -> Result<Plan, InputError> {
    let first = &all[0].1.plan;
    if all.iter().all(|(_, manifest)| manifest.plan == *first) {
        return Ok(first.clone());
    }
    let wrong = |error: InputError| InputError::new(format!("the united plan's {error}"));
    let plans: Vec<(&Path, &Plan)> = all.iter().map(|(dir, of)| (*dir, &of.plan)).collect();
    let agents = united_agents(&plans).into_values().collect();
    let pairs = plans.iter().map(|(_, plan)| plan.pairs()).max();
    let thoughts = plans.iter().filter_map(|(_, plan)| plan.thoughts());
    let thoughts = thoughts.max_by_key(|top| top.count());
    let plan = Plan::new(
        first.seed(),
        first.rules(),
        united_format(&plans),
        pairs.unwrap_or(1),
        agents,
    );
    let plan = plan
        .map_err(wrong)?
        .with_rings(first.rings().clone())
        .with_thoughts(thoughts);
    match first.test() {
        Some(test) if plans.iter().all(|(_, plan)| plan.test() == Some(test)) => {
            plan.with_test(*test).map_err(wrong)
        }
        _ => Ok(plan),
    }
}

/// The format that all plans share, or round-robin if they differ.
fn united_format(plans: &[(&Path, &Plan)]) -> Format {
    let first = plans[0].1.format();
    match plans.iter().all(|(_, plan)| plan.format() == first) {
        true => first.clone(),
        false => Format::RoundRobin,
    }
}

/// The error of plans that cannot share games, and how they differ.
fn cannot_share(one: &Path, other: &Path, what: &str) -> InputError {
    let (one, other) = (one.display(), other.display());
    InputError::new(format!("{one} and {other} cannot share games: {what}"))
}
