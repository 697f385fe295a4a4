//! `match`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use patchwork_engine::agent::{canonical_name, is_plain_name};
use patchwork_engine::game::Rules;
use patchwork_report::TournamentReport;
use patchwork_report::document::CsvTable;
use patchwork_tournament::{
    Book, Manifest, Match, Plan, PlannedRings, TopActions, check_folder_name, check_rules, try_out,
};

use crate::args::{Agents, ResultsFolder, Seed, SequentialTest, Workers, count};
use crate::crew::{Crew, ReportArgs, decision};
use crate::fleet::{FleetArgs, HAS_FLEETS, parse_server};
use crate::output::{VERDICT_CODES, stopped};

/// Play two agents against each other, or one against a copy of itself
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  patchwork-arena match mcts-regret mcts-fast --pairs 20\n  \
                  patchwork-arena match mcts-regret mcts-fast --sprt 0,20\n  \
                  patchwork-arena match mcts-fast 'mcts-fast{{search.exploration=1.0}}' --set budget.milliseconds=50\n\n\
                  {VERDICT_CODES}")
)]
pub(crate) struct Args {
    /// Name or file of an agent, optionally with a label by which it is shown, as in `LABEL=NAME`
    a: String,
    /// Name or file of another agent; if it is A again, A plays against its copy `A (2)`
    b: String,
    /// Number of setups; each is played twice with the seats swapped [default: 20; with --sprt, at most 100000 or the
    /// number of rings in the book]
    #[arg(long, value_name = "N", value_parser = count())]
    pairs: Option<u32>,
    #[command(flatten)]
    sequential: SequentialTest,
    #[command(flatten)]
    seed: Seed,
    /// Printing of the time board: original or revised; original+2 gives the second player 2 extra buttons (komi)
    /// [default: original, or that of --rings]
    #[arg(long)]
    track: Option<Rules>,
    /// Take the rings from a book (a file of rings), shuffled, instead of random ones
    #[arg(long, value_name = "FILE")]
    rings: Option<PathBuf>,
    /// Record the most visited actions of each decision: top-1 to top-10
    #[arg(long, value_name = "top-N", conflicts_with = "no_save")]
    thoughts: Option<TopActions>,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    agents: Agents,
    /// Name of the match's folder under --results [default: matches/ and a name made from the agents and the seed]
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Do not keep the games
    #[arg(long, conflicts_with = "save")]
    no_save: bool,
    #[command(flatten)]
    folder: ResultsFolder,
    /// Play the games on a fleet over this NATS server; start its workers with `fleet worker`
    #[arg(long, value_name = "URL", conflicts_with = "no_save", value_parser = parse_server, hide = !HAS_FLEETS)]
    nats: Option<String>,
    #[command(flatten)]
    fleet: FleetArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.report.form()?;
    let (title, plan) = plan(args)?;
    try_out(&plan)?;
    if args.no_save {
        return play_only(title, plan, args);
    }
    let dir = match &args.save {
        Some(name) => {
            check_folder_name(name).map_err(|what| anyhow!("--save: {what}"))?;
            args.folder.results.join(name)
        }
        None => args.folder.results.join("matches").join(folder_name(&plan)),
    };
    // Workers take only plans that can name a folder.
    let folder = dir.file_name().filter(|_| args.nats.is_some());
    let name = folder.map_or(title, |name| name.to_string_lossy().into_owned());
    let manifest = Manifest::new(name, plan);
    let mut crew = args.workers.crew(&args.report.output.quiet);
    let play = |crew: &mut Crew<'_>| {
        let played = crew.play(&manifest, Some(&dir))?;
        crew.report(played, &dir, &args.report)
    };
    match &args.nats {
        Some(nats) => args.fleet.lead(nats, &dir, crew.progress, play),
        None => play(&mut crew),
    }
}

/// The name of the folder of a match: its agents, its seed, and what else no two plans in a folder may differ in.
fn folder_name(plan: &Plan) -> String {
    let mut parts: Vec<String> = plan
        .agents()
        .iter()
        .map(|agent| plain(&agent.name))
        .collect();
    parts.push(plan.seed().to_string());
    if plan.rules() != Rules::default() {
        parts.push(plan.rules().to_string().replace('+', "-komi-"));
    }
    if let PlannedRings::Book(book) = plan.rings() {
        let text: Vec<String> = book.rings().iter().map(ToString::to_string).collect();
        parts.push(format!("rings-{:08x}", short_hash(&text.join(" "))));
    }
    parts.join("-")
}

/// The name of an agent as a part of a folder's name.
fn plain(name: &str) -> String {
    const MOST: usize = 30;
    if name.len() <= MOST && is_plain_name(name) {
        return name.to_owned();
    }
    let stem = name.split('{').next().unwrap_or_default();
    let stem: String = stem
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(MOST)
        .collect();
    format!("{stem}.{:08x}", short_hash(name))
}

fn short_hash(text: &str) -> u32 {
    patchwork_engine::util::rng::hash_words(&text.bytes().map(u64::from).collect::<Vec<_>>()) as u32
}

/// The title and the plan of a match.
fn plan(args: &Args) -> anyhow::Result<(String, Plan)> {
    let entries = [args.a.clone(), args.b.clone()];
    let (rules, rings) = match &args.rings {
        Some(path) => {
            let (rules, book) = Book::read(path)?;
            let rules = check_rules(rules, args.track)
                .map_err(|what| anyhow!("--rings: {}: {what}", path.display()))?;
            (rules, PlannedRings::Book(book))
        }
        None => (args.track.unwrap_or_default(), PlannedRings::Own),
    };
    let agents = if canonical_name(&args.a) == canonical_name(&args.b) {
        let one = args.agents.read("A", &args.a)?;
        let mut copy = one.clone();
        copy.name += " (2)";
        vec![one, copy]
    } else {
        args.agents.read_all(&entries)?
    };
    // The plan may order the agents differently.
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let title = names.join(" against ");
    let plan = Match {
        seed: args.seed.seed,
        rules,
        rings,
        pairs: args.pairs,
        test: args.sequential.test()?,
        thoughts: args.thoughts,
        agents,
    };
    Ok((title, plan.plan()?))
}

/// Plays a plan without keeping its games.
fn play_only(name: String, plan: Plan, args: &Args) -> anyhow::Result<ExitCode> {
    let mut crew = args.workers.crew(&args.report.output.quiet);
    let (results, _) = crew.play(&Manifest::new(name, plan), None)?;
    let report = TournamentReport::new(&results)?;
    args.report.write(&report, CsvTable::default(), None)?;
    let schedule = &results.schedule;
    if results.is_over() {
        return Ok(decision(&report));
    }
    Ok(stopped(format_args!(
        "Stopped after {} of {} games, which are not kept.",
        schedule.finished_games(),
        schedule.planned_games()
    )))
}
