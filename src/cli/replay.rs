//! `replay`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use patchwork_arena::record::{GameId, Record};
use patchwork_arena::tournament::replay::{Replay, replay, show};
use patchwork_arena::tournament::{Plan, Results, VERSION};

use super::output::print;

/// Play a stored game again and check that the record comes out the same, byte for byte
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
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let plan = &results.manifest.plan;
    let record = &stored_game(&results, &args.dir, &args.game)?;
    let (id, number) = (record.id, plan.number(record.id));
    let names = plan.names();
    let seats = record
        .agents
        .map(|agent| names[usize::from(agent)].as_str());
    if args.show {
        print(|out| show(record, seats, out))?;
    }
    let at = || format!("{}: game {number}", args.dir.display());
    let replayed = replay(plan, record).with_context(at)?;
    let (verdict, code) = match replayed {
        Replay::Agrees => ("played again, the bytes agree".to_owned(), 0),
        Replay::Unrepeatable => (
            "an agent has a time budget, so the game cannot be played again; the record is a legal game"
                .to_owned(),
            0,
        ),
        Replay::Differs(again) => {
            let plies = record.plies.iter().zip(&again.plies);
            let same = plies.take_while(|(old, new)| old == new).count();
            let begun = &results.manifest.version;
            let version = if begun == VERSION {
                String::new()
            } else {
                format!(" (played by version {begun}, this is {VERSION})")
            };
            let verdict = format!("played again, it differs from ply {}{version}", same + 1);
            (verdict, 1)
        }
    };
    let ([first, second], [one, other]) = (seats, record.scores);
    let plies = record.plies.len();
    print(|out| {
        writeln!(
            out,
            "Game {number} (pair {}, leg {}): {first} against {second}, {one} to {other}, \
             {plies} plies: {verdict}.",
            id.pair, id.leg
        )
    })?;
    Ok(ExitCode::from(code))
}

/// A game of a results folder, named as [`find_game`] allows.
pub(super) fn stored_game(results: &Results, dir: &Path, name: &str) -> anyhow::Result<Record> {
    let plan = &results.manifest.plan;
    let id = find_game(plan, name)?;
    match results.games.find(id) {
        Some(entry) => Ok(entry.record),
        None => bail!(
            "{}: game {} has not been played",
            dir.display(),
            plan.number(id)
        ),
    }
}

/// A game by number, or by pairing, pair and leg.
fn find_game(plan: &Plan, text: &str) -> anyhow::Result<GameId> {
    let parts: Vec<&str> = text.split('/').collect();
    let game = match parts[..] {
        [number] => number.parse().ok().and_then(|number| plan.game(number)),
        [pairing, pair, leg] => {
            let names = plan.names();
            let name = |agent: u16| names[usize::from(agent)].as_str();
            let pairings = plan.pairings();
            let position = pairings
                .iter()
                .position(|&(a, b)| format!("{}|{}", name(a), name(b)) == pairing);
            let id = position.and_then(|position| {
                Some(GameId {
                    pairing: position as u32,
                    pair: pair.parse().ok()?,
                    leg: leg.parse().ok()?,
                })
            });
            id.and_then(|id| plan.game(plan.number(id)).filter(|game| game.id == id))
        }
        _ => None,
    };
    game.map(|game| game.id).with_context(|| {
        let (a, b) = plan.pairings()[0];
        format!(
            "'{text}' is no game of this plan: expected a number from 0 to {}, \
             or pairing, pair and leg such as '{}|{}/0/1'",
            plan.numbers() - 1,
            plan.agents()[usize::from(a)].name,
            plan.agents()[usize::from(b)].name
        )
    })
}
