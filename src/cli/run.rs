//! `run`, and how a plan is played for `match`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use patchwork_arena::record::Entry;
use patchwork_arena::report::TournamentReport;
use patchwork_arena::tournament::{Manifest, Results, Tournament};

use super::args::Workers;
use super::output::{listen, note, print, stopped};
use super::progress::Progress;

/// Play a tournament, or resume one that was stopped
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena run tournaments/quickstart.toml")]
pub(super) struct Args {
    /// Tournament file
    file: PathBuf,
    #[command(flatten)]
    workers: Workers,
    /// Folder of agent files [default: agents beside the tournament's folder, then here]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Folder in which the tournament's own folder is created
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tournament = Tournament::read(&args.file, args.agents.as_deref())?;
    let dir = args.results.join(&tournament.name);
    let manifest = Manifest::new(tournament.name, tournament.plan);
    play_and_save(&manifest, &dir, &args.workers)
}

/// Plays the missing games of a plan into its folder, then reports from the folder.
pub(super) fn play_and_save(
    manifest: &Manifest,
    dir: &Path,
    workers: &Workers,
) -> anyhow::Result<ExitCode> {
    let (mut store, mut results) = Results::open(dir, manifest)?;
    if !workers.quiet {
        if results.torn > 0 {
            note(format_args!(
                "{}: cut off {} bytes of a game that was not saved whole; it is played again",
                dir.display(),
                results.torn
            ));
        }
        if !results.games.is_empty() {
            let (done, total) = (results.games.len(), results.schedule.planned_games());
            note(format_args!(
                "{}: resuming after {done} of {total} games",
                dir.display()
            ));
        }
    }
    play(&mut results, workers, |entry| store.append(entry))?;
    store.sync()?;
    let schedule = &results.schedule;
    if !schedule.is_over() {
        return Ok(stopped(format_args!(
            "Stopped: {} of {} games are saved in {}. To resume: {}",
            schedule.finished_games(),
            schedule.planned_games(),
            dir.display(),
            this_command()
        )));
    }
    let results = Results::read(dir)?;
    let report = TournamentReport::new(&results);
    report.save(store.dir())?;
    print(|out| report.write_text(out))?;
    if !workers.quiet {
        note(format_args!("Games and reports are in {}.", dir.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the missing games and shows the progress.
pub(super) fn play<E>(
    results: &mut Results,
    workers: &Workers,
    mut keep: impl FnMut(&Entry) -> Result<(), E>,
) -> anyhow::Result<()>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let stop = listen()?;
    let names = results.manifest.plan.names();
    let mut progress = Progress::new(names, &results.schedule, &results.games, workers.quiet);
    let ended = results.play(workers.threads(), stop, |entry, schedule| {
        keep(entry)?;
        progress.add(entry, schedule);
        Ok::<_, E>(())
    });
    progress.finish(&results.schedule);
    Ok(ended?)
}

/// The command line that was given, quoted for a shell.
fn this_command() -> String {
    let quoted = std::env::args().map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
