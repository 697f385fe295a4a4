//! The state of a game with a person, independent of the terminal: keys and the agents' answers go in,
//! requests come out. `view.rs` draws it.

use std::time::{Duration, Instant};

use console::Key;
use patchwork_arena::people::{HeldPiece, Table};
use patchwork_engine::agent::Decision;
use patchwork_engine::game::{Action, PatchId, Player};
use patchwork_engine::record::Thought;

/// What the model asks its caller to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelRequest {
    Nothing,
    /// Ask the opponent for its move.
    AskOpponent,
    /// Ask the adviser for its move and evaluation.
    AskAdviser,
    /// Store the finished game.
    Keep,
    Quit,
}

/// Why the adviser was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AdviceReason {
    Hint,
    Evaluation,
}

pub(super) struct Model {
    pub(super) table: Table,
    pub(super) person: Player,
    pub(super) names: [String; 2],
    /// The piece in hand, if any piece can be placed.
    pub(super) piece: Option<HeldPiece>,
    /// The text typed so far, while an action is typed.
    pub(super) typed: Option<String>,
    pub(super) message: String,
    /// The person's chance to win by the adviser, shown after each move if switched on.
    pub(super) evaluation: Option<f32>,
    pub(super) shows_evaluation: bool,
    pub(super) shows_help: bool,
    /// Who is thinking, if anyone.
    pub(super) thinking: Option<String>,
    adviser: String,
    question: Option<AdviceReason>,
    is_leaving: bool,
    since: Instant,
}

pub(super) const HELP: [&str; 10] = [
    "1 2 3, Tab      choose a patch on offer",
    "arrows          move the patch over your quilt",
    "r, f            rotate, flip",
    "Enter, Space    buy the patch and place it here",
    "a               advance past the other player",
    "t               type an action: A, 17:a1b1c2 or S:e5",
    "u               take back your last move",
    "h               hint: what the adviser would play",
    "e               evaluation after each move, on or off",
    "q               leave; ? closes this help",
];

impl Model {
    pub(super) fn new(table: Table, person: Player, names: [String; 2], adviser: &str) -> Self {
        let mut model = Self {
            table,
            person,
            names,
            piece: None,
            typed: None,
            message: "Your move; ? shows the keys.".to_owned(),
            evaluation: None,
            shows_evaluation: false,
            shows_help: false,
            thinking: None,
            adviser: adviser.to_owned(),
            question: None,
            is_leaving: false,
            since: Instant::now(),
        };
        model.take_up();
        model
    }

    pub(super) fn is_mine(&self) -> bool {
        !self.table.state().is_over() && self.table.state().mover() == self.person
    }

    fn opponent(&self) -> &str {
        &self.names[self.person.other().index()]
    }

    /// The patches on offer, whether or not they can be paid for.
    pub(super) fn offers(&self) -> Vec<PatchId> {
        let (state, setup) = (self.table.state(), self.table.setup());
        let places = state.ring_places().take(3);
        places.map(|place| setup.patch_at(place)).collect()
    }

    /// Why the piece cannot be placed where it is; `None` if it can.
    pub(super) fn obstacle(&self) -> Option<String> {
        let action = self.piece?.action();
        let tried = self.table.state().try_play(self.table.setup(), action);
        tried.err().map(|error| error.to_string())
    }

    /// The first request: the opponent may have the first move.
    pub(super) fn begin(&mut self) -> ModelRequest {
        self.next_request()
    }

