//! Subcommands and their arguments.

mod analyze;
mod bench;
mod games;
mod interrupt;
mod packing;
mod play;
mod progress;
mod screen;
mod statistics;
mod tournaments;

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use patchwork_arena::agent::MOST_THREADS as MOST_SEARCH_THREADS;
use patchwork_arena::game::Track;
use patchwork_arena::rating::sprt::EloModel;
use patchwork_arena::report::CsvTable;

/// A self-play tournament engine for the board game Patchwork
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a tournament, or go on with one that was stopped
    #[command(after_help = "Example:\n  patchwork-arena run tournaments/quickstart.toml")]
    Run(RunArgs),
    /// Play two agents against each other
    #[command(
        name = "match",
        after_help = "Examples:\n  patchwork-arena match mcts-regret mcts-fast --pairs 20\n  \
                      patchwork-arena match mcts-regret mcts-fast --sprt 0,20"
    )]
    Match(MatchArgs),
    /// Report what a results folder holds
    #[command(
        after_help = "Examples:\n  patchwork-arena report results/quickstart\n  \
                      patchwork-arena report results/quickstart --format csv --table patches\n  \
                      patchwork-arena report results/quickstart --html\n  \
                      patchwork-arena report results/quickstart --ring-book fair.txt --rings balanced --most 100"
    )]
    Report(ReportArgs),
    /// Write the games of a results folder as text, sorted and without times
    #[command(
        after_help = "Examples:\n  patchwork-arena export results/quickstart --format jsonl\n  \
                      patchwork-arena export results/quickstart --format tsv --output games.tsv"
    )]
    Export(ExportArgs),
    /// Play a game of a results folder again and say whether the bytes agree
    #[command(
        after_help = "Examples:\n  patchwork-arena replay results/quickstart 0\n  \
                      patchwork-arena replay results/quickstart 'mcts-fast|random/3/1' --show"
    )]
    Replay(ReplayArgs),
    /// Play one game between two agents and show it ply by ply
    #[command(
        after_help = "Examples:\n  patchwork-arena play mcts-regret mcts-fast\n  \
                      patchwork-arena play mcts-regret greedy-regret --seed 7 --threads 2 --show"
    )]
    Play(PlayArgs),
    /// Search one position and show what the search has seen, live in a terminal
    #[command(after_help = ANALYZE_HELP)]
    Analyze(AnalyzeArgs),
    /// The agents that can be named, and what strategies are made of
    #[command(after_help = "Example:\n  patchwork-arena agents list")]
    Agents {
        #[command(subcommand)]
        command: AgentsCommand,
    },
    /// Place all patches of random orders one by one: the paper's packing experiment
    #[command(after_help = "Examples:\n  patchwork-arena packing --as-published\n  \
                      patchwork-arena packing --orders 200 --evaluation regret --compare all-every+regret bl-lb-every+regret\n  \
                      patchwork-arena packing --as-published --order-range 0..24 --policy bl --trace")]
    Packing(PackingArgs),
    /// Measure the game as the paper does: one agent against itself
    #[command(
        after_help = "Examples:\n  patchwork-arena characterize --games 1000\n  \
                      patchwork-arena characterize --agent mcts-fast --games 50"
    )]
    Characterize(CharacterizeArgs),
    /// Rate the results in a table, of whatever game
    #[command(
        after_help = "Examples:\n  patchwork-arena rate tests/data/ratings-games-1.tsv\n  \
                      patchwork-arena rate games.tsv --anchor alpha=1500 --format json"
    )]
    Rate(statistics::RateArgs),
    /// Decide between two hypotheses about two agents by counts of pairs
    #[command(
        after_help = "Examples:\n  patchwork-arena sprt --pairs 40,0,90,0,70 --elo0 0 --elo1 30\n  \
                      patchwork-arena sprt --pairs 10,5,30,8,15 --elo0 0 --elo1 10 --model normalized --format json"
    )]
    Sprt(statistics::SprtArgs),
    /// Replay the games of a file and compare them with the rules
    #[command(
        after_help = "Example:\n  patchwork-arena check-games tests/data/random-games.tsv.gz\n\n\
                      Prints 'N games, M mismatches'; exits with 0 only when M is 0."
    )]
    CheckGames {
        /// A table or a text of games, as export writes them; may be gzipped
        file: PathBuf,
    },
    /// Count the sequences of actions from a position
    #[command(
        after_help = "Example:\n  patchwork-arena perft 2 --track original --ring \"32 3 7 23 16 26 14 13 \
                      29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\"\n\n\
                      Prints a line for each depth: the depth, a tab, the count."
    )]
    Perft(PerftArgs),
    /// Measure this machine with a fixed amount of work on one thread
    #[command(after_help = "Example:\n  patchwork-arena bench --json\n\n\
                      The signature changes only when play changes.")]
    Bench {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

const ANALYZE_HELP: &str = "\
Examples:
  patchwork-arena analyze --results results/quickstart --game 12 --ply 30 --agent mcts-regret
  patchwork-arena analyze --agent mcts-regret --time 5s --threads 2 --ring \"32 3 7 23 16 26 14 13 \
29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\" --actions \"A 3:a1b1a2\"

Ctrl-C ends the search and prints what there is. Values are the mean results of the search for the \
player to move: chances to win, when wins are what the agent counts.

--format json prints one object with the keys position, outcome, estimate, agent, best, winner, \
search, line, choices, actions and time, which docs/analyze.md describes. Only time differs from \
run to run, if the budget is one of iterations.";

#[derive(Args)]
struct PlayArgs {
    /// Name or file of the agent that moves first
    first: String,
    /// Name or file of the other agent
    second: String,
    /// The printing of the time board: original or revised
    #[arg(long, default_value_t)]
    track: Track,
    /// The 33 patches from the token on [default: shuffled by the seed]
    #[arg(long)]
    ring: Option<String>,
    /// What all random choices derive from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads search one position [default: what the agent files say]
    #[arg(long, value_name = "N", value_parser = parse_search_threads)]
    threads: Option<NonZeroU32>,
    /// Print every position
    #[arg(long)]
    show: bool,
    /// The folder of agent files
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Do not show who is thinking
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args)]
struct AnalyzeArgs {
    /// Name or file of the agent that searches
    #[arg(long)]
    agent: String,
    /// The 33 patches from the token on
    #[arg(long, conflicts_with = "game")]
    ring: Option<String>,
    /// The printing of the time board: original or revised
    #[arg(long, default_value_t, conflicts_with = "game")]
    track: Track,
    /// Actions that lead to the position, - for none
    #[arg(
        long,
        default_value = "-",
        allow_hyphen_values = true,
        conflicts_with = "game"
    )]
    actions: String,
    /// A results folder with the game
    #[arg(long, value_name = "DIR", requires = "game")]
    results: Option<PathBuf>,
    /// A game's number, or its pairing, pair and leg: 'a|b/3/1'
    #[arg(long, requires = "results")]
    game: Option<String>,
    /// The ply of the game before which it is analysed [default: 1, the start]
    #[arg(long, value_name = "N", requires = "game", value_parser = parse_count)]
    ply: Option<NonZeroU32>,
    /// How long to search: 5s, 500ms, 1m [default: the agent's own budget]
    #[arg(long, value_parser = parse_time, conflicts_with = "iterations", allow_hyphen_values = true)]
    time: Option<Duration>,
    /// How many iterations to search
    #[arg(long, value_name = "N", value_parser = parse_count)]
    iterations: Option<NonZeroU32>,
    /// How many threads search [default: what the agent file says]
    #[arg(long, value_name = "N", value_parser = parse_search_threads)]
    threads: Option<NonZeroU32>,
    /// How many actions are shown
    #[arg(long, value_name = "N", default_value = "10", value_parser = parse_count)]
    top: NonZeroU32,
    /// What all random choices derive from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The form of the analysis
    #[arg(long, value_enum, default_value_t)]
    format: AnalysisFormat,
    /// The folder of agent files
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Show nothing before the end
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum AnalysisFormat {
    /// Tables for a terminal
    #[default]
    Text,
    /// Everything as one object
    Json,
}

