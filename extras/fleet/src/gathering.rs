//! Plays one plan on a fleet: publishes the missing pairs and takes the outcomes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::collector::{Collector, trying_again};
use super::link::{Delivered, FleetError, FleetLink, KeptMessage, RETRY};
use super::message::{FleetOutcome, FleetTask, PairKey, TaskVerdict, encode_plan};
use patchwork_tournament::{
    Delivery, Executor, GameAddress, Manifest, Offered, PlaySummary, Results, TournamentError,
    WatchGame,
};

/// Default maximum number of pairs in the queue.
const WINDOW: usize = 20_000;
/// Default maximum number of pairs in the queue if a test may end a pairing early.
const TEST_WINDOW: usize = 512;
/// Number of failures after which a pair is given up.
const MAX_FAILURES: u32 = 3;
/// Maximum number of outcomes taken, or tasks published, at a time.
const BATCH: usize = 256;
/// Time to wait for outcomes.
const PATIENCE: Duration = Duration::from_millis(200);
/// Time to wait for outcomes while there are tasks to publish.
const FILLING: Duration = Duration::from_millis(5);

/// A pair that was published and has not come back.
#[derive(Default)]
struct Outstanding {
    attempt: u32,
    /// Number of consecutive audits that did not find it in the queue.
    absent: u32,
}

/// The missing legs of a pair.
fn missing(results: &Results, pair: PairKey) -> Vec<u8> {
    let mut legs = vec![0, 1];
    legs.retain(|&leg| results.schedule.is_missing(pair.game(leg)));
    legs
}

/// Whether a game of a pair is missing.
fn is_missing(results: &Results, pair: PairKey) -> bool {
    !missing(results, pair).is_empty()
}

/// The collection of the missing games of one plan.
struct CollectorRun<'g, 'a, L: FleetLink> {
    collector: &'g mut Collector<'a, L>,
    results: &'g mut Results,
    watch: &'g mut WatchGame<'g>,
    outstanding: BTreeMap<PairKey, Outstanding>,
    /// Whether all pairs were handed out.
    exhausted: bool,
    failures: HashMap<PairKey, u32>,
    /// Pairs that were in the queue at the last audit.
    queue: HashSet<PairKey>,
    audited: Instant,
    /// Whether all outcomes have been taken since the last audit.
    drained: bool,
    /// Whether the service failed to answer the last time.
    silent: bool,
    done: PlaySummary,
}

impl<L: FleetLink> Executor for Collector<'_, L> {
    fn threads(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Collects until only pairs that were given up are missing, or `stop` is set. A service that does not answer is
    /// asked again.
    ///
    /// # Errors
    /// When another collector has taken over, a game cannot be stored, or the service refuses the plan.
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<PlaySummary, TournamentError> {
        let plan = results.manifest.plan_hash.clone();
        let run = CollectorRun {
            collector: self,
            results,
            watch,
            outstanding: BTreeMap::new(),
            exhausted: false,
            failures: HashMap::new(),
            queue: HashSet::new(),
            audited: Instant::now(),
            drained: false,
            silent: false,
            done: PlaySummary::default(),
        };
        let collected = run.run(stop);
        self.earlier.insert(plan);
        let settled = results.settle();
        let done = collected?;
        settled?;
        Ok(done)
    }
}

