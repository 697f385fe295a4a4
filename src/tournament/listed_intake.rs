//! Listed games of a plan that are played elsewhere and checked before they are stored.

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, VecDeque};

use patchwork_engine::record::{Entry, GameId};

use super::delivery::Delivery;
use super::encounter::PlannedGame;
use super::game_intake::{GameIntake, OfferError, Offered};
use super::game_player::KeepGame;
use super::identity::GameAddress;
use super::manifest::Manifest;
use super::record_check::RecordCheck;
use super::store::record_digest;

/// Listed games of a plan to be played elsewhere, and a function that stores them.
pub struct ListedIntake<'a, 'k> {
    manifest: &'a Manifest,
    records: RecordCheck<'a>,
    /// Pairs that have not been handed out; of some only one game is wanted.
    pairs: VecDeque<Vec<PlannedGame>>,
    /// The wanted games; a game that has arrived has the digest of its record.
    wanted: HashMap<GameId, Option<u64>>,
    missing: usize,
    keep: &'a mut KeepGame<'k>,
}

impl<'a, 'k> ListedIntake<'a, 'k> {
    /// Takes in these games of the manifest's plan. Pairs are handed out in the order of their first games.
    pub fn new(manifest: &'a Manifest, games: &[PlannedGame], keep: &'a mut KeepGame<'k>) -> Self {
        let mut pairs: VecDeque<Vec<PlannedGame>> = VecDeque::new();
        let mut places = HashMap::new();
        let mut wanted = HashMap::new();
        for &game in games {
            if wanted.insert(game.id, None).is_some() {
                continue;
            }
            let place = places.entry((game.id.pairing, game.id.pair));
            match place {
                Slot::Occupied(place) => pairs[*place.get()].push(game),
                Slot::Vacant(place) => {
                    place.insert(pairs.len());
                    pairs.push_back(vec![game]);
                }
            }
        }
        for pair in &mut pairs {
            pair.sort_by_key(|game| game.id);
        }
        Self {
            manifest,
            records: RecordCheck::new(&manifest.plan),
            pairs,
            missing: wanted.len(),
            wanted,
            keep,
        }
    }
}

impl GameIntake for ListedIntake<'_, '_> {
    fn manifest(&self) -> &Manifest {
        self.manifest
    }

    fn is_over(&self) -> bool {
        self.missing == 0
    }

    fn next_pair(&mut self) -> Option<Vec<PlannedGame>> {
        loop {
            let mut pair = self.pairs.pop_front()?;
            pair.retain(|game| self.is_wanted(game.id));
            if !pair.is_empty() {
                return Some(pair);
            }
        }
    }

    fn is_wanted(&self, id: GameId) -> bool {
        self.wanted.get(&id).is_some_and(Option::is_none)
    }

    fn offer(
        &mut self,
        address: &GameAddress,
        mut entry: Entry,
        by: &Delivery,
    ) -> Result<Offered, OfferError> {
        let placed = self.records.place(address, &mut entry);
        let id = placed.map_err(OfferError::Wrong)?;
        let Some(known) = self.wanted.get_mut(&id) else {
            return Ok(Offered::NotNeeded);
        };
        let digest = record_digest(&entry.record);
        if let Some(known) = *known {
            return Ok(Offered::again(known, digest));
        }
        self.records.check(&entry).map_err(OfferError::Wrong)?;
        (self.keep)(entry.clone(), Some(by))?;
        *known = Some(digest);
        self.missing -= 1;
        Ok(Offered::Counted(vec![entry]))
    }
}
