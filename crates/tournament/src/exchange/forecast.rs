//! Predicts a run of a plan: the games that exist, the missing games, and the time they take.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::agent::{Agent, AgentSettings, Limit};
use patchwork_engine::game::{Rules, Setup, State};
use patchwork_engine::record::GameFacts;
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::InputError;
use patchwork_engine::util::clock::wall_time;
use patchwork_engine::util::rng::stream;

use super::import::importable;
use crate::ledger::TournamentError;
use crate::planning::manifest::Manifest;
use crate::planning::planned_game::PlannedGame;
use crate::playing::play::play_watched;
use crate::playing::results::{ExcludedGames, Results};
use crate::playing::schedule::Schedule;

/// Number of games of each agent from which times are read.
const SAMPLE: u32 = 50;
/// Number of agents that play games to measure times, number of games of each, and the time for all of them.
const MAX_SAMPLED: usize = 50;
const SAMPLED: u32 = 3;
const SAMPLE_TIME: Duration = Duration::from_secs(1);
/// The longest time that is foreseen for a decision, in seconds.
const LONGEST: f64 = 1e6;
/// The approximate least cost of a game besides thinking: counting legal actions, storing.
pub const OVERHEAD: Duration = Duration::from_micros(100);
/// Approximate number of decisions of a player in a game; only used for agents without measured times.
const DECISIONS: u32 = 23;

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
    /// The games in the folder that are not part of the plan.
    pub aside: ExcludedGames,
    /// Time that the missing games take on one thread, if known.
    work: Option<Duration>,
    /// Time that all games of the plan take on one thread, including those already played, if known.
    pub(super) whole: Option<Duration>,
    /// Time of the decisions of each agent in a game, if known.
    of_agents: Vec<Option<Duration>>,
}

impl RunEstimate {
    /// Compares a folder with a plan; nothing is changed. Games of other folders may be imported.
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
        let of_agents = times(&results)?;
        let planned = results.schedule.planned_games();
        let all = Schedule::new(&results.manifest.plan);
        let mut forecast = Self {
            planned,
            there: results.schedule.finished_games(),
            importable,
            work: None,
            whole: time_of(planned, all, &of_agents),
            of_agents,
            aside: results.aside,
        };
        forecast.work = time_of(forecast.missing(), results.schedule, &forecast.of_agents);
        Ok(forecast)
    }

    /// The same forecast; agents whose time is unknown play against themselves for a second, and these games are not
    /// kept.
    #[must_use]
    pub fn with_sample(mut self, manifest: &Manifest) -> Self {
        let plan = &manifest.plan;
        let unknown = (0..)
            .zip(&self.of_agents)
            .filter(|(_, time)| time.is_none());
        let unknown: Vec<usize> = unknown.map(|(agent, _)| agent).collect();
        if unknown.is_empty() || self.missing() == 0 {
            return self;
        }
        let sampled = (unknown.iter()).step_by(unknown.len().div_ceil(MAX_SAMPLED));
        let count = sampled.len() as u32;
        for &agent in sampled {
            let config = &plan.agents()[agent].config;
            self.of_agents[agent] =
                Some(sample_time(config, plan.rules(), SAMPLE_TIME / count, wall_time).0);
        }
        let known = unknown.iter().filter_map(|&agent| self.of_agents[agent]);
        let mean = known.sum::<Duration>() / count;
        for agent in unknown {
            self.of_agents[agent].get_or_insert(mean);
        }
        self.work = time_of(self.missing(), Schedule::new(plan), &self.of_agents);
        self
    }

    /// The number of games that would be played.
    pub fn missing(&self) -> u64 {
        let found: u64 = self.importable.iter().map(|(_, games)| games).sum();
        self.planned.saturating_sub(self.there + found)
    }

    /// The estimated time on this number of threads; `None` if nothing is known about some agent.
    pub fn time(&self, threads: NonZeroUsize) -> Option<Duration> {
        let threads = u32::try_from(threads.get()).unwrap_or(u32::MAX);
        self.work.map(|work| work / threads)
    }
}

