//! Analysis of one position: a search of any length and its results.
//!
//! A [`Position`] is analysed by a search in slices. After each slice, [`Analysis::report`] gives the
//! current results. An agent without a tree only makes a decision ([`PositionReport::of_decision`]).
//! Reports are data, see `docs/analyze.md`.
//!
//! ```
//! use patchwork_engine::agent::{self, MctsSettings};
//! use patchwork_engine::analysis::Analysis;
//! use patchwork_engine::game::{Position, Setup, Track};
//! use patchwork_engine::search::{Budget, Stop};
//! use patchwork_engine::util::rng::stream;
//!
//! let agent = agent::AgentFile::read("agents/mcts-fast.toml".as_ref())?;
//! let settings: Option<&MctsSettings> = agent.config.downcast_ref();
//! let settings = settings.expect("an MCTS agent").clone();
//! let setup = Setup::random(Track::Original, &mut stream(&[1]));
//! let mut analysis = Analysis::new(Position::start(setup), settings, stream(&[2]))?;
//! analysis.run(Budget::Iterations(100), &Stop::new(), |_| ());
//! let report = analysis.report(&agent.name, 3);
//! assert_eq!(report.search.expect("a tree").iterations, 100);
//! assert_eq!(report.actions.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod report;
mod search_report;

use std::time::Duration;

pub use report::{
    ActionRow, BestAction, ChoiceRow, Ended, LineStep, PositionEstimate, PositionReport,
    SearchFacts, Timing,
};

use crate::agent::{Decision, MctsSettings, PatchworkModel, PatchworkSearch, Step};
use crate::game::{Action, Player, Position};
use crate::search::{Budget, Depth, MAX_VISITS, Search, Stop};
use crate::util::InputError;
use crate::util::clock::Instant;
use crate::util::rng::Rng;

/// A search of one position that proceeds in slices.
///
/// It uses the agent's settings except for the budget and `early_stop`: it continues even if the
/// choice can no longer change. It stops on its own when the position is proven.
pub struct Analysis {
    position: Position,
    settings: MctsSettings,
    estimate: PositionEstimate,
    /// Number of threads that searched last.
    searching: u32,
    search: PatchworkSearch,
    /// A winning action found by exact search, without the tree.
    solved: Option<Action>,
    /// Whether the exact search has been made.
    is_solver_done: bool,
    decision: Option<Decision>,
    ended: Option<Ended>,
    iterations: u64,
    depth: Depth,
    time: Duration,
}

/// Minimum number of iterations of each thread per slice.
const SLICE: u32 = 512;
const SLICE_TIME: Duration = Duration::from_millis(100);

impl Analysis {
    /// Creates an analysis without any iterations.
    ///
    /// # Panics
    /// If the game is over in the position.
    pub fn new(
        position: Position,
        mut settings: MctsSettings,
        rng: Rng,
    ) -> Result<Self, InputError> {
        assert!(!position.state.is_over(), "the game is over");
        settings.search.early_stop = Some(false);
        let mut estimator = settings.estimate.estimator()?;
        Ok(Self {
            searching: 1,
            search: PatchworkSearch::new(&position.setup, settings.clone(), &estimator, rng),
            solved: None,
            is_solver_done: false,
            estimate: PositionEstimate::new(&position, &mut estimator),
            settings,
            position,
            decision: None,
            ended: None,
            iterations: 0,
            depth: Depth::default(),
            time: Duration::ZERO,
        })
    }

    /// Searches until the budget is spent, `stop` is set or the position is proven. Calls `watch`
    /// with the analysis several times per second. With a budget of iterations, a single thread searches.
    pub fn run(&mut self, budget: Budget, stop: &Stop, mut watch: impl FnMut(&Self)) {
        let start = Instant::now();
        let before = self.time;
        self.searching = if budget.time().is_some() {
            self.settings.threads()
        } else {
            1
        };
        if !std::mem::replace(&mut self.is_solver_done, true) {
            let Position { setup, state, .. } = &self.position;
            self.solved = self.settings.winning_action(setup, state, budget, stop);
        }
        let mut left = budget.less(start.elapsed());
        self.ended = None;
        while self.ended.is_none() {
            let iterations = self.search_slice(left, stop);
            self.time = before + start.elapsed();
            let spent = if let Budget::Iterations(left) = &mut left {
                *left = left.saturating_sub(iterations);
                *left == 0
            } else {
                left = budget.less(start.elapsed());
                left.time() == Some(Duration::ZERO)
            };
            self.ended = if self.winner().is_some() {
                Some(Ended::Proven)
            } else if iterations == 0 {
                Some(Ended::Forced)
            } else if stop.is_set() {
                Some(Ended::Interrupted)
            } else if spent {
                Some(Ended::Budget)
            } else {
                (self.iterations >= MAX_VISITS.into()).then_some(Ended::Full)
            };
            watch(self);
        }
    }

    /// The budget of the next slice of a search by time. A slice limited by time would leave no room for recycling a
    /// large tree, so only the last slice is limited by time.
    fn slice(&self, left: Budget) -> Budget {
        match left.time() {
            Some(time) if time <= 2 * SLICE_TIME => left,
            _ => {
                let rate = self.iterations as f64 / self.time.as_secs_f64().max(1e-9);
                let count = (rate * SLICE_TIME.as_secs_f64()) as u32;
                Budget::Iterations(if self.iterations == 0 {
                    SLICE * self.searching / 8
                } else {
                    count.max(1)
                })
            }
        }
    }

