//! Standard heuristics of constraint programming: which square to decide first (section 5.1).

use patchwork_kernel::{ConstraintSolver, Var};

use super::expression::MODEL_SQUARES;
use super::variables::PlacementModel;

/// What a heuristic measures; all but the sizes are learned from propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicMeasure {
    /// The smallest domain first: first-fail, as in the text.
    SmallestDomain,
    /// The largest domain first, as in the published program.
    LargestDomain,
    /// Accumulated failure count.
    FailureCount,
    /// Activity.
    Activity,
    /// Conflict history.
    ConflictHistory,
}

/// The variables whose measures count for a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeuristicScope {
    /// The square's own variable, whose value is what covers it.
    #[default]
    Square,
    /// The square's own variable and, for every patch and for staying empty, the square's 0/1 variable: the
    /// sums of the paper's text.
    SquareAndPatches,
    /// The sums of the published program, which take the 0/1 variables of other squares: it indexes the table
    /// of patches by squares with the number of values instead of the number of squares.
    Published,
}

/// A measure over domain size, summed over some variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// What is measured.
    pub measure: HeuristicMeasure,
    /// The variables over which it is summed.
    pub scope: HeuristicScope,
}

impl Heuristic {
    /// The rating of a square of the model's board, 0 to 89; the square with the highest rating is decided
    /// next.
    pub(super) fn rate(
        self,
        model: &PlacementModel,
        solver: &ConstraintSolver,
        square: usize,
    ) -> f64 {
        let own = model.board(square);
        let size = f64::from(solver.store().size(own));
        let measure: &dyn Fn(Var) -> f64 = match self.measure {
            HeuristicMeasure::SmallestDomain => return -size,
            HeuristicMeasure::LargestDomain => return size,
            HeuristicMeasure::FailureCount => &|var| solver.failure_count(var),
            HeuristicMeasure::Activity => &|var| solver.learning().activity(var),
            HeuristicMeasure::ConflictHistory => &|var| solver.learning().conflict_history(var),
        };
        let values = model.end() + 1;
        let mut sum = measure(own);
        match self.scope {
            HeuristicScope::Square => {}
            HeuristicScope::SquareAndPatches => {
                sum += (0..values)
                    .map(|value| measure(model.flag(value, square)))
                    .sum::<f64>();
            }
            HeuristicScope::Published => {
                for step in 0..values {
                    let place = square + step * values;
                    let flag = model.flag(place / MODEL_SQUARES, place % MODEL_SQUARES);
                    sum += measure(flag);
                }
            }
        }
        sum / size
    }
}
