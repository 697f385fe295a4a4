//! Answers messages.

use std::collections::BTreeMap;

use patchwork_engine::agent::Partner;
use patchwork_engine::analysis::Analysis;
use serde::{Deserialize, Serialize};

use crate::messages::{
    AboutAction, AboutGame, AgentView, AnalysisView, AskDecision, AskRegret, AskTree, AskWhy,
    DecisionView, EffectView, GameText, JudgeGame, JudgementView, LevelsView, NewGame, Nothing,
    PatchView, PositionView, ReadGame, ReadText, RegretView, StartSearch, StepSearch, TextView,
    TreeView, WhyView, WritePgn,
};
use crate::{agents, effect, judgement, levels, position, regret, texts};

/// Answers one message after another, and keeps a search and an opponent between them.
#[derive(Default)]
pub struct BoardSession {
    pub(crate) analysis: Option<Analysis>,
    pub(crate) partner: Option<(PartnerKey, Partner)>,
}

/// What a partner belongs to: the agent's name, the seed and the start of the game.
pub(crate) type PartnerKey = (String, u64, String);

/// Declares the messages: name, question and answer. Those about rules and those about searches can be asked apart.
macro_rules! dispatch {
    (rules { $($rules:tt)+ } searches { $($searches:tt)+ }) => {
        questions! { RuleQuestion answer_by_rules $($rules)+ }
        questions! { SearchQuestion answer_by_search $($searches)+ }
        questions! { Question answer $($rules)+ $($searches)+ }

        /// The messages about rules, and those about searches.
        #[cfg(test)]
        pub(crate) fn described(schemas: &mut schemars::SchemaGenerator) -> [Described; 2] {
            [described! { schemas $($rules)+ }, described! { schemas $($searches)+ }]
        }
    };
}

