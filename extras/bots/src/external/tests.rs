//! The properties of settings that the engine checks for its own kinds.

use std::collections::BTreeMap;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentSettings};

/// Other values of every key, some with another key that they need.
const CHANGES: [&str; 31] = [
    "command=[\"./shell.sh\",\"x\"]",
    "folder=\"../external\"",
    "version=a",
    "version=b",
    "budget.iterations=11",
    "budget.milliseconds=11",
    "on_fault=retry",
    "on_fault=stop",
    "retries=2,on_fault=retry",
    "retries=3,on_fault=retry",
    "stop_after=2,on_fault=stop",
    "stop_after=3,on_fault=stop",
    "restart=every-game",
    "environment.NAME=one",
    "environment.NAME=two",
    "options.Pick=first",
    "options.Pick=other",
    "limits.start_milliseconds=11",
    "limits.start_milliseconds=12",
    "limits.move_milliseconds=11",
    "limits.move_milliseconds=12",
    "limits.late_milliseconds=11",
    "limits.late_milliseconds=12",
    "limits.memory_megabytes=100",
    "limits.memory_megabytes=200",
    "limits.open_files=20",
    "limits.open_files=30",
    "limits.file_megabytes=1",
    "limits.processes=1",
    "limits.cpu_seconds=1",
    "limits.cpu_seconds=2",
];

/// The shell bot among the agents of the project.
fn shell() -> AgentFile {
    crate::register();
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents");
    AgentFile::read(&agents.join("external/shell.toml")).expect("an agent")
}

fn variant(agent: &AgentFile, change: &str) -> AgentSettings {
    let overrides = change.parse().expect("overrides");
    let variant = agent.variant(&overrides);
    variant.unwrap_or_else(|wrong| panic!("{wrong}")).config
}

#[test]
fn settings_that_play_differently_have_different_canonical_texts() {
    let bot = shell();
    let mut known = BTreeMap::from([(bot.config.canonical(), "")]);
    for change in CHANGES {
        let text = variant(&bot, change).canonical();
        if let Some(other) = known.insert(text, change) {
            panic!("'{change}' and '{other}' have the same text");
        }
    }
}

#[test]
fn effective_settings_are_settings_of_the_same_agent() {
    let bot = shell();
    let variants = CHANGES.map(|change| (change, variant(&bot, change)));
    for (change, config) in [("", bot.config)].into_iter().chain(variants) {
        let effective = config.clone().effective();
        assert_eq!(effective.clone().effective(), effective, "{change}");
        let read = AgentSettings::from_table(Path::new("a"), effective.table());
        let read = read.unwrap_or_else(|wrong| panic!("{change}: {wrong}"));
        assert_eq!(read, effective);
        assert_eq!(read.canonical(), config.canonical(), "{change}");
    }
}

#[test]
fn a_default_may_be_stated_or_left_out() {
    crate::register();
    let text = "type = 'external'\ncommand = ['sh']\n";
    let bot = AgentFile::parse(Path::new("a.toml"), text).expect("an agent");
    let defaults = "folder=\".\",version=files-2d06800538d394c2,on_fault=lose,restart=after-fault,\
                    limits.start_milliseconds=10000,limits.move_milliseconds=60000,limits.late_milliseconds=500";
    for change in defaults.split(',').chain([defaults]) {
        let stated = variant(&bot, change).canonical();
        assert_eq!(stated, bot.config.canonical(), "{change}");
    }
    // The list above is complete: it states what the effective settings state.
    let stated = variant(&bot, defaults);
    assert_eq!(stated, stated.clone().effective());
}

/// A copy of an agent's file in another folder means the same agent.
#[test]
fn absolute_places_hold_from_every_folder() {
    let placed = shell().config.with_absolute_places();
    let text = toml::to_string(&placed).expect("settings");
    let copy = AgentFile::parse(Path::new("/elsewhere/copy.toml"), &text).expect("the same bot");
    assert_eq!(copy.config.canonical(), placed.canonical());
}
