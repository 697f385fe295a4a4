use crate::part::PartInfo;
use crate::pick::{Pick, Picker};

/// The greatest score.
pub(super) static GREEDY: Pick = Pick {
    info: PartInfo {
        name: "greedy",
        about: "The option with the greatest score.",
        keys: &[],
    },
    picker: |_| Picker::GREEDY,
};