impl<'a, L: FleetLink> CollectorRun<'_, 'a, L> {
    fn note(&mut self, text: &str) {
        (self.collector.note)(text);
    }

    fn run(mut self, stop: &Stop) -> Result<PlaySummary, TournamentError> {
        let Manifest { name, plan, .. } = self.results.manifest.clone();
        // Workers need not know what else the folder holds.
        let plan = encode_plan(&Manifest::new(name, plan)).map_err(|error| {
            InputError::new(format!("the plan cannot be sent to workers: {error}"))
        })?;
        let mut begun = false;
        while !stop.is_set() && !self.is_over() {
            let step = match begun {
                true => self.step(&plan),
                false => self.begin(&plan),
            };
            match step {
                Ok(()) => {
                    self.silent = false;
                    begun = true;
                }
                Err(FleetError::Tournament(error)) => return Err(error),
                Err(error @ FleetError::Refused(_)) => {
                    return Err(InputError::new(error.to_string()).into());
                }
                // A service that has answered will answer again, also if it has lost its data since.
                Err(error) => {
                    if !std::mem::replace(&mut self.silent, true) {
                        self.note(&trying_again(&error));
                    }
                    thread::sleep(RETRY);
                    let _ = self.link().prepare(self.collector.options.wait);
                }
            }
        }
        self.done.complete = self.results.schedule.is_complete();
        if self.done.complete {
            // Workers need not play what is left.
            let _ = self.link().clear();
        }
        Ok(self.done)
    }

    const fn link(&self) -> &'a L {
        self.collector.link
    }

    /// Sets the plan. Tasks of another plan are removed; tasks of this plan come from an earlier collector.
    fn begin(&mut self, plan: &[u8]) -> Result<(), FleetError> {
        self.collector.stay()?;
        if self.link().kept(KeptMessage::Plan)?.as_deref() == Some(plan) {
            return self.audit();
        }
        self.link().clear()?;
        self.link().keep(KeptMessage::Plan, plan)?;
        self.audited = Instant::now();
        Ok(())
    }

    /// Whether nothing is left that a worker could play.
    fn is_over(&self) -> bool {
        let idle = self.outstanding.is_empty() && self.exhausted;
        self.results.schedule.is_complete() || (idle && !self.done.given_up.is_empty())
    }

    fn step(&mut self, plan: &[u8]) -> Result<(), FleetError> {
        if self.audited.elapsed() >= self.collector.options.audit {
            self.link().prepare(self.collector.options.wait)?;
            self.collector.stay()?;
            // A server that has lost its data has also lost the plan.
            if self.link().kept(KeptMessage::Plan)?.as_deref() != Some(plan) {
                self.link().keep(KeptMessage::Plan, plan)?;
            }
            self.audit()?;
        }
        self.top_up()?;
        let patience = if self.is_filling() { FILLING } else { PATIENCE };
        let taken = self.link().outcomes(BATCH, patience)?;
        self.drained |= taken.is_empty();
        for delivered in taken {
            self.take(&delivered)?;
        }
        Ok(())
    }

    /// Publishes at most a batch of missing pairs, until the window is full. Pairs that an earlier collector
    /// left in the queue are not published again. An audit finds those that the service does not confirm.
    fn top_up(&mut self) -> Result<(), FleetError> {
        let mut fresh = Vec::new();
        while self.is_filling() && fresh.len() < BATCH {
            let Some(game) = self.results.schedule.next_pair() else {
                self.exhausted = true;
                break;
            };
            let key = PairKey::of(game.id);
            self.outstanding.insert(key, Outstanding::default());
            if !self.queue.contains(&key) {
                fresh.push(key);
            }
        }
        self.publish(fresh)
    }

    /// Whether more pairs can be published now.
    fn is_filling(&self) -> bool {
        !self.exhausted && self.outstanding.len() < self.window()
    }

    fn window(&self) -> usize {
        let usual = match self.results.manifest.plan.test() {
            Some(_) => TEST_WINDOW,
            None => WINDOW,
        };
        self.collector.options.window.unwrap_or(usual)
    }

    /// Publishes outstanding pairs, each as its next attempt.
    fn publish(&mut self, keys: Vec<PairKey>) -> Result<(), FleetError> {
        let manifest = &self.results.manifest;
        let mut tasks = Vec::with_capacity(keys.len());
        for key in keys {
            let legs = missing(self.results, key);
            if let Some(pair) = self.outstanding.get_mut(&key)
                && !legs.is_empty()
            {
                pair.attempt += 1;
                pair.absent = 0;
                let task = FleetTask::new(manifest, key, legs, pair.attempt);
                tasks.push((key, task.encode()));
            }
        }
        self.link().publish_tasks(&tasks)
    }

    /// Publishes an outstanding pair again.
    fn publish_again(&mut self, key: PairKey) -> Result<(), FleetError> {
        if !self.outstanding.contains_key(&key) {
            return Ok(());
        }
        self.done.again += 1;
        self.publish(vec![key])
    }

    /// Compares the queue with the missing pairs. A pair that two audits do not find, and whose outcome would
    /// have arrived in between, is lost and published again.
    fn audit(&mut self) -> Result<(), FleetError> {
        let queue = self.link().queued()?;
        let results = &*self.results;
        (self.outstanding).retain(|&key, _| is_missing(results, key));
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
        // Stale tasks beyond this batch are left to the next audits.
        let stale = queue
            .iter()
            .filter(|&key| !self.outstanding.contains_key(key) && !is_missing(self.results, *key));
        for &key in stale.take(BATCH) {
            self.link().withdraw(key)?;
        }
        self.queue = queue;
        self.audited = Instant::now();
        Ok(())
    }

    /// Checks an outcome, stores its games, and then acknowledges it.
    fn take(&mut self, delivered: &Delivered) -> Result<(), FleetError> {
        let manifest = &self.results.manifest;
        match FleetOutcome::decode(&delivered.body) {
            Ok(outcome) if outcome.plan != manifest.plan_hash => {
                // A pair of an earlier plan had already come from another worker, because that plan was
                // complete.
                let is_late = self.collector.earlier.contains(&outcome.plan);
                self.done.garbage += u64::from(!is_late);
            }
            Ok(outcome)
                if outcome.play != manifest.play && outcome.verdict != TaskVerdict::Returned =>
            {
                self.done.refused += 1;
                if self.collector.incompatible.insert(outcome.worker.clone()) {
                    let text = format!(
                        "the worker {} has the version of play {}; expected {}: its games are refused",
                        outcome.worker, outcome.play, manifest.play
                    );
                    self.note(&text);
                }
            }
            Ok(outcome) => self.settle(outcome)?,
            Err(_) => self.done.garbage += 1,
        }
        self.results.commit()?;
        delivered.receipt.acknowledge()
    }

    fn settle(&mut self, outcome: FleetOutcome) -> Result<(), FleetError> {
        let key = outcome.pair;
        match outcome.verdict {
            TaskVerdict::Played(ref games) => {
                for (address, entry) in games {
                    self.offer(&outcome, address, entry.clone())?;
                }
                if !is_missing(self.results, key) {
                    self.outstanding.remove(&key);
                    // The pair was given up too early.
                    self.done.given_up.remove(&self.name_of(key));
                }
            }
            // Otherwise, a newer attempt is in the queue.
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
                if failures >= MAX_FAILURES {
                    self.give_up(key, why);
                } else if self.is_latest(key, outcome.attempt) {
                    self.publish_again(key)?;
                }
            }
            TaskVerdict::Deadly(times) => {
                let why = format!("delivered {times} times, but no worker finished it");
                self.give_up(key, why);
            }
        }
        Ok(())
    }

    /// Whether a pair is outstanding and has no later attempt than this one.
    fn is_latest(&self, key: PairKey, attempt: u32) -> bool {
        let pair = self.outstanding.get(&key);
        pair.is_some_and(|pair| pair.attempt <= attempt)
    }

    /// The name of a pair, as in `a|b/3`.
    fn name_of(&self, pair: PairKey) -> String {
        let name = self.results.manifest.plan.game_name(pair.game(0));
        let pair = name.rsplit_once('/').map_or(&*name, |(pair, _)| pair);
        pair.to_owned()
    }

    fn offer(
        &mut self,
        outcome: &FleetOutcome,
        address: &GameAddress,
        entry: Entry,
    ) -> Result<(), FleetError> {
        let by = Delivery {
            worker: outcome.worker.clone(),
            attempt: outcome.attempt,
        };
        match self.results.offer(address, entry, by)? {
            Offered::Counted(entries) => {
                for entry in &entries {
                    (self.watch)(entry, self.results);
                }
            }
            Offered::Duplicate => self.done.doubles += 1,
            Offered::Conflict => {
                self.done.different += 1;
                self.note(&format!(
                    "the worker {} sent a game of {} whose record differs from the stored one",
                    outcome.worker,
                    self.name_of(outcome.pair)
                ));
            }
            Offered::Refused(what) => {
                self.done.refused += 1;
                self.note(&format!(
                    "a game from the worker {} is refused: {what}",
                    outcome.worker
                ));
            }
        }
        Ok(())
    }

    /// Gives up a pair.
    fn give_up(&mut self, key: PairKey, why: String) {
        if self.outstanding.remove(&key).is_none() {
            return;
        }
        let name = self.name_of(key);
        self.note(&format!("the pair {name} is given up: {why}"));
        self.done.given_up.insert(name, why);
        let _ = self.link().withdraw(key);
    }
}
