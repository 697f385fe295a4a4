//! Monte Carlo tree search: an expansion strategy that ranks placements well, and cheap rollouts.

mod model;
mod player;
mod search;
mod settings;

use std::num::NonZeroU32;
use std::path::Path;

pub use model::{PatchworkModel, Position, Step};
pub use search::PatchworkSearch;
pub use settings::{
    MOST_THREADS, MctsExpansion, MctsSearch, MctsSettings, Over, Prior, RaveConfig, Steps,
};

use self::player::MctsAgent;
use crate::agent::kind::Kind;
use crate::agent::player::Agent;
use crate::agent::unable::UnableAgent;
use crate::search::Budget;

impl Kind for MctsSettings {
    fn check(&self) -> Result<(), String> {
        self.check()
    }

    fn build(&self) -> Box<dyn Agent> {
        match self.estimate.estimator() {
            Ok(estimator) => Box::new(MctsAgent::new(*self, estimator)),
            Err(what) => Box::new(UnableAgent(what)),
        }
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn settle(&mut self, file: &Path) -> Result<(), String> {
        self.estimate.settle(file)
    }

    fn try_out(&self) -> Result<(), String> {
        self.estimate.estimator().map(|_| ())
    }

    fn without_places(mut self) -> Self {
        self.estimate = self.estimate.without_place();
        self
    }

    fn set_threads(&mut self, threads: NonZeroU32) {
        self.threads = Some(threads);
    }

    fn effective(self) -> Self {
        self.effective()
    }
}