#[derive(Args)]
struct RunArgs {
    /// A tournament file
    file: PathBuf,
    #[command(flatten)]
    workers: WorkerArgs,
    /// The folder of agent files [default: agents beside the tournament's folder, then here]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// The folder in which the tournament's folder is made
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

#[derive(Args)]
struct WorkerArgs {
    /// How many threads work [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args)]
struct MatchArgs {
    /// Name or file of an agent
    a: String,
    /// Name or file of another agent
    b: String,
    /// How many setups are played, twice each with seats swapped [default: 20; with --sprt, which
    /// stops earlier, 100000 or the rings of the book]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pairs: Option<NonZeroU32>,
    /// Stop as soon as a sequential test decides whether A is ELO0 or ELO1 better than B
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_hypotheses, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// How often --sprt may decide for ELO1 where ELO0 is right [default: 0.05]
    #[arg(long, value_name = "RATE", requires = "sprt")]
    alpha: Option<f64>,
    /// How often --sprt may decide for ELO0 where ELO1 is right [default: 0.05]
    #[arg(long, value_name = "RATE", requires = "sprt")]
    beta: Option<f64>,
    /// What ELO0 and ELO1 are: logistic or normalized [default: logistic]
    #[arg(long, value_name = "MODEL", requires = "sprt")]
    model: Option<EloModel>,
    /// What all random choices derive from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The printing of the time board: original or revised [default: original, or that of --rings]
    #[arg(long)]
    track: Option<Track>,
    /// Play on the rings of a book, shuffled, instead of random ones
    #[arg(long, value_name = "FILE")]
    rings: Option<PathBuf>,
    #[command(flatten)]
    workers: WorkerArgs,
    /// The folder of agent files
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Keep the games in a folder of this name below --results
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// The folder in which the match's folder is made
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

#[derive(Args)]
struct ReportArgs {
    /// A results folder
    dir: PathBuf,
    /// The form of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Which table, with --format csv [default: ratings]
    #[arg(long, value_name = "TABLE", value_parser = table_parser())]
    table: Option<CsvTable>,
    /// Write a page for a browser, report.html, into the folder
    #[arg(long, conflicts_with_all = ["format", "table", "ring_book"])]
    html: bool,
    /// Write the rings that were played, with the seat they favour, into a file that tournaments can
    /// take their setups from
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    ring_book: Option<PathBuf>,
    /// Which rings, with --ring-book
    #[arg(long, value_enum, default_value_t, requires = "ring_book")]
    rings: RingKind,
    /// At most so many rings, with --ring-book
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "ring_book")]
    most: Option<NonZeroU32>,
}

/// Which rings go into a ring book.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum RingKind {
    /// All of them, the most balanced first
    #[default]
    All,
    /// Those that may favour nobody, the most balanced first
    Balanced,
    /// Those that favour the first player, the surest first
    First,
    /// Those that favour the second player, the surest first
    Second,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum ReportFormat {
    /// Tables for a terminal
    #[default]
    Text,
    /// Everything as one object
    Json,
    /// One table
    Csv,
}

#[derive(Args)]
struct ExportArgs {
    /// A results folder
    dir: PathBuf,
    /// The form of the games
    #[arg(long, value_enum)]
    format: GamesFormat,
    /// A file to write instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum GamesFormat {
    /// A JSON object a line
    Jsonl,
    /// A table, which check-games reads
    Tsv,
    /// Text for people, with headers and what the agents thought, which check-games reads
    Pgn,
}

#[derive(Args)]
struct ReplayArgs {
    /// A results folder
    dir: PathBuf,
    /// A game's number, or its pairing, pair and leg: 'a|b/3/1'
    game: String,
    /// Print every position
    #[arg(long)]
    show: bool,
}

#[derive(Subcommand)]
enum AgentsCommand {
    /// List the agent files with what they are for
    #[command(after_help = "Example:\n  patchwork-arena agents list --agents my-agents")]
    List {
        /// The folder of agent files
        #[arg(long, value_name = "DIR", default_value = "agents")]
        agents: PathBuf,
    },
    /// List the policies, transforms and evaluations that agent files can name
    #[command(after_help = "Example:\n  patchwork-arena agents strategies")]
    Strategies,
}

#[derive(Args)]
struct PackingArgs {
    /// Do as the published program did, and print its table beside ours
    #[arg(long)]
    as_published: bool,
    /// A file of orders, or how many random ones [default: the 1000 published orders with
    /// --as-published, else 1000 random ones]
    #[arg(long, value_name = "FILE|N")]
    orders: Option<String>,
    /// Only the orders from A up to B, B left out
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    order_range: Option<Range<usize>>,
    /// What random orders and choices derive from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this policy; may be given several times; afc, action, chb and the sums sum-afc, sum-action,
    /// sum-chb learn as they go and are slow
    #[arg(long)]
    policy: Vec<String>,
    /// The learning policies besides all others: minutes of work
    #[arg(long)]
    learning: bool,
    /// Only this choice of transforms, some or every
    #[arg(long)]
    transforms: Vec<String>,
    /// Only this evaluation; may be given several times
    #[arg(long)]
    evaluation: Vec<String>,
    /// The paired difference of two strategies, such as bl-lb-every+regret; may be given several times
    #[arg(long, num_args = 2, value_names = ["X", "Y"])]
    compare: Vec<String>,
    /// Print every step of every packing instead of a report
    #[arg(long)]
    trace: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Which table, with --format csv [default: strategies]
    #[arg(long, value_enum)]
    table: Option<PackingTable>,
    #[command(flatten)]
    workers: WorkerArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum PackingTable {
    /// A row for each strategy
    Strategies,
    /// A row for each strategy of the published table
    Comparison,
    /// A row for each two strategies compared and each measure
    Pairs,
    /// A row for each order and strategy
    Packings,
}

#[derive(Args)]
struct CharacterizeArgs {
    /// How many games are played
    #[arg(long, value_name = "N", default_value = "100", value_parser = parse_count)]
    games: NonZeroU32,
    /// Name or file of an agent [default: greedy, BL-Every + Regret, as in the paper]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// The folder of agent files
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// What all random choices derive from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The printing of the time board: original or revised
    #[arg(long, default_value_t)]
    track: Track,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args)]
struct PerftArgs {
    /// Length of the sequences
    #[arg(value_parser = parse_count)]
    depth: NonZeroU32,
    /// The printing of the time board: original or revised
    #[arg(long, default_value_t)]
    track: Track,
    /// The 33 patches from the token on
    #[arg(long)]
    ring: String,
    /// Actions that lead to the position, - for none
    #[arg(long, default_value = "-", allow_hyphen_values = true)]
    actions: String,
}

/// A table by its name.
fn table_parser() -> impl TypedValueParser<Value = CsvTable> {
    let names = CsvTable::ALL.map(|table| PossibleValue::new(table.name()).help(table.about()));
    PossibleValuesParser::new(names).map(|name| CsvTable::by_name(&name).unwrap_or_default())
}

fn parse_range(text: &str) -> Result<Range<usize>, String> {
    let ends = text.split_once("..");
    ends.and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?))
        .ok_or_else(|| "expected two numbers with .. between them, such as 0..24".to_owned())
}

