//! Playout policy adaptation: Cazenave, "Playout policy adaptation with move features" (2016).

use patchwork_engine::search::{
    Picker, Playout, PlayoutMove, PlayoutOption, PlayoutPolicy, PlayoutResult, PlayoutTurn,
};
use patchwork_search::{PartInfo, PartKey};

/// Weights of moves that rise by the gradient of the winner's choices.
pub(crate) static PPA: PlayoutPolicy = PlayoutPolicy {
    info: PartInfo {
        name: "ppa",
        about: "The weights of the winner's moves rise, those of what it could have done instead fall.",
        keys: &[
            PartKey {
                name: "points",
                about: "By how much a weight of 1 raises the score of a move",
                default: 1.0,
                range: [0.0, 100.0],
            },
            PartKey {
                name: "rate",
                about: "The rate of learning",
                default: 0.1,
                range: [0.0, 10.0],
            },
        ],
    },
    build: |keys, kinds| {
        Box::new(Adaptation {
            points: keys[0] as f32,
            rate: keys[1] as f32,
            weights: [(); 2].map(|()| vec![0.0; kinds.into()]),
            choices: Vec::new(),
        })
    },
};

#[derive(Debug)]
struct Adaptation {
    points: f32,
    rate: f32,
    /// By side and kind of move.
    weights: [Vec<f32>; 2],
    /// The options of each turn of the playout, with the number of moves before it.
    choices: Vec<(usize, Vec<u16>)>,
}

impl Playout for Adaptation {
    fn weigh(
        &mut self,
        trace: &[PlayoutMove],
        turn: PlayoutTurn,
        options: &mut [PlayoutOption],
        picker: &Picker,
    ) {
        // The engine asks again without a patch that does not fit.
        self.choices.pop_if(|(before, _)| *before == trace.len());
        let kinds = options.iter().map(|option| option.kind).collect();
        self.choices.push((trace.len(), kinds));
        let weights = &self.weights[turn.side as usize];
        for option in options {
            let by = self.points * weights[usize::from(option.kind)];
            option.worth = picker.raised(option.worth, by);
        }
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        for (before, kinds) in self.choices.drain(..) {
            // A playout may have been cut off here.
            let Some(made) = trace.get(before) else { break };
            if result.value.seen_by(made.turn.side) <= 0.5 {
                continue;
            }
            let weights = &mut self.weights[made.turn.side as usize];
            let odds: Vec<f32> = kinds
                .iter()
                .map(|&kind| weights[usize::from(kind)].exp())
                .collect();
            let total: f32 = odds.iter().sum();
            for (kind, odds) in kinds.into_iter().zip(odds) {
                weights[usize::from(kind)] -= self.rate * odds / total;
            }
            weights[usize::from(made.kind)] += self.rate;
        }
    }

    fn clear(&mut self) {
        self.weights
            .iter_mut()
            .for_each(|weights| weights.fill(0.0));
        self.choices.clear();
    }
}
