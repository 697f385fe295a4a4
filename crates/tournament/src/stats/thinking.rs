//! What agents report about their decisions: effort, search trees, proofs and times.
//!
//! Games are folded in one at a time and in any order. All sums are integers, so the result does
//! not depend on the order.

use super::statistics::{DEPTH, ENTROPY, ITERATIONS, NODES, SOLVED, SPEED, TIME};
use hdrhistogram::Histogram;
use patchwork_engine::record::{Entry, Ply};
use patchwork_rating::name_of;
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{of_agent, per};

/// Fractions are summed in units of 2^-32.
const UNIT: f64 = (1_u64 << 32) as f64;

/// The upper limit for time quantiles, in nanoseconds.
const A_DAY: u64 = 86_400_000_000_000;

/// Statistics of one agent's decisions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgentThinking {
    /// Its name.
    pub agent: String,
    /// Number of its decisions.
    pub plies: u64,
    /// Share of its decisions with a single legal action, 0 to 1.
    pub forced: Option<f64>,
    /// [`SOLVED`].
    #[schemars(description = SOLVED.about)]
    pub solved: Option<f64>,
    /// Number of decisions at which it had proven a win, in games that it then lost; 0 for a
    /// correct agent.
    pub broken_proofs: u64,
    /// Number of decisions that used search iterations.
    pub searches: u64,
    /// [`ITERATIONS`].
    #[schemars(description = ITERATIONS.about)]
    pub iterations_per_move: Option<f64>,
    /// [`SPEED`].
    #[schemars(description = SPEED.about)]
    pub iterations_per_s: Option<f64>,
    /// Its search trees; none if it does not report any.
    pub tree: Option<Trees>,
    /// Time per decision with more than one legal action; none without such decisions.
    pub time: Option<Times>,
}

/// Search trees at the time of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trees {
    /// Number of decisions with a tree.
    pub plies: u64,
    /// [`DEPTH`].
    #[schemars(description = DEPTH.about)]
    pub mean_depth: f64,
    /// Maximum number of plies of any iteration.
    pub max_depth: u16,
    /// [`NODES`].
    #[schemars(description = NODES.about)]
    pub mean_nodes: f64,
    /// Number of positions in the largest tree.
    pub max_nodes: u32,
    /// [`ENTROPY`].
    #[schemars(description = ENTROPY.about)]
    pub entropy: f64,
}

/// Seconds per decision; quantiles are accurate to one part in a thousand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Times {
    /// Number of decisions.
    pub moves: u64,
    /// [`TIME`].
    #[schemars(description = TIME.about)]
    pub mean: f64,
    /// The 5% quantile.
    pub p5: f64,
    /// The 25% quantile.
    pub p25: f64,
    /// The median.
    pub p50: f64,
    /// The 75% quantile.
    pub p75: f64,
    /// The 95% quantile.
    pub p95: f64,
    /// The 99% quantile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

/// Accumulates games for an [`AgentThinking`] of each agent.
#[derive(Clone, Debug, Default)]
pub(super) struct ThinkingFold {
    agents: Vec<AgentFold>,
}

impl ThinkingFold {
    /// Adds a game.
    pub(super) fn add(&mut self, entry: &Entry) {
        let record = &entry.record;
        let mut nanos = entry.nanos.iter();
        for ply in &record.plies {
            let agent = record.agents[ply.player.index()].into();
            // A fault says nothing about the position.
            let won = record.termination.is_some() || record.winner == ply.player;
            of_agent(&mut self.agents, agent).add(ply, won, nanos.next().copied());
        }
    }

    /// Iterations per second over the decisions of an agent that used search iterations.
    pub(super) fn iterations_per_s(&self, agent: usize) -> Option<f64> {
        self.agents.get(agent)?.iterations_per_s()
    }

    /// Mean seconds per decision of an agent with more than one legal action.
    pub(super) fn seconds_per_move(&self, agent: usize) -> Option<f64> {
        let fold = self.agents.get(agent)?;
        Some(per(fold.nanos as f64, fold.times.as_ref()?.len())? / 1e9)
    }

    /// The searches of the agents in this order.
    pub(super) fn finish(&self, names: &[String], order: &[usize]) -> Vec<AgentThinking> {
        let none = AgentFold::default();
        let agent = |&agent: &usize| {
            let fold = self.agents.get(agent).unwrap_or(&none);
            fold.finish(name_of(names, agent))
        };
        order.iter().map(agent).collect()
    }
}

