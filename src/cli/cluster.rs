//! `cluster`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use clap::value_parser;
use patchwork_arena::agent::is_plain_name;
use patchwork_arena::cluster::nats::{NatsFleet, NatsOptions};
use patchwork_arena::cluster::{
    CollectEvent, CollectOptions, LEASE, WorkOptions, WorkerStatus, check_worker_name, collect,
    work,
};
use patchwork_arena::report::{TournamentReport, counted};
use patchwork_arena::tournament::{Intake, Manifest, Results};

use super::args::{ProgressForm, TournamentFile, Workers};
use super::output::{listen, note, print, print_report, stopped};
use super::progress::Progress;

/// Play a tournament on a fleet of machines
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Publish a tournament's missing pairs, collect the games and report
    #[command(
        after_help = "Example:\n  patchwork-arena cluster start tournaments/zoo.toml --nats nats://host:4222"
    )]
    Start {
        #[command(flatten)]
        tournament: TournamentFile,
        /// Folder in which the tournament's own folder is created
        #[arg(long, value_name = "DIR", default_value = "results")]
        results: PathBuf,
        #[command(flatten)]
        collecting: Collecting,
    },
    /// Continue to collect the games of a folder that `cluster start` made
    #[command(
        after_help = "Example:\n  patchwork-arena cluster collect results/zoo --nats nats://host:4222"
    )]
    Collect {
        /// Results folder
        dir: PathBuf,
        #[command(flatten)]
        collecting: Collecting,
    },
    /// Take pairs and play them, until Ctrl-C
    #[command(after_help = "Example:\n  patchwork-arena cluster worker --nats nats://host:4222")]
    Worker {
        #[command(flatten)]
        server: Server,
        #[command(flatten)]
        workers: Workers,
        /// Name of this worker [default: the host's name and the number of the process]
        #[arg(long, value_parser = parse_worker_name)]
        name: Option<String>,
        /// Play agents that start other programs on this machine
        #[arg(long)]
        allow_external: bool,
        /// End after this many seconds without a task
        #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u32).range(1..))]
        until_idle: Option<u32>,
    },
}

/// Where the fleet meets.
#[derive(clap::Args)]
struct Server {
    /// NATS server with JetStream, such as nats://host:4222 or tls://host:4222
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    access: Access,
}

/// How to be admitted to the server.
#[derive(clap::Args)]
pub(super) struct Access {
    /// Name of the fleet; one server may have several
    #[arg(long, default_value = "patchwork", value_parser = parse_fleet)]
    fleet: String,
    /// Credentials file
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// Certificates of authorities that the server may have its certificate from
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Client certificate
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Key of the client certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Refuse a connection without TLS
    #[arg(long)]
    tls: bool,
}

impl Access {
    fn options(&self, url: &str, name: &str) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            fleet: self.fleet.clone(),
            name: name.to_owned(),
            credentials: self.creds.clone(),
            authorities: self.tls_ca.clone(),
            certificate: self.tls_cert.clone().zip(self.tls_key.clone()),
            requires_tls: self.tls,
        }
    }

    fn connect(&self, url: &str, name: &str) -> anyhow::Result<NatsFleet> {
        let options = self.options(url, name);
        NatsFleet::connect(&options).map_err(|error| anyhow!("--nats: {error}"))
    }
}

#[derive(clap::Args)]
struct Collecting {
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    queue: Queue,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// What a collector does with the queue.
#[derive(clap::Args)]
struct Queue {
    /// Maximum number of pairs in the queue at once; at least twice the cores of the fleet
    /// [default: 20000; with [sprt] 512]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    window: Option<u32>,
    /// Seconds after which a pair whose worker is silent is given to another
    #[arg(long, value_name = "SECONDS", default_value_t = ACK_WAIT, value_parser = value_parser!(u32).range(2..=3600))]
    ack_wait: u32,
    /// Seconds between two comparisons of the queue with what is missing
    #[arg(long, value_name = "SECONDS", default_value_t = AUDIT, value_parser = value_parser!(u32).range(1..=3600))]
    audit: u32,
}

const ACK_WAIT: u32 = 30;
const AUDIT: u32 = 10;

impl Default for Queue {
    fn default() -> Self {
        Self {
            window: None,
            ack_wait: ACK_WAIT,
            audit: AUDIT,
        }
    }
}

fn parse_fleet(text: &str) -> Result<String, String> {
    // A name of streams and subjects must not have points.
    if is_plain_name(text) && !text.contains('.') {
        return Ok(text.to_owned());
    }
    Err("expected letters, digits, '-' and '_'".to_owned())
}

fn parse_worker_name(text: &str) -> Result<String, String> {
    check_worker_name(text).map(|()| text.to_owned())
}

/// A name that no other process has: host, process and time.
fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let host: String = host.chars().filter(plain).take(30).collect();
    let host = if host.is_empty() { "host" } else { &host };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_millis()) % 1_000_000;
    format!("{host}-{}-{now:06}", std::process::id())
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Start {
            tournament,
            results,
            collecting,
        } => {
            let tournament = tournament.read()?;
            let dir = results.join(&tournament.name);
            let manifest = Manifest::new(tournament.name, tournament.plan);
            collecting.gather(&manifest, &dir)
        }
        Action::Collect { dir, collecting } => {
            let manifest = Results::read(dir)?.manifest;
            collecting.gather(&manifest, dir)
        }
        Action::Worker {
            server,
            workers,
            name,
            allow_external,
            until_idle,
        } => {
            let name = name.clone().unwrap_or_else(own_name);
            let options = WorkOptions {
                threads: workers.threads(),
                allows_external: *allow_external,
                patience: until_idle.map(|seconds| Duration::from_secs(seconds.into())),
                most_deliveries: 5,
                name,
            };
            serve(server, &options, workers.quiet)
        }
    }
}

