//! Playing on a fleet in place of threads.

use std::collections::BTreeMap;

use patchwork_engine::search::Stop;

use super::collector::{CollectError, CollectEvent, Collected, Collector};
use super::link::CollectorLink;
use crate::tournament::store::StoreError;
use crate::tournament::{
    GamePlayer, KeepGame, ListedIntake, Manifest, Plan, PlannedGame, RunError,
};

/// Plays the games of one plan after another on a fleet.
pub struct FleetPlayer<'c, 'a, L: CollectorLink, W> {
    collector: &'c mut Collector<'a, L>,
    /// The name under which workers know the plans.
    name: String,
    watch: W,
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
    /// A player that uses the fleet of this collector.
    pub fn new(collector: &'c mut Collector<'a, L>, name: &str, watch: W) -> Self {
        Self {
            collector,
            name: name.to_owned(),
            watch,
        }
    }
}

impl<L: CollectorLink, W: FnMut(CollectEvent<'_>)> GamePlayer for FleetPlayer<'_, '_, L, W> {
    fn play(
        &mut self,
        plan: &Plan,
        games: &[PlannedGame],
        stop: &Stop,
        keep: &mut KeepGame<'_>,
    ) -> Result<(), RunError<StoreError>> {
        let manifest = Manifest::new(self.name.clone(), plan.clone());
        let mut intake = ListedIntake::new(&manifest, games, keep);
        let watch = &mut self.watch;
        let collected = self
            .collector
            .collect(&mut intake, stop, |event, _| watch(event));
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
