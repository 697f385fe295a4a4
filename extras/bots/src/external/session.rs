//! The conversation with a running bot.

use std::collections::BTreeMap;
use std::time::Duration;

use patchwork_engine::agent::{AgentFault, Decision, Limit};
use patchwork_engine::game::{Action, Player, Setup, State};
use patchwork_engine::record::{ConsideredAction, ConsideredActions, FaultReason};
use patchwork_engine::util::InputError;
use patchwork_engine::util::clock::Timer;
use patchwork_engine::util::counted;
use patchwork_engine::util::rng::Rng;
use patchwork_engine::util::suggest::did_you_mean;

use super::command::BotCommand;
use super::process::{BotProcess, NoLine, plain};
use crate::protocol::{BotInfo, BotOption, BotReply, BotRequest, PROTOCOL_VERSION};

/// Time limit for the answer to `stop`.
const TO_STOP: Duration = Duration::from_millis(500);
/// Time limit for ending after `quit`.
pub(super) const TO_QUIT: Duration = Duration::from_millis(500);

/// A bot that has introduced itself.
#[derive(Debug)]
pub(super) struct Session {
    process: BotProcess,
    pub(super) name: String,
    pub(super) author: String,
    pub(super) options: Vec<BotOption>,
    is_started: bool,
    /// The time limit for everything except decisions.
    patience: Duration,
    /// The number of lines that were not understood, and the first of them.
    pub(super) ignored: (u64, String),
}

impl Session {
    /// Starts a bot and waits for its introduction. A fault comes with the error output of the bot.
    pub(super) fn introduce(
        command: &BotCommand,
        patience: Duration,
    ) -> Result<Self, (AgentFault, String)> {
        let process = BotProcess::start(command).map_err(|error| {
            let fault = AgentFault {
                reason: FaultReason::StartCrash,
                detail: format!("it cannot be started: {error}"),
            };
            (fault, String::new())
        })?;
        let mut session = Self {
            process,
            name: String::new(),
            author: String::new(),
            options: Vec::new(),
            is_started: false,
            patience,
            ignored: (0, String::new()),
        };
        match session.hear_introduction() {
            Ok(()) => Ok(session),
            Err(fault) => Err((fault, session.kill())),
        }
    }

    fn hear_introduction(&mut self) -> Result<(), AgentFault> {
        self.tell(&BotRequest::Handshake(PROTOCOL_VERSION))?;
        let mut timer = Timer::new(self.patience);
        loop {
            match self.reply(&mut timer, "patchworkok")? {
                BotReply::Name(name) => self.name = plain(&name),
                BotReply::Author(author) => self.author = plain(&author),
                BotReply::Option(option) => self.options.push(option),
                BotReply::HandshakeDone(PROTOCOL_VERSION) => return Ok(()),
                BotReply::HandshakeDone(other) => {
                    return Err(AgentFault {
                        reason: FaultReason::StartCrash,
                        detail: format!(
                            "it speaks version {other} of the protocol; expected {PROTOCOL_VERSION}"
                        ),
                    });
                }
                other => self.ignore(&other.to_string()),
            }
        }
    }

    /// The requests that set these options.
    pub(super) fn option_requests(
        &self,
        options: &BTreeMap<String, toml::Value>,
    ) -> Result<Vec<BotRequest>, InputError> {
        let request = |(name, value): (&String, &toml::Value)| {
            let (name, value) = (name.clone(), self.option_text(name, value)?);
            Ok(BotRequest::SetOption { name, value })
        };
        options.iter().map(request).collect()
    }

    /// The requests that set every option to its default.
    pub(super) fn default_requests(&self) -> Vec<BotRequest> {
        let request = |option: &BotOption| BotRequest::SetOption {
            name: option.name.clone(),
            value: option.default_text(),
        };
        self.options.iter().map(request).collect()
    }

    /// Sets options and waits until the bot is ready.
    pub(super) fn set_options(&mut self, requests: &[BotRequest]) -> Result<(), AgentFault> {
        requests.iter().try_for_each(|request| self.tell(request))?;
        self.ready()
    }

    /// Starts a game and waits until the bot is ready.
    pub(super) fn new_game(
        &mut self,
        setup: &Setup,
        seat: Player,
        rng: &Rng,
    ) -> Result<(), AgentFault> {
        let request = BotRequest::NewGame {
            setup: setup.clone(),
            seat,
            rng: rng.clone(),
        };
        self.tell(&request)?;
        self.ready()
    }

    /// Waits until the bot is ready.
    pub(super) fn ready(&mut self) -> Result<(), AgentFault> {
        self.tell(&BotRequest::IsReady)?;
        let mut timer = Timer::new(self.patience);
        loop {
            match self.reply(&mut timer, "readyok")? {
                BotReply::Ready => break,
                other => self.ignore(&other.to_string()),
            }
        }
        self.is_started = true;
        Ok(())
    }

