//! `learn`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use patchwork_arena::document::counted;
use patchwork_arena::learn::{Samples, TrainingSettings, read_games, train};
use patchwork_engine::agent::net::Net;

use super::args::{Workers, seed};
use super::output::{
    check_distinct, check_not_read, check_target, listen, note, print, stopped, write_file,
};

/// Train a network that estimates positions, on games from `selfplay`
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena learn games.selfplay --output agents/my.net\n\n\
                  An agent in the same folder uses the network with the key estimate = \"my.net\". The same games and options give the same \
                  bytes, on any number of threads."
)]
pub(super) struct Args {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write the network to
    #[arg(long, short, value_name = "NET")]
    output: PathBuf,
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
    /// Seed of the initial weights and of the order of positions
    #[arg(long, default_value_t = TrainingSettings::default().seed, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    workers: Workers,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    check_target(Some(&args.output))?;
    check_distinct(&args.files)?;
    check_not_read(&args.output, &args.files)?;
    let stop = listen()?;
    let mut samples = Samples::default();
    let talks = !args.workers.is_silent();
    for file in &args.files {
        let torn = read_games(file, |game| samples.add(&game))?;
        if talks && torn > 0 {
            note(format_args!(
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
    if talks {
        note(format_args!(
            "{} of {}",
            counted(positions as u64, "position"),
            counted(games as u64, "game")
        ));
    }
    let trained = args.workers.pool()?.install(|| {
        train(&samples, &settings, stop, |epoch| {
            if talks {
                note(format_args!(
                    "pass {} of at most {}: mean squared error {:.2}, on games held out {:.2}",
                    epoch.number,
                    settings.epochs,
                    epoch.loss,
                    epoch.held_out_loss.unwrap_or(f64::NAN)
                ));
            }
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
    write_file(&args.output, |out| out.write_all(&bytes))?;
    print(|out| write!(out, "{card}"))?;
    Ok(ExitCode::SUCCESS)
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
        seed: args.seed,
    })
}
