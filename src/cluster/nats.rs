//! A fleet over NATS JetStream.
//!
//! | stream | subjects | contents |
//! |---|---|---|
//! | `FLEET-tasks` | `FLEET.tasks.PAIRING.PAIR` | pairs to be played; removed when acknowledged |
//! | `FLEET-outcomes` | `FLEET.outcomes` | played pairs; removed when acknowledged |
//! | `FLEET-state` | `FLEET.state.plan`, `FLEET.state.lease` | the latest plan, the collector's lease |
//!
//! Workers publish their status on `FLEET.status`, which no stream keeps. The deliveries of a message and the
//! messages that wait for acknowledgement are unlimited: the server would drop messages, or stall,
//! without a word. A request for messages ends by itself after seconds and is made anew, so a request that a
//! reconnected server has forgotten does no harm.

use std::collections::HashSet;
use std::fmt::Display;
use std::future::{Future, IntoFuture as _};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{PublishAckFuture, PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::stream::{
    Config, LastRawMessageErrorKind, RawMessageErrorKind, RetentionPolicy, Stream,
};
use async_nats::jetstream::{self, AckKind, Context, Message};
use async_nats::{Client, ConnectOptions, ServerAddr, Subscriber};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use tokio::runtime::Runtime;

use super::link::{CollectorLink, Delivered, LinkError, Receipt, Revision, WorkerLink};
use super::message::{MOST_OUTCOME_BYTES, MOST_TASK_BYTES, PairKey};
use super::shown_url::shown_url;

/// How to reach a server.
#[derive(Clone, Debug, Default)]
pub struct NatsOptions {
    /// The server, such as `nats://host:4222` or `tls://host:4222`; several are separated by commas.
    pub url: String,
    /// The name of the fleet; a server may have several.
    pub fleet: String,
    /// The name of this client in the server's lists.
    pub name: String,
    /// A credentials file.
    pub credentials: Option<PathBuf>,
    /// A file of certificates of authorities.
    pub authorities: Option<PathBuf>,
    /// A client certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Whether an unencrypted connection is refused.
    pub requires_tls: bool,
}

/// The connection of a collector or a worker to a server.
pub struct NatsFleet {
    runtime: Runtime,
    client: Client,
    context: Context,
    fleet: String,
    /// The consumer of tasks and its wait, once it is known.
    tasks: Mutex<Option<Pulled>>,
    outcomes: Mutex<Option<Pulled>>,
    /// The request for outcomes that the server has not finished.
    arriving: Mutex<Option<Arriving>>,
    told: Mutex<Option<Subscriber>>,
    /// The number of deliveries at which the consumer of tasks stood still.
    stood: Mutex<Option<u64>>,
}

type Pulled = Arc<Consumer<pull::Config>>;

/// Messages that a server sends as they come, and the number of the connection over which they were asked for: after
/// a reconnect, the server has forgotten the request.
struct Arriving {
    messages: Batch,
    connection: u64,
}

/// The time for an answer of the server.
const ANSWER: Duration = Duration::from_secs(5);
/// The time for which a server remembers what was published.
const DUPLICATES: Duration = Duration::from_secs(120);
/// Requests of workers that may wait at the server.
const MOST_WAITING: i64 = 100_000;
/// The time after which an outcome is delivered again to a collector.
const OUTCOME_WAIT: Duration = Duration::from_secs(10);
/// The time for which one request asks for outcomes, and their number.
const REQUEST: (Duration, usize) = (Duration::from_secs(1), 256);
/// The wait of tasks until the server has told it.
const UNKNOWN_WAIT: Duration = Duration::from_secs(3);

fn failed(what: &str) -> impl Fn(&dyn Display) -> LinkError {
    move |error| LinkError(format!("{what}: {error}"))
}

impl NatsFleet {
    /// Connects to a server.
    ///
    /// # Errors
    /// When a file cannot be read, or the server does not answer or refuses.
    pub fn connect(options: &NatsOptions) -> Result<Self, LinkError> {
        let failed =
            |error: &dyn Display| LinkError(format!("{}: {error}", shown_url(&options.url)));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let mut connect = ConnectOptions::new()
            .name(&options.name)
            .connection_timeout(ANSWER)
            .request_timeout(Some(ANSWER))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(100 * attempts.min(20) as u64)
            });
        let readable = |path: &PathBuf| {
            std::fs::read_to_string(path)
                .map_err(|error| LinkError(format!("{}: cannot be read: {error}", path.display())))
        };
        if let Some(path) = &options.credentials {
            let text = readable(path)?;
            connect = connect
                .credentials(&text)
                .map_err(|error| LinkError(format!("{}: {error}", path.display())))?;
        }
        if let Some(path) = &options.authorities {
            readable(path)?;
            connect = connect.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &options.certificate {
            readable(certificate)?;
            readable(key)?;
            connect = connect.add_client_certificate(certificate.clone(), key.clone());
        }
        if options.requires_tls {
            connect = connect.require_tls(true);
        }
        let servers = options.url.split(',').map(|server| server.trim().parse());
        let servers = servers.collect::<Result<Vec<ServerAddr>, _>>();
        let servers = servers.map_err(|error| failed(&error))?;
        // The first one that has them names the user and the password, or a token.
        if let Some(server) = servers.iter().find(|server| server.has_user_pass()) {
            let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
            let user = text(server.username());
            connect = match server.password() {
                Some(password) => connect.user_and_password(user, password.to_owned()),
                None => connect.token(user),
            };
        }
        let client = runtime
            .block_on(connect.connect(servers))
            .map_err(|error| failed(&error))?;
        let mut context = {
            // It begins a task of its own.
            let _inside = runtime.enter();
            jetstream::new(client.clone())
        };
        context.set_timeout(ANSWER);
        Ok(Self {
            runtime,
            client,
            context,
            fleet: options.fleet.clone(),
            tasks: Mutex::new(None),
            outcomes: Mutex::new(None),
            arriving: Mutex::new(None),
            told: Mutex::new(None),
            stood: Mutex::new(None),
        })
    }

    /// Waits for an answer, which must come in time.
    fn wait_for<T>(
        &self,
        most: Duration,
        answer: impl Future<Output = Result<T, LinkError>>,
    ) -> Result<T, LinkError> {
        let timed = async { tokio::time::timeout(most, answer).await };
        self.runtime
            .block_on(timed)
            .unwrap_or_else(|_| Err(LinkError("the server does not answer".to_owned())))
    }

    fn stream_name(&self, which: &str) -> String {
        format!("{}-{which}", self.fleet)
    }

    fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.fleet)
    }

    fn task_subject(&self, PairKey { pairing, pair }: PairKey) -> String {
        self.subject(&format!("tasks.{pairing}.{pair}"))
    }

    async fn make_streams(&self, wait: Duration) -> Result<(), LinkError> {
        let queue = |which: &str, subject: &str, size: usize| Config {
            name: self.stream_name(which),
            subjects: vec![self.subject(subject)],
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: DUPLICATES,
            // Headers count, too.
            max_message_size: (size + 1024) as i32,
            ..Config::default()
        };
        let state = Config {
            name: self.stream_name("state"),
            subjects: vec![self.subject("state.*")],
            max_messages_per_subject: 1,
            ..Config::default()
        };
        let tasks = queue("tasks", "tasks.*.*", MOST_TASK_BYTES);
        let outcomes = queue("outcomes", "outcomes", MOST_OUTCOME_BYTES);
        for config in [tasks, outcomes, state] {
            let name = config.name.clone();
            let made = self.context.get_or_create_stream(config).await;
            made.map_err(|error| failed(&format!("the stream {name}"))(&error))?;
        }
        self.make_consumer("tasks", "workers", wait).await?;
        self.make_consumer("outcomes", "collector", OUTCOME_WAIT)
            .await
    }

    async fn make_consumer(
        &self,
        which: &str,
        durable: &str,
        wait: Duration,
    ) -> Result<(), LinkError> {
        let config = pull::Config {
            durable_name: Some(durable.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: wait,
            // Unlimited: a limit drops messages, or stalls the fleet, silently.
            max_deliver: -1,
            max_ack_pending: -1,
            max_waiting: MOST_WAITING,
            ..pull::Config::default()
        };
        let stream = self.stream_name(which);
        let made = self.context.create_consumer_on_stream(config, stream).await;
        made.map_err(|error| failed(&format!("the consumer {durable}"))(&error))?;
        Ok(())
    }

    async fn stream(&self, which: &str) -> Result<Stream, LinkError> {
        let name = self.stream_name(which);
        let found = self.context.get_stream(&name).await;
        found.map_err(|error| failed(&format!("the stream {name}"))(&error))
    }

    /// A stream, without asking the server about it.
    async fn known_stream(&self, which: &str) -> Result<Stream<()>, LinkError> {
        let name = self.stream_name(which);
        let known = self.context.get_stream_no_info(&name).await;
        known.map_err(|error| failed(&format!("the stream {name}"))(&error))
    }

    /// Sends a message; the server's confirmation follows.
    async fn send(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAckFuture, PublishFailure> {
        Ok(self.context.send_publish(subject, message).await?)
    }

    /// Publishes a message and waits until the server has confirmed it.
    async fn publish(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAck, PublishFailure> {
        Ok(self.send(subject, message).await?.await?)
    }

    /// The latest message on a subject of the state, with its sequence number.
    async fn state(&self, which: &str) -> Result<Option<(u64, Vec<u8>)>, LinkError> {
        let stream = self.known_stream("state").await?;
        let subject = self.subject(&format!("state.{which}"));
        match stream.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => Ok(Some((message.sequence, message.payload.to_vec()))),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(failed(&subject)(&error)),
        }
    }

    /// Creates the consumer of tasks again if tasks and requests for them wait, and it has delivered none since
    /// the last call. A server that has fallen back or was purged may leave such a consumer, which passes over
    /// tasks forever; the new one begins with the first task.
    async fn unblock(&self, stream: &Stream) -> Result<(), LinkError> {
        let failed = failed("the consumer workers");
        let info = stream.consumer_info("workers").await;
        let info = info.map_err(|error| failed(&error))?;
        let tasks = &stream.cached_info().state;
        let waits = info.num_waiting > 0 && tasks.messages > info.num_ack_pending as u64;
        let stands = waits.then_some(info.delivered.consumer_sequence);
        if self.stands_still(stands) {
            let deleted = stream.delete_consumer("workers").await;
            deleted.map_err(|error| failed(&error))?;
            self.make_consumer("tasks", "workers", info.config.ack_wait)
                .await?;
        }
        Ok(())
    }

    /// Whether the consumer, if tasks wait for it, is where it was at the last call.
    fn stands_still(&self, stands: Option<u64>) -> bool {
        let mut stood = self.stood.lock().unwrap_or_else(PoisonError::into_inner);
        let is_stuck = stands.is_some() && *stood == stands;
        *stood = if is_stuck { None } else { stands };
        is_stuck
    }

    /// The consumer of a stream, which the collector makes.
    fn consumer(
        &self,
        known: &Mutex<Option<Pulled>>,
        [which, durable]: [&str; 2],
    ) -> Result<Pulled, LinkError> {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(consumer) = &*known {
            return Ok(Arc::clone(consumer));
        }
        let stream = self.stream_name(which);
        let found = self.wait_for(ANSWER, async {
            let found = self
                .context
                .get_consumer_from_stream(durable, &*stream)
                .await;
            found.map_err(|error| failed(&format!("the consumer {durable}"))(&error))
        });
        Ok(Arc::clone(known.insert(Arc::new(found?))))
    }

    fn arriving(&self) -> MutexGuard<'_, Option<Arriving>> {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn delivered(&self, message: Message) -> Delivered {
        let deliveries = message
            .info()
            .map_or(1, |info| info.delivered.max(1) as u64);
        Delivered {
            body: message.payload.to_vec(),
            deliveries,
            receipt: Arc::new(NatsReceipt {
                message,
                handle: self.runtime.handle().clone(),
            }),
        }
    }
}

