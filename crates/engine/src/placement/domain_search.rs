//! The placement that a search by the domains of squares arrives at.

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use super::domains::Domains;
use super::problem::Problem;
use crate::board::{Quilt, Square};

/// In each group, repeatedly covers the undecided square that `next` picks and propagates, until
/// one placement is left.
pub fn search_by_domain(
    problem: &Problem<'_>,
    groups: &[Candidates],
    out: &mut Alternatives,
    next: impl Fn(&Domains, Quilt) -> Option<Square>,
) {
    let root = Domains::root(problem);
    for candidates in groups {
        let mut left = *candidates;
        let mut domains = root.clone();
        domains.narrow(&left);
        while let Some(square) = next(&domains, domains.undecided()) {
            left = left.covering(square);
            domains.narrow(&left);
        }
        out.push(left.nth(0));
    }
}
