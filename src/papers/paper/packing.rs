//! `paper packing`.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::TypedValueParser;
use patchwork_engine::placement::Strategy;
use patchwork_papers::paper::{
    LEARNING_POLICIES, LearningStrategy, Mode, Orders, StrategyPackings, compared_with, pack_all,
    write_traces,
};
use patchwork_papers::{PACKING_TABLES, PackingReport};
use patchwork_report::document::CsvTable;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::args::{Seed, Threads};
use crate::endings::{Output, TableForm, one_of};
use crate::progress;

/// Run the packing experiment of Lagerkvist (2020): place the patches one by one, in random orders
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena paper packing --as-published\n  \
                  patchwork-arena paper packing --orders 200 --evaluation regret --compare all/every/regret bl-lb/every/regret\n  \
                  patchwork-arena paper packing --as-published --order-range 0..24 --policy bl --trace"
)]
pub(super) struct Args {
    /// Reproduce the results of the published program, and print the published table beside the results
    #[arg(long)]
    as_published: bool,
    /// File of orders, or a number of random orders [default: the 1000 published orders with --as-published,
    /// else 1000 random ones]
    #[arg(long, value_name = "FILE|N")]
    orders: Option<String>,
    /// Only the orders from A up to, but not including, B
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    order_range: Option<Range<usize>>,
    #[command(flatten)]
    seed: Seed,
    /// Only this policy (repeatable); afc, action, chb, sum-afc, sum-action and sum-chb learn from order to
    /// order and are slow
    #[arg(long)]
    policy: Vec<String>,
    /// Include the learning policies, which take minutes
    #[arg(long)]
    learning: bool,
    /// Only this choice of transforms: some or every
    #[arg(long)]
    transforms: Vec<String>,
    /// Only this evaluation (repeatable)
    #[arg(long)]
    evaluation: Vec<String>,
    /// Paired difference of two strategies, such as bl-lb/every/regret (repeatable); without other choices of
    /// strategies, only these are run
    #[arg(long, num_args = 2, value_names = ["X", "Y"])]
    compare: Vec<String>,
    /// Print every step of every packing instead of a report
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    output: Output<TableForm>,
    /// Which table to print with --format csv [default: strategies]
    #[arg(long, value_parser = tables())]
    table: Option<CsvTable>,
    #[command(flatten)]
    threads: Threads,
}

fn tables() -> impl TypedValueParser<Value = CsvTable> {
    one_of(PACKING_TABLES.map(|table| (table.name(), table, table.about())))
}

fn parse_range(text: &str) -> Result<Range<usize>, String> {
    let ends = text.split_once("..");
    ends.and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?))
        .ok_or_else(|| "expected two numbers separated by two dots, such as 0..24".to_owned())
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mode = if args.as_published {
        Mode::AsPublished
    } else {
        Mode::Described
    };
    let (form, seed) = (args.output.form()?, args.seed.seed);
    if args.table.is_some() && form != TableForm::Csv {
        bail!("--table: requires --format csv, or an output file that ends in .csv");
    }
    let orders = read_orders(args)?;
    let (strategies, learning, compared) = chosen(mode, args)?;
    let named = [
        &args.policy,
        &args.transforms,
        &args.evaluation,
        &args.compare,
    ];
    let names_any = named.iter().any(|names| !names.is_empty());
    let pool = args.threads.pool()?;
    if args.trace {
        if form != TableForm::Text {
            bail!("--trace: requires --format text");
        }
        if !learning.is_empty() {
            bail!(
                "--trace: cannot be used with the learning policies {}",
                LEARNING_POLICIES.join(", ")
            );
        }
        // By default, only strategies whose traces differ from each other.
        let strategies = match names_any {
            true => strategies,
            false => Mode::distinctive(&strategies),
        };
        let rows = |out: &mut dyn io::Write| {
            let mut rows = Vec::new();
            pool.install(|| write_traces(&mut rows, mode, orders.as_slice(), &strategies, seed))?;
            out.write_all(&rows)
        };
        return args.output.write(form, rows);
    }

    let quick = orders.as_slice().len() * strategies.len();
    let total = quick + orders.as_slice().len() * learning.len();
    let bar = progress::bar(total as u64, args.output.quiet.quiet);
    // An update of the bar costs as much as a packing: microseconds.
    let progress = |done: usize| {
        if done.is_multiple_of(256) {
            bar.set_position(done as u64);
        }
    };
    let mut results =
        pool.install(|| pack_all(mode, orders.as_slice(), &strategies, seed, &progress));
    bar.set_position(quick as u64);
    // A learning strategy takes one order after the other; different strategies run in parallel.
    let learned: Vec<StrategyPackings> = pool.install(|| {
        let learning = learning.par_iter();
        learning
            .map(|strategy| strategy.learn(orders.as_slice(), seed, &|| bar.inc(1)))
            .collect()
    });
    results.rows.extend(learned);
    bar.finish_and_clear();

    let mut report = PackingReport::new(&results, orders.name());
    for [one, other] in &compared {
        report.compare(*one, *other);
    }
    if args.as_published {
        let mut cells = compared_with(&results);
        cells.retain(|cell| cell.ours.is_some() || !names_any);
        report.comparison = Some(cells);
    }
    let table = args.table.unwrap_or(PACKING_TABLES[0]);
    args.output.write(form, |out| match form {
        TableForm::Text => report.write_text(out, args.output.layout(true)),
        TableForm::Csv => report.write_csv(out, table),
        TableForm::Json => report.write_json(out),
    })
}

