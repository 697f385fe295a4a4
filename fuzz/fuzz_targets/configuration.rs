//! Agent files with overrides, tournament files and tuning files: what is accepted can be written and read again, and
//! what is refused gets a sentence.
#![cfg_attr(not(test), no_main)]

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use patchwork_engine::agent::{AgentFile, AgentSettings, Overrides};
use patchwork_engine::util::InputError;
use patchwork_tournament::Manifest;
use patchwork_tune::Tuning;
use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
}

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    // The head of a file of games decides how much of it is read; names of devices would read them.
    if text.contains("/dev") || text.contains("/proc") {
        return;
    }
    agents(text);
    overrides(text);
    if text.contains("name") {
        let file = file(text);
        // A sweep or a plan of many agents is refused, a small one is made.
        told(Manifest::of_file(&file, None).map(drop));
        told(Tuning::read(&file, None).map(drop));
    }
}

fn file(text: &str) -> PathBuf {
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join("file.toml");
        std::fs::write(&path, text).expect("a file");
        path
    })
}

fn told(result: Result<(), InputError>) {
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
    }
}

fn agents(text: &str) {
    patchwork_bots::register();
    let path = Path::new("a.toml");
    match AgentFile::parse(path, text) {
        Ok(agent) => {
            let effective = agent.config.clone().effective();
            let again =
                AgentSettings::from_table(path, effective.table()).expect("effective settings");
            assert_eq!(again.canonical(), agent.config.canonical());
        }
        Err(error) => told(Err(error)),
    }
}

fn overrides(text: &str) {
    let base = "type = 'mcts'\nbudget.iterations = 9\nexpansion.strategy = 'bl/some/first'\n\
                rollout = { pick = 'greedy', strategy = 'bl/some/first' }";
    let base = AgentFile::parse(Path::new("a.toml"), base).expect("an agent");
    if let Ok(overrides) = text.parse::<Overrides>() {
        let written = overrides.to_string();
        let again: Overrides = written.parse().expect("what was written");
        assert_eq!(again.to_string(), written);
        if let Ok(variant) = base.variant(&overrides) {
            let (_, again) = Overrides::split(&variant.name).expect("the name of a variant");
            let again = base.variant(&again).expect("a variant");
            assert_eq!(again.config.canonical(), variant.config.canonical());
        }
    }
    let _ = Overrides::split(text);
}
