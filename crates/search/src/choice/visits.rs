use crate::choice::FinalChoice;
use crate::part::PartInfo;

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
