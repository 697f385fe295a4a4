//! Statistics for learning heuristics: failure counts, activity and conflict history.

use super::store::Var;

/// Decay of activity for each propagation, as usual since Michel and Van Hentenryck (2012), and of
/// failure counts in the paper's program.
const DECAY: f64 = 0.99;

/// The step size of conflict history: its start, its end, and the difference after each failure
/// (Liang et al., 2016).
const ALPHA: (f64, f64, f64) = (0.4, 0.06, 1e-6);
/// The score to start with: Gecode's.
const INITIAL_SCORE: f64 = 0.05;

/// Above this limit, all activities are scaled down: Gecode's numbers.
const LIMIT: f64 = f64::MAX * SCALE;
const SCALE: f64 = 1e-50;

/// How statistics are updated: the literature and the solver behind the paper differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Updates {
    /// As their inventors describe them. Failure counts do not decay. Activity decays by 0.99 in
    /// each propagation, then grows by 1 for the variables it changed. Conflict history rewards the
    /// changed variables with 1 (failure) or 0.9, over one more than the failures since the last
    /// one that they took part in.
    #[default]
    Described,
    /// As Gecode 6.2 computes them for the paper's program. Failure counts decay by 0.99 with each
    /// failure. Activity `a` becomes `(a + 1) / 0.99` for a changed variable and stays for others,
    /// so it never fades. Conflict history notes the failure before it rewards, so that the reward
    /// for a failure is always 1.
    Gecode,
}

/// Statistics about propagators and about those variables that [`Learning::track`] named.
#[derive(Clone, Debug)]
pub struct Learning {
    updates: Updates,
    is_on: bool,
    /// For each propagator, 1 and its failures.
    failures: Vec<f64>,
    /// Position among the tracked variables, by index in the store.
    slots: Vec<u32>,
    activity: Vec<f64>,
    /// The current increment of a change. It grows, which is cheaper than decaying all activities.
    step: f64,
    score: Vec<f64>,
    last_failure: Vec<u64>,
    failed: u64,
    alpha: f64,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            updates: Updates::default(),
            is_on: true,
            failures: Vec::new(),
            slots: Vec::new(),
            activity: Vec::new(),
            step: 1.0,
            score: Vec::new(),
            last_failure: Vec::new(),
            failed: 0,
            alpha: ALPHA.0,
        }
    }
}

const UNTRACKED: u32 = u32::MAX;

impl Learning {
    /// Chooses the update rules; call it before the first propagation.
    pub fn set_updates(&mut self, updates: Updates) {
        self.updates = updates;
    }

