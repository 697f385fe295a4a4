//! Subcommands that take results from anywhere: ratings and the sequential test.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use patchwork_arena::rating::sprt::{EloModel, PairCounts, Sprt};
use patchwork_arena::rating::{Anchor, Errors, Options, Prior, Rated, ResultTable};
use patchwork_arena::report::{write_rated, write_rated_csv, write_sprt};
use patchwork_arena::util::suggest::nearest;
use serde::Serialize;

use super::{ReportFormat, print};

#[derive(Args)]
pub(super) struct RateArgs {
    /// A table of results: columns pairing, pair, leg, first, second, winner (a seat or a name), separated
    /// by tabs; may be gzipped
    file: PathBuf,
    /// The form of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Take all games as independent, the two of a pair as well
    #[arg(long)]
    independent: bool,
    /// Give this agent this rating instead of all agents a mean of 0 [default ELO: 0]
    #[arg(long, value_name = "AGENT[=ELO]")]
    anchor: Option<String>,
    /// Penalise the likelihood by Jeffreys' prior (Firth), so that ratings are finite
    #[arg(long, value_enum, default_value_t)]
    prior: PriorChoice,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum PriorChoice {
    /// Never: without finite ratings there is a message instead
    None,
    /// Only when the results alone allow no finite ratings
    #[default]
    Auto,
    /// Always
    Always,
}

impl From<PriorChoice> for Prior {
    fn from(choice: PriorChoice) -> Self {
        match choice {
            PriorChoice::None => Self::None,
            PriorChoice::Auto => Self::Auto,
            PriorChoice::Always => Self::Always,
        }
    }
}

pub(super) fn rate(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let table = ResultTable::read(&args.file)?;
    let anchor = args.anchor.as_deref();
    let options = Options {
        errors: if args.independent {
            Errors::Independent
        } else {
            Errors::Clustered
        },
        prior: args.prior.into(),
        anchor: anchor
            .map(|text| find_anchor(text, &table.agents))
            .transpose()?,
    };
    let file = args.file.display().to_string();
    let rated = Rated::new(&table, &options).with_context(|| file.clone())?;
    print(|out| match args.format {
        ReportFormat::Text => write_rated(out, &file, &rated),
        ReportFormat::Csv => write_rated_csv(out, &rated),
        ReportFormat::Json => write_json(out, &rated),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// An agent, or an agent and its rating. Names may contain '='.
fn find_anchor(text: &str, agents: &[String]) -> anyhow::Result<Anchor> {
    let agent = |name: &str| agents.iter().position(|agent| agent == name);
    if let Some(agent) = agent(text) {
        return Ok(Anchor { agent, elo: 0.0 });
    }
    let (name, elo) = match text.rsplit_once('=') {
        Some((name, elo)) => (name, Some(elo)),
        None => (text, None),
    };
    let Some(agent) = agent(name) else {
        let guess = nearest(name, agents.iter().map(String::as_str));
        let guess = guess.map_or(String::new(), |guess| format!("; did you mean '{guess}'?"));
        bail!("--anchor: '{name}' played none of the games{guess}");
    };
    let elo = elo.unwrap_or("0");
    match elo.parse() {
        Ok(elo) if f64::abs(elo) <= MOST_ANCHOR => Ok(Anchor { agent, elo }),
        _ => bail!(
            "--anchor: '{elo}' is no rating; expected a number from -{MOST_ANCHOR} to {MOST_ANCHOR}"
        ),
    }
}

/// No scale puts an agent further from 0, and further away differences would be lost in rounding.
const MOST_ANCHOR: f64 = 1e6;

#[derive(Args)]
pub(super) struct SprtArgs {
    /// In how many pairs of games the agent scored 0, 1/4, 1/2, 3/4 and 1; without draws B and D are 0
    #[arg(long, value_name = "A,B,C,D,E", allow_hyphen_values = true)]
    pairs: PairCounts,
    /// H0: the agent is so many Elo points better
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// H1: the agent is so many Elo points better
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// How often H1 may be accepted under H0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// How often H0 may be accepted under H1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// What elo0 and elo1 are measured in: logistic or normalized
    #[arg(long, default_value_t)]
    model: EloModel,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t)]
    format: SprtFormat,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum SprtFormat {
    /// Sentences
    #[default]
    Text,
    /// One object
    Json,
}

pub(super) fn sprt(args: &SprtArgs) -> anyhow::Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    let report = sprt.report(&args.pairs);
    print(|out| match args.format {
        SprtFormat::Text => write_sprt(out, &report),
        SprtFormat::Json => write_json(out, &report),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn write_json(out: &mut dyn std::io::Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
