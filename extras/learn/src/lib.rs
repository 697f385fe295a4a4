//! Learning an estimate of positions from games that agents play against themselves.
//!
//! A [`SelfPlayPlan`] says which agent plays how many games and how they begin. [`play`] appends the games to
//! a file; each game depends only on the plan and its number. [`Samples`] are the positions of such files
//! with the results of the games and of the searches; [`train`] fits a [network](patchwork_engine::agent::net) to them.
//!
//! ```
//! use patchwork_engine::agent::AgentFile;
//! use patchwork_learn::{Samples, SelfPlayPlan, TrainingSettings, play_one, train};
//! use patchwork_engine::search::Stop;
//!
//! let agent = AgentFile::read("../../agents/greedy-regret.toml".as_ref())?;
//! let plan = SelfPlayPlan::new(agent, 4);
//! let mut agents = plan.agents();
//! let mut samples = Samples::default();
//! for number in 0..4 {
//!     let game = play_one(&plan, number, &mut agents, &Stop::new())?;
//!     samples.add(&game.expect("not stopped"))?;
//! }
//! let settings = TrainingSettings { epochs: 1, held_out: 4, ..TrainingSettings::default() };
//! let trained = train(&samples, &settings, &Stop::new(), |_| ())?.expect("not stopped");
//! assert_eq!(trained.epochs.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod network;
mod opening;
mod plan;
mod play;
mod samples;
#[cfg(test)]
mod tests;
mod training;

pub use file::{GamesFile, SelfPlayGame, read_games};
pub use plan::{Opening, SelfPlayPlan, selfplay_schema};
pub use play::{play, play_one};
pub use samples::Samples;
pub use training::{Accuracy, Epoch, PHASES, Trained, TrainingSettings, train};
