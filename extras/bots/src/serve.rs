//! Makes an agent of the engine a bot that speaks the line [protocol](crate::protocol).

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use patchwork_engine::agent::{Agent, AgentSettings, Limit, allot};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::record::{ConsideredActions, ExpectedLines};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, stream};

use crate::protocol::{BotInfo, BotReply, BotRequest, PROTOCOL_VERSION};

/// Answers the requests of an arena until it asks to quit or its output ends. An unknown request is answered
/// with an `info text` line. The agent plays the same games as inside the arena, because each game's random
/// stream comes with the request for it.
pub fn serve(
    name: &str,
    settings: &AgentSettings,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let served = Arc::new(ServedAgent {
        input: Mutex::new(Some((input, Arc::default()))),
        requests: Mutex::default(),
        server: Mutex::new(Server::new(name, settings.build(), output)),
    });
    let (sender, results) = mpsc::channel();
    for _ in 0..2 {
        let (served, sender) = (Arc::clone(&served), sender.clone());
        thread::spawn(move || {
            let take_part = AssertUnwindSafe(|| served.take_part());
            sender.send(panic::catch_unwind(take_part))
        });
    }
    drop(sender);
    // After an error or a panic, the other thread may wait for input that never comes.
    for result in results {
        result.unwrap_or_else(|panic| panic::resume_unwind(panic))?;
    }
    Ok(())
}

/// Requests and answers. Two threads take part: the one that reads a request answers it, while the other one
/// reads on, so that `stop` is heard while the agent decides. Handing requests from one thread to the other
/// would cost a wake-up for each.
struct ServedAgent<I, O> {
    /// The lines, and the flag of the last `go`, which later lines set. `None` once they have ended.
    input: Mutex<Option<(I, Arc<Stop>)>>,
    /// The requests that wait for the thread that answers them; `None` while there is no such thread.
    requests: Mutex<Option<VecDeque<Heard>>>,
    server: Mutex<Server<O>>,
}

type Heard = (Result<BotRequest, String>, Arc<Stop>);

impl<I: BufRead, O: Write> ServedAgent<I, O> {
    /// Reads and answers until the input ends.
    fn take_part(&self) -> io::Result<()> {
        loop {
            let mut input = lock(&self.input);
            let Some((lines, stop)) = input.as_mut() else {
                return Ok(());
            };
            let heard = next_request(lines, stop);
            let goes_on = |(request, _): &Heard| *request != Ok(BotRequest::Quit);
            if !heard.as_ref().is_some_and(goes_on) {
                *input = None;
            }
            let mut requests = lock(&self.requests);
            if let Some(waiting) = requests.as_mut() {
                waiting.extend(heard);
                continue;
            }
            *requests = Some(heard.into_iter().collect());
            drop((requests, input));
            while let Some((request, stop)) = self.next_request() {
                lock(&self.server).answer(request, &stop)?;
            }
        }
    }

    fn next_request(&self) -> Option<Heard> {
        let mut requests = lock(&self.requests);
        let next = requests.as_mut()?.pop_front();
        requests.take_if(|_| next.is_none());
        next
    }
}

/// Locks what a thread that has panicked may have held: the other one ends the conversation in order.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next request, or `None` at the end of the lines.
fn next_request(lines: &mut impl BufRead, stop: &mut Arc<Stop>) -> Option<Heard> {
    loop {
        let mut line = String::new();
        if !lines.read_line(&mut line).is_ok_and(|read| read > 0) {
            return None;
        }
        if line.trim().is_empty() {
            continue;
        }
        let request = line.trim_end_matches(['\r', '\n']).parse();
        let request = request.map_err(|error: InputError| error.to_string());
        match request {
            Ok(BotRequest::Stop) => {
                stop.set();
                continue;
            }
            Ok(BotRequest::Quit) => stop.set(),
            Ok(BotRequest::Go(_)) => *stop = Arc::default(),
            _ => {}
        }
        return Some((request, Arc::clone(stop)));
    }
}

