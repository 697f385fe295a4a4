//! `fleet`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::value_parser;
use patchwork_fleet::{WorkOptions, check_worker_name, work};
use patchwork_report::document::counted;
use patchwork_tournament::{Manifest, Results};
use serde_json::json;

use crate::args::{ResultsFolder, Threads, TournamentFile};
use crate::crew::ReportArgs;
use crate::endings::{Form, Printed};
use crate::fleet::{FleetArgs, own_name};
use crate::output::listen;

/// Play a tournament on a fleet of machines
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena fleet worker --nats nats://host:4222\n  \
                        patchwork-arena fleet start tournaments/zoo.toml --nats nats://host:4222"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: FleetCommand,
}

#[derive(clap::Subcommand)]
enum FleetCommand {
    /// Publish a tournament's missing pairs, collect the games and report
    #[command(
        after_help = "Example:\n  patchwork-arena fleet start tournaments/zoo.toml --nats nats://host:4222"
    )]
    Start {
        #[command(flatten)]
        tournament: TournamentFile,
        #[command(flatten)]
        folder: ResultsFolder,
        #[command(flatten)]
        collecting: Collecting,
    },
    /// Continue to collect the games of a folder that `fleet start` created
    #[command(
        after_help = "Example:\n  patchwork-arena fleet collect results/zoo --nats nats://host:4222"
    )]
    Collect {
        /// Results folder
        dir: PathBuf,
        #[command(flatten)]
        collecting: Collecting,
    },
    /// Take pairs and play them, until Ctrl-C
    #[command(after_help = "Example:\n  patchwork-arena fleet worker --nats nats://host:4222")]
    Worker {
        #[command(flatten)]
        server: FleetServer,
        #[command(flatten)]
        threads: Threads,
        /// Name of this worker [default: the host's name and the number of the process]
        #[arg(long, value_parser = parse_worker_name)]
        name: Option<String>,
        /// Play agents that start other programs on this machine
        #[arg(long)]
        allow_external: bool,
        /// Exit after this many seconds without a task
        #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u32).range(1..))]
        until_idle: Option<u32>,
        #[command(flatten)]
        printed: Printed,
    },
}

/// How to reach the fleet's server.
#[derive(clap::Args)]
struct FleetServer {
    /// NATS server with JetStream, such as nats://host:4222 or tls://host:4222
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(clap::Args)]
struct Collecting {
    #[command(flatten)]
    server: FleetServer,
    #[command(flatten)]
    report: ReportArgs,
}

fn parse_worker_name(text: &str) -> Result<String, String> {
    check_worker_name(text).map(|()| text.to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        FleetCommand::Start {
            tournament,
            folder,
            collecting,
        } => {
            let manifest = tournament.read()?;
            let dir = folder.results.join(&manifest.name);
            collecting.gather(&manifest, &dir)
        }
        FleetCommand::Collect { dir, collecting } => {
            let manifest = Results::read(dir)?.manifest;
            collecting.gather(&manifest, dir)
        }
        FleetCommand::Worker {
            server,
            threads,
            name,
            allow_external,
            until_idle,
            printed,
        } => {
            let name = name.clone().unwrap_or_else(own_name);
            let options = WorkOptions {
                threads: threads.count(),
                allows_external: *allow_external,
                patience: until_idle.map(|seconds| Duration::from_secs(seconds.into())),
                most_deliveries: 5,
                name,
            };
            serve(server, &options, printed)
        }
    }
}

/// Plays pairs for the fleet.
fn serve(
    server: &FleetServer,
    options: &WorkOptions,
    printed: &Printed,
) -> anyhow::Result<ExitCode> {
    let stop = listen()?;
    let link = server.fleet.connect(&server.nats, &options.name)?;
    let threads = counted(options.threads.get() as u64, "thread");
    printed.quiet.note(format_args!(
        "The worker {} plays pairs of the fleet {} on {threads}.",
        options.name,
        server.fleet.name()
    ));
    let report = work(&link, options, stop)?;
    let json = json!({
        "worker": options.name,
        "games": report.games,
        "failures": report.failures,
    });
    printed.answer(&json, |out| {
        let (games, failures) = (counted(report.games, "game"), report.failures);
        writeln!(out, "{}: {games} played, {failures} failed", options.name)
    })
}

impl Collecting {
    fn gather(&self, manifest: &Manifest, dir: &Path) -> anyhow::Result<ExitCode> {
        let FleetServer { nats, fleet } = &self.server;
        self.report.form()?;
        let progress = (!self.report.output.quiet.quiet).then_some(Form::Text);
        fleet.lead(nats, dir, progress, |crew| {
            let played = crew.play(manifest, Some(dir))?;
            crew.report(played, dir, &self.report)
        })
    }
}
