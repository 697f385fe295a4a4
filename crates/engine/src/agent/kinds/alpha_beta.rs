//! Alpha-beta search with iterative deepening, a transposition table and the position estimate.
//!
//! Values are from the point of view of the player to move; the sign changes only where the mover
//! changes. At the horizon, the value of a position is the log-odds of winning given by the
//! position estimate. A finished game has a greater absolute value than any estimate, and larger
//! margins have larger values.

mod transpositions;

use serde::{Deserialize, Serialize};

use self::transpositions::{Transpositions, ValueBound};
use crate::agent::declare::{IdleKey, settings};
use crate::agent::evaluation::estimator::Estimator;
use crate::agent::evaluation::evaluation_spec::EvaluationSpec;
use crate::agent::evaluation::position_value::{MAX_ESTIMATE, PROVEN, chance, guess, result};
use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, AgentFault, Decision, Limit, STARTED, or_failing};
use crate::agent::rollout::ranked_actions::{Breadth, RankedActions};
use crate::agent::rollout::workspace::Workspace;
use crate::game::{Action, MAX_PLIES, Setup, State};
use crate::record::Thought;
use crate::search::{Budget, Clock, Meter, Stop, budget_key};
use crate::util::InputError;
use crate::util::config::Count;
use crate::util::rng::Rng;

settings! {
    /// The settings of an alpha-beta agent.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct AlphaBetaSettings in "" {
        /// Search depth in turns (`depth`; special patches and forced turns do not count), number of
        /// positions visited (`nodes`), `milliseconds` or `processor_milliseconds`.
        #[serde(deserialize_with = "budget")]
        #[cfg_attr(feature = "schema", schemars(schema_with = "budget_schema"))]
        pub budget: Budget,
        /// How positions are estimated: `linear` (fitted features, the default), `learned` (the network of the program)
        /// or a network of your own.
        #[serde(default, skip_serializing_if = "EvaluationSpec::is_linear")]
        pub estimate: EvaluationSpec,
        /// The actions searched in each position.
        pub expansion: Breadth,
        /// Size of the transposition table in megabytes, rounded down so that the number of entries is
        /// a power of two;
        pub table_megabytes: Count = 8 in 1..=4096,
    }
}

budget_key!(&["depth", "nodes", "milliseconds", "processor_milliseconds"]);

const MEGABYTE: usize = 1 << 20;

impl AgentKind for AlphaBetaSettings {
    fn name() -> &'static str {
        "alpha-beta"
    }

    fn check(&self) -> Result<(), InputError> {
        self.check_keys()
    }

    fn build(&self) -> Box<dyn Agent> {
        or_failing(self.estimate.estimator(), |estimator| {
            Box::new(AlphaBetaAgent::new(self, estimator))
        })
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn state_defaults(&mut self) {
        self.state_keys();
    }

    fn idle(&self) -> Vec<IdleKey> {
        self.idle_keys()
    }

    fn estimate(&mut self) -> Option<&mut EvaluationSpec> {
        Some(&mut self.estimate)
    }
}

/// The value guaranteed to a player who has not tried every action: slightly below the worst
/// estimate, and not proven.
const UNTRIED: i32 = -MAX_ESTIMATE - 1;
const INFINITE: i32 = i32::MAX;

struct AlphaBetaAgent {
    budget: Budget,
    estimator: Estimator,
    breadth: Breadth,
    /// Kept between games only to reuse the allocation.
    table: Transpositions,
    work: Option<Workspace>,
    /// A list of actions for each ply of the search.
    lists: Vec<RankedActions>,
}

impl AlphaBetaAgent {
    fn new(settings: &AlphaBetaSettings, estimator: Estimator) -> Self {
        Self {
            budget: settings.budget,
            estimator,
            breadth: settings.expansion,
            table: Transpositions::new(settings.table_megabytes() as usize * MEGABYTE),
            work: None,
            lists: vec![RankedActions::default(); MAX_PLIES + 1],
        }
    }

    fn search<'a>(
        &'a mut self,
        setup: &'a Setup,
        budget: Budget,
        stop: &'a Stop,
    ) -> AlphaBetaSearch<'a> {
        self.table.grow_older();
        AlphaBetaSearch {
            setup,
            table: &mut self.table,
            estimator: &mut self.estimator,
            breadth: self.breadth,
            work: self.work.as_mut().expect(STARTED),
            lists: &mut self.lists,
            nodes: 0,
            most_nodes: budget.iterations().unwrap_or(u32::MAX),
            meter: budget.meter(stop),
            aborted: false,
            horizon: false,
        }
    }
}

impl Agent for AlphaBetaAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.table.clear();
        self.work = Some(Workspace::new(rng));
    }

    fn clock(&self) -> Clock {
        self.budget.clock()
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let budget = limit.budget.unwrap_or(self.budget);
        let most_depth = match budget {
            Budget::Depth(depth) => i32::try_from(depth).unwrap_or(i32::MAX),
            _ => i32::MAX,
        };
        let most_depth = most_depth.min(MAX_PLIES as i32);
        let mut search = self.search(setup, budget, limit.stop);
        Ok(search.deepen(state, most_depth))
    }
}

struct AlphaBetaSearch<'a> {
    setup: &'a Setup,
    table: &'a mut Transpositions,
    estimator: &'a mut Estimator,
    breadth: Breadth,
    work: &'a mut Workspace,
    lists: &'a mut [RankedActions],
    nodes: u32,
    most_nodes: u32,
    meter: Meter<'a>,
    /// Set when the budget is spent; values are meaningless from then on.
    aborted: bool,
    /// Set when the search stopped before the end of the game in some position.
    horizon: bool,
}