fn read_orders(args: &Args) -> anyhow::Result<Orders> {
    let orders = match &args.orders {
        None if args.as_published => Orders::published(),
        None => Orders::seeded(1000, args.seed.seed),
        Some(text) => match text.parse() {
            Ok(0) => bail!("--orders: found 0; expected 1 or more"),
            Ok(count) if count <= MAX_ORDERS => Orders::seeded(count, args.seed.seed),
            Ok(count) => bail!("--orders: found {count}; expected at most {MAX_ORDERS}"),
            Err(_) => Orders::read(Path::new(text))?,
        },
    };
    Ok(match &args.order_range {
        Some(range) => orders.range(range.clone()).context("--order-range")?,
        None => orders,
    })
}

/// Maximum number of orders: all results are kept in memory.
const MAX_ORDERS: usize = 1_000_000;

/// The names of the parts of two strategies.
type ComparedNames = [[&'static str; 3]; 2];

/// The strategies to run, those that learn, and the pairs to compare.
fn chosen(
    mode: Mode,
    args: &Args,
) -> anyhow::Result<(Vec<Strategy>, Vec<LearningStrategy>, Vec<ComparedNames>)> {
    let is_learning = |name: &&String| LEARNING_POLICIES.contains(&name.as_str());
    let (slow, quick): (Vec<&String>, Vec<&String>) = args.policy.iter().partition(is_learning);
    // Without --policy, all policies except the slow ones; with --compare alone, only what is compared.
    let names_any = !args.transforms.is_empty() || !args.evaluation.is_empty();
    let names_all = slow.is_empty() && (args.compare.is_empty() || names_any || args.learning);
    let mut strategies = match names_all || !quick.is_empty() {
        true => mode.strategies(&quick, &args.transforms, &args.evaluation)?,
        false => Vec::new(),
    };
    let slow: Vec<&str> = match (args.learning, slow.is_empty()) {
        (true, true) => LEARNING_POLICIES.to_vec(),
        _ => slow.into_iter().map(String::as_str).collect(),
    };
    let mut learning = Vec::new();
    for policy in slow {
        // Also checks the names of transforms and evaluations.
        let like = mode.strategies(&["in-order"], &args.transforms, &args.evaluation)?;
        for like in like {
            let [_, transforms, evaluation] = like.names();
            let text = format!("{policy}/{transforms}/{evaluation}");
            learning.push(LearningStrategy::parse(mode, &text)?);
        }
    }
    let mut compared = Vec::new();
    for two in args.compare.chunks(2) {
        let [one, other] = two else { continue };
        let mut add = |text| add(mode, text, &mut strategies, &mut learning);
        compared.push([add(one)?, add(other)?]);
    }
    Ok((strategies, learning, compared))
}

/// Adds a strategy such as `bl-lb/every/regret`, unless it is there, and returns the names of its parts.
fn add(
    mode: Mode,
    text: &str,
    strategies: &mut Vec<Strategy>,
    learning: &mut Vec<LearningStrategy>,
) -> anyhow::Result<[&'static str; 3]> {
    let policy = text.split('/').next().unwrap_or_default();
    if LEARNING_POLICIES.contains(&policy) {
        let strategy = LearningStrategy::parse(mode, text).context("--compare")?;
        let names = strategy.names();
        if !learning.iter().any(|known| known.names() == names) {
            learning.push(strategy);
        }
        return Ok(names);
    }
    let strategy = mode.strategy(text).context("--compare")?.deduplicated();
    if !strategies.contains(&strategy) {
        strategies.push(strategy);
    }
    Ok(strategy.names())
}
