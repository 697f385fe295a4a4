//! `play`: agents against each other, or a person against an agent.

mod human;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use indicatif::ProgressBar;
use patchwork_engine::agent::{Agent, AgentFile};
use patchwork_engine::game::{Player, Position};
use patchwork_engine::record::picture::{self, Picture};
use patchwork_engine::record::{Entry, GameId, Record};
use patchwork_engine::util::rng::stream;
use patchwork_report::document::{LineTable, counted, duration, per_second, thousands};
use patchwork_tournament::PlannedGame;
use patchwork_tournament::play::{NumberedGame, PlayedPly, play_watched};
use patchwork_web::people::HUMAN;
use serde_json::{Value, json};

use crate::args::{Agents, ResultsFolder, SearchThreads, Seed, SetupArgs};
use crate::endings::{Form, Output};
use crate::output::{listen, note, print, stopped};
use crate::progress::spinner;

/// Show a game between two agents, or play against one
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena play mcts-regret mcts-fast\n  \
                  patchwork-arena play champion champion-1 --seed 7 --threads 2 --show\n  \
                  patchwork-arena play human mcts-regret"
)]
pub(crate) struct Args {
    /// Name or file of the agent that moves first; human for yourself
    first: String,
    /// Name or file of the other agent; human for yourself
    second: String,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: SearchThreads,
    /// Print every position
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    output: Output<Form>,
    /// With human: name or file of the agent that gives hints and evaluations
    #[arg(long, value_name = "AGENT", default_value = "mcts-regret")]
    adviser: String,
    /// With human: keep the game in a folder of this name under --results [default: human-AGENT]
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[command(flatten)]
    folder: ResultsFolder,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match [&args.first, &args.second].map(|name| name == HUMAN) {
        [false, false] => play_agents(args),
        [true, true] => bail!("SECOND: expected an agent; one of the players is human already"),
        _ if args.output.is_given() => {
            bail!("--format, --output: expected two agents; a person plays at the terminal")
        }
        [true, false] => human::run(args, Player::First),
        [false, true] => human::run(args, Player::Second),
    }
}

fn play_agents(args: &Args) -> anyhow::Result<ExitCode> {
    let form = args.output.form()?;
    let load = |key, name| args.agents.read(key, name);
    let files = [load("FIRST", &args.first)?, load("SECOND", &args.second)?];
    let mut agents = Vec::new();
    for file in &files {
        let settings = file.config.clone();
        let tried = settings.try_out();
        tried.map_err(|what| anyhow!("{}: {what}", file.name))?;
        agents.push(args.threads.of(settings).build());
    }
    let seed = args.seed.seed;
    let random = |purpose| stream(&[seed, purpose]);
    let setup = args.setup.setup(seed);
    let stop = listen()?;
    let mut table = Scoresheet::new(Position::start(setup.clone()), &files, args);
    table.is_live = form == Form::Text && args.output.file().is_none();
    table.say(Scoresheet::begin)?;
    table.wait_for(table.position.state.mover());
    let [first, second] = &mut agents[..] else {
        unreachable!("two were loaded");
    };
    let id = GameId {
        pairing: 0,
        pair: 0,
        leg: 0,
    };
    let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
    let mut printed = Ok(());
    let mut fault_detail = None;
    let ended = play_watched(
        PlannedGame { id, seats: [0, 1] },
        &setup,
        seats,
        [1, 2].map(random),
        0,
        stop,
        |played| match played {
            Ok(played) => {
                let shown = table.add(played);
                if printed.is_ok() {
                    printed = shown;
                }
            }
            Err(fault) => fault_detail = Some(fault.to_string()),
        },
    );
    table.thinking.finish_and_clear();
    printed?;
    match ended? {
        Some(NumberedGame { entry, .. }) => {
            table.say(|table, out| table.finish(out, &entry))?;
            if !table.is_live {
                let text = |out: &mut dyn Write| out.write_all(&table.text);
                args.output.answer(&table.json(&entry.record), text)?;
            }
            if let Some(detail) = fault_detail {
                note(format_args!("{detail}"));
            }
            Ok(ExitCode::SUCCESS)
        }
        None => Ok(stopped(format_args!(
            "Stopped after ply {}.",
            table.played.len()
        ))),
    }
}

/// A game printed one ply per line.
struct Scoresheet<'a> {
    position: Position,
    names: [&'a str; 2],
    show: bool,
    thinking: ProgressBar,
    /// Whether each ply is printed when it is played; otherwise, the text is collected.
    is_live: bool,
    text: Vec<u8>,
    /// The plies as JSON.
    played: Vec<Value>,
}

