//! `paper puzzle nmbr9`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::value_parser;
use indicatif::ProgressBar;
use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::nmbr9::{BeamSettings, Layout, NmbrVariant, Optimum, solve};
use serde_json::json;

use crate::args::Seed;
use crate::endings::{Form, Output};
use crate::output::{listen, stopped};
use crate::progress;

/// Stack the numbers of Nmbr9 for the best score
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena paper puzzle nmbr9 --draft free --max-value 6 --copies 2 --cards 5 --grid 8 --levels 3\n  \
                  patchwork-arena paper puzzle nmbr9 --draft known --deck \"4 2 9 7 0\" --copies 1"
)]
pub(super) struct Args {
    /// Whether the cards and their order are chosen freely or known
    #[arg(long, value_enum)]
    draft: DraftKind,
    /// Highest value of a part, 0 to 9
    #[arg(long, default_value_t = 9, value_name = "M")]
    max_value: u8,
    /// Parts of each value
    #[arg(long, default_value_t = 2, value_name = "C")]
    copies: usize,
    /// Cards in the deck, all of which are placed [default: those of --deck, else all parts]
    #[arg(long, value_name = "D")]
    cards: Option<usize>,
    /// The cards of a known deck in order, such as "4 2 9"
    #[arg(long, value_name = "CARDS")]
    deck: Option<String>,
    /// Rows and columns of the grid, whose border stays empty
    #[arg(long, default_value_t = 22, value_name = "N")]
    grid: usize,
    /// Levels that may be used
    #[arg(long, default_value_t = 10, value_name = "L")]
    levels: usize,
    /// End the search after this many seconds and print the best layout found
    #[arg(long, value_name = "S", value_parser = value_parser!(u32).range(1..))]
    seconds: Option<u32>,
    /// States that the beam search of a free draft keeps at each depth
    #[arg(long, default_value_t = 1000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    width: u32,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output<Form>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DraftKind {
    /// The cards and their order are chosen
    Free,
    /// All cards are known, in the order of --deck
    Known,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let variant = variant(args)?;
    variant.check()?;
    let stop = listen()?;
    let is_late: &'static AtomicBool = &OUT_OF_TIME;
    if let Some(seconds) = args.seconds {
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(seconds.into()));
            is_late.store(true, Ordering::Relaxed);
            stop.set();
        });
    }
    let bar = progress::bar(1, args.output.quiet.quiet);
    let code = best(args, &variant, stop, &bar)?;
    if stop.is_set() && !is_late.load(Ordering::Relaxed) {
        return Ok(stopped(format_args!("stopped; this is the best so far")));
    }
    Ok(code)
}

/// Whether the time limit has passed.
static OUT_OF_TIME: AtomicBool = AtomicBool::new(false);

fn variant(args: &Args) -> anyhow::Result<NmbrVariant> {
    let parts = args.copies.saturating_mul(usize::from(args.max_value) + 1);
    let mut cards = args.cards.unwrap_or(parts);
    let deck = match (&args.deck, args.draft) {
        (None, DraftKind::Known) => bail!("--deck: missing; expected the cards of a known draft"),
        (Some(_), DraftKind::Free) => {
            bail!("--deck: cannot be used with this draft; expected --draft known")
        }
        (None, _) => None,
        (Some(deck), DraftKind::Known) => {
            let deck = NmbrVariant::parse_deck(deck, args.max_value)?;
            cards = args.cards.unwrap_or(deck.len());
            Some(deck)
        }
    };
    Ok(NmbrVariant {
        deck,
        max_value: args.max_value,
        copies: args.copies,
        cards,
        grid: args.grid,
        levels: args.levels,
    })
}

fn best(
    args: &Args,
    variant: &NmbrVariant,
    stop: &Stop,
    bar: &ProgressBar,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let beams = [2, 1, 0].map(|waste| BeamSettings {
        width: args.width as usize,
        alike: (args.width as usize / 25).max(20),
        waste,
        seed: args.seed.seed,
    });
    let mut shown = (0, Instant::now());
    let optimum = solve(variant, &beams, stop, &mut |done, total| {
        if shown.0 != total || shown.1.elapsed() > Duration::from_millis(200) {
            shown = (total, Instant::now());
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
    })?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let layout = optimum.layout.as_ref();
    let score = layout.map(|layout| layout.check(variant.usable()));
    let score = score.transpose().context("the layout found is not legal")?;
    let split = layout.map(Layout::values_by_level).unwrap_or_default();
    let json = json!({
        "score": score,
        "proven": optimum.proven,
        // An upper bound: no layout scores more.
        "bound": optimum.bound,
        "split": split,
        "layout": layout,
        "nodes": optimum.nodes,
        "seconds": seconds,
    });
    args.output.answer(&json, |out| {
        write_best(out, score, &split, &optimum)?;
        writeln!(
            out,
            "{} placements tried for the proof, {seconds:.2} s",
            optimum.nodes
        )
    })
}

fn write_best(
    out: &mut dyn Write,
    score: Option<u32>,
    split: &[Vec<u32>],
    optimum: &Optimum,
) -> io::Result<()> {
    match score {
        Some(score) if optimum.proven => writeln!(out, "score {score}, proven to be the best")?,
        Some(score) => writeln!(
            out,
            "score {score}, the best found; no layout has more than {}",
            optimum.bound
        )?,
        None if optimum.proven => writeln!(out, "no layout: the cards do not fit")?,
        None => writeln!(out, "no layout found")?,
    }
    for (values, level) in split.iter().zip(1..) {
        let values: Vec<String> = values.iter().map(u32::to_string).collect();
        writeln!(out, "level {level}: {}", values.join(" "))?;
    }
    if let Some(layout) = &optimum.layout {
        write!(out, "\n{layout}\n")?;
    }
    Ok(())
}