    /// Asks for a decision in a state to which these actions lead from the start of the game; after `patience`, the
    /// answer is too late. Also returns the line that the bot expects, and the actions that it considered, in its order.
    ///
    /// The time of the decision runs from the request to the answer, without the time that the arena takes to list legal
    /// actions.
    pub(super) fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        actions: &[Action],
        limit: Limit<'_>,
        patience: Duration,
    ) -> Result<(Decision, Vec<Action>, Vec<ConsideredAction>), AgentFault> {
        let position = BotRequest::Position {
            setup: setup.clone(),
            actions: actions.to_vec(),
        };
        // Written at once, they wake the bot once.
        let lines = format!("{position}\n{}", BotRequest::Go(limit.budget));
        // On a busy machine, the bot may decide before the write returns.
        let mut timer = Timer::new(patience);
        self.say(&lines)?;
        let late = || format!("no action within {patience:?}");
        let mut told_to_stop = false;
        let mut thoughts = BotInfo::default();
        let mut considered = Vec::new();
        loop {
            let interrupt = || !told_to_stop && limit.stop.is_set();
            let line = match self.process.line(&mut timer, interrupt) {
                Ok(line) => line,
                Err(NoLine::Late) if interrupt() => {
                    told_to_stop = true;
                    timer.shorten(TO_STOP);
                    self.tell(&BotRequest::Stop)?;
                    continue;
                }
                Err(none) => return Err(self.fault(none, late())),
            };
            match BotReply::from(line.as_str()) {
                BotReply::Info(info) if info.action.is_none() => thoughts.update(info),
                BotReply::Info(info) => hear_considered(&info, &mut considered),
                BotReply::Legal => {
                    let asked = timer.elapsed();
                    let legal = BotRequest::Legal(state.legal_actions(setup)).to_string();
                    let sent = self.process.answer(&legal, &mut timer);
                    sent.map_err(|none| self.fault(none, late()))?;
                    let answered = timer.elapsed();
                    timer.exclude(answered - asked);
                }
                BotReply::BestAction(text) => {
                    let time = timer.elapsed();
                    let decision = Decision {
                        action: legal_action(setup, state, &text)?,
                        thought: thoughts.thought(),
                        time: Some(time),
                    };
                    considered.retain(|one| state.try_play(setup, one.action).is_ok());
                    return Ok((decision, thoughts.line, considered));
                }
                other => self.ignore(&other.to_string()),
            }
        }
    }

    /// Asks the bot to end; returns whether it does.
    pub(super) fn quit(&mut self) -> bool {
        let mut timer = Timer::new(TO_QUIT);
        let told = (self.process).send(&BotRequest::Quit.to_string(), &mut timer);
        told.is_ok() && self.process.ends_by(&mut timer)
    }

    pub(super) fn has_children(&self) -> bool {
        self.process.has_children()
    }

    /// The error output since the last call.
    pub(super) fn take_errors(&mut self) -> String {
        self.process.take_errors()
    }

    /// Kills all processes of the bot, and returns its error output.
    pub(super) fn kill(mut self) -> String {
        self.process.kill();
        self.process.take_errors()
    }

    fn tell(&mut self, request: &BotRequest) -> Result<(), AgentFault> {
        self.say(&request.to_string())
    }

    fn say(&mut self, lines: &str) -> Result<(), AgentFault> {
        let sent = self.process.send(lines, &mut Timer::new(self.patience));
        let late = || format!("it did not read its input for {:?}", self.patience);
        sent.map_err(|none| self.fault(none, late()))
    }

    fn reply(&mut self, timer: &mut Timer, expected: &str) -> Result<BotReply, AgentFault> {
        let line = self.process.line(timer, || false);
        let late = || format!("no '{expected}' within {:?}", self.patience);
        let line = line.map_err(|none| self.fault(none, late()))?;
        Ok(BotReply::from(line.as_str()))
    }

    /// The fault of a bot from which no line came; `late` says what it did not do in time.
    fn fault(&self, none: NoLine, late: String) -> AgentFault {
        let (reason, detail) = match (none, self.is_started) {
            (NoLine::Late, false) => (FaultReason::StartTime, late),
            (NoLine::Late, true) => (FaultReason::Time, late),
            (NoLine::Ended(how), false) => (FaultReason::StartCrash, how),
            (NoLine::Ended(how), true) => (FaultReason::Crash, how),
            (NoLine::Flood(what), _) => (FaultReason::Flood, what),
            (NoLine::Closed(what), _) => (FaultReason::ClosedPipe, what),
        };
        AgentFault { reason, detail }
    }

    fn ignore(&mut self, line: &str) {
        if self.ignored.0 == 0 {
            self.ignored.1 = shown(line);
        }
        self.ignored.0 += 1;
    }

    /// The text of the value of an option.
    fn option_text(&self, name: &str, value: &toml::Value) -> Result<String, InputError> {
        let key = format!("options.{name}");
        let known = self.options.iter().find(|option| option.name == name);
        let Some(option) = known else {
            let names = self.options.iter().map(|option| option.name.as_str());
            let near = did_you_mean(name, names);
            let count = counted(self.options.len() as u64, "option");
            let what = format_args!("the bot declares {count}, but not this one{near}");
            return Err(InputError::at(&key, what));
        };
        let text = option.text_of(value);
        text.map_err(|what| InputError::at(&key, what))
    }
}

/// Takes in information about an action. It replaces earlier information.
fn hear_considered(info: &BotInfo, all: &mut Vec<ConsideredAction>) {
    let Some(one) = info.considered() else { return };
    match all.iter().position(|other| other.action == one.action) {
        Some(at) => all[at] = one,
        None if all.len() < ConsideredActions::MOST => all.push(one),
        None => {}
    }
}

fn legal_action(setup: &Setup, state: &State, text: &str) -> Result<Action, AgentFault> {
    let action: Action = text.parse().map_err(|_| AgentFault {
        reason: FaultReason::GarbledAction,
        detail: format!("'{}' is not an action", shown(text)),
    })?;
    match state.try_play(setup, action) {
        Ok(_) => Ok(action),
        Err(error) => Err(AgentFault {
            reason: FaultReason::IllegalAction,
            detail: format!("{action}: {error}"),
        }),
    }
}

/// The start of a line, safe to show on a terminal.
pub(super) fn shown(line: &str) -> String {
    const MOST: usize = 80;
    let line = plain(line).replace(['\n', '\t'], " ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}
