//! The interface of a policy.

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::problem::Problem;

/// Generates placements.
pub trait Policy: Sync {
    /// The name in strategies.
    fn name(&self) -> &'static str;

    /// A short description.
    fn about(&self) -> &'static str;

    /// Appends the policy's placements for each group of candidates, at least one per group. No
    /// group is empty.
    ///
    /// There is either one group for all transforms, or one for each transform that fits.
    fn generate(&self, problem: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives);

    /// Whether the policy generates every placement, so that running it once per transform would
    /// add nothing.
    fn is_exhaustive(&self) -> bool {
        false
    }

    /// Whether the policy generates exactly one placement per group of candidates.
    fn is_single(&self) -> bool {
        false
    }
}
