//! The results of a tournament, in a folder or in memory, checked against its plan.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use patchwork_engine::record::{Entry, GameId, play_through};
use patchwork_engine::search::Stop;

use super::encounter::{GameResult, PlannedGame};
use super::identity::{GameAddress, PLAY, Streams};
use super::manifest::{GamePlace, GamePlaces, Manifest, PlanDifference, hex};
use super::runner::{self, RunError};
use super::schedule::{Next, Schedule};
use super::store::{self, Archive, FrameSpan, Scanned, Store, StoreError, StoredGame};

/// Why a results folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// An error of the folder or a file in it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder belongs to another plan.
    #[error(
        "{} holds the results of another plan ({what}): rename this tournament or move the folder away",
        dir.display()
    )]
    OtherPlan {
        /// The folder.
        dir: PathBuf,
        /// How the plans differ.
        what: String,
    },
    /// The games have another version of play.
    #[error(
        "{} holds games of version {version}, whose version of play is {play}; this program has {}: \
         its agents play differently; rename this tournament or move the folder away",
        dir.display(),
        hex(PLAY)
    )]
    OtherPlay {
        /// The folder.
        dir: PathBuf,
        /// The version that started it.
        version: String,
        /// The version of play of its games.
        play: String,
    },
    /// The games do not match the manifest.
    #[error("{}: {what}: the folder's files do not belong together", dir.display())]
    Mixed {
        /// The folder.
        dir: PathBuf,
        /// What does not match.
        what: String,
    },
}

/// Why a game cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The plan has no game with this name.
    #[error(
        "'{name}' is not a game of this plan: expected a number from 0 to {last}, or pairing, pair and \
         leg such as '{pairing}/0/1'"
    )]
    Unknown {
        /// The requested name.
        name: String,
        /// The largest game number.
        last: u64,
        /// The name of the first pairing.
        pairing: String,
    },
    /// The game with this number has no result yet.
    #[error("game {0} has not been played")]
    NotPlayed(u64),
}

/// The results of a tournament, checked against its plan.
#[derive(Clone, Debug)]
pub struct Results {
    /// The manifest.
    pub manifest: Manifest,
    /// The progress of the plan, and the missing games.
    pub schedule: Schedule,
    /// The finished games that count, sorted by identity.
    pub games: Archive,
    /// The other games in the folder.
    pub aside: Aside,
    /// Number of bytes of an unfinished frame that were cut off or skipped.
    pub torn: u64,
}

/// Games in a results folder that are not part of its plan, or do not count yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// Number of games of earlier settings of each agent that is still in the plan.
    pub earlier_settings: BTreeMap<String, u64>,
    /// Number of games of each agent that is no longer in the plan.
    pub removed_agents: BTreeMap<String, u64>,
    /// Number of games of the plan's agents that the plan does not contain, or not yet.
    pub unplanned: u64,
}

impl Aside {
    /// The number of reasons for which games are kept aside.
    #[must_use]
    pub fn groups(&self) -> usize {
        let agents = self.earlier_settings.len() + self.removed_agents.len();
        agents + usize::from(self.unplanned > 0)
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        let agents = self
            .earlier_settings
            .values()
            .chain(self.removed_agents.values());
        self.unplanned + agents.sum::<u64>()
    }
}

/// Number of agents that are named one by one.
const MOST_NAMED: usize = 3;

/// Says which games are kept aside, such as `60 belong to earlier settings of mcts-fast`.
impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let belong = |games: u64, to: String| {
            let verb = if games == 1 { "belongs" } else { "belong" };
            format!("{games} {verb} to {to}")
        };
        let list = |counts: &BTreeMap<String, u64>, what: &str, many: &str| -> Vec<String> {
            if counts.len() > MOST_NAMED {
                let games = counts.values().sum();
                return vec![belong(games, many.replace("{}", &counts.len().to_string()))];
            }
            let each = counts.iter();
            each.map(|(name, &games)| belong(games, format!("{what} {name}")))
                .collect()
        };
        let earlier = list(
            &self.earlier_settings,
            "earlier settings of",
            "earlier settings of {} agents",
        );
        let removed = list(
            &self.removed_agents,
            "the removed agent",
            "{} removed agents",
        );
        let unplanned = (self.unplanned > 0).then(|| {
            let verb = if self.unplanned == 1 { "is" } else { "are" };
            format!("{} {verb} not part of the plan", self.unplanned)
        });
        let all: Vec<String> = earlier
            .into_iter()
            .chain(removed)
            .chain(unplanned)
            .collect();
        match all.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => Ok(()),
        }
    }
}

