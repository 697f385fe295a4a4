//! `analyze replay`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_tournament::replay::{Replay, Shown, replay, show};
use patchwork_tournament::{Results, VERSION};
use serde_json::json;

use super::result;
use crate::endings::{Form, Output};
use crate::output::print;

/// Play a stored game again and check that the new record is the same, byte for byte
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena analyze replay results/quickstart 0\n  \
                  patchwork-arena analyze replay results/quickstart 'champion-1-at-30|cheap-cheap/3/1' --show"
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Number of the game, as in games.db, or its pairing, pair and leg: 'a|b/3/1'
    game: String,
    /// Print every position
    #[arg(long)]
    show: bool,
    /// Print each action with the agent's thoughts: its evaluation and, if the tournament recorded them, the actions that
    /// it considered
    #[arg(long)]
    thoughts: bool,
    #[command(flatten)]
    output: Output<Form>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = args.output.form()?;
    let results = Results::read(&args.dir)?;
    let plan = &results.manifest.plan;
    let game = results.find_game(&args.game);
    let game = game.with_context(|| args.dir.display().to_string())?;
    let entry = &results.games.entry(game)?;
    let record = &entry.record;
    let (id, number) = (record.id, results.numbers()?.of(record));
    let seats = record.agents.map(|agent| plan.name(agent));
    let shown = Shown {
        positions: args.show,
        thoughts: args.thoughts,
    };
    let mut plies = Vec::new();
    if form == Form::Text {
        show(entry, seats, shown, &mut plies)?;
        if args.output.file().is_none() {
            print(|out| out.write_all(&plies))?;
            plies.clear();
        }
    }
    let at = || format!("{}: game {number}", args.dir.display());
    let replayed = replay(plan, entry).with_context(at)?;
    let (replayed, verdict) = match replayed {
        Replay::Agrees => ("agrees", "played again, the bytes agree".to_owned()),
        Replay::Unrepeatable => (
            "legal",
            "an agent has a time budget, is a program of its own or a person, so the game cannot be played again; the \
             record is a legal game"
                .to_owned(),
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
            ("differs", verdict)
        }
    };
    let [first, second] = seats;
    let result = result(record);
    let json = json!({
        "game": number,
        "pair": id.pair,
        "leg": id.leg,
        "first": first,
        "second": second,
        "scores": record.scores,
        "termination": record.termination.map(|termination| termination.reason),
        "plies": record.plies.len(),
        "replay": replayed,
        "verdict": verdict,
    });
    args.output.answer(&json, |out| {
        out.write_all(&plies)?;
        writeln!(
            out,
            "Game {number} (pair {}, leg {}): {first} against {second}, {result}, \
             {} plies: {verdict}.",
            id.pair,
            id.leg,
            record.plies.len()
        )
    })?;
    Ok(ExitCode::from(u8::from(replayed == "differs")))
}
