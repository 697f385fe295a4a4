//! The settings of external agents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use patchwork_engine::agent::AgentFault;
use patchwork_engine::search::Budget;
use patchwork_engine::settings;
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::Count;
use patchwork_engine::util::rng::hash_words;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use twox_hash::XxHash3_64;

use super::command::BotCommand;
use super::session::Session;

settings! {
    /// The settings of an external agent.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ExternalSettings in "" {
        /// The program and its arguments. The program is looked for in `PATH`; if it has a slash, it is a path
        /// from `folder`.
        pub command: Vec<String>,
        /// The working folder, relative to that of the agent file, which is the default.
        pub folder: String?,
        /// The version of the program, which is part of the agent's identity; by default a hash of the files
        /// that `command` names in `folder`.
        pub version: String?,
        /// The budget that the bot is told and, if it is of time, held to. Without it, the bot decides how
        /// long it thinks, up to `limits.move_milliseconds`.
        #[serde(
            default,
            deserialize_with = "budget",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(schema_with = "budget_schema")]
        pub budget: Option<Budget>,
        /// What happens when the bot fails: `lose` the game (the default), `retry` it, or `stop` the
        /// tournament.
        pub on_fault: OnFault = (OnFault::Lose),
        /// With `on_fault = "retry"`: how often a game is played again,
        pub retries: Count = 1 in 1..=1000; requires "on_fault = \"retry\"" if |bot| bot.on_fault() == OnFault::Retry,
        /// With `on_fault = "stop"`: the number of lost games after which the run stops,
        pub stop_after: Count = 1; requires "on_fault = \"stop\"" if |bot| bot.on_fault() == OnFault::Stop,
        /// When the program is started again: `after-fault` (the default) or `every-game`.
        pub restart: Restart = (Restart::AfterFault),
        /// Environment variables of the program, in addition to those of the arena.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub environment: BTreeMap<String, String>,
        /// Options that the bot declares, with other values than their defaults.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[schemars(with = "BTreeMap<String, OptionValue>")]
        pub options: BTreeMap<String, toml::Value>,
        /// Limits of time and resources.
        #[serde(default)]
        pub table limits: BotLimits,
        /// The folder of the agent file.
        #[serde(skip)]
        home: Home,
    }
}

/// A value of an option, as agent files have it.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "describes files")]
enum OptionValue {
    Switch(bool),
    Number(f64),
    Text(String),
}

/// What happens when a bot fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// It loses the game.
    Lose,
    /// The game is played again.
    Retry,
    /// It loses the game; after some such games the run stops.
    Stop,
}

/// When the program of a bot is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// After it failed.
    AfterFault,
    /// For every game.
    EveryGame,
}

settings! {
    /// Limits of a bot's time and resources.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct BotLimits in "limits." {
        /// The time to start and to get ready,
        pub start_milliseconds: Count = 10000 in 1..=MAX_TIME,
        /// The time for a decision without a budget of time,
        pub move_milliseconds: Count = 60000 in 1..=MAX_TIME,
        /// By how much a decision may exceed a budget of time,
        pub late_milliseconds: Count = 500 in 1..=MAX_TIME,
        /// The address space of each process; unlimited by default.
        // The shell and the program need at least this much to start, and some open files.
        pub memory_megabytes: Count? in 16..=1 << 22,
        /// The number of open files of each process.
        pub open_files: Count? in 8..=1 << 20,
        /// The size of a file that it writes.
        pub file_megabytes: Count?,
        /// The number of processes of the user, of which the bot may start no more.
        pub processes: Count?,
        /// The processor time of each process in seconds.
        pub cpu_seconds: Count?,
    }
}

const MAX_TIME: u32 = 24 * 60 * 60 * 1000;

impl BotLimits {
    pub(super) fn start(&self) -> Duration {
        time(self.start_milliseconds())
    }

    pub(super) fn decision(&self) -> Duration {
        time(self.move_milliseconds())
    }

    pub(super) fn late(&self) -> Duration {
        time(self.late_milliseconds())
    }

