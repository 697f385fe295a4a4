//! The subcommand that searches one position.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use console::Term;
use patchwork_arena::agent::{AgentSpec, MctsSpec};
use patchwork_arena::game::{ActionList, Ring, Setup};
use patchwork_arena::report::analysis::{
    Analysis, Reached, Report, search_lines, write_position, write_report,
};
use patchwork_arena::search::{Budget, Stop};
use patchwork_arena::tournament::Results;
use patchwork_arena::util::rng::{Rng, stream};

use super::games::one_agent;
use super::interrupt::{self, INTERRUPTED};
use super::screen::Screen;
use super::{AnalysisFormat, AnalyzeArgs, note, print};

/// Often enough to look alive, seldom enough to be read.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// Letters in a line of a file.
const WIDTH: usize = 100;

pub(super) fn analyze(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let agent = one_agent("analyze", "--agent", &args.agent, args.agents.as_deref())?;
    let mut spec = agent.config.check().map_err(anyhow::Error::msg)?;
    if let Some(threads) = args.threads {
        spec = spec.with_threads(threads);
    }
    let (position, names) = position(args)?;
    let asked = budget(args, &agent.name, &spec)?;
    let is_text = args.format == AnalysisFormat::Text;
    if is_text {
        let names = names.each_ref().map(Option::as_deref);
        print(|out| write_position(out, &position, names))?;
    }
    let rng = stream(&[args.seed]);
    let report = if position.state.is_over() {
        Report::of_position(&position, &agent.name)
    } else {
        let stop = interrupt::listen()?;
        if let AgentSpec::Mcts(spec) = spec {
            let budget = asked.unwrap_or_else(|| spec.first_budget(&position.setup));
            let screen = if args.quiet { None } else { Screen::new() };
            let live = Live {
                agent: &agent.name,
                top: args.top.get() as usize,
                budget,
            };
            live.search(position, spec, rng, stop, screen)
        } else {
            let Some(report) = decide(&position, &agent.name, &spec, rng, stop) else {
                note(format_args!("Stopped before {} has decided.", agent.name));
                return Ok(ExitCode::from(INTERRUPTED));
            };
            report
        }
    };
    print(|out| {
        if is_text {
            return write_report(out, &report, width_of_output());
        }
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn width_of_output() -> usize {
    let size = Term::stdout().size_checked();
    size.map_or(WIDTH, |(_, columns)| usize::from(columns).max(1))
}

/// The position that is asked for, with the names of its players.
fn position(args: &AnalyzeArgs) -> anyhow::Result<(Reached, [Option<String>; 2])> {
    if let (Some(dir), Some(game)) = (&args.results, &args.game) {
        return stored_position(dir, game, args.ply.map_or(1, |ply| ply.get() as usize));
    }
    let ring: Ring = match &args.ring {
        Some(ring) => ring.parse().context("--ring")?,
        None => bail!("--ring: expected the 33 patches, or else --results and --game"),
    };
    let actions = match args.actions.as_str() {
        "-" => ActionList::default(),
        actions => actions.parse().context("--actions")?,
    };
    let setup = Setup::new(args.track, ring);
    let position = Reached::after(setup, actions.0).context("--actions")?;
    Ok((position, [None, None]))
}

/// The position before a ply of a stored game.
fn stored_position(
    dir: &Path,
    game: &str,
    ply: usize,
) -> anyhow::Result<(Reached, [Option<String>; 2])> {
    let results = Results::read(dir)?;
    let record = results
        .find_game(game)
        .with_context(|| dir.display().to_string())?;
    let broken = || format!("{}: game {game} is no legal game", dir.display());
    let setup = record.setup().with_context(broken)?;
    let mut actions = record.actions().with_context(broken)?;
    if ply > actions.len() + 1 {
        bail!(
            "--ply: expected a number from 1 to {}, found {ply}",
            actions.len() + 1
        );
    }
    actions.truncate(ply - 1);
    let names = results.manifest.plan.names();
    let names = record
        .agents
        .map(|agent| names.get(usize::from(agent)).cloned());
    let position = Reached::after(setup, actions).with_context(broken)?;
    Ok((position, names))
}

/// The budget that is asked for on the command line, if any is.
fn budget(args: &AnalyzeArgs, agent: &str, spec: &AgentSpec) -> anyhow::Result<Option<Budget>> {
    let (key, budget) = match (args.time, args.iterations) {
        (Some(time), _) => ("--time", Budget::Time(time)),
        (None, Some(count)) => ("--iterations", Budget::Iterations(count.get())),
        (None, None) => return Ok(None),
    };
    if !matches!(spec, AgentSpec::Mcts(_)) {
        bail!("{key}: goes with agents of type mcts only, and {agent} is none");
    }
    Ok(Some(budget))
}

/// Asks an agent that searches no tree; none when it was interrupted.
fn decide(
    position: &Reached,
    name: &str,
    spec: &AgentSpec,
    rng: Rng,
    stop: &Stop,
) -> Option<Report> {
    let mut agent = spec.build();
    agent.start(&position.setup, rng);
    for &action in &position.actions {
        agent.observe(action);
    }
    let start = Instant::now();
    let decision = agent.decide(&position.setup, &position.state, stop);
    let time = start.elapsed();
    (!stop.is_set()).then(|| Report::of_decision(position, name, &decision, time))
}

/// A search under way.
struct Live<'a> {
    agent: &'a str,
    top: usize,
    budget: Budget,
}

impl Live<'_> {
    fn search(
        &self,
        position: Reached,
        spec: MctsSpec,
        rng: Rng,
        stop: &Stop,
        mut screen: Option<Screen>,
    ) -> Report {
        let mut analysis = Analysis::new(position, spec, rng);
        let mut drawn: Option<Instant> = None;
        analysis.run(self.budget, stop, |analysis| {
            let Some(screen) = &mut screen else { return };
            if drawn.is_none_or(|last| last.elapsed() >= BETWEEN_LOOKS) {
                drawn = Some(Instant::now());
                // A terminal that has gone away is no reason not to finish.
                let _ = screen.draw(&self.lines(analysis, screen.width()));
            }
        });
        if let Some(screen) = &mut screen {
            let _ = screen.clear();
        }
        analysis.report(self.agent, self.top)
    }

    fn lines(&self, analysis: &Analysis, width: usize) -> Vec<String> {
        let report = analysis.report(self.agent, self.top);
        let mut lines = vec![self.progress(analysis), String::new()];
        if let Some(search) = &report.search {
            lines.extend(search_lines(&report, search, width));
        }
        lines
    }

    /// How much of the budget is spent.
    fn progress(&self, analysis: &Analysis) -> String {
        const BAR: usize = 24;
        let (share, left) = match self.budget {
            Budget::Iterations(count) => {
                let share = analysis.iterations() as f64 / f64::from(count);
                (share, format!("of {count} iterations"))
            }
            Budget::Time(time) => {
                let share = analysis.time().as_secs_f64() / time.as_secs_f64();
                (share, format!("of {time:?}"))
            }
        };
        let share = share.min(1.0);
        let full = (share * BAR as f64) as usize;
        let bar = format!("{}{}", "=".repeat(full), " ".repeat(BAR - full));
        format!("[{bar}] {:.0}% {left}, Ctrl-C ends it", 100.0 * share)
    }
}
