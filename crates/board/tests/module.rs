//! The WebAssembly modules against this program, where node is installed: the same decisions for fixed iterations.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use patchwork_board::BoardSession;
use serde_json::{Value, json};

/// A module that answers in node.
struct Module {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Module {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Module {
    /// The module in a file of `dist`; `None` without node.
    fn start(file: &str) -> Option<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new("node");
        command
            .arg(here.join("answer.mjs"))
            .arg(here.join("dist").join(file));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut process) = command.spawn() else {
            eprintln!("skipped: there is no node");
            return None;
        };
        let questions = process.stdin.take().expect("piped");
        let answers = BufReader::new(process.stdout.take().expect("piped"));
        Some(Self {
            process,
            questions,
            answers,
        })
    }

    fn call(&mut self, question: &str) -> String {
        writeln!(self.questions, "{question}").expect("node reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("node answers");
        line
    }
}

/// The answer without the time it took.
fn untimed(answer: &str) -> Value {
    let mut answer: Value = serde_json::from_str(answer).expect("JSON");
    if let Some(ok) = answer["ok"].as_object_mut() {
        ok.remove("milliseconds");
    }
    answer
}

/// Plays games of the champion against itself and another agent; both sides answer every question.
fn compare(file: &str, games: std::ops::Range<u32>) {
    let Some(mut module) = Module::start(file) else {
        return;
    };
    for number in games {
        let mut session = BoardSession::default();
        let track = ["original", "revised"][number as usize % 2];
        let new = json!({"ask": "new", "seed": 31, "number": number, "track": track}).to_string();
        let start = untimed(&session.call(&new));
        let mut game = start["ok"].clone();
        let mut plies = 0;
        loop {
            let agent = ["champion", "mcts-regret"][usize::from(number % 4 == 3 && plies % 2 == 1)];
            let iterations = [120, 250, 400][number as usize % 3];
            let question = json!({
                "ask": "decide", "game": game, "agent": agent, "iterations": iterations, "seed": number,
            });
            let question = question.to_string();
            let here = untimed(&session.call(&question));
            assert_eq!(
                untimed(&module.call(&question)),
                here,
                "game {number}, ply {plies}"
            );
            if here["error"] == "the game is over" {
                break;
            }
            let action = here["ok"]["action"].clone();
            game["actions"].as_array_mut().expect("a list").push(action);
            plies += 1;
        }
        assert!(plies > 20, "{plies}");
        module.call(r#"{"ask": "stop"}"#);
    }
}

#[test]
fn the_modules_decide_as_this_program() {
    compare("engine.deflate", 0..3);
    compare("engine.br", 3..4);
}

/// The small module answers what is asked about rules, and refuses the rest.
#[test]
fn the_rules_answer_as_this_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let questions = std::fs::read_to_string(here.join("tests/questions.jsonl")).expect("a file");
    for file in ["rules.deflate", "rules.br"] {
        let Some(mut module) = Module::start(file) else {
            return;
        };
        let mut session = BoardSession::default();
        for question in questions.lines() {
            let here = session.call_rules(question);
            assert_eq!(
                untimed(&module.call(question)),
                untimed(&here),
                "{question}"
            );
        }
    }
}

/// 200 games: minutes.
#[test]
#[ignore = "minutes"]
fn the_modules_decide_as_this_program_in_200_games_in_full() {
    compare("engine.deflate", 0..200);
}