impl<'a> Scoresheet<'a> {
    fn new(position: Position, files: &'a [AgentFile; 2], args: &Args) -> Self {
        Self {
            position,
            names: files.each_ref().map(|file| file.name.as_str()),
            show: args.show,
            thinking: spinner(args.output.quiet.quiet),
            is_live: true,
            text: Vec::new(),
            played: Vec::new(),
        }
    }

    fn say(
        &mut self,
        write: impl FnOnce(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self.is_live {
            return self.thinking.suspend(|| print(|out| write(self, out)));
        }
        let mut text = std::mem::take(&mut self.text);
        write(self, &mut text)?;
        self.text = text;
        Ok(())
    }

    fn json(&self, record: &Record) -> Value {
        json!({
            "agents": self.names,
            "track": self.position.setup.rules(),
            "ring": self.position.setup.ring().to_string(),
            "plies": self.played,
            "scores": record.scores,
            "winner": record.winner.to_string(),
            "termination": record.termination.map(|termination| termination.reason),
        })
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        let [first, second] = self.names;
        let rules = self.position.setup.rules();
        writeln!(
            out,
            "{first} (first) against {second} (second), {rules} track"
        )?;
        writeln!(out, "Ring: {}", self.position.setup.ring())?;
        if self.show {
            return writeln!(out, "{}", picture::LEGEND);
        }
        writeln!(out, "\n{}", self.columns().head())
    }

    fn columns(&self) -> LineTable {
        let longest = self.names.iter().map(|name| name.len()).max();
        let longest = longest.unwrap_or(0).max("agent".len());
        let columns = LineTable::new(2).right("ply", 3).left("player", 6);
        let columns = columns.left("agent", longest).left("action", 19);
        let columns = columns.right("value", 6).right("iterations", 10);
        let columns = columns.right("time", 7).right("space", 5);
        columns.right("buttons", 7)
    }

    fn wait_for(&self, player: Player) {
        let name = self.names[player.index()];
        let ply = self.played.len() + 1;
        self.thinking
            .set_message(format!("ply {ply}: {name} ({player}) is thinking"));
    }

    fn add(&mut self, played: &PlayedPly) -> anyhow::Result<()> {
        self.position.play(played.ply.action)?;
        let (player, thought) = (played.before.mover(), played.ply.thought);
        self.played.push(json!({
            "player": player.to_string(),
            "action": played.ply.action.to_string(),
            "value": thought.value,
            "proven": thought.proven,
            "iterations": thought.iterations,
            "seconds": played.time.as_secs_f64(),
            "space": played.after.space(player),
            "buttons": played.after.buttons(player),
        }));
        self.say(|table, out| table.write(out, played))?;
        if !played.after.is_over() {
            self.wait_for(played.after.mover());
        }
        Ok(())
    }

    fn write(&self, out: &mut dyn Write, played: &PlayedPly) -> io::Result<()> {
        let player = played.before.mover();
        let name = self.names[player.index()];
        let time = duration(played.time.as_secs_f64());
        let thought = played.ply.thought;
        if self.show {
            writeln!(out)?;
            picture::write_ply(out, self.played.len(), name, &played.ply)?;
            writeln!(out, ", {time}")?;
            return Picture::new(&self.position).write(out, &picture::heads(self.names));
        }
        let value = match (thought.proven, thought.value) {
            (Some(true), _) => "wins".to_owned(),
            (Some(false), _) => "loses".to_owned(),
            (None, Some(value)) => format!("{:.1}%", 100.0 * value),
            (None, None) => "-".to_owned(),
        };
        let iterations = if thought.iterations > 0 {
            thousands(thought.iterations.into())
        } else {
            "-".to_owned()
        };
        let line = self.columns().line(&[
            &self.played.len(),
            &player,
            &name,
            &played.ply.action,
            &value,
            &iterations,
            &time,
            &played.after.space(player),
            &played.after.buttons(player),
        ]);
        writeln!(out, "{line}")
    }

    fn finish(&self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        writeln!(out)?;
        match entry.record.termination {
            Some(termination) => picture::write_termination(out, termination, self.names)?,
            None => {
                picture::write_outcome(out, &self.position.state.outcome_unchecked(), self.names)?
            }
        }
        for (player, time) in Player::BOTH.into_iter().zip(entry.thinking()) {
            let plies = entry.record.plies.iter();
            let mine = plies.filter(|ply| ply.player == player);
            let iterations: u64 = mine.map(|ply| u64::from(ply.thought.iterations)).sum();
            let seconds = time.as_secs_f64();
            let (name, time) = (self.names[player.index()], duration(seconds));
            write!(out, "{name} ({player}) took {time}")?;
            if iterations > 0 {
                let rate = per_second(iterations as f64 / seconds.max(1e-9));
                write!(out, " for {}, {rate}", counted(iterations, "iteration"))?;
            }
            writeln!(out, ".")?;
        }
        Ok(())
    }
}
