//! What a kind of agent consists of, and the checks that their settings share.

use std::fmt::Display;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::player::Agent;
use crate::search::Budget;

/// The settings of a kind of agent, as its files state them.
pub(super) trait Kind: Serialize + DeserializeOwned {
    /// Checks ranges of numbers and keys that do not go together.
    ///
    /// # Errors
    /// A sentence that begins with the key.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// A player with these settings, which have been checked.
    fn build(&self) -> Box<dyn Agent>;

    /// The budget of a decision or a game, if the kind has one.
    fn budget(&self) -> Option<Budget> {
        None
    }

    /// Sets the number of threads, if the kind can use more than one.
    fn set_threads(&mut self, _threads: NonZeroU32) {}
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
