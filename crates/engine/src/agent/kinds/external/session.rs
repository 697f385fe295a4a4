//! The conversation with a running bot.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::command::BotCommand;
use super::process::{BotProcess, NoLine, plain};
use crate::agent::player::{AgentFault, Decision};
use crate::agent::protocol::{BotInfo, BotOption, BotReply, BotRequest, PROTOCOL_VERSION};
use crate::game::{Action, Player, Setup, State};
use crate::record::{ConsideredAction, ConsideredActions, FaultReason};
use crate::search::{Budget, Stop};
use crate::util::KeyError;
use crate::util::counted::counted;
use crate::util::rng::Rng;
use crate::util::suggest::did_you_mean;

/// How a bot identifies itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BotIdentity {
    pub(super) name: String,
    pub(super) author: String,
    pub(super) options: Vec<BotOption>,
}

/// Why a bot could not be started.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StartError {
    /// The bot failed.
    Fault(AgentFault),
    /// The agent file sets an option that the bot does not have, or sets it to an invalid value.
    Option(KeyError),
}

impl From<AgentFault> for StartError {
    fn from(fault: AgentFault) -> Self {
        Self::Fault(fault)
    }
}

/// What a bot reports with a decision.
#[derive(Debug, Default)]
pub(super) struct BotThoughts {
    pub(super) info: BotInfo,
    /// The actions that it considered, in its order.
    pub(super) considered: Vec<ConsideredAction>,
}

impl BotThoughts {
    /// Takes in another line. Later information about an action replaces earlier information.
    fn hear(&mut self, info: BotInfo) {
        if info.action.is_none() {
            return self.info.update(info);
        }
        let Some(one) = info.considered() else { return };
        let all = &mut self.considered;
        match all.iter().position(|other| other.action() == one.action()) {
            Some(at) => all[at] = one,
            None if all.len() < ConsideredActions::MOST => all.push(one),
            None => {}
        }
    }
}

/// A request for a decision.
pub(super) struct Question<'a> {
    pub(super) setup: &'a Setup,
    pub(super) state: &'a State,
    /// The actions from the start of the game to the state.
    pub(super) actions: &'a [Action],
    pub(super) budget: Option<Budget>,
    /// The time limit, after which the answer is too late.
    pub(super) limit: Duration,
    pub(super) stop: &'a Stop,
}

/// Time limit for the answer to `stop`.
const TO_STOP: Duration = Duration::from_millis(500);
/// Time limit for ending after `quit`.
pub(super) const TO_QUIT: Duration = Duration::from_millis(500);

/// A bot that has introduced itself.
#[derive(Debug)]
pub(super) struct Session {
    process: BotProcess,
    pub(super) identity: BotIdentity,
    /// The time limit for everything except decisions.
    patience: Duration,
    /// The number of lines that were not understood, and the first of them.
    pub(super) ignored: (u64, String),
}

impl Session {
    /// Starts a bot and waits until it is ready.
    pub(super) fn start(
        command: &BotCommand,
        options: &BTreeMap<String, toml::Value>,
        patience: Duration,
    ) -> Result<Self, StartError> {
        let mut session = Self::introduce(command, patience)?;
        for (name, value) in options {
            let text = session.identity.option_text(name, value);
            let value = text.map_err(StartError::Option)?;
            let name = name.clone();
            session.tell(&BotRequest::SetOption { name, value }, BotPhase::Start)?;
        }
        session.ready(BotPhase::Start)?;
        Ok(session)
    }

    /// Starts a bot and waits for its introduction.
    pub(super) fn introduce(command: &BotCommand, patience: Duration) -> Result<Self, AgentFault> {
        let process = BotProcess::start(command).map_err(|error| AgentFault {
            reason: FaultReason::StartCrash,
            detail: format!("it cannot be started: {error}"),
        })?;
        let mut session = Self {
            process,
            identity: BotIdentity::default(),
            patience,
            ignored: (0, String::new()),
        };
        session.tell(&BotRequest::Handshake(PROTOCOL_VERSION), BotPhase::Start)?;
        let deadline = Instant::now() + patience;
        loop {
            match session.reply(deadline, BotPhase::Start, "patchworkok")? {
                BotReply::Name(name) => session.identity.name = plain(&name),
                BotReply::Author(author) => session.identity.author = plain(&author),
                BotReply::Option(option) => session.identity.options.push(option),
                BotReply::HandshakeDone(PROTOCOL_VERSION) => return Ok(session),
                BotReply::HandshakeDone(other) => {
                    return Err(AgentFault {
                        reason: FaultReason::StartCrash,
                        detail: format!(
                            "it speaks version {other} of the protocol; expected {PROTOCOL_VERSION}"
                        ),
                    });
                }
                other => session.ignore(&other.to_string()),
            }
        }
    }

    /// Sets every option to its default, and waits until the bot is ready.
    pub(super) fn set_defaults(&mut self) -> Result<(), AgentFault> {
        for option in self.identity.options.clone() {
            let value = option.default_text();
            let name = option.name;
            self.tell(&BotRequest::SetOption { name, value }, BotPhase::Start)?;
        }
        self.ready(BotPhase::Start)
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
        self.tell(&request, BotPhase::Game)?;
        self.ready(BotPhase::Game)
    }

    /// Waits until the bot is ready.
    pub(super) fn ready(&mut self, phase: BotPhase) -> Result<(), AgentFault> {
        self.tell(&BotRequest::IsReady, phase)?;
        let deadline = Instant::now() + self.patience;
        loop {
            match self.reply(deadline, phase, "readyok")? {
                BotReply::Ready => return Ok(()),
                other => self.ignore(&other.to_string()),
            }
        }
    }

