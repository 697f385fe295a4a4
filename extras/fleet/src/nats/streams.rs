//! The streams and consumers of a fleet.

use std::fmt::{Debug, Display};
use std::future::IntoFuture;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::CreateStreamErrorKind;
use async_nats::jetstream::stream::{
    Config, ConsumerErrorKind, DirectGetErrorKind, RawMessageErrorKind, RetentionPolicy, Stream,
};

use super::connection::{NatsConnection, answered, failed};
use crate::link::{FleetError, RETRY};
use crate::message::{MAX_OUTCOME_BYTES, MAX_TASK_BYTES};

/// Maximum number of workers' requests that wait at the server.
const MAX_WAITING: i64 = 100_000;
/// The time after which an outcome is delivered to a collector again.
const OUTCOME_WAIT: Duration = Duration::from_secs(10);
/// Number of internal errors of a server, [`RETRY`] apart, after which a request is given up.
const INTERNAL_ERRORS: usize = 10;

impl NatsConnection {
    /// Creates the streams and consumers that do not exist yet; `wait` is the wait of tasks.
    pub(super) async fn make_streams(&self, wait: Duration) -> Result<(), FleetError> {
        let queue = |which: &str, subject: &str, size: usize| Config {
            name: self.stream_name(which),
            subjects: vec![self.subject(subject)],
            retention: RetentionPolicy::WorkQueue,
            // Headers count as well.
            max_message_size: (size + 1024) as i32,
            ..Config::default()
        };
        let state = Config {
            name: self.stream_name("state"),
            subjects: vec![self.subject("state.*")],
            max_messages_per_subject: 1,
            allow_direct: true,
            ..Config::default()
        };
        let tasks = queue("tasks", "tasks.*.*", MAX_TASK_BYTES);
        let outcomes = queue("outcomes", "outcomes", MAX_OUTCOME_BYTES);
        for config in [tasks, outcomes, state] {
            let name = format!("the stream {}", config.name);
            let create = || self.context.get_or_create_stream(config.clone());
            made(&name, stream_code, create).await?;
        }
        self.make_consumer("tasks", "workers", wait).await?;
        self.make_consumer("outcomes", "collector", OUTCOME_WAIT)
            .await
    }

    pub(super) async fn make_consumer(
        &self,
        which: &str,
        durable: &str,
        wait: Duration,
    ) -> Result<(), FleetError> {
        let config = pull::Config {
            durable_name: Some(durable.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: wait,
            // Unlimited: a limit drops messages, or stalls the fleet, silently.
            max_deliver: -1,
            max_ack_pending: -1,
            max_waiting: MAX_WAITING,
            ..pull::Config::default()
        };
        let (stream, what) = (self.stream_name(which), format!("the consumer {durable}"));
        let create = || {
            self.context
                .create_consumer_on_stream(config.clone(), &stream)
        };
        made(&what, consumer_code, create).await.map(|_| ())
    }

    pub(super) async fn stream(&self, which: &str) -> Result<Stream, FleetError> {
        let name = self.stream_name(which);
        answered(
            &format!("the stream {name}"),
            self.context.get_stream(&name),
        )
        .await
    }

    /// A stream, without a request to the server.
    pub(super) async fn known_stream(&self, which: &str) -> Result<Stream<()>, FleetError> {
        let name = self.stream_name(which);
        let known = self.context.get_stream_no_info(&name).await;
        known.map_err(failed(&format!("the stream {name}")))
    }

    /// The latest message on a subject of the state. It is read by direct access: servers of version 2.9 crash if they
    /// get a `STREAM.MSG.GET` for a stream that they are creating.
    pub(super) async fn last_on(&self, subject: &str) -> Result<Option<Vec<u8>>, FleetError> {
        // A server does not answer a direct request for a stream that does not exist.
        let stream = self.stream("state").await?;
        let subject = self.subject(subject);
        match stream.direct_get_last_for_subject(&subject).await {
            Ok(message) => Ok(Some(message.payload.to_vec())),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&subject)(error)),
        }
    }
}

/// Asks for a stream or a consumer again while the server fails with an internal error: the files of a server that is
/// busy, or has just admitted its first client, may not be ready. Any other error is final.
async fn made<T, K, A>(
    what: &str,
    code: fn(&K) -> Option<usize>,
    request: impl Fn() -> A,
) -> Result<T, FleetError>
where
    K: Clone + Debug + Display + PartialEq,
    A: IntoFuture<Output = Result<T, async_nats::error::Error<K>>>,
{
    let mut tries = INTERNAL_ERRORS;
    loop {
        let answer = async {
            match request().await {
                Err(error) if tries > 0 && code(&error.kind()) == Some(500) => Ok(None),
                made => made.map(Some),
            }
        };
        if let Some(made) = answered(what, answer).await? {
            return Ok(made);
        }
        tries -= 1;
        tokio::time::sleep(RETRY).await;
    }
}

fn stream_code(kind: &CreateStreamErrorKind) -> Option<usize> {
    match kind {
        CreateStreamErrorKind::JetStream(error) => Some(error.code()),
        _ => None,
    }
}

fn consumer_code(kind: &ConsumerErrorKind) -> Option<usize> {
    match kind {
        ConsumerErrorKind::JetStream(error) => Some(error.code()),
        _ => None,
    }
}

/// Removes the messages on a subject one by one: after a purge of a subject, the consumers of servers of
/// version 2.9 skip all other messages as well.
pub(super) async fn remove_messages(stream: &Stream<()>, subject: &str) -> Result<(), FleetError> {
    let failed = failed("withdrawal");
    let mut next = 1;
    loop {
        match stream.get_first_raw_message_by_subject(subject, next).await {
            Ok(message) => {
                // A message acknowledged in the meantime no longer exists.
                let _ = stream.delete_message(message.sequence).await;
                next = message.sequence + 1;
            }
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(()),
            Err(error) => return Err(failed(error)),
        }
    }
}
