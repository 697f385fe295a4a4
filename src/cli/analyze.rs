//! `analyze`.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use patchwork_arena::report::analysis::{search_lines, write_position, write_report};
use patchwork_arena::tournament::Results;
use patchwork_engine::agent::{AgentSettings, Limit, MctsSettings};
use patchwork_engine::analysis::{Analysis, PositionEstimate, PositionReport, Reached};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::{Rng, stream};

use super::args::{Agents, Form, PositionArgs, count, search_threads, seed};
use super::output::{listen, output_width, print, stopped, write_json};
use super::progress::{dashboard, width};

/// Search a position and show the search live in a terminal
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// Name or file of the agent that searches
    #[arg(long)]
    agent: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Results folder of the game
    #[arg(long, value_name = "DIR", requires = "game")]
    results: Option<PathBuf>,
    /// Number of a stored game, or its pairing, pair and leg: 'a|b/3/1'
    #[arg(long, requires = "results", conflicts_with_all = ["ring", "track", "actions"])]
    game: Option<String>,
    /// Analyse the position before this ply of the game [default: 1, the start]
    #[arg(long, value_name = "N", requires = "game", value_parser = count())]
    ply: Option<u32>,
    /// Time to search: 5s, 500ms, 1m [default: the agent's own budget]
    #[arg(long, value_parser = parse_time, conflicts_with = "iterations", allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Number of iterations to search
    #[arg(long, value_name = "N", value_parser = count())]
    iterations: Option<u32>,
    /// Number of threads that search if the budget is time [default: as in the agent file]
    #[arg(long, value_name = "N", value_parser = search_threads(), conflicts_with = "iterations")]
    threads: Option<NonZeroU32>,
    /// Number of actions to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = count())]
    top: u32,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    #[command(flatten)]
    agents: Agents,
    /// Show nothing until the end
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  patchwork-arena analyze --results results/quickstart --game 12 --ply 30 --agent mcts-regret
  patchwork-arena analyze --agent mcts-regret --time 5s --threads 2 --ring \"32 3 7 23 16 26 14 13 \
29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\" --actions \"A 3:a1b1a2\"

Ctrl-C ends the search and prints its result. A value is the estimated win probability of the \
player to move, whatever the agent maximises.

--format json prints one object with the keys position, outcome, estimate, agent, best, winner, \
search, line, choices, actions and time, described in docs/analyze.md. With an iteration budget, \
only time differs from run to run.";

