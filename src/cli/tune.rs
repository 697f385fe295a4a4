//! `tune`.

mod external;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use patchwork_arena::report::{
    ConvergenceRow, MeasuredTimes, SearchResults, TuningReport, write_tuning,
};
use patchwork_arena::tournament::{Manifest, Results, store};
use patchwork_arena::tune::{
    EqualTimeResult, GameCosts, Point, ProofResult, SlowResult, Stage, Trial, TrialResults, Tuning,
    TuningArena, seconds_per_move,
};
use patchwork_engine::agent::AgentFile;
use patchwork_engine::search::Stop;

use super::args::{Form, Workers};
use super::fleet::{FleetArgs, HAS_FLEETS, parse_server};
use super::output::{listen, note, print, stopped, text_form, this_command, write_json};
use super::progress::Counter;
use super::workforce::Workforce;

/// Search for better settings of an agent by playing games, and prove them in a match
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena tune tournaments/tune-quick.toml\n  \
                  patchwork-arena tune tournaments/tune-rollout.toml --threads 8"
)]
pub(super) struct Args {
    /// Tuning file
    file: PathBuf,
    #[command(flatten)]
    workers: Workers,
    /// Folder of agent files [default: agents beside the file's folder, then agents here]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Folder in which the search's own folders are created
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Let another program propose candidates: JSON lines on the standard input and output
    #[arg(long)]
    external: bool,
    /// With --external: stop after this many seconds without a line from the other program
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, requires = "external", value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    /// Play the games on a fleet over this NATS server; start its workers with `cluster worker`
    #[arg(long, value_name = "URL", value_parser = parse_server, hide = !HAS_FLEETS)]
    nats: Option<String>,
    #[command(flatten)]
    fleet: FleetArgs,
}

/// File name of a proven winner.
const BEST: &str = "best.toml";

/// How a step of the search ended.
enum StepEnd<T> {
    With(T),
    /// The user stopped it.
    Stopped,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tuning = Tuning::read(&args.file, args.agents.as_deref())?;
    if tuning.settings.start.is_none() && !args.workers.is_silent() {
        note(format_args!(
            "{} does not set all keys of the space; the search begins elsewhere",
            tuning.base.name
        ));
    }
    match &args.nats {
        Some(nats) => {
            let progress = args.workers.progress_form();
            (args.fleet).lead(nats, progress, |workforce| tune(args, &tuning, workforce))
        }
        None => tune(args, &tuning, &mut &args.workers),
    }
}

/// Searches and proves.
fn tune(args: &Args, tuning: &Tuning, workforce: &mut dyn Workforce) -> anyhow::Result<ExitCode> {
    let dir = args.results.join(&tuning.name);
    let mut run = TuningRun {
        arena: TuningArena::new(tuning, &dir),
        tuning,
        workforce,
        stop: listen()?,
        counter: Counter::new(0, &args.workers),
        convergence: Vec::new(),
    };
    run.counter = Counter::new(
        u64::from(tuning.settings.pairs) * run.arena.games_per_pair(),
        &args.workers,
    );
    let searched = match args.external {
        true => external::search(&mut run, Duration::from_secs(args.patience.into()))?,
        false => run.search()?,
    };
    run.counter.finish();
    run.arena.finish()?;
    let StepEnd::With(search) = searched else {
        return Ok(stopped(format_args!(
            "Stopped: the games are saved in {}. To resume: {}",
            dir.display(),
            this_command()
        )));
    };
    let costs = run.arena.costs().clone();
    drop(run);
    conclude(args, tuning, (search, &costs), &dir, workforce)
}

/// A running search.
struct TuningRun<'a> {
    tuning: &'a Tuning,
    arena: TuningArena<'a>,
    workforce: &'a mut dyn Workforce,
    stop: &'a Stop,
    counter: Counter,
    convergence: Vec<ConvergenceRow>,
}

