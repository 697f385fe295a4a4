use crate::part::PartInfo;
use crate::pick::{Pick, Picker};

pub(super) static GREEDY: Pick = Pick {
    info: PartInfo {
        name: "greedy",
        about: "The option with the greatest score.",
        keys: &[],
    },
    picker: |_| Picker::GREEDY,
};
