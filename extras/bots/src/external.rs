//! An external program that plays by the line [protocol](crate::protocol).
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

use std::path::Path;

use patchwork_engine::agent::{Agent, AgentKind, FaultPolicy, IdleKey};
use patchwork_engine::search::Budget;
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{Count, absolute};

pub use self::check::{BotCheck, check_bot};
pub use self::command::BotCommand;
use self::player::ExternalAgent;
pub use self::settings::{BotLimits, ExternalSettings, OnFault, Restart};

impl AgentKind for ExternalSettings {
    fn name() -> &'static str {
        "external"
    }

    fn check(&self) -> Result<(), InputError> {
        self.check()
    }

    fn settle(&mut self, path: &Path) -> Result<(), InputError> {
        self.settle(path)
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(ExternalAgent::new(self.clone()))
    }

    fn budget(&self) -> Option<Budget> {
        self.budget
    }

    fn is_program(&self) -> bool {
        true
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    fn fault_policy(&self) -> FaultPolicy {
        let count = |games| Count::new(games).unwrap_or(Count::MIN);
        match self.on_fault() {
            OnFault::Lose => FaultPolicy::Lose,
            OnFault::Retry => FaultPolicy::Retry(count(self.retries())),
            OnFault::Stop => FaultPolicy::Stop(count(self.stop_after())),
        }
    }

    fn try_out(&self) -> Result<(), InputError> {
        if self.options.is_empty() {
            return Ok(());
        }
        // A bot that fails is a result, not an error.
        let Ok(mut session) = self.introduce() else {
            return Ok(());
        };
        let options = session.option_requests(&self.options)?;
        if session.set_options(&options).is_ok() {
            let _ = session.quit();
        }
        Ok(())
    }

    fn check_installed(&self) -> Result<(), InputError> {
        self.check_installed()
    }

    fn make_places_absolute(&mut self) {
        let folder = absolute(&self.bot_command().folder);
        self.folder = Some(folder.to_string_lossy().into_owned());
    }

    fn idle(&self) -> Vec<IdleKey> {
        self.idle_keys()
    }

    fn state_defaults(&mut self) {
        self.folder.get_or_insert_with(|| ".".to_owned());
        self.state_keys();
    }
}

#[cfg(test)]
mod tests;
