//! `play human AGENT`: full screen in a terminal, line by line otherwise.

use std::io::{IsTerminal as _, stdin, stdout};
use std::process::ExitCode;

use patchwork_arena::people::{Invitation, PeopleGame, Table};
use patchwork_engine::agent::Partner;
use patchwork_engine::game::{Player, Setup};

use super::ending::Left;
use super::model::Model;
use super::{Args, terminal, typed};
use crate::cli::output::{listen, print, stopped};

pub(super) fn run(args: &Args, seat: Player) -> anyhow::Result<ExitCode> {
    let (key, name) = match seat {
        Player::First => ("SECOND", &args.second),
        Player::Second => ("FIRST", &args.first),
    };
    let mut opponent = args.agents.read(key, name)?;
    let mut adviser = args.agents.read("--adviser", &args.adviser)?;
    let invitation = Invitation {
        results: &args.results,
        name: args.save.as_deref(),
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
    let has_screen = !args.typed && stdin().is_terminal() && stdout().is_terminal();
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
