//! Evaluations: which of a policy's placements is best (the paper, section 5.2).
//!
//! A new evaluation is a type here and an entry in [`EVALUATIONS`].

use super::domains::{least_regret, regrets};
use super::problem::Problem;
use crate::board::{Quilt, SIDE};
use crate::game::Placement;
use crate::util::rng::{Rng, below};

/// Scores placements; the least score is best, and ties keep the policy's order.
pub trait Evaluation: Sync {
    /// The name in configuration files.
    fn name(&self) -> &'static str;

    /// What it does, in a phrase.
    fn about(&self) -> &'static str;

    /// Writes the score of each placement to `scores`, which is as long.
    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    );

    /// Index of the first of the best placements, of which there is one at least; `scores` is as
    /// long and left with any numbers.
    fn best(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    ) -> usize {
        self.score(problem, placements, rng, scores);
        first_least(scores)
    }

    /// Whether each placement is best with the same probability, whatever the problem.
    fn is_uniform(&self) -> bool {
        false
    }
}

fn first_least(scores: &[i32]) -> usize {
    let least = (0..scores.len()).min_by_key(|&i| scores[i]);
    least.unwrap_or(0)
}

/// All evaluations.
pub static EVALUATIONS: [&dyn Evaluation; 7] = [
    &First,
    &Random,
    &Extent {
        name: "left",
        about: "least right extent of the placement",
        measure: |_, squares| last_column(squares),
    },
    &Extent {
        name: "bottom",
        about: "least bottom extent of the placement",
        measure: |_, squares| last_row(squares),
    },
    &Extent {
        name: "area",
        about: "least growth of the bounding box of the covered squares",
        measure: |quilt, squares| quilt.union(squares).bounding_area() as i32,
    },
    &Regret {
        name: "regret",
        about: "rules out the fewest later placements",
        sign: 1,
    },
    &Regret {
        name: "reverse-regret",
        about: "rules out the most later placements",
        sign: -1,
    },
];

/// The first placement that the policy generated.
struct First;

impl Evaluation for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn about(&self) -> &'static str {
        "the policy's first placement"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], _: &mut Rng, scores: &mut [i32]) {
        scores.fill(0);
    }
}

/// A uniformly random order.
struct Random;

impl Evaluation for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn about(&self) -> &'static str {
        "a uniformly random one"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], rng: &mut Rng, scores: &mut [i32]) {
        // Fisher and Yates, inside out: the scores are a random order of 0, 1, 2, ...
        for i in 0..scores.len() {
            let j = below(i as u32 + 1, rng) as usize;
            scores[i] = scores[j];
            scores[j] = i as i32;
        }
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

/// A measure of where the squares lie.
struct Extent {
    name: &'static str,
    about: &'static str,
    /// Of the covered squares and those of the placement.
    measure: fn(Quilt, Quilt) -> i32,
}

impl Evaluation for Extent {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) {
        for (score, placement) in scores.iter_mut().zip(placements) {
            *score = (self.measure)(problem.quilt(), placement.squares(problem.shape()));
        }
    }
}

fn last_column(squares: Quilt) -> i32 {
    squares.last_column().unwrap_or(SIDE) as i32
}

fn last_row(squares: Quilt) -> i32 {
    squares.last_row().unwrap_or(SIDE) as i32
}

/// Propagation guided global regret, the paper's equation 7.
struct Regret {
    name: &'static str,
    about: &'static str,
    sign: i32,
}

impl Evaluation for Regret {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) {
        regrets(problem, placements, scores);
        scores.iter_mut().for_each(|score| *score *= self.sign);
    }

    fn best(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    ) -> usize {
        if self.sign > 0 {
            return least_regret(problem, placements, scores);
        }
        self.score(problem, placements, rng, scores);
        first_least(scores)
    }
}
