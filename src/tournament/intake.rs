//! Adds games that were played elsewhere to a tournament's folder, after checking them.

use std::collections::HashMap;
use std::path::Path;

use super::encounter::{GameResult, PlannedGame};
use super::identity::{GameAddress, Streams};
use super::manifest::{GamePlaces, Manifest};
use super::replay::play_through;
use super::results::{Results, ResultsError};
use super::schedule::{Next, Schedule};
use super::store::{Archive, Store, StoreError, record_digest};
use crate::record::{Entry, GameId};

/// A tournament's folder, open for games from elsewhere, and what is still missing.
pub struct Intake<'a> {
    manifest: &'a Manifest,
    places: GamePlaces<'a>,
    streams: Streams,
    store: Store,
    schedule: Schedule,
    games: Archive,
    /// The digest of each known game's record, whether it counts already or not.
    known: HashMap<GameId, u64>,
    /// Known games that do not count yet.
    waiting: HashMap<GameId, Entry>,
    /// A game that was handed out by the schedule and is not part of a pair yet.
    next: Option<PlannedGame>,
}

/// What became of a game that was offered.
#[derive(Clone, Debug, PartialEq)]
pub enum Offered {
    /// These games newly count and are stored: usually the game itself.
    Counted(Vec<Entry>),
    /// The game does not count before others do.
    Waits,
    /// The game is known, with the same record.
    Double,
    /// The game is known, with another record, which stays.
    Different,
    /// The plan no longer needs the game.
    NotNeeded,
}

/// Why a game was not taken.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// The game is not one of the plan, or breaks the rules.
    #[error("{0}")]
    Wrong(String),
    /// The game cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
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
            streams: Streams::new(&manifest.plan),
            manifest,
            places,
            store,
            schedule: results.schedule,
            games: results.games,
            known: known.into_iter().flatten().collect(),
            waiting: HashMap::new(),
            next: None,
        })
    }

    /// The manifest of the tournament.
    #[must_use]
    pub const fn manifest(&self) -> &'a Manifest {
        self.manifest
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

    /// The missing games of the next pair; `None` if all were handed out that are known so far.
    pub fn next_pair(&mut self) -> Option<Vec<PlannedGame>> {
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

    fn next_game(&mut self) -> Option<PlannedGame> {
        // A game may have come before it was handed out.
        while let Next::Game(game) = self.schedule.next_game() {
            if self.is_wanted(game.id) {
                return Some(game);
            }
        }
        None
    }

    /// Whether a game that was handed out is still missing.
    #[must_use]
    pub fn is_wanted(&self, id: GameId) -> bool {
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

    /// Checks a game, and stores it if it is new and counts.
    ///
    /// # Errors
    /// When it is not a game of the plan, breaks the rules, or cannot be stored.
    pub fn offer(
        &mut self,
        address: &GameAddress,
        mut entry: Entry,
    ) -> Result<Offered, OfferError> {
        let wrong = |what: &str| OfferError::Wrong(what.to_owned());
        let plan = &self.manifest.plan;
        let planned = (address.seed == plan.seed()).then(|| self.places.planned(address));
        let planned = planned
            .flatten()
            .ok_or_else(|| wrong("the plan has no such game"))?;
        let PlannedGame { id, seats } = planned;
        let named = |what: String| OfferError::Wrong(format!("{}: {what}", plan.game_name(id)));
        entry.record.id = id;
        entry.record.agents = seats;
        let digest = record_digest(&entry.record);
        if let Some(&known) = self.known.get(&id) {
            return Ok(if known == digest {
                Offered::Double
            } else {
                Offered::Different
            });
        }
        if entry.record.setup() != Some(self.streams.setup(planned)) {
            return Err(named("its setup is not that of its pair".to_owned()));
        }
        if entry.nanos.len() != entry.record.plies.len() {
            return Err(named("it does not have a time for each ply".to_owned()));
        }
        play_through(&entry.record).map_err(|what| named(format!("not a legal game: {what}")))?;
        let counted = self.schedule.finish(GameResult::from(&entry.record));
        let is_waiting = self.schedule.is_waiting(id);
        if counted.is_empty() && !is_waiting {
            return Ok(Offered::NotNeeded);
        }
        self.known.insert(id, digest);
        self.waiting.insert(id, entry);
        let mut stored = Vec::with_capacity(counted.len());
        for id in &counted {
            if let Some(entry) = self.waiting.remove(id) {
                let address = self.streams.address((&entry.record).into());
                self.store.append(&address, &entry)?;
                stored.push(entry);
            }
        }
        if is_waiting {
            return Ok(Offered::Waits);
        }
        Ok(Offered::Counted(stored))
    }

    /// Appends lines to a file beside the games.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append_text(&self, file: &str, text: &str) -> Result<(), StoreError> {
        self.store.append_text(file, text)
    }

    /// Waits until the games are on disk and releases the folder.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn finish(self) -> Result<(), StoreError> {
        self.store.finish()
    }
}
