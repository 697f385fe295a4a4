//! What a policy is.

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::problem::Problem;

/// Generates placements.
pub trait Policy: Sync {
    /// The name in strategies.
    fn name(&self) -> &'static str;

    /// What it does, in a phrase.
    fn about(&self) -> &'static str;

    /// Appends the policy's placements in each group of candidates, at least one for each group.
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
