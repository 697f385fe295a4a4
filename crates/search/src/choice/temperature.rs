use crate::choice::FinalChoice;
use crate::part::{PartInfo, PartKey};

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
