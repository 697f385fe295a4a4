//! The results of a search for a better agent.

use patchwork_engine::util::JsonInteger;
use patchwork_rating::Estimate;
use patchwork_rating::sprt::{PairEstimate, Verdict};
use serde::Serialize;

use crate::objective::Objective;
use crate::{
    EffectRow, History, KeyRow, MatchResult, Point, ProofResult, Recommendation, Stage, Tuning,
    importance,
};
use patchwork_report::document::{Unit, signed};
use patchwork_report::no_interval;

/// A candidate with the result that the model expects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CandidateRow {
    /// Its place, from 1.
    pub(crate) rank: usize,
    /// Its number in the order of first trials, from 1.
    pub(crate) number: u32,
    pub(crate) settings: String,
    pub(crate) result: Estimate,
    /// The pairs that it played.
    pub(crate) pairs: u32,
    /// Whether these are the settings of the base.
    pub(crate) is_base: bool,
}

/// The incumbent at some time of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceRow {
    /// The pairs played so far.
    pub pairs: u32,
    /// The games of these pairs.
    pub games: u64,
    /// The stage at that time.
    pub stage: Stage,
    /// The candidates left in the final race.
    pub alive: Option<usize>,
    /// The incumbent's number in the order of first trials, from 1.
    pub number: u32,
    /// Its settings.
    pub settings: String,
    /// Its expected result at that time.
    pub result: Estimate,
}

impl ConvergenceRow {
    /// The incumbent after this many pairs and games.
    pub fn new(
        (pairs, games): (u32, u64),
        stage: Stage,
        alive: Option<usize>,
        best: &Recommendation,
    ) -> Self {
        Self {
            pairs,
            games,
            stage,
            alive,
            number: best.number,
            settings: best.point.to_string(),
            result: best.result,
        }
    }
}

/// What a search left.
#[derive(Clone, Debug)]
pub struct SearchResults {
    /// All results.
    pub history: History,
    /// The candidates, the highest expectation first.
    pub ranking: Vec<Recommendation>,
    /// The incumbents in order.
    pub convergence: Vec<ConvergenceRow>,
    /// The candidate that the search recommends.
    pub winner: Point,
    /// The number of games.
    pub games: u64,
    /// The name of the method, or `external` if another program proposed the candidates.
    pub method: &'static str,
}

/// The measured times of a search. They differ from run to run, so they are kept apart from the other results.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct MeasuredTimes {
    /// The winner's seconds per move in the proof.
    pub(crate) winner_seconds: Option<f64>,
    /// The base's seconds per move in the proof.
    pub(crate) base_seconds: Option<f64>,
    /// The milliseconds of processor time for a decision in the match at equal time.
    pub(crate) milliseconds: Option<u32>,
    pub(crate) equal_time: Option<MatchResult>,
}

impl MeasuredTimes {
    /// The milliseconds for a decision of games that contradict the proof, if they do.
    pub(crate) fn contradicted_at(&self) -> Option<u32> {
        let equal = self.equal_time.filter(MatchResult::contradicts);
        equal.and(self.milliseconds)
    }
}

/// All report data of a search.
#[derive(Clone, Debug, Serialize)]
pub struct TuningReport {
    pub(crate) name: String,
    /// The hash of the tuning plan in 16 hexadecimal digits.
    pub(crate) plan_hash: String,
    pub(crate) method: &'static str,
    /// What was maximised.
    pub(crate) objective: Objective,
    pub(crate) seed: JsonInteger,
    /// The agent to be improved.
    pub(crate) base: String,
    pub(crate) opponents: Vec<String>,
    pub(crate) pairs: u32,
    pub(crate) games: u64,
    /// The standard deviation of a paired result of one candidate.
    pub(crate) noise: f64,
    /// The settings that the search recommends.
    pub(crate) winner: String,
    /// The candidates, the highest expectation first.
    pub(crate) candidates: Vec<CandidateRow>,
    /// How much each key matters, the most important first.
    pub(crate) importance: Vec<KeyRow>,
    /// The values of the keys, in the same order.
    pub(crate) effects: Vec<EffectRow>,
    pub(crate) convergence: Vec<ConvergenceRow>,
    /// The proof; none if the search recommends the base itself.
    pub(crate) proof: Option<ProofResult>,
    /// The match at [four times the budget](crate::SLOW).
    pub(crate) slow: Option<MatchResult>,
    pub(crate) conclusion: String,
    /// The measured times, which are no part of what a plan determines.
    #[serde(skip)]
    pub(crate) times: MeasuredTimes,
}

impl TuningReport {
    /// Whether the winner is proven to be better, and games at equal time do not contradict.
    pub(crate) fn is_better(&self) -> bool {
        let proof = self.proof.as_ref();
        proof.is_some_and(ProofResult::is_better) && self.times.contradicted_at().is_none()
    }

