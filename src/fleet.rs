//! Playing on a fleet instead of this machine's threads: the arguments, and the collector behind a command.

use std::convert::Infallible;
use std::path::{self, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use clap::value_parser;
use patchwork_engine::agent::is_plain_name;
use patchwork_fleet::nats::{NatsFleet, NatsOptions};
use patchwork_fleet::{CollectOptions, Collector};

use super::crew::Crew;
use super::endings::Form;
use super::output::{listen, note};

/// Whether this program was built with fleets.
pub(super) const HAS_FLEETS: bool = true;

/// Accepts any address of a server; it is checked when it is used.
pub(super) fn parse_server(url: &str) -> Result<String, Infallible> {
    Ok(url.to_owned())
}

/// How to reach the fleet of a server, and how to collect from it.
#[derive(clap::Args)]
pub(super) struct FleetArgs {
    /// Name of the fleet; a server may have several
    #[arg(long, default_value = "patchwork", value_parser = parse_fleet, requires = "nats")]
    fleet: String,
    /// Credentials file
    #[arg(long, value_name = "FILE", requires = "nats")]
    creds: Option<PathBuf>,
    /// Certificates of the authorities that may have signed the server's certificate
    #[arg(long, value_name = "FILE", requires = "nats")]
    tls_ca: Option<PathBuf>,
    /// Client certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// Key of the client certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "tls_cert"])]
    tls_key: Option<PathBuf>,
    /// Refuse a connection without TLS
    #[arg(long, requires = "nats")]
    tls: bool,
    /// Maximum number of pairs in the queue at once; at least twice the cores of the fleet [default: 20000;
    /// with a sequential test 512]
    #[arg(long, value_name = "N", requires = "nats", value_parser = value_parser!(u32).range(1..=1_000_000))]
    window: Option<u32>,
    /// Seconds without a sign of life from a worker after which its pair is given to another
    #[arg(long, value_name = "SECONDS", default_value_t = ACK_WAIT, requires = "nats", value_parser = value_parser!(u32).range(2..=3600))]
    ack_wait: u32,
    /// Seconds between two comparisons of the queue with the missing games
    #[arg(long, value_name = "SECONDS", default_value_t = AUDIT, requires = "nats", value_parser = value_parser!(u32).range(1..=3600))]
    audit: u32,
    /// Go on in place of the fleet's collector, which has died
    #[arg(long, requires = "nats")]
    take_over: bool,
}

const ACK_WAIT: u32 = 30;
const AUDIT: u32 = 10;

fn parse_fleet(text: &str) -> Result<String, String> {
    // NATS does not allow dots in the names of streams.
    if is_plain_name(text) && !text.contains('.') {
        return Ok(text.to_owned());
    }
    Err("expected letters, digits, '-' and '_'".to_owned())
}

/// A name unique to this process: host, process id and time.
pub(super) fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let host: String = host.chars().filter(plain).take(30).collect();
    let host = if host.is_empty() { "host" } else { &host };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_millis()) % 1_000_000;
    format!("{host}-{}-{now:06}", std::process::id())
}

impl FleetArgs {
    pub(super) fn name(&self) -> &str {
        &self.fleet
    }

    /// Connects to a server under this name.
    pub(super) fn connect(&self, url: &str, name: &str) -> anyhow::Result<NatsFleet> {
        let options = NatsOptions {
            url: url.to_owned(),
            fleet: self.fleet.clone(),
            name: name.to_owned(),
            credentials: self.creds.clone(),
            authorities: self.tls_ca.clone(),
            certificate: self.tls_cert.clone().zip(self.tls_key.clone()),
            requires_tls: self.tls,
        };
        NatsFleet::connect(&options).map_err(|error| anyhow!("--nats: {error}"))
    }

    /// Runs a command whose games are played by the fleet of a server and stored in a folder.
    pub(super) fn lead<T>(
        &self,
        url: &str,
        dir: &Path,
        progress: Option<Form>,
        command: impl FnOnce(&mut Crew<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let name = own_name();
        let link = self.connect(url, &name)?;
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let options = CollectOptions {
            name: format!("{name} in {}", path::absolute(dir)?.display()),
            takes_over: self.take_over,
            window: self.window.map(|pairs| pairs as usize),
            wait: seconds(self.ack_wait),
            audit: seconds(self.audit),
        };
        let say = |text: &str| note(format_args!("{text}"));
        command(&mut Crew {
            executor: Box::new(Collector::claim(&link, &options, listen()?, say)?),
            progress,
        })
    }
}
