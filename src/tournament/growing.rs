//! A results folder whose plan grows while it is played: which games come next depends on results.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::Path;

use super::encounter::PlannedGame;
use super::identity::{GameAddress, Streams};
use super::manifest::Manifest;
use super::plan::Plan;
use super::results::{Results, ResultsError};
use super::runner::{RunError, run_listed};
use super::store::{self, Store, StoreError};
use crate::record::{Entry, Record};
use crate::search::Stop;

/// The result of a game from the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// Whether the first player won.
    pub first_won: bool,
    /// Points of the first player minus those of the second.
    pub margin: i32,
}

impl From<&Record> for SeatResult {
    fn from(record: &Record) -> Self {
        let [first, second] = record.scores.map(i32::from);
        Self {
            first_won: record.winner().index() == 0,
            margin: first - second,
        }
    }
}

/// A results folder to which agents and games are added as they are needed. It is open for writing, and
/// at any time it is an ordinary results folder.
#[derive(Debug)]
pub struct GrowingResults {
    store: Store,
    manifest: Manifest,
    known: HashMap<GameAddress, SeatResult>,
}

impl GrowingResults {
    /// Opens a folder with this manifest, or creates it. All games that are there are known, those of
    /// agents that are not in the plan included.
    ///
    /// # Errors
    /// As [`Results::open`].
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<Self, ResultsError> {
        let (store, results) = Results::open(dir, manifest)?;
        let (scanned, _) = store::read_games(dir, |game| {
            Ok((game.address, SeatResult::from(&game.entry.record)))
        })?;
        Ok(Self {
            store,
            manifest: results.manifest,
            known: scanned.games.into_iter().collect(),
        })
    }

    /// The result of a game, if it was played.
    #[must_use]
    pub fn result(&self, game: &GameAddress) -> Option<SeatResult> {
        self.known.get(game).copied()
    }

    /// The number of games in the folder.
    #[must_use]
    pub fn games(&self) -> usize {
        self.known.len()
    }

    /// Replaces the plan by a larger one.
    ///
    /// # Errors
    /// When no game can belong to both plans, or the manifest cannot be written.
    pub fn grow(&mut self, plan: &Plan) -> Result<(), ResultsError> {
        if self.manifest.plan == *plan {
            return Ok(());
        }
        let grown = self.manifest.with_plan(plan);
        let grown = grown.map_err(|what| ResultsError::OtherPlan {
            dir: self.store.dir().to_owned(),
            what: what.told([" there", " here"]),
        })?;
        self.store.write_manifest(&grown)?;
        self.manifest = grown;
        Ok(())
    }

    /// Plays games of a plan and stores each as soon as it is over. The plan may be a part of that of the
    /// folder: its agents must be in both. Games that are known or not of the plan are left out. When
    /// `stop` is set, games in progress are dropped.
    ///
    /// # Errors
    /// When an agent breaks the rules or a game cannot be stored.
    pub fn play(
        &mut self,
        plan: &Plan,
        games: &[GameAddress],
        threads: NonZeroUsize,
        stop: &Stop,
        mut watch: impl FnMut(&Entry),
    ) -> Result<(), RunError<StoreError>> {
        let streams = Streams::new(plan);
        let index = |id| streams.agents().iter().position(|agent| *agent == id);
        let missing: BTreeSet<&GameAddress> = games
            .iter()
            .filter(|game| !self.known.contains_key(game))
            .collect();
        let missing: Vec<PlannedGame> = missing
            .into_iter()
            .filter_map(|game| {
                let [first, second] = game.seats.map(|id| index(id).map(|at| at as u16));
                plan.game_of([first?, second?], game.pair)
            })
            .collect();
        run_listed(plan, &missing, threads, stop, |entry| {
            let (id, seats) = (entry.record.id, entry.record.agents);
            let address = streams.address(PlannedGame { id, seats });
            self.store.append(&address, &entry)?;
            self.known.insert(address, SeatResult::from(&entry.record));
            watch(&entry);
            Ok(())
        })
    }

    /// Waits until the games are on disk.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.store.sync()
    }
}
