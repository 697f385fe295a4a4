//! Monte Carlo tree search: an expansion strategy that ranks placements well, and cheap rollouts.

mod known_margins;
mod model;
mod player;
mod position;
mod purchases;
mod search;
mod settings;

use std::num::NonZeroU32;

pub use model::PatchworkModel;
pub use position::{Step, TreePosition};
pub use search::PatchworkSearch;
pub use settings::{
    MAX_THREADS, MctsExpansion, MctsSearch, MctsSettings, Over, Prior, RaveSettings, Steps,
};

use self::player::MctsAgent;
use crate::agent::declare::IdleKey;
use crate::agent::evaluation::evaluation_spec::EvaluationSpec;
use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, or_failing};
use crate::search::Budget;
use crate::util::InputError;

impl AgentKind for MctsSettings {
    fn name() -> &'static str {
        "mcts"
    }

    fn check(&self) -> Result<(), InputError> {
        self.check()
    }

    fn build(&self) -> Box<dyn Agent> {
        or_failing(self.estimate.estimator(), |estimator| {
            Box::new(MctsAgent::new(self.clone(), estimator))
        })
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn estimate(&mut self) -> Option<&mut EvaluationSpec> {
        Some(&mut self.estimate)
    }

    fn set_threads(&mut self, threads: NonZeroU32) {
        self.threads = Some(threads);
    }

    fn state_defaults(&mut self) {
        self.search.early_stop = Some(self.tree_search().early_stop);
        self.state_keys();
    }

    fn idle(&self) -> Vec<IdleKey> {
        self.idle_keys()
    }
}
