//! Lines of bots, lines of the arena to bots, and a served agent that hears them.
#![cfg_attr(not(test), no_main)]

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use patchwork_bots::protocol::{BotReply, BotRequest};
use patchwork_bots::serve;
use patchwork_engine::agent::{AgentSettings, RandomSettings};
use toml::Value;

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    for line in text.lines() {
        reply(line);
        if let Ok(request) = line.parse::<BotRequest>() {
            let written = request.to_string();
            assert!(!written.contains('\n'));
            let again: BotRequest = written.parse().expect("what was written");
            assert_eq!(again.to_string(), written);
        }
    }
    // A served agent hears its requests on another thread, which takes a hundred times longer than all above.
    if text.len().is_multiple_of(16) {
        served(text);
    }
}

/// What a served agent has written.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<Vec<u8>>>);

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn served(text: &str) {
    let answers = Answers::default();
    let agent = AgentSettings::from(RandomSettings {});
    serve(
        "agent",
        &agent,
        Cursor::new(text.to_owned()),
        answers.clone(),
    )
    .expect("a vector takes all");
    let answers = answers.0.lock().expect("all is written").clone();
    for line in String::from_utf8(answers).expect("text").lines() {
        // What a served agent says is what the arena understands.
        assert!(
            !matches!(BotReply::from(line), BotReply::Unknown(_)),
            "{line}"
        );
    }
}

fn reply(line: &str) {
    let reply = BotReply::from(line);
    if let BotReply::Option(option) = &reply {
        let values = [
            Value::Boolean(true),
            Value::Integer(3),
            Value::Float(0.5),
            Value::String("calm".to_owned()),
        ];
        for value in values {
            if let Ok(text) = option.text_of(&value) {
                assert!(!text.contains('\n'));
            }
        }
    }
    if !matches!(reply, BotReply::Unknown(_)) {
        let written = reply.to_string();
        assert_eq!(
            BotReply::from(written.as_str()).to_string(),
            written,
            "{line}"
        );
    }
}
