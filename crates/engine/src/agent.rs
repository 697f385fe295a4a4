//! The players of the game, and the files that describe them.
//!
//! An [`AgentFile`] has a name and checked [`AgentSettings`], from which any number of players, each an
//! [`Agent`], can be made. Each [kind](AgentKind) of agent is a file in `kinds` with its settings and its player,
//! and a program can [register] kinds of its own; what kinds share lies beside it: the ranked actions of a
//! position, the player of rollouts, equation 1 of the paper, the [position estimate](position_estimate) and the
//! exact search of the [endgame].
//!
//! # From a file to a player
//! | step | what it is | made by |
//! |---|---|---|
//! | text | a file, on the disk or built in | [`AgentFile::read`] |
//! | keys | a table: the keys of the file, of those that it extends, and of a variant | [`AgentFile::parse`], [`AgentFile::variant`] |
//! | settings | typed values, in range and complete | [`AgentSettings`] |
//! | identity | a text of all that determines the play; its hash is part of the addresses of games | [`AgentSettings::canonical`] |
//! | player | an [`Agent`] | [`AgentKind::build`] |
//!
//! ```
//! use patchwork_engine::agent::{self, Limit};
//! use patchwork_engine::game::{Setup, State, Track};
//! use patchwork_engine::search::{Budget, Stop};
//! use patchwork_engine::util::rng::stream;
//!
//! let mut player = agent::load("agents/mcts-fast.toml")?;
//! let setup = Setup::random(Track::Original, &mut stream(&[1]));
//! player.start(&setup, stream(&[2]));
//! let limit = Limit { budget: Some(Budget::Iterations(100)), stop: &Stop::new() };
//! let decision = player.decide(&setup, &State::new(&setup), limit).expect("no fault");
//! assert_eq!(decision.thought.iterations, 100);
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

#[cfg(feature = "files")]
mod agent_paths;
mod declare;
mod evaluation;
mod extends;
mod files;
mod folder;
mod kind;
mod kinds;
mod partner;
mod player;
mod registry;
mod rollout;
mod settings;
mod shipped;
mod tables;
mod variant;

#[cfg(feature = "files")]
pub use agent_paths::AgentPaths;
pub use declare::within;
pub use evaluation::estimator::Estimator;
pub use evaluation::evaluation_spec::EvaluationSpec;
pub use evaluation::position_estimate::{estimate, win_chance};
pub use evaluation::result_scoring::{ResultScoring, ValueKind};
pub use evaluation::{endgame, net, position_estimate};
pub use files::{AgentFile, load};
pub use folder::{AgentFolder, is_plain_name};
pub use folder::{PLAIN_NAME, is_path};
pub use kind::{AgentKind, AnySettings, FaultPolicy, UnusedKey};
pub use kinds::mcts::{
    MAX_THREADS, MctsExpansion, MctsSearch, Over, PatchworkModel, PatchworkSearch, Position, Prior,
    RaveSettings, Step, Steps,
};
pub use kinds::*;
pub use partner::Partner;
pub use player::{Agent, AgentFault, Decision, Limit, allot};
pub use registry::register;
#[cfg(feature = "schema")]
pub use registry::{agent_schema, register_with_schema};
pub use rollout::player::RolloutPlayer;
pub use rollout::ranked_actions::Breadth;
pub use rollout::settings::{Late, Rollout};
pub use settings::AgentSettings;
pub use shipped::{NATIVE, SHIPPED};
pub use variant::{Overrides, canonical_name};
