//! `tune`.

mod dry_run;
mod external;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use patchwork_engine::search::Stop;
use patchwork_report::document::brief_settings;
use patchwork_report::{INCUMBENT, TournamentReport};
use patchwork_tournament::{Manifest, Results, ledger};
use patchwork_tune::{
    BEST, ConvergenceRow, Stage, Trial, Tuning, TuningArena, TuningCrew, conclude, search,
    write_tuning,
};

use crate::args::{AgentsOfFile, ResultsFolder, Workers};
use crate::crew::{Crew, stopped_in};
use crate::endings::{Form, Output};
use crate::fleet::{FleetArgs, HAS_FLEETS, parse_server};
use crate::output::{listen, note, print_unbroken, stopped_for_now};
use crate::progress::Counter;

/// Search for better settings of an agent, and test them in a match
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena tune tournaments/tune-quick.toml\n  \
                  patchwork-arena tune tournaments/tune-rollout.toml --threads 8\n\n\
                  `patchwork-arena init` writes an example, and docs/tuning.md describes the keys."
)]
pub(crate) struct Args {
    /// Tuning file
    file: PathBuf,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    agents: AgentsOfFile,
    #[command(flatten)]
    folder: ResultsFolder,
    /// Only report what would be played and how long it would take, estimated from up to two seconds of games
    #[arg(long, conflicts_with = "external")]
    dry_run: bool,
    /// Let another program propose candidates: JSON lines on standard input and output
    #[arg(long, conflicts_with_all = ["format", "output"])]
    external: bool,
    /// With --external: stop after this many seconds without a line from the other program
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, requires = "external", value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    #[command(flatten)]
    output: Output<Form>,
    /// Play the games on a fleet over this NATS server; start its workers with `fleet worker`
    #[arg(long, value_name = "URL", value_parser = parse_server, hide = !HAS_FLEETS)]
    nats: Option<String>,
    #[command(flatten)]
    fleet: FleetArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let mut crew = args.workers.crew(&args.output.quiet);
    let tuning = Tuning::read(&args.file, args.agents.agents.as_deref())?;
    let dir = args.folder.results.join(&tuning.name);
    let tuning = tuning.with_equal_time(&dir)?;
    if args.dry_run {
        return dry_run::say(args, &tuning, args.workers.threads().0);
    }
    if tuning.equal_to.is_some() && !crew.is_silent() {
        note(format_args!(
            "keys of the space change the cost of an iteration, so agents are compared {}; `equal = \"budget\"` compares at equal budgets",
            tuning.condition()
        ));
    }
    if tuning.settings.start.is_empty() && !crew.is_silent() {
        note(format_args!(
            "{} does not set all keys of the space; the search begins elsewhere",
            tuning.base.name
        ));
    }
    match &args.nats {
        Some(nats) => (args.fleet).lead(nats, &dir, crew.progress, |crew| {
            tune(args, &tuning, &dir, crew)
        }),
        None => tune(args, &tuning, &dir, &mut crew),
    }
}

/// Searches, proves and reports.
fn tune(args: &Args, tuning: &Tuning, dir: &Path, crew: &mut Crew<'_>) -> anyhow::Result<ExitCode> {
    let shows = args.workers.progress(&args.output.quiet);
    let mut run = TuningRun {
        arena: TuningArena::new(tuning, dir),
        dir,
        args,
        tuning,
        crew,
        stop: listen()?,
        counter: Counter::new(0, shows),
        stopped: None,
    };
    run.counter = Counter::new(run.planned(), shows);
    let searched = match args.external {
        true => external::search(&mut run, Duration::from_secs(args.patience.into()))?,
        false => search(tuning, &mut run)?,
    };
    run.counter.finish();
    run.arena.finish(searched.is_some())?;
    let Some(found) = searched else {
        return Ok(stopped_for_now(format_args!(
            "Stopped: the games are saved in {}.",
            dir.display()
        )));
    };
    let Some((report, is_better)) = conclude(tuning, found, dir, &mut run)? else {
        return Ok(run.stopped.unwrap_or(ExitCode::FAILURE));
    };
    if args.external {
        print_unbroken(|out| writeln!(out, "{}", serde_json::json!({ "report": report })))?;
    } else {
        args.output.answer(&report, |out| {
            write_tuning(out, &report, args.output.layout(true))
        })?;
    }
    if !run.crew.is_silent() {
        match is_better {
            true => note(format_args!(
                "The agent is in {}.",
                dir.join(BEST).display()
            )),
            false => note(format_args!("Games and tables are in {}.", dir.display())),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A running tuning.
struct TuningRun<'a, 'e> {
    args: &'a Args,
    tuning: &'a Tuning,
    arena: TuningArena<'a>,
    dir: &'a Path,
    crew: &'a mut Crew<'e>,
    stop: &'a Stop,
    counter: Counter,
    /// The exit code, once the user has stopped a match.
    stopped: Option<ExitCode>,
}

impl TuningRun<'_, '_> {
    /// The number of games that the search may have.
    fn planned(&self) -> u64 {
        u64::from(self.pairs()) * self.arena.games_per_pair()
    }
}

impl TuningCrew for TuningRun<'_, '_> {
    type Error = anyhow::Error;

    fn play(&mut self, trials: &[Trial]) -> anyhow::Result<Option<Vec<Vec<f64>>>> {
        self.counter.expect(self.planned());
        let (counter, executor) = (&mut self.counter, &mut *self.crew.executor);
        let played = (self.arena).play(trials, executor, self.stop, |entry| {
            counter.add_game(entry);
        })?;
        self.counter.reach(self.arena.games());
        Ok(played)
    }

    fn play_match(&mut self, manifest: &Manifest) -> anyhow::Result<Option<Results>> {
        if !self.crew.is_silent() {
            note(format_args!("{}:", manifest.name));
        }
        let dir = self.args.folder.results.join(&manifest.name);
        let (results, played) = self.crew.play(manifest, Some(&dir))?;
        played.check_whole()?;
        if !results.is_over() {
            self.stopped = Some(stopped_in(&dir, &results));
            return Ok(None);
        }
        TournamentReport::new(&results)?.save(&dir)?;
        Ok(Some(results))
    }

    fn pairs(&self) -> u32 {
        self.arena.pairs(self.crew.executor.threads())
    }

    fn games(&self) -> u64 {
        self.arena.games()
    }

    fn show(&mut self, row: &ConvergenceRow) {
        let stage = match (row.stage, row.alive) {
            (Stage::Search, _) => "search".to_owned(),
            (_, Some(alive)) => format!("race of {alive}"),
            (_, None) => "race".to_owned(),
        };
        let keys = self.tuning.space.keys().iter();
        let keys: Vec<&str> = keys.map(|key| &*key.name).collect();
        let share = |result: f64| format!("{result:.3}");
        let json = serde_json::to_vec(row).unwrap_or_default();
        // Only who looks at the folder misses it.
        let _ = ledger::write_file(&self.dir.join(INCUMBENT), &json);
        self.counter.say(format!(
            "{stage}  best {} {}  candidate {}: {}",
            row.result.value.map_or_else(String::new, share),
            row.result.interval_as(share).unwrap_or_default(),
            row.number,
            brief_settings(&row.settings, &keys)
        ));
    }
}
