//! Answers messages.

use patchwork_engine::agent::Partner;
use patchwork_engine::analysis::Analysis;
use serde::{Deserialize, Serialize};

use crate::messages::{
    AboutAction, AboutGame, AgentsView, AnalysisView, AskDecision, AskRegret, AskTree, AskWhy,
    DecisionView, EditPosition, EffectView, GameText, JudgeGame, JudgementView, NewGame, Nothing,
    PatchView, PositionView, ReadGame, ReadText, RegretView, StartSearch, StepSearch, TextView,
    TreeView, WhyView, WritePgn,
};
use crate::{effect, judgement, levels, position, regret, texts};

/// Answers one message after another, and keeps a search and an opponent between them.
#[derive(Default)]
pub struct BoardSession {
    pub(crate) analysis: Option<Analysis>,
    pub(crate) partner: Option<(PartnerKey, Partner)>,
}

/// What a partner belongs to: the agent's name, the seed and the start of the game.
pub(crate) type PartnerKey = (String, u64, String);

/// A message, for a description.
#[cfg(test)]
pub(crate) struct DescribedMessage {
    pub(crate) doc: &'static str,
    pub(crate) name: &'static str,
    pub(crate) ask: schemars::Schema,
    pub(crate) answer: schemars::Schema,
}

/// Declares the messages: name, question and answer.
macro_rules! dispatch {
    ($($(#[doc = $doc:literal])+ $name:ident ($ask:ident) -> $answer:ty: $handle:expr;)+) => {
        /// A question.
        #[derive(Debug, Deserialize)]
        #[serde(tag = "ask", rename_all = "lowercase")]
        enum Question {
            $($name($ask),)+
        }

        impl BoardSession {
            fn answer(&mut self, question: Question) -> Result<String, String> {
                match question {
                    $(Question::$name(ask) => {
                        let handle: fn(&mut Self, $ask) -> Result<$answer, String> = $handle;
                        handle(self, ask).map(|answer| ok(&answer))
                    })+
                }
            }
        }

        /// All messages.
        #[cfg(test)]
        pub(crate) fn described(schemas: &mut schemars::SchemaGenerator) -> Vec<DescribedMessage> {
            vec![$(DescribedMessage {
                doc: concat!($($doc, "\n"),+),
                name: stringify!($name),
                ask: schemas.subschema_for::<$ask>(),
                answer: schemas.subschema_for::<$answer>(),
            },)+]
        }
    };
}

dispatch! {
    /// The start of a game.
    New(NewGame) -> GameText: |_, ask| position::new_game(&ask);
    /// The last position of a game.
    Position(AboutGame) -> PositionView: |_, ask| position::view(&ask.game);
    /// What an action does.
    Effect(AboutAction) -> EffectView: |_, ask| effect::of_action(&ask);
    /// The 33 patches.
    Patches(Nothing) -> Vec<PatchView>: |_, _| Ok(position::patches());
    /// A game that starts from a position in parts.
    Edit(EditPosition) -> GameText: |_, ask| position::edited(&ask.parts);
    /// Reads a text that a person gave.
    Check(ReadText) -> ReadGame: |_, ask| texts::read(&ask.text);
    /// A game as PGN.
    Pgn(WritePgn) -> TextView: |_, ask| texts::pgn(&ask);
    /// A game as a text for links: letters, digits and `-_.:~` only.
    Link(AboutGame) -> TextView: |_, ask| texts::link(&ask.game);
    /// An agent's decision.
    Decide(AskDecision) -> DecisionView: |session, ask| session.decide(&ask);
    /// Starts a search.
    Search(StartSearch) -> AnalysisView: |session, ask| session.start_search(&ask);
    /// Continues the search.
    Step(StepSearch) -> AnalysisView: |session, ask| session.step(&ask);
    /// A node of the search tree.
    Tree(AskTree) -> TreeView: |session, ask| session.tree(&ask);
    /// Forgets the search and the opponent, and frees their memory.
    Stop(Nothing) -> Nothing: |session, _| {
        *session = BoardSession::default();
        Ok(Nothing {})
    };
    /// How well a game was played.
    Judge(JudgeGame) -> JudgementView: |_, ask| judgement::of_game(&ask);
    /// What the better of two actions gains.
    Why(AskWhy) -> WhyView: |_, ask| effect::why(&ask);
    /// The regret of a patch's placements.
    Regret(AskRegret) -> RegretView: |_, ask| regret::of_patch(&ask);
    /// The opponents that a person can choose.
    Agents(Nothing) -> AgentsView: |_, _| Ok(levels::view());
}

/// A question longer than this is refused: the longest game has a few kilobytes.
pub const MOST_QUESTION: usize = 1 << 20;

impl BoardSession {
    /// Answers a question in JSON: `{"ok": ...}`, or `{"error": "a sentence"}`.
    pub fn call(&mut self, question: &str) -> String {
        if question.len() > MOST_QUESTION {
            return refused(&format!(
                "the question has {} bytes; expected at most {MOST_QUESTION}",
                question.len()
            ));
        }
        let question = serde_json::from_str(question).map_err(|error| error.to_string());
        let answer = question.and_then(|question| self.answer(question));
        answer.unwrap_or_else(|sentence| refused(&sentence))
    }
}

fn ok(answer: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Ok<'a, T> {
        ok: &'a T,
    }
    serde_json::to_string(&Ok { ok: answer }).unwrap_or_else(|error| refused(&error.to_string()))
}

fn refused(sentence: &str) -> String {
    serde_json::json!({ "error": sentence }).to_string()
}
