//! A worker: takes pairs, plays them on its threads, publishes the games.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::record::GameId;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::link::{Delivered, FleetError, FleetLink, KeptMessage, RETRY, Receipt, lock};
use super::message::{FleetOutcome, FleetTask, TaskVerdict, decode_plan};
use patchwork_tournament::{Manifest, Plan, PlannedGame, PlayablePlan, Players};

/// The options of a worker.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// Its name.
    pub name: String,
    /// Number of pairs that it plays at once. It never takes more pairs than it has threads.
    pub threads: NonZeroUsize,
    /// Whether it plays agents that start other programs.
    pub allows_external: bool,
    /// The worker ends after this time without a task; `None` for never.
    pub patience: Option<Duration>,
    /// A task that was delivered more often is reported instead of played.
    pub most_deliveries: u64,
}

/// The time that a thread waits for a task before it checks whether to end.
const POLL: Duration = Duration::from_secs(2);
/// Number of attempts to give a task back when the worker ends.
const GOODBYES: u32 = 3;

/// What a worker has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkSummary {
    /// Number of games that it has played.
    pub games: u64,
    /// Number of tasks that failed.
    pub failures: u64,
}

/// The data shared by the threads of a worker.
struct Shared<'a, L: FleetLink> {
    link: &'a L,
    options: &'a WorkOptions,
    stop: &'a Stop,
    /// The plan of the fleet and its hash.
    plan: Mutex<Option<(String, Arc<PlayablePlan>)>>,
    /// The receipt of each thread's current task.
    held: Mutex<HashMap<usize, Arc<dyn Receipt>>>,
    error: Mutex<Option<InputError>>,
    games: AtomicU64,
    failures: AtomicU64,
    busy: Mutex<Instant>,
}

/// Works until `stop` is set, or until there was no task for the time of [`patience`](WorkOptions::patience).
/// Pairs in progress are then given back.
pub fn work<L: FleetLink>(
    link: &L,
    options: &WorkOptions,
    stop: &Stop,
) -> Result<WorkSummary, InputError> {
    // A worker with another version does not even take a task.
    if let Ok(Some(plan)) = link.kept(KeptMessage::Plan) {
        decode_plan(&plan)?;
    }
    let shared = Shared {
        link,
        options,
        stop,
        plan: Mutex::new(None),
        held: Mutex::new(HashMap::new()),
        error: Mutex::new(None),
        games: AtomicU64::new(0),
        failures: AtomicU64::new(0),
        busy: Mutex::new(Instant::now()),
    };
    let shared = &shared;
    thread::scope(|scope| {
        let players: Vec<_> = (0..options.threads.get())
            .map(|thread| scope.spawn(move || shared.play(thread)))
            .collect();
        let mut renewed = Instant::now();
        while !players.iter().all(thread::ScopedJoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(50));
            if renewed.elapsed() >= link.wait() / 3 {
                renewed = Instant::now();
                shared.renew();
            }
        }
    });
    let error = lock(&shared.error).take();
    match error {
        Some(error) => Err(error),
        None => Ok(WorkSummary {
            games: shared.games.load(Ordering::Relaxed),
            failures: shared.failures.load(Ordering::Relaxed),
        }),
    }
}

