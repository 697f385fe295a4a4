//! The messages of a fleet. They come from other machines, so sizes are limited and nothing is trusted.

use std::fmt;
use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use patchwork_engine::agent::PLAIN_NAME;
use patchwork_engine::record::{Entry, GameId};
use patchwork_engine::util::InputError;
use serde::{Deserialize, Serialize, Serializer};

use patchwork_tournament::ledger::MAX_RECORD;
use patchwork_tournament::ledger::codec::{decode_games, encode_games};
use patchwork_tournament::{GameAddress, Manifest, PlanFile, play_version};

/// The version of all messages.
const FORMAT: u8 = 2;

/// The maximum size of a task.
pub const MAX_TASK_BYTES: usize = 4096;

/// The maximum size of an outcome: two games and a header.
pub const MAX_OUTCOME_BYTES: usize = 2 * MAX_RECORD + 8192;

/// The maximum size of an unpacked plan.
const MAX_PLAN_BYTES: u64 = 1 << 28;

/// The maximum length of the reason for a failure.
const MAX_REASON: usize = 1000;

/// The rejection of a message, which may quote it.
fn broken(what: impl fmt::Display) -> InputError {
    InputError::new(printable(&what.to_string()))
}

/// Identifies a pair of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairKey {
    /// The number of the pairing.
    pub pairing: u32,
    /// The number of the pair.
    pub pair: u32,
}

impl PairKey {
    pub(crate) const fn of(GameId { pairing, pair, .. }: GameId) -> Self {
        Self { pairing, pair }
    }

    /// A game of the pair.
    pub(crate) const fn game(self, leg: u8) -> GameId {
        let Self { pairing, pair } = self;
        GameId { pairing, pair, leg }
    }
}

/// A pair to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetTask {
    format: u8,
    /// The hash of the plan.
    pub plan: String,
    /// The version of play.
    pub play: String,
    /// The pair.
    pub pair: PairKey,
    /// The legs that are missing.
    pub legs: Vec<u8>,
    /// How many times the pair has been published, including this time.
    pub attempt: u32,
}

impl FleetTask {
    /// A task to play these legs of a pair.
    pub fn new(of: &Manifest, pair: PairKey, legs: Vec<u8>, attempt: u32) -> Self {
        Self {
            format: FORMAT,
            plan: of.plan_hash.clone(),
            play: of.play.clone(),
            pair,
            legs,
            attempt,
        }
    }

    /// The message.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a task has only plain values")
    }

    /// Parses a message.
    pub fn decode(bytes: &[u8]) -> Result<Self, InputError> {
        let task: Self = read_json(bytes, MAX_TASK_BYTES)?;
        if task.format != FORMAT {
            return Err(broken(format!("format {}; expected {FORMAT}", task.format)));
        }
        if !matches!(task.legs[..], [0] | [1] | [0, 1]) {
            return Err(broken(format!("legs {:?}", task.legs)));
        }
        Ok(task)
    }
}

/// What happened to a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskVerdict {
    /// The games were played. They follow the first line of the message.
    Played(#[serde(skip)] Vec<(GameAddress, Entry)>),
    /// The games could not be played, for this reason.
    Failed(#[serde(serialize_with = "shortened")] String),
    /// The worker ended before the games did.
    Returned,
    /// The task was delivered so often that it seems to kill workers.
    Deadly(u64),
}

fn shortened<S: Serializer>(reason: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let short = reason.chars().take(MAX_REASON);
    serializer.collect_str(&short.collect::<String>())
}

/// A worker's answer to a task. As a message, it is a line of JSON, and the games follow as bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetOutcome {
    format: u8,
    /// The hash of the plan.
    pub plan: String,
    /// The version of play of the worker.
    pub play: String,
    /// The pair.
    pub pair: PairKey,
    /// The attempt of the task.
    pub attempt: u32,
    /// The name of the worker.
    pub worker: String,
    /// What happened to the task.
    pub verdict: TaskVerdict,
}

impl FleetOutcome {
    /// The answer of this worker, with this program's version of play.
    pub fn new(task: &FleetTask, worker: &str, verdict: TaskVerdict) -> Self {
        Self {
            format: FORMAT,
            plan: task.plan.clone(),
            play: play_version(),
            pair: task.pair,
            attempt: task.attempt,
            worker: worker.to_owned(),
            verdict,
        }
    }

    /// The message.
    pub fn encode(&self) -> Result<Vec<u8>, InputError> {
        let mut bytes = serde_json::to_vec(self).map_err(broken)?;
        bytes.push(b'\n');
        if let TaskVerdict::Played(games) = &self.verdict {
            let games = encode_games(games);
            bytes.extend(games.map_err(|bytes| broken(format!("a game of {bytes} bytes")))?);
        }
        Ok(bytes)
    }

    /// Parses a message.
    pub fn decode(bytes: &[u8]) -> Result<Self, InputError> {
        check_size(bytes, MAX_OUTCOME_BYTES)?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| broken("it has no first line"))?;
        let mut outcome: Self = read_json(&bytes[..end], MAX_TASK_BYTES)?;
        if outcome.format != FORMAT {
            let found = outcome.format;
            return Err(broken(format!("format {found}; expected {FORMAT}")));
        }
        check_worker_name(&outcome.worker).map_err(broken)?;
        let rest = &bytes[end + 1..];
        match &mut outcome.verdict {
            TaskVerdict::Played(games) => {
                *games = decode_games(rest).map_err(broken)?;
                if games.is_empty() || games.len() > 2 {
                    return Err(broken(format!("{} games", games.len())));
                }
            }
            _ if !rest.is_empty() => return Err(broken("games of a task that was not played")),
            TaskVerdict::Failed(why) => *why = printable(why),
            TaskVerdict::Returned | TaskVerdict::Deadly(_) => {}
        }
        Ok(outcome)
    }
}

/// A text from another machine, reduced to one printable line.
pub(crate) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(MAX_REASON).map(plain).collect()
}

/// The message with the plan that a fleet plays: a compressed plan file.
pub fn encode_plan(manifest: &Manifest) -> Result<Vec<u8>, InputError> {
    let file = PlanFile::of(manifest.clone());
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&file.to_json()).map_err(broken)?;
    packed.finish().map_err(broken)
}

/// Parses a message with a plan, which must have this version of play.
pub fn decode_plan(bytes: &[u8]) -> Result<Manifest, InputError> {
    let mut json = Vec::new();
    let mut unpacked = GzDecoder::new(bytes).take(MAX_PLAN_BYTES);
    unpacked.read_to_end(&mut json).map_err(broken)?;
    Ok(PlanFile::from_json(Path::new("the plan of the fleet"), &json)?.manifest)
}

/// Checks that a worker can have this name.
pub fn check_worker_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    Err(format!(
        "'{}' cannot name a worker; expected 1 to 64 {PLAIN_NAME}",
        printable(name)
    ))
}

fn check_size(bytes: &[u8], most: usize) -> Result<(), InputError> {
    if bytes.len() > most {
        let found = bytes.len();
        return Err(broken(format_args!(
            "{found} bytes; expected at most {most}"
        )));
    }
    Ok(())
}

fn read_json<T: for<'de> Deserialize<'de>>(bytes: &[u8], most: usize) -> Result<T, InputError> {
    check_size(bytes, most)?;
    serde_json::from_slice(bytes).map_err(broken)
}
