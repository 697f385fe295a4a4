//! `sprt`.

use std::process::ExitCode;

use patchwork_arena::report::write_sprt;
use patchwork_rating::sprt::{ERROR_RATE, EloModel, PairCounts, Sprt};

use super::args::Form;
use super::output::{VERDICT_CODES, print, verdict_code, write_json};

/// Decide from counts of pairs whether one agent is better than another: a sequential probability ratio test
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  patchwork-arena sprt --pairs 40,0,90,0,70 --elo0 0 --elo1 30\n  \
                  patchwork-arena sprt --pairs 10,5,30,8,15 --elo0 0 --elo1 10 --model normalized --format json\n\n\
                  {VERDICT_CODES}")
)]
pub(super) struct Args {
    /// Numbers of pairs in which the agent scored 0, 1/4, 1/2, 3/4 and 1; without draws B and D are 0
    #[arg(long, value_name = "A,B,C,D,E", allow_hyphen_values = true)]
    pairs: PairCounts,
    /// H0: the agent is better by this many Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// H1: the agent is better by this many Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 when H0 is true
    #[arg(long, value_name = "P", default_value_t = ERROR_RATE)]
    alpha: f64,
    /// Probability of accepting H0 when H1 is true
    #[arg(long, value_name = "P", default_value_t = ERROR_RATE)]
    beta: f64,
    /// Scale of elo0 and elo1: logistic or normalized
    #[arg(long, default_value_t)]
    model: EloModel,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    let report = sprt.report(&args.pairs);
    print(|out| match args.format {
        Form::Text => write_sprt(out, &report),
        Form::Json => write_json(out, &report),
    })?;
    Ok(verdict_code(report.verdict))
}
