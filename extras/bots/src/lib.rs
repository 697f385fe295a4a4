#![doc = include_str!("../README.md")]
//!
//! # Modules
//! A module uses only the modules in its last column; the workspace's `tests/architecture.rs` checks the table against
//! the source.
//!
//! | module | job | uses |
//! |---|---|---|
//! | [`protocol`] | the lines between the arena and a bot | engine |
//! | `external` | agents that are programs: their settings, processes and conversations | protocol, engine |
//! | `serve` | an agent as a bot | protocol, engine |

#[cfg(unix)]
mod external;
pub mod protocol;
mod serve;

#[cfg(unix)]
pub use external::{
    BotCheck, BotCommand, BotLimits, ExternalSettings, OnFault, Restart, check_bot,
};
pub use serve::serve;

/// Makes agents of the type `external` known to this program, from when on agents' files and stored plans can name
/// them. On systems other than Unix there are none.
pub fn register() {
    #[cfg(unix)]
    patchwork_engine::agent::register_with_schema::<ExternalSettings>();
}
