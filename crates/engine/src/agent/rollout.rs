//! The settings of rollouts.

use serde::{Deserialize, Serialize};

use super::declare::settings;
use super::kind::within;
use super::rollout_player::{Picker, RolloutPlayer};
use crate::game::LAST_SPACE;
use crate::placement::Strategy;
use crate::util::KeyError;

settings! {
    /// How rollouts are played.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct Rollout in "rollout." {
        /// How patches are picked.
        pub pick: Pick,
        /// Probability of a uniformly random pick, only with `pick = "epsilon-greedy"`.
        pub epsilon: f64?,
        /// Temperature in points per space, only with `pick = "softmax"`.
        pub temperature: f64?,
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

/// How rollouts pick patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The patch with the greatest gain by equation 1.
    Greedy,
    /// By equation 1, with occasional uniformly random picks.
    EpsilonGreedy,
    /// At random, with higher probability for greater gains by equation 1.
    Softmax,
    /// Uniformly at random.
    Uniform,
}

impl Rollout {
    /// Validates the keys, which are in the table `rollout`.
    ///
    /// # Errors
    /// Which key has a value out of range, or needs another key.
    pub fn check(&self) -> Result<(), KeyError> {
        let only_with = |key, found: Option<f64>, pick: Pick, name, range: [f64; 2]| {
            let [least, most] = range;
            match (found, self.pick == pick) {
                (Some(_), false) => {
                    let what = format_args!("requires pick = \"{name}\"");
                    Err(KeyError::at(key, what))
                }
                (None, true) => {
                    let what =
                        format_args!("expected a number from {least} to {most}, found nothing");
                    Err(KeyError::at(key, what))
                }
                (Some(found), true) => within(key, found, least..=most),
                (None, false) => Ok(()),
            }
        };
        let (key, pick) = ("rollout.epsilon", Pick::EpsilonGreedy);
        only_with(key, self.epsilon, pick, "epsilon-greedy", [0.0, 1.0])?;
        let (key, pick) = ("rollout.temperature", Pick::Softmax);
        only_with(key, self.temperature, pick, "softmax", [0.01, 1000.0])?;
        if let Some(late) = self.late {
            late.check_ranges()?;
        }
        self.check_ranges()
    }

    /// The rollout player with these settings.
    #[must_use]
    pub fn player(&self) -> RolloutPlayer {
        let picker = match self.pick {
            Pick::Greedy => Picker::Greedy,
            Pick::Uniform => Picker::Uniform,
            Pick::EpsilonGreedy => Picker::EpsilonGreedy(self.epsilon.unwrap_or(0.0)),
            Pick::Softmax => Picker::Softmax {
                temperature: self.temperature.unwrap_or(1.0) as f32,
            },
        };
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
    #[must_use]
    pub(crate) fn most_plies(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}
