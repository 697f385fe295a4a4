//! Playing on a fleet in place of threads.

use std::collections::BTreeMap;

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::collector::{CollectEvent, Collector};
use super::link::CollectorLink;
use crate::tournament::ledger::StoreError;
use crate::tournament::{GamePlayer, Results, RunError, WatchGame};

/// Plays the games of one plan after another on a fleet.
pub struct FleetPlayer<'c, 'a, L: CollectorLink, W> {
    collector: &'c mut Collector<'a, L>,
    notes: W,
}

/// The error for pairs that were given up, so that the games are incomplete: names the first one and its problem.
#[must_use]
pub fn pairs_given_up(pairs: &BTreeMap<String, String>) -> InputError {
    let text = match (pairs.first_key_value(), pairs.len()) {
        (None, _) => "no pair".to_owned(),
        (Some((pair, why)), 1) => format!("the pair {pair}: {why}"),
        (Some((pair, why)), 2) => format!("the pair {pair} ({why}) and another one"),
        (Some((pair, why)), all) => format!("the pair {pair} ({why}) and {} others", all - 1),
    };
    InputError::new(format!("the fleet has given up {text}"))
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
    ) -> Result<(), RunError<StoreError>> {
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
            false => Err(RunError::elsewhere(pairs_given_up(&given_up))),
        }
    }
}
