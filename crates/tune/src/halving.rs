//! Successive halving with early stopping: the race at the end of every search.

use super::history::{History, Sums};
use super::landscape::Landscape;
use super::space::{Point, Space};

/// A race among candidates. In each round all remaining candidates play the same new rings. Then the worse
/// half is dropped, and any candidate that is significantly worse than the leader. The race ends early when
/// one candidate is left.
#[derive(Debug)]
pub(super) struct Halving {
    alive: Vec<Point>,
    /// Pairs still to be played.
    pairs: u32,
    /// Number of trials in the history before the race.
    before: usize,
    trusts_model: bool,
    model: Option<Landscape>,
}

/// Standard errors behind the leader at which a candidate is dropped: 0.1% by chance in a single comparison.
const BEYOND_DOUBT: f64 = 3.1;

impl Halving {
    pub(super) fn new(
        candidates: Vec<Point>,
        pairs: u32,
        before: usize,
        trusts_model: bool,
    ) -> Self {
        Self {
            alive: candidates,
            pairs,
            before,
            trusts_model,
            model: None,
        }
    }

    /// Sets the number of pairs still to be played.
    pub(super) fn limit(&mut self, pairs: u32) {
        self.pairs = pairs;
    }

    /// The remaining candidates, the best first.
    pub(super) fn alive(&self) -> &[Point] {
        &self.alive
    }

    /// The next round: the candidates, and the number of rings that each plays; empty when the race is over.
    pub(super) fn next(&mut self, space: &Space, history: &History) -> Vec<(Point, u32)> {
        let first = history.tried().len() == self.before;
        if !first {
            self.drop_worse(space, history);
        }
        let count = self.alive.len() as u32;
        if count < 2 && !(first && count == 1) {
            return Vec::new();
        }
        // There are as many rounds as halvings left.
        let rounds = count.next_power_of_two().ilog2().max(1);
        let pairs = (self.pairs / rounds / count).max(1);
        if self.pairs < count {
            // Too few pairs for a round: the best so far wins.
            self.alive.truncate(1);
            return Vec::new();
        }
        self.pairs -= pairs * count;
        let alive = self.alive.iter();
        alive.map(|point| (point.clone(), pairs)).collect()
    }

    /// The results of a candidate in the race, in order.
    fn results(&self, history: &History, point: &Point) -> impl Iterator<Item = f64> {
        let race = history.tried()[self.before..].iter();
        let own = race.filter(move |(tried, _)| tried == point);
        own.flat_map(|(_, results)| results).copied()
    }

    /// Ranks the candidates, and drops the worse half and those that are significantly worse than the leader.
    fn drop_worse(&mut self, space: &Space, history: &History) {
        let ranked = self.ranked(space, history);
        let Some((leader, _)) = ranked.first() else {
            return;
        };
        let best: Vec<f64> = self.results(history, leader).collect();
        let noise = history.noise();
        let keep = ranked.len().div_ceil(2);
        let left = ranked.iter().take(keep).filter(|(point, _)| {
            if point == leader {
                return true;
            }
            // All remaining candidates have played the same rings.
            let behind: Sums = best
                .iter()
                .zip(self.results(history, point))
                .map(|(a, b)| a - b)
                .collect();
            let pairs = f64::from(behind.pairs.max(1));
            // The variance of few differences is stabilised by the known noise.
            let variance = (behind.scatter() + 8.0 * 2.0 * noise * noise) / (pairs + 7.0);
            let error = (variance / pairs).sqrt();
            behind.mean().unwrap_or_default() < BEYOND_DOUBT * error
        });
        self.alive = left.map(|(point, _)| point.clone()).collect();
    }

    /// The remaining candidates with their values, the best first.
    fn ranked(&mut self, space: &Space, history: &History) -> Vec<(Point, f64)> {
        if self.trusts_model {
            self.model = Some(Landscape::fit(space, history, self.model.as_ref()));
        }
        let value = |point: &Point| match &self.model {
            Some(model) => model.predict(point).0,
            None => {
                let sums: Sums = self.results(history, point).collect();
                sums.mean().unwrap_or(f64::NEG_INFINITY)
            }
        };
        let ranked = self.alive.iter().map(|point| (point.clone(), value(point)));
        let mut ranked: Vec<(Point, f64)> = ranked.collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }
}