impl TuningRun<'_> {
    /// Plays trials.
    fn play(&mut self, trials: &[Trial]) -> anyhow::Result<StepEnd<Vec<TrialResults>>> {
        let left = self.time_left(trials);
        self.counter.expect(left);
        let counter = &mut self.counter;
        let mut player = self.workforce.player();
        let played = self.arena.play(trials, &mut *player, self.stop, |_| {
            counter.add();
        })?;
        self.counter.reach(self.arena.games());
        Ok(played.map_or(StepEnd::Stopped, StepEnd::With))
    }

    /// The time that the search still needs for these trials and the pairs after them, at the same cost per
    /// pair. `None` if the cost, or who plays, is unknown.
    fn time_left(&self, trials: &[Trial]) -> Option<Duration> {
        let (mut pairs, mut seconds) = (0, 0.0);
        for trial in trials {
            let game = self.arena.costs().expected(&trial.point)?;
            pairs += trial.rings.len() as u64;
            seconds += trial.rings.len() as f64 * game.as_secs_f64();
        }
        let all = u64::from(self.tuning.settings.pairs);
        let left = all.saturating_sub(self.arena.games() / self.arena.games_per_pair());
        let games = left.max(pairs) * self.arena.games_per_pair();
        let game = seconds / pairs.max(1) as f64;
        let threads = self.workforce.threads()?.get() as f64;
        Duration::try_from_secs_f64(games as f64 * game / threads).ok()
    }

    /// Searches with the method of the file. A stopped search is resumed by telling the method the results
    /// that exist.
    fn search(&mut self) -> anyhow::Result<StepEnd<SearchResults>> {
        let mut tuner = self.tuning.tuner()?;
        // Some batches have no incumbent: it needs a model.
        let (mut shown, every) = (0, self.tuning.settings.pairs.div_ceil(50));
        loop {
            let trials = tuner.ask(usize::MAX);
            if trials.is_empty() {
                break;
            }
            let StepEnd::With(results) = self.play(&trials)? else {
                return Ok(StepEnd::Stopped);
            };
            for results in results {
                tuner.tell(results)?;
            }
            let pairs = tuner.history().pairs();
            if pairs >= shown + every || tuner.stage() != Stage::Search {
                shown = pairs;
                if let Some(best) = tuner.best() {
                    let (stage, alive) = (tuner.stage(), tuner.alive());
                    let row = ConvergenceRow::new((pairs, self.arena.games()), stage, alive, &best);
                    self.show(&row);
                    self.convergence.push(row);
                }
            }
        }
        let winner = tuner.best().map(|best| best.point);
        Ok(StepEnd::With(SearchResults {
            ranking: tuner.ranking(),
            history: tuner.history().clone(),
            convergence: std::mem::take(&mut self.convergence),
            winner: winner.ok_or_else(|| anyhow!("no candidate was played"))?,
            games: self.arena.games(),
            method: self.tuning.settings.method.name(),
        }))
    }

    /// Shows the incumbent.
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

/// Proves the winner, reports, and writes its file if it is better than the base.
fn conclude(
    args: &Args,
    tuning: &Tuning,
    (search, costs): (SearchResults, &GameCosts),
    dir: &Path,
    workforce: &mut dyn Workforce,
) -> anyhow::Result<ExitCode> {
    let cannot = || format!("{}: cannot be made", dir.display());
    std::fs::create_dir_all(dir).with_context(cannot)?;
    let mut proof = None;
    let (mut slow, mut equal) = (None, None);
    let (mut pace, mut best) = (None, None);
    if let Some(winner) = winner(tuning, &search.winner)? {
        let manifest = tuning.proof_of(&winner)?;
        let results = match play_match(args, &manifest, workforce)? {
            ControlFlow::Continue(results) => results,
            ControlFlow::Break(code) => return Ok(code),
        };
        let found = ProofResult::new(tuning, &results);
        pace = seconds_per_move(tuning, &results);
        if found.is_better() {
            best = Some(tuning.best_file(&winner, (search.method, search.games), &found)?);
            if let Some(manifest) = tuning.slow_proof_of(&winner)? {
                match play_match(args, &manifest, workforce)? {
                    ControlFlow::Continue(results) => {
                        slow = Some(SlowResult::new(tuning, &results));
                    }
                    ControlFlow::Break(code) => return Ok(code),
                }
            }
            let timed = pace.map(|[_, base]| tuning.equal_time_of(&winner, base));
            if let Some((time, manifest)) = timed.transpose()?.flatten() {
                match play_match(args, &manifest, workforce)? {
                    ControlFlow::Continue(results) => {
                        equal = Some(EqualTimeResult::new(tuning, time, &results));
                    }
                    ControlFlow::Break(code) => return Ok(code),
                }
            }
        }
        proof = Some(found);
    }
    let path = dir.join(BEST);
    match &best {
        Some(text) => store::write_file(&path, text.as_bytes())?,
        // Remove the file of an earlier search.
        None if path.is_file() => std::fs::remove_file(&path)?,
        None => {}
    }
    let times = MeasuredTimes::new(&search.ranking, costs, pace, equal);
    let report = TuningReport::new(tuning, search, proof, slow, times);
    report.save(dir)?;
    if args.external {
        print(|out| writeln!(out, "{}", serde_json::json!({ "report": report })))?;
    } else {
        print(|out| match args.format {
            Form::Text => write_tuning(out, &report, text_form(true)),
            Form::Json => write_json(out, &report),
        })?;
    }
    if !args.workers.is_silent() {
        match best {
            Some(_) => note(format_args!("The agent is in {}.", path.display())),
            None => note(format_args!("Games and tables are in {}.", dir.display())),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The agent that the search recommends, unless it has the base's settings.
fn winner(tuning: &Tuning, point: &Point) -> anyhow::Result<Option<AgentFile>> {
    let winner = tuning.agent(point).map_err(|what| anyhow!(what))?;
    let same = winner.config.canonical() == tuning.base.config.canonical();
    Ok((!same).then_some(winner))
}

/// Plays a match into its folder; breaks with the exit code if the user stopped it.
fn play_match(
    args: &Args,
    manifest: &Manifest,
    workforce: &mut dyn Workforce,
) -> anyhow::Result<ControlFlow<ExitCode, Results>> {
    let dir = args.results.join(&manifest.name);
    if !args.workers.is_silent() {
        note(format_args!("{}:", manifest.name));
    }
    workforce.play_into(manifest, &dir)
}
