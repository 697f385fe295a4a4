//! The collector: publishes what is missing, checks and stores what comes back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::link::{CollectorLink, Delivered, LinkError, Revision};
use super::message::{
    FleetOutcome, FleetPlan, FleetTask, MessageError, PairKey, TaskVerdict, WorkerStatus,
};
use crate::record::{Entry, GameId};
use crate::search::Stop;
use crate::tournament::store::StoreError;
use crate::tournament::{GameAddress, Intake, OfferError, Offered, PlannedGame, Schedule};

/// How a collector works.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// The name of this collector, unlike that of any other.
    pub name: String,
    /// Maximum number of pairs in the queue at once.
    pub window: usize,
    /// Time after which a task that is neither acknowledged nor renewed is delivered again.
    pub wait: Duration,
    /// Time between two comparisons of the queue with what is missing.
    pub audit: Duration,
    /// Time for which a collector that does not renew its lease is believed to be alive.
    pub lease: Duration,
}

/// The default of [`CollectOptions::lease`].
pub const LEASE: Duration = Duration::from_secs(8);

/// Failures of a pair before it is quarantined.
const MOST_FAILURES: u32 = 3;
/// Outcomes that are taken at once, and tasks that are published at once.
const BATCH: usize = 256;
/// The time to wait for outcomes.
const PATIENCE: Duration = Duration::from_millis(200);
/// The time to wait for outcomes while tasks are to be published.
const FILLING: Duration = Duration::from_millis(5);
/// Time after which a refused request is repeated.
const RETRY: Duration = Duration::from_millis(300);
/// The file beside the games that says who played them.
const DELIVERIES: &str = "deliveries.csv";

/// Why a collector ended.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// Another collector is active.
    #[error("another collector is active ({0}); only one may be at a time")]
    Busy(String),
    /// A game could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be sent.
    #[error("the plan cannot be sent to workers: {0}")]
    Plan(#[from] MessageError),
    /// The service refuses from the start.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum CollectEvent<'a> {
    /// A game newly counts and is stored.
    Game(&'a Entry, &'a Schedule),
    /// A sentence for whoever watches.
    Note(&'a str),
    /// The latest status of each worker that was heard of recently.
    Workers(&'a BTreeMap<String, WorkerStatus>),
}

/// What a collector has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Whether everything has been played.
    pub complete: bool,
    /// Number of games that were stored.
    pub stored: u64,
    /// Number of games that came again with the same record.
    pub doubles: u64,
    /// Number of games that came again with another record, which was dropped.
    pub different: u64,
    /// Number of messages that were not understood or not of this plan.
    pub garbage: u64,
    /// Number of games that were refused.
    pub refused: u64,
    /// Number of tasks that were published again.
    pub again: u64,
    /// The name and the trouble of each pair that is not played any more.
    pub quarantined: BTreeMap<String, String>,
}

/// The collector's claim to be the only one.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lease {
    owner: String,
    released: bool,
}

/// A pair that was published and has not come back.
struct Outstanding {
    games: Vec<PlannedGame>,
    attempt: u32,
    /// The number of audits in a row that did not find it in the queue.
    absent: u32,
}

