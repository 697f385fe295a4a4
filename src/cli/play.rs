//! `play`: agents against each other, or a person against an agent.

mod human;

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use indicatif::ProgressBar;
use patchwork_arena::document::{LineTable, counted, duration, per_second, thousands};
use patchwork_arena::people::HUMAN;
use patchwork_arena::tournament::PlannedGame;
use patchwork_arena::tournament::play::{PlayError, PlayedPly, play_watched};
use patchwork_engine::agent::{Agent, AgentFile};
use patchwork_engine::game::{Player, Ring, Rules, Setup, State};
use patchwork_engine::record::diagram::{self, Diagram};
use patchwork_engine::record::{Entry, GameId};
use patchwork_engine::util::rng::stream;

use super::args::{Agents, search_threads, seed, setup};
use super::output::{listen, note, print, stopped};
use super::progress::spinner;

/// Play a game between two agents and print it ply by ply, or play against an agent yourself
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena play mcts-regret mcts-fast\n  \
                  patchwork-arena play champion champion-1 --seed 7 --threads 2 --show\n  \
                  patchwork-arena play human mcts-regret"
)]
pub(super) struct Args {
    /// Name or file of the agent that moves first; human for yourself
    first: String,
    /// Name or file of the other agent; human for yourself
    second: String,
    /// Printing of the time board: original or revised; with a komi as in original+2
    #[arg(long, default_value_t)]
    track: Rules,
    /// The 33 patches of the ring, beginning at the token [default: shuffled by the seed]
    #[arg(long)]
    ring: Option<Ring>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Number of threads that search if the budget is time [default: as in the agent files]
    #[arg(long, value_name = "N", value_parser = search_threads())]
    threads: Option<NonZeroU32>,
    /// Print every position
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    agents: Agents,
    /// Do not show which player is thinking
    #[arg(long, short)]
    quiet: bool,
    /// With human: name or file of the agent that gives hints and evaluations
    #[arg(long, value_name = "AGENT", default_value = "mcts-regret")]
    adviser: String,
    /// With human: keep the game in a folder of this name under --results [default: human-AGENT]
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// With human: folder in which the folder of the games is created
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match [&args.first, &args.second].map(|name| name == HUMAN) {
        [false, false] => play_agents(args),
        [true, true] => bail!("SECOND: expected an agent; one of the players is human already"),
        [true, false] => human::run(args, Player::First),
        [false, true] => human::run(args, Player::Second),
    }
}

/// Plays a game between two agents.
fn play_agents(args: &Args) -> anyhow::Result<ExitCode> {
    let load = |key, name| args.agents.read(key, name);
    let files = [load("FIRST", &args.first)?, load("SECOND", &args.second)?];
    let mut agents = Vec::new();
    for file in &files {
        let settings = file.config.clone();
        let tried = settings.try_out();
        tried.map_err(|what| anyhow!("{}: {what}", file.name))?;
        agents.push(match args.threads {
            Some(threads) => settings.with_threads(threads).build(),
            None => settings.build(),
        });
    }
    let random = |purpose| stream(&[args.seed, purpose]);
    let setup = setup(args.track, args.ring, args.seed);
    let stop = listen()?;
    let mut table = Scoresheet::new(&setup, &files, args);
    print(|out| table.begin(out))?;
    table.wait_for(State::new(&setup).mover());
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
    match ended {
        Ok(entry) => {
            print(|out| table.finish(out, &entry))?;
            if let Some(detail) = fault_detail {
                note(format_args!("{detail}"));
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(PlayError::Stopped) => Ok(stopped(format_args!("Stopped after ply {}.", table.plies))),
        Err(error) => Err(error.into()),
    }
}

/// A game printed one ply per line.
struct Scoresheet<'a> {
    setup: &'a Setup,
    names: [&'a str; 2],
    show: bool,
    diagram: Diagram,
    plies: usize,
    thinking: ProgressBar,
    end: State,
}

impl<'a> Scoresheet<'a> {
    fn new(setup: &'a Setup, files: &'a [AgentFile; 2], args: &Args) -> Self {
        Self {
            setup,
            names: files.each_ref().map(|file| file.name.as_str()),
            show: args.show,
            diagram: Diagram::new(),
            plies: 0,
            thinking: spinner(args.quiet),
            end: State::new(setup),
        }
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        let [first, second] = self.names;
        let rules = self.setup.rules();
        writeln!(
            out,
            "{first} (first) against {second} (second), {rules} track"
        )?;
        writeln!(out, "Ring: {}", self.setup.ring())?;
        if self.show {
            return writeln!(out, "{}", diagram::LEGEND);
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
        let ply = self.plies + 1;
        self.thinking
            .set_message(format!("ply {ply}: {name} ({player}) is thinking"));
    }

    fn add(&mut self, played: &PlayedPly) -> anyhow::Result<()> {
        self.plies += 1;
        self.diagram.play(played.before.mover(), played.action);
        self.end = played.after;
        let this = &*self;
        this.thinking
            .suspend(|| print(|out| this.write(out, played)))?;
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
            diagram::write_ply(out, self.plies, name, played.action, &played.ply)?;
            writeln!(out, ", {time}")?;
            let heads =
                Player::BOTH.map(|player| format!("{player}: {}", self.names[player.index()]));
            let heads = heads.each_ref().map(String::as_str);
            return self.diagram.write(out, self.setup, &played.after, heads);
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
            &self.plies,
            &player,
            &name,
            &played.action,
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
            Some(termination) => diagram::write_termination(out, termination, self.names)?,
            None => diagram::write_outcome(out, &self.end.outcome_unchecked(), self.names)?,
        }
        for (player, time) in Player::BOTH.into_iter().zip(entry.thinking()) {
            let plies = entry.record.plies.iter();
            let mine = plies.filter(|ply| ply.player() == player);
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
