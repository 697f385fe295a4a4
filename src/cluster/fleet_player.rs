//! Playing on a fleet in place of threads.

use std::collections::BTreeMap;

use patchwork_engine::search::Stop;

use super::collector::{CollectError, CollectEvent, Collected, Collector};
use super::link::CollectorLink;
use crate::tournament::store::StoreError;
use crate::tournament::{GamePlayer, Results, RunError, WatchGame};

/// Plays the games of one plan after another on a fleet.
pub struct FleetPlayer<'c, 'a, L: CollectorLink, W> {
    collector: &'c mut Collector<'a, L>,
    notes: W,
}

/// The error for pairs that were given up, so that the games are incomplete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the fleet has given up {}", given_up_text(.0))]
pub struct PairsGivenUp(pub BTreeMap<String, String>);

/// Names the first pair and its problem.
fn given_up_text(pairs: &BTreeMap<String, String>) -> String {
    let Some((pair, why)) = pairs.first_key_value() else {
        return "no pair".to_owned();
    };
    match pairs.len() - 1 {
        0 => format!("the pair {pair}: {why}"),
        1 => format!("the pair {pair} ({why}) and another one"),
        more => format!("the pair {pair} ({why}) and {more} others"),
    }
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
        match collected {
            Ok(Collected { quarantined, .. }) if quarantined.is_empty() => Ok(()),
            Ok(Collected { quarantined, .. }) => {
                Err(RunError::Elsewhere(PairsGivenUp(quarantined).into()))
            }
            Err(CollectError::Store(error)) => Err(RunError::Collect(error)),
            Err(error) => Err(RunError::Elsewhere(error.into())),
        }
    }
}
