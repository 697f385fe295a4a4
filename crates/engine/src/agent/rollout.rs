//! The settings of rollouts.

use serde::{Deserialize, Serialize};

use super::declare::settings;
use super::kind::within;
use super::rollout_player::RolloutPlayer;
use crate::game::LAST_SPACE;
use crate::placement::Strategy;
use crate::search::{Pick, PlayoutPolicy, SearchPart as _, Selected};
use crate::util::InputError;

/// A playout policy with its keys.
type RolloutPolicy = Selected<PlayoutPolicy>;

settings! {
    /// How rollouts are played.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct Rollout in "rollout." {
        /// How patches are picked.
        pub pick: Selected<Pick>,
        /// Probability of a uniformly random pick, only with `pick = "epsilon-greedy"`.
        pub epsilon: f64?,
        /// Temperature in points per space, only with `pick = "softmax"`.
        pub temperature: f64?,
        /// What rollouts learn from those before them; nothing by default.
        pub learn: RolloutPolicy?,
        /// Places the patches.
        pub strategy: Strategy,
        /// Another strategy for the end of the game.
        pub late: Late?,
        /// Whether placements inside the 7x7 area at the first corner are preferred.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub corner: bool,
        /// Number of plies after which a rollout is cut off and the position estimate is used; 0 for
        /// the estimate alone.
        pub depth: u32?,
        /// Weight of the position estimate of the leaf relative to the rollout, 0 to 1; 0 by default.
        pub estimate: f64 = (0.0) in 0.0..=1.0,
    }
}

settings! {
    /// A strategy for the end of the game.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct Late in "rollout.late." {
        /// The mover's space from which the strategy is used, 1 to 52.
        pub from: u8 in 1..=LAST_SPACE - 1,
        /// Places the patches.
        pub strategy: Strategy,
    }
}

impl Rollout {
    /// Validates the keys, which are in the table `rollout`.
    pub fn check(&self) -> Result<(), InputError> {
        for (name, found) in self.keys_beside() {
            let at = format!("rollout.{name}");
            let has = |pick: &Pick| pick.info.keys.iter().find(|key| key.name == name);
            match (has(self.pick.part()), found) {
                (Some(key), _) if self.pick.with(name, key.default) != self.pick => {
                    let what = format_args!("expected {at} instead of {name} in a table");
                    return Err(InputError::at("rollout.pick", what));
                }
                (Some(key), Some(found)) => within(&at, found, key.range[0]..=key.range[1])?,
                (Some(key), None) => {
                    let [least, most] = key.range;
                    let what = format!("expected a number from {least} to {most}, found nothing");
                    return Err(InputError::at(&at, what));
                }
                (None, Some(_)) => {
                    let pick = Pick::all().into_iter().find(|pick| has(pick).is_some());
                    let pick = pick.map_or("", |pick| pick.info.name);
                    return Err(InputError::at(
                        &at,
                        format_args!("requires pick = \"{pick}\""),
                    ));
                }
                (None, None) => {}
            }
        }
        if self.learn.is_some() && self.depth == Some(0) {
            let what = "requires rollouts, with rollout.depth above 0";
            return Err(InputError::at("rollout.learn", what));
        }
        if let Some(late) = self.late {
            late.check_ranges()?;
        }
        self.check_ranges()
    }

    /// The keys of picks that came before picks were parts: they stand beside the pick.
    const fn keys_beside(&self) -> [(&'static str, Option<f64>); 2] {
        [("epsilon", self.epsilon), ("temperature", self.temperature)]
    }

    /// The rollout player with these settings.
    pub fn player(&self) -> RolloutPlayer {
        let mut pick = self.pick;
        for (name, value) in self.keys_beside() {
            pick = value.map_or(pick, |value| pick.with(name, value));
        }
        let picker = (pick.part().picker)(pick.values());
        let mut player = RolloutPlayer::new(picker, self.strategy);
        player.late = self.late.map(|late| (late.from, late.strategy));
        player.corner = self.corner;
        player
    }

    /// The same rollouts with all defaults filled in.
    pub(super) fn effective(mut self) -> Self {
        self.state_all_defaults();
        self
    }

    /// Maximum number of plies of a rollout.
    pub(crate) fn most_plies(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}