impl Results {
    /// Reads a folder without changing it.
    ///
    /// # Errors
    /// When there are no results in the folder, they are damaged, or its games are not those of its
    /// manifest.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        let (results, _) = Self::read_each(dir, &manifest_of(dir)?, |_| ())?;
        Ok(results)
    }

    /// Reads a folder with this manifest, and passes each game to `visit`.
    pub(super) fn read_each<T: Send>(
        dir: &Path,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame) -> T + Sync,
    ) -> Result<(Self, Vec<T>), ResultsError> {
        let places = GamePlaces::new(manifest);
        let (scanned, file) = store::read_games(dir, |game| {
            let seen = visit(&game);
            Ok((seen, located(&places, game)?))
        })?;
        Self::of_scan(dir, manifest, scanned, file)
    }

    /// Opens the folder of a tournament for writing, or creates it. If the folder has another plan that may
    /// share games, it gets the new plan, and the other games are kept aside.
    ///
    /// # Errors
    /// When the folder's plan cannot share games with this one, its games have another version of play, it is
    /// damaged or in use, or cannot be written. In that case nothing is changed.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<(Store, Self), ResultsError> {
        let (store, results, _) = Self::open_each(dir, manifest, |_| ())?;
        Ok((store, results))
    }

    /// Opens a folder like [`Self::open`] and passes each game to `visit`, whether or not it is in the plan.
    pub(super) fn open_each<T: Send>(
        dir: &Path,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame) -> T + Sync,
    ) -> Result<(Store, Self, Vec<T>), ResultsError> {
        if !store::exists(dir)? {
            let store = Store::create(dir, manifest)?;
            return Ok((store, Self::none(manifest.clone()), Vec::new()));
        }
        let there = playable(dir)?;
        let grown = grown(dir, &there, manifest)?;
        Self::open_as(dir, &there, &grown, visit)
    }

    /// Reads a folder as [`Self::open`] would, without changing it.
    pub(crate) fn preview(dir: &Path, manifest: &Manifest) -> Result<Self, ResultsError> {
        let grown = grown(dir, &playable(dir)?, manifest)?;
        let (results, _) = Self::read_each(dir, &grown, |_| ())?;
        Ok(results)
    }

    /// Opens a folder for writing, replaces its manifest, and passes each game to `visit`.
    pub(super) fn open_as<T: Send>(
        dir: &Path,
        there: &Manifest,
        manifest: &Manifest,
        visit: impl Fn(&StoredGame) -> T + Sync,
    ) -> Result<(Store, Self, Vec<T>), ResultsError> {
        let places = GamePlaces::new(manifest);
        let (store, scanned, file) = Store::open(dir, |game| {
            let seen = visit(&game);
            Ok((seen, located(&places, game)?))
        })?;
        let (results, seen) = Self::of_scan(dir, manifest, scanned, file)?;
        if there != manifest {
            store.write_manifest(manifest)?;
        }
        Ok((store, results, seen))
    }

    /// Results without any games yet.
    #[must_use]
    pub fn none(manifest: Manifest) -> Self {
        Self {
            schedule: Schedule::new(&manifest.plan),
            manifest,
            games: Archive::default(),
            aside: Aside::default(),
            torn: 0,
        }
    }

    /// Results from these games of the plan. Games that do not count yet are left out.
    ///
    /// # Errors
    /// A description of the mismatch, if a game is not in the plan.
    pub fn new(manifest: Manifest, mut games: Archive) -> Result<Self, String> {
        let plan = &manifest.plan;
        games.sort();
        let mut last = None;
        for ((id, seats), timed) in games.ids().zip(games.seats()).zip(games.timed()) {
            let number = plan.number(id);
            if !plan.contains(PlannedGame { id, seats }) {
                return Err(not_planned(id));
            }
            if last.replace(id) == Some(id) {
                return Err(format!("game {number} twice"));
            }
            if !timed {
                return Err(format!("game {number} without a time for each ply"));
            }
        }
        let schedule = Schedule::resume(plan, games.results());
        let mut aside = Aside::default();
        if schedule.has_waiting() {
            aside.unplanned = games.len() as u64;
            games.retain(|id| !schedule.is_waiting(id));
            aside.unplanned -= games.len() as u64;
        }
        Ok(Self {
            manifest,
            schedule,
            games,
            aside,
            torn: 0,
        })
    }

    /// Results from the located games of a scan, with what a visitor returned for each game.
    fn of_scan<T>(
        dir: &Path,
        manifest: &Manifest,
        scanned: Scanned<(T, Located)>,
        file: Arc<File>,
    ) -> Result<(Self, Vec<T>), ResultsError> {
        let mixed = |what: String| ResultsError::Mixed {
            dir: dir.to_owned(),
            what,
        };
        if let Some(play) = scanned.play.map(hex)
            && play != manifest.play
        {
            return Err(mixed(format!(
                "games.bin has the version of play {play}, and manifest.json {}",
                manifest.play
            )));
        }
        let mut spans = Vec::with_capacity(scanned.games.len());
        let mut earlier = vec![0; manifest.earlier.len()];
        let mut unplanned = 0;
        let mut seen = Vec::with_capacity(scanned.games.len());
        for (game, place) in scanned.games {
            seen.push(game);
            match place {
                Located::Planned(span) => spans.push(span),
                Located::Earlier(agent) => earlier[agent] += 1,
                Located::Unplanned => unplanned += 1,
            }
        }
        let results = Self::new(manifest.clone(), Archive::in_file(file, spans));
        let mut results = results.map_err(|what| mixed(format!("games.bin holds {what}")))?;
        results.torn = scanned.torn;
        results.aside.unplanned += unplanned;
        let agents = manifest.plan.agents();
        for (earlier, games) in manifest.earlier.iter().zip(earlier) {
            let same_name = agents.iter().any(|agent| agent.name == earlier.name);
            // Games of a removed copy of an agent do not count as games of earlier settings.
            let same_settings = agents.iter().any(|agent| agent.config == earlier.config);
            let aside = &mut results.aside;
            let counts = if same_name && !same_settings {
                &mut aside.earlier_settings
            } else {
                &mut aside.removed_agents
            };
            if games > 0 {
                *counts.entry(earlier.name.clone()).or_default() += games;
            }
        }
        Ok((results, seen))
    }

    /// A game, by a name that [`Plan::find`](super::Plan::find) accepts.
    ///
    /// # Errors
    /// When the plan has no such game, or it has not been played.
    pub fn find_game(&self, name: &str) -> Result<Entry, FindError> {
        let plan = &self.manifest.plan;
        let game = plan.find(name).ok_or_else(|| FindError::Unknown {
            name: name.to_owned(),
            last: plan.numbers() - 1,
            pairing: plan.pairing_name(plan.pairings()[0]),
        })?;
        match self.games.find(game.id) {
            Some(entry) => Ok(entry),
            None => Err(FindError::NotPlayed(plan.number(game.id))),
        }
    }

    /// The missing games that are known; later rounds may depend on their results.
    pub fn missing(&self) -> impl Iterator<Item = PlannedGame> + use<> {
        let mut schedule = self.schedule.clone();
        std::iter::from_fn(move || match schedule.next_game() {
            Next::Game(game) => Some(game),
            Next::Wait | Next::Over => None,
        })
    }

    /// Plays those of these games of the plan that are missing, like [`Self::play`].
    ///
    /// # Errors
    /// As [`run`](runner::run).
    pub fn play_listed<E: Send>(
        &mut self,
        games: &[PlannedGame],
        threads: NonZeroUsize,
        stop: &Stop,
        mut keep: impl FnMut(&GameAddress, &Entry) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let plan = &self.manifest.plan;
        let streams = Streams::new(plan);
        let there: HashSet<GameId> = self.games.ids().collect();
        let missing = games.iter().filter(|game| !there.contains(&game.id));
        let missing: Vec<PlannedGame> = missing.copied().collect();
        runner::run_listed(plan, &missing, threads, stop, |entry| {
            self.schedule.finish(GameResult::from(&entry.record));
            keep(&streams.address((&entry.record).into()), &entry)
        })
    }

    /// Plays the missing games and passes each to `keep` with its address and the schedule after it. The
    /// schedule of these results is updated; the list of games is not.
    ///
    /// # Errors
    /// As [`run`](runner::run).
    pub fn play<E: Send>(
        &mut self,
        threads: NonZeroUsize,
        stop: &Stop,
        mut keep: impl FnMut(&GameAddress, &Entry, &Schedule) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let streams = Streams::new(&self.manifest.plan);
        // The workers have their own schedule, which is ahead of the games kept so far.
        runner::run(self.schedule.clone(), threads, stop, |entry| {
            self.schedule.finish(GameResult::from(&entry.record));
            let address = streams.address((&entry.record).into());
            keep(&address, &entry, &self.schedule)
        })
    }
}

