//! The subcommand for the paper's packing experiment.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use indicatif::ProgressBar;
use patchwork_arena::paper::{
    Experiment, LEARNING_POLICIES, LearningStrategy, Mode, Orders, PackingReport,
    PackingReportTable, StrategyPackings, TableComparison, write_csv, write_json, write_text,
    write_traces,
};
use patchwork_arena::placement::Strategy;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

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
    let chosen = Chosen::new(mode, args)?;
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.workers.threads {
        pool = pool.num_threads(threads.get());
    }
    let pool = pool.build().context("cannot start the threads")?;
    if args.trace {
        if !chosen.learning.is_empty() {
            bail!(
                "--trace: goes without the learning policies {}",
                LEARNING_POLICIES.join(", ")
            );
        }
        // Of all strategies, the traces have those that say something of their own.
        let named = [&args.policy, &args.transforms, &args.evaluation];
        let strategies = if named.iter().all(|names| names.is_empty()) {
            Mode::distinctive(&chosen.strategies)
        } else {
            chosen.strategies
        };
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
        strategies: &chosen.strategies,
        seed: args.seed,
    };
    let quick = orders.as_slice().len() * chosen.strategies.len();
    let total = quick + orders.as_slice().len() * chosen.learning.len();
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
    let mut results = pool.install(|| experiment.run(&progress));
    bar.set_position(quick as u64);
    // Each learns from its orders one after the other, but they do not learn from each other.
    let learned: Vec<StrategyPackings> = pool.install(|| {
        let learning = chosen.learning.par_iter();
        learning
            .map(|strategy| strategy.learn(orders.as_slice(), args.seed, &|| bar.inc(1)))
            .collect()
    });
    results.rows.extend(learned);
    bar.finish_and_clear();

    let mut report = PackingReport::new(&results, orders.name());
    for [one, other] in &chosen.compared {
        report.compare(*one, *other);
    }
    if args.as_published {
        report.comparison = Some(TableComparison::of(&results));
    }
    let table = match args.table.unwrap_or(PackingTable::Strategies) {
        PackingTable::Strategies => PackingReportTable::Strategies,
        PackingTable::Comparison => PackingReportTable::Comparison,
        PackingTable::Pairs => PackingReportTable::Pairs,
        PackingTable::Packings => PackingReportTable::Packings,
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

/// What is to be run.
struct Chosen {
    strategies: Vec<Strategy>,
    learning: Vec<LearningStrategy>,
    compared: Vec<[[&'static str; 3]; 2]>,
}

impl Chosen {
    fn new(mode: Mode, args: &PackingArgs) -> anyhow::Result<Self> {
        let is_learning = |name: &&String| LEARNING_POLICIES.contains(&name.as_str());
        let (learning, quick): (Vec<&String>, Vec<&String>) =
            args.policy.iter().partition(is_learning);
        let mut chosen = Self {
            strategies: Vec::new(),
            learning: Vec::new(),
            compared: Vec::new(),
        };
        // No policy at all stands for every one, but for those that take minutes.
        if learning.is_empty() || !quick.is_empty() {
            chosen.strategies = mode.strategies(&quick, &args.transforms, &args.evaluation)?;
        }
        let learning: Vec<&str> = match (args.learning, learning.is_empty()) {
            (true, true) => LEARNING_POLICIES.to_vec(),
            _ => learning.into_iter().map(String::as_str).collect(),
        };
        for policy in learning {
            // Checks the names of transforms and evaluations, too.
            let like = mode.strategies(&["in-order"], &args.transforms, &args.evaluation)?;
            for like in like {
                let [_, transforms, evaluation] = like.names();
                let strategy = LearningStrategy::new(mode, policy, transforms, evaluation)?;
                chosen.learning.push(strategy);
            }
        }
        for two in args.compare.chunks(2) {
            let [one, other] = two else { continue };
            let pair = [chosen.add(mode, one)?, chosen.add(mode, other)?];
            chosen.compared.push(pair);
        }
        Ok(chosen)
    }

    /// Adds a strategy as reports call it, with or without spaces: `bl-lb-every+regret`.
    fn add(&mut self, mode: Mode, text: &str) -> anyhow::Result<[&'static str; 3]> {
        let parts = text.split_once('+').and_then(|(generates, evaluation)| {
            let (policy, transforms) = generates.trim().rsplit_once('-')?;
            Some((policy, transforms, evaluation.trim()))
        });
        let Some((policy, transforms, evaluation)) = parts else {
            bail!("--compare: '{text}' is no strategy: expected one such as bl-lb-every+regret");
        };
        let context = || format!("--compare: '{text}'");
        if LEARNING_POLICIES.contains(&policy) {
            let strategy = LearningStrategy::new(mode, policy, transforms, evaluation);
            let strategy = strategy.with_context(context)?;
            if !self
                .learning
                .iter()
                .any(|known| known.names() == strategy.names())
            {
                self.learning.push(strategy);
            }
            return Ok(strategy.names());
        }
        let strategy = mode
            .strategy(policy, transforms, evaluation)
            .with_context(context)?;
        // A policy that generates everything is in results once, as `every`.
        let transforms = if strategy.policy().is_exhaustive() {
            "every"
        } else {
            transforms
        };
        let strategy = mode
            .strategy(policy, transforms, evaluation)
            .with_context(context)?;
        if !self
            .strategies
            .iter()
            .any(|known| known.names() == strategy.names())
        {
            self.strategies.push(strategy);
        }
        Ok(strategy.names())
    }
}
