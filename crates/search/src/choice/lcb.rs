use crate::choice::{FinalChoice, SHARE};
use crate::part::{PartInfo, PartKey};

pub(super) static LCB: FinalChoice = FinalChoice {
    info: PartInfo {
        name: "lcb",
        about: "The action with the greatest mean result less z standard errors.",
        keys: &[
            PartKey {
                name: "z",
                about: "The number of standard errors",
                default: 1.0,
                range: [0.0, 100.0],
            },
            SHARE,
        ],
    },
    uses_variance: true,
    draws: false,
    share: |keys| keys[1],
    score: |keys, one| {
        let error = (one.variance.max(0.0) / one.visits.max(1) as f32).sqrt();
        one.value - keys[0] as f32 * error
    },
};
