//! Ultimate tic-tac-toe, a second game for the search: the agents of the report by Solberg and Sinha
//! (2019), Monte Carlo tree search, and a rated round robin.
//!
//! `cargo run --release --example ultimate-tic-tac-toe` plays the round robin;
//! `... -- game --max human --min mcts:5000` plays against a person.

mod contest;
mod evaluation;
mod game;
mod players;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Parser, Subcommand, ValueEnum};
use serde::Serialize;

use contest::{Fixture, Played, fixtures, round_robin};
use game::{MAX, MIN, Ultimate};
use players::Agent;

/// Ultimate tic-tac-toe: single games, and a rated round robin (the default)
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play one game
    Game(Single),
    /// Play a round robin over all start boards with both first movers, and rate the agents
    RoundRobin(RobinArgs),
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Form {
    #[default]
    Text,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum First {
    Max,
    Min,
}

#[derive(clap::Args)]
struct Single {
    /// Local board of the first move, 0 to 8, row by row
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..9))]
    start_board: u8,
    /// Who moves first
    #[arg(long, value_enum, default_value = "max")]
    first: First,
    /// Player of X: offensive, defensive, designed, simple or monte-carlo, with :minimax or :alphabeta;
    /// mcts:ITERATIONS; random; human
    #[arg(long, default_value = "offensive:alphabeta")]
    max: Agent,
    /// Player of O
    #[arg(long, default_value = "defensive:alphabeta")]
    min: Agent,
    /// The longer game: three claimed boards in a row
    #[arg(long)]
    extra_credit: bool,
    /// Seed of random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

#[derive(clap::Args)]
struct RobinArgs {
    /// Players, separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "mcts:1000,monte-carlo,designed,simple,offensive,defensive,random"
    )]
    agents: Vec<Agent>,
    /// Number of times that each pair plays on each start board, unless both agents are deterministic
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// The longer game: three claimed boards in a row
    #[arg(long)]
    extra_credit: bool,
    /// Seed of random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

/// A game as JSON.
#[derive(Serialize)]
struct GameAnswer {
    moves: Vec<String>,
    nodes: Vec<u64>,
    ratings: Vec<Option<f64>>,
    turns: usize,
    winner: &'static str,
    boards: Vec<String>,
}

fn main() -> ExitCode {
    let answer = match Cli::parse().command {
        Some(Command::Game(args)) => single(&args),
        Some(Command::RoundRobin(args)) => robin(&args),
        None => {
            let none: [&str; 0] = [];
            #[derive(Parser)]
            struct Defaults {
                #[command(flatten)]
                robin: RobinArgs,
            }
            robin(&Defaults::parse_from(none).robin)
        }
    };
    match answer {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The nine local boards, each as nine cells.
fn boards(played: &Played) -> Vec<String> {
    let cell = |board: usize, cell: usize| {
        let mark = |side: usize| played.last.marks[side][board] >> cell & 1 == 1;
        match (mark(0), mark(1)) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '_',
        }
    };
    (0..9)
        .map(|board| (0..9).map(|c| cell(board, c)).collect())
        .collect()
}

fn single(args: &Single) -> Result<(), String> {
    let fixture = Fixture {
        game: Ultimate {
            extra: args.extra_credit,
        },
        start_board: args.start_board,
        first: match args.first {
            First::Max => MAX,
            First::Min => MIN,
        },
        max: args.max,
        min: args.min,
        seed: args.seed,
    };
    let played = fixture.play();
    let winner = match played.winner {
        Some(side) if side == MAX => "max",
        Some(_) => "min",
        None if played.finished => "draw",
        None => "none",
    };
    let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
    match args.format {
        Form::Json => {
            let answer = GameAnswer {
                turns: moves.len(),
                moves,
                nodes: played.nodes.clone(),
                ratings: played.ratings.clone(),
                winner,
                boards: boards(&played),
            };
            let text = serde_json::to_string_pretty(&answer).map_err(|error| error.to_string())?;
            println!("{text}");
        }
        Form::Text => {
            println!("{}", played.last);
            println!("moves   {}", moves.join(" "));
            let nodes: Vec<String> = played.nodes.iter().map(ToString::to_string).collect();
            println!("nodes   {}", nodes.join(" "));
            println!("winner  {winner} in {} turns", moves.len());
        }
    }
    Ok(())
}

fn robin(args: &RobinArgs) -> Result<(), String> {
    if args.agents.len() < 2 {
        return Err("--agents: expected at least two players".to_owned());
    }
    if args.agents.contains(&Agent::Human) {
        return Err("--agents: a person can play in single games only".to_owned());
    }
    for (i, agent) in args.agents.iter().enumerate() {
        if args.agents[..i].contains(agent) {
            return Err(format!("--agents: {agent} comes twice"));
        }
    }
    let game = Ultimate {
        extra: args.extra_credit,
    };
    let total = fixtures(&args.agents, args.rounds, args.seed, game).len();
    let bar = indicatif::ProgressBar::new(total as u64);
    let done = AtomicUsize::new(0);
    let robin = round_robin(&args.agents, args.rounds, args.seed, game, &|| {
        bar.set_position(done.fetch_add(1, Ordering::Relaxed) as u64 + 1);
    });
    bar.finish_and_clear();
    match args.format {
        Form::Json => {
            let text = serde_json::to_string_pretty(&robin).map_err(|error| error.to_string())?;
            println!("{text}");
        }
        Form::Text => print!("{robin}"),
    }
    Ok(())
}
