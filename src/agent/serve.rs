//! Makes an agent of this library a bot that speaks the line [protocol](super::protocol).

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use super::clock::Clock;
use super::kinds::AgentSettings;
use super::player::{Agent, Limit};
use super::protocol::{BotInfo, BotReply, BotRequest, PROTOCOL_VERSION};
use crate::game::{Action, Setup, State};
use crate::record::{ConsideredActions, ExpectedLines};
use crate::search::{Budget, Stop};
use crate::util::rng::{Rng, stream};

/// Answers the requests of an arena until it asks to quit or its output ends. An unknown request is answered
/// with an `info text` line. The agent plays the same games as inside the arena, because each game's random
/// stream comes with the request for it.
///
/// # Errors
/// When the output cannot be written.
pub fn serve(
    name: &str,
    settings: &AgentSettings,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let requests = listen(input);
    let mut server = Server::new(settings.build());
    while let Ok((request, stop)) = requests.recv() {
        match request {
            Ok(BotRequest::Quit) => break,
            Ok(BotRequest::Handshake(_)) => {
                let author = concat!("Patchwork Arena ", env!("CARGO_PKG_VERSION"));
                writeln!(output, "{}", BotReply::Name(name.to_owned()))?;
                writeln!(output, "{}", BotReply::Author(author.to_owned()))?;
                writeln!(output, "{}", BotReply::HandshakeDone(PROTOCOL_VERSION))?;
            }
            Ok(request) => server.answer(request, &stop, &mut output)?,
            Err(what) => writeln!(output, "info text {what}")?,
        }
        output.flush()?;
    }
    Ok(())
}

type Heard = (Result<BotRequest, String>, Arc<Stop>);

/// Reads requests on a separate thread, so that `stop` is received while the agent decides. Each `go` has a
/// new flag, which later lines set.
fn listen(input: impl BufRead + Send + 'static) -> Receiver<Heard> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut current = Arc::new(Stop::new());
        for line in input.lines() {
            let Ok(line) = line else { break };
            if line.trim().is_empty() {
                continue;
            }
            let request: Result<BotRequest, String> = line
                .parse()
                .map_err(|error: super::protocol::ParseRequestError| error.to_string());
            match request {
                Ok(BotRequest::Stop) => {
                    current.set();
                    continue;
                }
                Ok(BotRequest::Quit) => current.set(),
                Ok(BotRequest::Go(_)) => current = Arc::new(Stop::new()),
                _ => {}
            }
            if sender.send((request, Arc::clone(&current))).is_err() {
                return;
            }
        }
    });
    receiver
}

/// An agent and its current game.
struct Server {
    agent: Box<dyn Agent>,
    rng: Rng,
    /// The setup of the game, and the actions that the agent has observed.
    game: Option<(Setup, Vec<Action>)>,
    state: Option<State>,
}

impl Server {
    fn new(agent: Box<dyn Agent>) -> Self {
        Self {
            agent,
            rng: stream(&[0]),
            game: None,
            state: None,
        }
    }

