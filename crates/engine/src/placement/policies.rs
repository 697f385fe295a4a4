//! Policies: they generate the placements of a shape to consider (section 5.1 of the paper).

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::problem::Problem;

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

/// Generates placements.
pub struct Policy {
    /// The name in strategies.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Appends the policy's placements for each group of candidates, at least one per group. No
    /// group is empty. There is either one group for all transforms, or one for each that fits.
    pub generate: fn(&Problem<'_>, &[Candidates], &mut Alternatives),
    /// Whether the policy generates every placement, so that running it once per transform would
    /// add nothing.
    pub is_exhaustive: bool,
    /// Whether the policy generates exactly one placement per group of candidates.
    pub is_single: bool,
    /// Whether that placement is the one with the greatest row-major bit string, so that it is found directly.
    pub is_first: bool,
}

impl Policy {
    /// A policy that generates some placements for each group.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        generate: fn(&Problem<'_>, &[Candidates], &mut Alternatives),
    ) -> Self {
        Self {
            name,
            about,
            generate,
            is_exhaustive: false,
            is_single: false,
            is_first: false,
        }
    }
}
