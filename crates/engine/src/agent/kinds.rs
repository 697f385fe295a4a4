//! The kinds of agents: each has its own file with its settings and its player.

use std::any::Any;

use serde::Deserialize;

use super::kind::AgentKind as _;
use super::player::Agent;
use super::settings::{AgentSettings, RegisteredKind};

/// Declares the module of each kind and registers the kind.
macro_rules! kinds {
    ($($file:ident: $settings:ident;)+) => {
        $(pub(super) mod $file;)+
        $(pub use $file::$settings;)+

        /// Checked settings of an agent of one of these kinds, as `{"KIND": {"KEY": ...}}`. A program that reads no others has
        /// no code for files and their mistakes.
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(non_camel_case_types, missing_docs, reason = "they are the kinds")]
        #[expect(clippy::large_enum_variant, reason = "there are few")]
        pub enum CheckedSettings {
            $($file($settings),)+
        }

        impl CheckedSettings {
            /// A player with these settings.
            pub fn build(&self) -> Box<dyn Agent> {
                match self {
                    $(Self::$file(settings) => settings.build(),)+
                }
            }

            /// The settings, if they are of this kind.
            pub fn downcast_ref<K: 'static>(&self) -> Option<&K> {
                let settings: &dyn Any = match self {
                    $(Self::$file(settings) => settings,)+
                };
                settings.downcast_ref()
            }
        }

        impl From<CheckedSettings> for AgentSettings {
            fn from(settings: CheckedSettings) -> Self {
                match settings {
                    $(CheckedSettings::$file(settings) => settings.into(),)+
                }
            }
        }

        /// The kinds of this library.
        pub(super) fn shipped() -> Vec<RegisteredKind> {
            vec![$(RegisteredKind {
                #[cfg(feature = "schema")]
                keys: Some(|file| file.table::<$settings>()),
                ..RegisteredKind::of::<$settings>()
            },)+]
        }
    };
}

kinds! {
    random: RandomSettings;
    greedy: GreedySettings;
    flat: FlatSettings;
    alpha_beta: AlphaBetaSettings;
    mcts: MctsSettings;
    human: HumanSettings;
}

#[cfg(test)]
mod tests;
