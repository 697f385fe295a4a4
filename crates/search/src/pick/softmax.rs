use crate::part::{PartInfo, PartKey};
use crate::pick::{Pick, Picker};

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