    fn answer(&mut self, request: BotRequest, stop: &Stop, out: &mut impl Write) -> io::Result<()> {
        match request {
            BotRequest::IsReady => writeln!(out, "{}", BotReply::Ready),
            BotRequest::NewGame { setup, rng, .. } => {
                self.rng = rng;
                self.begin(setup);
                Ok(())
            }
            BotRequest::Position { setup, actions } => match self.go_to(setup, &actions) {
                Ok(()) => Ok(()),
                Err(what) => writeln!(out, "info text {what}"),
            },
            BotRequest::Go(budget) => self.decide(budget, stop, out),
            BotRequest::SetOption { name, .. } => {
                writeln!(out, "info text there is no option {name}")
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, setup: Setup) {
        self.agent.start(&setup, self.rng.clone());
        self.state = Some(State::new(&setup));
        self.game = Some((setup, Vec::new()));
    }

    /// Shows the agent the actions up to a position.
    fn go_to(&mut self, setup: Setup, actions: &[Action]) -> Result<(), String> {
        let continues = |(known, observed): &(Setup, Vec<Action>)| {
            *known == setup && actions.starts_with(observed)
        };
        if !self.game.as_ref().is_some_and(continues) {
            self.begin(setup);
        }
        let (Some((setup, observed)), Some(state)) = (&mut self.game, &mut self.state) else {
            return Ok(());
        };
        for &action in &actions[observed.len()..] {
            let next = state.try_play(setup, action);
            *state = next.map_err(|error| format!("{action} is illegal: {error}"))?;
            observed.push(action);
            self.agent.observe(action);
        }
        Ok(())
    }

    fn decide(
        &mut self,
        budget: Option<Budget>,
        stop: &Stop,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (Some((setup, _)), Some(state)) = (&self.game, &self.state) else {
            return writeln!(out, "info text there is no position to decide in");
        };
        if state.is_over() {
            return writeln!(out, "info text the game is over");
        }
        let budget = budget.map(|budget| match budget {
            Budget::GameTime(left) => Budget::Time(Clock::new(left).allot(state)),
            budget => budget,
        });
        match self.agent.decide(setup, state, Limit { budget, stop }) {
            Ok(decision) => {
                let played = decision.action;
                for one in self.agent.considered(played, ConsideredActions::MOST) {
                    writeln!(out, "{}", BotReply::Info(BotInfo::from(&one)))?;
                }
                let mut info = BotInfo::from(decision.thought);
                info.line = self.agent.line(played, ExpectedLines::MOST);
                if info != BotInfo::default() {
                    writeln!(out, "{}", BotReply::Info(info))?;
                }
                writeln!(out, "{}", BotReply::BestAction(played.to_string()))
            }
            Err(fault) => writeln!(out, "info text {fault}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentFile;
    use crate::record::ConsideredAction;
    use crate::support::positions::setup;

    fn served(requests: &str) -> String {
        let text = include_str!("../../agents/mcts-fast.toml").replace("= 1000", "= 30");
        let file = AgentFile::parse("mcts-fast.toml".as_ref(), &text).expect("an agent");
        let mut output = Vec::new();
        let input = io::Cursor::new(requests.to_owned());
        serve("mcts-fast", &file.config, input, &mut output).expect("a vector takes all");
        String::from_utf8(output).expect("UTF-8")
    }

    #[test]
    fn mistakes_are_answered_by_a_sentence() {
        let position = BotRequest::Position {
            setup: setup(1),
            actions: Vec::new(),
        };
        for (requests, expected) in [
            (
                "go\n",
                "info text there is no position to decide in\n".to_owned(),
            ),
            ("hello\n", "info text unknown command 'hello'\n".to_owned()),
            (
                "setoption name x value y\n",
                "info text there is no option x\n".to_owned(),
            ),
            (
                &format!("{position} S:a1\n"),
                "info text S:a1 is illegal: no special patch waits to be placed\n".to_owned(),
            ),
            ("isready\nquit\nisready\n", "readyok\n".to_owned()),
        ] {
            assert_eq!(served(requests), expected, "{requests}");
        }
    }

    #[test]
    fn a_decision_comes_with_the_thoughts_of_the_agent() {
        let position = BotRequest::Position {
            setup: setup(1),
            actions: Vec::new(),
        };
        let said = served(&format!("patchwork 1\n{position}\ngo\n"));
        let lines: Vec<BotReply> = said.lines().map(BotReply::from).collect();
        let [
            BotReply::Name(name),
            BotReply::Author(_),
            BotReply::HandshakeDone(1),
            thoughts @ ..,
            BotReply::Info(info),
            BotReply::BestAction(action),
        ] = &lines[..]
        else {
            panic!("{said}");
        };
        assert_eq!((name.as_str(), info.visits), ("mcts-fast", Some(30)));
        let action: Action = action.parse().expect("an action");
        assert_eq!(info.line.first(), Some(&action), "{said}");
        assert!(info.line.len() > 1, "{said}");
        let considered: Vec<ConsideredAction> = thoughts
            .iter()
            .map(|reply| match reply {
                BotReply::Info(info) => info.considered().expect("an action with its value"),
                _ => panic!("{said}"),
            })
            .collect();
        assert!(
            (2..=ConsideredActions::MOST).contains(&considered.len()),
            "{said}"
        );
        assert_eq!(considered[0].action(), Some(action));
    }
}