impl AlphaBetaSearch<'_> {
    fn deepen(&mut self, state: &State, most_depth: i32) -> Decision {
        let mut actions = Vec::new();
        let (list, breadth) = (&mut self.lists[0], &self.breadth);
        list.collect(self.setup, state, breadth, self.work, &mut actions);
        let mut value = guess(self.estimator, self.setup, state, state.mover());
        if actions.len() > 1 {
            for depth in 1..=most_depth {
                self.horizon = false;
                let found = self.root(state, &mut actions, depth);
                value = found.unwrap_or(value);
                if self.aborted || !self.horizon || value.abs() >= PROVEN {
                    break;
                }
            }
        }
        let thought = Thought {
            iterations: self.nodes,
            value: Some(chance(value)),
            proven: (value.abs() >= PROVEN).then_some(value > 0),
            ..Thought::default()
        };
        Decision::new(actions[0], thought)
    }

    /// Searches each action of the root, moves the best one to the front and returns its value.
    /// `None` if the budget was spent before the first action was searched.
    fn root(&mut self, state: &State, actions: &mut [Action], depth: i32) -> Option<i32> {
        let mut best = None;
        for i in 0..actions.len() {
            let alpha = best.unwrap_or(-INFINITE);
            let value = self.after(state, actions[i], depth, 0, (alpha, INFINITE), i == 0);
            if self.aborted {
                // A losing action says nothing about the actions that were not searched in time.
                if best.is_some_and(|best| best <= -PROVEN) {
                    actions[..=i].rotate_right(1);
                    return None;
                }
                return best;
            }
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                actions[..=i].rotate_right(1);
            }
        }
        best.map(|best| self.unless_untried(state, actions.len(), best))
    }

    /// The value of an action for the player who takes it, within a window. All actions but the
    /// first of a node are searched with a null window first.
    fn after(
        &mut self,
        state: &State,
        action: Action,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
        is_first: bool,
    ) -> i32 {
        let mut next = *state;
        next.play_unchecked(self.setup, action);
        let same = next.mover() == state.mover();
        let depth = depth - i32::from(!matches!(action, Action::Special(_)));
        let search = |search: &mut Self, alpha: i32, beta: i32| {
            if same {
                search.value(&next, depth, ply + 1, alpha, beta)
            } else {
                -search.value(&next, depth, ply + 1, -beta, -alpha)
            }
        };
        if !is_first && alpha > -INFINITE {
            let value = search(self, alpha, alpha + 1);
            if self.aborted || value <= alpha || value >= beta {
                return value;
            }
        }
        search(self, alpha, beta)
    }

    /// The value of a position for its mover: exact inside the window, a bound outside it.
    fn value(&mut self, state: &State, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.is_spent() {
            return 0;
        }
        self.nodes += 1;
        if state.is_over() {
            return result(state, state.mover());
        }
        // While a special patch waits, the estimate does not include the offers: the patch is
        // placed first.
        if depth <= 0 && state.specials_waiting() == 0 {
            self.horizon = true;
            return guess(self.estimator, self.setup, state, state.mover());
        }
        let stored = depth.clamp(0, u8::MAX.into()) as u8;
        let key = state.key();
        let known = self.table.find(key);
        if let Some(entry) = known
            && entry.depth >= stored
        {
            let settles = match entry.bound {
                ValueBound::Exact => true,
                ValueBound::Lower => entry.value >= beta,
                ValueBound::Upper => entry.value <= alpha,
            };
            if settles {
                self.horizon |= entry.value.abs() < PROVEN;
                return entry.value;
            }
        }
        // A forced turn does not reduce the depth.
        let forced = state.specials_waiting() == 0 && state.affordable(self.setup).next().is_none();
        let depth = depth + i32::from(forced);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.start(self.setup, state);
        let hint = known.map(|entry| entry.best);
        let mut best = (-INFINITE, Action::Advance);
        let mut tried = 0;
        // The best action of an earlier search is tried before any action is generated.
        let mut next = hint.or_else(|| list.next(self.setup, state, &self.breadth, self.work));
        while let Some(action) = next {
            let window = (alpha.max(best.0), beta);
            let value = self.after(state, action, depth, ply, window, tried == 0);
            tried += 1;
            if value > best.0 {
                best = (value, action);
            }
            if self.aborted || value >= beta {
                break;
            }
            next = list.next(self.setup, state, &self.breadth, self.work);
            if next.is_some() && next == hint {
                next = list.next(self.setup, state, &self.breadth, self.work);
            }
        }
        self.lists[ply] = list;
        if self.aborted {
            return 0;
        }
        // After a cutoff, the value is only a bound.
        let value = if best.0 >= beta {
            best.0
        } else {
            self.unless_untried(state, tried, best.0)
        };
        let bound = if value >= beta {
            ValueBound::Lower
        } else if value <= alpha {
            ValueBound::Upper
        } else {
            ValueBound::Exact
        };
        self.table.store(key, value, best.1, stored, bound);
        value
    }

    /// The value, except that a loss is not proven unless all actions were tried.
    fn unless_untried(&self, state: &State, tried: usize, value: i32) -> i32 {
        if value <= -PROVEN && (tried as u32) < state.count_actions(self.setup) {
            UNTRIED
        } else {
            value
        }
    }

    fn is_spent(&mut self) -> bool {
        /// Reading the clock takes about as long as a position at the horizon.
        const BETWEEN_LOOKS: u32 = 16;
        self.aborted |= self.nodes >= self.most_nodes;
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            self.aborted |= !self.meter.has_time();
        }
        self.aborted
    }
}

#[cfg(test)]
mod tests;
