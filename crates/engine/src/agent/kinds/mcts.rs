//! Monte Carlo tree search: an expansion strategy that ranks placements well, and cheap rollouts.

mod known_margins;
mod model;
mod player;
mod search;
mod settings;

use std::num::NonZeroU32;

pub use model::{PatchworkModel, Position, Step};
pub use search::PatchworkSearch;
pub use settings::{
    MOST_THREADS, MctsExpansion, MctsSearch, MctsSettings, Over, Prior, RaveSettings, Steps,
};

use self::player::MctsAgent;
use crate::agent::estimate_source::EstimateSource;
use crate::agent::kind::Kind;
use crate::agent::player::Agent;
use crate::agent::unable_agent;
use crate::search::Budget;

impl Kind for MctsSettings {
    fn check(&self) -> Result<(), String> {
        self.check()
    }

    fn build(&self) -> Box<dyn Agent> {
        unable_agent::unless(self.estimate.estimator(), |estimator| {
            Box::new(MctsAgent::new(*self, estimator))
        })
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn estimate(&mut self) -> Option<&mut EstimateSource> {
        Some(&mut self.estimate)
    }

    fn set_threads(&mut self, threads: NonZeroU32) {
        self.threads = Some(threads);
    }

    fn effective(self) -> Self {
        self.effective()
    }
}
