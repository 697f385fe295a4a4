use crate::board::{Quilt, Square};
use crate::placement::alternatives::Alternatives;
use crate::placement::candidates::Candidates;
use crate::placement::domains::Domains;
use crate::placement::policy::Policy;
use crate::placement::problem::Problem;

/// In each group, repeatedly covers the undecided square that `next` picks and propagates, until
/// one placement is left.
pub(crate) fn search_by_domain(
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

/// Repeatedly covers the square with the smallest domain and propagates, until one placement is
/// left.
pub(super) static FIRST_FAIL: Policy = Policy {
    is_single: true,
    ..Policy::new(
        "first-fail",
        "cover the square with the smallest domain, propagate, repeat",
        |problem, groups, out| search_by_domain(problem, groups, out, Domains::smallest),
    )
};
