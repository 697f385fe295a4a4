//! A fleet over NATS JetStream.
//!
//! | stream | subjects | contents |
//! |---|---|---|
//! | `FLEET-tasks` | `FLEET.tasks.PAIRING.PAIR` | pairs to be played; removed when acknowledged |
//! | `FLEET-outcomes` | `FLEET.outcomes` | played pairs; removed when acknowledged |
//! | `FLEET-state` | `FLEET.state.plan`, `FLEET.state.lease` | the latest plan, the collector's lease |
//!
//! Workers publish their status on `FLEET.status`, which no stream stores. The number of deliveries of a message
//! and the number of messages that wait for acknowledgement are unlimited: at a limit, the server would silently
//! drop messages or stall. A request for messages ends by itself after seconds and is repeated, so a request
//! that a reconnected server has forgotten does no harm.

mod connection;
mod streams;

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{AckKind, Message};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use tokio::runtime::Handle;

pub use connection::NatsOptions;
use connection::{ANSWER, NatsConnection, answered, failed, unpublished};
use streams::remove_messages;

use super::link::{CollectorLink, Delivered, FleetError, Receipt, Revision, WorkerLink, lock};
use super::message::PairKey;

/// The connection of a collector or a worker to a server.
pub struct NatsFleet {
    connection: NatsConnection,
    /// The consumer of tasks and its wait, once they are known.
    tasks: Mutex<Option<Pulled>>,
    outcomes: Mutex<Option<Pulled>>,
    /// The messages that answer a request for outcomes, while it is open, and the number of the connection that made it:
    /// after a reconnect, the server has forgotten the request.
    arriving: Mutex<Option<(Batch, u64)>>,
    statuses: Mutex<Option<Subscriber>>,
    /// The number of deliveries at the last call of `unblock`, if tasks were waiting then.
    stood: Mutex<Option<u64>>,
}

type Pulled = Arc<Consumer<pull::Config>>;

/// The time and the number of outcomes of a request.
const REQUEST: (Duration, usize) = (Duration::from_secs(1), 256);
/// The wait of tasks until the server has reported it.
const UNKNOWN_WAIT: Duration = Duration::from_secs(3);

impl NatsFleet {
    /// Connects to a server.
    pub fn connect(options: &NatsOptions) -> Result<Self, FleetError> {
        Ok(Self {
            connection: NatsConnection::open(options)?,
            tasks: Mutex::new(None),
            outcomes: Mutex::new(None),
            arriving: Mutex::new(None),
            statuses: Mutex::new(None),
            stood: Mutex::new(None),
        })
    }

    /// Creates the consumer of tasks again if tasks and requests for them are waiting, but it has delivered
    /// none since the last call. A server that was restored or purged may leave such a consumer, which skips
    /// tasks forever; the new one starts at the first task.
    async fn unblock(&self, stream: &Stream) -> Result<(), FleetError> {
        let what = "the consumer workers";
        let info = answered(what, stream.consumer_info("workers")).await?;
        let tasks = &stream.cached_info().state;
        let waits = info.num_waiting > 0 && tasks.messages > info.num_ack_pending as u64;
        let stands = waits.then_some(info.delivered.consumer_sequence);
        if self.stands_still(stands) {
            answered(what, stream.delete_consumer("workers")).await?;
            self.connection
                .make_consumer("tasks", "workers", info.config.ack_wait)
                .await?;
        }
        Ok(())
    }

    /// Whether the consumer has made no progress since the last call although tasks were waiting.
    fn stands_still(&self, stands: Option<u64>) -> bool {
        let mut stood = lock(&self.stood);
        let is_stuck = stands.is_some() && *stood == stands;
        *stood = if is_stuck { None } else { stands };
        is_stuck
    }

    /// Publishes bytes and waits until the server has confirmed them.
    fn send(&self, subject: &str, bytes: &[u8]) -> Result<(), FleetError> {
        let message = PublishMessage::build().payload(bytes.to_vec().into());
        let subject = self.connection.subject(subject);
        self.connection.wait_for(ANSWER, async {
            let published = self.connection.publish(subject, message).await;
            published.map(drop).map_err(unpublished)
        })
    }

    /// The consumer of a stream, which the collector creates.
    fn consumer(
        &self,
        known: &Mutex<Option<Pulled>>,
        [which, durable]: [&str; 2],
    ) -> Result<Pulled, FleetError> {
        let mut known = lock(known);
        if let Some(consumer) = &*known {
            return Ok(Arc::clone(consumer));
        }
        let stream = self.connection.stream_name(which);
        let found = self.connection.wait_for(ANSWER, async {
            let context = &self.connection.context;
            let found = context.get_consumer_from_stream(durable, &*stream);
            answered(&format!("the consumer {durable}"), found).await
        });
        Ok(Arc::clone(known.insert(Arc::new(found?))))
    }
}

