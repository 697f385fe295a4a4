//! Evaluations: they choose the best of a policy's placements (section 5.2 of the paper).

use super::evaluation::Evaluation;

/// Declares the file of each evaluation and the list of all of them.
macro_rules! evaluations {
    ($($file:ident: $($evaluation:ident),+;)+) => {
        $(mod $file;)+

        /// All evaluations.
        pub static EVALUATIONS: [&Evaluation; [$($(stringify!($evaluation)),+),+].len()] =
            [$($(&$file::$evaluation),+),+];
    };
}

pub use patterns::pattern_counts;

evaluations! {
    first: FIRST;
    random: RANDOM;
    extent: LEFT, BOTTOM, AREA;
    patterns: PATTERNS;
    regret: REGRET, REVERSE_REGRET;
}
