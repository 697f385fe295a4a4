//! `play human AGENT`: a game by lines of text, at a terminal, over ssh or through pipes.

use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use patchwork_engine::agent::Partner;
use patchwork_engine::game::{Action, Player, Position};
use patchwork_engine::record::Thought;
use patchwork_engine::record::picture::{self, Picture};
use patchwork_engine::search::Stop;
use patchwork_web::people::{Invitation, PeopleGame};

use super::Args;
use super::table::Table;
use crate::output::{input_lines, listen, print, stopped};
use crate::progress::spinner;

const COMMANDS: &str =
    "Type an action (A, 2:a1b1a2 or S:e5), legal, hint, undo, show, help or quit.";

/// Time between two checks for Ctrl-C while a line is awaited.
const PULSE: Duration = Duration::from_millis(50);

pub(super) fn run(args: &Args, seat: Player) -> anyhow::Result<ExitCode> {
    let (key, name) = match seat {
        Player::First => ("SECOND", &args.second),
        Player::Second => ("FIRST", &args.first),
    };
    let mut opponent = args.agents.read(key, name)?;
    let mut adviser = args.agents.read("--adviser", &args.adviser)?;
    let invitation = Invitation {
        results: args.folder.results.clone(),
        name: args.save.clone(),
        opponent: opponent.clone(),
        seat,
        seed: args.seed.seed,
        rules: args.setup.track,
        ring: args.setup.ring,
    };
    let game = PeopleGame::next(&invitation)?;
    for agent in [&mut opponent, &mut adviser] {
        agent.config = args.threads.of(agent.config.clone());
    }
    let [opponent, adviser] = [&opponent, &adviser].map(|file| Partner::new(file, game.seed()));
    let mut line_game = LineGame {
        table: Table::new(game.setup.clone()),
        person: seat,
        names: game.names(),
        opponent,
        adviser,
        quiet: args.output.quiet.quiet,
        stop: listen()?,
    };
    match line_game.play(&input_lines())? {
        Leaving::Over => print(|out| writeln!(out, "{}", kept(&game, &line_game.table)))?,
        Leaving::Quit => {}
        Leaving::Interrupted => {
            return Ok(stopped(format_args!(
                "Stopped: the game is not over and is not kept."
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Stores a finished game and says where it is.
fn kept(game: &PeopleGame, table: &Table) -> String {
    let dir = game.dir.display();
    match game.keep(&table.position, table.thoughts.iter().copied()) {
        Ok(number) => format!("Kept as game {number} of {dir}."),
        Err(error) => format!("The game is not kept: {error}."),
    }
}

/// How a game came to its end.
enum Leaving {
    Over,
    Quit,
    /// Ctrl-C, no more lines, or the agent failed.
    Interrupted,
}

struct LineGame {
    table: Table,
    person: Player,
    names: [String; 2],
    opponent: Partner,
    adviser: Partner,
    quiet: bool,
    stop: &'static Stop,
}

impl LineGame {
    fn play(&mut self, lines: &Receiver<io::Result<String>>) -> anyhow::Result<Leaving> {
        print(|out| writeln!(out, "{}\n{COMMANDS}", picture::LEGEND))?;
        self.show()?;
        let mut since = Instant::now();
        loop {
            let plies = self.table.position.actions.len();
            if self.stop.is_set() {
                return Ok(Leaving::Interrupted);
            } else if self.table.position.state.is_over() {
                return Ok(Leaving::Over);
            } else if self.table.position.state.mover() != self.person {
                if !self.answer()? {
                    return Ok(Leaving::Interrupted);
                }
            } else {
                let line = match lines.recv_timeout(PULSE) {
                    Ok(line) => line?,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Ok(Leaving::Interrupted),
                };
                match line.trim() {
                    "" => {}
                    "quit" | "q" => return Ok(Leaving::Quit),
                    command => {
                        let answer = self.obey(command, since.elapsed())?;
                        print(|out| writeln!(out, "{answer}"))?;
                    }
                }
            }
            if self.table.position.actions.len() != plies {
                since = Instant::now();
                self.show()?;
            }
        }
    }

    /// Does what a line asks for; returns what to say.
    fn obey(&mut self, line: &str, time: Duration) -> anyhow::Result<String> {
        Ok(match line {
            "help" | "h" | "?" => format!("{}\n{COMMANDS}", picture::LEGEND),
            "show" => {
                self.show()?;
                String::new()
            }
            "legal" => {
                let Position { setup, state, .. } = &self.table.position;
                let actions = state.legal_actions(setup);
                let actions: Vec<_> = actions.iter().map(Action::to_string).collect();
                actions.join(" ")
            }
            "hint" => self.hint(),
            "undo" | "u" if self.table.undo(self.person) => "Took back your last move.".to_owned(),
            "undo" | "u" => "There is no move of yours to take back.".to_owned(),
            action => match action.parse::<Action>() {
                Err(error) => format!("{error}. {COMMANDS}"),
                Ok(action) => match self.table.play(action, Thought::default(), time) {
                    Ok(()) => format!("You played {action}."),
                    Err(error) => format!("{action}: {error}."),
                },
            },
        })
    }

    /// Plays the opponent's move; returns whether there was one.
    fn answer(&mut self) -> anyhow::Result<bool> {
        let name = self.opponent.name().to_owned();
        let thinking = spinner(self.quiet);
        thinking.set_message(format!("{name} is thinking"));
        let decided = self.table.ask(&mut self.opponent, self.stop);
        thinking.finish_and_clear();
        let (said, is_played) = match decided {
            Ok((decision, time)) => {
                let action = decision.action;
                match self.table.play(action, decision.thought, time) {
                    Ok(()) => (format!("{name} played {action}."), true),
                    Err(error) => (format!("{name} chose {action}: {error}."), false),
                }
            }
            Err(_) if self.stop.is_set() => return Ok(false),
            Err(error) => (format!("{name} gave no answer: {error}."), false),
        };
        print(|out| writeln!(out, "{said}"))?;
        Ok(is_played)
    }

    /// What the adviser would play, and its estimate of the person's chance.
    fn hint(&mut self) -> String {
        let Ok((advice, _)) = self.table.ask(&mut self.adviser, self.stop) else {
            return format!("{} gave no advice.", self.adviser.name());
        };
        let value = advice.thought.value.map_or(String::new(), |value| {
            format!(", and sees your chance at {:.0}%", 100.0 * value)
        });
        format!(
            "{} would play {}{value}.",
            self.adviser.name(),
            advice.action
        )
    }

    /// Prints the position, and the result when the game is over.
    fn show(&self) -> anyhow::Result<()> {
        let names = self.names.each_ref().map(String::as_str);
        let position = &self.table.position;
        print(|out| {
            writeln!(out)?;
            Picture::new(position).write(out, &picture::heads(names))?;
            if position.state.is_over() {
                picture::write_outcome(out, &position.state.outcome_unchecked(), names)?;
            }
            Ok(())
        })
    }
}
