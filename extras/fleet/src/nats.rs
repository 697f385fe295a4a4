//! A fleet over NATS JetStream.
//!
//! | stream | subjects | contents |
//! |---|---|---|
//! | `FLEET-tasks` | `FLEET.tasks.PAIRING.PAIR` | pairs to be played; removed when acknowledged |
//! | `FLEET-outcomes` | `FLEET.outcomes` | played pairs; removed when acknowledged |
//! | `FLEET-state` | `FLEET.state.plan`, `FLEET.state.collector` | the plan, the name of the collector |
//!
//! The number of deliveries of a message and the number of messages that wait for acknowledgement are unlimited: at a
//! limit, the server would silently drop messages or stall. A request for messages ends by itself after seconds and is
//! repeated, so a request that a reconnected server has forgotten does no harm.

mod connection;
mod streams;

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{AckKind, Message};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use tokio::runtime::Handle;

pub use connection::NatsOptions;
use connection::{ANSWER, NatsConnection, answered, failed, unpublished};
use streams::remove_messages;

use super::link::{Delivered, FleetError, FleetLink, KeptMessage, Receipt, lock};
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
        let subject = self.connection.subject(subject);
        self.connection.wait_for(ANSWER, async {
            let context = &self.connection.context;
            let sent = context.publish(subject, bytes.to_vec().into()).await;
            let confirmed = sent.map_err(unpublished)?.await;
            confirmed.map(drop).map_err(unpublished)
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
        drop(lock(&self.arriving).take());
    }
}

/// The subject of what is kept.
const fn subject_of(what: KeptMessage) -> &'static str {
    match what {
        KeptMessage::Plan => "state.plan",
        KeptMessage::Collector => "state.collector",
    }
}

impl FleetLink for NatsFleet {
    fn prepare(&self, wait: Duration) -> Result<(), FleetError> {
        self.connection
            .wait_for(4 * ANSWER, self.connection.make_streams(wait))
    }

    fn kept(&self, what: KeptMessage) -> Result<Option<Vec<u8>>, FleetError> {
        self.connection
            .wait_for(ANSWER, self.connection.last_on(subject_of(what)))
    }

    fn keep(&self, what: KeptMessage, message: &[u8]) -> Result<(), FleetError> {
        let (size, most) = (message.len(), self.connection.client.max_payload());
        if size + 1024 > most {
            return Err(FleetError::Refused(format!(
                "the packed plan has {size} bytes, but the server accepts at most {most}; raise its max_payload"
            )));
        }
        self.send(subject_of(what), message)
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

    fn publish_tasks(&self, tasks: &[(PairKey, Vec<u8>)]) -> Result<(), FleetError> {
        self.connection.wait_for(2 * ANSWER, async {
            // All are sent before the first is confirmed, because a server may be far away.
            let context = &self.connection.context;
            let mut sent = Vec::with_capacity(tasks.len());
            for (pair, task) in tasks {
                let subject = self.connection.task_subject(*pair);
                let publish = context.publish(subject, task.clone().into());
                sent.push(publish.await.map_err(unpublished)?);
            }
            for confirmed in sent {
                confirmed.await.map_err(unpublished)?;
            }
            Ok(())
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
        self.send("outcomes", outcome)
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
