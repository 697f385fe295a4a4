//! `rate`.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use patchwork_arena::input::FileForm;
use patchwork_arena::rate::{MOST_AGENTS, Rated, ResultTable};
use patchwork_arena::report::{write_rated, write_rated_csv};
use patchwork_arena::tournament::import::results_of_folders;
use patchwork_engine::util::counted::counted;
use patchwork_engine::util::suggest::did_you_mean;
use patchwork_rating::{Anchor, Comparison, Errors, Options, RatingPrior};

use super::args::{ReportForm, one_of};
use super::endings::{write_as_named, written_form};
use super::output::{
    check_distinct, check_not_read, check_target, file_form, print, print_data, text_form,
    write_json,
};
use super::progress;

/// Rate the players of any game by their results
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena rate tests/data/ratings-games-1.tsv\n  \
                  patchwork-arena rate games.tsv --anchor alpha=1500 --format json\n  \
                  patchwork-arena rate results/quickstart results/more --output ratings.csv\n  \
                  patchwork-arena rate cutechess.pgn fastchess.pgn"
)]
pub(super) struct Args {
    /// Results folders, and files of results of any two-player game, which may be gzipped: what export
    /// writes; PGN with the tags White, Black and Result; tables or JSON with first, second and winner (a
    /// seat, a name or draw), and pair and leg if games are paired
    #[arg(required = true, value_name = "DIR|FILE")]
    sources: Vec<PathBuf>,
    /// Output format [default: from the ending of the output file, or text]
    #[arg(long, value_enum)]
    format: Option<ReportForm>,
    /// Output file instead of the standard output; .txt, .json or .csv tells the format, and .gz after it compresses
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print all sections, not only the ranking and the first-player advantage; in JSON, compare every two agents
    #[arg(long)]
    full: bool,
    /// Treat all games as independent, even the two of a pair
    #[arg(long)]
    independent: bool,
    /// Fix this agent's rating instead of the mean rating at 0 [default ELO: 0]
    #[arg(long, value_name = "AGENT[=ELO]")]
    anchor: Option<String>,
    /// When to penalise the likelihood by Jeffreys' prior (Firth), which makes all ratings finite
    #[arg(long, default_value = "auto", value_parser = one_of(PRIORS))]
    prior: RatingPrior,
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

const ENDINGS: [(FileForm, ReportForm); 3] = [
    (FileForm::Text, ReportForm::Text),
    (FileForm::Json, ReportForm::Json),
    (FileForm::Csv, ReportForm::Csv),
];

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = written_form(args.output.as_deref(), args.format, &ENDINGS)?.unwrap_or_default();
    check_target(args.output.as_deref())?;
    if let Some(path) = &args.output {
        check_not_read(path, &args.sources)?;
    }
    let spinner = progress::spinner(false);
    spinner.set_message("reading games");
    let table = read(&args.sources)?;
    spinner.set_message(format!(
        "rating {} by {}",
        counted(table.agents.len() as u64, "agent"),
        counted(table.games.len() as u64, "game")
    ));
    let anchor = args.anchor.as_deref();
    let options = Options {
        errors: if args.independent {
            Errors::Independent
        } else {
            Errors::Clustered
        },
        prior: args.prior,
        anchor: anchor
            .map(|text| find_anchor(text, &table.agents))
            .transpose()?,
        ..Options::default()
    };
    let names = args.sources.iter().map(|path| path.display().to_string());
    let file = names.collect::<Vec<_>>().join(", ");
    let rated = Rated::new(&table, &options).with_context(|| file.clone());
    spinner.finish_and_clear();
    let mut rated = rated?;
    if form == ReportForm::Json && !args.full {
        keep_neighbours(&mut rated);
    }
    let text = match args.output {
        Some(_) => file_form(args.full),
        None => text_form(args.full),
    };
    let write = |mut out: &mut dyn io::Write| match form {
        ReportForm::Text => write_rated(out, &file, &rated, text),
        ReportForm::Json => write_json(out, &rated),
        ReportForm::Csv => write_rated_csv(&mut out, &rated),
    };
    match (&args.output, form) {
        (Some(path), _) => {
            write_as_named(path, write)?;
        }
        (None, ReportForm::Csv) => print_data(write)?,
        (None, _) => print(write)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Number of the most surprising pairings in JSON.
const MOST_SURPRISING: usize = 20;

/// Leaves out most rows for two agents, of which a thousand agents have half a million: the comparisons of agents that
/// are not next to each other in rank, and all but the most surprising pairings.
fn keep_neighbours(rated: &mut Rated) {
    let agents = rated.ratings.iter().map(|row| &*row.agent);
    let places: HashMap<&str, usize> = agents.zip(0..).collect();
    let place = |agent: &String| places.get(&**agent).copied();
    let is_next = |row: &Comparison| place(&row.a).map(|a| a + 1) == place(&row.b);
    rated.comparisons.retain(is_next);
    rated.consistency.pairings.truncate(MOST_SURPRISING);
    rated.consistency.cycles.truncate(MOST_SURPRISING);
}

/// The games of all sources.
fn read(sources: &[PathBuf]) -> anyhow::Result<ResultTable> {
    let (folders, files): (Vec<_>, Vec<_>) =
        sources.iter().cloned().partition(|path| path.is_dir());
    check_distinct(sources)?;
    let mut tables = Vec::new();
    if !folders.is_empty() {
        tables.push(results_of_folders(&folders)?);
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
    if agents > MOST_AGENTS {
        bail!("{agents} agents; at most {MOST_AGENTS} can be rated together");
    }
    if table.games.is_empty() {
        bail!("there are no games in the sources");
    }
    Ok(table)
}

/// Beyond this, differences between ratings would be lost in rounding.
const MOST_ANCHOR: f64 = 1e6;

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
        Ok(elo) if f64::abs(elo) <= MOST_ANCHOR => Ok(Anchor { agent, elo }),
        _ => bail!(
            "--anchor: '{elo}' is not a rating; expected a number from -{MOST_ANCHOR} to {MOST_ANCHOR}"
        ),
    }
}