impl Drop for NatsFleet {
    /// Sends pending messages, such as the last acknowledgements.
    fn drop(&mut self) {
        let flushed = async { tokio::time::timeout(ANSWER, self.connection.client.flush()).await };
        let _ = self.connection.runtime.block_on(flushed);
        // Dropping a subscription spawns a task.
        let _inside = self.connection.runtime.enter();
        let mut statuses = lock(&self.statuses);
        drop((statuses.take(), lock(&self.arriving).take()));
    }
}

impl CollectorLink for NatsFleet {
    fn prepare(&self, wait: Duration) -> Result<(), FleetError> {
        self.connection
            .wait_for(4 * ANSWER, self.connection.make_streams(wait))?;
        let mut statuses = lock(&self.statuses);
        if statuses.is_none() {
            let status = self.connection.subject("status");
            *statuses = Some(self.connection.wait_for(ANSWER, async {
                let subscribed = self.connection.client.subscribe(status).await;
                subscribed.map_err(failed("status"))
            })?);
        }
        Ok(())
    }

    fn lease(&self) -> Result<(Revision, Vec<u8>), FleetError> {
        let lease = self
            .connection
            .wait_for(ANSWER, self.connection.state("lease"))?;
        Ok(lease.unwrap_or_default())
    }

    fn replace_lease(&self, from: Revision, lease: &[u8]) -> Result<Option<Revision>, FleetError> {
        let message = PublishMessage::build()
            .payload(lease.to_vec().into())
            .expected_last_subject_sequence(from);
        let subject = self.connection.subject("state.lease");
        self.connection.wait_for(ANSWER, async {
            match self.connection.publish(subject, message).await {
                Ok(ack) => Ok(Some(ack.sequence)),
                Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(None),
                Err(error) => Err(unpublished(error)),
            }
        })
    }

    fn plan_there(&self) -> Result<Option<Vec<u8>>, FleetError> {
        let plan = self
            .connection
            .wait_for(ANSWER, self.connection.state("plan"))?;
        Ok(plan.map(|(_, plan)| plan))
    }

    fn set_plan(&self, plan: &[u8]) -> Result<(), FleetError> {
        let (size, most) = (plan.len(), self.connection.client.max_payload());
        if size + 1024 > most {
            return Err(FleetError::Refused(format!(
                "the packed plan has {size} bytes, but the server accepts at most {most}; raise its max_payload"
            )));
        }
        self.send("state.plan", plan)
    }

    fn clear(&self) -> Result<(), FleetError> {
        self.connection.wait_for(2 * ANSWER, async {
            for which in ["tasks", "outcomes"] {
                let purge = self.connection.known_stream(which).await?.purge();
                answered(&format!("purge of {which}"), purge).await?;
            }
            Ok(())
        })
    }

    fn publish_tasks(&self, tasks: &[(PairKey, u32, Vec<u8>)]) -> Result<Vec<bool>, FleetError> {
        self.connection.wait_for(2 * ANSWER, async {
            // All are sent before the first is confirmed, because a server may be far away.
            let mut sent = Vec::with_capacity(tasks.len());
            for (pair, attempt, task) in tasks {
                // The plan is part of the identity: the server may remember another tournament's pair.
                let digest = twox_hash::XxHash3_64::oneshot(task);
                let id = format!("{}.{}.{attempt}.{digest:016x}", pair.pairing, pair.pair);
                let message = PublishMessage::build()
                    .payload(task.clone().into())
                    .message_id(id);
                let subject = self.connection.task_subject(*pair);
                let confirmed = self.connection.context.send_publish(subject, message).await;
                sent.push(confirmed.map_err(unpublished)?);
            }
            let mut are_new = Vec::with_capacity(tasks.len());
            for confirmed in sent {
                let ack = confirmed.await.map_err(unpublished)?;
                are_new.push(!ack.duplicate);
            }
            Ok(are_new)
        })
    }

    fn queued(&self) -> Result<HashSet<PairKey>, FleetError> {
        let prefix = self.connection.subject("tasks.");
        self.connection.wait_for(6 * ANSWER, async {
            let stream = self.connection.stream("tasks").await?;
            self.unblock(&stream).await?;
            let subjects = stream.info_with_subjects(format!("{prefix}>"));
            let subjects = answered("the queue", subjects).await?;
            let subjects: Vec<(String, usize)> =
                subjects.try_collect().await.map_err(failed("the queue"))?;
            let pair = |subject: &str| {
                let (pairing, pair) = subject.strip_prefix(&prefix)?.split_once('.')?;
                Some(PairKey {
                    pairing: pairing.parse().ok()?,
                    pair: pair.parse().ok()?,
                })
            };
            Ok(subjects
                .iter()
                .filter_map(|(subject, _)| pair(subject))
                .collect())
        })
    }

