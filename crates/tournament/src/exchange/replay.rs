//! Replays recorded games and displays them.

use std::io;

use patchwork_engine::game::Position;
use patchwork_engine::record::picture::{self, Picture};
use patchwork_engine::record::{Entry, Record, play_through};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use crate::ledger::is_same_game;
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;
use crate::playing::players::{PlayablePlan, Players};

/// The result of a replay.
#[derive(Clone, Debug, PartialEq)]
pub enum Replay {
    /// The replay gives the same bytes.
    Agrees,
    /// The replay gives this different record.
    Differs(Box<Record>),
    /// An agent has a time budget or is an external program, so only the rules were checked.
    Unrepeatable,
}

/// Checks a game of the plan against the rules. If the agents are deterministic, they also play it again. If only the moves
/// of the game were kept, these are compared.
///
/// # Errors
/// When the record breaks the rules or the agents cannot play.
pub fn replay(plan: &Plan, entry: &Entry) -> Result<Replay, InputError> {
    let replayed = replayer(plan, &Stop::new())(entry)?;
    Ok(replayed.expect("nothing stops it"))
}

/// Replays games of one plan like [`replay`]; gives `None` if `stop` was set before the end of a game.
pub(crate) fn replayer(
    plan: &Plan,
    stop: &Stop,
) -> impl Fn(&Entry) -> Result<Option<Replay>, InputError> + Sync {
    let playable = PlayablePlan::new(plan);
    move |entry| {
        let record = &entry.record;
        let wrong = |what: &str| InputError::new(format!("the record is not a legal game: {what}"));
        play_through(record).map_err(|what| wrong(&what))?;
        let game = PlannedGame::from(record);
        if !playable.plan.contains(game) {
            return Err(wrong("it is not in the plan"));
        }
        if playable.streams.setup(game) != record.setup {
            return Err(wrong("its setup is not the plan's"));
        }
        let deterministic = |&agent: &u16| playable.settings[usize::from(agent)].is_deterministic();
        if !game.seats.iter().all(deterministic) {
            return Ok(Some(Replay::Unrepeatable));
        }
        let Some(again) = Players::new(&playable).play(game, stop)? else {
            return Ok(None);
        };
        Ok(Some(match is_same_game(&again.entry, entry) {
            true => Replay::Agrees,
            false => Replay::Differs(Box::new(again.entry.record)),
        }))
    }
}

/// What [`show`] writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Every position with both quilts.
    pub positions: bool,
    /// What the agents thought, with the actions that they considered if they were recorded.
    pub thoughts: bool,
}

/// Writes every ply of a game for a terminal, readable without colour. Writes nothing if `what` selects
/// nothing.
///
/// `names` are the agents in the first and the second seat.
///
/// # Errors
/// When the record breaks the rules, as an error of kind `InvalidData`, or the output cannot be written.
pub fn show(
    entry: &Entry,
    names: [&str; 2],
    shown: Shown,
    mut out: impl io::Write,
) -> io::Result<()> {
    if shown == Shown::default() {
        return Ok(());
    }
    let record = &entry.record;
    play_through(record).map_err(|what| io::Error::new(io::ErrorKind::InvalidData, what))?;
    writeln!(out, "Ring: {}", record.setup.ring())?;
    if shown.positions {
        writeln!(out, "{}", picture::LEGEND)?;
    }
    let mut position = Position::start(record.setup.clone());
    let mut considered = entry.extras.considered.plies();
    let mut expected = entry.extras.expected.plies();
    for (number, ply) in (1..).zip(&record.plies) {
        position.play(ply.action).map_err(io::Error::other)?;
        if shown.positions {
            writeln!(out)?;
        }
        picture::write_ply(&mut out, number, names[ply.player.index()], ply)?;
        writeln!(out)?;
        let considered = considered.next().unwrap_or_default();
        let expected = expected.next().unwrap_or_default();
        if shown.thoughts {
            picture::write_considered(&mut out, considered)?;
            picture::write_expected(&mut out, expected)?;
        }
        if shown.positions {
            Picture::new(&position).write(&mut out, &picture::heads(names))?;
        }
    }
    writeln!(out)?;
    match record.termination {
        Some(termination) => picture::write_termination(&mut out, termination, names)?,
        None => {
            picture::write_outcome(&mut out, &position.state.outcome_unchecked(), names)?;
        }
    }
    for (name, text) in names.into_iter().zip(&entry.extras.stderr) {
        if !text.is_empty() {
            writeln!(out, "Error output of {name}:")?;
            text.lines()
                .try_for_each(|line| writeln!(out, "  {line}"))?;
        }
    }
    if shown.thoughts && entry.extras.considered.is_empty() {
        writeln!(
            out,
            "The actions that the agents considered were not recorded; a tournament with thoughts = \"top-3\" \
             records three of each decision."
        )?;
    }
    Ok(())
}
