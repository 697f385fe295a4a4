//! The cost of games: the measured thinking times of candidates, and estimates for others.
//!
//! Times differ from run to run, so they do not affect which games are played. They decide only the order in
//! which the games of a batch start, and the estimate of the time left.

use std::collections::BTreeMap;
use std::time::Duration;

use patchwork_engine::search::Budget;

use super::point::Point;
use super::space::Space;

/// Approximate number of plies in a game, of both players together.
const PLIES: u32 = 46;

/// Distance over which candidates cost about the same, as a fraction of a key's range.
const REACH: f64 = 0.25;

/// Number of games from which a candidate's own mean is used alone.
const ENOUGH: u32 = 4;

/// The thinking times of a candidate and of its opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CandidateCost {
    /// The number of games.
    pub games: u32,
    /// The candidate's own seconds in all of them.
    pub own: f64,
    /// Those of its opponents.
    pub others: f64,
}

impl CandidateCost {
    /// The candidate's own seconds per game; `None` without games.
    #[must_use]
    pub fn per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.own / f64::from(self.games))
    }
}

/// The costs of the games of a search.
#[derive(Clone, Debug)]
pub struct GameCosts {
    space: Space,
    known: BTreeMap<Point, CandidateCost>,
    all: CandidateCost,
    /// The expected seconds of a game before any is played, if the budget determines them.
    usual: Option<f64>,
}

impl GameCosts {
    /// Costs without any games yet. A time budget gives a first estimate.
    #[must_use]
    pub fn new(space: &Space, budget: Option<Budget>) -> Self {
        let usual = match budget {
            Some(Budget::Time(time) | Budget::ProcessorTime(time)) => Some(time * PLIES),
            Some(Budget::GameTime(time)) => Some(time * 2),
            _ => None,
        };
        Self {
            space: space.clone(),
            known: BTreeMap::new(),
            all: CandidateCost::default(),
            usual: usual.map(|time| time.as_secs_f64()),
        }
    }

    /// Records a game: the thinking times of the candidate and of its opponent.
    pub fn learn(&mut self, point: &Point, own: Duration, other: Duration) {
        let known = self.known.entry(point.clone()).or_default();
        for sum in [known, &mut self.all] {
            sum.games += 1;
            sum.own += own.as_secs_f64();
            sum.others += other.as_secs_f64();
        }
    }

    /// The measured cost of a candidate.
    #[must_use]
    pub fn of(&self, point: &Point) -> CandidateCost {
        self.known.get(point).copied().unwrap_or_default()
    }

    /// The expected thinking time of both players in a game of a candidate: its own mean, or that of similar
    /// candidates. `None` if nothing is known.
    #[must_use]
    pub fn expected(&self, point: &Point) -> Option<Duration> {
        let seconds = match self.all.per_game() {
            None => self.usual?,
            Some(mean) => {
                let own = self.of(point);
                let measured = own.per_game().filter(|_| own.games >= ENOUGH);
                let others = self.all.others / f64::from(self.all.games);
                measured.unwrap_or_else(|| self.like(point, mean)) + others
            }
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// The geometric mean of the costs of known candidates, weighted by their games and their closeness;
    /// `mean` counts as one distant game.
    fn like(&self, point: &Point, mean: f64) -> f64 {
        // Shorter times are timer noise.
        const SHORTEST: f64 = 1e-9;
        const FAR: f64 = 1e-3;
        let place = self.space.to_unit(point);
        let (mut weights, mut sum) = (FAR, FAR * libm::log(mean.max(SHORTEST)));
        for (known, cost) in &self.known {
            let squares = (place.iter().zip(self.space.to_unit(known)))
                .zip(self.space.keys())
                .map(|((one, other), key)| match (one, other) {
                    (Some(one), Some(other)) if key.domain.is_ordered() => (one - other).powi(2),
                    (one, other) => f64::from(u8::from(*one != other)),
                });
            let distance = squares.sum::<f64>() / (2.0 * REACH * REACH);
            let weight = f64::from(cost.games) * libm::exp(-distance);
            weights += weight;
            sum += weight * libm::log(cost.per_game().unwrap_or(mean).max(SHORTEST));
        }
        libm::exp(sum / weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn candidates_like_slow_ones_are_expected_to_be_slow() {
        let text = "kind = [\"fast\", \"slow\"]\ndepth = { low = 0, high = 40 }";
        let space = Space::parse(text).expect("a space");
        let point = |kind: &str, depth: i64| -> Point {
            [("kind", kind.into()), ("depth", depth.into())]
                .into_iter()
                .collect()
        };
        let mut costs = GameCosts::new(&space, None);
        assert_eq!(costs.expected(&point("fast", 3)), None);
        for depth in [0, 10, 20, 40] {
            for _ in 0..3 {
                costs.learn(&point("fast", depth), seconds(0.1), seconds(1.0));
                costs.learn(&point("slow", depth), seconds(2.0), seconds(1.0));
            }
        }
        let expected = |costs: &GameCosts, kind, depth| {
            let time = costs.expected(&point(kind, depth));
            time.expect("games were played").as_secs_f64()
        };
        assert!((expected(&costs, "fast", 15) - 1.1).abs() < 0.02);
        assert!((expected(&costs, "slow", 15) - 3.0).abs() < 0.02);
        // A candidate's own games count more than those of others.
        for _ in 0..4 {
            costs.learn(&point("fast", 30), seconds(5.0), seconds(1.0));
        }
        assert!((expected(&costs, "fast", 30) - 6.0).abs() < 1e-9);
        assert_eq!(costs.of(&point("fast", 30)).per_game(), Some(5.0));
    }

    #[test]
    fn budgets_of_time_tell_the_cost_before_the_first_game() {
        let space = Space::parse("a = [1, 2]").expect("a space");
        let cost = |budget| GameCosts::new(&space, Some(budget)).expected(&Point::default());
        assert_eq!(cost(Budget::Time(seconds(0.5))), Some(seconds(23.0)));
        assert_eq!(cost(Budget::GameTime(seconds(9.0))), Some(seconds(18.0)));
        assert_eq!(cost(Budget::Iterations(9)), None);
    }
}
