//! The subcommand for the paper's packing experiment.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use indicatif::ProgressBar;
use patchwork_arena::paper::{
    Comparison, Experiment, Mode, Orders, Report, Table, write_csv, write_json, write_text,
    write_traces,
};
use patchwork_arena::placement::Strategy;

use super::{PackingArgs, PackingTable, ReportFormat, print};

pub(super) fn packing(args: &PackingArgs) -> anyhow::Result<ExitCode> {
    let mode = if args.as_published {
        Mode::AsPublished
    } else {
        Mode::Described
    };
    if args.table.is_some() && !matches!(args.format, ReportFormat::Csv) {
        bail!("--table: goes with --format csv only");
    }
    let orders = read_orders(args)?;
    let mut strategies = mode.strategies(&args.policy, &args.transforms, &args.evaluation)?;
    let mut compared = Vec::new();
    for two in args.compare.chunks(2) {
        let [one, other] = two else { continue };
        let pair = [strategy(mode, one)?, strategy(mode, other)?];
        for strategy in pair {
            if !strategies
                .iter()
                .any(|known| known.names() == strategy.names())
            {
                strategies.push(strategy);
            }
        }
        compared.push(pair);
    }

    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.workers.threads {
        pool = pool.num_threads(threads.get());
    }
    let pool = pool.build().context("cannot start the threads")?;
    if args.trace {
        // Of all strategies, the traces have those that say something of their own.
        let chosen = [&args.policy, &args.transforms, &args.evaluation];
        if chosen.iter().all(|names| names.is_empty()) {
            strategies = Mode::telling(&strategies);
        }
        let rows = |out: &mut dyn io::Write| {
            let mut rows = Vec::new();
            pool.install(|| {
                write_traces(&mut rows, mode, orders.as_slice(), &strategies, args.seed)
            })?;
            out.write_all(&rows)
        };
        print(rows)?;
        return Ok(ExitCode::SUCCESS);
    }

    let experiment = Experiment {
        mode,
        orders: orders.as_slice(),
        strategies: &strategies,
        seed: args.seed,
    };
    let total = orders.as_slice().len() * strategies.len();
    let bar = if args.workers.quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(total as u64)
    };
    // A packing takes microseconds, looking at the bar as many.
    let progress = |done: usize| {
        if done.is_multiple_of(256) {
            bar.set_position(done as u64);
        }
    };
    let results = pool.install(|| experiment.run(&progress));
    bar.finish_and_clear();

    let mut report = Report::new(&results, orders.name());
    for [one, other] in &compared {
        report.compare(one, other);
    }
    if args.as_published {
        report.comparison = Some(Comparison::of(&results));
    }
    let table = match args.table.unwrap_or(PackingTable::Strategies) {
        PackingTable::Strategies => Table::Strategies,
        PackingTable::Comparison => Table::Comparison,
        PackingTable::Pairs => Table::Pairs,
        PackingTable::Packings => Table::Packings,
    };
    print(|out| match args.format {
        ReportFormat::Text => write_text(out, &report),
        ReportFormat::Csv => write_csv(out, &report, table),
        ReportFormat::Json => write_json(out, &report),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn read_orders(args: &PackingArgs) -> anyhow::Result<Orders> {
    let orders = match &args.orders {
        None if args.as_published => Orders::published(),
        None => Orders::seeded(1000, args.seed),
        Some(text) => match text.parse() {
            Ok(0) => bail!("--orders: 0, expected 1 or more"),
            Ok(count) if count <= MOST_ORDERS => Orders::seeded(count, args.seed),
            Ok(count) => bail!("--orders: {count}, expected at most {MOST_ORDERS}"),
            Err(_) => Orders::read(Path::new(text))?,
        },
    };
    Ok(match &args.order_range {
        Some(range) => orders.range(range.clone()).context("--order-range")?,
        None => orders,
    })
}

/// Results are kept for every order and strategy.
const MOST_ORDERS: usize = 1_000_000;

/// A strategy as reports call it, with or without spaces: `bl-lb-every+regret`.
fn strategy(mode: Mode, text: &str) -> anyhow::Result<Strategy> {
    let parts = text.split_once('+').and_then(|(generates, evaluation)| {
        let (policy, transforms) = generates.trim().rsplit_once('-')?;
        Some((policy, transforms, evaluation.trim()))
    });
    let Some((policy, transforms, evaluation)) = parts else {
        bail!("--compare: '{text}' is no strategy: expected one such as bl-lb-every+regret");
    };
    mode.strategy(policy, transforms, evaluation)
        .with_context(|| format!("--compare: '{text}'"))
}