impl<L: FleetLink> Shared<'_, L> {
    fn ends(&self) -> bool {
        let patience = self.options.patience;
        let is_idle = || {
            patience.is_some_and(|time| {
                lock(&self.held).is_empty() && lock(&self.busy).elapsed() >= time
            })
        };
        self.stop.is_set() || lock(&self.error).is_some() || is_idle()
    }

    /// Renews the tasks in progress.
    fn renew(&self) {
        let held: Vec<_> = lock(&self.held).values().cloned().collect();
        for receipt in held {
            // If a task cannot be renewed, it is played twice at worst.
            let _ = receipt.renew();
        }
    }

    /// One thread: takes tasks and plays them.
    fn play(&self, thread: usize) {
        // The players of a plan are created once, and used until a task of another plan arrives.
        let mut players: Option<Players> = None;
        while let Some((task, delivered)) = self.next_task(thread) {
            match self.plan_of(&task) {
                Some(plan) => {
                    let players = match &mut players {
                        Some(players) if Arc::ptr_eq(&players.plan, &plan) => players,
                        others => others.insert(Players::new(&plan)),
                    };
                    self.settle(players, &task, &delivered);
                    *lock(&self.busy) = Instant::now();
                }
                None => self.put_away(&task, &*delivered.receipt),
            }
            lock(&self.held).remove(&thread);
        }
    }

    /// Gives back a task that this worker cannot play, or drops a task of a finished plan.
    fn put_away(&self, task: &FleetTask, receipt: &dyn Receipt) {
        if lock(&self.error).is_some() {
            self.publish(task, TaskVerdict::Returned);
        }
        let _ = receipt.acknowledge();
    }

    /// The next valid task; `None` when the worker ends.
    fn next_task(&self, thread: usize) -> Option<(FleetTask, Delivered)> {
        while !self.ends() {
            let delivered = match self.link.task(POLL) {
                Ok(Some(delivered)) => delivered,
                Ok(None) => continue,
                Err(_) => {
                    thread::sleep(RETRY);
                    continue;
                }
            };
            match FleetTask::decode(&delivered.body) {
                Ok(task) => {
                    lock(&self.held).insert(thread, Arc::clone(&delivered.receipt));
                    return Some((task, delivered));
                }
                // No worker can play it; the collector publishes lost pairs again.
                Err(_) => drop(delivered.receipt.acknowledge()),
            }
        }
        None
    }

    /// The plan of a task; `None` if it is not the plan of the fleet, or this worker cannot play it.
    fn plan_of(&self, task: &FleetTask) -> Option<Arc<PlayablePlan>> {
        let mut known = lock(&self.plan);
        if let Some((_, plan)) = known.as_ref().filter(|(hash, _)| *hash == task.plan) {
            return Some(Arc::clone(plan));
        }
        let packed = loop {
            match self.link.kept(KeptMessage::Plan) {
                Ok(packed) => break packed?,
                Err(_) if self.stop.is_set() => return None,
                Err(_) => thread::sleep(RETRY),
            }
        };
        let checked = decode_plan(&packed)
            .and_then(|manifest| self.check_programs(&manifest).map(|()| manifest));
        let manifest = match checked {
            Ok(manifest) => manifest,
            Err(error) => {
                lock(&self.error).get_or_insert(error);
                return None;
            }
        };
        let plan = PlayablePlan::new(&manifest.plan);
        let is_of_task = manifest.plan_hash == task.plan;
        *known = Some((manifest.plan_hash, Arc::clone(&plan)));
        is_of_task.then_some(plan)
    }

    /// Checks that the programs of external agents may be started and exist: a program that is missing on one
    /// machine must not lose games.
    fn check_programs(&self, manifest: &Manifest) -> Result<(), InputError> {
        let tournament = &manifest.name;
        for agent in manifest.plan.agents() {
            let name = &agent.name;
            if agent.config.is_program() && !self.options.allows_external {
                return Err(InputError::new(format!(
                    "the fleet's tournament {tournament} has the agent {name}, which starts another program; start \
                     this worker with --allow-external if it may do so"
                )));
            }
            let installed = agent.config.check_installed();
            installed.map_err(|wrong| {
                InputError::new(format!(
                    "the agent {name} of the fleet's tournament {tournament} cannot play here: {wrong}"
                ))
            })?;
        }
        Ok(())
    }

    /// Plays a task, publishes the outcome, and then acknowledges the task.
    fn settle(&self, players: &mut Players, task: &FleetTask, delivered: &Delivered) {
        let verdict = if self.ends() {
            TaskVerdict::Returned
        } else if delivered.deliveries > self.options.most_deliveries {
            TaskVerdict::Deadly(delivered.deliveries)
        } else {
            self.verdict(players, task)
        };
        let games = match &verdict {
            TaskVerdict::Played(games) => games.len() as u64,
            TaskVerdict::Failed(_) | TaskVerdict::Deadly(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                0
            }
            TaskVerdict::Returned => 0,
        };
        // If the outcome is not published, the service delivers the task again.
        if self.publish(task, verdict) {
            self.games.fetch_add(games, Ordering::Relaxed);
            let _ = delivered.receipt.acknowledge();
        }
    }

    fn verdict(&self, players: &mut Players, task: &FleetTask) -> TaskVerdict {
        let mut games = Vec::with_capacity(task.legs.len());
        for &leg in &task.legs {
            let Some(game) = game_of(&players.plan.plan, task.pair.game(leg)) else {
                return TaskVerdict::Failed("the plan has no such pair".to_owned());
            };
            match players.play(game, self.stop) {
                Ok(Some(played)) => {
                    games.push((players.plan.streams.address(game), played.entry));
                }
                Ok(None) => return TaskVerdict::Returned,
                Err(error) => return TaskVerdict::Failed(error.to_string()),
            }
        }
        TaskVerdict::Played(games)
    }

    /// Publishes an outcome; returns whether it is safe.
    fn publish(&self, task: &FleetTask, verdict: TaskVerdict) -> bool {
        let outcome = FleetOutcome::new(task, &self.options.name, verdict);
        let Ok(bytes) = outcome.encode() else {
            return false;
        };
        let mut refusals = 0;
        loop {
            let published: Result<(), FleetError> = self.link.publish_outcome(&bytes);
            if published.is_ok() {
                return true;
            }
            refusals += 1;
            if self.stop.is_set() && refusals >= GOODBYES {
                return false;
            }
            thread::sleep(RETRY);
        }
    }
}

/// The game of the plan with this identity.
fn game_of(plan: &Plan, id: GameId) -> Option<PlannedGame> {
    plan.game(plan.index(id)).filter(|game| game.id == id)
}
