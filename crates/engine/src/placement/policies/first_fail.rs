use crate::placement::domains::{Domains, search_by_domain};
use crate::placement::policies::Policy;

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
