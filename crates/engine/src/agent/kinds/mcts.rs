//! Monte Carlo tree search: an expansion strategy that ranks placements well, and cheap rollouts.

mod known_margins;
mod model;
mod player;
mod search;
mod settings;

pub use model::{PatchworkModel, Position, Step};
pub use search::PatchworkSearch;
pub use settings::{
    MAX_THREADS, MctsExpansion, MctsSearch, MctsSettings, Over, Prior, RaveSettings, Steps,
};
