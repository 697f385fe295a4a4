//! Rollouts: their settings, the player, what they learn from each other, and the actions of a position in the order in
//! which a search considers them.

pub(super) mod learner;
pub(super) mod player;
pub(super) mod ranked_actions;
pub(super) mod rankings;
pub(super) mod settings;
pub(super) mod workspace;
