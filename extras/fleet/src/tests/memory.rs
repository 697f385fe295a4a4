//! A queue in memory that behaves like a server: it redelivers tasks, and can lose its data.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::link::{Delivered, FleetError, FleetLink, KeptMessage, Receipt, lock};
use crate::message::PairKey;

/// A fleet's service in memory, and the signal that it has changed; clones share it.
#[derive(Clone, Default)]
pub(super) struct MemoryFleet(Arc<(Mutex<ServerData>, Condvar)>);

/// The data of a server.
#[derive(Clone, Default)]
pub(super) struct ServerData {
    wait: Duration,
    collector: Option<Vec<u8>>,
    plan: Option<Vec<u8>>,
    tasks: MessageQueue,
    outcomes: MessageQueue,
    /// Whether all requests fail.
    down: bool,
    /// Whether who acknowledges an outcome dies instead.
    deadly: bool,
    /// What requests for the plan fail with, until everything is prepared again.
    plan_error: Option<fn() -> FleetError>,
}

#[derive(Clone, Default)]
struct MessageQueue {
    next: u64,
    messages: HashMap<u64, QueuedMessage>,
}

#[derive(Clone)]
struct QueuedMessage {
    pair: Option<PairKey>,
    body: Vec<u8>,
    deliveries: u64,
    /// When it may be delivered again.
    free: Option<Instant>,
}

/// One of the queues of a server.
type QueueOf = fn(&mut ServerData) -> &mut MessageQueue;

impl MessageQueue {
    fn push(&mut self, pair: Option<PairKey>, body: &[u8]) {
        let message = QueuedMessage {
            pair,
            body: body.to_owned(),
            deliveries: 0,
            free: None,
        };
        self.messages.insert(self.next, message);
        self.next += 1;
    }

    /// Delivers the oldest message that no client holds.
    fn deliver(&mut self, wait: Duration) -> Option<(u64, Vec<u8>, u64)> {
        let now = Instant::now();
        let free = self
            .messages
            .iter_mut()
            .filter(|(_, message)| message.free.is_none_or(|free| free <= now));
        let (&number, message) = free.min_by_key(|(number, _)| **number)?;
        message.deliveries += 1;
        message.free = Some(now + wait);
        Some((number, message.body.clone(), message.deliveries))
    }
}

impl MemoryFleet {
    fn data(&self) -> MutexGuard<'_, ServerData> {
        lock(&self.0.0)
    }

    fn up(&self) -> Result<MutexGuard<'_, ServerData>, FleetError> {
        let data = self.data();
        if data.down {
            return Err(FleetError::Silent("the server is down".to_owned()));
        }
        Ok(data)
    }

    /// Lets requests for the plan fail with this, until everything is prepared again.
    pub(super) fn fail_plan(&self, error: fn() -> FleetError) {
        self.data().plan_error = Some(error);
    }

    /// Sets whether who acknowledges an outcome dies instead.
    pub(super) fn set_deadly(&self, deadly: bool) {
        self.data().deadly = deadly;
    }

    /// Stops or starts the server.
    pub(super) fn set_down(&self, down: bool) {
        self.data().down = down;
        self.0.1.notify_all();
    }

    /// Copies the server's data.
    pub(super) fn copy(&self) -> ServerData {
        self.data().clone()
    }

    /// Replaces the server's data with an older copy, or with nothing.
    pub(super) fn restore(&self, copy: Option<&ServerData>) {
        let wait = self.data().wait;
        let nothing = || ServerData {
            wait,
            ..ServerData::default()
        };
        *self.data() = copy.cloned().unwrap_or_else(nothing);
        self.0.1.notify_all();
    }

    /// Puts bytes among the tasks.
    pub(super) fn push_task(&self, body: &[u8]) {
        self.data().tasks.push(None, body);
        self.0.1.notify_all();
    }

    fn take(
        &self,
        queue: QueueOf,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivered>, FleetError> {
        let end = Instant::now() + wait;
        let mut data = self.up()?;
        loop {
            let again = data.wait;
            let mut all = Vec::new();
            while all.len() < most
                && let Some((number, body, deliveries)) = queue(&mut data).deliver(again)
            {
                let receipt = MemoryReceipt {
                    fleet: self.clone(),
                    queue,
                    number,
                };
                all.push(Delivered {
                    body,
                    deliveries,
                    receipt: Arc::new(receipt),
                });
            }
            let left = end.saturating_duration_since(Instant::now());
            if !all.is_empty() || left.is_zero() {
                return Ok(all);
            }
            // Messages become free again when their wait ends.
            let nap = left.min(Duration::from_millis(20));
            let woken = self.0.1.wait_timeout(data, nap);
            data = woken.unwrap_or_else(PoisonError::into_inner).0;
            if data.down {
                return Err(FleetError::Silent("the server is down".to_owned()));
            }
        }
    }
}

