//! The cost of games: the measured thinking times of candidates.
//!
//! Times differ from run to run, so they do not affect which games are played. They decide only the order in
//! which the games of a batch start, and the estimate of the time left.

use std::collections::BTreeMap;
use std::time::Duration;

use patchwork_engine::search::Budget;

use super::point::Point;

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
    #[must_use]
    pub fn new(budget: Option<Budget>) -> Self {
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
    pub fn learn(&mut self, point: &Point, thinking: Duration) {
        let known = self.known.entry(point.clone()).or_default();
        for sum in [known, &mut self.all] {
            sum.games += 1;
            sum.seconds += thinking.as_secs_f64();
        }
    }

    /// The expected thinking time of both players in a game of a candidate: the mean of its own games, or of all games if
    /// it has not played. `None` if nothing is known.
    #[must_use]
    pub fn expected(&self, point: &Point) -> Option<Duration> {
        let own = self.known.get(point).unwrap_or(&self.all);
        Duration::try_from_secs_f64(own.per_game().or(self.usual)?).ok()
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
