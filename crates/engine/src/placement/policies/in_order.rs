use crate::board::Square;
use crate::game::Placement;
use crate::placement::alternatives::Alternatives;
use crate::placement::candidates::Candidates;
use crate::placement::policies::Policy;
use crate::placement::problem::Problem;

/// The placement with the greatest row-major bit string: its first square is as early as possible,
/// then its second square, and so on.
pub(super) static IN_ORDER: Policy = Policy {
    is_single: true,
    is_first: true,
    ..Policy::new(
        "in-order",
        "first square as early as possible in row-major order, then the next, ...",
        generate,
    )
};

fn generate(_: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives) {
    for candidates in groups {
        let mut best = (u32::MAX, 0);
        for &o in candidates.shape().by_anchor() {
            let first = candidates.anchors(o as usize).first_index();
            if first < best.0 {
                best = (first, o);
            }
        }
        if let Some(anchor) = Square::new(best.0 as u8) {
            out.push(Placement::inside(best.1, anchor));
        }
    }
}
