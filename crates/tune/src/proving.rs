//! The proof: a recommended agent plays the base on fresh setups under a sequential test, then at a larger
//! budget.

use std::collections::BTreeMap;

use patchwork_engine::agent::AgentFile;
use patchwork_engine::search::Budget;
use patchwork_engine::util::{InputError, counted};
use patchwork_rating::sprt::{PairCounts, PairEstimate, SprtReport, Verdict};
use serde::Serialize;

use super::tuning::{Tuning, budget_table, whole_milliseconds};
use patchwork_report::{PROOF, TournamentReport};
use patchwork_tournament::{Manifest, Match, Plan, PlannedRings, Results, TournamentError};

/// The budget of the last match, as a multiple of that of the search.
pub const SLOW: i64 = 4;

/// The result of the proof.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ProofResult {
    pub(crate) games: u64,
    /// The test of the winner against the base.
    #[serde(flatten)]
    pub(crate) test: SprtReport,
}

impl ProofResult {
    /// Whether the winner is proven to be better.
    pub(crate) fn is_better(&self) -> bool {
        self.test.verdict == Verdict::AcceptH1
    }

    /// The results of the match of [`Tuning::proof_of`].
    pub(crate) fn new(tuning: &Tuning, results: &Results) -> Self {
        let counts = counts_of(tuning, results);
        Self {
            games: 2 * counts.pairs(),
            test: tuning.proof.test.report(&counts),
        }
    }
}

/// A match at another budget than that of the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct MatchResult {
    pub(crate) games: u64,
    /// The winner's Elo minus the base's.
    #[serde(flatten)]
    pub(crate) estimate: PairEstimate,
}

/// Likelihood of superiority below which games at equal time contradict a proof.
const CONTRADICTED: f64 = 0.05;

impl MatchResult {
    /// The results of the match of [`Tuning::slow_proof_of`] or [`Tuning::equal_time_of`].
    pub(crate) fn new(tuning: &Tuning, results: &Results) -> Self {
        let counts = counts_of(tuning, results);
        Self {
            games: 2 * counts.pairs(),
            estimate: counts.estimate(),
        }
    }

    /// Whether these games show that the winner is weaker than the base.
    pub(crate) fn contradicts(&self) -> bool {
        self.estimate.los.is_some_and(|los| los < CONTRADICTED)
    }
}

/// The mean seconds per decision of the winner and of the base in a match.
pub(crate) fn seconds_per_move(
    tuning: &Tuning,
    results: &Results,
) -> Result<[Option<f64>; 2], TournamentError> {
    let report = TournamentReport::new(results)?;
    Ok([false, true].map(|is_base| {
        let mut agents = report.summary().ratings.iter();
        let agent = agents.find(|row| (row.agent == tuning.base.name) == is_base);
        agent.and_then(|row| row.seconds_per_move)
    }))
}

/// Numbers of pairs by the score of the agent that is not the base.
fn counts_of(tuning: &Tuning, results: &Results) -> PairCounts {
    let agents = results.manifest.plan.agents();
    let mut wins: BTreeMap<_, Vec<bool>> = BTreeMap::new();
    for game in results.games.facts() {
        let winner = usize::from(game.agents[game.winner.index()]);
        let won = agents[winner].name != tuning.base.name;
        wins.entry(game.pair).or_default().push(won);
    }
    let mut counts = PairCounts::default();
    let whole = wins.values().filter(|pair| pair.len() == 2);
    whole.for_each(|pair| counts.add_wins(pair.iter().filter(|won| **won).count()));
    counts
}

impl Tuning {
    /// The match of a winner against the base under the test, on setups not used in the search.
    pub(crate) fn proof_of(&self, winner: &AgentFile) -> Result<Manifest, InputError> {
        let plan = self.plan(winner.clone(), self.base.clone(), self.proof.pairs, true)?;
        Ok(Manifest::new(format!("{}/{PROOF}", self.name), plan))
    }

    /// The match of a winner against the base at a larger budget; `None` if the file asks for none or the
    /// agents have no budget.
    pub(crate) fn slow_proof_of(&self, winner: &AgentFile) -> Result<Option<Manifest>, InputError> {
        let table = self.base.config.table();
        let Some(toml::Value::Table(mut budget)) = table.get("budget").cloned() else {
            return Ok(None);
        };
        if self.proof.slow_pairs == 0 {
            return Ok(None);
        }
        for (_, value) in &mut budget {
            match value {
                toml::Value::Integer(number) => *number = number.saturating_mul(SLOW),
                toml::Value::Float(number) => *number *= SLOW as f64,
                _ => {}
            }
        }
        self.match_at(winner, &budget, "slow").map(Some)
    }

