//! The kinds of agents: each has its own file with its settings and its player.

use super::settings::RegisteredKind;

/// Declares the module of each kind and registers the kind.
macro_rules! kinds {
    ($($file:ident: $settings:ident;)+) => {
        $(pub(super) mod $file;)+
        $(pub use $file::$settings;)+

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
