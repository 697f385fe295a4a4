use crate::board::Quilt;
use crate::game::Placement;
use crate::placement::alternatives::Alternatives;
use crate::placement::candidates::Candidates;
use crate::placement::policies::Policy;
use crate::placement::problem::Problem;

/// Every placement, in descending order of row-major bit strings.
pub(super) static ALL: Policy = Policy {
    is_exhaustive: true,
    ..Policy::new("all", "every placement", generate)
};

fn generate(_: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives) {
    for candidates in groups {
        let shape = candidates.shape();
        let anchors = (0..shape.orientations().len())
            .map(|o| candidates.anchors(o).squares())
            .fold(Quilt::EMPTY, Quilt::union);
        for anchor in anchors.squares() {
            for &o in shape.by_anchor() {
                if candidates.anchors(o as usize).squares().contains(anchor) {
                    out.push(Placement::inside(o, anchor));
                }
            }
        }
    }
}
