use crate::choice::{FinalChoice, SHARE};
use crate::part::PartInfo;

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