    /// Asks for a decision. Its time runs from the request to the answer, without the time that the arena
    /// takes to list legal actions.
    pub(super) fn decide(
        &mut self,
        question: &Question<'_>,
    ) -> Result<(Decision, BotThoughts), AgentFault> {
        let Question { setup, state, .. } = *question;
        let position = BotRequest::Position {
            setup: setup.clone(),
            actions: question.actions.to_vec(),
        };
        // Written at once, they wake the bot once.
        let lines = format!("{position}\n{}", BotRequest::Go(question.budget));
        // On a busy machine, the bot may decide before the write returns.
        let mut start = Instant::now();
        self.say(&lines, BotPhase::Game)?;
        let mut deadline = start + question.limit;
        let mut told_to_stop = false;
        let mut thoughts = BotThoughts::default();
        loop {
            let interrupt = || !told_to_stop && question.stop.is_set();
            let line = match self.process.line(deadline, interrupt) {
                Ok(line) => line,
                Err(NoLine::Late) if interrupt() => {
                    told_to_stop = true;
                    deadline = deadline.min(Instant::now() + TO_STOP);
                    self.tell(&BotRequest::Stop, BotPhase::Game)?;
                    continue;
                }
                Err(none) => {
                    let limit = Wait::Decision(question.limit);
                    return Err(fault(none, BotPhase::Game, limit));
                }
            };
            match BotReply::from(line.as_str()) {
                BotReply::Info(info) => thoughts.hear(info),
                BotReply::Legal => {
                    let asked = Instant::now();
                    let legal = BotRequest::Legal(state.legal_actions(setup)).to_string();
                    let sent = self.process.answer(&legal, deadline);
                    sent.map_err(|none| {
                        fault(none, BotPhase::Game, Wait::Decision(question.limit))
                    })?;
                    let spent = asked.elapsed();
                    start += spent;
                    deadline += spent;
                }
                BotReply::BestAction(text) => {
                    let time = start.elapsed();
                    let decision = Decision {
                        action: legal_action(setup, state, &text)?,
                        thought: thoughts.info.thought(),
                        time: Some(time),
                    };
                    let is_legal = |one: &ConsideredAction| {
                        let action = one.action();
                        action.is_some_and(|action| state.try_play(setup, action).is_ok())
                    };
                    thoughts.considered.retain(is_legal);
                    return Ok((decision, thoughts));
                }
                other => self.ignore(&other.to_string()),
            }
        }
    }

    /// Asks the bot to end; returns whether it does.
    pub(super) fn quit(&mut self) -> bool {
        let deadline = Instant::now() + TO_QUIT;
        let told = self.process.send(&BotRequest::Quit.to_string(), deadline);
        told.is_ok() && self.process.ends_by(deadline)
    }

    /// Whether the bot has other processes than its program.
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

    fn tell(&mut self, request: &BotRequest, phase: BotPhase) -> Result<(), AgentFault> {
        self.say(&request.to_string(), phase)
    }

    fn say(&mut self, lines: &str, phase: BotPhase) -> Result<(), AgentFault> {
        let deadline = Instant::now() + self.patience;
        let sent = self.process.send(lines, deadline);
        sent.map_err(|none| fault(none, phase, Wait::Reading(self.patience)))
    }

    fn reply(
        &mut self,
        deadline: Instant,
        phase: BotPhase,
        expected: &'static str,
    ) -> Result<BotReply, AgentFault> {
        let line = self.process.line(deadline, || false);
        let line = line.map_err(|none| fault(none, phase, Wait::Word(expected, self.patience)))?;
        Ok(BotReply::from(line.as_str()))
    }

    fn ignore(&mut self, line: &str) {
        if self.ignored.0 == 0 {
            self.ignored.1 = shown(line);
        }
        self.ignored.0 += 1;
    }
}

impl BotIdentity {
    /// The text of the value of an option.
    fn option_text(&self, name: &str, value: &toml::Value) -> Result<String, KeyError> {
        let key = format!("options.{name}");
        let known = self.options.iter().find(|option| option.name == name);
        let Some(option) = known else {
            let names = self.options.iter().map(|option| option.name.as_str());
            let near = did_you_mean(name, names);
            let count = counted(self.options.len() as u64, "option");
            let what = format_args!("the bot declares {count}, but not this one{near}");
            return Err(KeyError::at(&key, what));
        };
        let text = option.text_of(value);
        text.map_err(|what| KeyError::at(&key, what))
    }
}

/// When a fault happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BotPhase {
    /// Before the bot was ready for the first time.
    Start,
    /// Later.
    Game,
}

/// What the arena was waiting for.
enum Wait {
    Word(&'static str, Duration),
    Decision(Duration),
    Reading(Duration),
}

fn fault(none: NoLine, phase: BotPhase, wait: Wait) -> AgentFault {
    let of_phase = |start, game| {
        if phase == BotPhase::Start {
            start
        } else {
            game
        }
    };
    let (reason, detail) = match (none, wait) {
        (NoLine::Late, wait) => {
            let detail = match wait {
                Wait::Word(word, time) => format!("no '{word}' within {time:?}"),
                Wait::Decision(time) => format!("no action within {time:?}"),
                Wait::Reading(time) => format!("it did not read its input for {time:?}"),
            };
            (of_phase(FaultReason::StartTime, FaultReason::Time), detail)
        }
        (NoLine::Flood(what), _) => (FaultReason::Flood, what),
        (NoLine::Ended(how), _) => (of_phase(FaultReason::StartCrash, FaultReason::Crash), how),
        (NoLine::Closed(what), _) => (FaultReason::ClosedPipe, what),
    };
    AgentFault { reason, detail }
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
