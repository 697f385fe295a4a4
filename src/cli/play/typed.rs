//! A game played by typed lines: for pipes, and for terminals that cannot show a screen.

use std::io::{self, BufRead as _};

use patchwork_arena::people::PeopleGame;
use patchwork_engine::agent::Partner;
use patchwork_engine::game::Player;
use patchwork_engine::record::diagram;
use patchwork_engine::search::Stop;

use super::super::output::print;
use super::ending::{Left, keep};
use super::model::{Model, ModelRequest};

const KEYS: &str = "Type an action (A, 17:a1b1c2 or S:e5), hint, undo, legal or quit.";

/// Plays a game by lines from the standard input.
pub(super) fn play(
    mut model: Model,
    game: &PeopleGame,
    mut opponent: Partner,
    mut adviser: Partner,
    stop: &Stop,
) -> anyhow::Result<(Left, Option<String>)> {
    let kept = None;
    print(|out| writeln!(out, "{}\n{KEYS}", diagram::LEGEND))?;
    let mut request = model.begin();
    let mut lines = io::stdin().lock().lines();
    loop {
        request = match request {
            ModelRequest::AskOpponent => match model.table.ask(&mut opponent, stop) {
                Ok((decision, time)) => {
                    let request = model.answer(decision.action, decision.thought, time);
                    say(&model)?;
                    request
                }
                Err(error) => {
                    print(|out| writeln!(out, "The agent gave no answer: {error}."))?;
                    return Ok((Left::Interrupted, kept));
                }
            },
            ModelRequest::AskAdviser => {
                let thought = model.table.ask(&mut adviser, stop).ok();
                let request = model.advise(thought.map(|(decision, _)| decision));
                say(&model)?;
                request
            }
            ModelRequest::Keep => {
                let said = keep(game, &model.table);
                draw(&model)?;
                print(|out| writeln!(out, "{said}"))?;
                return Ok((Left::Quit, Some(said)));
            }
            ModelRequest::Quit => return Ok((Left::Quit, kept)),
            ModelRequest::Nothing => {
                draw(&model)?;
                let Some(line) = lines.next().transpose()? else {
                    return Ok((Left::Interrupted, kept));
                };
                command(&mut model, line.trim())?
            }
        };
        if stop.is_set() {
            return Ok((Left::Interrupted, kept));
        }
    }
}

fn command(model: &mut Model, line: &str) -> anyhow::Result<ModelRequest> {
    use console::Key::Char;
    let request = match line {
        "" => ModelRequest::Nothing,
        "quit" | "q" => ModelRequest::Quit,
        "undo" | "u" => model.press(&Char('u')),
        "hint" | "h" => model.press(&Char('h')),
        "legal" => {
            let mut text = String::new();
            let (state, setup) = (model.table.state(), model.table.setup());
            for action in state.legal_actions(setup) {
                text += &format!("{action} ");
            }
            model.message = text.trim_end().to_owned();
            ModelRequest::Nothing
        }
        action => model.play_text(action),
    };
    if request != ModelRequest::AskAdviser {
        say(model)?;
    }
    Ok(request)
}

fn say(model: &Model) -> anyhow::Result<()> {
    print(|out| writeln!(out, "{}", model.message))
}

fn draw(model: &Model) -> anyhow::Result<()> {
    let heads = Player::BOTH.map(|player| format!("{player}: {}", model.names[player.index()]));
    let heads = heads.each_ref().map(String::as_str);
    let table = &model.table;
    print(|out| {
        writeln!(out)?;
        let diagram = table.diagram();
        diagram.write(out, table.setup(), table.state(), heads)?;
        if table.state().is_over() {
            let names = model.names.each_ref().map(String::as_str);
            return diagram::write_outcome(out, &table.state().outcome_unchecked(), names);
        }
        Ok(())
    })
}