impl Drop for NatsFleet {
    /// Sends what is still to be sent, such as the last acknowledgements.
    fn drop(&mut self) {
        let flushed = async { tokio::time::timeout(ANSWER, self.client.flush()).await };
        let _ = self.runtime.block_on(flushed);
        // Subscriptions end by a task of their own.
        let _inside = self.runtime.enter();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        drop((told.take(), self.arriving().take()));
    }
}

/// Removes the messages on a subject, one by one: a purge of one subject makes the consumers of a server of
/// version 2.9 pass over all other messages, too.
async fn remove_messages(stream: &Stream<()>, subject: &str) -> Result<(), LinkError> {
    let failed = failed("withdrawal");
    let mut next = 1;
    loop {
        match stream.get_first_raw_message_by_subject(subject, next).await {
            Ok(message) => {
                // One that was acknowledged in between is gone already.
                let _ = stream.delete_message(message.sequence).await;
                next = message.sequence + 1;
            }
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(()),
            Err(error) => return Err(failed(&error)),
        }
    }
}

enum PublishFailure {
    /// The subject has another revision than expected.
    OtherRevision,
    Failed(LinkError),
}

impl From<PublishError> for PublishFailure {
    fn from(error: PublishError) -> Self {
        match error.kind() {
            PublishErrorKind::WrongLastSequence => Self::OtherRevision,
            _ => Self::Failed(LinkError(error.to_string())),
        }
    }
}

