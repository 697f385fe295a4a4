//! UCB1-tuned, of the same paper as UCB1.

use crate::part::PartInfo;
use crate::select::{SelectionNode, SelectionRule};
use crate::tree::node::{LANES, Quad, VisitForm};

pub(super) static UCB1_TUNED: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "ucb1-tuned",
        about: "mean + c sqrt(ln N / n min(1/4, V)) with V = variance + sqrt(2 ln N / n).",
        keys: &[],
    },
    uses_priors: false,
    uses_squares: true,
    visits: VisitForm::Count,
    learn: None,
    memory: None,
    select: |node| select(node, |_, quad| quad.mean),
};

#[inline(always)]
pub(super) fn select(
    node: &SelectionNode<'_>,
    means: impl Fn(usize, &Quad) -> [f32; LANES],
) -> Option<u16> {
    let log = libm::logf(node.visits);
    let (spread, doubt) = (node.exploration * log.sqrt(), (2.0 * log).sqrt());
    node.greatest(means, 0.0, |i, quad| {
        let mut terms = [0.0; LANES];
        for (lane, extra) in node.extras(i).iter().enumerate() {
            let (mean, visits) = (quad.mean[lane], quad.visits[lane]);
            let width = VisitForm::InverseRoot.of(visits);
            let variance = (extra.squares / f64::from(visits.max(1.0))) as f32 - mean * mean;
            let most = (variance + doubt * width).clamp(0.0, 0.25);
            terms[lane] = spread * width * most.sqrt();
        }
        terms
    })
}
