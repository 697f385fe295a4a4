//! The candidates tried so far and their results.

use std::collections::BTreeMap;

use super::space::Point;

/// All results in the order of their trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    tried: Vec<(Point, Vec<f64>)>,
}

/// The combined results of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    /// The number of paired results.
    pub(crate) pairs: u32,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Sums {
    pub(crate) fn join(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean; `None` without results.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.sum / f64::from(self.pairs))
    }

    /// The sum of squared deviations from the mean.
    pub(crate) fn scatter(&self) -> f64 {
        let mean = self.mean().unwrap_or_default();
        (self.squares - self.sum * mean).max(0.0)
    }
}

impl FromIterator<f64> for Sums {
    fn from_iter<I: IntoIterator<Item = f64>>(results: I) -> Self {
        let mut sums = Self::default();
        for result in results {
            sums.pairs += 1;
            sums.sum += result;
            sums.squares += result * result;
        }
        sums
    }
}

impl FromIterator<(Point, Vec<f64>)> for History {
    fn from_iter<I: IntoIterator<Item = (Point, Vec<f64>)>>(tried: I) -> Self {
        Self {
            tried: tried.into_iter().collect(),
        }
    }
}

/// The prior of the noise: degrees of freedom and standard deviation, roughly those of games between agents
/// of similar strength.
const PRIOR_NOISE: (f64, f64) = (6.0, 0.15);

impl History {
    pub(super) fn push(&mut self, tried: (Point, Vec<f64>)) {
        self.tried.push(tried);
    }

    /// The trials in order: the candidate, and its paired result on each ring, 0 to 1.
    pub(crate) fn tried(&self) -> &[(Point, Vec<f64>)] {
        &self.tried
    }

    /// The number of pairs played.
    pub fn pairs(&self) -> u32 {
        let results = self.tried.iter().map(|(_, results)| results.len() as u32);
        results.sum()
    }

    /// The results of each candidate, in the order of the first trials.
    pub(crate) fn candidates(&self) -> Vec<(&Point, Sums)> {
        let mut index: BTreeMap<&Point, usize> = BTreeMap::new();
        let mut all: Vec<(&Point, Sums)> = Vec::new();
        for (point, results) in &self.tried {
            let at = *index.entry(point).or_insert(all.len());
            if at == all.len() {
                all.push((point, Sums::default()));
            }
            all[at].1.join(&results.iter().copied().collect());
        }
        all
    }

    /// The standard deviation of a paired result of a candidate, pooled over the results of all candidates
    /// around their own means.
    pub(crate) fn noise(&self) -> f64 {
        let (mut freedom, deviation) = PRIOR_NOISE;
        let mut scatter = freedom * deviation * deviation;
        for (_, sums) in self.candidates() {
            freedom += f64::from(sums.pairs.saturating_sub(1));
            scatter += sums.scatter();
        }
        (scatter / freedom).sqrt()
    }
}
