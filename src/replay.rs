//! Playing a recorded game again, and showing it.

use std::io;

use crate::board::{Quilt, SIDE, Square};
use crate::game::{Action, LAST_SPACE, PatchId, Player, Setup, State};
use crate::play::PlayError;
use crate::record::{Ply, Record};
use crate::search::Stop;
use crate::tournament::store::encode_record;
use crate::tournament::{Plan, Players, RunError, Streams, specs};

/// Why a record is not the game that it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It holds no setup or no actions, or one that is illegal, or another end.
    #[error("the record is not a legal game: {0}")]
    Record(String),
    /// An agent of the plan cannot play.
    #[error("{0}")]
    Agent(String),
    /// The agents did not get to the end.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// What playing a game again has shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Replay {
    /// The same bytes.
    Agrees,
    /// The record that the agents make now.
    Differs(Box<Record>),
    /// An agent has a time budget: only the rules were checked.
    Unrepeatable,
}

/// Checks a record of the plan against the rules, and against the same agents if they play the same
/// way every time.
///
/// # Errors
/// When the record breaks the rules or the agents cannot play.
pub fn replay(plan: &Plan, record: &Record) -> Result<Replay, ReplayError> {
    let Course { setup, .. } = play_through(record).map_err(ReplayError::Record)?;
    let specs = specs(plan).map_err(|error: RunError<std::convert::Infallible>| {
        ReplayError::Agent(error.to_string())
    })?;
    let streams = Streams::new(plan);
    if streams.setup(record.id) != setup {
        return Err(ReplayError::Record("its setup is not the plan's".into()));
    }
    if !record
        .agents
        .iter()
        .all(|&agent| specs[usize::from(agent)].is_deterministic())
    {
        return Ok(Replay::Unrepeatable);
    }
    let game = plan
        .game(plan.number(record.id))
        .ok_or_else(|| ReplayError::Record("it is not in the plan".into()))?;
    let again = Players::new(&specs)
        .play(game, &streams, &Stop::new())?
        .record;
    Ok(if encode_record(&again) == encode_record(record) {
        Replay::Agrees
    } else {
        Replay::Differs(Box::new(again))
    })
}

/// A recorded game, played through by the rules.
pub(crate) struct Course {
    pub(crate) setup: Setup,
    /// The state before each ply and its action.
    pub(crate) plies: Vec<(State, Action)>,
    pub(crate) end: State,
}

/// Plays a record through; everything in it but the agents' thoughts must be what the rules give.
pub(crate) fn play_through(record: &Record) -> Result<Course, String> {
    let setup = record.setup().ok_or("its ring is none")?;
    let mut state = State::new(&setup);
    let mut plies = Vec::with_capacity(record.plies.len());
    let mut by_rules = Vec::with_capacity(record.plies.len());
    for (i, ply) in record.plies.iter().enumerate() {
        let at = |what: String| format!("ply {}: {what}", i + 1);
        let action = ply.action().ok_or_else(|| at("no action".into()))?;
        let next = state.try_play(&setup, action);
        let next = next.map_err(|error| at(format!("{action}: {error}")))?;
        let expected = Ply::new(&setup, &state, action, ply.thought);
        if expected != *ply {
            return Err(at(
                "its player, space or number of legal actions is wrong".into()
            ));
        }
        by_rules.push(expected);
        plies.push((state, action));
        state = next;
    }
    if !state.is_over() {
        return Err("it has no end".into());
    }
    if Record::new(record.id, record.agents, &setup, by_rules, &state) != *record {
        return Err("its scores, winner, bonus, buttons or covered squares are wrong".into());
    }
    Ok(Course {
        setup,
        plies,
        end: state,
    })
}

