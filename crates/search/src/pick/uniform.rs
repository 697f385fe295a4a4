use crate::part::PartInfo;
use crate::pick::{Pick, Picker};

pub(super) static UNIFORM: Pick = Pick {
    info: PartInfo {
        name: "uniform",
        about: "Any option with the same probability.",
        keys: &[],
    },
    picker: |_| Picker::UNIFORM,
};
