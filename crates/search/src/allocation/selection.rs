use crate::allocation::RootAllocation;
use crate::part::PartInfo;

pub(super) static SELECTION: RootAllocation = RootAllocation {
    info: PartInfo {
        name: "selection",
        about: "The selection rule selects at the root as everywhere.",
        keys: &[],
    },
    mix: None,
    build: None,
};
