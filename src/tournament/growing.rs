//! A results folder whose plan grows while it is played: which games come next depends on results.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::path::Path;

use super::encounter::{GameResult, PlannedGame, SeatResult};
use super::identity::{GameAddress, Streams};
use super::manifest::{GamePlaces, Manifest};
use super::plan::Plan;
use super::results::{Results, ResultsError, cannot_share};
use super::runner::{RunError, run_listed};
use super::store::{Store, StoreError};
use crate::record::Entry;
use crate::search::Stop;

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
        let (store, results, known) = Results::open_each(dir, manifest, |game| {
            (game.address, GameResult::from(&game.entry.record).by_seat())
        })?;
        Ok(Self {
            store,
            manifest: results.manifest,
            known: known.into_iter().collect(),
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
        let grown = grown.map_err(|what| cannot_share(self.store.dir(), &what))?;
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
        let places = GamePlaces::of_plan(plan, &[]);
        let missing: BTreeSet<&GameAddress> = games
            .iter()
            .filter(|game| !self.known.contains_key(game))
            .collect();
        let missing: Vec<PlannedGame> = missing
            .into_iter()
            .filter_map(|game| places.planned(game))
            .collect();
        run_listed(plan, &missing, threads, stop, |entry| {
            let address = streams.address((&entry.record).into());
            self.store.append(&address, &entry)?;
            let result = GameResult::from(&entry.record);
            self.known.insert(address, result.by_seat());
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
