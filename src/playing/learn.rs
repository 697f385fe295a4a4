//! `learn`.

mod selfplay;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use patchwork_engine::agent::net::Net;
use patchwork_learn::{Accuracy, PHASES, Samples, Trained, TrainingSettings, read_games, train};
use patchwork_report::document::counted;
use serde_json::{Value, json};

use crate::args::{Seed, Threads};
use crate::endings::Printed;
use crate::output::{check_distinct, check_not_read, check_target, listen, stopped, write_file};

/// Train a network that evaluates positions
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  patchwork-arena learn selfplay tournaments/selfplay.toml --output games.selfplay\n  \
                  patchwork-arena learn games.selfplay --output agents/my.net\n\n\
                  With estimate = \"my.net\", an agent file in the same folder uses the network. The same games and options give the same \
                  bytes, on any number of threads."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<LearnCommand>,
    /// Files of games that `learn selfplay` wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write the network to
    #[arg(long, short, value_name = "NET", required = true)]
    output: Option<PathBuf>,
    /// Maximum number of passes over the positions; training ends early when the error on the held-out games no longer
    /// gets smaller
    #[arg(long, default_value_t = TrainingSettings::default().epochs, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Weight of the final margin, from 0 to 1; the rest is the weight of the margin that the search expected
    #[arg(long, default_value_t = TrainingSettings::default().outcome, value_name = "W")]
    outcome: f32,
    /// The highest learning rate
    #[arg(long, default_value_t = TrainingSettings::default().rate)]
    rate: f32,
    /// Hold out one of every N games
    #[arg(long, default_value_t = TrainingSettings::default().held_out, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    held_out: u32,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    printed: Printed,
}

#[derive(clap::Subcommand)]
enum LearnCommand {
    Selfplay(selfplay::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(LearnCommand::Selfplay(args)) = &args.command {
        return selfplay::run(args);
    }
    let target = args.output.as_deref().context("--output: missing")?;
    let settings = settings(args)?;
    check_target(Some(target))?;
    check_distinct(&args.files)?;
    check_not_read(target, &args.files)?;
    let stop = listen()?;
    let mut samples = Samples::default();
    for file in &args.files {
        let torn = read_games(file, |game| samples.add(&game))?;
        if torn > 0 {
            args.printed.quiet.note(format_args!(
                "{}: an incomplete game at the end is left out ({})",
                file.display(),
                counted(torn, "byte")
            ));
        }
    }
    let (games, positions) = (samples.games(), samples.len());
    if positions == 0 {
        let files = args.files.iter().map(|file| file.display().to_string());
        let files = files.collect::<Vec<_>>().join(", ");
        bail!("{files}: there are no positions to learn from");
    }
    args.printed.quiet.note(format_args!(
        "{} of {}",
        counted(positions as u64, "position"),
        counted(games as u64, "game")
    ));
    let trained = args.threads.pool()?.install(|| {
        train(&samples, &settings, stop, |epoch| {
            args.printed.quiet.note(format_args!(
                "pass {} of at most {}: mean squared error {:.2}, on games held out {:.2}",
                epoch.number,
                settings.epochs,
                epoch.loss,
                epoch.held_out_loss.unwrap_or(f64::NAN)
            ));
        })
    });
    let Some(trained) = trained? else {
        return Ok(stopped(format_args!(
            "Stopped before the first pass was done."
        )));
    };
    let card = trained.card(&settings, &args.files, games);
    let net = Net::rounded(&trained.weights, card.clone()).map_err(|error| anyhow!(error))?;
    let bytes = net.to_bytes();
    write_file(target, |out| out.write_all(&bytes))?;
    args.printed
        .answer(&told(&trained, games), |out| write!(out, "{card}"))
}

/// What the card says, as JSON.
fn told(trained: &Trained, games: usize) -> Value {
    let of = |accuracy: &Accuracy| json!({ "r_squared": accuracy.r_squared(), "error": accuracy.error() });
    let phases = trained.accuracy.iter().zip(PHASES);
    let phases = phases.map(|((network, linear), (from, to))| {
        json!({
            "from": from,
            "to": to,
            "positions": network.positions,
            "network": of(network),
            "linear": of(linear),
        })
    });
    json!({
        "games": games,
        "positions": trained.positions,
        "best": trained.best,
        "epochs": trained.epochs,
        "accuracy": phases.collect::<Vec<_>>(),
    })
}

fn settings(args: &Args) -> anyhow::Result<TrainingSettings> {
    if !(0.0..=1.0).contains(&args.outcome) {
        bail!(
            "--outcome: expected a number from 0 to 1, found {}",
            args.outcome
        );
    }
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        bail!(
            "--rate: expected a number above 0 and at most 1, found {}",
            args.rate
        );
    }
    Ok(TrainingSettings {
        epochs: args.epochs,
        held_out: args.held_out,
        outcome: args.outcome,
        rate: args.rate,
        seed: args.seed.seed,
    })
}