/// Plays pairs of the fleet.
fn serve(server: &Server, options: &WorkOptions, quiet: bool) -> anyhow::Result<ExitCode> {
    let stop = listen()?;
    let link = server.access.connect(&server.nats, &options.name)?;
    if !quiet {
        let threads = counted(options.threads.get() as u64, "thread");
        note(format_args!(
            "The worker {} plays pairs of the fleet {} on {threads}.",
            options.name, server.access.fleet
        ));
    }
    let report = work(&link, options, stop, |_| ())?;
    print(|out| {
        let (games, failures) = (counted(report.games, "game"), report.failures);
        writeln!(out, "{}: {games} played, {failures} failed", options.name)
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Collecting {
    fn gather(&self, manifest: &Manifest, dir: &Path) -> anyhow::Result<ExitCode> {
        let fleet = FleetOf {
            nats: &self.server.nats,
            access: &self.server.access,
            quiet: self.quiet,
            full: false,
        };
        gather(manifest, dir, &fleet, &self.queue)
    }
}

/// A fleet that plays for a command.
pub(super) struct FleetOf<'a> {
    pub(super) nats: &'a str,
    pub(super) access: &'a Access,
    /// Whether no progress is shown.
    pub(super) quiet: bool,
    /// Whether all sections of the report are printed.
    pub(super) full: bool,
}

/// Has a fleet play a plan into its folder, then reports from the folder.
pub(super) fn play_by_fleet(
    manifest: &Manifest,
    dir: &Path,
    fleet: &FleetOf<'_>,
) -> anyhow::Result<ExitCode> {
    gather(manifest, dir, fleet, &Queue::default())
}

fn gather(
    manifest: &Manifest,
    dir: &Path,
    fleet: &FleetOf<'_>,
    args: &Queue,
) -> anyhow::Result<ExitCode> {
    let stop = listen()?;
    let name = own_name();
    let link = fleet.access.connect(fleet.nats, &name)?;
    let mut intake = Intake::open(dir, manifest)?;
    let window = args.window.unwrap_or(match manifest.plan.test() {
        Some(_) => 512,
        None => 20_000,
    });
    let options = CollectOptions {
        name,
        window: window as usize,
        wait: Duration::from_secs(args.ack_wait.into()),
        audit: Duration::from_secs(args.audit.into()),
        lease: LEASE,
    };
    let names = manifest.plan.names();
    let shows = (!fleet.quiet).then_some(ProgressForm::Text);
    let mut progress = Progress::new(&names, intake.schedule(), intake.games(), shows, None);
    let mut notes = FleetNotes::default();
    let collected = collect(&link, &mut intake, &options, stop, |event| match event {
        CollectEvent::Game(entry, schedule) => progress.add(entry, schedule),
        CollectEvent::Note(text) => note(format_args!("{text}")),
        CollectEvent::Workers(workers) if !fleet.quiet => notes.show(workers),
        CollectEvent::Workers(_) => {}
    });
    progress.finish(intake.schedule());
    let schedule = intake.schedule();
    let (finished, planned) = (schedule.finished_games(), schedule.planned_games());
    intake.finish()?;
    let collected = collected?;
    for (count, noun, what) in [
        (
            collected.garbage,
            "message",
            "Not understood or not of this plan",
        ),
        (collected.refused, "game", "Refused"),
        (
            collected.different,
            "game",
            "Received twice with different records",
        ),
    ] {
        if count > 0 {
            note(format_args!("{what}: {}.", counted(count, noun)));
        }
    }
    if !collected.complete && collected.quarantined.is_empty() {
        return Ok(stopped(format_args!(
            "Stopped: {finished} of {planned} games are saved in {dir}. To resume: patchwork-arena cluster \
             collect {dir} --nats {}",
            fleet.access.options(fleet.nats, "").shown_url(),
            dir = dir.display(),
        )));
    }
    let results = Results::read(dir)?;
    let report = TournamentReport::new(&results);
    if collected.complete {
        report.save(dir)?;
        report.save_page(dir)?;
    }
    print_report(&report, dir, fleet.full)?;
    for (pair, why) in &collected.quarantined {
        note(format_args!("The pair {pair} was not played: {why}"));
    }
    let wrong = !collected.complete || collected.different > 0;
    Ok(ExitCode::from(u8::from(wrong)))
}

/// Says from time to time who plays, how fast, and with how many failures.
#[derive(Default)]
struct FleetNotes {
    shown: Option<std::time::Instant>,
}

const BETWEEN_NOTES: Duration = Duration::from_secs(10);

impl FleetNotes {
    fn show(&mut self, workers: &BTreeMap<String, WorkerStatus>) {
        if self
            .shown
            .is_some_and(|last| last.elapsed() < BETWEEN_NOTES)
        {
            return;
        }
        self.shown = Some(std::time::Instant::now());
        let all = workers.values();
        let threads: u64 = all.clone().map(|worker| u64::from(worker.threads)).sum();
        let failures: u64 = all.clone().map(|worker| worker.failures).sum();
        let per_second: f64 = all
            .map(|worker| worker.games as f64 / worker.seconds.max(0.1))
            .sum();
        note(format_args!(
            "{}, {}: {per_second:.1} games/s, {}",
            counted(workers.len() as u64, "worker"),
            counted(threads, "thread"),
            counted(failures, "failed task"),
        ));
    }
}
