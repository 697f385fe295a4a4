//! The connection to a server: options, the names of a fleet's subjects, requests with a time limit.

use std::fmt::Display;
use std::future::{Future, IntoFuture};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use tokio::runtime::Runtime;

use crate::link::{FleetError, START, shown_url};
use crate::message::PairKey;

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

/// The time limit for an answer of the server.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

const SILENT: &str = "the server does not answer";

pub(super) fn failed<E: Display>(what: &str) -> impl Fn(E) -> FleetError {
    move |error| FleetError::Failed(format!("{what}: {error}"))
}

/// Waits for the answer to one request for at most [`ANSWER`].
pub(super) async fn answered<T, E: Display>(
    what: &str,
    answer: impl IntoFuture<Output = Result<T, E>>,
) -> Result<T, FleetError> {
    match tokio::time::timeout(ANSWER, answer.into_future()).await {
        Ok(answer) => answer.map_err(failed(what)),
        Err(_) => Err(FleetError::Silent(format!("{what}: {SILENT}"))),
    }
}

/// A connection to a server, and the fleet for which it is used.
pub(super) struct NatsConnection {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    pub(super) context: Context,
    fleet: String,
}

impl NatsConnection {
    pub(super) fn open(options: &NatsOptions) -> Result<Self, FleetError> {
        let failed = |error: &dyn Display| {
            FleetError::Failed(format!("{}: {error}", shown_url(&options.url)))
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let mut connect = connect_options(options)?;
        let servers = options.url.split(',').map(|server| server.trim().parse());
        let servers = servers.collect::<Result<Vec<ServerAddr>, _>>();
        let servers = servers.map_err(|error| failed(&error))?;
        // User and password, or the token, come from the first server that has them.
        if let Some(server) = servers.iter().find(|server| server.has_user_pass()) {
            let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
            let user = text(server.username());
            connect = match server.password() {
                Some(password) => connect.user_and_password(user, password.to_owned()),
                None => connect.token(user),
            };
        }
        let client = runtime.block_on(connected(connect, servers));
        let client = client.map_err(|error| failed(&error))?;
        let mut context = {
            // The context spawns a task.
            let _inside = runtime.enter();
            jetstream::new(client.clone())
        };
        // Every answer has a limit of its own; this one must not come before it.
        context.set_timeout(4 * ANSWER);
        Ok(Self {
            runtime,
            client,
            context,
            fleet: options.fleet.clone(),
        })
    }

    /// Waits for an answer for at most this time.
    pub(super) fn wait_for<T>(
        &self,
        most: Duration,
        answer: impl Future<Output = Result<T, FleetError>>,
    ) -> Result<T, FleetError> {
        let timed = async { tokio::time::timeout(most, answer).await };
        self.runtime
            .block_on(timed)
            .unwrap_or_else(|_| Err(FleetError::Silent(SILENT.to_owned())))
    }

    pub(super) fn stream_name(&self, which: &str) -> String {
        format!("{}-{which}", self.fleet)
    }

    pub(super) fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.fleet)
    }

    pub(super) fn task_subject(&self, PairKey { pairing, pair }: PairKey) -> String {
        self.subject(&format!("tasks.{pairing}.{pair}"))
    }
}

/// Connects. A server that accepts the connection but does not answer in time is asked again, because a busy machine
/// may take longer.
async fn connected(
    options: ConnectOptions,
    servers: Vec<ServerAddr>,
) -> Result<Client, ConnectError> {
    let start = Instant::now();
    loop {
        let connected = options.clone().connect(&servers).await;
        let is_late = (connected.as_ref()).is_err_and(|e| e.kind() == ConnectErrorKind::TimedOut);
        if !is_late || start.elapsed() >= START {
            return connected;
        }
    }
}

/// The options of the client library; reads the files that they name.
fn connect_options(options: &NatsOptions) -> Result<ConnectOptions, FleetError> {
    let mut connect = ConnectOptions::new()
        .name(&options.name)
        .connection_timeout(ANSWER)
        .request_timeout(Some(ANSWER))
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| Duration::from_millis(100 * attempts.min(20) as u64));
    let readable = |path: &PathBuf| {
        std::fs::read_to_string(path).map_err(|error| {
            FleetError::Failed(format!("{}: cannot be read: {error}", path.display()))
        })
    };
    if let Some(path) = &options.credentials {
        let text = readable(path)?;
        connect = connect
            .credentials(&text)
            .map_err(|error| FleetError::Failed(format!("{}: {error}", path.display())))?;
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
    Ok(connect)
}

/// The error for a message that was not published.
pub(super) fn unpublished(error: PublishError) -> FleetError {
    FleetError::Failed(error.to_string())
}