const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Time between two updates: short enough to look live, long enough to read.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Parses a number of ms, s, m or h, above 0 and at most a day.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = digits.trim().parse().unwrap_or(f64::NAN) * unit;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| (Duration::from_nanos(1)..=LONGEST).contains(time))
        .ok_or_else(|| "expected a time such as 5s, 500ms or 1m, at most 24h".to_owned())
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let agent = args.agents.read("--agent", &args.agent)?;
    let mut settings = agent.config;
    if let Some(threads) = args.threads {
        settings = settings.with_threads(threads);
    }
    let (position, names) = position(args)?;
    let asked = budget(args, &agent.name, &settings)?;
    if args.format == Form::Text {
        let names = names.each_ref().map(Option::as_deref);
        print(|out| write_position(out, &position, names))?;
    }
    let report = if position.state.is_over() {
        PositionReport::of_position(&position, &agent.name)
    } else {
        let stop = listen()?;
        if let Some(mcts) = settings.downcast_ref::<MctsSettings>() {
            let budget = asked.unwrap_or_else(|| mcts.first_budget(&position.setup));
            search(args, &agent.name, position, mcts.clone(), budget, stop)?
        } else {
            let rng = stream(&[args.seed]);
            let decided = decide(&position, &agent.name, &settings, rng, stop);
            let Some(report) = decided.with_context(|| agent.name.clone())? else {
                return Ok(stopped(format_args!(
                    "Stopped before {} decided.",
                    agent.name
                )));
            };
            report
        }
    };
    print(|out| match args.format {
        Form::Text => write_report(out, &report, output_width()),
        Form::Json => write_json(out, &report),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The requested position, with the names of its players if they are known.
fn position(args: &Args) -> anyhow::Result<(Reached, [Option<String>; 2])> {
    let (Some(dir), Some(game)) = (&args.results, &args.game) else {
        return Ok((args.position.reached(args.seed)?, [None, None]));
    };
    let results = Results::read(dir)?;
    let found = results.find_game(game);
    let found = found.with_context(|| dir.display().to_string())?;
    let record = results.games.entry(found)?.record;
    let broken = || format!("{}: game {game} is not a legal game", dir.display());
    let setup = record.setup().with_context(broken)?;
    let mut actions = record.actions().with_context(broken)?;
    let (ply, last) = (args.ply.map_or(1, |ply| ply as usize), actions.len() + 1);
    if ply > last {
        bail!("--ply: expected a number from 1 to {last}, found {ply}");
    }
    actions.truncate(ply - 1);
    let names = results.manifest.plan.names();
    let names = record
        .agents
        .map(|agent| names.get(usize::from(agent)).cloned());
    let position = Reached::after(setup, actions).with_context(broken)?;
    Ok((position, names))
}

/// The budget on the command line, if there is one.
fn budget(args: &Args, agent: &str, settings: &AgentSettings) -> anyhow::Result<Option<Budget>> {
    let (key, budget) = match (args.time, args.iterations) {
        (Some(time), _) => ("--time", Budget::Time(time)),
        (None, Some(count)) => ("--iterations", Budget::Iterations(count)),
        (None, None) => return Ok(None),
    };
    if settings.downcast_ref::<MctsSettings>().is_none() {
        bail!("{key}: requires an agent of type mcts; {agent} is of another type");
    }
    Ok(Some(budget))
}

/// Asks an agent that does not search a tree; `None` if it was interrupted.
fn decide(
    position: &Reached,
    name: &str,
    settings: &AgentSettings,
    rng: Rng,
    stop: &Stop,
) -> anyhow::Result<Option<PositionReport>> {
    let mut agent = settings.build();
    agent.start(&position.setup, rng);
    for &action in &position.actions {
        agent.observe(action);
    }
    let start = Instant::now();
    let decision = agent.decide(&position.setup, &position.state, Limit::own(stop));
    let time = start.elapsed();
    if stop.is_set() {
        return Ok(None);
    }
    let decision = decision?;
    let time = decision.time.unwrap_or(time);
    let mut estimator = settings.estimator()?;
    let estimate = PositionEstimate::new(position, &mut estimator);
    Ok(Some(PositionReport::of_decision(
        position, name, estimate, &decision, time,
    )))
}

/// Searches a position and shows the search live.
fn search(
    args: &Args,
    agent: &str,
    position: Reached,
    settings: MctsSettings,
    budget: Budget,
    stop: &Stop,
) -> anyhow::Result<PositionReport> {
    let (total, goal) = match budget {
        Budget::Iterations(count) => (u64::from(count), format!("{count} iterations")),
        budget => {
            let time = budget.time().unwrap_or(Duration::MAX);
            (time.as_millis() as u64, format!("{time:?}"))
        }
    };
    let bar = dashboard(total, goal, args.quiet);
    let top = args.top as usize;
    let mut analysis = Analysis::new(position, settings, stream(&[args.seed]))?;
    let mut drawn: Option<Instant> = None;
    analysis.run(budget, stop, |analysis| {
        if bar.is_hidden() || drawn.is_some_and(|last| last.elapsed() < BETWEEN_LOOKS) {
            return;
        }
        drawn = Some(Instant::now());
        let report = analysis.report(agent, top);
        let search = report.search.as_ref();
        let lines = search.map(|search| search_lines(&report, search, width()));
        bar.set_message(lines.unwrap_or_default().join("\n"));
        bar.set_position(match budget {
            Budget::Iterations(_) => analysis.iterations(),
            _ => analysis.time().as_millis() as u64,
        });
    });
    bar.finish_and_clear();
    Ok(analysis.report(agent, top))
}
