//! A match: a tournament of two agents.

use patchwork_engine::agent::AgentFile;
use patchwork_engine::game::Rules;
use patchwork_engine::util::InputError;
use patchwork_rating::sprt::Sprt;

use super::formats::Format;
use super::plan::Plan;
use super::rings::PlannedRings;
use super::stopping::most_test_pairs;
use super::thoughts::TopActions;

/// The default number of pairs of a match without a test.
const MATCH_PAIRS: u32 = 20;

/// Agents that play each other, usually two.
#[derive(Clone, Debug)]
pub struct Match {
    /// The seed that all random streams derive from.
    pub seed: u64,
    /// The printing of the time board.
    pub rules: Rules,
    /// The source of the rings.
    pub rings: PlannedRings,
    /// The number of setups; the maximum if there is a test.
    pub pairs: Option<u32>,
    /// A test that ends the match when it decides about the strength of the first agent relative to the
    /// second.
    pub test: Option<Sprt>,
    /// Which of the agents' thoughts are recorded in addition to those in every record.
    pub thoughts: Option<TopActions>,
    /// The agents; a test evaluates the first one.
    pub agents: Vec<AgentFile>,
}

impl Match {
    /// The plan of the match.
    pub fn plan(self) -> Result<Plan, InputError> {
        let (format, pairs) = match self.test {
            Some(_) => {
                let challenger = self.agents.first().map(|agent| agent.name.clone());
                (Format::gauntlet(challenger), most_test_pairs(&self.rings))
            }
            None => (Format::RoundRobin, MATCH_PAIRS),
        };
        let pairs = self.pairs.unwrap_or(pairs);
        let agents = self.agents.into_iter().map(Into::into).collect();
        let plan = Plan::new(self.seed, self.rules, format, pairs, agents)?;
        let plan = plan.with_rings(self.rings).with_thoughts(self.thoughts);
        match self.test {
            Some(test) => plan.with_test(test),
            None => Ok(plan),
        }
    }
}
