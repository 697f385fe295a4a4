//! The interface of a kind of agent, and validation shared by their settings.

use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::estimate_source::EstimateSource;
use super::player::Agent;
use crate::search::Budget;

/// The settings of a kind of agent, as written in agent files.
pub(super) trait Kind: Clone + Serialize + DeserializeOwned {
    /// Checks the ranges of numbers and rejects keys that cannot be combined.
    ///
    /// # Errors
    /// A sentence that starts with the key.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Completes settings that depend on the location of their file, and checks what they refer to there.
    ///
    /// # Errors
    /// A sentence that starts with the key.
    fn settle(&mut self, file: &Path) -> Result<(), String> {
        self.estimate()
            .map_or(Ok(()), |estimate| estimate.settle(file))
    }

    /// The key that selects the position estimate, if the kind has it.
    fn estimate(&mut self) -> Option<&mut EstimateSource> {
        None
    }

    /// A player with these settings, which have been validated.
    fn build(&self) -> Box<dyn Agent>;

    /// The budget per decision or per game, if the kind has one.
    fn budget(&self) -> Option<Budget> {
        None
    }

    /// Whether the agent plays the same game again when it gets the same random stream.
    fn is_deterministic(&self) -> bool {
        self.budget().is_none_or(|budget| budget.time().is_none())
    }

    /// What happens when the agent fails.
    fn fault_policy(&self) -> FaultPolicy {
        FaultPolicy::Lose
    }

    /// Starts the agent's program, if it has one, and checks that the settings fit it.
    ///
    /// # Errors
    /// A sentence that starts with the key.
    fn try_out(&self) -> Result<(), String> {
        self.check_installed()
    }

    /// Checks that the agent's program or network is on this machine and matches the settings.
    ///
    /// # Errors
    /// A sentence that starts with the key.
    fn check_installed(&self) -> Result<(), String> {
        self.clone()
            .estimate()
            .map_or(Ok(()), |estimate| estimate.check_installed())
    }

    /// The same settings with all defaults filled in, so that equal settings have equal text.
    fn effective(self) -> Self {
        self
    }

    /// The same settings without the locations of files; the contents of the files determine the play.
    fn without_places(mut self) -> Self {
        if let Some(estimate) = self.estimate() {
            *estimate = estimate.without_place();
        }
        self
    }

    /// The same settings with locations of files that are valid from every folder.
    fn with_absolute_places(mut self) -> Self {
        if let Some(estimate) = self.estimate() {
            *estimate = estimate.with_absolute_place();
        }
        self
    }

    /// Whether these are the settings of a person.
    fn is_person(&self) -> bool {
        false
    }

    /// Sets the number of threads, if the kind supports more than one.
    fn set_threads(&mut self, _threads: NonZeroU32) {}
}

/// What happens when an agent fails in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPolicy {
    /// The agent loses the game.
    Lose,
    /// The game is played again, at most this many times; then the agent loses it.
    Retry(NonZeroU32),
    /// The agent loses the game, and the run stops after this many such games.
    Stop(NonZeroU32),
}

/// Checks that a number is within a range.
pub(super) fn within<N: PartialOrd + Display>(
    key: &str,
    found: N,
    range: RangeInclusive<N>,
) -> Result<(), String> {
    if range.contains(&found) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(format!(
        "{key}: expected a number from {least} to {most}, found {found}"
    ))
}

/// A table of settings that has no effect together with the value of another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusedKey {
    /// The table.
    pub name: &'static str,
    /// With what it has an effect.
    pub with: &'static str,
}

impl UnusedKey {
    /// Whether this key is in the table.
    pub fn has(self, key: &str) -> bool {
        let below = key.strip_prefix(self.name);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl fmt::Display for UnusedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: requires {}", self.name, self.with)
    }
}