    /// Switches recording on or off.
    pub fn switch(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    /// Keeps activity and conflict history of a variable.
    pub fn track(&mut self, var: Var) {
        if self.slots.len() <= var.index() {
            self.slots.resize(var.index() + 1, UNTRACKED);
        }
        if self.slots[var.index()] == UNTRACKED {
            self.slots[var.index()] = self.activity.len() as u32;
            self.activity.push(1.0);
            self.score.push(INITIAL_SCORE);
            self.last_failure.push(0);
        }
    }

    pub(super) fn add_propagator(&mut self) {
        self.failures.push(1.0);
    }

    /// 1 and the failures of a propagator, decayed if [`Updates`] do so.
    #[inline(always)]
    pub(super) fn failures_of(&self, propagator: usize) -> f64 {
        self.failures[propagator]
    }

    /// Failures so far.
    pub const fn failures(&self) -> u64 {
        self.failed
    }

    fn slot(&self, var: Var) -> Option<usize> {
        let slot = *self.slots.get(var.index())?;
        (slot != UNTRACKED).then_some(slot as usize)
    }

    /// Statistics of the propagators, and of the variables named by [`Learning::track`].
    pub fn activity(&self, var: Var) -> f64 {
        self.slot(var)
            .map_or(0.0, |slot| self.activity[slot] / self.step)
    }

    /// The conflict-history score, 0 to 1; 0 for a variable that is not tracked.
    pub fn conflict_history(&self, var: Var) -> f64 {
        self.slot(var).map_or(0.0, |slot| self.score[slot])
    }

    /// Records one propagation: the variables it changed, and the propagator that failed.
    pub(super) fn record(&mut self, changed: &[Var], culprit: Option<usize>) {
        if !self.is_on {
            return;
        }
        let failed = culprit.is_some();
        if let Some(culprit) = culprit {
            if self.updates == Updates::Gecode {
                self.failures.iter_mut().for_each(|count| *count *= DECAY);
            }
            self.failures[culprit] += 1.0;
        }
        if self.updates == Updates::Described {
            self.step /= DECAY;
        }
        if failed && self.updates == Updates::Gecode {
            self.note_failure();
        }
        for &var in changed {
            if let Some(slot) = self.slot(var) {
                self.record_change(slot, failed);
            }
        }
        if failed && self.updates == Updates::Described {
            self.note_failure();
            for &var in changed {
                if let Some(slot) = self.slot(var) {
                    self.last_failure[slot] = self.failed;
                }
            }
        }
        if self.step > LIMIT {
            self.activity.iter_mut().for_each(|a| *a /= self.step);
            self.step = 1.0;
        }
    }

    fn note_failure(&mut self) {
        self.failed += 1;
        if self.alpha > ALPHA.1 {
            self.alpha -= ALPHA.2;
        }
    }

    fn record_change(&mut self, slot: usize, failed: bool) {
        match self.updates {
            Updates::Described => self.activity[slot] += self.step,
            Updates::Gecode => {
                self.activity[slot] = (self.activity[slot] + 1.0) / DECAY;
                if self.activity[slot] > LIMIT {
                    // As in Gecode: the values are scaled, but not the 1 that each change adds.
                    self.activity.iter_mut().for_each(|a| *a *= SCALE);
                }
                if failed {
                    self.last_failure[slot] = self.failed;
                }
            }
        }
        let multiplier = if failed { 1.0 } else { 0.9 };
        let since = self.failed - self.last_failure[slot];
        let reward = multiplier / (since + 1) as f64;
        self.score[slot] += self.alpha * (reward - self.score[slot]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DomainStore;

    fn tracked(updates: Updates) -> (Learning, Var, Var) {
        let mut store = DomainStore::default();
        let (x, y) = (store.variable(3), store.variable(3));
        let mut learning = Learning::default();
        learning.set_updates(updates);
        learning.track(x);
        learning.track(y);
        learning.add_propagator();
        learning.add_propagator();
        (learning, x, y)
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn activity_decays_where_nothing_changes() {
        let (mut learning, x, y) = tracked(Updates::Described);
        learning.record(&[x], None);
        close(learning.activity(x), 0.99 + 1.0);
        close(learning.activity(y), 0.99);
        learning.record(&[y], None);
        close(learning.activity(x), 1.99 * 0.99);
        close(learning.activity(y), 0.99 * 0.99 + 1.0);
        // Scaling does not affect the results.
        for _ in 0..100_000 {
            learning.record(&[x], None);
        }
        close(learning.activity(x), 1.0 / (1.0 - 0.99));
        close(learning.activity(y), 0.0);
    }

    #[test]
    fn activity_never_fades_in_gecode() {
        let (mut learning, x, y) = tracked(Updates::Gecode);
        learning.record(&[x], None);
        close(learning.activity(x), 2.0 / 0.99);
        close(learning.activity(y), 1.0);
    }

    #[test]
    fn failure_counts_belong_to_propagators() {
        let (mut learning, ..) = tracked(Updates::Described);
        learning.record(&[], Some(0));
        learning.record(&[], Some(0));
        close(learning.failures_of(0), 3.0);
        close(learning.failures_of(1), 1.0);
        let (mut learning, ..) = tracked(Updates::Gecode);
        learning.record(&[], Some(0));
        close(learning.failures_of(0), 1.99);
        close(learning.failures_of(1), 0.99);
    }

    #[test]
    fn conflict_history_rewards_recent_failures() {
        let (mut learning, x, y) = tracked(Updates::Described);
        learning.record(&[x], Some(0));
        // The reward is 1 over one more than no failures so far.
        close(learning.conflict_history(x), 0.6 * 0.05 + 0.4);
        let q = learning.conflict_history(x);
        let alpha = 0.4 - 1e-6;
        learning.record(&[x, y], None);
        close(
            learning.conflict_history(x),
            (1.0 - alpha) * q + alpha * 0.9,
        );
        let behind = (1.0 - alpha) * 0.05 + alpha * 0.9 / 2.0;
        close(learning.conflict_history(y), behind);
    }
}
