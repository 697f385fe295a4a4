//! The kinds of agents: each has its own file with its settings and its player.

use std::num::NonZeroU32;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};

use super::estimate_source::{EstimateSource, Estimator};
use super::kind::{FaultPolicy, Kind, UnusedKey};
use super::player::Agent;
use crate::search::Budget;
use crate::util::config::{ConfigError, from_table};
#[cfg(feature = "schema")]
use crate::util::schema::{FileSchema, SchemaTable};
use crate::util::suggest::{did_you_mean, one_of};

/// Declares the module of each kind and the enum of their settings.
macro_rules! kinds {
    ($($(#[$cfg:meta])? $name:literal: $file:ident :: $settings:ident as $kind:ident;)+) => {
        $($(#[$cfg])? pub(super) mod $file;)+
        $($(#[$cfg])? pub use $file::$settings;)+

        /// The validated settings of an agent, from which any number of players can be built.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "type")]
        pub enum AgentSettings {
            $($(#[$cfg])?
            #[doc = concat!("`type = \"", $name, "\"`")]
            #[serde(rename = $name)]
            $kind($settings),)+
        }

        impl AgentSettings {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($(#[$cfg])? $name),+];

            /// The name of the kind.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $($(#[$cfg])? Self::$kind(_) => $name,)+
                }
            }

            /// A player with these settings.
            #[must_use]
            pub fn build(&self) -> Box<dyn Agent> {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.build(),)+
                }
            }

            /// Completes settings that depend on the location of their file, and checks what they refer to
            /// there.
            pub(super) fn settle(&mut self, file: &Path) -> Result<(), String> {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.settle(file),)+
                }
            }

            /// Whether the agent plays the same game again from the same seed: it is neither an external
            /// program nor a person, and its budget does not depend on time.
            #[must_use]
            pub fn is_deterministic(&self) -> bool {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.is_deterministic(),)+
                }
            }

            /// What happens when the agent fails.
            #[must_use]
            pub fn fault_policy(&self) -> FaultPolicy {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.fault_policy(),)+
                }
            }

            /// Starts the agent's program, if it has one, and checks that it has the options that are set.
            ///
            /// # Errors
            /// A sentence that starts with the key.
            pub fn try_out(&self) -> Result<(), String> {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.try_out(),)+
                }
            }

            /// Checks that the agent's program or network, if it has one, is on this machine and matches the
            /// settings.
            ///
            /// # Errors
            /// A sentence that starts with the key.
            pub fn check_installed(&self) -> Result<(), String> {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.check_installed(),)+
                }
            }

            /// A description of how the agent's network was made, if it has one.
            #[must_use]
            pub fn network_card(&self) -> Option<&'static str> {
                match self.clone() {
                    $($(#[$cfg])? Self::$kind(mut settings) => settings.estimate()?.card(),)+
                }
            }

            /// The agent's position estimate; the linear one if the kind does not have the key.
            ///
            /// # Errors
            /// When the network cannot be read.
            pub fn estimator(&self) -> Result<Estimator, String> {
                let estimate = match self.clone() {
                    $($(#[$cfg])? Self::$kind(mut settings) => settings.estimate().copied(),)+
                };
                estimate.unwrap_or(EstimateSource::LINEAR).estimator()
            }

            /// The budget per decision or per game, if the agent has one.
            #[must_use]
            pub fn budget(&self) -> Option<Budget> {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.budget(),)+
                }
            }

            /// Whether this is a person, who plays only at a terminal or in a browser.
            #[must_use]
            pub(crate) fn is_person(&self) -> bool {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.is_person(),)+
                }
            }

            /// The same settings without the locations of files; the contents of the files determine the
            /// play.
            fn without_places(self) -> Self {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => Self::$kind(settings.without_places()),)+
                }
            }

            /// The same settings with locations of files that are valid from every folder, for a copy
            /// elsewhere.
            #[must_use]
            pub fn with_absolute_places(self) -> Self {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => Self::$kind(settings.with_absolute_places()),)+
                }
            }

            /// The same settings with all defaults filled in: what the agent does, however its file is
            /// written.
            #[must_use]
            pub fn effective(self) -> Self {
                match self {
                    $($(#[$cfg])? Self::$kind(settings) => Self::$kind(settings.effective()),)+
                }
            }

            /// The same agent with this number of threads per decision. An agent that supports only
            /// one thread is unchanged.
            #[must_use]
            pub fn with_threads(mut self, threads: NonZeroU32) -> Self {
                match &mut self {
                    $($(#[$cfg])? Self::$kind(settings) => settings.set_threads(threads),)+
                }
                self
            }

            /// Reads the keys of a kind; the path is used in messages.
            fn of_kind(kind: &str, path: &Path, table: toml::Table) -> Result<Self, ConfigError> {
                let wrong = |what| ConfigError::new(path, what);
                match kind {
                    $($(#[$cfg])? $name => {
                        let settings: $settings = from_table(path, table)?;
                        settings.check().map_err(wrong)?;
                        Ok(Self::$kind(settings))
                    })+
                    _ => {
                        let kinds = kinds_of_files();
                        let near = did_you_mean(kind, kinds.iter().copied());
                        let known = one_of(&kinds);
                        Err(wrong(format!(
                            "type: unknown value \"{kind}\"; expected {known}{near}"
                        )))
                    }
                }
            }
        }

        /// The keys of each kind, except `type`.
        #[cfg(feature = "schema")]
        pub(super) fn schemas(file: &mut FileSchema) -> Vec<(&'static str, SchemaTable)> {
            vec![$($(#[$cfg])? ($name, file.table::<$settings>()),)+]
        }

        $($(#[$cfg])? impl From<$settings> for AgentSettings {
            fn from(settings: $settings) -> Self {
                Self::$kind(settings)
            }
        })+
    };
}

kinds! {
    "random": random::RandomSettings as Random;
    "greedy": greedy::GreedySettings as Greedy;
    "flat": flat::FlatSettings as Flat;
    "alpha-beta": alpha_beta::AlphaBetaSettings as AlphaBeta;
    "mcts": mcts::MctsSettings as Mcts;
    #[cfg(all(unix, feature = "bots"))]
    "external": external::ExternalSettings as External;
    "human": human::HumanSettings as Human;
}

/// The kinds that agent files can have.
fn kinds_of_files() -> Vec<&'static str> {
    let kinds = AgentSettings::KINDS.iter().copied();
    kinds
        .filter(|kind| *kind != AgentSettings::PERSON)
        .collect()
}

impl AgentSettings {
    /// The kind of a person, and a person's name in records. Agent files cannot have it.
    pub const PERSON: &str = "human";

    /// Reads a table with the key `type` and the keys of that kind; the path is used in messages.
    ///
    /// # Errors
    /// If a key is missing, unknown or of the wrong type, or a value is out of range.
    pub fn from_table(path: &Path, mut table: toml::Table) -> Result<Self, ConfigError> {
        let known = one_of(&kinds_of_files());
        match table.remove("type") {
            Some(toml::Value::String(kind)) => Self::of_kind(&kind, path, table),
            Some(other) => {
                let found = other.type_str();
                let what = format!("expected {known}, found a value of type {found}");
                Err(ConfigError::at(path, "type", what))
            }
            None => {
                let what = format!("missing key `type`; expected {known}");
                Err(ConfigError::new(path, what))
            }
        }
    }

    /// The settings as keys and values, as in an agent file. Keys with a default value are left out unless
    /// the settings state them; see [`Self::effective`].
    #[must_use]
    pub fn table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("settings are numbers, texts and tables")
    }

    /// What has no effect with the other settings, whether or not it is stated.
    pub fn idle(&self) -> Option<UnusedKey> {
        match self {
            Self::Mcts(settings) => settings.idle(),
            _ => None,
        }
    }

    /// A setting that has no effect, which is a mistake in a file.
    pub(super) fn unused(&self) -> Option<UnusedKey> {
        match self {
            Self::Mcts(settings) => settings.unused(),
            _ => None,
        }
    }

    /// The same agent without keys that have no effect.
    #[must_use]
    pub fn without_unused(mut self) -> Self {
        if let Self::Mcts(settings) = &mut self {
            settings.drop_unused();
        }
        self
    }

    /// A text that is equal for all settings that play alike: the effective settings, apart from the number
    /// of threads, in order of their keys.
    #[must_use]
    pub fn canonical(&self) -> String {
        let settings = self.clone().with_threads(NonZeroU32::MIN);
        settings.effective().without_places().table().to_string()
    }
}

impl<'de> Deserialize<'de> for AgentSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let table = toml::Table::deserialize(from)?;
        Self::from_table(Path::new(""), table).map_err(|error| serde::de::Error::custom(error.what))
    }
}

#[cfg(test)]
mod tests;
