//! PUCT as in Silver et al., "Mastering the game of Go without human knowledge" (2017).

use std::array::from_fn;

use crate::part::PartInfo;
use crate::select::{SelectionNode, SelectionRule};
use crate::tree::node::{LANES, Quad, VisitForm};

pub(super) static PUCT: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "puct",
        about: "mean + c P sqrt(N) / (1 + n) with the prior P of the action.",
        keys: &[],
    },
    uses_priors: true,
    uses_squares: false,
    visits: VisitForm::CountAndOne,
    learn: None,
    memory: None,
    select: |node| select(node, |_, quad| quad.mean),
};

#[inline(always)]
pub(super) fn select(
    node: &SelectionNode<'_>,
    means: impl Fn(usize, &Quad) -> [f32; LANES],
) -> Option<u16> {
    let spread = node.exploration * node.visits.sqrt();
    node.greatest(means, spread, |_, quad| {
        from_fn(|lane| spread * quad.prior[lane] / quad.visits[lane])
    })
}
