//! The kinds of agents: each has its own file with its settings and its player.

use super::settings::RegisteredKind;
#[cfg(feature = "schema")]
use crate::util::schema::{FileSchema, SchemaTable};

/// Declares the module of each kind and registers the kind.
macro_rules! kinds {
    ($($(#[$cfg:meta])? $file:ident: $settings:ident;)+) => {
        $($(#[$cfg])? pub(super) mod $file;)+
        $($(#[$cfg])? pub use $file::$settings;)+

        /// The kinds of this library.
        pub(super) fn shipped() -> Vec<RegisteredKind> {
            vec![$($(#[$cfg])? RegisteredKind::of::<$settings>(),)+]
        }

        /// The keys of each kind, except `type`.
        #[cfg(feature = "schema")]
        pub(super) fn schemas(file: &mut FileSchema) -> Vec<(&'static str, SchemaTable)> {
            use super::kind::AgentKind as _;
            vec![$($(#[$cfg])? ($settings::name(), file.table::<$settings>()),)+]
        }
    };
}

kinds! {
    random: RandomSettings;
    greedy: GreedySettings;
    flat: FlatSettings;
    alpha_beta: AlphaBetaSettings;
    mcts: MctsSettings;
    #[cfg(all(unix, feature = "bots"))]
    external: ExternalSettings;
    human: HumanSettings;
}

// They read the shipped agents, among which are bots.
#[cfg(all(test, feature = "bots"))]
mod tests;
