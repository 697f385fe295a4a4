//! `run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use patchwork_report::document::{counted, thousands};
use patchwork_tournament::import::{Keep, import};
use patchwork_tournament::input::{FileForm, is_compressed};
use patchwork_tournament::{Manifest, PlanFile, PlannedGame, Results, RunEstimate, Shard, try_out};
use serde_json::json;

use crate::args::{TournamentFile, Workers};
use crate::crew::{Crew, ReportArgs, note_existing};
use crate::endings::ReportForm;
use crate::output::{
    check_not_read, check_target, listen, stopped_for_now, write_estimate, write_file,
};
use crate::progress::Counter;
use crate::results::import::say;

/// Play a tournament, resume a stopped one, or extend one to which pairs or agents were added
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena run tournaments/quickstart.toml\n  \
                        patchwork-arena run tournaments/zoo.toml --plan zoo.json\n  \
                        patchwork-arena run zoo.json --shard 2/8 --results R2\n  \
                        patchwork-arena run results/zoo --pairs 2000\n\n\
                        `patchwork-arena init` writes an example of a tournament file, and docs/tournaments.md describes \
                        the keys. A plan file holds the settings of all agents and the rings of a book (a file of rings), so that other \
                        machines need no other files. docs/cluster.md has complete recipes."
)]
pub(crate) struct Args {
    #[command(flatten)]
    tournament: TournamentFile,
    #[command(flatten)]
    workers: Workers,
    /// Folder in which the results folder is created [default: results; for a results folder, the folder that contains
    /// it]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Number of setups (pairs of games) per pairing, instead of the number in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pairs: Option<u32>,
    /// First import the games of other results folders
    #[arg(long, value_name = "DIR", num_args = 1..)]
    import: Vec<PathBuf>,
    /// Play only part I of N parts of about equal cost; `import` combines their folders
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Only report how many games exist, how many are missing and how long those would take; agents of unknown speed play
    /// against themselves for a second
    #[arg(long, conflicts_with = "shard")]
    dry_run: bool,
    /// Only write the plan to this file (.json), from which other machines can play it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import", "shard", "dry_run"])]
    plan: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Args {
    /// The folder of the games.
    fn dir(&self, manifest: &Manifest) -> PathBuf {
        match &self.results {
            Some(results) => results.join(&manifest.name),
            None if self.tournament.file.is_dir() => self.tournament.file.clone(),
            None => Path::new("results").join(&manifest.name),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = args.report.form()?;
    let is_short = args.dry_run || args.plan.is_some() || args.shard.is_some();
    if is_short && !matches!(form, ReportForm::Text | ReportForm::Json) {
        bail!("--format: expected text or json with --dry-run, --plan and --shard");
    }
    if let Some(plan) = &args.plan {
        return write_plan(plan, args);
    }
    let manifest = read(args)?;
    let dir = args.dir(&manifest);
    if args.dry_run {
        return estimate_run(&manifest, &dir, args);
    }
    try_out(&manifest.plan)?;
    let games = args.shard.map(|shard| shard.games(&manifest.plan));
    let games = games.transpose()?;
    if !args.import.is_empty() {
        import_first(&manifest, &dir, args)?;
    }
    if let (Some(shard), Some(games)) = (args.shard, games) {
        return play_shard(&manifest, &dir, shard, &games, args);
    }
    let mut crew = crew(args);
    let played = crew.play(&manifest, Some(&dir))?;
    crew.report(played, &dir, &args.report)
}

/// What is to be played.
fn read(args: &Args) -> anyhow::Result<Manifest> {
    let manifest = args.tournament.read()?;
    Ok(match args.pairs {
        Some(pairs) => Manifest::new(manifest.name, manifest.plan.with_pairs(pairs)?),
        None => manifest,
    })
}

fn crew(args: &Args) -> Crew<'static> {
    args.workers.crew(&args.report.output.quiet)
}

/// Writes the plan file, and says what the plan is.
fn write_plan(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    check_target(Some(path))?;
    check_not_read(path, &[&args.tournament.file])?;
    if is_compressed(path) || FileForm::of(path) != Some(FileForm::Json) {
        bail!(
            "{}: expected a name that ends in .json, by which a plan is told from a tournament file",
            path.display()
        );
    }
    let manifest = read(args)?;
    let dir = args.dir(&manifest);
    let file = PlanFile::new(manifest, &dir)?;
    let json = file.to_json();
    write_file(path, |out| out.write_all(&json))?;
    let PlanFile {
        games,
        pairs,
        core_seconds,
        manifest,
    } = file;
    let plan = &manifest.plan;
    let is_at_most = plan.test().is_some();
    let at_most = if is_at_most { "at most " } else { "" };
    let json = json!({
        "plan": manifest.plan_hash,
        "name": manifest.name,
        "agents": plan.agents().len(),
        "games": games,
        "pairs": pairs,
        "at_most": is_at_most,
        "core_seconds": core_seconds,
    });
    args.report.output.answer(&json, |out| {
        writeln!(
            out,
            "Plan:      {} of {}",
            manifest.plan_hash, manifest.name
        )?;
        writeln!(out, "Agents:    {}", plan.agents().len())?;
        let (games, pairs) = (counted(games, "game"), counted(pairs, "pair"));
        writeln!(out, "Games:     {at_most}{games}, in {pairs}")?;
        write_estimate(
            out,
            core_seconds.map(Duration::from_secs_f64),
            " of one core",
        )
    })
}

/// Says what a run would do.
fn estimate_run(manifest: &Manifest, dir: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let forecast = RunEstimate::new(dir, manifest, &args.import)?;
    let is_at_most = manifest.plan.test().is_some();
    let time = forecast.time(args.workers.threads().0);
    let importable = forecast.importable.iter();
    let json = json!({
        "folder": dir,
        "state": forecast.state,
        "planned": forecast.planned,
        "stored": forecast.there,
        "importable": importable.map(|(dir, games)| json!({ "folder": dir, "games": games })).collect::<Vec<_>>(),
        "not_in_plan": forecast.aside.games(),
        "missing": forecast.missing(),
        "at_most": is_at_most,
        "seconds": time.map(|time| time.as_secs_f64()),
    });
    args.report.output.answer(&json, |out| {
        writeln!(out, "Folder:      {}", dir.display())?;
        writeln!(out, "Planned:     {}", counted(forecast.planned, "game"))?;
        writeln!(out, "Stored:      {}", counted(forecast.there, "game"))?;
        for (dir, found) in &forecast.importable {
            let found = counted(*found, "game");
            writeln!(out, "Importable:  {found} of {}", dir.display())?;
        }
        if forecast.aside.games() > 0 {
            writeln!(out, "Not in plan: {}", forecast.aside)?;
        }
        let at_most = if is_at_most { "at most " } else { "" };
        let missing = counted(forecast.missing(), "game");
        writeln!(out, "Missing:     {at_most}{missing}")?;
        write_estimate(out, time, "")
    })
}

/// Takes over games of other folders into the tournament's own.
fn import_first(manifest: &Manifest, dir: &Path, args: &Args) -> anyhow::Result<()> {
    let (_, imported) = import(&args.import, dir, Some(manifest), Keep::Everything)?;
    if !crew(args).is_silent() {
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
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let mut crew = crew(args);
    let mut results = Results::open(dir, manifest)?;
    if !crew.is_silent() {
        note_existing(dir, &results);
    }
    results.schedule.restrict_to(games);
    let done = |results: &Results| games.len() - results.schedule.clone().count();
    let mut counter = Counter::new(games.len() as u64, crew.progress);
    counter.reach(done(&results) as u64);
    let stop = listen()?;
    let ended = (crew.executor).play(&mut results, stop, &mut |entry, _| counter.add_game(entry));
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
    let json = json!({ "folder": dir, "shard": shard.to_string(), "games": games.len() });
    args.report.output.answer(&json, |out| {
        writeln!(
            out,
            "Part {shard}: {planned}, all of them in {}",
            dir.display()
        )
    })
}