struct MemoryReceipt {
    fleet: MemoryFleet,
    queue: QueueOf,
    number: u64,
}

impl Receipt for MemoryReceipt {
    fn renew(&self) -> Result<(), FleetError> {
        let mut data = self.fleet.up()?;
        let free = Instant::now() + data.wait;
        if let Some(message) = (self.queue)(&mut data).messages.get_mut(&self.number) {
            message.free = Some(free);
        }
        Ok(())
    }

    fn acknowledge(&self) -> Result<(), FleetError> {
        let mut data = self.fleet.up()?;
        let is_deadly = data.deadly;
        let messages = &mut (self.queue)(&mut data).messages;
        let is_outcome = (messages.get(&self.number)).is_some_and(|message| message.pair.is_none());
        assert!(!(is_deadly && is_outcome), "dies before it acknowledges");
        messages.remove(&self.number);
        Ok(())
    }
}

impl FleetLink for MemoryFleet {
    fn prepare(&self, wait: Duration) -> Result<(), FleetError> {
        let mut data = self.up()?;
        data.wait = wait;
        data.plan_error = None;
        Ok(())
    }

    fn kept(&self, what: KeptMessage) -> Result<Option<Vec<u8>>, FleetError> {
        let data = self.up()?;
        match (what, data.plan_error) {
            (KeptMessage::Collector, _) => Ok(data.collector.clone()),
            (KeptMessage::Plan, None) => Ok(data.plan.clone()),
            (KeptMessage::Plan, Some(error)) => Err(error()),
        }
    }

    fn keep(&self, what: KeptMessage, message: &[u8]) -> Result<(), FleetError> {
        let mut data = self.up()?;
        let kept = match what {
            KeptMessage::Collector => &mut data.collector,
            KeptMessage::Plan => &mut data.plan,
        };
        *kept = Some(message.to_owned());
        Ok(())
    }

    fn clear(&self) -> Result<(), FleetError> {
        let mut data = self.up()?;
        data.tasks.messages.clear();
        data.outcomes.messages.clear();
        Ok(())
    }

    fn publish_tasks(&self, tasks: &[(PairKey, Vec<u8>)]) -> Result<(), FleetError> {
        let mut data = self.up()?;
        for (pair, task) in tasks {
            data.tasks.push(Some(*pair), task);
        }
        drop(data);
        self.0.1.notify_all();
        Ok(())
    }

    fn queued(&self) -> Result<HashSet<PairKey>, FleetError> {
        let data = self.up()?;
        let messages = data.tasks.messages.values();
        Ok(messages.filter_map(|message| message.pair).collect())
    }

    fn withdraw(&self, pair: PairKey) -> Result<(), FleetError> {
        let mut data = self.up()?;
        data.tasks
            .messages
            .retain(|_, message| message.pair != Some(pair));
        Ok(())
    }

    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, FleetError> {
        self.take(|data| &mut data.outcomes, most, wait)
    }

    /// Waits briefly, so that a worker notices at once that it is to end.
    fn task(&self, wait: Duration) -> Result<Option<Delivered>, FleetError> {
        let wait = wait.min(Duration::from_millis(20));
        Ok(self.take(|data| &mut data.tasks, 1, wait)?.pop())
    }

    fn wait(&self) -> Duration {
        self.data().wait
    }

    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), FleetError> {
        self.up()?.outcomes.push(None, outcome);
        self.0.1.notify_all();
        Ok(())
    }
}
