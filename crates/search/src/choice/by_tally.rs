//! Choices by what the search counted: the most visits, the greatest mean, its lower bound, and at random by visits.

use crate::choice::{FinalChoice, SHARE};
use crate::part::{PartInfo, PartKey};

pub(super) static VISITS: FinalChoice = FinalChoice {
    info: PartInfo {
        name: "visits",
        about: "The action with the most visits.",
        keys: &[],
    },
    uses_variance: false,
    draws: false,
    share: |_| 1.0,
    score: |_, one| one.visits as f32,
};

pub(super) static VALUE: FinalChoice = FinalChoice {
    info: PartInfo {
        name: "value",
        about: "The action with the greatest mean result.",
        keys: &[SHARE],
    },
    uses_variance: false,
    draws: false,
    share: |keys| keys[0],
    score: |_, one| one.value,
};

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

/// An action with a probability that grows with its visits, as the greatest of logarithms with Gumbel noise.
pub(super) static TEMPERATURE: FinalChoice = FinalChoice {
    info: PartInfo {
        name: "temperature",
        about: "At random, with probability proportional to visits^(1 / temperature): games to learn from then differ.",
        keys: &[PartKey {
            name: "temperature",
            about: "The temperature; at 0, the action with the most visits is chosen",
            default: 1.0,
            range: [0.0, 100.0],
        }],
    },
    uses_variance: false,
    draws: true,
    share: |_| 0.0,
    score: |keys, one| {
        if keys[0] == 0.0 {
            return one.visits as f32;
        }
        let gumbel = -libm::log(-libm::log(one.random));
        (libm::log(one.visits.into()) / keys[0] + gumbel) as f32
    },
};
