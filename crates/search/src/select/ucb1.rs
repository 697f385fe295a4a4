//! UCB1: Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002).

use std::array::from_fn;

use crate::part::PartInfo;
use crate::select::{SelectionNode, SelectionRule};
use crate::tree::node::{LANES, Quad, VisitForm};

pub(super) static UCB1: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "ucb1",
        about: "mean + c sqrt(ln N / n).",
        keys: &[],
    },
    uses_priors: false,
    uses_squares: false,
    visits: VisitForm::InverseRoot,
    learn: None,
    memory: None,
    select: |node| select(node, |_, quad| quad.mean, |root| root),
};

#[inline(always)]
pub(super) fn select(
    node: &SelectionNode<'_>,
    means: impl Fn(usize, &Quad) -> [f32; LANES],
    inverse_root: impl Fn(f32) -> f32,
) -> Option<u16> {
    let spread = node.exploration * libm::logf(node.visits).sqrt();
    node.greatest(means, 0.0, |_, quad| {
        from_fn(|lane| spread * inverse_root(quad.visits[lane]))
    })
}
