//! Predicts a run of a plan: the games that exist, the missing games, and the time they take.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use patchwork_engine::record::GameFacts;
use patchwork_engine::util::InputError;

use super::game_times::GameTimes;
use super::import::importable;
use crate::planning::manifest::Manifest;
use crate::playing::results::{ExcludedGames, Results};
use crate::playing::state::TournamentState;

/// The games that exist and those that a run would play.
#[derive(Clone, Debug)]
pub struct RunEstimate {
    /// Number of games of the plan, as far as known.
    pub planned: u64,
    /// Number of games in the folder that count.
    pub there: u64,
    /// Number of missing games that each of the other folders has; a game is counted for the first
    /// folder that has it.
    pub importable: Vec<(PathBuf, u64)>,
    /// How far the tournament is.
    pub state: TournamentState,
    /// The games in the folder that are not part of the plan.
    pub aside: ExcludedGames,
    /// Time that the missing games take on one thread, if it is known.
    work: Option<Duration>,
}

impl RunEstimate {
    /// Compares a folder with a plan; nothing is changed. Games of other folders may be imported. Agents without a measured
    /// time play against themselves for up to a second, and these games are not kept.
    ///
    /// # Errors
    /// When a folder cannot be read, or [`Results::open`] would refuse it.
    pub fn new(dir: &Path, manifest: &Manifest, others: &[PathBuf]) -> Result<Self, InputError> {
        let results = Results::preview(dir, manifest)?;
        let known = || results.games.facts().iter().map(GameFacts::id).collect();
        let importable = match others {
            [] => Vec::new(),
            others => importable(&results.manifest, known(), others)?,
        };
        let (plan, schedule) = (&results.manifest.plan, &results.schedule);
        let mut estimate = Self {
            planned: schedule.planned_games(),
            there: schedule.finished_games(),
            importable,
            state: results.state(),
            aside: results.aside,
            work: Some(Duration::ZERO),
        };
        let missing = estimate.missing();
        if missing > 0 {
            let mut times = GameTimes::of(&results.games)?;
            let agents = plan.agents().iter().map(|agent| &agent.config);
            times.sample((0..).zip(agents), plan.rules());
            // Which of them can be imported does not matter.
            let share = missing as f64 / (estimate.planned - estimate.there) as f64;
            estimate.work = times
                .games(schedule.missing())
                .map(|work| work.mul_f64(share));
        }
        Ok(estimate)
    }

    /// The number of games that would be played.
    pub fn missing(&self) -> u64 {
        let found: u64 = self.importable.iter().map(|(_, games)| games).sum();
        self.planned.saturating_sub(self.there + found)
    }

    /// The estimated time on this number of threads, if it is known.
    pub fn time(&self, threads: NonZeroUsize) -> Option<Duration> {
        let threads = u32::try_from(threads.get()).unwrap_or(u32::MAX);
        self.work.map(|work| work / threads)
    }
}
