//! Progressive history: Nijssen and Winands, "Enhancements for multi-player Monte-Carlo tree search" (2011).

use std::array::from_fn;

use patchwork_engine::search::{Playout, PlayoutMove, PlayoutResult, SelectionRule};
use patchwork_search::{LANES, PartInfo, PartKey, Quad, VisitForm};

/// UCB1 and a bias by the results of the same move in all iterations, whatever the position.
pub(crate) static PROGRESSIVE_HISTORY: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "progressive-history",
        about: "mean + c sqrt(ln N / n) + w h / ((1 - mean) n + 1) with the mean result h of the iterations in which the side made the same move.",
        keys: &[PartKey {
            name: "weight",
            about: "The weight w",
            default: 3.0,
            range: [0.0, 100.0],
        }],
    },
    uses_priors: false,
    uses_squares: false,
    visits: VisitForm::Count,
    learn: None,
    memory: Some(|_, kinds| Box::new(History(vec![[0.0; 2]; 2 * usize::from(kinds)]))),
    select: |node| {
        let spread = node.exploration * node.visits.ln().sqrt();
        let weight = node.keys()[0] as f32;
        let means = |_, quad: &Quad| quad.mean;
        node.greatest(means, 0.0, |i, quad| {
            let extras = node.extras(i);
            let history: [f32; LANES] =
                from_fn(|lane| extras.get(lane).map_or(0.0, |extra| extra.amaf_mean));
            from_fn(|lane| {
                let (mean, visits) = (quad.mean[lane], quad.visits[lane]);
                let lost = (1.0 - mean) * visits;
                spread / visits.sqrt() + weight * history[lane] / (lost + 1.0)
            })
        })
    },
};

/// By kind of move and side: the number of times that it was made and the sum of the results.
#[derive(Debug)]
struct History(Vec<[f32; 2]>);

fn place(one: &PlayoutMove) -> usize {
    2 * usize::from(one.kind) + one.turn.side as usize
}

impl Playout for History {
    fn recall(&mut self, _: &[PlayoutMove], one: PlayoutMove) -> [f32; 2] {
        let [count, sum] = self.0[place(&one)];
        [count, sum / count.max(1.0)]
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        for one in trace {
            let [count, sum] = &mut self.0[place(one)];
            *count += 1.0;
            *sum += result.value.seen_by(one.turn.side) as f32;
        }
    }

    fn clear(&mut self) {
        self.0.fill([0.0; 2]);
    }
}