    /// Computes the report.
    pub(crate) fn new(
        tuning: &Tuning,
        search: SearchResults,
        proof: Option<ProofResult>,
        slow: Option<MatchResult>,
        times: MeasuredTimes,
    ) -> Self {
        let (space, history) = (&tuning.space, &search.history);
        let (importance, effects) = importance(space, history);
        let opponents = tuning.opponents.iter();
        let ranking = search.ranking.iter().zip(1..);
        let candidates = ranking.map(|(row, rank)| CandidateRow {
            rank,
            number: row.number,
            settings: row.point.to_string(),
            result: row.result,
            pairs: row.pairs,
            is_base: tuning.is_base(&row.point),
        });
        Self {
            name: tuning.name.clone(),
            plan_hash: format!("{:016x}", tuning.hash(search.method)),
            method: search.method,
            objective: tuning.objective,
            seed: JsonInteger(tuning.settings.seed),
            base: tuning.base.name.clone(),
            opponents: opponents.map(|agent| agent.name.clone()).collect(),
            pairs: history.pairs(),
            games: search.games,
            noise: history.noise(),
            winner: search.winner.to_string(),
            candidates: candidates.collect(),
            importance,
            effects,
            convergence: search.convergence,
            conclusion: conclusion(tuning, proof.as_ref(), &times),
            proof,
            slow,
            times,
        }
    }
}

/// The interval of the Elo of a match, or why there is none.
pub(super) fn confidence(elo: Estimate, of: &PairEstimate) -> String {
    let known = Unit::Elo.confident(elo);
    known.unwrap_or_else(|| no_interval(of).to_owned())
}

/// The Elo of a match with its interval, or why there is none.
pub(super) fn with_interval(elo: Estimate, of: &PairEstimate) -> String {
    let interval = confidence(elo, of);
    match elo.value {
        Some(_) => format!("{} Elo ({interval})", Unit::Elo.known(elo)),
        None => format!("Elo unknown ({interval})"),
    }
}

/// A sentence about the result of the search, and about the improvement that it rules out.
fn conclusion(tuning: &Tuning, proof: Option<&ProofResult>, times: &MeasuredTimes) -> String {
    let condition = tuning.condition();
    let base = &tuning.base.name;
    let Some(proof) = proof else {
        return format!(
            "No better agent was found {condition}: the search recommends the settings of {base} itself."
        );
    };
    let elo = proof.test.elo();
    let pairs = proof.test.pairs.pairs();
    let corrected = match proof.test.corrected {
        Some(_) => ", corrected for the stopping of the test",
        None => "",
    };
    let interval = with_interval(elo, &proof.test.estimate) + corrected;
    let ruled_out = elo.high.map_or_else(String::new, |high| {
        format!(
            " An improvement of more than {} Elo is ruled out at 95%.",
            signed(high, 0)
        )
    });
    match proof.test.verdict {
        Verdict::AcceptH1 => match times.contradicted_at() {
            Some(milliseconds) => format!(
                "No better agent was found: {condition}, the winner is better than {base}, by {interval}, and the test \
                 accepted it after {pairs} pairs, but it is weaker at equal processor time, {milliseconds} ms per decision."
            ),
            None => format!(
                "The winner is better than {base} {condition}: by {interval}; the test accepted it after {pairs} pairs."
            ),
        },
        Verdict::AcceptH0 => format!(
            "No better agent was found {condition}: the test rejected the winner after {pairs} pairs. Against \
             {base}, it has {interval}.{ruled_out}"
        ),
        Verdict::Continue => format!(
            "No better agent was found {condition}: the test of the winner is undecided after all {pairs} pairs, \
             with {interval} against {base}.{ruled_out}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use patchwork_rating::sprt::PairCounts;

    use super::*;

    #[test]
    fn a_match_without_an_interval_says_why() {
        for (counts, expected) in [
            (
                "0,0,0,0,8",
                "Elo unknown (no interval, because all pairs ended alike)",
            ),
            (
                "0,0,8,0,0",
                "0 Elo (no interval, because all pairs ended alike)",
            ),
            (
                "1,0,0,0,1",
                "0 Elo (no interval, because the pairs carry too little information)",
            ),
            ("3,0,20,0,9", "+66 Elo (95%: \u{2212}71/+77)"),
        ] {
            let counts: PairCounts = counts.parse().expect("counts");
            let of = counts.estimate();
            assert_eq!(with_interval(of.elo, &of), expected);
        }
    }

    #[test]
    fn a_winner_that_loses_at_equal_time_is_not_proven() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.toml");
        let file = "name = \"t\"\nbase = \"mcts-fast-1\"\npairs = 60\nequal = \"budget\"\n[budget]\niterations = 20\n\
                    [space]\n\"rollout.depth\" = [0, 4]\n";
        fs::write(&path, file).expect("written");
        let tuning = Tuning::read(&path, None).expect("a search");
        let counts = |pairs: &str| pairs.parse::<PairCounts>().expect("counts");
        let proof = ProofResult {
            games: 400,
            test: tuning.proof.test.report(&counts("10,0,60,0,130")),
        };
        let equal = |pairs| MeasuredTimes {
            milliseconds: Some(3),
            equal_time: Some(MatchResult {
                games: 200,
                estimate: counts(pairs).estimate(),
            }),
            ..MeasuredTimes::default()
        };
        let said = |times| conclusion(&tuning, Some(&proof), &times);
        let worse = said(equal("60,0,30,0,10"));
        assert!(
            worse.starts_with("No better agent was found: at 20 iterations per decision"),
            "{worse}"
        );
        assert!(
            worse.ends_with("weaker at equal processor time, 3 ms per decision."),
            "{worse}"
        );
        for other in ["10,0,30,0,60", "26,0,50,0,24"] {
            let better = said(equal(other));
            assert!(
                better.starts_with(
                    "The winner is better than mcts-fast-1 at 20 iterations per decision"
                ),
                "{better}"
            );
        }
    }
}
