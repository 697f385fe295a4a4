//! Picks by the scores of the options alone.

use crate::part::{PartInfo, PartKey};
use crate::pick::{Pick, Picker};

pub(super) static GREEDY: Pick = Pick {
    info: PartInfo {
        name: "greedy",
        about: "The option with the greatest score.",
        keys: &[],
    },
    picker: |_| Picker::GREEDY,
};

pub(super) static EPSILON_GREEDY: Pick = Pick {
    info: PartInfo {
        name: "epsilon-greedy",
        about: "The option with the greatest score, but in some turns any option with the same probability.",
        keys: &[PartKey {
            name: "epsilon",
            about: "The probability of such a turn",
            default: 0.1,
            range: [0.0, 1.0],
        }],
    },
    picker: |keys| Picker::epsilon_greedy(keys[0]),
};

pub(super) static SOFTMAX: Pick = Pick {
    info: PartInfo {
        name: "softmax",
        about: "With probability proportional to exp(score / temperature).",
        keys: &[PartKey {
            name: "temperature",
            about: "The temperature, in the unit of scores",
            default: 1.0,
            range: [0.01, 1000.0],
        }],
    },
    picker: |keys| Picker::softmax(keys[0] as f32),
};

pub(super) static UNIFORM: Pick = Pick {
    info: PartInfo {
        name: "uniform",
        about: "Any option with the same probability.",
        keys: &[],
    },
    picker: |_| Picker::UNIFORM,
};