    /// Handles a key.
    pub(super) fn press(&mut self, key: &Key) -> ModelRequest {
        if self.is_leaving && *key != Key::Char('q') {
            self.is_leaving = false;
            self.message.clear();
        }
        if self.typed.is_some() {
            return self.edit(key);
        }
        if self.shows_help {
            self.shows_help = false;
            return ModelRequest::Nothing;
        }
        match key {
            Key::Char('?') => self.shows_help = true,
            Key::Char('q') => return self.leave(),
            Key::Char('u') => return self.take_back(),
            Key::Char('e') => return self.switch_evaluation(),
            _ if self.table.state().is_over() => {}
            _ if !self.is_mine() => {
                self.message = format!("{} is to move.", self.opponent());
            }
            Key::Char('h') => return self.ask(AdviceReason::Hint),
            Key::Char('a') => return self.play(Action::Advance),
            Key::Char('t' | ':') => self.typed = Some(String::new()),
            Key::Char(digit @ '1'..='3') => self.choose(*digit as usize - '1' as usize),
            Key::Tab => self.choose_next(),
            Key::ArrowLeft => self.move_piece(-1, 0),
            Key::ArrowRight => self.move_piece(1, 0),
            Key::ArrowUp => self.move_piece(0, -1),
            Key::ArrowDown => self.move_piece(0, 1),
            Key::Char('r') => self.piece = self.piece.map(HeldPiece::turned),
            Key::Char('f') => self.piece = self.piece.map(HeldPiece::flipped),
            Key::Enter | Key::Char(' ') => match self.piece {
                Some(piece) => return self.play(piece.action()),
                None => self.message = "No patch on offer can be placed; a advances.".to_owned(),
            },
            _ => {}
        }
        ModelRequest::Nothing
    }

    /// Handles a key while an action is typed.
    fn edit(&mut self, key: &Key) -> ModelRequest {
        let Some(typed) = &mut self.typed else {
            return ModelRequest::Nothing;
        };
        match key {
            Key::Char(c) if typed.len() < 40 => typed.push(*c),
            Key::Backspace | Key::Del => {
                typed.pop();
            }
            Key::Escape => self.typed = None,
            Key::Enter => {
                let text = std::mem::take(typed);
                self.typed = None;
                return self.play_text(&text);
            }
            _ => {}
        }
        ModelRequest::Nothing
    }

    /// Plays an action that was typed.
    pub(super) fn play_text(&mut self, text: &str) -> ModelRequest {
        match text.trim().parse() {
            Ok(action) => self.play(action),
            Err(error) => {
                self.message = format!("{error}");
                ModelRequest::Nothing
            }
        }
    }

    fn play(&mut self, action: Action) -> ModelRequest {
        if !self.is_mine() {
            self.message = format!("{} is to move.", self.opponent());
            return ModelRequest::Nothing;
        }
        let time = self.since.elapsed();
        if let Err(error) = self.table.play(action, Thought::default(), time) {
            self.message = format!("{action}: {error}.");
            return ModelRequest::Nothing;
        }
        self.message = format!("You played {action}.");
        self.moved()
    }

    /// Takes the opponent's move.
    pub(super) fn answer(
        &mut self,
        action: Action,
        thought: Thought,
        time: Duration,
    ) -> ModelRequest {
        self.thinking = None;
        let name = self.opponent().to_owned();
        if let Err(error) = self.table.play(action, thought, time) {
            self.message = format!("{name} chose {action}: {error}.");
            return ModelRequest::Nothing;
        }
        self.message = format!("{name} played {action}.");
        self.moved()
    }

    /// Reports that the opponent cannot go on.
    pub(super) fn fail(&mut self, what: &str) {
        self.thinking = None;
        self.question = None;
        self.message = what.to_owned();
    }

    /// Takes the adviser's answer.
    pub(super) fn advise(&mut self, advice: Option<Decision>) -> ModelRequest {
        self.thinking = None;
        let question = self.question.take();
        let Some(advice) = advice else {
            self.message = format!("{} gave no advice.", self.adviser);
            return ModelRequest::Nothing;
        };
        let mover = self.table.state().mover();
        let mine = |value: f32| {
            if mover == self.person {
                value
            } else {
                1.0 - value
            }
        };
        self.evaluation = advice.thought.value.map(mine);
        if question == Some(AdviceReason::Hint) {
            let chance = self.evaluation.map_or(String::new(), |value| {
                format!(", and sees your chance at {:.0}%", 100.0 * value)
            });
            let plays = match advice.action {
                Action::Advance => "advance (key a)".to_owned(),
                action => format!("play {action}"),
            };
            self.message = format!("{} would {plays}{chance}.", self.adviser);
            if let Some(piece) = HeldPiece::of(advice.action) {
                self.piece = Some(piece);
            }
        }
        ModelRequest::Nothing
    }