/// Collects until the plan is complete, nothing but quarantined pairs is missing, or `stop` is set. A
/// service that does not answer is asked again.
///
/// # Errors
/// When another collector is active, a game cannot be stored, or the service refuses from the start.
pub fn collect(
    link: &impl CollectorLink,
    intake: &mut Intake<'_>,
    options: &CollectOptions,
    stop: &Stop,
    watch: impl FnMut(CollectEvent<'_>),
) -> Result<Collected, CollectError> {
    let mut collector = Collector {
        link,
        intake,
        options,
        watch,
        revision: 0,
        renewed: Instant::now(),
        outstanding: BTreeMap::new(),
        exhausted: false,
        failures: HashMap::new(),
        drained: false,
        workers: BTreeMap::new(),
        strangers: HashSet::new(),
        silent: false,
        done: Collected::default(),
    };
    link.prepare(options.wait)?;
    collector.claim(stop)?;
    let ended = collector.run(stop);
    collector.release();
    ended?;
    Ok(collector.done)
}

struct Collector<'a, 'p, L, W> {
    link: &'a L,
    intake: &'a mut Intake<'p>,
    options: &'a CollectOptions,
    watch: W,
    revision: Revision,
    renewed: Instant,
    outstanding: BTreeMap<PairKey, Outstanding>,
    /// Whether all pairs that are known so far were handed out.
    exhausted: bool,
    failures: HashMap<PairKey, u32>,
    /// Whether all outcomes were taken since the last audit.
    drained: bool,
    workers: BTreeMap<String, WorkerStatus>,
    /// Workers of other versions of play that were named.
    strangers: HashSet<String>,
    /// Whether the service did not answer the last time.
    silent: bool,
    done: Collected,
}

fn key_of(games: &[PlannedGame]) -> PairKey {
    PairKey {
        pairing: games[0].id.pairing,
        pair: games[0].id.pair,
    }
}

impl<L: CollectorLink, W: FnMut(CollectEvent<'_>)> Collector<'_, '_, L, W> {
    fn note(&mut self, text: &str) {
        (self.watch)(CollectEvent::Note(text));
    }

    fn run(&mut self, stop: &Stop) -> Result<(), CollectError> {
        let plan = FleetPlan::encode(self.intake.manifest())?;
        self.begin(&plan)?;
        let mut queue = None;
        let mut audited: Option<Instant> = None;
        while !stop.is_set() && !self.is_over() {
            let step = self.step(&plan, &mut queue, &mut audited, stop);
            match step {
                Ok(()) => self.silent = false,
                Err(StepError::Link(error)) => {
                    if !std::mem::replace(&mut self.silent, true) {
                        self.note(&format!(
                            "the server misbehaves: {error}; trying again"
                        ));
                    }
                    thread::sleep(RETRY);
                    let _ = self.link.prepare(self.options.wait);
                }
                Err(StepError::End(error)) => return Err(error),
            }
        }
        self.done.complete = self.intake.schedule().is_over();
        if self.done.complete {
            // Workers need not play what is left.
            let _ = self.link.clear();
        }
        Ok(())
    }

    /// Sets the plan; tasks of another plan are removed.
    fn begin(&mut self, plan: &[u8]) -> Result<(), CollectError> {
        if self.link.plan_there()?.as_deref() != Some(plan) {
            self.link.clear()?;
        }
        Ok(self.link.set_plan(plan)?)
    }

    /// Whether nothing is left that a worker could play.
    fn is_over(&self) -> bool {
        let schedule = self.intake.schedule();
        let idle = self.outstanding.is_empty() && self.exhausted;
        schedule.is_over() || (idle && !self.done.quarantined.is_empty())
    }

    fn step(
        &mut self,
        plan: &[u8],
        queue: &mut Option<HashSet<PairKey>>,
        audited: &mut Option<Instant>,
        stop: &Stop,
    ) -> Result<(), StepError> {
        if self.renewed.elapsed() >= self.options.lease / 4 {
            self.renew(stop)?;
        }
        if audited.is_none_or(|last| last.elapsed() >= self.options.audit) {
            self.link.prepare(self.options.wait)?;
            // A server that lost its data has lost the plan, too.
            if self.link.plan_there()?.as_deref() != Some(plan) {
                self.link.set_plan(plan)?;
            }
            *queue = Some(self.audit()?);
            *audited = Some(Instant::now());
        }
        self.top_up(queue.as_ref())?;
        let patience = if self.is_filling() { FILLING } else { PATIENCE };
        let taken = self.link.outcomes(BATCH, patience)?;
        self.drained |= taken.is_empty();
        for delivered in taken {
            self.take(&delivered)?;
        }
        let told = self.link.told();
        if !told.is_empty() {
            let known = told
                .iter()
                .filter_map(|status| WorkerStatus::decode(status).ok());
            self.workers
                .extend(known.map(|status| (status.worker.clone(), status)));
            (self.watch)(CollectEvent::Workers(&self.workers));
        }
        Ok(())
    }

    /// Publishes missing pairs, a batch at most, until the window is full. Those that are in the queue already,
    /// from an earlier collector, are not published again. What the service does not confirm is found by an
    /// audit.
    fn top_up(&mut self, queue: Option<&HashSet<PairKey>>) -> Result<(), StepError> {
        let mut fresh = Vec::new();
        while self.is_filling() && fresh.len() < BATCH {
            let Some(games) = self.intake.next_pair() else {
                self.exhausted = true;
                break;
            };
            let key = key_of(&games);
            let (attempt, absent) = (0, 0);
            let outstanding = Outstanding {
                games,
                attempt,
                absent,
            };
            self.outstanding.insert(key, outstanding);
            if !queue.is_some_and(|queue| queue.contains(&key)) {
                fresh.push(key);
            }
        }
        Ok(self.publish(fresh)?)
    }

    /// Whether more pairs can be published.
    fn is_filling(&self) -> bool {
        !self.exhausted && self.outstanding.len() < self.options.window
    }

    /// Publishes outstanding pairs with the next number of attempts that the service does not ignore.
    fn publish(&mut self, mut keys: Vec<PairKey>) -> Result<(), LinkError> {
        while !keys.is_empty() {
            let manifest = self.intake.manifest();
            let mut tasks = Vec::with_capacity(keys.len());
            for key in keys {
                if let Some(pair) = self.outstanding.get_mut(&key) {
                    pair.attempt += 1;
                    pair.absent = 0;
                    let legs = pair.games.iter().map(|game| game.id.leg).collect();
                    let task = FleetTask::new(manifest, key, legs, pair.attempt);
                    tasks.push((key, pair.attempt, task.encode()));
                }
            }
            let are_new = self.link.publish_tasks(&tasks)?;
            let ignored = tasks.iter().zip(are_new).filter(|(_, is_new)| !is_new);
            keys = ignored.map(|((key, ..), _)| *key).collect();
        }
        Ok(())
    }

    /// Publishes an outstanding pair again.
    fn publish_again(&mut self, key: PairKey) -> Result<(), LinkError> {
        if !self.outstanding.contains_key(&key) {
            return Ok(());
        }
        self.done.again += 1;
        self.publish(vec![key])
    }

    /// Compares the queue with what is missing. A pair that is twice not in the queue, and whose outcome
    /// would have come in between, is lost and published again.
    fn audit(&mut self) -> Result<HashSet<PairKey>, LinkError> {
        let queue = self.link.queued()?;
        let intake = &*self.intake;
        self.outstanding
            .retain(|_, pair| pair.games.iter().any(|game| intake.is_wanted(game.id)));
        let drained = std::mem::take(&mut self.drained);
        let mut lost = Vec::new();
        for (&key, pair) in &mut self.outstanding {
            if queue.contains(&key) {
                pair.absent = 0;
            } else if drained || pair.absent == 0 {
                pair.absent += 1;
                if pair.absent >= 2 {
                    lost.push(key);
                }
            }
        }
        self.done.again += lost.len() as u64;
        for lost in lost.chunks(BATCH) {
            self.publish(lost.to_vec())?;
        }
        // The next audits withdraw what this one does not.
        let stale = queue.iter().filter(|key| {
            let is_known = |leg| {
                let PairKey { pairing, pair } = **key;
                !self.intake.is_wanted(GameId { pairing, pair, leg })
            };
            !self.outstanding.contains_key(key) && is_known(0) && is_known(1)
        });
        for &key in stale.take(BATCH) {
            self.link.withdraw(key)?;
        }
        Ok(queue)
    }

    /// Checks an outcome, stores its games, and then acknowledges it.
    fn take(&mut self, delivered: &Delivered) -> Result<(), StepError> {
        let manifest = self.intake.manifest();
        match FleetOutcome::decode(&delivered.body) {
            Ok(outcome) if outcome.plan != manifest.plan_hash => self.done.garbage += 1,
            Ok(outcome)
                if outcome.play != manifest.play && outcome.verdict != TaskVerdict::Returned =>
            {
                self.done.refused += 1;
                if self.strangers.insert(outcome.worker.clone()) {
                    self.note(&format!(
                        "the worker {} has the version of play {}; expected {}: its games are refused",
                        outcome.worker, outcome.play, manifest.play
                    ));
                }
            }
            Ok(outcome) => self.settle(outcome)?,
            Err(_) => self.done.garbage += 1,
        }
        delivered.receipt.acknowledge()?;
        Ok(())
    }

    fn settle(&mut self, outcome: FleetOutcome) -> Result<(), StepError> {
        let key = outcome.pair;
        match outcome.verdict {
            TaskVerdict::Played(ref games) => {
                for (address, entry) in games {
                    self.offer(&outcome, address, entry.clone())?;
                }
                let intake = &*self.intake;
                let is_missing =
                    |pair: &Outstanding| pair.games.iter().any(|game| intake.is_wanted(game.id));
                if self
                    .outstanding
                    .get(&key)
                    .is_some_and(|pair| !is_missing(pair))
                {
                    self.outstanding.remove(&key);
                }
                if [0, 1].iter().all(|&leg| {
                    let PairKey { pairing, pair } = key;
                    !intake.is_wanted(GameId { pairing, pair, leg })
                }) {
                    // It was given up too early.
                    self.done.quarantined.remove(&self.name_of(key));
                }
            }
            // A newer attempt is in the queue otherwise.
            TaskVerdict::Returned => {
                if self.is_latest(key, outcome.attempt) {
                    self.publish_again(key)?;
                }
            }
            TaskVerdict::Failed(why) => {
                let failures = self.failures.entry(key).or_default();
                *failures += 1;
                let failures = *failures;
                let why = format!("{why} (worker {})", outcome.worker);
                if failures >= MOST_FAILURES {
                    self.quarantine(key, why);
                } else if self.is_latest(key, outcome.attempt) {
                    self.publish_again(key)?;
                }
            }
            TaskVerdict::Deadly(times) => {
                let why = format!("delivered {times} times, and no worker came to its end");
                self.quarantine(key, why);
            }
        }
        Ok(())
    }

    /// Whether a pair is outstanding and was not published after this attempt.
    fn is_latest(&self, key: PairKey, attempt: u32) -> bool {
        let pair = self.outstanding.get(&key);
        pair.is_some_and(|pair| pair.attempt <= attempt)
    }

    /// The name of a pair, as in `a|b/3`.
    fn name_of(&self, PairKey { pairing, pair }: PairKey) -> String {
        let leg = 0;
        let name = self
            .intake
            .manifest()
            .plan
            .game_name(GameId { pairing, pair, leg });
        name.rsplit_once('/')
            .map_or(&*name, |(pair, _)| pair)
            .to_owned()
    }

    fn offer(
        &mut self,
        outcome: &FleetOutcome,
        address: &GameAddress,
        entry: Entry,
    ) -> Result<(), StepError> {
        match self.intake.offer(address, entry) {
            Ok(Offered::Counted(entries)) => {
                // The next round may begin.
                self.exhausted = false;
                let mut lines = String::new();
                for entry in &entries {
                    self.done.stored += 1;
                    let id = entry.record.id;
                    let game = self.intake.manifest().plan.number(id);
                    let (worker, attempt) = (&outcome.worker, outcome.attempt);
                    // Writing to a string does not fail.
                    let _ = writeln!(lines, "{game},{worker},{attempt}");
                    (self.watch)(CollectEvent::Game(entry, self.intake.schedule()));
                }
                self.intake.append_text(DELIVERIES, &lines)?;
            }
            Ok(Offered::Double) => self.done.doubles += 1,
            Ok(Offered::Different) => {
                self.done.different += 1;
                self.note(&format!(
                    "the worker {} sent another record of a game of {} than the one that is stored",
                    outcome.worker,
                    self.name_of(outcome.pair)
                ));
            }
            Ok(Offered::Waits | Offered::NotNeeded) => {}
            Err(OfferError::Wrong(what)) => {
                self.done.refused += 1;
                self.note(&format!(
                    "a game of the worker {} is refused: {what}",
                    outcome.worker
                ));
            }
            Err(OfferError::Store(error)) => return Err(StepError::End(error.into())),
        }
        Ok(())
    }

    /// Gives a pair up.
    fn quarantine(&mut self, key: PairKey, why: String) {
        if self.outstanding.remove(&key).is_none() {
            return;
        }
        let name = self.name_of(key);
        self.note(&format!("the pair {name} is given up: {why}"));
        self.done.quarantined.insert(name, why);
        let _ = self.link.withdraw(key);
    }

    fn lease_of(&self, released: bool) -> Vec<u8> {
        let lease = Lease {
            owner: self.options.name.clone(),
            released,
        };
        serde_json::to_vec(&lease).expect("a lease has only plain values")
    }

    /// Takes the lease, after waiting whether its owner renews it.
    fn claim(&mut self, stop: &Stop) -> Result<(), CollectError> {
        loop {
            let (revision, bytes) = self.link.lease()?;
            let there: Option<Lease> = serde_json::from_slice(&bytes).ok();
            let other = there.filter(|lease| !lease.released && lease.owner != self.options.name);
            if let Some(other) = other {
                let start = Instant::now();
                while start.elapsed() < self.options.lease && !stop.is_set() {
                    thread::sleep(self.options.lease / 20);
                    if self.link.lease()?.0 != revision {
                        return Err(CollectError::Busy(other.owner));
                    }
                }
            }
            if let Some(revision) = self.link.replace_lease(revision, &self.lease_of(false))? {
                self.revision = revision;
                self.renewed = Instant::now();
                return Ok(());
            }
        }
    }

    /// Renews the lease. If it is not this collector's, the server has lost it, or another one took it.
    fn renew(&mut self, stop: &Stop) -> Result<(), StepError> {
        match self
            .link
            .replace_lease(self.revision, &self.lease_of(false))?
        {
            Some(revision) => {
                self.revision = revision;
                self.renewed = Instant::now();
                Ok(())
            }
            None => self.claim(stop).map_err(|error| match error {
                CollectError::Link(error) => StepError::Link(error),
                error => StepError::End(error),
            }),
        }
    }

    fn release(&self) {
        // If it cannot be released, the next collector waits until it has run out.
        let _ = self.link.replace_lease(self.revision, &self.lease_of(true));
    }
}

/// What may interrupt a step.
enum StepError {
    /// The service did not do what was asked; the next step asks again.
    Link(LinkError),
    /// The collector ends.
    End(CollectError),
}

impl From<LinkError> for StepError {
    fn from(error: LinkError) -> Self {
        Self::Link(error)
    }
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> Self {
        Self::End(error.into())
    }
}
