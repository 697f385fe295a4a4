//! `run`, and playing on the threads of this machine.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use patchwork_arena::document::{counted, thousands};
use patchwork_arena::tournament::import::{Keep, import};
use patchwork_arena::tournament::{
    Forecast, GamePlayer, Manifest, PlannedGame, Results, Shard, try_out,
};

use super::args::{TournamentFile, Workers};
use super::import::say;
use super::output::{listen, note, print, stopped_for_now, write_estimate};
use super::progress::{Counter, Progress};
use super::workforce::{PlayedPart, Workforce};

/// Play a tournament, or resume a stopped one
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena run tournaments/quickstart.toml")]
pub(super) struct Args {
    #[command(flatten)]
    tournament: TournamentFile,
    #[command(flatten)]
    workers: Workers,
    /// Folder in which the tournament's own folder is created
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// First take over the games of other results folders
    #[arg(long, value_name = "DIR", num_args = 1..)]
    import: Vec<PathBuf>,
    /// Print all sections of the report, not only the ranking and one line for each other section
    #[arg(long)]
    full: bool,
    /// Play only part I of N parts of about equal cost; `import` combines their folders
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Only say how many games exist and how many are missing
    #[arg(long, conflicts_with = "shard")]
    dry_run: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let manifest = args.tournament.read()?;
    let dir = args.results.join(&manifest.name);
    if args.dry_run {
        return foresee(&manifest, &dir, args);
    }
    try_out(&manifest.plan)?;
    let games = args.shard.map(|shard| shard.games(&manifest.plan));
    let games = games.transpose()?;
    if !args.import.is_empty() {
        take_over(&manifest, &dir, args)?;
    }
    if let (Some(shard), Some(games)) = (args.shard, games) {
        return play_shard(&manifest, &dir, shard, &games, &args.workers);
    }
    (&args.workers).play_and_save(&manifest, &dir, args.full)
}

/// Says what a run would do.
fn foresee(manifest: &Manifest, dir: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let forecast = Forecast::new(dir, manifest, &args.import)?;
    let (there, planned) = (forecast.there, forecast.planned);
    print(|out| {
        writeln!(out, "Folder:      {}", dir.display())?;
        writeln!(out, "Planned:     {}", counted(planned, "game"))?;
        writeln!(out, "Stored:      {}", counted(there, "game"))?;
        for (dir, found) in &forecast.importable {
            writeln!(
                out,
                "Importable:  {} of {}",
                counted(*found, "game"),
                dir.display()
            )?;
        }
        if forecast.aside.games() > 0 {
            writeln!(out, "Not in plan: {}", forecast.aside)?;
        }
        let at_most = if manifest.plan.is_uncertain() {
            "at most "
        } else {
            ""
        };
        writeln!(
            out,
            "Missing:     {at_most}{}",
            counted(forecast.missing(), "game")
        )?;
        write_estimate(out, forecast.time(args.workers.threads()), "")
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Takes over games of other folders into the tournament's own.
fn take_over(manifest: &Manifest, dir: &Path, args: &Args) -> anyhow::Result<()> {
    let (_, imported) = import(&args.import, dir, Some(manifest), Keep::Everything)?;
    if !args.workers.is_silent() {
        imported.iter().for_each(say);
    }
    Ok(())
}

/// Plays the missing games of a shard into the tournament's folder.
fn play_shard(
    manifest: &Manifest,
    dir: &Path,
    shard: Shard,
    games: &[PlannedGame],
    workers: &Workers,
) -> anyhow::Result<ExitCode> {
    let mut results = open(dir, manifest, workers)?;
    results.ask_for(games);
    let done = |results: &Results| games.len() - results.missing().count();
    let mut counter = Counter::new(games.len() as u64, workers);
    counter.reach(done(&results) as u64);
    let stop = listen()?;
    let ended = results.play(workers.threads(), stop, |_, _| counter.add());
    counter.finish();
    ended?;
    let done = done(&results);
    results.finish()?;
    let planned = counted(games.len() as u64, "game");
    if done < games.len() {
        return Ok(stopped_for_now(format_args!(
            "Stopped: {} of {planned} of part {shard} are saved in {}.",
            thousands(done as u64),
            dir.display()
        )));
    }
    print(|out| {
        writeln!(
            out,
            "Part {shard}: {planned}, all of them in {}",
            dir.display()
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Workforce for &Workers {
    fn threads(&self) -> Option<NonZeroUsize> {
        Some(Workers::threads(self))
    }

    fn is_silent(&self) -> bool {
        Workers::is_silent(self)
    }

    fn player(&mut self) -> Box<dyn GamePlayer + '_> {
        Box::new(Workers::threads(self))
    }

    fn play(&mut self, manifest: &Manifest, dir: &Path) -> anyhow::Result<PlayedPart> {
        let mut results = open(dir, manifest, self)?;
        play(&mut results, self)?;
        results.finish()?;
        Ok(PlayedPart::of(results))
    }
}

/// Opens a folder for writing and says what it holds.
fn open(dir: &Path, manifest: &Manifest, workers: &Workers) -> anyhow::Result<Results> {
    let results = Results::open(dir, manifest)?;
    if !workers.is_silent() {
        tell_found(dir, &results);
    }
    Ok(results)
}

/// Says how many games the folder holds.
fn tell_found(dir: &Path, results: &Results) {
    let (done, aside) = (results.games.len() as u64, &results.aside);
    if done == 0 && aside.games() == 0 {
        return;
    }
    let planned = counted(results.schedule.planned_games(), "game");
    let verb = if done == 1 { "is" } else { "are" };
    let aside = match (aside.games(), aside.groups()) {
        (0, _) => String::new(),
        (1, _) => format!("; {aside} and is kept aside"),
        (_, 1) => format!("; {aside} and are kept aside"),
        _ => format!("; {aside}; these games are kept aside"),
    };
    let done = thousands(done);
    note(format_args!(
        "{}: {done} of {planned} {verb} there{aside}",
        dir.display()
    ));
}

/// Plays the missing games and shows the progress.
pub(super) fn play(results: &mut Results, workers: &Workers) -> anyhow::Result<()> {
    let stop = listen()?;
    let threads = workers.threads();
    let mut progress = Progress::new(results, workers.progress_form(), Some(threads.get()));
    let ended = results.play(threads, stop, |entry, results| {
        progress.add(entry, results);
    });
    progress.finish(results);
    Ok(ended?)
}
