//! The settings of rollouts.

use serde::{Deserialize, Serialize};

use super::player::RolloutPlayer;
use crate::agent::declare::{settings, within};
use crate::game::LAST_SPACE;
use crate::placement::Strategy;
use crate::search::{PartKey, Pick, Picker, PlayoutPolicy, Selected};
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
        pub epsilon: f64?; requires "pick = \"epsilon-greedy\"" if |rollout| rollout.pick_has("epsilon"),
        /// Temperature in points per space, only with `pick = "softmax"`.
        pub temperature: f64?; requires "pick = \"softmax\"" if |rollout| rollout.pick_has("temperature"),
        /// What rollouts learn from those before them; nothing by default.
        pub learn: RolloutPolicy?;
            requires "rollouts, with rollout.depth above 0" if Self::has_plies,
        /// Places the patches.
        pub strategy: Strategy,
        /// Another strategy for the end of the game.
        pub table late: Late?,
        /// Whether placements inside the 7x7 area at the first corner are preferred.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub corner: bool,
        /// Number of plies after which a rollout is cut off and the position estimate is used; 0 for
        /// the estimate alone.
        pub depth: u32?,
        /// Weight of the position estimate of the leaf relative to the rollout, 0 to 1; 0 by default.
        pub estimate: f64 = (0.0) in 0.0..=1.0,
    }
    needs {
        "rollout.pick": "rollouts, with rollout.depth above 0" if Self::has_plies,
        "rollout.epsilon": "rollouts, with rollout.depth above 0" if Self::has_plies,
        "rollout.temperature": "rollouts, with rollout.depth above 0" if Self::has_plies,
        "rollout.learn": "a pick that is not always random" if |rollout| rollout.picker().at_random != Some(1.0),
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
    /// Checks that the pick has its keys, beside it and in their ranges, which [`Self::check_keys`] does not.
    pub fn check_pick(&self) -> Result<(), InputError> {
        for (name, found) in self.keys_beside() {
            let Some(key) = self.pick_key(name) else {
                continue;
            };
            let at = format!("rollout.{name}");
            if self.pick.with(name, key.default) != Ok(self.pick) {
                let what = format_args!("expected {at} instead of {name} in a table");
                return Err(InputError::at("rollout.pick", what));
            }
            let [least, most] = key.range;
            let nothing = || format!("expected a number from {least} to {most}, found nothing");
            let found = found.ok_or_else(|| InputError::at(&at, nothing()))?;
            within(&at, found, least..=most)?;
        }
        Ok(())
    }

    /// The declaration of a key of the pick, if it has one of this name.
    fn pick_key(&self, name: &str) -> Option<&'static PartKey> {
        let mut keys = self.pick.part().info.keys.iter();
        keys.find(|key| key.name == name)
    }

    fn pick_has(&self, name: &str) -> bool {
        self.pick_key(name).is_some()
    }

    /// The keys of picks that came before picks were parts: they stand beside the pick.
    const fn keys_beside(&self) -> [(&'static str, Option<f64>); 2] {
        [("epsilon", self.epsilon), ("temperature", self.temperature)]
    }

    /// Whether rollouts are played at all.
    pub(in crate::agent) fn has_plies(&self) -> bool {
        self.depth != Some(0)
    }

    fn picker(&self) -> Picker {
        let mut pick = self.pick;
        for (name, value) in self.keys_beside() {
            pick = value
                .map_or(Ok(pick), |value| pick.with(name, value))
                .unwrap_or(pick);
        }
        (pick.part().picker)(pick.values())
    }

    /// The rollout player with these settings.
    pub fn player(&self) -> RolloutPlayer {
        let mut player = RolloutPlayer::new(self.picker(), self.strategy);
        player.late = self.late.map(|late| (late.from, late.strategy));
        player.corner = self.corner;
        player
    }

    /// Maximum number of plies of a rollout.
    pub(crate) fn most_plies(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}
