use super::Policy;
use crate::placement::{Alternatives, Candidates, Domains, Problem};

/// Covers the square with the smallest domain, propagates, and goes on until one placement is left.
pub(super) struct FirstFail;

impl Policy for FirstFail {
    fn name(&self) -> &'static str {
        "first-fail"
    }

    fn about(&self) -> &'static str {
        "cover the square with the smallest domain, propagate, repeat"
    }

    fn generate(&self, problem: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives) {
        let root = Domains::root(problem);
        for candidates in groups {
            let mut left = *candidates;
            let mut domains = root.clone();
            domains.narrow(&left);
            while let Some(square) = domains.smallest(domains.undecided()) {
                left = left.covering(square);
                domains.narrow(&left);
            }
            out.push(left.nth(0));
        }
    }

    fn is_single(&self) -> bool {
        true
    }
}
