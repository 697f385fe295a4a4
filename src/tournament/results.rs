//! The results of a tournament, in a folder or in memory, checked against its plan.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::encounter::GameResult;
use super::plan::Plan;
use super::rings::PlannedRings;
use super::runner::{self, RunError};
use super::schedule::Schedule;
use super::store::{self, Archive, Saved, Store, StoreError};
use crate::record::{Entry, Record};
use crate::search::Stop;

/// The version of this program, stored with results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The contents of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the tournament.
    pub name: String,
    /// Version of the program that started the tournament.
    pub version: String,
    /// [`Plan::hash`] in 16 hexadecimal digits.
    pub plan_hash: String,
    /// The plan of the games.
    pub plan: Plan,
}

impl Manifest {
    /// The manifest of a tournament started by this program.
    #[must_use]
    pub fn new(name: String, plan: Plan) -> Self {
        Self {
            name,
            version: VERSION.to_owned(),
            plan_hash: format!("{:016x}", plan.hash()),
            plan,
        }
    }
}

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
    /// The folder was started by another version of the program.
    #[error(
        "{} was begun by version {begun} and this is {VERSION}, whose games may differ: \
         rename this tournament, move the folder away, or continue with version {begun}",
        dir.display()
    )]
    OtherVersion {
        /// The folder.
        dir: PathBuf,
        /// The version that started it.
        begun: String,
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
    /// The finished games, sorted by identity.
    pub games: Archive,
    /// Number of bytes of an unfinished frame that were cut off or skipped.
    pub torn: u64,
}

impl Results {
    /// Reads a folder without changing it.
    ///
    /// # Errors
    /// When there are no results in the folder or they are damaged.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        Self::checked(dir, store::read(dir)?)
    }

    /// Opens the folder of a tournament for writing, or creates it.
    ///
    /// # Errors
    /// When the folder belongs to another plan or version, is damaged or in use, or cannot be
    /// written. In that case nothing is changed.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<(Store, Self), ResultsError> {
        if !store::exists(dir)? {
            let store = Store::create(dir, manifest)?;
            return Ok((store, Self::none(manifest.clone())));
        }
        // Compare before opening the folder, because opening cuts off an unfinished frame.
        let there: Manifest = store::read_manifest(dir)?;
        if there.plan != manifest.plan {
            return Err(ResultsError::OtherPlan {
                dir: dir.to_owned(),
                what: difference(&there.plan, &manifest.plan),
            });
        }
        if there.version != manifest.version {
            return Err(ResultsError::OtherVersion {
                dir: dir.to_owned(),
                begun: there.version,
            });
        }
        let (store, saved) = Store::open(dir)?;
        let results = Self::checked(dir, saved)?;
        Ok((store, results))
    }

    /// Results without any games yet.
    #[must_use]
    pub fn none(manifest: Manifest) -> Self {
        Self {
            schedule: Schedule::new(&manifest.plan),
            manifest,
            games: Archive::default(),
            torn: 0,
        }
    }

    /// Results whose games are not stored in a folder.
    ///
    /// # Errors
    /// A description of the mismatch, if the games are not those of the plan.
    pub fn new(manifest: Manifest, mut games: Archive) -> Result<Self, String> {
        let plan = &manifest.plan;
        games.sort();
        let mut last = None;
        for ((id, seats), timed) in games.ids().zip(games.seats()).zip(games.timed()) {
            let number = plan.number(id);
            let planned = plan.game(number);
            if planned.is_none_or(|game| game.id != id || game.seats != seats) {
                return Err(format!("a game {id:?} that is not planned"));
            }
            if last.replace(id) == Some(id) {
                return Err(format!("game {number} twice"));
            }
            if !timed {
                return Err(format!("game {number} without a time for each ply"));
            }
        }
        let schedule = Schedule::resume(plan, games.results()).map_err(|id| {
            let number = plan.number(id);
            format!("game {number}, which the games before it do not lead to")
        })?;
        Ok(Self {
            manifest,
            schedule,
            games,
            torn: 0,
        })
    }

    /// The record of a game, by a name that [`Plan::find`] accepts.
    ///
    /// # Errors
    /// When the plan has no such game, or it has not been played.
    pub fn find_game(&self, name: &str) -> Result<Record, FindError> {
        let plan = &self.manifest.plan;
        let game = plan.find(name).ok_or_else(|| FindError::Unknown {
            name: name.to_owned(),
            last: plan.numbers() - 1,
            pairing: plan.pairing_name(plan.pairings()[0]),
        })?;
        match self.games.find(game.id) {
            Some(entry) => Ok(entry.record),
            None => Err(FindError::NotPlayed(plan.number(game.id))),
        }
    }

    /// Plays the missing games and passes each to `keep`, with the schedule after it. The schedule
    /// of these results is updated; the list of games is not.
    ///
    /// # Errors
    /// As [`run`](runner::run).
    pub fn play<E: Send>(
        &mut self,
        threads: NonZeroUsize,
        stop: &Stop,
        mut keep: impl FnMut(&Entry, &Schedule) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        // The workers have their own schedule, which is ahead of the games kept so far.
        runner::run(self.schedule.clone(), threads, stop, |entry| {
            self.schedule.finish(GameResult::from(&entry.record));
            keep(&entry, &self.schedule)
        })
    }

    fn checked(dir: &Path, saved: Saved<Manifest>) -> Result<Self, ResultsError> {
        let mixed = |what: String| ResultsError::Mixed {
            dir: dir.to_owned(),
            what,
        };
        let plan = &saved.manifest.plan;
        if format!("{:016x}", plan.hash()) != saved.manifest.plan_hash {
            let what = "the plan in manifest.json does not have the plan_hash beside it";
            return Err(mixed(what.to_owned()));
        }
        let results = Self::new(saved.manifest, saved.games)
            .map_err(|what| mixed(format!("games.bin holds {what}")))?;
        Ok(Self {
            torn: saved.torn,
            ..results
        })
    }
}

/// The first difference between two plans.
fn difference(there: &Plan, here: &Plan) -> String {
    let settings = settings(there).into_iter().zip(settings(here));
    for ((key, there), (_, here)) in settings {
        if there != here {
            return format!("{key}: {there} there, {here} here");
        }
    }
    let mut agents = there.agents().iter().zip(here.agents());
    if there.rings() != here.rings() {
        "the rings of the book differ".to_owned()
    } else if there.test() != here.test() {
        "sprt differs".to_owned()
    } else if let Some((agent, _)) = agents.find(|(a, b)| a != b) {
        format!("the settings of the agent {} differ", agent.name)
    } else {
        "they differ".to_owned()
    }
}

/// The settings of a plan, for display; the keys after the format depend only on the format.
fn settings(plan: &Plan) -> Vec<(String, String)> {
    let rings = match plan.rings() {
        PlannedRings::Own => "each pairing's own".to_owned(),
        PlannedRings::Common => "common to all pairings".to_owned(),
        PlannedRings::Book(book) => format!("a book of {}", book.rings().len()),
    };
    let format = plan.format();
    let settings = [
        ("seed", plan.seed().to_string()),
        ("track", plan.track().to_string()),
        ("format", format.name().to_owned()),
        ("pairs", plan.pairs().to_string()),
        ("rings", rings),
        ("agents", plan.names().join(", ")),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value));
    settings.into_iter().chain(format.settings()).collect()
}
