//! The cost of games: the measured thinking times of candidates.
//!
//! Times differ from run to run. With equal budgets and a number of pairs, they decide only the order in which the games
//! of a batch start, and the estimate of the time left. The time of the base decides the budget of a search at equal time,
//! which is therefore kept.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use patchwork_engine::agent::AgentFile;
use patchwork_engine::search::Budget;
use patchwork_engine::util::InputError;
use patchwork_engine::util::clock::{processor_time, wall_time};
use patchwork_tournament::{OVERHEAD, ledger, sample_time};
use serde::{Deserialize, Serialize};

use super::space::Point;
use super::tuning::{Tuning, budget_table, whole_milliseconds};

/// Approximate number of plies in a game, of both players together.
const PLIES: u32 = 46;

/// The number of games, and the seconds that both players thought in them.
#[derive(Clone, Copy, Debug, Default)]
struct CandidateCost {
    games: u32,
    seconds: f64,
}

impl CandidateCost {
    fn per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.seconds / f64::from(self.games))
    }
}

/// The costs of the games of a search.
#[derive(Clone, Debug)]
pub struct GameCosts {
    known: BTreeMap<Point, CandidateCost>,
    all: CandidateCost,
    /// The expected seconds of a game before any is played, if the budget determines them.
    usual: Option<f64>,
}

impl GameCosts {
    /// Costs without any games yet. A time budget gives a first estimate.
    pub(crate) fn new(budget: Option<Budget>) -> Self {
        let usual = match budget {
            Some(Budget::Time(time) | Budget::ProcessorTime(time)) => Some(time * PLIES),
            Some(Budget::GameTime(time)) => Some(time * 2),
            _ => None,
        };
        Self {
            known: BTreeMap::new(),
            all: CandidateCost::default(),
            usual: usual.map(|time| time.as_secs_f64()),
        }
    }

    /// Records a game of a candidate: the thinking time of both players.
    pub(crate) fn learn(&mut self, point: &Point, thinking: Duration) {
        let known = self.known.entry(point.clone()).or_default();
        for sum in [known, &mut self.all] {
            sum.games += 1;
            sum.seconds += thinking.as_secs_f64();
        }
    }

    /// The expected thinking time of both players in a game of a candidate: the mean of its own games, or of all games if
    /// it has not played. `None` if nothing is known.
    pub fn expected(&self, point: &Point) -> Option<Duration> {
        let own = self.known.get(point).unwrap_or(&self.all);
        Duration::try_from_secs_f64(own.per_game().or(self.usual)?).ok()
    }
}

/// The longest time in which games are played to measure the base.
const LONGEST: Duration = Duration::from_secs(1);

/// The name of the file with the measured time, in the folder of a search. With it, a search that goes on has the agents
/// that it had.
const FILE: &str = "equal-time.json";

/// What a decision of the base takes.
#[derive(Serialize, Deserialize)]
struct EqualTime {
    /// The settings of the base with its own budget.
    base: String,
    processor_milliseconds: u32,
}

impl Tuning {
    /// The search with its budget of processor time, if all candidates are to have the same: the time that the base takes
    /// for a decision, measured in up to a second or taken from the folder of a search that goes on.
    pub fn with_equal_time(mut self, dir: &Path) -> Result<Self, InputError> {
        if self.equal_to.is_none() {
            return Ok(self);
        }
        let own = self.base.config.canonical();
        let known = std::fs::read(dir.join(FILE)).ok();
        let known = known.and_then(|json| serde_json::from_slice::<EqualTime>(&json).ok());
        let time = known.filter(|time| time.base == own).unwrap_or_else(|| {
            let (_, decision) = self.sample(&self.base, processor_time);
            EqualTime {
                base: own,
                processor_milliseconds: whole_milliseconds(decision.as_secs_f64()),
            }
        });
        let budget = budget_table("processor_milliseconds", time.processor_milliseconds);
        self.base = self.base.with_budget(&budget)?;
        if self.has_common_budget {
            for opponent in &mut self.opponents {
                *opponent = opponent.with_budget(&budget)?;
            }
        }
        self.equal_time = Some(serde_json::to_vec(&time).unwrap_or_default());
        Ok(self)
    }

    /// Keeps the measured time in the folder of the search.
    pub(super) fn save_equal_time(&self, dir: &Path) -> Result<(), ledger::TournamentError> {
        match &self.equal_time {
            Some(json) => ledger::write_file(&dir.join(FILE), json),
            None => Ok(()),
        }
    }

    /// The time of both players in a game of the base against an opponent and against itself: by budgets of time, or by a
    /// few games.
    pub fn game_times(&self) -> [Duration; 2] {
        let time = |agent: &AgentFile| {
            let known = GameCosts::new(agent.config.budget()).expected(&Point::default());
            known.map_or_else(|| self.sample(agent, wall_time).0, |game| game / 2)
        };
        let own = time(&self.base);
        let is_base = |of: &AgentFile| of.config.canonical() == self.base.config.canonical();
        let others = self.opponents.iter();
        let others: Duration = others
            .map(|of| if is_base(of) { own } else { time(of) })
            .sum();
        let opponent = others / self.opponents.len().max(1) as u32;
        [opponent, own].map(|other| OVERHEAD + own + other)
    }

    /// The time of an agent in a game and for a decision, from games against itself.
    fn sample(&self, agent: &AgentFile, clock: fn() -> Duration) -> (Duration, Duration) {
        sample_time(&agent.config, self.track.into(), LONGEST, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_costs_what_its_games_did() {
        let seconds = Duration::from_secs_f64;
        let [fast, slow, new] = [1, 2, 3].map(|pick| [("pick", pick.into())].into_iter().collect());
        let cost = |costs: &GameCosts, point| costs.expected(point).map(|time| time.as_secs_f64());
        let mut costs = GameCosts::new(None);
        assert_eq!(cost(&costs, &fast), None);
        costs.learn(&fast, seconds(1.5));
        costs.learn(&slow, seconds(4.0));
        assert_eq!(
            [&fast, &slow, &new].map(|point| cost(&costs, point)),
            [Some(1.5), Some(4.0), Some(2.75)]
        );
    }

    #[test]
    fn budgets_of_time_tell_the_cost_before_the_first_game() {
        let cost = |budget| GameCosts::new(Some(budget)).expected(&Point::default());
        let seconds = Duration::from_secs_f64;
        assert_eq!(cost(Budget::Time(seconds(0.5))), Some(seconds(23.0)));
        assert_eq!(cost(Budget::GameTime(seconds(9.0))), Some(seconds(18.0)));
        assert_eq!(cost(Budget::Iterations(9)), None);
    }
}
