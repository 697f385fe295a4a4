//! A tuning from its first trial to its report: the search, and the proof of its winner.

use std::path::Path;

use patchwork_engine::util::InputError;

use super::results::{ConvergenceRow, MeasuredTimes, SearchResults, TuningReport};
use crate::{MatchResult, ProofResult, Stage, Trial, Tuning, seconds_per_move};
use patchwork_tournament::{Manifest, Results, TournamentError, ledger};

/// The name of the file of a proven winner.
pub const BEST: &str = "best.toml";

/// Who plays the games of a tuning and hears how it goes. What the user has stopped is `None`.
pub trait TuningCrew {
    /// Why it cannot go on.
    type Error: From<TournamentError> + From<InputError>;

    /// Plays the missing games of trials, and returns the results of each trial, one for each ring in order.
    fn play(&mut self, trials: &[Trial]) -> Result<Option<Vec<Vec<f64>>>, Self::Error>;

    /// Plays the missing games of a match into the folder of its name.
    fn play_match(&mut self, manifest: &Manifest) -> Result<Option<Results>, Self::Error>;

    /// The number of pairs that the search may have, as far as known now.
    fn pairs(&self) -> u32;

    /// The number of games of the search so far.
    fn games(&self) -> u64;

    /// Hears of the candidate that leads.
    fn show(&mut self, row: &ConvergenceRow);
}

/// Searches with the method of the file. A stopped search is resumed by telling the method the results that exist.
pub fn search<C: TuningCrew>(
    tuning: &Tuning,
    crew: &mut C,
) -> Result<Option<SearchResults>, C::Error> {
    let mut tuner = tuning.tuner()?;
    // Some batches have no incumbent: it needs a model.
    let mut shown = 0;
    let mut convergence = Vec::new();
    loop {
        if tuning.seconds.is_some() {
            tuner.limit(crew.pairs());
        }
        let trials = tuner.ask();
        if trials.is_empty() {
            break;
        }
        let Some(results) = crew.play(&trials)? else {
            return Ok(None);
        };
        tuner.tell(results)?;
        let pairs = tuner.history().pairs();
        if pairs >= shown + crew.pairs().div_ceil(50) || tuner.stage() != Stage::Search {
            shown = pairs;
            if let Some(best) = tuner.best() {
                let (stage, alive) = (tuner.stage(), tuner.alive());
                let row = ConvergenceRow::new((pairs, crew.games()), stage, alive, &best);
                crew.show(&row);
                convergence.push(row);
            }
        }
    }
    let no_winner = || InputError::new("no candidate was played");
    let winner = tuner.best().ok_or_else(no_winner)?.point;
    Ok(Some(SearchResults {
        ranking: tuner.ranking(),
        history: tuner.history().clone(),
        convergence,
        winner,
        games: crew.games(),
        method: tuning.settings.method.name(),
    }))
}

/// Proves the winner of a search in matches, and saves the report in the folder of the search. The file [`BEST`] is
/// there if the winner is better than the base, and games at equal time do not contradict. Returns the report and whether it is.
pub fn conclude<C: TuningCrew>(
    tuning: &Tuning,
    search: SearchResults,
    dir: &Path,
    crew: &mut C,
) -> Result<Option<(TuningReport, bool)>, C::Error> {
    ledger::create_folder(dir)?;
    let mut proof = None;
    let (mut slow, mut best) = (None, None);
    let mut times = MeasuredTimes::default();
    if !tuning.is_base(&search.winner) {
        let winner = tuning.agent(&search.winner)?;
        let manifest = tuning.proof_of(&winner)?;
        let Some(results) = crew.play_match(&manifest)? else {
            return Ok(None);
        };
        let found = ProofResult::new(tuning, &results);
        [times.winner_seconds, times.base_seconds] = seconds_per_move(tuning, &results)?;
        if found.is_better() {
            let manifest = tuning.slow_proof_of(&winner);
            if let Some(manifest) = manifest? {
                let Some(results) = crew.play_match(&manifest)? else {
                    return Ok(None);
                };
                slow = Some(MatchResult::new(tuning, &results));
            }
            let timed = times.base_seconds;
            let timed = timed.map(|seconds| tuning.equal_time_of(&winner, seconds));
            let timed = timed.transpose()?;
            if let Some((time, manifest)) = timed.flatten() {
                let Some(results) = crew.play_match(&manifest)? else {
                    return Ok(None);
                };
                times.equal_time = Some(MatchResult::new(tuning, &results));
                times.milliseconds = Some(time);
            }
            if times.contradicted_at().is_none() {
                let file = tuning.best_file(&winner, (search.method, search.games), &found);
                let file = file.map_err(|error| InputError::new(error.to_string()));
                best = Some(file?);
            }
        }
        proof = Some(found);
    }
    let path = dir.join(BEST);
    match &best {
        Some(text) => ledger::write_file(&path, text.as_bytes()),
        // That of an earlier search.
        None => ledger::remove_file(&path),
    }?;
    let report = TuningReport::new(tuning, search, proof, slow, times);
    report.save(dir)?;
    Ok(Some((report, best.is_some())))
}
