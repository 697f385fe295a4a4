//! Results folders and the plans they belong to.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::{Plan, PlannedGame};
use super::store::{self, Archive, Saved, Store, StoreError};
use crate::record::GameId;

/// The version of this program, which results carry.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `manifest.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the tournament.
    pub name: String,
    /// Version of the program that began it.
    pub version: String,
    /// [`Plan::hash`] in 16 hexadecimal digits.
    pub plan_hash: String,
    /// The games.
    pub plan: Plan,
}

impl Manifest {
    /// The manifest of a tournament begun by this program.
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

/// What is wrong with a results folder.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The folder or a file in it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder belongs to other games.
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
    /// The folder was begun by another version of the program.
    #[error(
        "{} was begun by version {begun} and this is {VERSION}, whose games may differ: \
         rename this tournament, move the folder away, or go on with version {begun}",
        dir.display()
    )]
    OtherVersion {
        /// The folder.
        dir: PathBuf,
        /// The version that began it.
        begun: String,
    },
    /// The games are not those of the manifest.
    #[error("{}: {what}: the folder's files do not belong together", dir.display())]
    Mixed {
        /// The folder.
        dir: PathBuf,
        /// What does not fit.
        what: String,
    },
}

/// What a results folder holds, checked against its plan.
#[derive(Clone, Debug)]
pub struct Results {
    /// What is played.
    pub manifest: Manifest,
    /// The finished games, sorted by identity.
    pub games: Archive,
    /// Bytes of an unfinished frame that was cut off or passed over.
    pub torn: u64,
}

impl Results {
    /// Reads a folder and changes nothing.
    ///
    /// # Errors
    /// When there are no results in the folder or they are damaged.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        Self::checked(dir, store::read(dir)?)
    }

    /// The games of the plan that are missing, in the order in which they are played.
    pub fn missing(&self) -> impl Iterator<Item = PlannedGame> + Send + use<> {
        let done: HashSet<GameId> = self.games.ids().collect();
        let games = self.manifest.plan.games();
        games.filter(move |game| !done.contains(&game.id))
    }

    fn checked(dir: &Path, saved: Saved<Manifest>) -> Result<Self, ResultsError> {
        let mixed = |what: String| ResultsError::Mixed {
            dir: dir.to_owned(),
            what,
        };
        let plan = &saved.manifest.plan;
        if format!("{:016x}", plan.hash()) != saved.manifest.plan_hash {
            return Err(mixed(
                "the plan in manifest.json does not have the plan_hash beside it".into(),
            ));
        }
        let mut games = saved.games;
        games.sort();
        let mut last = None;
        for ((id, seats), timed) in games.ids().zip(games.seats()).zip(games.timed()) {
            let number = plan.number(id);
            let planned = plan.game(number);
            if planned.is_none_or(|game| game.id != id || game.seats != seats) {
                return Err(mixed(format!(
                    "games.bin holds a game {id:?} that is not planned"
                )));
            }
            if last.replace(id) == Some(id) {
                return Err(mixed(format!("games.bin holds game {number} twice")));
            }
            if !timed {
                return Err(mixed(format!(
                    "games.bin has not one time for each ply of game {number}"
                )));
            }
        }
        Ok(Self {
            manifest: saved.manifest,
            games,
            torn: saved.torn,
        })
    }
}

/// Opens the folder of a tournament for writing, or makes it.
///
/// # Errors
/// When the folder belongs to another plan or version, is damaged or in use, or cannot be written.
/// Nothing is changed then.
pub fn open(dir: &Path, manifest: &Manifest) -> Result<(Store, Results), ResultsError> {
    if !store::exists(dir)? {
        let store = Store::create(dir, manifest)?;
        let results = Results {
            manifest: manifest.clone(),
            games: Archive::default(),
            torn: 0,
        };
        return Ok((store, results));
    }
    // Compared before the folder is opened, because opening cuts off an unfinished frame.
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
    let results = Results::checked(dir, saved)?;
    Ok((store, results))
}

/// The first thing in which two plans differ.
fn difference(there: &Plan, here: &Plan) -> String {
    let json = |plan: &Plan| serde_json::to_value(plan).unwrap_or_default();
    let (there_json, here_json) = (json(there), json(here));
    for key in ["seed", "track", "format", "pairs"] {
        if there_json[key] != here_json[key] {
            return format!(
                "{key} is {} there and {} here",
                there_json[key], here_json[key]
            );
        }
    }
    if there.names() != here.names() {
        return format!(
            "the agents are {} there and {} here",
            there.names().join(", "),
            here.names().join(", ")
        );
    }
    let changed = there
        .agents()
        .iter()
        .zip(here.agents())
        .find(|(a, b)| a != b);
    changed.map_or_else(
        || "they differ".to_owned(),
        |(agent, _)| format!("the settings of the agent {} differ", agent.name),
    )
}
