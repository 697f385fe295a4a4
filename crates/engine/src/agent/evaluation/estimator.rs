//! What estimates positions for an agent.

use super::net::Evaluator;
use super::position_estimate::{self, AfterActions};
use crate::game::{Setup, State};

/// Evaluates positions.
#[derive(Clone, Debug)]
pub enum Estimator {
    /// By fitted features.
    Linear,
    /// By a network.
    Net(Box<Evaluator>),
}

impl Estimator {
    /// The expected final margin of the first player, in points. For a finished game, its margin.
    #[inline]
    pub fn margin(&mut self, setup: &Setup, state: &State) -> f32 {
        match self {
            Self::Linear => position_estimate::estimate(setup, state),
            Self::Net(net) => net.margin(setup, state),
        }
    }

    /// The margin after an action of a position. Computations shared by the position's actions are done on
    /// demand and kept in `after` for the next action.
    #[inline]
    pub(in crate::agent) fn margin_after(
        &mut self,
        before: &State,
        after: &mut Option<AfterActions>,
        setup: &Setup,
        next: &State,
    ) -> f32 {
        match self {
            Self::Linear => after
                .get_or_insert_with(|| AfterActions::new(before))
                .estimate(setup, next),
            Self::Net(net) => net.margin(setup, next),
        }
    }
}
