//! Chooses the best patch by equation 1, or the best turn by beam search, and places it by a
//! strategy.

mod beam;

use serde::{Deserialize, Serialize};

use self::beam::BeamAgent;
use crate::agent::declare::{IdleKey, settings};
use crate::agent::evaluation::evaluation_spec::EvaluationSpec;
use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, deciding_by, or_failing};
use crate::agent::rollout::player::RolloutPlayer;
use crate::placement::{Scratch, Strategy};
use crate::search::Picker;
use crate::util::InputError;
use crate::util::config::Count;

settings! {
    /// The settings of a greedy agent.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct GreedySettings in "" {
        /// Places the patches; with `beam`, generates the placements to search.
        pub placement: Strategy,
        /// Beam width: positions kept in the search over the agent's next turns. No search if absent.
        pub beam: Count? in 1..=100_000,
        /// How positions are estimated: `linear` (fitted features, the default), `learned` (the network of the program)
        /// or a network of your own; requires `beam`.
        #[serde(default, skip_serializing_if = "EvaluationSpec::is_linear")]
        pub estimate: EvaluationSpec,
        /// Search depth in turns of the agent, 3 by default; requires `beam`.
        pub depth: Count = (3) in 1..=MAX_DEPTH; requires "the key beam" if |agent| agent.beam.is_some(),
    }
    requires {
        "estimate": "the key beam" if |agent| agent.beam.is_some(),
    }
}

/// Upper bound on the number of turns of one player.
const MAX_DEPTH: u32 = 60;

impl GreedySettings {
    /// A greedy agent without a beam search.
    pub const fn new(placement: Strategy) -> Self {
        Self {
            placement,
            beam: None,
            estimate: EvaluationSpec::LINEAR,
            depth: None,
        }
    }
}

impl AgentKind for GreedySettings {
    fn name() -> &'static str {
        "greedy"
    }

    fn check(&self) -> Result<(), InputError> {
        self.check_keys()
    }

    fn state_defaults(&mut self) {
        self.state_keys();
    }

    fn idle(&self) -> Vec<IdleKey> {
        self.idle_keys()
    }

    fn estimate(&mut self) -> Option<&mut EvaluationSpec> {
        Some(&mut self.estimate)
    }

    fn build(&self) -> Box<dyn Agent> {
        let Some(beam) = self.beam else {
            let player = RolloutPlayer::new(Picker::GREEDY, self.placement);
            let mut scratch = Scratch::default();
            return deciding_by(move |setup, state, rng| {
                Ok(player.action(setup, state, rng, &mut scratch))
            });
        };
        let width = beam.get() as usize;
        let depth = self.depth();
        or_failing(self.estimate.estimator(), |estimator| {
            Box::new(BeamAgent::new(width, depth, self.placement, estimator))
        })
    }
}