    fn moved(&mut self) -> ModelRequest {
        self.evaluation = None;
        self.since = Instant::now();
        self.take_up();
        self.next_request()
    }

    fn next_request(&mut self) -> ModelRequest {
        if self.table.state().is_over() {
            return ModelRequest::Keep;
        }
        if !self.is_mine() {
            self.thinking = Some(self.opponent().to_owned());
            return ModelRequest::AskOpponent;
        }
        if self.shows_evaluation {
            return self.ask(AdviceReason::Evaluation);
        }
        ModelRequest::Nothing
    }

    fn ask(&mut self, question: AdviceReason) -> ModelRequest {
        if self.thinking.is_some() {
            // The answer to the pending question serves this one as well.
            self.question = Some(question).filter(|_| self.question.is_some());
            return ModelRequest::Nothing;
        }
        self.question = Some(question);
        self.thinking = Some(self.adviser.clone());
        ModelRequest::AskAdviser
    }

    fn switch_evaluation(&mut self) -> ModelRequest {
        self.shows_evaluation = !self.shows_evaluation;
        self.evaluation = None;
        let state = if self.shows_evaluation { "on" } else { "off" };
        self.message = format!("Evaluation by {} is {state}.", self.adviser);
        if self.shows_evaluation && self.is_mine() {
            return self.ask(AdviceReason::Evaluation);
        }
        ModelRequest::Nothing
    }

    fn take_back(&mut self) -> ModelRequest {
        if self.thinking.is_some() {
            self.message = "Wait for the answer first.".to_owned();
            return ModelRequest::Nothing;
        }
        if !self.table.undo(self.person) {
            self.message = "There is no move of yours to take back.".to_owned();
            return ModelRequest::Nothing;
        }
        self.message = "Took back your last move.".to_owned();
        self.moved()
    }

    fn leave(&mut self) -> ModelRequest {
        if self.is_leaving || self.table.state().is_over() {
            return ModelRequest::Quit;
        }
        self.is_leaving = true;
        self.message =
            "The game is not over and will not be kept. Press q again to leave.".to_owned();
        ModelRequest::Nothing
    }

    /// Takes the first placeable piece into the hand, where the last one was.
    fn take_up(&mut self) {
        let state = self.table.state();
        if !self.is_mine() {
            self.piece = None;
            return;
        }
        let affordable = || state.affordable(self.table.setup());
        let next = if state.specials_waiting() > 0 {
            Some(HeldPiece::special())
        } else {
            affordable()
                .chain(self.offers())
                .next()
                .map(HeldPiece::patch)
        };
        self.piece = next;
        if self.message.is_empty() {
            self.message = "Your move.".to_owned();
        }
    }

    fn choose(&mut self, index: usize) {
        if self.table.state().specials_waiting() > 0 {
            self.message = "Place the special patch first.".to_owned();
            return;
        }
        let Some(&patch) = self.offers().get(index) else {
            self.message = format!("There is no patch {}.", index + 1);
            return;
        };
        let piece = HeldPiece::patch(patch);
        self.piece = Some(self.piece.map_or(piece, |held| held.replaced_by(piece)));
        self.message.clear();
    }

    fn choose_next(&mut self) {
        let held = self.piece.and_then(|piece| piece.which());
        let offers = self.offers();
        let at = offers.iter().position(|&patch| Some(patch) == held);
        if !offers.is_empty() {
            self.choose(at.map_or(0, |at| (at + 1) % offers.len()));
        }
    }

    fn move_piece(&mut self, columns: isize, rows: isize) {
        self.piece = self.piece.map(|piece| piece.moved(columns, rows));
    }
}