fn parse_hypotheses(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',');
    ends.and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)))
        .ok_or_else(|| "expected two numbers with a comma between them, such as 0,10".to_owned())
}

/// Searches of one position.
fn parse_search_threads(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .ok()
        .filter(|threads: &NonZeroU32| threads.get() <= MOST_SEARCH_THREADS)
        .ok_or_else(|| format!("expected a number from 1 to {MOST_SEARCH_THREADS}"))
}

const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A number of ms, s, m or h, above 0 and at most a day.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = digits.trim().parse().unwrap_or(f64::NAN) * unit;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| (Duration::from_nanos(1)..=LONGEST).contains(time))
        .ok_or_else(|| "expected a time such as 5s, 500ms or 1m, at most 24h".to_owned())
}

fn parse_count(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// No machine has more cores, and every worker has a tree of its own.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS)
        .ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

impl Cli {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Run(args) => tournaments::run(&args),
            Command::Match(args) => tournaments::play_match(args),
            Command::Report(args) => tournaments::report(&args),
            Command::Export(args) => tournaments::export(&args),
            Command::Replay(args) => tournaments::replay(&args),
            Command::Play(args) => play::play(&args),
            Command::Analyze(args) => analyze::analyze(&args),
            Command::Agents { command } => match command {
                AgentsCommand::List { agents } => games::list_agents(&agents),
                AgentsCommand::Strategies => games::list_strategies(),
            },
            Command::Packing(args) => packing::packing(&args),
            Command::Characterize(args) => games::characterize(&args),
            Command::Rate(args) => statistics::rate(&args),
            Command::Sprt(args) => statistics::sprt(&args),
            Command::CheckGames { file } => games::check(&file),
            Command::Perft(args) => games::perft(&args),
            Command::Bench { json } => games::bench(json),
        }
    }
}

/// Exit code of everything that did not work.
pub(crate) const BAD_INPUT: u8 = 2;

/// Writes a line to the standard error, if anything listens there.
pub(crate) fn note(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes to the standard output; a reader that has gone away, such as `head`, is no error.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to the standard output"))
        }
        _ => Ok(()),
    }
}