/// Writes every ply of a game with both quilts, for a terminal and readable without colour.
///
/// `names` are the agents in the first and the second seat.
///
/// # Errors
/// When the record breaks the rules, as an error of kind `InvalidData`, or the output cannot be
/// written.
pub fn show(record: &Record, names: [&str; 2], mut out: impl io::Write) -> io::Result<()> {
    let Course { setup, plies, end } =
        play_through(record).map_err(|what| io::Error::new(io::ErrorKind::InvalidData, what))?;
    let outcome = end.outcome_unchecked();
    writeln!(out, "Ring: {}", setup.ring())?;
    writeln!(
        out,
        "Patches are drawn as A to Z for 1 to 26 and a to g for 27 to 33; * is a special patch."
    )?;
    let mut quilts = [[EMPTY; Quilt::FULL.len() as usize]; 2];
    for (i, (state, action)) in plies.iter().enumerate() {
        let player = state.mover();
        let ply = &record.plies[i];
        write!(out, "\nPly {}: {} ({player})", i + 1, names[player.index()])?;
        match action {
            Action::Advance => write!(out, " advances")?,
            Action::Buy(patch, _) => {
                let (_, squares) = covered(*action);
                let printed = patch.patch();
                let (cost, time) = (printed.button_cost, printed.time_cost);
                write!(
                    out,
                    " buys patch {patch} ({cost} buttons, {time} spaces) for {squares}"
                )?;
            }
            Action::Special(square) => write!(out, " places a special patch on {square}")?,
        }
        write!(out, "; {} legal", ply.legal)?;
        if ply.thought.iterations > 0 {
            write!(out, ", {} iterations", ply.thought.iterations)?;
        }
        if let Some(value) = ply.thought.value {
            write!(out, ", expects {:.1}%", 100.0 * value)?;
        }
        writeln!(out)?;
        let (symbol, squares) = covered(*action);
        for square in squares.squares() {
            quilts[player.index()][square.index()] = symbol;
        }
        let after = plies.get(i + 1).map_or(&end, |(state, _)| state);
        write_position(&mut out, &setup, after, &quilts, names)?;
    }
    let bonus = outcome
        .bonus
        .map_or("nobody", |player| names[player.index()]);
    writeln!(
        out,
        "\n{} ({}) wins {} to {}; the 7x7 bonus went to {bonus}.",
        names[outcome.winner.index()],
        outcome.winner,
        outcome.scores[outcome.winner.index()],
        outcome.scores[outcome.winner.other().index()]
    )
}

const EMPTY: char = '.';

/// The squares that an action covers and how they are drawn.
fn covered(action: Action) -> (char, Quilt) {
    match action {
        Action::Advance => (EMPTY, Quilt::EMPTY),
        Action::Buy(patch, placement) => (symbol(patch), placement.squares(patch.patch().shape)),
        Action::Special(square) => ('*', Quilt::of(square)),
    }
}

fn symbol(patch: PatchId) -> char {
    let index = patch.index() as u8;
    char::from(if index < 26 {
        b'A' + index
    } else {
        b'a' + index - 26
    })
}

fn write_position(
    out: &mut impl io::Write,
    setup: &Setup,
    state: &State,
    quilts: &[[char; 81]; 2],
    names: [&str; 2],
) -> io::Result<()> {
    const WIDTH: usize = 34;
    let heads = Player::BOTH.map(|player| format!("{player}: {}", names[player.index()]));
    let facts = Player::BOTH.map(|player| {
        let (space, buttons) = (state.space(player), state.buttons(player));
        format!(
            "space {space}/{LAST_SPACE}  buttons {buttons}  income {}",
            state.income(player)
        )
    });
    let scores = Player::BOTH.map(|player| {
        let bonus = if state.bonus() == Some(player) {
            "  7x7"
        } else {
            ""
        };
        format!(
            "score {}  covered {}{bonus}",
            state.score(player),
            state.quilt(player).len()
        )
    });
    for [left, right] in [heads, facts, scores] {
        writeln!(out, "    {left:<WIDTH$} {right}")?;
    }
    let letters = "a b c d e f g h i";
    writeln!(out, "      {letters:<WIDTH$} {letters}")?;
    for row in 0..SIDE {
        let line = |quilt: &[char; 81]| {
            let squares = (0..SIDE).map(|column| quilt[Square::at(column, row).index()]);
            let texts: Vec<String> = squares.map(String::from).collect();
            format!("{} {}", row + 1, texts.join(" "))
        };
        writeln!(out, "    {:<WIDTH$} {}", line(&quilts[0]), line(&quilts[1]))?;
    }
    let next: Vec<String> = state
        .ring_places()
        .take(3)
        .map(|place| {
            let patch = setup.patch_at(place);
            let printed = patch.patch();
            let shape = printed.shape().literal();
            format!(
                "{patch} {shape} ({} buttons, {} spaces, income {})",
                printed.button_cost, printed.time_cost, printed.income
            )
        })
        .collect();
    if !state.is_over() {
        let specials: Vec<String> = state.special_spaces().map(|s| s.to_string()).collect();
        if !specials.is_empty() {
            writeln!(out, "    special patches on {}", specials.join(", "))?;
        }
        if !next.is_empty() {
            writeln!(out, "    next: {}", next.join(", "))?;
        }
    }
    Ok(())
}