    /// The resource limits as commands of the shell.
    pub(super) fn commands(&self) -> Vec<String> {
        let limit = |flag: &str, value: Option<Count>, factor: u64| {
            let value = u64::from(value?.get()) * factor;
            Some(format!("ulimit {flag} {value}"))
        };
        let processes = self.processes.map(|count| {
            // Shells differ in the letter of this option.
            format!("{{ ulimit -u {count} 2>/dev/null || ulimit -p {count}; }}")
        });
        let all = [
            limit("-v", self.memory_megabytes, 1024),
            limit("-n", self.open_files, 1),
            limit("-f", self.file_megabytes, 2048),
            processes,
            limit("-t", self.cpu_seconds, 1),
        ];
        all.into_iter().flatten().collect()
    }
}

fn time(milliseconds: u32) -> Duration {
    Duration::from_millis(milliseconds.into())
}

/// The prefix of a version that is a hash of files.
const FILES: &str = "files-";

/// The folder of an agent file, which is not part of the agent's identity.
#[derive(Clone, Debug, Default)]
struct Home(PathBuf);

impl PartialEq for Home {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

fn budget<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Budget>, D::Error> {
    Budget::deserialize_unit(Budget::TOLD_UNITS, from).map(Some)
}

fn budget_schema(_: &mut SchemaGenerator) -> Schema {
    Budget::unit_schema(Budget::TOLD_UNITS)
}

impl ExternalSettings {
    /// An agent with this command, whose relative paths start at `folder`.
    pub fn new(command: Vec<String>, folder: &Path) -> Self {
        Self {
            command,
            home: Home(folder.to_owned()),
            ..Self::default()
        }
    }

    /// The command that starts the bot.
    pub(super) fn bot_command(&self) -> BotCommand {
        BotCommand {
            words: self.command.clone(),
            folder: self.working_folder(),
            environment: self.environment.clone(),
            limits: self.limits.commands(),
        }
    }

    fn working_folder(&self) -> PathBuf {
        let folder = match &self.folder {
            Some(folder) => self.home.0.join(folder),
            None => self.home.0.clone(),
        };
        match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder,
        }
    }

    /// Starts the bot and waits for its introduction. A fault comes with the error output of the bot.
    pub(super) fn introduce(&self) -> Result<Session, (AgentFault, String)> {
        Session::introduce(&self.bot_command(), self.limits.start())
    }

    /// A hash of the files in the working folder that the command names.
    fn hash_of_files(&self) -> Result<String, InputError> {
        let folder = self.working_folder();
        let mut hashes = Vec::new();
        for word in &self.command {
            let path = folder.join(word);
            if path.is_file() {
                let bytes = std::fs::read(&path);
                let unreadable = |error| {
                    let what = format_args!("{} cannot be read: {error}", path.display());
                    InputError::at("command", what)
                };
                let bytes = bytes.map_err(unreadable)?;
                hashes.push(XxHash3_64::oneshot(&bytes));
            }
        }
        Ok(format!("{FILES}{:016x}", hash_words(&hashes)))
    }

    pub(super) fn check_installed(&self) -> Result<(), InputError> {
        self.bot_command().check()?;
        let files = self.hash_of_files()?;
        match &self.version {
            Some(version) if version.starts_with(FILES) && *version != files => {
                let what = format_args!("its files have the version {files}; expected {version}");
                Err(InputError::at("command", what))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        if self.command.first().is_none_or(String::is_empty) {
            let what = "expected a program and its arguments, such as [\"python3\", \"bot.py\"]";
            return Err(InputError::at("command", what));
        }
        if self.command.iter().any(|word| word.contains('\0')) {
            let what = "expected words without NUL characters";
            return Err(InputError::at("command", what));
        }
        let plain = |name: &String| !name.is_empty() && !name.contains(['=', '\0']);
        if let Some(name) = self.environment.keys().find(|name| !plain(name)) {
            let what = format_args!("'{name}' is not the name of a variable");
            return Err(InputError::at("environment", what));
        }
        let broken = self
            .environment
            .iter()
            .find(|(_, value)| value.contains('\0'));
        if let Some((name, _)) = broken {
            let what = "expected a value without NUL characters";
            return Err(InputError::at(&format!("environment.{name}"), what));
        }
        self.check_keys()
    }

    pub(super) fn settle(&mut self, path: &Path) -> Result<(), InputError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        self.home = Home(folder.to_owned());
        self.bot_command().check()?;
        if self.version.is_none() {
            self.version = Some(self.hash_of_files()?);
        }
        Ok(())
    }
}
