//! `replay`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_arena::tournament::replay::{Replay, Shown, replay, show};
use patchwork_arena::tournament::{Results, VERSION};

use super::output::print;

/// Play a stored game again and check that the new record is the same, byte for byte
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena replay results/quickstart 0\n  \
                  patchwork-arena replay results/quickstart 'mcts-fast|random/3/1' --show"
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Number of the game, or its pairing, pair and leg: 'a|b/3/1'
    game: String,
    /// Print every position
    #[arg(long)]
    show: bool,
    /// Print the actions with the agents' thoughts, and the actions that they considered if the tournament
    /// recorded them
    #[arg(long)]
    thoughts: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let plan = &results.manifest.plan;
    let game = results.find_game(&args.game);
    let game = game.with_context(|| args.dir.display().to_string())?;
    let entry = &results.games.entry(game)?;
    let record = &entry.record;
    let (id, number) = (record.id, plan.number(record.id));
    let seats = record.agents.map(|agent| plan.name(agent));
    let shown = Shown {
        positions: args.show,
        thoughts: args.thoughts,
    };
    print(|out| show(entry, seats, shown, out))?;
    let at = || format!("{}: game {number}", args.dir.display());
    let replayed = replay(plan, record).with_context(at)?;
    let (verdict, code) = match replayed {
        Replay::Agrees => ("played again, the bytes agree".to_owned(), 0),
        Replay::Unrepeatable => (
            "an agent has a time budget, is a program of its own or a person, so the game cannot be played again; the \
             record is a legal game"
                .to_owned(),
            0,
        ),
        Replay::Differs(again) => {
            let ply = again.first_difference(record);
            let begun = &results.manifest.version;
            let version = if begun == VERSION {
                String::new()
            } else {
                format!(" (played by version {begun}, this is {VERSION})")
            };
            let verdict = format!("played again, it differs from ply {ply}{version}");
            (verdict, 1)
        }
    };
    let [first, second] = seats;
    let [one, other] = record.scores;
    let result = match record.termination {
        None => format!("{one} to {other}"),
        Some(termination) => termination.to_string(),
    };
    let plies = record.plies.len();
    print(|out| {
        writeln!(
            out,
            "Game {number} (pair {}, leg {}): {first} against {second}, {result}, \
             {plies} plies: {verdict}.",
            id.pair, id.leg
        )
    })?;
    Ok(ExitCode::from(code))
}
