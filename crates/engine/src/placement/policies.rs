//! Policies: they generate the placements of a shape to consider (section 5.1 of the paper).

use super::policy::Policy;

/// Declares the file of each policy and the list of all of them.
macro_rules! policies {
    ($($file:ident: $($policy:ident),+;)+) => {
        $(mod $file;)+

        /// All policies.
        pub static POLICIES: [&Policy; [$($(stringify!($policy)),+),+].len()] =
            [$($(&$file::$policy),+),+];
    };
}

policies! {
    in_order: IN_ORDER;
    bottom_left: BOTTOM_LEFT, BOTTOM_LEFT_LEFT_BOTTOM, PARETO_BOTTOM_LEFT;
    first_fail: FIRST_FAIL;
    all: ALL;
}
