//! Generalized rapid action value estimation: Cazenave, "Generalized rapid action value estimation" (2015).

use std::array::from_fn;
use std::collections::{BTreeSet, HashMap};

use patchwork_engine::search::{Playout, PlayoutMove, PlayoutResult, SelectionRule, Side};
use patchwork_search::{PartInfo, PartKey, Quad, VisitForm};

/// RAVE by what the nearest node above with enough visits knows, for moves of any position below it. The exploration constant
/// of the paper is 0.
pub(crate) static GRAVE: SelectionRule = SelectionRule {
    info: PartInfo {
        name: "grave",
        about: "As `ucb1`, but with the means mixed with those of the same moves after the nearest node with enough visits (GRAVE).",
        keys: &[
            PartKey {
                name: "ref",
                about: "The visits that this node, the node of the action or one above it, has",
                default: 50.0,
                range: [0.0, 1e9],
            },
            PartKey {
                name: "bias",
                about: "How much visits of the action count against the results of the same moves",
                default: 1e-5,
                range: [0.0, 1.0],
            },
        ],
    },
    uses_priors: false,
    uses_squares: false,
    visits: VisitForm::Count,
    learn: None,
    memory: Some(|keys, kinds| {
        Box::new(Ancestors {
            least: keys[0] as f32,
            kinds: 2 * usize::from(kinds),
            root: Ancestor::default(),
        })
    }),
    select: |node| {
        let spread = node.exploration * node.visits.ln().sqrt();
        let bias = node.keys()[1] as f32;
        let means = |i, quad: &Quad| {
            let mut means = quad.mean;
            for (lane, extra) in node.extras(i).iter().enumerate() {
                let (known, visits) = (extra.amaf_visits, quad.visits[lane]);
                if known > 0.0 {
                    let weight = known / (known + visits + bias * known * visits);
                    means[lane] += weight * (extra.amaf_mean - means[lane]);
                }
            }
            means
        };
        node.greatest(means, 0.0, |_, quad| {
            from_fn(|lane| spread / quad.visits[lane].sqrt())
        })
    },
};

/// What nodes know of moves made there or later. Nodes that the same kinds of moves lead to are one.
#[derive(Debug)]
struct Ancestors {
    least: f32,
    /// The number of kinds of moves, those of the sides told apart.
    kinds: usize,
    root: Ancestor,
}

#[derive(Debug, Default)]
struct Ancestor {
    visits: f32,
    /// By kind of move and side: the number of iterations with it and the sum of their results; empty without visits.
    moves: Vec<[f32; 2]>,
    /// The nodes below, by the kind of the move.
    next: HashMap<u16, Self>,
}

fn place(one: &PlayoutMove) -> usize {
    2 * usize::from(one.kind) + one.turn.side as usize
}

impl Ancestor {
    /// Learns from the moves of an iteration, here and later, and returns their places. The node becomes known, or if it is
    /// already, one more below it.
    fn learn(&mut self, trace: &[PlayoutMove], results: [f32; 2], kinds: usize) -> BTreeSet<usize> {
        let mut made = match trace {
            [first, rest @ ..] if self.visits > 0.0 => {
                let next = self.next.entry(first.kind).or_default();
                next.learn(rest, results, kinds)
            }
            _ => trace.iter().map(place).collect(),
        };
        made.extend(trace.first().map(place));
        self.visits += 1.0;
        self.moves.resize(kinds, [0.0; 2]);
        for &place in &made {
            let [count, sum] = &mut self.moves[place];
            *count += 1.0;
            *sum += results[place % 2];
        }
        made
    }
}

impl Playout for Ancestors {
    fn recall(&mut self, trace: &[PlayoutMove], one: PlayoutMove) -> [f32; 2] {
        let mut node = &self.root;
        for step in trace {
            match node.next.get(&step.kind) {
                Some(next) if next.visits >= self.least => node = next,
                _ => break,
            }
        }
        let [count, sum] = *node.moves.get(place(&one)).unwrap_or(&[0.0; 2]);
        [count, sum / count.max(1.0)]
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        let results = [Side::First, Side::Second].map(|side| result.value.seen_by(side) as f32);
        self.root.learn(trace, results, self.kinds);
    }

    fn keep(&mut self, played: u16) {
        self.root = self.root.next.remove(&played).unwrap_or_default();
    }

    fn clear(&mut self) {
        self.root = Ancestor::default();
    }
}