/// The mean time of each agent's decisions in a game, if known: from its games, or from its time budget.
fn times(results: &Results) -> Result<Vec<Option<Duration>>, TournamentError> {
    let plan = &results.manifest.plan;
    let mut times = vec![(Duration::ZERO, 0); plan.agents().len()];
    for (index, game) in results.games.facts().iter().enumerate() {
        let is_known = |&agent: &u16| times[usize::from(agent)].1 >= SAMPLE;
        if game.agents.iter().all(is_known) {
            continue;
        }
        let entry = results.games.entry(index)?;
        for (agent, thinking) in game.agents.into_iter().zip(entry.thinking()) {
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
            None if !config.is_program() => Some(Duration::ZERO),
            Some(Budget::Time(time) | Budget::ProcessorTime(time)) => Some(time * DECISIONS),
            Some(Budget::GameTime(time)) => Some(time),
            _ => None,
        }
    };
    Ok((0..).take(times.len()).map(of_agent).collect())
}

/// The time of the decisions of an agent in a game, and of one of them, from what it plays against itself in some time,
/// by this clock.
pub fn sample_time(
    config: &AgentSettings,
    rules: Rules,
    most: Duration,
    clock: fn() -> Duration,
) -> (Duration, Duration) {
    let setup = Setup::random(rules, &mut stream(&[0]));
    let mut agents = [config.build(), config.build()];
    let (stop, begun) = (Stop::new(), clock());
    // How much was played, and when the last of it ended.
    let (mut games, mut decisions) = ((0, Duration::ZERO), (0, Duration::ZERO));
    let (ended, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let stop = &stop;
        let wait = move || end.recv_timeout(most).is_err().then(|| stop.set());
        let _ = thread::Builder::new().spawn_scoped(scope, wait);
        while games.0 < SAMPLED {
            let game = PlannedGame::new(0, (0, 0), games.0, 0);
            let [one, two] = &mut agents;
            let streams = [1, 2].map(|seat| stream(&[seat]));
            let played = play_watched(
                game,
                &setup,
                [&mut **one, &mut **two],
                streams,
                0,
                stop,
                |_| {
                    decisions = (decisions.0 + 1, clock() - begun);
                },
            );
            if !matches!(played, Ok(Some(_))) {
                break;
            }
            games = (games.0 + 1, clock() - begun);
        }
        drop(ended);
    });
    let [agent, _] = &mut agents;
    let decision = match decisions.0 {
        0 => first_decision(&mut **agent, config.budget(), &setup, most).unwrap_or(most),
        count => decisions.1 / count,
    };
    let game = games.1.checked_div(2 * games.0);
    (game.unwrap_or(decision * DECISIONS), decision)
}

/// The time of the first decision of a game, as that of smaller and smaller parts of it tells.
fn first_decision(
    agent: &mut dyn Agent,
    budget: Option<Budget>,
    setup: &Setup,
    most: Duration,
) -> Option<Duration> {
    let (unit, amount) = budget?.units();
    let is_depth = unit == "depth";
    let (state, stop, begun) = (State::new(setup), Stop::new(), Instant::now());
    let (mut count, mut before) = (1, None);
    loop {
        agent.start(setup, stream(&[1]));
        let (start, budget) = (Instant::now(), Budget::of_units(unit, count));
        let limit = Limit {
            budget,
            ..Limit::own(&stop)
        };
        agent.decide(setup, &state, limit).ok()?;
        let seconds = start.elapsed().as_secs_f64();
        let left = amount.saturating_sub(count.into()) as f64;
        if left == 0.0 || begun.elapsed() > most / 8 {
            // Each turn more multiplies the time of a search; iterations add to it.
            let factor = match before.filter(|_| is_depth) {
                Some(before) => f64::powf(seconds / before, left),
                None => amount as f64 / f64::from(count),
            };
            return Some(Duration::from_secs_f64((seconds * factor).min(LONGEST)));
        }
        before = Some(seconds);
        count = if is_depth {
            count + 1
        } else {
            count.saturating_mul(2)
        };
    }
}

/// The time of this number of games of a schedule, computed from the first that it hands out.
fn time_of(count: u64, schedule: Schedule, of_agents: &[Option<Duration>]) -> Option<Duration> {
    if count == 0 {
        return Some(Duration::ZERO);
    }
    let (mut total, mut games) = (Duration::ZERO, 0);
    for game in schedule.take(10_000) {
        for agent in game.seats {
            total += of_agents[usize::from(agent)]?;
        }
        games += 1;
    }
    let mean = OVERHEAD + total.checked_div(games)?;
    Some(mean.mul_f64(count as f64))
}