    /// The greatest numbers of games of the proof, of the match at a larger budget and of the one at equal time.
    pub fn proof_games(&self) -> [u64; 3] {
        let budget = self.base.config.budget();
        let is_counted = budget.is_some_and(|budget| budget.time().is_none());
        let more = |is_played| if is_played { self.proof.slow_pairs } else { 0 };
        let pairs = [self.proof.pairs, more(budget.is_some()), more(is_counted)];
        pairs.map(|pairs| 2 * u64::from(pairs))
    }

    /// The match of a winner against the base at equal processor time: the base's mean time per move in whole
    /// milliseconds. `None` if the file asks for no such match or the budget is time already. Agents with several threads
    /// cannot count processor time and have milliseconds.
    pub(crate) fn equal_time_of(
        &self,
        winner: &AgentFile,
        seconds: f64,
    ) -> Result<Option<(u32, Manifest)>, InputError> {
        let budget = self.base.config.budget();
        if self.proof.slow_pairs == 0 || budget.is_none_or(|budget| budget.time().is_some()) {
            return Ok(None);
        }
        let milliseconds = whole_milliseconds(seconds);
        let at = |unit| self.match_at(winner, &budget_table(unit, milliseconds), "time");
        let manifest = at("processor_milliseconds").or_else(|_| at("milliseconds"))?;
        Ok(Some((milliseconds, manifest)))
    }

    /// The match of a winner against the base at another budget.
    fn match_at(
        &self,
        winner: &AgentFile,
        budget: &toml::Table,
        suffix: &str,
    ) -> Result<Manifest, InputError> {
        let (winner, base) = (winner.with_budget(budget)?, self.base.with_budget(budget)?);
        let plan = self.plan(winner, base, self.proof.slow_pairs, false);
        let plan = plan.map_err(|error| InputError::in_file(&self.base.path, error.to_string()))?;
        Ok(Manifest::new(format!("{}/{suffix}", self.name), plan))
    }

    fn plan(
        &self,
        winner: AgentFile,
        base: AgentFile,
        pairs: u32,
        tested: bool,
    ) -> Result<Plan, InputError> {
        let plan = Match {
            seed: self.proof.seed,
            rules: self.track.into(),
            rings: PlannedRings::Own,
            pairs: Some(pairs),
            test: tested.then_some(self.proof.test),
            thoughts: None,
            agents: vec![winner, base],
        };
        plan.plan()
    }

    /// Under which condition the winner is better, if it is proven to be: the budget that both have.
    pub fn condition(&self) -> String {
        let Some((unit, amount)) = self.base.config.budget().map(Budget::units) else {
            return "without a budget".to_owned();
        };
        if let Some(budget) = self.equal_to {
            let own = match budget.units() {
                ("depth", depth) => format!("a depth of {depth}"),
                (unit, count) => counted(count, unit.trim_end_matches('s')),
            };
            return format!("at equal processor time, {amount} ms per decision in place of {own}");
        }
        match unit {
            "milliseconds" => format!("at {amount} ms per decision"),
            "processor_milliseconds" => {
                format!("at {amount} ms of processor time per decision")
            }
            "milliseconds_per_game" => format!("at {amount} ms per game"),
            "depth" => format!("at a depth of {amount}"),
            unit => format!("at {amount} {unit} per decision"),
        }
    }

    /// The text of the agent file of a proven winner: its settings and their origin, of which the method and the number
    /// of games of the search are given.
    pub(crate) fn best_file(
        &self,
        winner: &AgentFile,
        (method, search_games): (&str, u64),
        proof: &ProofResult,
    ) -> Result<String, toml::ser::Error> {
        let settings = toml::to_string(
            &winner
                .config
                .clone()
                .effective()
                .without_idle()
                .with_absolute_places(),
        )?;
        let elo = proof.test.elo();
        let points = |value: f64| format!("{value:+.0}");
        let value = elo.value.map_or_else(|| "unknown".to_owned(), points);
        let interval = elo.interval_as(points);
        let interval = interval.unwrap_or_else(|| "unknown".to_owned());
        let (test, condition) = (&self.proof.test, self.condition());
        Ok(format!(
            "# {} with the changes of {}, found by `patchwork-arena tune` and proven to be better\n\
             # {condition}.\n\
             # tuning plan {:016x}, method {method}, seed {}, {search_games} games of search\n\
             # proof: {} games on fresh setups against {}: {value} Elo, 95% {interval};\n\
             # the test of {} against {} Elo accepted {} (alpha {}, beta {})\n\
             # settings: {}\n\
             description = \"{} tuned by {method}, {value} Elo better in {} games {}.\"\n{settings}",
            self.base.name,
            self.name,
            self.hash(method),
            self.settings.seed,
            proof.games,
            self.base.name,
            test.elo0(),
            test.elo1(),
            test.elo1(),
            test.alpha(),
            test.beta(),
            winner.name,
            self.base.name.replace('"', "'"),
            proof.games,
            condition.replace('"', "'"),
        ))
    }
}
