//! What the folder of a search for a better agent says: how far it is, the best settings, and where its report is.

use std::fs;
use std::path::{Path, PathBuf};

use patchwork_tournament::ledger::{self, FolderFacts, TournamentError};
use patchwork_tournament::{Results, TournamentState};
use serde_json::Value;

use super::tested::SprtTests;
use crate::document::{Unit, counted};
use patchwork_rating::Estimate;

/// The report of a search in its folder, as JSON, as text and as a page.
pub const TUNING: [&str; 3] = ["tuning.json", "tuning.txt", "tuning.html"];
/// The best settings of a search that is not over.
pub const INCUMBENT: &str = "incumbent.json";
/// The folder of the proof, in that of the search.
pub const PROOF: &str = "proof";

/// How far a search for a better agent is.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningState {
    /// `searching`, `proving`, `decided` with the games of the proof, `undecided`, `complete` without a proof, or `stopped`.
    pub state: String,
    /// The best settings so far, or the winner.
    pub best: Option<String>,
    /// What is known, in sentences.
    pub lines: Vec<String>,
    /// The page of its report, once there is one.
    pub page: Option<PathBuf>,
}

impl TuningState {
    /// That of a results folder with these facts; `None` if it is not that of a search.
    pub fn of(dir: &Path, facts: &FolderFacts) -> Result<Option<Self>, TournamentError> {
        let plan = &facts.manifest.plan;
        let Some(is_over) = facts.manifest.is_search_over else {
            return Ok(None);
        };
        let json = |name| serde_json::from_slice::<Value>(&fs::read(dir.join(name)).ok()?).ok();
        let report = json(TUNING[0]).filter(|_| is_over);
        let incumbent = json(INCUMBENT).filter(|_| report.is_none());
        let proof = dir.join(PROOF);
        let tests = match is_over && ledger::exists(&proof)? {
            true => SprtTests::new(&Results::read(&proof)?.schedule),
            false => None,
        };
        let tested = tests
            .as_ref()
            .and_then(|tests| Some((tests, tests.tests.first()?)));
        let games = tested.map(|(_, test)| counted(2 * test.pairs, "game"));
        let state = match (&report, &games) {
            (Some(_), Some(games)) => match tested.is_some_and(|(_, test)| test.exhausted) {
                true => format!("undecided, {games}"),
                false => format!("decided, {games}"),
            },
            (Some(_), None) => "complete".to_owned(),
            _ if ledger::is_locked(&proof) => "proving".to_owned(),
            _ if TournamentState::of(dir)?.is_running() => "searching".to_owned(),
            _ => "stopped".to_owned(),
        };
        let mut lines = Vec::new();
        let text = |of: &Option<Value>, key: &str| Some(of.as_ref()?[key].as_str()?.to_owned());
        lines.extend(text(&report, "conclusion"));
        if report.is_none() {
            let agents = counted(plan.agents().len() as u64, "agent");
            lines.push(format!(
                "{agents} with the opponents, {} of search.",
                counted(facts.games, "game")
            ));
        }
        lines.extend(incumbent.as_ref().and_then(incumbent_line));
        if let Some((tests, test)) = tested.filter(|_| report.is_none()) {
            lines.push(format!(
                "Proof: LLR {:.2} after {}; {:.2} accepts the winner, {:.2} rejects it.",
                test.llr,
                counted(2 * test.pairs, "game"),
                tests.upper,
                tests.lower
            ));
        }
        let best = text(&report, "winner").or_else(|| text(&incumbent, "settings"));
        let page = Some(dir.join(TUNING[2])).filter(|page| report.is_some() && page.exists());
        Ok(Some(Self {
            state,
            best,
            lines,
            page,
        }))
    }
}

/// The best settings so far, with the result that is expected of them.
fn incumbent_line(incumbent: &Value) -> Option<String> {
    let number = |key: &str| incumbent["result"][key].as_f64();
    let result = Estimate {
        value: number("value"),
        low: number("low"),
        high: number("high"),
        error: None,
    };
    let (settings, pairs) = (
        incumbent["settings"].as_str()?,
        incumbent["pairs"].as_u64()?,
    );
    Some(format!(
        "Best so far: {settings}, with an expected result of {} after {}.",
        Unit::ThreeDecimals.with_interval(result),
        counted(pairs, "pair")
    ))
}