/// The decisions of one agent.
#[derive(Clone, Debug, Default)]
struct AgentFold {
    plies: u64,
    forced: u64,
    solved: u64,
    thoughtful: bool,
    broken_proofs: u64,
    searches: u64,
    search_nanos: u64,
    timed_iterations: u64,
    iterations: u64,
    trees: u64,
    depth: u128,
    max_depth: u16,
    nodes: u64,
    max_nodes: u32,
    entropy: u128,
    nanos: u128,
    max_nanos: u64,
    times: Option<Histogram<u64>>,
}

impl AgentFold {
    fn add(&mut self, ply: &Ply, won: bool, nanos: Option<u64>) {
        let thought = &ply.thought;
        let choice = ply.legal > 1;
        self.plies += 1;
        self.forced += u64::from(!choice);
        self.solved += u64::from(choice && thought.proven.is_some());
        self.thoughtful |=
            thought.iterations > 0 || thought.value.is_some() || thought.proven.is_some();
        self.broken_proofs += u64::from(thought.proven == Some(true) && !won);
        if thought.iterations > 0 {
            self.searches += 1;
            self.iterations += u64::from(thought.iterations);
            if let Some(nanos) = nanos {
                self.timed_iterations += u64::from(thought.iterations);
                self.search_nanos = self.search_nanos.saturating_add(nanos);
            }
        }
        if let Some(tree) = thought.tree {
            self.trees += 1;
            self.depth += units(tree.mean_depth);
            self.max_depth = self.max_depth.max(tree.max_depth);
            self.nodes += u64::from(tree.nodes);
            self.max_nodes = self.max_nodes.max(tree.nodes);
            self.entropy += units(tree.entropy);
        }
        if let Some(nanos) = nanos.filter(|_| choice) {
            self.nanos += u128::from(nanos);
            self.max_nanos = self.max_nanos.max(nanos);
            let new = || Histogram::new(3).expect("1 to 5 digits can be kept");
            let times = self.times.get_or_insert_with(new);
            let recorded = times.record(nanos.min(A_DAY));
            debug_assert!(recorded.is_ok(), "the histogram grows as far as a day");
        }
    }

    fn finish(&self, agent: String) -> AgentThinking {
        let choices = self.plies - self.forced;
        AgentThinking {
            agent,
            plies: self.plies,
            forced: per(self.forced as f64, self.plies),
            solved: per(self.solved as f64, choices).filter(|_| self.thoughtful),
            broken_proofs: self.broken_proofs,
            searches: self.searches,
            iterations_per_move: per(self.iterations as f64, self.searches),
            iterations_per_s: self.iterations_per_s(),
            tree: (self.trees > 0).then(|| self.trees()),
            time: self.times.as_ref().map(|times| self.times(times)),
        }
    }

    fn iterations_per_s(&self) -> Option<f64> {
        let seconds = self.search_nanos as f64 / 1e9;
        (seconds > 0.0).then(|| self.timed_iterations as f64 / seconds)
    }

    fn trees(&self) -> Trees {
        let mean = |sum: u128| sum as f64 / UNIT / self.trees as f64;
        Trees {
            plies: self.trees,
            mean_depth: mean(self.depth),
            max_depth: self.max_depth,
            mean_nodes: self.nodes as f64 / self.trees as f64,
            max_nodes: self.max_nodes,
            entropy: mean(self.entropy),
        }
    }

    fn times(&self, times: &Histogram<u64>) -> Times {
        let at = |share: f64| times.value_at_quantile(share) as f64 / 1e9;
        Times {
            moves: times.len(),
            mean: self.nanos as f64 / 1e9 / times.len() as f64,
            p5: at(0.05),
            p25: at(0.25),
            p50: at(0.5),
            p75: at(0.75),
            p95: at(0.95),
            p99: at(0.99),
            max: self.max_nanos as f64 / 1e9,
        }
    }
}

/// A nonnegative number in units of 2^-32. Other values, which a damaged record may contain, count
/// as 0.
fn units(value: f32) -> u128 {
    (f64::from(value) * UNIT).round() as u128
}

#[cfg(test)]
mod tests;