impl From<PublishFailure> for LinkError {
    fn from(failure: PublishFailure) -> Self {
        match failure {
            PublishFailure::OtherRevision => Self("another revision".to_owned()),
            PublishFailure::Failed(error) => error,
        }
    }
}

struct NatsReceipt {
    message: Message,
    handle: tokio::runtime::Handle,
}

impl NatsReceipt {
    fn answer(&self, kind: AckKind) -> Result<(), LinkError> {
        let answered = async { tokio::time::timeout(ANSWER, self.message.ack_with(kind)).await };
        match self.handle.block_on(answered) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(failed("acknowledgement")(&error)),
            Err(_) => Err(LinkError("the server does not answer".to_owned())),
        }
    }
}

impl Receipt for NatsReceipt {
    fn renew(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Progress)
    }

    fn acknowledge(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Ack)
    }
}

impl CollectorLink for NatsFleet {
    fn prepare(&self, wait: Duration) -> Result<(), LinkError> {
        self.wait_for(4 * ANSWER, self.make_streams(wait))?;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none() {
            let status = self.subject("status");
            *told = Some(self.wait_for(ANSWER, async {
                let subscribed = self.client.subscribe(status).await;
                subscribed.map_err(|error| failed("status")(&error))
            })?);
        }
        Ok(())
    }

