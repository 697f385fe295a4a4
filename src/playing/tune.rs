//! `tune`.

mod dry_run;
mod external;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use patchwork_engine::search::Stop;
use patchwork_tournament::{Manifest, Results};
use patchwork_tune::{
    BEST, ConvergenceRow, Stage, Trial, Tuning, TuningArena, TuningCrew, conclude, search,
    write_tuning,
};

use crate::args::{AgentsOfFile, ResultsFolder, Workers};
use crate::endings::{Form, Output};
use crate::fleet::{FleetArgs, HAS_FLEETS, parse_server};
use crate::output::{listen, note, print_unbroken, stopped_for_now};
use crate::progress::Counter;
use crate::workforce::Workforce;

/// Search for better settings of an agent, and prove them in a match
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
    /// Only say what would be played and how long it takes; up to two seconds of games tell the time
    #[arg(long, conflicts_with = "external")]
    dry_run: bool,
    /// Let another program propose candidates: JSON lines on the standard input and output
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
        return dry_run::say(args, &tuning, crew.threads);
    }
    if tuning.equal_to.is_some() && !crew.is_silent() {
        note(format_args!(
            "keys of the space change the cost of an iteration, so agents are compared {}; `equal = \"budget\"` compares at equal budgets",
            tuning.condition()
        ));
    }
    if tuning.settings.start.is_none() && !crew.is_silent() {
        note(format_args!(
            "{} does not set all keys of the space; the search begins elsewhere",
            tuning.base.name
        ));
    }
    match &args.nats {
        Some(nats) => (args.fleet).lead(nats, &dir, crew.progress, |workforce| {
            tune(args, &tuning, &dir, workforce)
        }),
        None => tune(args, &tuning, &dir, &mut crew),
    }
}

/// Searches, proves and reports.
fn tune(
    args: &Args,
    tuning: &Tuning,
    dir: &Path,
    workforce: &mut dyn Workforce,
) -> anyhow::Result<ExitCode> {
    let shows = args.workers.crew(&args.output.quiet).progress;
    let mut run = TuningRun {
        arena: TuningArena::new(tuning, dir),
        args,
        tuning,
        workforce,
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
    run.arena.finish()?;
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
    if !run.workforce.is_silent() {
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
struct TuningRun<'a> {
    args: &'a Args,
    tuning: &'a Tuning,
    arena: TuningArena<'a>,
    workforce: &'a mut dyn Workforce,
    stop: &'a Stop,
    counter: Counter,
    /// The exit code, once the user has stopped a match.
    stopped: Option<ExitCode>,
}

impl TuningRun<'_> {
    /// The number of games that the search may have.
    fn planned(&self) -> u64 {
        u64::from(self.pairs()) * self.arena.games_per_pair()
    }

    /// The time that the search still needs for these trials and the pairs after them, at the same cost per
    /// pair. `None` if the cost, or who plays, is unknown.
    fn time_left(&self, trials: &[Trial]) -> Option<Duration> {
        let (mut pairs, mut seconds) = (0, 0.0);
        for trial in trials {
            let game = self.arena.game_time(&trial.point)?;
            pairs += trial.rings.len() as u64;
            seconds += trial.rings.len() as f64 * game.as_secs_f64();
        }
        let left = self.planned().saturating_sub(self.arena.games());
        let games = left.max(pairs * self.arena.games_per_pair());
        let game = seconds / pairs.max(1) as f64;
        let threads = self.workforce.threads()?.get() as f64;
        Duration::try_from_secs_f64(games as f64 * game / threads).ok()
    }
}

impl TuningCrew for TuningRun<'_> {
    type Error = anyhow::Error;

    fn play(&mut self, trials: &[Trial]) -> anyhow::Result<Option<Vec<Vec<f64>>>> {
        let left = self.time_left(trials);
        self.counter.expect(left, self.planned());
        let counter = &mut self.counter;
        let mut player = self.workforce.player();
        let played = self.arena.play(trials, &mut *player, self.stop, |_| {
            counter.add();
        })?;
        self.counter.reach(self.arena.games());
        Ok(played)
    }

    fn play_match(&mut self, manifest: &Manifest) -> anyhow::Result<Option<Results>> {
        if !self.workforce.is_silent() {
            note(format_args!("{}:", manifest.name));
        }
        let dir = self.args.folder.results.join(&manifest.name);
        match self.workforce.play_into(manifest, &dir)? {
            ControlFlow::Continue(results) => Ok(Some(results)),
            ControlFlow::Break(code) => {
                self.stopped = Some(code);
                Ok(None)
            }
        }
    }

    fn pairs(&self) -> u32 {
        self.arena.pairs(self.workforce.threads())
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
        let share = |result: f64| format!("{result:.3}");
        self.counter.say(format!(
            "{stage}  best {} {}  {}",
            row.result.value.map_or_else(String::new, share),
            row.result.interval_as(share).unwrap_or_default(),
            row.settings
        ));
    }
}
