//! Predicts a run of a plan: the games that exist, the missing games, and the time they take.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::InputError;

use super::import::importable;
use crate::tournament::ledger::StoreError;
use crate::tournament::planning::manifest::Manifest;
use crate::tournament::playing::results::{Aside, Results};
use crate::tournament::playing::runner::RunError;
use crate::tournament::playing::schedule::Schedule;

/// Number of games of each agent from which times are read.
const SAMPLE: u32 = 50;
/// Number of games of each agent that are played to measure times, and the most time for all of them.
const SAMPLED: u32 = 6;
const SAMPLE_TIME: Duration = Duration::from_secs(1);
/// The number of games among which those are sought.
const MOST_SEARCHED: usize = 1_000_000;
/// The approximate least cost of a game besides thinking: counting legal actions, storing.
pub const OVERHEAD: Duration = Duration::from_micros(100);
/// Approximate number of decisions of a player in a game; only used for agents without measured times.
const DECISIONS: u32 = 23;

/// The games that exist and those that a run would play.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Number of games of the plan, as far as known.
    pub planned: u64,
    /// Number of games in the folder that count.
    pub there: u64,
    /// Number of missing games that each of the other folders has; a game is counted for the first
    /// folder that has it.
    pub importable: Vec<(PathBuf, u64)>,
    /// The games in the folder that are not part of the plan.
    pub aside: Aside,
    /// Time that the missing games take on one thread, if known.
    work: Option<Duration>,
    /// Time that all games of the plan take on one thread, if known.
    whole: Option<Duration>,
}

impl Forecast {
    /// Compares a folder with a plan; nothing is changed. Games of other folders may be imported.
    ///
    /// # Errors
    /// When a folder cannot be read, or [`Results::open`] would refuse it.
    pub fn new(dir: &Path, manifest: &Manifest, others: &[PathBuf]) -> Result<Self, InputError> {
        let results = Results::preview(dir, manifest)?;
        let known = results.games.ids().collect();
        let importable = importable(&results.manifest, known, others)?;
        let mut forecast = Self {
            planned: results.schedule.planned_games(),
            there: results.schedule.finished_games(),
            importable,
            work: Some(Duration::ZERO),
            whole: None,
            aside: results.aside.clone(),
        };
        let of_agents = times(&results)?;
        let all = Schedule::new(&results.manifest.plan);
        forecast.whole =
            mean_time(all, &of_agents).map(|mean| mean.mul_f64(forecast.planned as f64));
        let missing = forecast.missing();
        if missing > 0 {
            let mean = mean_time(results.schedule, &of_agents);
            forecast.work = mean.map(|mean| mean.mul_f64(missing as f64));
        }
        Ok(forecast)
    }

    /// The same forecast; if the time is unknown, with the times of a few games that are played for this and not kept.
    ///
    /// # Errors
    /// When an agent cannot play.
    pub fn with_sample(mut self, manifest: &Manifest) -> Result<Self, RunError<StoreError>> {
        let plan = &manifest.plan;
        let is_bot = |agent: &u16| plan.agents()[usize::from(*agent)].config.kind() == "external";
        if self.work.is_some() || (0..).take(plan.agents().len()).any(|agent| is_bot(&agent)) {
            return Ok(self);
        }
        let mut played = vec![0; plan.agents().len()];
        let mut games = Vec::new();
        for game in Schedule::new(plan).known_games().take(MOST_SEARCHED) {
            let seats = game.seats.map(usize::from);
            if seats.iter().any(|&agent| played[agent] < SAMPLED) {
                seats.iter().for_each(|&agent| played[agent] += 1);
                games.push(game);
            } else if played.iter().all(|&games| games >= SAMPLED) {
                break;
            }
        }
        let mut sample = Results::none(manifest.clone());
        sample.ask_for(&games);
        let stop = Stop::new();
        let (ended, end) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let stop = &stop;
            scope.spawn(move || end.recv_timeout(SAMPLE_TIME).is_err().then(|| stop.set()));
            let played = sample.play(NonZeroUsize::MIN, stop, |_, _| ());
            drop(ended);
            played
        })?;
        let of_agents = times(&sample).map_err(RunError::Collect)?;
        let mean = mean_time(Schedule::new(plan), &of_agents);
        self.work = mean.map(|mean| mean.mul_f64(self.missing() as f64));
        Ok(self)
    }

    /// The number of games that would be played.
    #[must_use]
    pub fn missing(&self) -> u64 {
        let found: u64 = self.importable.iter().map(|(_, games)| games).sum();
        self.planned.saturating_sub(self.there + found)
    }

    /// The estimated time on this number of threads; `None` if nothing is known about some agent.
    #[must_use]
    pub fn time(&self, threads: NonZeroUsize) -> Option<Duration> {
        self.work.map(|work| on_threads(work, threads))
    }

    /// The estimated time of all games of the plan, including those already played.
    #[must_use]
    pub(crate) fn whole_time(&self, threads: NonZeroUsize) -> Option<Duration> {
        self.whole.map(|work| on_threads(work, threads))
    }
}

fn on_threads(work: Duration, threads: NonZeroUsize) -> Duration {
    work / u32::try_from(threads.get()).unwrap_or(u32::MAX)
}

/// The mean time of each agent's decisions in a game, if known: from its games, or from its time budget.
fn times(results: &Results) -> Result<Vec<Option<Duration>>, StoreError> {
    let plan = &results.manifest.plan;
    let mut times = vec![(Duration::ZERO, 0); plan.agents().len()];
    for (index, seats) in results.games.seats().enumerate() {
        if seats
            .iter()
            .all(|&agent| times[usize::from(agent)].1 >= SAMPLE)
        {
            continue;
        }
        let entry = results.games.entry(index)?;
        for (agent, thinking) in seats.into_iter().zip(entry.thinking()) {
            let (time, games) = &mut times[usize::from(agent)];
            *time += thinking;
            *games += 1;
        }
    }
    let of_agent = |agent: u16| {
        let (time, games) = times[usize::from(agent)];
        let config = &plan.agents()[usize::from(agent)].config;
        match config.budget() {
            _ if games > 0 => Some(time / games),
            None => Some(Duration::ZERO),
            Some(Budget::Time(time) | Budget::ProcessorTime(time)) => Some(time * DECISIONS),
            Some(Budget::GameTime(time)) => Some(time),
            Some(_) => None,
        }
    };
    Ok((0..).take(times.len()).map(of_agent).collect())
}

/// The mean time of the games that a schedule hands out, computed from the first of them.
fn mean_time(schedule: Schedule, of_agents: &[Option<Duration>]) -> Option<Duration> {
    let (mut total, mut games) = (Duration::ZERO, 0);
    for game in schedule.known_games().take(10_000) {
        for agent in game.seats {
            total += of_agents[usize::from(agent)]?;
        }
        games += 1;
    }
    (games > 0).then(|| OVERHEAD + total / games)
}