/// An agent and its current game, and where it answers.
struct Server<O> {
    name: String,
    output: O,
    agent: Box<dyn Agent>,
    rng: Rng,
    /// The setup of the game, and the actions that the agent has observed.
    game: Option<(Setup, Vec<Action>)>,
    state: Option<State>,
}

impl<O: Write> Server<O> {
    fn new(name: &str, agent: Box<dyn Agent>, output: O) -> Self {
        Self {
            name: name.to_owned(),
            output,
            agent,
            rng: stream(&[0]),
            game: None,
            state: None,
        }
    }

    fn answer(&mut self, request: Result<BotRequest, String>, stop: &Stop) -> io::Result<()> {
        match request {
            Ok(BotRequest::Handshake(_)) => {
                let author = concat!("Patchwork Arena ", env!("CARGO_PKG_VERSION"));
                self.say(&BotReply::Name(self.name.clone()))?;
                self.say(&BotReply::Author(author.to_owned()))?;
                self.say(&BotReply::HandshakeDone(PROTOCOL_VERSION))?;
            }
            Ok(BotRequest::IsReady) => self.say(&BotReply::Ready)?,
            Ok(BotRequest::NewGame { setup, rng, .. }) => {
                self.rng = rng;
                self.begin(setup);
            }
            Ok(BotRequest::Position { setup, actions }) => {
                if let Err(what) = self.go_to(setup, &actions) {
                    self.say_text(what)?;
                }
            }
            Ok(BotRequest::Go(budget)) => self.decide(budget, stop)?,
            Ok(BotRequest::SetOption { name, .. }) => {
                self.say_text(format_args!("there is no option {name}"))?;
            }
            Ok(_) => {}
            Err(what) => self.say_text(what)?,
        }
        self.output.flush()
    }

    fn say(&mut self, reply: &BotReply) -> io::Result<()> {
        writeln!(self.output, "{reply}")
    }

    fn say_text(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.output, "info text {text}")
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

    fn decide(&mut self, budget: Option<Budget>, stop: &Stop) -> io::Result<()> {
        let (Some((setup, _)), Some(state)) = (&self.game, &self.state) else {
            return self.say_text("there is no position to decide in");
        };
        if state.is_over() {
            return self.say_text("the game is over");
        }
        let budget = budget.map(|budget| match budget {
            Budget::GameTime(left) => Budget::Time(allot(left, state)),
            budget => budget,
        });
        match self.agent.decide(setup, state, Limit { budget, stop }) {
            Ok(decision) => {
                let played = decision.action;
                for one in self.agent.considered(played, ConsideredActions::MOST) {
                    self.say(&BotReply::Info(BotInfo::from(&one)))?;
                }
                let mut info = BotInfo::from(decision.thought);
                info.line = self.agent.line(played, ExpectedLines::MOST);
                if info != BotInfo::default() {
                    self.say(&BotReply::Info(info))?;
                }
                self.say(&BotReply::BestAction(played.to_string()))
            }
            Err(fault) => self.say_text(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use patchwork_engine::agent::{AgentFile, SHIPPED};
    use patchwork_engine::record::ConsideredAction;

    use super::*;
    use patchwork_engine::testing::setup;

    /// What is said; it fits into a pipe.
    fn served(requests: &str) -> String {
        let (_, text) = SHIPPED
            .iter()
            .find(|(name, _)| *name == "mcts-fast")
            .expect("shipped");
        let text = text.replace("= 1000", "= 30");
        let file = AgentFile::parse("mcts-fast.toml".as_ref(), &text).expect("an agent");
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let input = io::Cursor::new(requests.to_owned());
        serve("mcts-fast", &file.config, input, writer).expect("it can write");
        io::read_to_string(&mut reader).expect("UTF-8")
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
        assert_eq!(considered[0].action, action);
    }
}
