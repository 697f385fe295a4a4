use crate::placement::evaluations::Evaluation;
use crate::util::rng::{Rng, below};

/// A uniformly random order.
pub(super) static RANDOM: Evaluation = Evaluation {
    is_uniform: true,
    ..Evaluation::new("random", "a uniformly random one", |_, _, rng, scores| {
        shuffle(rng, scores);
    })
};

/// Inside-out Fisher-Yates shuffle: the scores are a random permutation of 0, 1, 2, ...
fn shuffle(rng: &mut Rng, scores: &mut [i32]) {
    for i in 0..scores.len() {
        let j = below(i as u32 + 1, rng) as usize;
        scores[i] = scores[j];
        scores[j] = i as i32;
    }
}