    fn lease(&self) -> Result<(Revision, Vec<u8>), LinkError> {
        let lease = self.wait_for(ANSWER, self.state("lease"))?;
        Ok(lease.unwrap_or_default())
    }

    fn replace_lease(&self, from: Revision, lease: &[u8]) -> Result<Option<Revision>, LinkError> {
        let message = PublishMessage::build()
            .payload(lease.to_vec().into())
            .expected_last_subject_sequence(from);
        let subject = self.subject("state.lease");
        self.wait_for(ANSWER, async {
            match self.publish(subject, message).await {
                Ok(ack) => Ok(Some(ack.sequence)),
                Err(PublishFailure::OtherRevision) => Ok(None),
                Err(failure) => Err(failure.into()),
            }
        })
    }

    fn plan_there(&self) -> Result<Option<Vec<u8>>, LinkError> {
        let plan = self.wait_for(ANSWER, self.state("plan"))?;
        Ok(plan.map(|(_, plan)| plan))
    }

    fn set_plan(&self, plan: &[u8]) -> Result<(), LinkError> {
        let (size, most) = (plan.len(), self.client.max_payload());
        if size + 1024 > most {
            return Err(LinkError(format!(
                "the packed plan has {size} bytes, and the server takes messages of {most}; raise its max_payload"
            )));
        }
        let message = PublishMessage::build().payload(plan.to_vec().into());
        let subject = self.subject("state.plan");
        self.wait_for(ANSWER, async { Ok(self.publish(subject, message).await?) })?;
        Ok(())
    }

    fn clear(&self) -> Result<(), LinkError> {
        self.wait_for(2 * ANSWER, async {
            for which in ["tasks", "outcomes"] {
                let purge = self.known_stream(which).await?.purge();
                let purged = purge.into_future().await;
                purged.map_err(|error| failed(&format!("purge of {which}"))(&error))?;
            }
            Ok(())
        })
    }

    fn publish_tasks(&self, tasks: &[(PairKey, u32, Vec<u8>)]) -> Result<Vec<bool>, LinkError> {
        self.wait_for(2 * ANSWER, async {
            // All are sent before the first is confirmed: a server may be far away.
            let mut sent = Vec::with_capacity(tasks.len());
            for (pair, attempt, task) in tasks {
                // The plan is part of the identity: the server may remember another tournament's pair.
                let digest = twox_hash::XxHash3_64::oneshot(task);
                let id = format!("{}.{}.{attempt}.{digest:016x}", pair.pairing, pair.pair);
                let message = PublishMessage::build()
                    .payload(task.clone().into())
                    .message_id(id);
                sent.push(self.send(self.task_subject(*pair), message).await?);
            }
            let mut are_new = Vec::with_capacity(tasks.len());
            for confirmed in sent {
                are_new.push(!confirmed.await.map_err(PublishFailure::from)?.duplicate);
            }
            Ok(are_new)
        })
    }

