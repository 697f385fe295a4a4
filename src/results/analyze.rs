//! `analyze`.

mod annotate;
mod replay;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use patchwork_engine::agent::{AgentSettings, Limit, MctsSettings};
use patchwork_engine::analysis::{Analysis, PositionEstimate, PositionReport};
use patchwork_engine::game::Position;
use patchwork_engine::record::Record;
use patchwork_engine::record::picture::Picture;
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::{Rng, stream};
use patchwork_report::analysis::{search_lines, write_position, write_report};
use patchwork_tournament::{GameNumber, Results};

use crate::args::{Agents, PositionArgs, SearchThreads, Seed, count};
use crate::endings::{GameForm, Output};
use crate::output::{listen, output_width, print, stopped};
use crate::progress::{dashboard, width};

/// Search a position, or replay a stored game
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<AnalyzeCommand>,
    /// Results folder of the game
    #[arg(requires = "game")]
    dir: Option<PathBuf>,
    /// Number of a stored game, as in games.db, or its pairing, pair and leg (game of the pair): 'a|b/3/1'
    #[arg(conflicts_with_all = ["ring", "track", "actions"])]
    game: Option<String>,
    /// Name or file of the agent that searches
    #[arg(long, required = true)]
    agent: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Analyse the position before this ply of the game [default: 1, the start]
    #[arg(long, value_name = "N", requires = "game", value_parser = count())]
    ply: Option<u32>,
    /// Search every position of the game and judge its moves; with --format pgn, print the game with comments
    #[arg(long = "game", requires = "game", conflicts_with_all = ["ply", "top"])]
    whole: bool,
    /// Time to search: 5s, 500ms, 1m [default: the agent's own budget]
    #[arg(long, value_parser = parse_time, conflicts_with = "iterations", allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Number of iterations to search
    #[arg(long, value_name = "N", value_parser = count(), conflicts_with = "threads")]
    iterations: Option<u32>,
    #[command(flatten)]
    threads: SearchThreads,
    /// Number of actions to show
    #[arg(long, value_name = "N", default_value = "10", value_parser = count())]
    top: u32,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output<GameForm>,
    #[command(flatten)]
    agents: Agents,
}

#[derive(clap::Subcommand)]
enum AnalyzeCommand {
    Replay(replay::Args),
}

const HELP: &str = "\
Examples:
  patchwork-arena analyze results/quickstart 12 --ply 30 --agent mcts-regret
  patchwork-arena analyze results/quickstart 12 --game --agent champion --iterations 2000
  patchwork-arena analyze --agent mcts-regret --time 5s --threads 2 --ring \"32 3 7 23 16 26 14 13 \
29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\" --actions \"A 3:a1b1a2\"

Ctrl-C ends the search and prints its result. A value is the estimated win probability of the \
player to move, even if the agent maximises something else.

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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(AnalyzeCommand::Replay(args)) = &args.command {
        return replay::run(args);
    }
    let form = args.output.form()?;
    let agent = args
        .agents
        .read("--agent", args.agent.as_deref().unwrap_or_default())?;
    let settings = args.threads.of(agent.config);
    let asked = budget(args, &agent.name, &settings)?;
    if args.whole {
        let Some(mcts) = settings.downcast_ref::<MctsSettings>() else {
            bail!(
                "--game: requires an agent of type mcts; {} is of another type",
                agent.name
            )
        };
        return annotate::run(args, &agent.name, mcts, asked);
    }
    if form == GameForm::Pgn {
        bail!("--format pgn: requires --game, which judges a whole game");
    }
    let (position, names) = position(args)?;
    let names = names.each_ref().map(Option::as_deref);
    let mut head = Vec::new();
    write_position(&mut head, &Picture::new(&position), names)?;
    // A person who waits for the search sees the position.
    if form == GameForm::Text && args.output.file().is_none() {
        print(|out| out.write_all(&head))?;
        head.clear();
    }
    let report = if position.state.is_over() {
        PositionReport::of_position(&position, &agent.name)
    } else {
        let stop = listen()?;
        if let Some(mcts) = settings.downcast_ref::<MctsSettings>() {
            let budget = asked.unwrap_or_else(|| mcts.first_budget(&position.setup));
            search(args, &agent.name, position, mcts.clone(), budget, stop)?
        } else {
            let rng = stream(&[args.seed.seed]);
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
    args.output.answer(&report, |out| {
        out.write_all(&head)?;
        write_report(out, &report, output_width())
    })
}

/// The requested position, with the names of its players if they are known.
fn position(args: &Args) -> anyhow::Result<(Position, [Option<String>; 2])> {
    let (Some(dir), Some(game)) = (&args.dir, &args.game) else {
        return Ok((args.position.reached(args.seed.seed)?, [None, None]));
    };
    let (_, names, record) = stored_game(dir, game)?;
    let mut actions: Vec<_> = record.actions().collect();
    let (ply, last) = (args.ply.map_or(1, |ply| ply as usize), actions.len() + 1);
    if ply > last {
        bail!("--ply: expected a number from 1 to {last}, found {ply}");
    }
    actions.truncate(ply - 1);
    let position = Position::start(record.setup).after(actions);
    let position =
        position.with_context(|| format!("{}: game {game} is not a legal game", dir.display()))?;
    Ok((position, names.map(Some)))
}

/// A game of a results folder: its number, the names of its players and its record.
fn stored_game(dir: &Path, game: &str) -> anyhow::Result<(GameNumber, [String; 2], Record)> {
    let results = Results::read(dir)?;
    let plan = &results.manifest.plan;
    let found = results.find_game(game);
    let found = found.with_context(|| dir.display().to_string())?;
    let record = results.games.entry(found)?.record;
    let names = record.agents.map(|agent| plan.name(agent).to_owned());
    Ok((results.numbers()?.of(&record), names, record))
}

/// The scores of a game, or the fault that ended it.
fn result(record: &Record) -> String {
    match record.termination {
        None => format!("{} to {}", record.scores[0], record.scores[1]),
        Some(termination) => termination.to_string(),
    }
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
    position: &Position,
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
    position: Position,
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
    let bar = dashboard(total, goal, args.output.quiet.quiet);
    let top = args.top as usize;
    let mut analysis = Analysis::new(position, settings, stream(&[args.seed.seed]))?;
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
