//! Checks games that were played elsewhere.

use patchwork_engine::record::{Entry, GameId, play_through};

use super::encounter::PlannedGame;
use super::identity::{GameAddress, Streams};
use super::manifest::GamePlaces;
use super::plan::Plan;

/// Checks games from elsewhere against a plan and the rules.
pub(super) struct RecordCheck<'a> {
    plan: &'a Plan,
    places: GamePlaces<'a>,
    streams: Streams,
}

impl<'a> RecordCheck<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            places: GamePlaces::of_plan(plan, &[]),
            streams: Streams::new(plan),
        }
    }

    /// Finds a game in the plan and gives its record the identity that it has there.
    ///
    /// # Errors
    /// When the game is not in the plan.
    pub(super) fn place(&self, address: &GameAddress, entry: &mut Entry) -> Result<GameId, String> {
        let planned = (address.seed == self.plan.seed()).then(|| self.places.planned(address));
        let planned = planned.flatten();
        let PlannedGame { id, seats } = planned.ok_or("the plan has no such game")?;
        entry.record.id = id;
        entry.record.agents = seats;
        Ok(id)
    }

    /// Checks a placed game: its setup, its moves and its result.
    ///
    /// # Errors
    /// A sentence that names the game.
    pub(super) fn check(&self, entry: &Entry) -> Result<(), String> {
        let record = &entry.record;
        let named = |what: String| format!("{}: {what}", self.plan.game_name(record.id));
        if record.setup() != Some(self.streams.setup(record.into())) {
            return Err(named("its setup is not that of its pair".to_owned()));
        }
        if entry.nanos.len() != record.plies.len() {
            return Err(named("it does not have a time for each ply".to_owned()));
        }
        play_through(record).map_err(|what| named(format!("not a legal game: {what}")))?;
        Ok(())
    }

    /// The address of a placed game.
    pub(super) fn address(&self, entry: &Entry) -> GameAddress {
        self.streams.address((&entry.record).into())
    }
}
