//! Rapid action value estimation: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in
//! computer Go" (2011). The results of the same move made later in an iteration (all moves as first) change the means
//! that another rule sees, with weight sqrt(k / (3 n + k)).

use super::bounds;
use crate::part::{PartInfo, PartKey};
use crate::select::{SelectionNode, SelectionRule};
use crate::tree::node::{Extra, LANES, Quad, VisitForm};

const fn info(name: &'static str, about: &'static str) -> PartInfo {
    PartInfo {
        name,
        about,
        keys: &[PartKey {
            name: "equivalence",
            about: "The visits k of an action at which its mean and that of the same move made later have equal weight",
            default: 50.0,
            range: [0.001, 1e9],
        }],
    }
}

pub(super) static UCB1_RAVE: SelectionRule = SelectionRule {
    info: info(
        "ucb1-rave",
        "As `ucb1`, but the results of the same move made later count, too (RAVE).",
    ),
    visits: VisitForm::Count,
    learn: Some(learn),
    select: |node| bounds::ucb1(node, means(node, |n| n), |n| VisitForm::InverseRoot.of(n)),
    ..bounds::UCB1
};

pub(super) static UCB1_TUNED_RAVE: SelectionRule = SelectionRule {
    info: info("ucb1-tuned-rave", "The same with `ucb1-tuned`."),
    learn: Some(learn),
    select: |node| bounds::ucb1_tuned(node, means(node, |n| n)),
    ..bounds::UCB1_TUNED
};

pub(super) static PUCT_RAVE: SelectionRule = SelectionRule {
    info: info("puct-rave", "The same with `puct`."),
    learn: Some(learn),
    select: |node| bounds::puct(node, means(node, |more| more - 1.0)),
    ..bounds::PUCT
};

fn learn(extra: &mut Extra, result: f32) {
    extra.amaf_visits += 1.0;
    extra.amaf_mean += (result - extra.amaf_mean) / extra.amaf_visits;
}

fn means(
    node: &SelectionNode<'_>,
    visits: impl Fn(f32) -> f32,
) -> impl Fn(usize, &Quad) -> [f32; LANES] {
    let k = node.keys()[0] as f32;
    move |i, quad| {
        let mut means = quad.mean;
        for (lane, extra) in node.extras(i).iter().enumerate() {
            if extra.amaf_visits > 0.0 {
                let weight = (k / (3.0 * visits(quad.visits[lane]) + k)).sqrt();
                means[lane] += weight * (extra.amaf_mean - means[lane]);
            }
        }
        means
    }
}
