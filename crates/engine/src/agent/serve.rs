//! Makes an agent of this library a bot that speaks the line [protocol](super::protocol).

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::clock::Clock;
use super::player::{Agent, Limit};
use super::protocol::{BotInfo, BotReply, BotRequest, PROTOCOL_VERSION};
use super::settings::AgentSettings;
use crate::game::{Action, Setup, State};
use crate::record::{ConsideredActions, ExpectedLines};
use crate::search::{Budget, Stop};
use crate::util::InputError;
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
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let served = Arc::new(ServedAgent {
        input: Mutex::new(Some(Input {
            lines: input,
            stop: Arc::default(),
        })),
        requests: Mutex::default(),
        answers: Mutex::new(Answers {
            name: name.to_owned(),
            server: Server::new(settings.build()),
            output,
        }),
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
    /// `None` once it has ended.
    input: Mutex<Option<Input<I>>>,
    requests: Mutex<Requests>,
    answers: Mutex<Answers<O>>,
}

struct Input<I> {
    lines: I,
    /// The flag of the last `go`, which later lines set.
    stop: Arc<Stop>,
}

type Heard = (Result<BotRequest, String>, Arc<Stop>);

#[derive(Default)]
struct Requests {
    waiting: VecDeque<Heard>,
    /// Whether a thread answers them.
    answered: bool,
}

impl<I: BufRead, O: Write> ServedAgent<I, O> {
    /// Reads and answers until the input ends.
    fn take_part(&self) -> io::Result<()> {
        loop {
            let mut input = lock(&self.input);
            let Some(open) = input.as_mut() else {
                return Ok(());
            };
            let heard = open.request();
            let goes_on = |(request, _): &Heard| *request != Ok(BotRequest::Quit);
            if !heard.as_ref().is_some_and(goes_on) {
                *input = None;
            }
            let mut requests = lock(&self.requests);
            requests.waiting.extend(heard);
            if std::mem::replace(&mut requests.answered, true) {
                continue;
            }
            drop((requests, input));
            while let Some((request, stop)) = self.next_request() {
                lock(&self.answers).give(request, &stop)?;
            }
        }
    }

    fn next_request(&self) -> Option<Heard> {
        let mut requests = lock(&self.requests);
        let next = requests.waiting.pop_front();
        requests.answered = next.is_some();
        next
    }
}

/// Locks what a thread that has panicked may have held: the other one ends the conversation in order.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<I: BufRead> Input<I> {
    /// The next request, or `None` at the end.
    fn request(&mut self) -> Option<Heard> {
        loop {
            let mut line = String::new();
            if !self.lines.read_line(&mut line).is_ok_and(|read| read > 0) {
                return None;
            }
            if line.trim().is_empty() {
                continue;
            }
            let request = line.trim_end_matches(['\r', '\n']).parse();
            let request = request.map_err(|error: InputError| error.to_string());
            match request {
                Ok(BotRequest::Stop) => {
                    self.stop.set();
                    continue;
                }
                Ok(BotRequest::Quit) => self.stop.set(),
                Ok(BotRequest::Go(_)) => self.stop = Arc::default(),
                _ => {}
            }
            return Some((request, Arc::clone(&self.stop)));
        }
    }
}

/// Where requests are answered.
struct Answers<O> {
    name: String,
    server: Server,
    output: O,
}

impl<O: Write> Answers<O> {
    fn give(&mut self, request: Result<BotRequest, String>, stop: &Stop) -> io::Result<()> {
        let output = &mut self.output;
        match request {
            Ok(BotRequest::Handshake(_)) => {
                let author = concat!("Patchwork Arena ", env!("CARGO_PKG_VERSION"));
                writeln!(output, "{}", BotReply::Name(self.name.clone()))?;
                writeln!(output, "{}", BotReply::Author(author.to_owned()))?;
                writeln!(output, "{}", BotReply::HandshakeDone(PROTOCOL_VERSION))?;
            }
            Ok(request) => self.server.answer(request, stop, output)?,
            Err(what) => writeln!(output, "info text {what}")?,
        }
        output.flush()
    }
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

    /// What was said.
    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn served(requests: &str) -> String {
        let text = include_str!("../../agents/mcts-fast.toml").replace("= 1000", "= 30");
        let file = AgentFile::parse("mcts-fast.toml".as_ref(), &text).expect("an agent");
        let output = Output::default();
        let input = io::Cursor::new(requests.to_owned());
        serve("mcts-fast", &file.config, input, output.clone())
            .expect("writing to a vector cannot fail");
        let said = lock(&output.0).clone();
        String::from_utf8(said).expect("UTF-8")
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
