use crate::part::{PartInfo, PartKey};
use crate::pick::{Pick, Picker};

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
