//! Players: what they are asked, the built-in kinds, and the files that describe them.

mod alpha_beta;
mod beam;
mod breadth;
mod clock;
mod config;
pub mod endgame;
pub mod estimate;
mod files;
mod flat;
mod gain;
mod mcts;
mod quick;

pub use alpha_beta::{AlphaBetaAgent, AlphaBetaBudgetConfig, AlphaBetaConfig, AlphaBetaSpec};
pub use beam::{BeamAgent, BeamSpec};
pub use breadth::{Breadth, BreadthConfig};
pub use config::{
    AgentConfig, BudgetConfig, ExpansionConfig, GreedyConfig, LateConfig, MOST_THREADS, MctsConfig,
    Pick, PriorConfig, RaveConfig, RolloutConfig, SearchConfig, StepsKind, StrategyConfig,
    ValueKind,
};
pub use estimate::{estimate, win_chance};
pub use files::{AgentFile, AgentFolder, is_plain_name};
pub use flat::{FlatAgent, FlatBudgetConfig, FlatConfig, FlatSearchConfig, FlatSpec};
pub use gain::{GAIN_UNIT, by_gain, gain, gain_of_advance};
pub use mcts::{
    Effort, Expansion, MctsAgent, MctsSpec, Over, PatchworkModel, PatchworkSearch, Position,
    Rollout, Step, Steps, Worth,
};
pub use quick::{Picker, QuickPlayer};

use std::num::NonZeroU32;

use crate::game::{Action, Setup, State};
use crate::placement::Scratch;
use crate::record::Thought;
use crate::search::Stop;
use crate::util::rng::Rng;

/// A decision of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What to play.
    pub action: Action,
    /// What went into it.
    pub thought: Thought,
}

/// A player of whole games.
pub trait Agent: Send {
    /// A new game begins: everything about the last one is forgotten, and all random choices come
    /// from this stream.
    fn start(&mut self, setup: &Setup, rng: Rng);

    /// Decides in a state in which it is to move; when `stop` is set it may decide anything.
    fn decide(&mut self, setup: &Setup, state: &State, stop: &Stop) -> Decision;

    /// Is told every action that is played, its own too.
    fn observe(&mut self, _action: Action) {}
}

/// A checked description of an agent, from which any number of players can be made.
#[derive(Clone, Debug)]
pub enum AgentSpec {
    /// Uniform over the legal actions.
    Random,
    /// Equation 1 and a strategy.
    Greedy(QuickPlayer),
    /// The same by a beam search.
    Beam(BeamSpec),
    /// Flat Monte Carlo.
    Flat(FlatSpec),
    /// Alpha-beta search.
    AlphaBeta(AlphaBetaSpec),
    /// Monte Carlo tree search.
    Mcts(MctsSpec),
}

impl AgentSpec {
    /// A player of this kind.
    #[must_use]
    pub fn build(&self) -> Box<dyn Agent> {
        match self {
            Self::Random => Box::new(RandomAgent { rng: None }),
            Self::Greedy(player) => Box::new(GreedyAgent {
                player: *player,
                rng: None,
                scratch: Scratch::default(),
            }),
            Self::Beam(spec) => Box::new(BeamAgent::new(*spec)),
            Self::Flat(spec) => Box::new(FlatAgent::new(*spec)),
            Self::AlphaBeta(spec) => Box::new(AlphaBetaAgent::new(*spec)),
            Self::Mcts(spec) => Box::new(MctsAgent::new(*spec)),
        }
    }

    /// The same agent with so many threads for each of its decisions; an agent that has no use for
    /// more than one stays as it is.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroU32) -> Self {
        match self {
            Self::Mcts(spec) => Self::Mcts(MctsSpec {
                threads: threads.get(),
                ..spec
            }),
            other => other,
        }
    }

    /// Whether games of the agent come out the same whenever they are played with the same seed.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        match self {
            Self::Random | Self::Greedy(_) | Self::Beam(_) => true,
            Self::Flat(spec) => spec.is_deterministic(),
            Self::AlphaBeta(spec) => spec.is_deterministic(),
            Self::Mcts(spec) => spec.is_deterministic(),
        }
    }
}

const STARTED: &str = "a game is started before it is played";

struct RandomAgent {
    rng: Option<Rng>,
}

impl Agent for RandomAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.rng = Some(rng);
    }

    fn decide(&mut self, setup: &Setup, state: &State, _: &Stop) -> Decision {
        let rng = self.rng.as_mut().expect(STARTED);
        Decision {
            action: state.random_action(setup, rng),
            thought: Thought::default(),
        }
    }
}

struct GreedyAgent {
    player: QuickPlayer,
    rng: Option<Rng>,
    scratch: Scratch,
}

impl Agent for GreedyAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.rng = Some(rng);
    }

    fn decide(&mut self, setup: &Setup, state: &State, _: &Stop) -> Decision {
        let rng = self.rng.as_mut().expect(STARTED);
        Decision {
            action: self.player.action(setup, state, rng, &mut self.scratch),
            thought: Thought::default(),
        }
    }
}