    /// Runs one slice and returns its number of iterations.
    fn search_slice(&mut self, left: Budget, stop: &Stop) -> u32 {
        let state = &self.position.state;
        let slice = self.slice(left);
        let mut decision = if self.searching > 1 {
            self.search.decide_together(state, &slice.meter(stop))
        } else if left.iterations().is_some() {
            let meter = left.meter(stop).with_pause(SLICE);
            self.search.decide(state, &meter)
        } else {
            self.search.decide(state, &slice.meter(stop))
        };
        let iterations = decision.thought.iterations;
        self.iterations += u64::from(iterations);
        if iterations > 0 {
            self.depth = self.depth.and(self.search.tree_search().depth());
        }
        if let Some(action) = self.solved {
            decision.action = action;
            decision.thought.proven = Some(true);
            decision.thought.value = Some(1.0);
        }
        self.decision = Some(decision);
        iterations
    }

    /// The winner if both play optimally, if proven.
    pub fn winner(&self) -> Option<Player> {
        match self.solved {
            Some(_) => Some(self.position.state.mover()),
            None => self.search.winner(),
        }
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The search tree.
    pub const fn tree(&self) -> &Search<PatchworkModel> {
        self.search.tree_search()
    }

    /// The principal variation that begins with this action, as far as the search has gone.
    pub fn line_from(&self, action: Action) -> Vec<Action> {
        let mut path = match action {
            Action::Buy(patch, _) if !self.tree().candidates(&[Step::Pick(patch)]).is_empty() => {
                vec![Step::Pick(patch)]
            }
            _ => Vec::new(),
        };
        path.push(Step::Play(action));
        let mut line = vec![action];
        while let Some(best) = self.tree().best(&path).filter(|best| best.visits > 0) {
            path.push(best.action);
            if let Step::Play(action) = best.action {
                line.push(action);
            }
        }
        line
    }

    /// Iterations so far.
    pub const fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Time spent so far.
    pub const fn time(&self) -> Duration {
        self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentFile, Estimator};
    use crate::testing::setup;
    use crate::util::rng::stream;
    use std::num::NonZeroU32;
    use std::path::Path;

    fn settings(threads: u32, batch: u32) -> MctsSettings {
        let text = include_str!("../agents/mcts-regret-wide.toml");
        let file = AgentFile::parse(Path::new("mcts-regret-wide"), text).unwrap();
        let settings: Option<&MctsSettings> = file.config.downcast_ref();
        let mut settings = settings.expect("an MCTS agent").clone();
        settings.threads = NonZeroU32::new(threads);
        settings.search.batch = Some(batch);
        settings
    }

    fn start() -> Position {
        let start = Position::start(setup(5));
        start.after([Action::Advance]).expect("legal")
    }

    #[test]
    fn slices_add_up_to_one_search() {
        for (threads, batch) in [(1, 1), (3, 1), (1, 64)] {
            let settings = settings(threads, batch);
            let count = 2 * SLICE + 7;
            let position = start();
            let mut whole_search = PatchworkSearch::new(
                &position.setup,
                settings.clone(),
                &Estimator::Linear,
                stream(&[9]),
            );
            let (budget, stop) = (Budget::Iterations(count), Stop::new());
            let whole = whole_search.decide(&position.state, &budget.meter(&stop));
            let mut analysis = Analysis::new(position, settings, stream(&[9])).expect("no network");
            let mut looks = 0;
            analysis.run(budget, &stop, |_| looks += 1);
            assert!(looks == 3 || batch > 1 && looks > 1);
            assert_eq!(analysis.ended, Some(Ended::Budget));
            assert_eq!(analysis.iterations, u64::from(count));
            assert_eq!(
                analysis.search.tree_search().candidates(&[]),
                whole_search.tree_search().candidates(&[])
            );
            assert_eq!(analysis.decision.unwrap().action, whole.action);
            let report = analysis.report("it", 10);
            assert_eq!(report.search.as_ref().unwrap().threads, 1);
            let (search, tree) = (report.search.unwrap(), whole.thought.tree.unwrap());
            assert!((search.mean_depth - f64::from(tree.mean_depth)).abs() < 1e-5);
            assert_eq!(search.max_depth, usize::from(tree.max_depth));
            assert_eq!(search.entropy, tree.entropy);
        }
    }

    #[test]
    fn several_threads_search_if_the_budget_is_time() {
        let mut analysis =
            Analysis::new(start(), settings(3, 1), stream(&[9])).expect("no network");
        analysis.run(Budget::Time(3 * SLICE_TIME), &Stop::new(), |_| ());
        let search = analysis.report("it", 10).search.unwrap();
        assert_eq!(search.threads, 3);
        let candidates = analysis.search.tree_search().candidates(&[]);
        let visits: u64 = candidates.iter().map(|one| u64::from(one.visits)).sum();
        assert_eq!(visits, search.iterations);
    }

    #[test]
    fn an_analysis_can_go_on() {
        let mut analysis =
            Analysis::new(start(), settings(1, 1), stream(&[9])).expect("no network");
        let stop = Stop::new();
        for (budget, least) in [
            (Budget::Iterations(100), 100),
            (Budget::Time(Duration::from_millis(1)), 101),
        ] {
            analysis.run(budget, &stop, |_| ());
            assert!(analysis.iterations >= least);
        }
        stop.set();
        analysis.run(Budget::Time(Duration::from_secs(60)), &stop, |_| ());
        assert_eq!(analysis.ended, Some(Ended::Interrupted));
    }
}
