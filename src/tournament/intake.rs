//! Adds games that were played elsewhere to a tournament's folder, after checking them.

use std::collections::HashMap;
use std::path::Path;

use patchwork_engine::record::{Entry, GameId};

use super::delivery::Delivery;
use super::encounter::{GameResult, PlannedGame};
use super::game_intake::{GameIntake, OfferError, Offered};
use super::identity::GameAddress;
use super::manifest::{GamePlaces, Manifest};
use super::record_check::RecordCheck;
use super::results::{Results, ResultsError};
use super::schedule::{Next, Schedule};
use super::store::{Archive, Store, StoreError, record_digest};

/// A tournament's folder, open for games from elsewhere, with the progress of its plan.
pub struct Intake<'a> {
    manifest: &'a Manifest,
    records: RecordCheck<'a>,
    store: Store,
    schedule: Schedule,
    games: Archive,
    /// The digest of each known game's record, whether or not it counts yet.
    known: HashMap<GameId, u64>,
    /// Known games that do not count yet.
    waiting: HashMap<GameId, (Entry, Delivery)>,
    /// A game that the schedule handed out and that is not part of a pair yet.
    next: Option<PlannedGame>,
}

impl<'a> Intake<'a> {
    /// Opens the folder of a tournament, or creates it.
    ///
    /// # Errors
    /// As [`Results::open`].
    pub fn open(dir: &Path, manifest: &'a Manifest) -> Result<Self, ResultsError> {
        let places = GamePlaces::new(manifest);
        let (store, results, known) = Results::open_each(dir, manifest, |game| {
            let planned = places.planned(&game.address)?;
            Some((planned.id, record_digest(&game.entry.record)))
        })?;
        Ok(Self {
            records: RecordCheck::new(&manifest.plan),
            manifest,
            store,
            schedule: results.schedule,
            games: results.games,
            known: known.into_iter().flatten().collect(),
            waiting: HashMap::new(),
            next: None,
        })
    }

    /// The progress of the plan.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The games that were there when the folder was opened.
    #[must_use]
    pub const fn games(&self) -> &Archive {
        &self.games
    }

    fn next_game(&mut self) -> Option<PlannedGame> {
        // A game may have arrived before it was handed out.
        while let Next::Game(game) = self.schedule.next_game() {
            if self.is_wanted(game.id) {
                return Some(game);
            }
        }
        None
    }

    /// Waits until the games are on disk and releases the folder.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn finish(self) -> Result<(), StoreError> {
        self.store.finish()
    }
}

impl GameIntake for Intake<'_> {
    fn manifest(&self) -> &Manifest {
        self.manifest
    }

    fn next_pair(&mut self) -> Option<Vec<PlannedGame>> {
        let next = self.next.take().filter(|game| self.is_wanted(game.id));
        let first = next.or_else(|| self.next_game())?;
        let mut games = vec![first];
        while let Some(game) = self.next_game() {
            if (game.id.pairing, game.id.pair) != (first.id.pairing, first.id.pair) {
                self.next = Some(game);
                break;
            }
            games.push(game);
        }
        Some(games)
    }

    fn is_wanted(&self, id: GameId) -> bool {
        if self.known.contains_key(&id) || self.schedule.is_over() {
            return false;
        }
        // A test may have ended the encounter.
        let rounds = self.schedule.rounds();
        let mut encounters = rounds
            .last()
            .into_iter()
            .flat_map(|round| &round.encounters);
        self.manifest.plan.test().is_none() || encounters.any(|of| of.place(id).is_some())
    }

    fn is_over(&self) -> bool {
        self.schedule.is_over()
    }

    fn offer(
        &mut self,
        address: &GameAddress,
        mut entry: Entry,
        by: &Delivery,
    ) -> Result<Offered, OfferError> {
        let placed = self.records.place(address, &mut entry);
        let id = placed.map_err(OfferError::Wrong)?;
        let digest = record_digest(&entry.record);
        if let Some(&known) = self.known.get(&id) {
            return Ok(Offered::again(known, digest));
        }
        self.records.check(&entry).map_err(OfferError::Wrong)?;
        let counted = self.schedule.finish(GameResult::from(&entry.record));
        let is_waiting = self.schedule.is_waiting(id);
        if counted.is_empty() && !is_waiting {
            return Ok(Offered::NotNeeded);
        }
        self.known.insert(id, digest);
        self.waiting.insert(id, (entry, by.clone()));
        let mut stored = Vec::with_capacity(counted.len());
        for id in &counted {
            if let Some((entry, by)) = self.waiting.remove(id) {
                let address = self.records.address(&entry);
                self.store.append(&address, &entry)?;
                // The numbers of games change when the plan grows.
                by.append(&self.store, &self.manifest.plan.game_name(*id))?;
                stored.push(entry);
            }
        }
        if is_waiting {
            return Ok(Offered::Waits);
        }
        Ok(Offered::Counted(stored))
    }
}
