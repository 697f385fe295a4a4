//! `rate`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use glob::Pattern;
use patchwork_engine::util::counted;
use patchwork_engine::util::suggest::did_you_mean;
use patchwork_rating::sprt::{PairCounts, SprtReport};
use patchwork_rating::{Anchor, Errors, Options, RatingPrior};
use patchwork_report::write_sprt;
use patchwork_results::{
    MAX_AGENTS, Rated, ResultTable, results_of_folders, write_rated, write_rated_csv,
};

use crate::args::SequentialTest;
use crate::endings::{Output, TableForm, one_of};
use crate::output::{VERDICT_CODES, check_distinct, check_not_read, verdict_code, write_json};
use crate::progress;

/// Rate players by their results, or evaluate a sequential test
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  patchwork-arena rate tests/data/ratings-games-1.tsv\n  \
                  patchwork-arena rate games.tsv --anchor alpha=1500 --format json\n  \
                  patchwork-arena rate results/quickstart results/more --output ratings.csv\n  \
                  patchwork-arena rate results --only '*-cheap' --anchor cheap-cheap=1500 --anchor expensive-cheap=1600\n  \
                  patchwork-arena rate results --between cheap-cheap,expensive-cheap\n  \
                  patchwork-arena rate --pairs 10,5,30,8,15 --sprt 0,10 --model normalized\n  \
                  patchwork-arena rate cutechess.pgn fastchess.pgn\n\n\
                  {VERDICT_CODES}")
)]
pub(crate) struct Args {
    /// Results folders, or a folder of them, and files of results of any two-player game, which may be gzipped: what export
    /// writes; PGN with the tags White, Black and Result; tables or JSON with first, second and winner (a
    /// seat, a name or draw), and pair and leg if games are paired
    #[arg(required_unless_present = "pairs", value_name = "DIR|FILE")]
    sources: Vec<PathBuf>,
    #[command(flatten)]
    output: Output<TableForm>,
    /// Print all sections, not only the ranking and the first-player advantage; in JSON, compare every pair of agents
    #[arg(long)]
    full: bool,
    /// Treat all games as independent, even the two of a pair
    #[arg(long)]
    independent: bool,
    /// Fix this agent's rating at ELO [default: 0] instead of the mean of all ratings at 0; if given for several agents,
    /// the mean of their ratings is fixed at the mean of their ELOs (repeatable)
    #[arg(long, value_name = "AGENT[=ELO]")]
    anchor: Vec<String>,
    /// Only games in which both agents' names match a pattern such as mcts-* (repeatable)
    #[arg(long, value_name = "PATTERN")]
    only: Vec<Pattern>,
    /// Leave out games of agents whose names match a pattern such as mcts-* (repeatable)
    #[arg(long, value_name = "PATTERN")]
    not: Vec<Pattern>,
    /// Only games between an agent whose name matches the first pattern and one that matches the second (repeatable)
    #[arg(long, value_name = "PATTERN,PATTERN", value_parser = two_patterns)]
    between: Vec<[Pattern; 2]>,
    /// When to penalise the likelihood with Jeffreys' prior (Firth's method), which makes all ratings finite
    #[arg(long, default_value = "auto", value_parser = one_of(PRIORS))]
    prior: RatingPrior,
    /// Instead of sources, with --sprt: numbers of pairs in which A scored 0, 1/4, 1/2, 3/4 and 1 (pentanomial);
    /// without draws, the second and fourth numbers are 0
    #[arg(
        long,
        value_name = "N0,N1,N2,N3,N4",
        allow_hyphen_values = true,
        conflicts_with_all = ["sources", "full", "independent", "anchor", "only", "not", "between", "prior"]
    )]
    pairs: Option<PairCounts>,
    #[command(flatten)]
    sequential: SequentialTest,
}

const PRIORS: [(&str, RatingPrior, &str); 3] = [
    (
        "none",
        RatingPrior::None,
        "Never; it is an error if a rating is not finite",
    ),
    (
        "auto",
        RatingPrior::Auto,
        "Only if the results alone do not allow finite ratings",
    ),
    ("always", RatingPrior::Always, "Always"),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = args.output.form()?;
    match (&args.pairs, args.sequential.test()?) {
        (Some(pairs), Some(test)) => return decide(args, form, &test.report(pairs)),
        (Some(_), None) => bail!("--pairs: requires --sprt"),
        (None, Some(_)) => bail!("--sprt: requires --pairs"),
        (None, None) => {}
    }
    if let Some(path) = args.output.file() {
        check_not_read(path, &args.sources)?;
    }
    let spinner = progress::spinner(args.output.quiet.quiet);
    spinner.set_message("reading games");
    let mut table = read(args)?;
    keep_only(&mut table, args)?;
    spinner.set_message(format!(
        "rating {} by {}",
        counted(table.agents.len() as u64, "agent"),
        counted(table.games.len() as u64, "game")
    ));
    let anchors = args
        .anchor
        .iter()
        .map(|text| find_anchor(text, &table.agents));
    let anchors: Vec<Anchor> = anchors.collect::<anyhow::Result<_>>()?;
    let zero: Vec<usize> = anchors.iter().map(|anchor| anchor.agent).collect();
    let elos = anchors.iter().map(|anchor| anchor.elo);
    let options = Options {
        errors: if args.independent {
            Errors::Independent
        } else {
            Errors::Clustered
        },
        prior: args.prior,
        anchor: anchors.first().copied().filter(|_| anchors.len() == 1),
        zero: (anchors.len() > 1).then_some(&zero),
        zero_at: elos.sum::<f64>() / anchors.len().max(1) as f64,
        ..Options::default()
    };
    let names = args.sources.iter().map(|path| path.display().to_string());
    let file = names.collect::<Vec<_>>().join(", ");
    // Text and CSV show neighbours in rank.
    let all = args.full && form == TableForm::Json;
    let rated = Rated::with_comparisons(&table, &options, |i, j| all || i + 1 == j);
    let rated = rated.with_context(|| file.clone());
    spinner.finish_and_clear();
    let mut rated = rated?;
    if form == TableForm::Json && !args.full {
        // Most of them are of no interest, and there may be half a million.
        rated.consistency.pairings.truncate(MAX_SURPRISING);
    }
    args.output.write(form, |mut out| match form {
        TableForm::Text => write_rated(out, &file, &rated, args.output.layout(args.full)),
        TableForm::Json => write_json(out, &rated),
        TableForm::Csv => write_rated_csv(&mut out, &rated),
    })
}

