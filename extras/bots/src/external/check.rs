//! Checks that a bot follows the whole protocol.

use std::time::{Duration, Instant};

use patchwork_engine::agent::{AgentFault, Limit};
use patchwork_engine::game::{Action, Player, Setup, State, Track};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::counted;
use patchwork_engine::util::rng::stream;
use rand::RngExt as _;

use super::command::BotCommand;
use super::session::{Session, TO_QUIT, shown};
use crate::protocol::BotOption;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotCheck {
    /// Whether the bot did everything required.
    pub passed: bool,
    /// Remarks on optional behaviour.
    pub remarks: Vec<String>,
    /// What it wrote to its standard error; long output is cut.
    pub stderr: String,
}

/// The time limit for starting, and for a decision.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time per decision that the bot is given.
const TOLD: Duration = Duration::from_millis(100);

/// Takes a bot through the protocol: its introduction, options, two games, `stop` and `quit`. When a step is done, `tell`
/// is called with what was tried and with what the bot did, or what is wrong, as a clause; the check ends at the first
/// failure.
pub fn check_bot(
    command: &BotCommand,
    mut tell: impl FnMut(&str, &Result<String, String>),
) -> BotCheck {
    let mut check = BotCheck::default();
    let mut step = |name, result: Result<String, String>| {
        tell(name, &result);
        result.is_ok()
    };
    let start = Instant::now();
    let mut session = match Session::introduce(command, PATIENCE) {
        Ok(session) => session,
        Err((fault, stderr)) => {
            step("start", Err(advice(fault)));
            check.stderr = stderr;
            return check;
        }
    };
    let name = match session.name.as_str() {
        "" => "a bot without a name",
        name => name,
    };
    let author = match session.author.as_str() {
        "" => String::new(),
        author => format!(" by {author}"),
    };
    let took = start.elapsed();
    check.passed = step("start", Ok(format!("{name}{author}, {took:.0?}")))
        && step("options", Ok(options(&session.options)))
        && step("ready", set_defaults(&mut session))
        && step(
            "first game",
            game(&mut session, Player::First, &mut check.remarks),
        )
        && step(
            "second game",
            game(&mut session, Player::Second, &mut check.remarks),
        )
        && step("stop", stop(&mut session));
    if session.ignored.0 > 0 {
        let (count, first) = &session.ignored;
        let verb = if *count == 1 { "was" } else { "were" };
        check.remarks.push(format!(
            "{} {verb} not understood and ignored; the first is: {first}",
            counted(*count, "line")
        ));
    }
    if check.passed {
        let has_children = session.has_children();
        match session.quit() {
            true => check.passed = step("quit", Ok("its program ends".to_owned())),
            false => check.remarks.push(format!(
                "its program does not end within {TO_QUIT:?} after quit; the arena then kills it"
            )),
        }
        if has_children {
            check
                .remarks
                .push("it has child processes; the arena kills them with it".to_owned());
        }
    }
    check.stderr = session.kill();
    check
}

fn options(options: &[BotOption]) -> String {
    if options.is_empty() {
        return "none".to_owned();
    }
    let texts: Vec<String> = options
        .iter()
        .map(|option| shown(&option.to_string()))
        .collect();
    texts.join("; ")
}

fn set_defaults(session: &mut Session) -> Result<String, String> {
    let defaults = session.default_requests();
    session.set_options(&defaults).map_err(advice)?;
    Ok("readyok".to_owned())
}

/// Plays a game against random actions with the bot in this seat.
fn game(session: &mut Session, seat: Player, remarks: &mut Vec<String>) -> Result<String, String> {
    let mut rng = stream(&[seat.index() as u64]);
    let setup = Setup::random(Track::ALL[seat.index()], &mut rng);
    let told = session.new_game(&setup, seat, &stream(&[rng.random()]));
    told.map_err(advice)?;
    let mut state = State::new(&setup);
    let mut actions: Vec<Action> = Vec::new();
    let (mut decisions, mut longest) = (0, Duration::ZERO);
    while !state.is_over() {
        let action = if state.mover() == seat {
            let limit = Limit {
                budget: Some(Budget::Time(TOLD)),
                stop: &Stop::new(),
            };
            let ply = actions.len() + 1;
            let decided = session.decide(&setup, &state, &actions, limit, PATIENCE);
            let (decision, ..) =
                decided.map_err(|fault| format!("ply {ply}: {}", advice(fault)))?;
            decisions += 1;
            longest = longest.max(decision.time.unwrap_or_default());
            decision.action
        } else {
            state.random_action(&setup, &mut rng)
        };
        state = state
            .try_play(&setup, action)
            .map_err(|error| error.to_string())?;
        actions.push(action);
    }
    if longest > TOLD {
        remarks.push(format!(
            "it was told to decide in {TOLD:?} and took up to {longest:.0?}"
        ));
    }
    let [own, other] = [seat, seat.other()].map(|player| state.score(player));
    Ok(format!(
        "{decisions} legal actions as the {seat} player, {own} to {other} points, at most {longest:.1?} each"
    ))
}

/// Asks for a decision and stops the bot at once.
fn stop(session: &mut Session) -> Result<String, String> {
    let setup = Setup::random(Track::Original, &mut stream(&[7]));
    let told = session.new_game(&setup, Player::First, &stream(&[8]));
    told.map_err(advice)?;
    let stop = Stop::new();
    stop.set();
    let limit = Limit {
        budget: Some(Budget::Time(Duration::from_secs(5))),
        stop: &stop,
    };
    let decided = session.decide(&setup, &State::new(&setup), &[], limit, PATIENCE);
    let (decision, ..) = decided.map_err(advice)?;
    session.ready().map_err(advice)?;
    let time = decision.time.unwrap_or_default();
    Ok(format!("it decides after {time:.0?}"))
}

/// The fault, with a common cause.
fn advice(fault: AgentFault) -> String {
    use patchwork_engine::record::FaultReason as R;
    let hint = match fault.reason {
        R::StartTime | R::Time => {
            "; does it flush its output after each line, and read its input line by line?"
        }
        R::IllegalAction => "; the command legal gives the legal actions",
        _ => "",
    };
    format!("{fault}{hint}")
}
