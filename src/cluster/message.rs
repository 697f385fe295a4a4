//! The messages of a fleet. They come from other machines, so sizes are limited and nothing is trusted.

use std::fmt;
use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use patchwork_engine::record::Entry;
use patchwork_engine::util::InputError;
use serde::{Deserialize, Serialize};

use crate::tournament::store::{GamesFormat, MAX_FRAME, frame_of_game, games_of_frames};
use crate::tournament::{GameAddress, Manifest, PlanFile};

/// The version of all messages.
const FORMAT: u8 = 2;

/// The maximum size of a task.
pub const MOST_TASK_BYTES: usize = 4096;

/// The maximum size of an outcome: two games and a header.
pub const MOST_OUTCOME_BYTES: usize = 2 * MAX_FRAME + 8192;

/// The maximum size of an unpacked plan.
const MOST_PLAN_BYTES: u64 = 1 << 28;

/// The maximum length of the reason for a failure.
const MOST_REASON: usize = 1000;

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
    #[must_use]
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
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a task has only plain values")
    }

    /// Parses a message.
    ///
    /// # Errors
    /// When it is not a task of this format.
    pub fn decode(bytes: &[u8]) -> Result<Self, InputError> {
        let task: Self = read_json(bytes, MOST_TASK_BYTES)?;
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
#[derive(Clone, Debug, PartialEq)]
pub enum TaskVerdict {
    /// The games were played.
    Played(Vec<(GameAddress, Entry)>),
    /// The games could not be played, for this reason.
    Failed(String),
    /// The worker ended before the games did.
    Returned,
    /// The task was delivered so often that it seems to kill workers.
    Deadly(u64),
}

/// A worker's answer to a task.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetOutcome {
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

/// The first line of an outcome; frames as in `games.bin` follow.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeHead {
    format: u8,
    plan: String,
    play: String,
    pair: PairKey,
    attempt: u32,
    worker: String,
    verdict: VerdictHead,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum VerdictHead {
    Played,
    Failed(String),
    Returned,
    Deadly(u64),
}

impl FleetOutcome {
    /// The message.
    ///
    /// # Errors
    /// When a game is too large to be stored.
    pub fn encode(&self) -> Result<Vec<u8>, InputError> {
        let (verdict, games) = match &self.verdict {
            TaskVerdict::Played(games) => (VerdictHead::Played, &games[..]),
            TaskVerdict::Failed(why) => {
                let why = why.chars().take(MOST_REASON).collect();
                (VerdictHead::Failed(why), &[][..])
            }
            TaskVerdict::Returned => (VerdictHead::Returned, &[][..]),
            TaskVerdict::Deadly(times) => (VerdictHead::Deadly(*times), &[][..]),
        };
        let head = OutcomeHead {
            format: FORMAT,
            plan: self.plan.clone(),
            play: self.play.clone(),
            pair: self.pair,
            attempt: self.attempt,
            worker: self.worker.clone(),
            verdict,
        };
        let mut bytes = serde_json::to_vec(&head).map_err(broken)?;
        bytes.push(b'\n');
        for (address, entry) in games {
            let frame = frame_of_game(GamesFormat::CURRENT, address, entry);
            bytes.extend(frame.map_err(|bytes| broken(format!("a game of {bytes} bytes")))?);
        }
        Ok(bytes)
    }

    /// Parses a message.
    ///
    /// # Errors
    /// When it is not an outcome of this format.
    pub fn decode(bytes: &[u8]) -> Result<Self, InputError> {
        check_size(bytes, MOST_OUTCOME_BYTES)?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| broken("it has no first line"))?;
        let head: OutcomeHead = read_json(&bytes[..end], MOST_TASK_BYTES)?;
        if head.format != FORMAT {
            return Err(broken(format!("format {}; expected {FORMAT}", head.format)));
        }
        check_worker_name(&head.worker).map_err(broken)?;
        let rest = &bytes[end + 1..];
        let verdict = match head.verdict {
            VerdictHead::Played => {
                let games = games_of_frames(rest).map_err(broken)?;
                if games.is_empty() || games.len() > 2 {
                    return Err(broken(format!("{} games", games.len())));
                }
                TaskVerdict::Played(games)
            }
            _ if !rest.is_empty() => return Err(broken("games of a task that was not played")),
            VerdictHead::Failed(why) => TaskVerdict::Failed(printable(&why)),
            VerdictHead::Returned => TaskVerdict::Returned,
            VerdictHead::Deadly(times) => TaskVerdict::Deadly(times),
        };
        Ok(Self {
            plan: head.plan,
            play: head.play,
            pair: head.pair,
            attempt: head.attempt,
            worker: head.worker,
            verdict,
        })
    }
}

/// A text from another machine, reduced to one printable line.
fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(MOST_REASON).map(plain).collect()
}

/// What a worker says about itself from time to time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerStatus {
    /// The name of the worker.
    pub worker: String,
    /// Number of its threads.
    pub threads: u32,
    /// Number of games that it has played.
    pub games: u64,
    /// Number of tasks that failed.
    pub failures: u64,
    /// Seconds since it started.
    pub seconds: f64,
}

impl WorkerStatus {
    /// The message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a status has only plain values")
    }

    /// Parses a message.
    ///
    /// # Errors
    /// When it is not a status.
    pub fn decode(bytes: &[u8]) -> Result<Self, InputError> {
        let status: Self = read_json(bytes, MOST_TASK_BYTES)?;
        check_worker_name(&status.worker).map_err(broken)?;
        Ok(status)
    }
}

/// The plan that a fleet plays.
pub struct FleetPlan;

impl FleetPlan {
    /// The message: a compressed plan file.
    ///
    /// # Errors
    /// When it cannot be compressed.
    pub fn encode(manifest: &Manifest) -> Result<Vec<u8>, InputError> {
        let file = PlanFile::of(manifest.clone());
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&file.to_json()).map_err(broken)?;
        packed.finish().map_err(broken)
    }

    /// Parses a message, which must have this version of play.
    ///
    /// # Errors
    /// When it is not a plan, or has another version of play.
    pub fn decode(bytes: &[u8]) -> Result<Manifest, InputError> {
        let mut json = Vec::new();
        let mut unpacked = GzDecoder::new(bytes).take(MOST_PLAN_BYTES);
        unpacked.read_to_end(&mut json).map_err(broken)?;
        Ok(PlanFile::from_json(Path::new("the plan of the fleet"), &json)?.manifest)
    }
}

/// Checks that a worker can have this name.
///
/// # Errors
/// A sentence that says what was expected.
pub fn check_worker_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    Err(format!(
        "'{}' cannot name a worker; expected 1 to 64 letters, digits, '-', '_' and '.'",
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
