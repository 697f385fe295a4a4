//! Playing on a fleet in place of threads.

use patchwork_engine::search::Stop;

use super::collector::{CollectEvent, Collector};
use super::link::CollectorLink;
use patchwork_tournament::{GamePlayer, Results, RunError, WatchGame, pairs_given_up};

/// Plays the games of one plan after another on a fleet.
pub struct FleetPlayer<'c, 'a, L: CollectorLink, W> {
    collector: &'c mut Collector<'a, L>,
    notes: W,
}

impl<'c, 'a, L: CollectorLink, W: FnMut(CollectEvent<'_>)> FleetPlayer<'c, 'a, L, W> {
    /// A player that uses the fleet of this collector and passes what it says to `notes`.
    pub const fn new(collector: &'c mut Collector<'a, L>, notes: W) -> Self {
        Self { collector, notes }
    }
}

impl<L: CollectorLink, W: FnMut(CollectEvent<'_>)> GamePlayer for FleetPlayer<'_, '_, L, W> {
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), RunError> {
        let notes = &mut self.notes;
        let collected = self
            .collector
            .collect(results, stop, |event, results| match event {
                CollectEvent::Game(entry) => watch(entry, results),
                event => notes(event),
            });
        let given_up = collected?.quarantined;
        match given_up.is_empty() {
            true => Ok(()),
            false => Err(pairs_given_up(&given_up).into()),
        }
    }
}