    fn withdraw(&self, pair: PairKey) -> Result<(), FleetError> {
        let subject = self.connection.task_subject(pair);
        self.connection.wait_for(2 * ANSWER, async {
            let stream = self.connection.known_stream("tasks").await?;
            remove_messages(&stream, &subject).await
        })
    }

    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, FleetError> {
        let consumer = self.consumer(&self.outcomes, ["outcomes", "collector"])?;
        let connection = self
            .connection
            .client
            .statistics()
            .connects
            .load(Ordering::Relaxed);
        let held = lock(&self.arriving).take();
        let held = held.filter(|(_, of)| *of == connection);
        let taken = self.connection.wait_for(wait + ANSWER, async {
            let mut messages = match held {
                Some((messages, _)) => messages,
                None => {
                    let (time, most) = REQUEST;
                    let request = consumer.batch().max_messages(most).expires(time);
                    let asked = request.messages().await;
                    asked.map_err(failed("pull"))?
                }
            };
            let mut all = Vec::new();
            // Waits for the first message, and takes all that have arrived by then.
            let mut next = tokio::time::timeout(wait, messages.next()).await.ok();
            while let Some(Some(message)) = next {
                all.push(delivered(
                    message.map_err(failed("pull"))?,
                    self.connection.runtime.handle(),
                ));
                let is_room = all.len() < most;
                next = is_room.then(|| messages.next().now_or_never()).flatten();
            }
            let is_open = next.is_none();
            Ok((all, is_open.then_some(messages)))
        });
        match taken {
            Ok((all, open)) => {
                *lock(&self.arriving) = open.map(|messages| (messages, connection));
                Ok(all)
            }
            Err(error) => {
                *lock(&self.outcomes) = None;
                Err(error)
            }
        }
    }

    fn statuses(&self) -> Vec<Vec<u8>> {
        let mut statuses = lock(&self.statuses);
        let mut all = Vec::new();
        if let Some(statuses) = &mut *statuses {
            while let Some(Some(status)) = statuses.next().now_or_never() {
                all.push(status.payload.to_vec());
            }
        }
        all
    }
}

impl WorkerLink for NatsFleet {
    fn plan(&self) -> Result<Option<Vec<u8>>, FleetError> {
        self.plan_there()
    }

    fn task(&self, wait: Duration) -> Result<Option<Delivered>, FleetError> {
        let consumer = self.consumer(&self.tasks, ["tasks", "workers"])?;
        // No heartbeats: a short request ends by itself, and times out a little later if the server has
        // forgotten it.
        let pulled = self.connection.wait_for(wait + ANSWER, async {
            let request = consumer.batch().max_messages(1).expires(wait).messages();
            let mut messages = request.await.map_err(failed("pull"))?;
            let message = messages.next().await.transpose();
            message.map_err(failed("pull"))
        });
        if pulled.is_err() {
            // The consumer is looked up again the next time.
            *lock(&self.tasks) = None;
        }
        Ok(pulled?.map(|message| delivered(message, self.connection.runtime.handle())))
    }

    fn wait(&self) -> Duration {
        let known = lock(&self.tasks);
        let consumer = known.as_ref();
        consumer.map_or(UNKNOWN_WAIT, |consumer| {
            consumer.cached_info().config.ack_wait
        })
    }

    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), FleetError> {
        // Without a message id, no outcome is ignored; the collector detects duplicates.
        self.send("outcomes", outcome)
    }

    fn tell(&self, status: &[u8]) {
        let subject = self.connection.subject("status");
        let message = status.to_vec();
        let client = self.connection.client.clone();
        // The message may be lost.
        drop(
            self.connection
                .runtime
                .spawn(async move { client.publish(subject, message.into()).await }),
        );
    }
}

/// A message for the fleet; `handle` is the runtime that acknowledges it.
fn delivered(message: Message, handle: &Handle) -> Delivered {
    let deliveries = message
        .info()
        .map_or(1, |info| info.delivered.max(1) as u64);
    Delivered {
        body: message.payload.to_vec(),
        deliveries,
        receipt: Arc::new(NatsReceipt {
            message,
            handle: handle.clone(),
        }),
    }
}

struct NatsReceipt {
    message: Message,
    handle: Handle,
}

impl NatsReceipt {
    fn answer(&self, kind: AckKind) -> Result<(), FleetError> {
        self.handle
            .block_on(answered("acknowledgement", self.message.ack_with(kind)))
    }
}

impl Receipt for NatsReceipt {
    fn renew(&self) -> Result<(), FleetError> {
        self.answer(AckKind::Progress)
    }

    fn acknowledge(&self) -> Result<(), FleetError> {
        self.answer(AckKind::Ack)
    }
}
