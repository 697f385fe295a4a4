//! An external program that plays by the line [protocol](crate::agent::protocol).
//!
//! The program runs in a process group, its output and its time are limited, and none of its processes
//! survives the arena, however the arena ends.

mod check;
mod command;
mod guard;
mod player;
mod process;
mod session;
mod settings;

pub use self::check::{BotCheck, check_bot};
pub use self::command::BotCommand;
pub use self::settings::{BotLimits, ExternalSettings, OnFault, Restart};
