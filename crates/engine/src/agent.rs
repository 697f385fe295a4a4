//! The players of the game, and the files that describe them.
//!
//! An [`AgentFile`] has a name and checked [`AgentSettings`], from which any number of players, each an
//! [`Agent`], can be made. Each [kind](AgentKind) of agent is a file in `kinds` with its settings and its player,
//! and a program can [register] kinds of its own. Each folder uses only those above it:
//!
//! | folder | job |
//! |---|---|
//! | `evaluation` | what judges a position: the [position estimate](position_estimate), the [network](net), the [exact search near the end](endgame) |
//! | `rollout` | rollouts, and the ranked actions of a position |
//! | `kinds` | the kinds of agents |
//! | `files` | agents' files, and the kinds that they can name |
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

mod declare;
mod evaluation;
mod files;
mod kind;
mod kinds;
mod partner;
mod player;
mod rollout;
mod settings;

pub use declare::{IdleKey, within};
pub use evaluation::estimator::Estimator;
pub use evaluation::evaluation_spec::EvaluationSpec;
pub use evaluation::position_estimate::{estimate, win_chance};
pub use evaluation::result_scoring::{ResultScoring, ValueKind};
pub use evaluation::{endgame, net, position_estimate};
pub use files::agent_file::{AgentFile, load};
pub use files::folder::{AgentFolder, PLAIN_NAME, is_path, is_plain_name};
#[cfg(feature = "files")]
pub use files::paths::AgentPaths;
pub use files::registry::register;
#[cfg(feature = "schema")]
pub use files::registry::{agent_schema, register_with_schema};
pub use files::shipped::SHIPPED;
pub use files::variant::{Overrides, canonical_name};
pub use kind::{AgentKind, AnySettings, FaultPolicy};
pub use kinds::mcts::{
    MAX_THREADS, MctsExpansion, MctsSearch, Over, PatchworkModel, PatchworkSearch, Prior,
    RaveSettings, Step, Steps, TreePosition,
};
pub use kinds::*;
pub use partner::Partner;
pub use player::{Agent, AgentFault, Decision, Limit, allot};
pub use rollout::player::RolloutPlayer;
pub use rollout::ranked_actions::Breadth;
pub use rollout::settings::{Late, Rollout};
pub use settings::AgentSettings;
