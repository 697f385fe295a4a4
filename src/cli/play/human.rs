//! `play human AGENT`: full screen in a terminal, line by line otherwise.

use std::io::{IsTerminal as _, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_arena::people::{Invitation, PeopleGame, Table};
use patchwork_engine::agent::Partner;
use patchwork_engine::game::{Player, Setup};

use super::ending::Left;
use super::model::Model;
use super::{Args, terminal, typed};
use crate::cli::output::{listen, print, stopped};

/// Options that apply only to games with a person.
#[derive(clap::Args)]
pub(super) struct PersonOptions {
    /// With human: name or file of the agent that gives hints and evaluations
    #[arg(long, value_name = "AGENT", default_value = "mcts-regret")]
    adviser: String,
    /// With human: play by typed lines instead of keys, as with piped input
    #[arg(long)]
    typed: bool,
    /// With human: keep the game in a folder of this name under --results [default: human-AGENT]
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// With human: folder in which the folder of the games is created
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

pub(super) fn run(args: &Args, seat: Player) -> anyhow::Result<ExitCode> {
    let options = &args.human;
    let (key, name) = match seat {
        Player::First => ("SECOND", &args.second),
        Player::Second => ("FIRST", &args.first),
    };
    let mut opponent = args.agents.read(key, name)?;
    let mut adviser = args.agents.read("--adviser", &options.adviser)?;
    let invitation = Invitation {
        results: &options.results,
        name: options.save.as_deref(),
        opponent: &opponent,
        seat,
        seed: args.seed,
        rules: args.track,
        ring: args.ring,
    };
    let game = PeopleGame::next(&invitation, &[])?;
    if let Some(threads) = args.threads {
        opponent.config = opponent.config.with_threads(threads);
        adviser.config = adviser.config.with_threads(threads);
    }
    let stop = listen()?;
    let partners = [&opponent, &adviser].map(|file| Partner::new(file, game.seed()));
    let [opponent, adviser] = partners;
    let table = Table::new(Setup::clone(game.setup()));
    let model = Model::new(table, seat, game.names(), adviser.name());
    let has_screen = !options.typed && stdin().is_terminal() && stdout().is_terminal();
    let (left, kept) = if has_screen {
        terminal::play(model, &game, opponent, adviser, stop)?
    } else {
        typed::play(model, &game, opponent, adviser, stop)?
    };
    match (left, kept) {
        (Left::Interrupted, None) => Ok(stopped(format_args!(
            "Stopped: the game is not over and is not kept."
        ))),
        (_, Some(kept)) if has_screen => {
            print(|out| writeln!(out, "{kept}"))?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