/// The names of messages, and the schemas of question and answer.
#[cfg(test)]
type Described = Vec<(&'static str, [schemars::Schema; 2])>;

#[cfg(test)]
macro_rules! described {
    ($schemas:ident $($(#[doc = $doc:literal])+ $name:ident ($ask:ident) -> $view:ty: $handle:expr;)+) => {
        vec![$((
            stringify!($name),
            [$schemas.subschema_for::<$ask>(), $schemas.subschema_for::<$view>()],
        ),)+]
    };
}

macro_rules! questions {
    ($question:ident $answer:ident $($(#[doc = $doc:literal])+ $name:ident ($ask:ident) -> $view:ty: $handle:expr;)+) => {
        /// A question.
        #[derive(Debug, Deserialize)]
        #[serde(tag = "ask", rename_all = "lowercase")]
        enum $question {
            $($(#[doc = $doc])+ $name($ask),)+
        }

        impl BoardSession {
            fn $answer(&mut self, question: $question) -> Result<String, String> {
                match question {
                    $($question::$name(ask) => {
                        let handle: fn(&mut Self, $ask) -> Result<$view, String> = $handle;
                        handle(self, ask).map(|answer| ok(&answer))
                    })+
                }
            }
        }
    };
}

dispatch! {
    rules {
        /// The start of a game.
        New(NewGame) -> GameText: |_, ask| position::new_game(&ask);
        /// The last position of a game.
        Position(AboutGame) -> PositionView: |_, ask| position::view(&ask.game);
        /// What an action does.
        Effect(AboutAction) -> EffectView: |_, ask| effect::of_action(&ask);
        /// The 33 patches.
        Patches(Nothing) -> Vec<PatchView>: |_, _| Ok(position::patches());
        /// Reads a text that a person gave.
        Check(ReadText) -> ReadGame: |_, ask| texts::read(&ask.text);
        /// A game as PGN.
        Pgn(WritePgn) -> TextView: |_, ask| texts::pgn(&ask);
        /// A game as a text for links: letters, digits and `-_.:~` only.
        Link(AboutGame) -> TextView: |_, ask| texts::link(&ask.game);
        /// How well a game was played.
        Judge(JudgeGame) -> JudgementView: |_, ask| judgement::of_game(&ask);
        /// What the better of two actions gains.
        Why(AskWhy) -> WhyView: |_, ask| effect::why(&ask);
        /// The regret of a patch's placements.
        Regret(AskRegret) -> RegretView: |_, ask| regret::of_patch(&ask);
        /// The opponents that a person can choose.
        Levels(Nothing) -> LevelsView: |_, _| Ok(levels::view());
    }
    searches {
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
        /// The agents that are built in.
        Agents(Nothing) -> Vec<AgentView>: |_, _| Ok(agents::all().into_iter().map(AgentView::from).collect());
    }
}

/// A question longer than this is refused: the longest game has a few kilobytes.
pub const MAX_QUESTION: usize = 1 << 20;

impl BoardSession {
    /// Answers a question in JSON: `{"ok": ...}`, or `{"error": "a sentence"}`.
    pub fn call(&mut self, question: &str) -> String {
        self.answered(question, Self::answer)
    }

    /// The same for questions about rules alone, in whose code no agent is.
    pub fn call_rules(&mut self, question: &str) -> String {
        self.answered(question, Self::answer_by_rules)
    }

    /// The same for questions about searches alone.
    pub fn call_searches(&mut self, question: &str) -> String {
        self.answered(question, Self::answer_by_search)
    }

    fn answered<'a, Q: Deserialize<'a>>(
        &mut self,
        question: &'a str,
        answer: fn(&mut Self, Q) -> Result<String, String>,
    ) -> String {
        if question.len() > MAX_QUESTION {
            return refused(&format!(
                "the question has {} bytes; expected at most {MAX_QUESTION}",
                question.len()
            ));
        }
        let question = serde_json::from_str(question).map_err(|error| error.to_string());
        let answer = question.and_then(|question| answer(self, question));
        answer.unwrap_or_else(|sentence| refused(&sentence))
    }
}

fn ok(answer: &impl Serialize) -> String {
    let text = serde_json::to_string(&BTreeMap::from([("ok", answer)]));
    text.unwrap_or_else(|error| refused(&error.to_string()))
}

fn refused(sentence: &str) -> String {
    serde_json::json!({ "error": sentence }).to_string()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::{Path, PathBuf};

    use patchwork_engine::game::{Setup, State, Track};
    use patchwork_engine::util::rng::stream;
    use serde_json::{Value, json};

    use super::*;

    fn here(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
    }

    /// Questions of every kind, in positions of random games. They are kept as a file for the module in a browser.
    fn questions() -> String {
        let mut lines = vec![
            json!({ "ask": "patches" }),
            json!({ "ask": "levels" }),
            json!({ "ask": "agents" }),
            json!({ "ask": "new", "seed": 3, "number": 4, "track": "revised" }),
            json!({ "ask": "check", "text": "[Track \"original\"]" }),
        ];
        for seed in 0..12 {
            let mut rng = stream(&[seed, 31]);
            let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
            let (mut state, mut actions) = (State::new(&setup), Vec::new());
            for _ in 0..seed * 4 {
                if state.is_over() {
                    break;
                }
                let action = state.random_action(&setup, &mut rng);
                state.play_unchecked(&setup, action);
                actions.push(action.to_string());
            }
            let game = json!({ "start": setup.to_string(), "actions": actions });
            lines.push(json!({ "ask": "position", "game": game }));
            lines.push(json!({ "ask": "link", "game": game }));
            lines.push(json!({ "ask": "pgn", "game": game, "names": ["a", "b"], "comments": [] }));
            let evaluations: Vec<Value> = (0..=actions.len())
                .map(|ply| json!({ "first": (ply * 37 % 100) as f32 / 100.0, "best": null }))
                .collect();
            lines.push(json!({ "ask": "judge", "game": game, "evaluations": evaluations }));
            if state.is_over() {
                continue;
            }
            lines.push(json!({ "ask": "effect", "game": game, "action": "A" }));
            if let Some(place) = state.ring_places().next() {
                let patch = setup.patch_at(place).number();
                lines.push(json!({ "ask": "regret", "game": game, "patch": patch }));
            }
            let agent =
                ["champion", "mcts-regret", "mcts-regret-wide", "greedy-beam"][seed as usize % 4];
            lines.push(json!({ "ask": "decide", "game": game, "agent": agent, "iterations": 150 }));
            lines.push(json!({ "ask": "search", "game": game }));
            lines.push(json!({ "ask": "step", "iterations": 400, "top": 8 }));
            lines.push(json!({ "ask": "tree", "path": [] }));
        }
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// What is answered, without times.
    fn answers(questions: &str, call: fn(&mut BoardSession, &str) -> String) -> String {
        let mut session = BoardSession::default();
        let mut out = String::new();
        for question in questions.lines() {
            let answer = call(&mut session, question);
            let mut parts = answer.split("\"milliseconds\":");
            out += parts.next().unwrap_or_default();
            for part in parts {
                out += part.trim_start_matches(|c| c != ',' && c != '}');
            }
            out.push('\n');
        }
        out
    }

    /// The modules in `dist` were built before the page is, and by other tools: they are up to date if they answer as this
    /// program does.
    #[test]
    fn the_built_modules_answer_like_this_program() {
        let path = here("tests/questions.jsonl");
        let questions = questions();
        if std::env::var_os("UPDATE_QUESTIONS").is_some() {
            std::fs::write(&path, &questions).expect("written");
        }
        let there = std::fs::read_to_string(path).expect("tests/questions.jsonl");
        assert_eq!(there, questions, "UPDATE_QUESTIONS=1 writes them again");
        let manifest = std::fs::read_to_string(here("dist/manifest.json")).expect("a manifest");
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        let calls = [BoardSession::call_rules, BoardSession::call_searches];
        for (module, call) in ["rules", "engine"].into_iter().zip(calls) {
            let answers = answers(&questions, call);
            assert!(!answers.contains("panicked"));
            let mut sum = flate2::Crc::new();
            sum.update(answers.as_bytes());
            let built = manifest["answers"][module].as_str();
            let now = format!("{:08x}", sum.sum());
            let again = format!("{module}: crates/board/build makes the modules again");
            assert_eq!(built, Some(&*now), "{again}");
        }
    }

    #[test]
    fn the_built_pages_belong_to_their_sources() {
        let entries = std::fs::read_dir(here("page")).expect("page");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
        let mut names: Vec<String> = names.map(|name| name.expect("UTF-8")).collect();
        names.retain(|name| !name.contains(".test."));
        names.sort();
        let mut sum = flate2::Crc::new();
        for name in names {
            sum.update(name.as_bytes());
            sum.update(&std::fs::read(here("page").join(name)).expect("readable"));
        }
        let manifest = std::fs::read_to_string(here("dist/manifest.json")).expect("a manifest");
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        let now = format!("{:08x}", sum.sum());
        assert_eq!(
            manifest["page"].as_str(),
            Some(&*now),
            "`crates/board/build pages` makes them again"
        );
    }

    #[test]
    fn strange_questions_are_refused_with_a_sentence() {
        let mut session = BoardSession::default();
        let long = "x".repeat(MAX_QUESTION + 1);
        for question in [
            "",
            "null",
            "[]",
            "{\"ask\":\"nothing\"}",
            "{\"ask\":\"position\"}",
            &long,
        ] {
            let answer = session.call(question);
            assert!(answer.starts_with("{\"error\":\""), "{answer}");
        }
    }
}
