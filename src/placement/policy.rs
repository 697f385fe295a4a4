//! Policies: which placements of a shape are worth a look (the paper, section 5.1).
//!
//! A new policy is a type in a file of its own and an entry in [`POLICIES`].

mod all;
mod bottom_left;
mod first_fail;
mod in_order;

pub(crate) use bottom_left::Corners;
pub(crate) use first_fail::search_by_domain;

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::problem::Problem;

/// Generates placements.
pub trait Policy: Sync {
    /// The name in configuration files.
    fn name(&self) -> &'static str;

    /// What it does, in a phrase.
    fn about(&self) -> &'static str;

    /// Appends the policy's placements in each group of candidates, one at least for each group.
    /// No group is empty.
    ///
    /// There is one group for all transforms, or one for each transform that fits.
    fn generate(&self, problem: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives);

    /// Whether the policy generates every placement, so that running it once for every transform
    /// would add nothing.
    fn is_exhaustive(&self) -> bool {
        false
    }

    /// Whether the policy generates one placement for each group of candidates.
    fn is_single(&self) -> bool {
        false
    }
}

/// All policies.
pub static POLICIES: [&dyn Policy; 6] = [
    &in_order::InOrder,
    &bottom_left::BottomLeft,
    &bottom_left::BottomLeftLeftBottom,
    &bottom_left::ParetoBottomLeft,
    &first_fail::FirstFail,
    &all::All,
];