/// Writes the result of a sequential test.
fn decide(args: &Args, form: TableForm, report: &SprtReport) -> anyhow::Result<ExitCode> {
    if form == TableForm::Csv {
        bail!("--format: expected text or json with --pairs");
    }
    args.output.write(form, |out| match form {
        TableForm::Json => write_json(out, report),
        _ => write_sprt(out, report),
    })?;
    Ok(verdict_code(report.verdict))
}

/// Number of the most surprising pairings in JSON.
const MAX_SURPRISING: usize = 20;

/// The games of all sources.
fn read(args: &Args) -> anyhow::Result<ResultTable> {
    let sources = &args.sources;
    let (folders, files): (Vec<_>, Vec<_>) =
        sources.iter().cloned().partition(|path| path.is_dir());
    check_distinct(sources)?;
    let mut tables = Vec::new();
    if !folders.is_empty() {
        let names_agents = !(args.only.is_empty() && args.not.is_empty());
        tables.push(results_of_folders(&folders, names_agents)?);
    }
    for file in files {
        let mut table = ResultTable::read(&file)?;
        if sources.len() > 1 {
            let notes = &mut table.notes;
            notes
                .iter_mut()
                .for_each(|note| *note = format!("{}: {note}", file.display()));
        }
        tables.push(table);
    }
    let table = ResultTable::merged(tables);
    let agents = table.agents.len();
    if agents > MAX_AGENTS {
        bail!("{agents} agents; at most {MAX_AGENTS} can be rated together");
    }
    if table.games.is_empty() {
        bail!("there are no games in the sources");
    }
    Ok(table)
}

/// Two patterns with a comma between them.
fn two_patterns(text: &str) -> Result<[Pattern; 2], String> {
    let parts: Vec<&str> = text.split(',').collect();
    let [one, other] = parts[..] else {
        return Err("expected two names or patterns with a comma between them, as in mcts-*,random; a ? stands for a comma in a name".to_owned());
    };
    let pattern = |text: &str| Pattern::new(text.trim()).map_err(|error| error.to_string());
    Ok([pattern(one)?, pattern(other)?])
}

/// Leaves out the games whose agents do not match the patterns, if there are any.
fn keep_only(table: &mut ResultTable, args: &Args) -> anyhow::Result<()> {
    let names = table.agents.clone();
    let matches = |pattern: &Pattern, agent: usize| pattern.matches(&names[agent]);
    if !args.only.is_empty() {
        let is_kept = |agent| args.only.iter().any(|pattern| matches(pattern, agent));
        table.keep("agent", |game| is_kept(game.first) && is_kept(game.second));
        if table.games.is_empty() {
            bail!("--only: no game is between two agents that match");
        }
    }
    if !args.not.is_empty() {
        let is_kept = |agent| !args.not.iter().any(|pattern| matches(pattern, agent));
        table.keep("agent", |game| is_kept(game.first) && is_kept(game.second));
        if table.games.is_empty() {
            bail!("--not: every game has an agent that matches");
        }
    }
    if !args.between.is_empty() {
        let are_kept = |a: usize, b: usize| {
            let mut both = args.between.iter();
            both.any(|[one, other]| matches(one, a) && matches(other, b))
        };
        table.keep("pairing", |game| {
            are_kept(game.first, game.second) || are_kept(game.second, game.first)
        });
        if table.games.is_empty() {
            bail!("--between: no game is between two agents that match");
        }
    }
    Ok(())
}

/// Beyond this, differences between ratings would be lost in rounding.
const MAX_ANCHOR: f64 = 1e6;

/// Parses an agent, or an agent and its rating. Names may contain '='.
fn find_anchor(text: &str, agents: &[String]) -> anyhow::Result<Anchor> {
    let find = |name: &str| agents.iter().position(|agent| agent == name);
    let (name, elo) = match text.rsplit_once('=') {
        Some((name, elo)) if find(text).is_none() => (name, elo),
        _ => (text, "0"),
    };
    let Some(agent) = find(name) else {
        let near = did_you_mean(name, agents.iter().map(String::as_str));
        bail!("--anchor: '{name}' played none of the games{near}");
    };
    match elo.parse() {
        Ok(elo) if f64::abs(elo) <= MAX_ANCHOR => Ok(Anchor { agent, elo }),
        _ => bail!(
            "--anchor: '{elo}' is not a rating; expected a number from -{MAX_ANCHOR} to {MAX_ANCHOR}"
        ),
    }
}