/// The manifest of a folder with a new plan.
fn grown(dir: &Path, there: &Manifest, manifest: &Manifest) -> Result<Manifest, ResultsError> {
    let grown = there.with_plan(&manifest.plan);
    grown.map_err(|what| cannot_share(dir, &what))
}

/// The error for a folder whose plan cannot share games with the new one.
pub(super) fn cannot_share(dir: &Path, what: &PlanDifference) -> ResultsError {
    ResultsError::OtherPlan {
        dir: dir.to_owned(),
        what: what.describe([" there", " here"]),
    }
}

/// Describes a game of a file that is not in the plan.
pub(super) fn not_planned(GameId { pairing, pair, leg }: GameId) -> String {
    format!("a game that is not planned: pairing {pairing}, pair {pair}, leg {leg}")
}

/// A stored game with its place.
enum Located {
    Planned(FrameSpan),
    Earlier(usize),
    Unplanned,
}

/// Finds the place of a stored game in the plan. A game of the plan must always be legal.
fn located(places: &GamePlaces<'_>, game: StoredGame) -> Result<Located, String> {
    let setup = game.entry.record.setup();
    let setup = setup.ok_or_else(|| "its ring is not valid".to_owned())?;
    Ok(match places.find(&game.address, &setup)? {
        GamePlace::Planned(planned) => {
            play_through(&game.entry.record)
                .map_err(|what| format!("it is not a legal game: {what}"))?;
            Located::Planned(FrameSpan::new(game, planned))
        }
        GamePlace::Earlier(agent) => Located::Earlier(agent),
        GamePlace::Unplanned => Located::Unplanned,
    })
}

/// The manifest of a folder to which this program may add games.
pub(super) fn playable(dir: &Path) -> Result<Manifest, ResultsError> {
    let manifest = manifest_of(dir)?;
    if manifest.play != hex(PLAY) {
        return Err(ResultsError::OtherPlay {
            dir: dir.to_owned(),
            version: manifest.version,
            play: manifest.play,
        });
    }
    Ok(manifest)
}

/// The manifest of a folder with any version of play.
fn manifest_of(dir: &Path) -> Result<Manifest, ResultsError> {
    let manifest: Manifest = store::read_manifest(dir)?;
    if manifest.is_intact() {
        return Ok(manifest);
    }
    Err(ResultsError::Mixed {
        dir: dir.to_owned(),
        what: "the plan in manifest.json does not match the plan_hash beside it".to_owned(),
    })
}