    fn queued(&self) -> Result<HashSet<PairKey>, LinkError> {
        let prefix = self.subject("tasks.");
        self.wait_for(6 * ANSWER, async {
            let stream = self.stream("tasks").await?;
            self.unblock(&stream).await?;
            let subjects = stream.info_with_subjects(format!("{prefix}>")).await;
            let subjects = subjects.map_err(|error| failed("the queue")(&error))?;
            let subjects: Vec<(String, usize)> = subjects
                .try_collect()
                .await
                .map_err(|error| failed("the queue")(&error))?;
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

    fn withdraw(&self, pair: PairKey) -> Result<(), LinkError> {
        let subject = self.task_subject(pair);
        self.wait_for(2 * ANSWER, async {
            let stream = self.known_stream("tasks").await?;
            remove_messages(&stream, &subject).await
        })
    }

    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, LinkError> {
        let consumer = self.consumer(&self.outcomes, ["outcomes", "collector"])?;
        let connection = self.client.statistics().connects.load(Ordering::Relaxed);
        let held = self.arriving().take();
        let held = held.filter(|held| held.connection == connection);
        let taken = self.wait_for(wait + ANSWER, async {
            let mut messages = match held {
                Some(held) => held.messages,
                None => {
                    let (time, most) = REQUEST;
                    let request = consumer.batch().max_messages(most).expires(time);
                    let asked = request.messages().await;
                    asked.map_err(|error| failed("pull")(&error))?
                }
            };
            let mut all = Vec::new();
            // Waits for the first one, and takes what is there with it.
            let mut next = tokio::time::timeout(wait, messages.next()).await.ok();
            while let Some(Some(message)) = next {
                all.push(self.delivered(message.map_err(|error| failed("pull")(&error))?));
                let is_room = all.len() < most;
                next = is_room.then(|| messages.next().now_or_never()).flatten();
            }
            let is_open = next.is_none();
            Ok((all, is_open.then_some(messages)))
        });
        match taken {
            Ok((all, open)) => {
                *self.arriving() = open.map(|messages| Arriving {
                    messages,
                    connection,
                });
                Ok(all)
            }
            Err(error) => {
                *self.outcomes.lock().unwrap_or_else(PoisonError::into_inner) = None;
                Err(error)
            }
        }
    }

    fn told(&self) -> Vec<Vec<u8>> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::new();
        if let Some(statuses) = &mut *told {
            while let Some(Some(status)) = statuses.next().now_or_never() {
                all.push(status.payload.to_vec());
            }
        }
        all
    }
}

impl WorkerLink for NatsFleet {
    fn plan(&self) -> Result<Option<Vec<u8>>, LinkError> {
        self.plan_there()
    }

    fn task(&self, wait: Duration) -> Result<Option<Delivered>, LinkError> {
        let consumer = self.consumer(&self.tasks, ["tasks", "workers"])?;
        // No heartbeats: a short request ends by itself, and is given up a little later if the server
        // has forgotten it.
        let pulled = self.wait_for(wait + ANSWER, async {
            let request = consumer.batch().max_messages(1).expires(wait).messages();
            let mut messages = request.await.map_err(|error| failed("pull")(&error))?;
            let message = messages.next().await.transpose();
            message.map_err(|error| failed("pull")(&error))
        });
        if pulled.is_err() {
            // It is looked up again the next time.
            *self.tasks.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        Ok(pulled?.map(|message| self.delivered(message)))
    }

    fn wait(&self) -> Duration {
        let known = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let consumer = known.as_ref();
        consumer.map_or(UNKNOWN_WAIT, |consumer| {
            consumer.cached_info().config.ack_wait
        })
    }

    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), LinkError> {
        // Without an identity: no outcome is ever ignored, and the collector knows doubles.
        let message = PublishMessage::build().payload(outcome.to_vec().into());
        let subject = self.subject("outcomes");
        self.wait_for(ANSWER, async { Ok(self.publish(subject, message).await?) })?;
        Ok(())
    }

    fn tell(&self, status: &[u8]) {
        let subject = self.subject("status");
        let message = status.to_vec();
        let client = self.client.clone();
        // It may be lost.
        drop(
            self.runtime
                .spawn(async move { client.publish(subject, message.into()).await }),
        );
    }
}
