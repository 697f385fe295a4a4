//! `puzzle nmbr9`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::value_parser;
use indicatif::ProgressBar;
use patchwork_arena::document::LineTable;
use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::nmbr9::{
    BeamSettings, DeckSearch, DraftPlayer, Layout, NmbrVariant, Optimum, play_draft, solve,
};
use patchwork_rating::Estimate;
use patchwork_rating::distribution::NORMAL;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;
use serde_json::json;

use super::super::args::{Form, Workers, one_of, seed};
use super::super::output::{listen, print, stopped, write_json};
use super::super::progress;

/// Stack the numbers of Nmbr9 for the best score, or play with an unknown deck
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena puzzle nmbr9 --draft free --max-value 6 --copies 2 --cards 5 --grid 8 --levels 3\n  \
                  patchwork-arena puzzle nmbr9 --draft known --deck \"4 2 9 7 0\" --copies 1\n  \
                  patchwork-arena puzzle nmbr9 --draft unknown --games 50 --strategy lookahead --strategy mcts"
)]
pub(super) struct Args {
    /// Whether the cards and their order are chosen freely, known, or drawn one by one
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
    /// Number of games with an unknown draft
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// A strategy for the unknown draft (repeatable) [default: all but mcts]
    #[arg(long, value_parser = one_of(STRATEGIES))]
    strategy: Vec<DraftPlayer>,
    /// Number of orders of the unknown cards that mcts samples for each card
    #[arg(long, default_value_t = DeckSearch::DEFAULT.decks, value_parser = value_parser!(u32).range(1..=10_000))]
    decks: u32,
    /// Iterations of mcts for each order
    #[arg(long, default_value_t = DeckSearch::DEFAULT.iterations, value_parser = value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,
    /// Seed of decks and random choices
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    #[command(flatten)]
    workers: Workers,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DraftKind {
    /// The cards and their order are chosen
    Free,
    /// All cards are known, in the order of --deck
    Known,
    /// Each card is placed before the next is known
    Unknown,
}

/// The players; the effort of mcts is given by arguments of its own.
const STRATEGIES: [(&str, DraftPlayer, &str); 5] = [
    (
        "in-order",
        DraftPlayer::InOrder,
        "The highest level, then the first row, then the first column",
    ),
    (
        "bottom-left",
        DraftPlayer::BottomLeft,
        "The highest level, then the first column, then the first row",
    ),
    (
        "regret",
        DraftPlayer::Regret,
        "The highest level, then the least loss of choice for the other squares",
    ),
    (
        "lookahead",
        DraftPlayer::Lookahead,
        "Points, those of the next card on average, and compact levels",
    ),
    (
        "mcts",
        DraftPlayer::Mcts(DeckSearch::DEFAULT),
        "Monte Carlo tree search over random orders of the cards to come",
    ),
];

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
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
    let bar = progress::bar(1, args.workers.quiet);
    if args.draft == DraftKind::Unknown {
        play(args, &variant, stop, &bar)?;
    } else {
        best(args, &variant, stop, &bar)?;
    }
    if stop.is_set() && !is_late.load(Ordering::Relaxed) {
        return Ok(stopped(format_args!("stopped; this is the best so far")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the time limit has passed.
static OUT_OF_TIME: AtomicBool = AtomicBool::new(false);

fn variant(args: &Args) -> anyhow::Result<NmbrVariant> {
    let parts = args.copies.saturating_mul(usize::from(args.max_value) + 1);
    let mut cards = args.cards.unwrap_or(parts);
    let deck = match (&args.deck, args.draft) {
        (None, DraftKind::Known) => bail!("--deck: missing; expected the cards of a known draft"),
        (Some(_), DraftKind::Free | DraftKind::Unknown) => {
            bail!("--deck: cannot be used with this draft; expected --draft known")
        }
        (None, _) => None,
        (Some(deck), DraftKind::Known) => {
            let deck = NmbrVariant::parse_deck(deck, args.max_value)?;
            cards = args.cards.unwrap_or(deck.len());
            Some(deck)
        }
    };
    if args.draft != DraftKind::Unknown && !args.strategy.is_empty() {
        bail!("--strategy: requires --draft unknown");
    }
    Ok(NmbrVariant {
        deck,
        max_value: args.max_value,
        copies: args.copies,
        cards,
        grid: args.grid,
        levels: args.levels,
    })
}

fn best(args: &Args, variant: &NmbrVariant, stop: &Stop, bar: &ProgressBar) -> anyhow::Result<()> {
    let start = Instant::now();
    let beams = [2, 1, 0].map(|waste| BeamSettings {
        width: args.width as usize,
        alike: (args.width as usize / 25).max(20),
        waste,
        seed: args.seed,
        ..BeamSettings::default()
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
    print(|out| match args.format {
        Form::Json => {
            let answer = json!({
                "score": score,
                "proven": optimum.proven,
                // An upper bound: no layout scores more.
                "bound": optimum.bound,
                "split": split,
                "layout": layout,
                "nodes": optimum.nodes,
                "seconds": seconds,
            });
            write_json(out, &answer)
        }
        Form::Text => {
            write_best(out, score, &split, &optimum)?;
            writeln!(
                out,
                "{} placements tried for the proof, {seconds:.2} s",
                optimum.nodes
            )
        }
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

#[derive(Serialize)]
struct Played {
    strategy: &'static str,
    games: usize,
    /// Games that ended because a card could not be placed.
    unfinished: usize,
    mean: f64,
    /// The 95% confidence interval of the mean.
    low: f64,
    high: f64,
    worst: u32,
    best: u32,
    mean_levels: f64,
    seconds: f64,
}

impl Played {
    /// From games of `cards` cards.
    fn new(strategy: &'static str, games: &[Layout], cards: usize, seconds: f64) -> Self {
        let scores: Vec<u32> = games.iter().map(Layout::score).collect();
        let count = scores.len().max(1) as f64;
        let mean = scores.iter().map(|&score| f64::from(score)).sum::<f64>() / count;
        let squares = scores
            .iter()
            .map(|&score| (f64::from(score) - mean).powi(2));
        let error = (squares.sum::<f64>() / (count - 1.0).max(1.0) / count).sqrt();
        let levels = games.iter().map(|game| f64::from(game.levels()));
        Self {
            strategy,
            games: games.len(),
            unfinished: games.iter().filter(|game| game.parts.len() < cards).count(),
            mean,
            low: mean - NORMAL * error,
            high: mean + NORMAL * error,
            worst: scores.iter().copied().min().unwrap_or(0),
            best: scores.iter().copied().max().unwrap_or(0),
            mean_levels: levels.sum::<f64>() / count,
            seconds,
        }
    }
}

fn play(args: &Args, variant: &NmbrVariant, stop: &Stop, bar: &ProgressBar) -> anyhow::Result<()> {
    let named = |(_, player, _): &(_, DraftPlayer, _)| match args.strategy[..] {
        [] => !matches!(player, DraftPlayer::Mcts(_)),
        _ => args.strategy.contains(player),
    };
    let chosen: Vec<_> = STRATEGIES.into_iter().filter(named).collect();
    let threads = args.workers.threads().get();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("cannot start the threads")?;
    bar.set_length(u64::from(args.games) * chosen.len() as u64);
    let mut rows = Vec::new();
    for (name, player, _) in chosen {
        let player = match player {
            DraftPlayer::Mcts(_) => DraftPlayer::Mcts(DeckSearch {
                decks: args.decks,
                iterations: args.iterations,
            }),
            rule => rule,
        };
        let start = Instant::now();
        let games: Vec<Option<Layout>> = pool.install(|| {
            let numbers = (0..u64::from(args.games)).into_par_iter();
            let games = numbers.map(|number| {
                let game = play_draft(variant, player, (args.seed, number), stop);
                bar.inc(1);
                // A game that was stopped is not counted.
                (!stop.is_set()).then_some(game)
            });
            games.collect()
        });
        let games: Vec<Layout> = games.into_iter().flatten().collect();
        for game in &games {
            let check = game.check(variant.usable());
            check.context("a layout is not legal")?;
        }
        let seconds = start.elapsed().as_secs_f64();
        rows.push(Played::new(name, &games, variant.cards, seconds));
    }
    bar.finish_and_clear();
    print(|out| match args.format {
        Form::Json => write_json(out, &rows),
        Form::Text => write_table(out, &rows),
    })
}

fn write_table(out: &mut dyn Write, rows: &[Played]) -> io::Result<()> {
    let table = LineTable::new(1).left("strategy", 12).right("games", 6);
    let table = table.right("mean", 7).right("95% interval", 15);
    let table = table.right("worst", 6).right("best", 5);
    let table = table.right("levels", 7).right("unfinished", 11);
    writeln!(out, "{}", table.head())?;
    for row in rows {
        let mean = Estimate {
            value: Some(row.mean),
            low: Some(row.low),
            high: Some(row.high),
            error: None,
        };
        let interval = mean.interval_as(|points| format!("{points:.1}"));
        let line = table.line(&[
            &row.strategy,
            &row.games,
            &format_args!("{:.1}", row.mean),
            &interval.unwrap_or_default(),
            &row.worst,
            &row.best,
            &format_args!("{:.2}", row.mean_levels),
            &row.unfinished,
        ]);
        writeln!(out, "{line}")?;
    }
    Ok(())
}
