//! A results folder whose plan grows while it is played, because the next games depend on results.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;

use super::encounter::{GameResult, PlannedGame, SeatResult};
use super::game_player::GamePlayer;
use super::identity::{GameAddress, Streams};
use super::manifest::{GamePlaces, Manifest};
use super::plan::Plan;
use super::results::{Results, ResultsError, cannot_share};
use super::runner::RunError;
use super::store::{Store, StoreError};

/// A results folder to which agents and games are added as needed. It is open for writing, and at any time it
/// is an ordinary results folder.
#[derive(Debug)]
pub struct GrowingResults {
    store: Store,
    manifest: Manifest,
    known: HashMap<GameAddress, KnownGame>,
}

/// What is remembered of a game.
#[derive(Clone, Copy, Debug)]
struct KnownGame {
    result: SeatResult,
    thinking: [Duration; 2],
}

impl KnownGame {
    fn new(entry: &Entry) -> Self {
        Self {
            result: GameResult::from(&entry.record).by_seat(),
            thinking: entry.thinking(),
        }
    }
}

impl GrowingResults {
    /// Opens a folder with this manifest, or creates it. All games in the folder are known, including those
    /// of agents that are not in the plan.
    ///
    /// # Errors
    /// As [`Results::open`].
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<Self, ResultsError> {
        let (store, results, known) = Results::open_each(dir, manifest, |game| {
            (game.address, KnownGame::new(&game.entry))
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
        self.known.get(game).map(|known| known.result)
    }

    /// The thinking times in a game by seat, if it was played.
    #[must_use]
    pub fn thinking(&self, game: &GameAddress) -> Option<[Duration; 2]> {
        self.known.get(game).map(|known| known.thinking)
    }

    /// Number of games in the folder.
    #[must_use]
    pub fn games(&self) -> usize {
        self.known.len()
    }

    /// Replaces the plan with a larger one.
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

    /// Has `player` play games of a plan in this order and stores each as soon as it is over. The plan may be
    /// a part of the folder's plan: its agents must be in both. Games that are known or not in the plan are
    /// left out. When `stop` is set, games in progress are dropped.
    ///
    /// # Errors
    /// When a game cannot be played or stored.
    pub fn play(
        &mut self,
        plan: &Plan,
        games: &[GameAddress],
        player: &mut dyn GamePlayer,
        stop: &Stop,
        mut watch: impl FnMut(&Entry),
    ) -> Result<(), RunError<StoreError>> {
        let streams = Streams::new(plan);
        let places = GamePlaces::of_plan(plan, &[]);
        let mut seen = HashSet::new();
        let missing = games
            .iter()
            .filter(|game| !self.known.contains_key(game) && seen.insert(*game));
        let missing: Vec<PlannedGame> = missing.filter_map(|game| places.planned(game)).collect();
        player.play(plan, &missing, stop, &mut |entry, by| {
            let address = streams.address((&entry.record).into());
            self.store.append(&address, &entry)?;
            if let Some(by) = by {
                // The numbers of games change when the plan grows.
                by.append(&self.store, &plan.game_name(entry.record.id))?;
            }
            self.known.insert(address, KnownGame::new(&entry));
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
