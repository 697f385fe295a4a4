//! Evaluations: they choose the best of a policy's placements (section 5.2 of the paper).

use super::problem::Problem;
use crate::game::Placement;
use crate::util::rng::Rng;

/// Declares the file of each evaluation and the list of all of them.
macro_rules! evaluations {
    ($($file:ident: $($evaluation:ident),+;)+) => {
        $(mod $file;)+

        /// All evaluations.
        pub static EVALUATIONS: [&Evaluation; [$($(stringify!($evaluation)),+),+].len()] =
            [$($(&$file::$evaluation),+),+];
    };
}

evaluations! {
    first: FIRST;
    random: RANDOM;
    extent: LEFT, BOTTOM, AREA;
    patterns: PATTERNS;
    regret: REGRET, REVERSE_REGRET;
}

pub use patterns::pattern_counts;

/// Writes the score of each placement to the last argument, which has the same length.
pub type Score = fn(&Problem<'_>, &[Placement], &mut Rng, &mut [i32]);

/// Returns the index of the first of the best placements; the last argument has the same length, and its
/// contents are unspecified afterwards.
type QuickBest = fn(&Problem<'_>, &[Placement], &mut [i32]) -> usize;

/// Scores placements. The lowest score is best, and ties keep the policy's order.
pub struct Evaluation {
    /// The name in strategies.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Scores all placements.
    pub score: Score,
    /// A faster way to the first of the best placements, of which there is at least one.
    pub(super) quick_best: Option<QuickBest>,
    /// Whether every placement is best with equal probability, for every problem.
    pub is_uniform: bool,
    /// What the scores depend on, if a search should remember rankings because scores are expensive.
    pub remembered: Remembered,
    /// Whether placements with the same score are alike, so that a ranking has only the first of them.
    pub(super) merges_equals: bool,
}

/// What a search remembers rankings by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// It computes them again.
    Not,
    /// The quilt, the shape and the patches that may follow.
    ByProblem,
    /// The quilt and the shape.
    ByQuilt,
}

impl Evaluation {
    /// An evaluation by scores.
    pub const fn new(name: &'static str, about: &'static str, score: Score) -> Self {
        Self {
            name,
            about,
            score,
            quick_best: None,
            is_uniform: false,
            remembered: Remembered::Not,
            merges_equals: false,
        }
    }

    /// Index of the first of the best placements, of which there must be at least one. `scores`
    /// must have the same length; its contents are unspecified afterwards.
    pub fn best(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    ) -> usize {
        if let Some(quick_best) = self.quick_best {
            return quick_best(problem, placements, scores);
        }
        (self.score)(problem, placements, rng, scores);
        let least = (0..scores.len()).min_by_key(|&i| scores[i]);
        least.unwrap_or(0)
    }
}
