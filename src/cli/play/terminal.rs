//! A game on the terminal: passes keys to the model, draws it, and lets the agents think on another thread.

use std::io::{self, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use console::{Key, Term};
use patchwork_arena::people::{PeopleGame, Table};
use patchwork_engine::agent::{Decision, Partner};
use patchwork_engine::search::Stop;

use super::ending::{Left, keep};
use super::grid::CharGrid;
use super::model::{Model, ModelRequest};
use super::raw::RawMode;
use super::view::draw;

/// Time between two checks of the agents' answers and of the terminal's size.
const PULSE: Duration = Duration::from_millis(50);

/// Events from the other threads.
enum News {
    Key(Key),
    /// An agent's decision and the time it took.
    Answer(ModelRequest, Result<(Decision, Duration), String>),
    /// The terminal can no longer be read.
    Closed,
}

/// The alternate screen of the terminal, in raw mode. It is left however the program ends.
struct Screen {
    raw: RawMode,
    shown: Option<CharGrid>,
    has_colour: bool,
}

/// Enters the alternate screen and hides the cursor; `LEAVE` undoes both.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

fn write_now(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

impl Screen {
    fn take() -> anyhow::Result<Self> {
        let raw = RawMode::enter().context("the terminal cannot be used")?;
        let screen = Self {
            raw,
            shown: None,
            has_colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        write_now(ENTER).context("cannot write to the terminal")?;
        let before = std::panic::take_hook();
        let raw = screen.raw.clone();
        std::panic::set_hook(Box::new(move |info| {
            let _ = write_now(LEAVE);
            raw.leave();
            before(info);
        }));
        Ok(screen)
    }

    /// Shows the game; only what has changed is written.
    fn show(&mut self, model: &Model) -> anyhow::Result<()> {
        let (lines, columns) = Term::stdout().size();
        let mut next = CharGrid::new(columns.into(), lines.into());
        draw(model, &mut next);
        let changes = next.changes(self.shown.as_ref(), self.has_colour);
        if !changes.is_empty() {
            write_now(&changes).context("cannot write to the terminal")?;
        }
        self.shown = Some(next);
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = write_now(LEAVE);
        self.raw.leave();
    }
}

/// Starts the thread on which the agents think; it receives requests and sends answers as news.
fn start_agents(
    mut opponent: Partner,
    mut adviser: Partner,
    stop: &'static Stop,
    news: Sender<News>,
) -> Sender<(ModelRequest, Table)> {
    let (questions, asked) = mpsc::channel::<(ModelRequest, Table)>();
    thread::spawn(move || {
        for (request, table) in asked {
            let partner = match request {
                ModelRequest::AskOpponent => &mut opponent,
                _ => &mut adviser,
            };
            let decision = table.ask(partner, stop);
            if news.send(News::Answer(request, decision)).is_err() {
                return;
            }
        }
    });
    questions
}

/// Starts a thread that reads a key, and another one whenever it is told to: reading sets the mode of the terminal, which
/// must not happen while the screen is left.
fn start_keys(news: Sender<News>) -> Sender<()> {
    let (next, wanted) = mpsc::channel();
    thread::spawn(move || {
        let term = Term::stdout();
        loop {
            let read = term.read_key_raw().map_or(News::Closed, News::Key);
            let is_closed = matches!(read, News::Closed);
            if news.send(read).is_err() || is_closed || wanted.recv().is_err() {
                return;
            }
        }
    });
    next
}

/// Plays a game at the terminal. Returns a text that says where the finished game is kept.
pub(super) fn play(
    mut model: Model,
    game: &PeopleGame,
    opponent: Partner,
    adviser: Partner,
    stop: &'static Stop,
) -> anyhow::Result<(Left, Option<String>)> {
    let (sender, news) = mpsc::channel();
    let mut screen = Screen::take()?;
    let questions = start_agents(opponent, adviser, stop, sender.clone());
    let next_key = start_keys(sender);
    let mut kept = None;
    let mut request = model.begin();
    loop {
        match request {
            ModelRequest::Nothing => {}
            ModelRequest::AskOpponent | ModelRequest::AskAdviser => {
                if questions.send((request, model.table.clone())).is_err() {
                    model.fail("The agent has stopped working; q leaves.");
                }
            }
            ModelRequest::Keep => {
                let said = keep(game, &model.table);
                model.message.clone_from(&said);
                kept = Some(said);
            }
            ModelRequest::Quit => return Ok((Left::Quit, kept)),
        }
        screen.show(&model)?;
        request = match news.recv_timeout(PULSE) {
            _ if stop.is_set() => return Ok((Left::Interrupted, kept)),
            Err(RecvTimeoutError::Timeout) => ModelRequest::Nothing,
            Ok(News::Closed | News::Key(Key::CtrlC)) | Err(RecvTimeoutError::Disconnected) => {
                return Ok((Left::Interrupted, kept));
            }
            Ok(News::Key(key)) => {
                let request = match is_used(&key) {
                    true => model.press(&key),
                    false => ModelRequest::Nothing,
                };
                if !matches!(request, ModelRequest::Quit) {
                    let _ = next_key.send(());
                }
                request
            }
            Ok(News::Answer(request, decision)) => answered(&mut model, request, decision),
        };
    }
}

/// Handles an agent's answer.
fn answered(
    model: &mut Model,
    request: ModelRequest,
    decision: Result<(Decision, Duration), String>,
) -> ModelRequest {
    match (request, decision) {
        (ModelRequest::AskOpponent, Ok((decision, time))) => {
            model.answer(decision.action, decision.thought, time)
        }
        (ModelRequest::AskOpponent, Err(error)) => {
            model.fail(&format!(
                "The agent gave no answer ({error}); u takes back, q leaves."
            ));
            ModelRequest::Nothing
        }
        (_, decision) => model.advise(decision.ok().map(|(decision, _)| decision)),
    }
}

/// Whether a key does something in a game.
const fn is_used(key: &Key) -> bool {
    matches!(
        key,
        Key::Char(_)
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Enter
            | Key::Tab
            | Key::Backspace
            | Key::Del
            | Key::Escape
    )
}
