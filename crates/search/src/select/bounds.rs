//! Rules by bounds: UCB1 and UCB1-tuned, of Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit
//! problem" (2002), and PUCT as in Silver et al., "Mastering the game of Go without human knowledge" (2017).

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
    select: |node| ucb1(node, |_, quad| quad.mean, |root| root),
};

#[inline(always)]
pub(super) fn ucb1(
    node: &SelectionNode<'_>,
    means: impl Fn(usize, &Quad) -> [f32; LANES],
    inverse_root: impl Fn(f32) -> f32,
) -> Option<u16> {
    let spread = node.exploration * libm::logf(node.visits).sqrt();
    node.greatest(means, 0.0, |_, quad| {
        from_fn(|lane| spread * inverse_root(quad.visits[lane]))
    })
}

pub(super) static UCB1_TUNED: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "ucb1-tuned",
        about: "mean + c sqrt(ln N / n min(1/4, V)) with V = variance + sqrt(2 ln N / n).",
        keys: &[],
    },
    uses_squares: true,
    visits: VisitForm::Count,
    select: |node| ucb1_tuned(node, |_, quad| quad.mean),
    ..UCB1
};

#[inline(always)]
pub(super) fn ucb1_tuned(
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

pub(super) static PUCT: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "puct",
        about: "mean + c P sqrt(N) / (1 + n) with the prior P of the action.",
        keys: &[],
    },
    uses_priors: true,
    visits: VisitForm::CountAndOne,
    select: |node| puct(node, |_, quad| quad.mean),
    ..UCB1
};

#[inline(always)]
pub(super) fn puct(
    node: &SelectionNode<'_>,
    means: impl Fn(usize, &Quad) -> [f32; LANES],
) -> Option<u16> {
    let spread = node.exploration * node.visits.sqrt();
    node.greatest(means, spread, |_, quad| {
        from_fn(|lane| spread * quad.prior[lane] / quad.visits[lane])
    })
}
