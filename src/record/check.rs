//! Games in files, checked against the rules.
//!
//! A file is a table or a text of games ([`super::pgn`]), and may be compressed with gzip. A text begins
//! with a header or a comment. A table has a line of column names and one game per line, separated by
//! tabs: `track`, `ring`, `actions`, `legal_actions` (the number at each ply), `scores` (first,
//! second), `winner` (`first` or `second`) and `bonus_7x7` (`first`, `second` or `-`).

use std::io::{BufRead, Read};
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};

use super::pgn;
use crate::game::{Action, Player, Ring, Setup, State, Track};
use crate::util::input::{FileError, read_file};

/// A game as a line of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableRow {
    /// `original` or `revised`.
    pub track: String,
    /// The 33 patches from the token on.
    pub ring: String,
    /// The actions of all plies.
    pub actions: String,
    /// The number of legal actions at every ply.
    pub legal_actions: String,
    /// Points of the first and the second player.
    pub scores: String,
    /// `first` or `second`.
    pub winner: String,
    /// `first`, `second` or `-`.
    pub bonus_7x7: String,
}

impl TableRow {
    /// The row of a finished game.
    ///
    /// # Errors
    /// When an action is illegal or the game is not over; the message says where.
    pub fn of_game(setup: &Setup, actions: &[Action]) -> Result<Self, String> {
        let mut state = State::new(setup);
        let mut counts = Vec::with_capacity(actions.len());
        for (ply, &action) in actions.iter().enumerate() {
            counts.push(state.count_actions(setup).to_string());
            state = state
                .try_play(setup, action)
                .map_err(|error| format!("ply {}, {action}: {error}", ply + 1))?;
        }
        let outcome = state
            .outcome()
            .ok_or_else(|| format!("after {} plies the game is not over", actions.len()))?;
        Ok(Self {
            track: setup.track().to_string(),
            ring: setup.ring().to_string(),
            actions: crate::game::ActionList(actions.to_vec()).to_string(),
            legal_actions: counts.join(" "),
            scores: format!("{} {}", outcome.scores[0], outcome.scores[1]),
            winner: outcome.winner.to_string(),
            bonus_7x7: bonus_name(outcome.bonus),
        })
    }
}

/// Why a game does not agree with the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Line of the file on which the game begins, from 1.
    pub line: u64,
    /// What differs.
    pub what: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Games read.
    pub games: usize,
    /// The games that do not agree, in order.
    pub mismatches: Vec<Mismatch>,
}

/// A game as a file states it.
struct FileGame {
    line: u64,
    setup: Setup,
    /// Separated by spaces.
    actions: String,
    /// Whose each action is, where the file says so.
    players: Vec<Option<Player>>,
    /// The number at each ply.
    legal_actions: Option<String>,
    scores: Option<String>,
    /// `None` when the file says that the game is not over.
    winner: Option<String>,
    bonus: Option<String>,
    /// The fault by which the player to move lost.
    termination: Option<String>,
}

/// Replays every game of a file.
///
/// # Errors
/// When the file cannot be read, is neither a table nor a text of games, or has an invalid setup.
pub fn check_file(path: &Path) -> Result<Checked, FileError> {
    let games = read_file(path, read_games)?;
    let results = games
        .par_iter()
        .map(|game| {
            check_game(game).err().map(|what| Mismatch {
                line: game.line,
                what,
            })
        })
        .collect::<Vec<_>>();
    Ok(Checked {
        games: results.len(),
        mismatches: results.into_iter().flatten().collect(),
    })
}

fn read_games(plain: &mut dyn BufRead) -> Result<Vec<FileGame>, String> {
    let unreadable = |error| format!("cannot be read: {error}");
    let start = plain.fill_buf().map_err(unreadable)?;
    if start.is_empty() {
        return Err("is empty; expected a table or a text of games".to_owned());
    }
    if is_text(start) {
        read_text(plain)
    } else {
        read_table(plain)
    }
}

/// Whether a file that starts like this is a text of games.
fn is_text(start: &[u8]) -> bool {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    matches!(start.trim_ascii_start().first(), Some(b'[' | b'{' | b';'))
}

fn read_text(plain: impl BufRead) -> Result<Vec<FileGame>, String> {
    let mut games = Vec::new();
    for game in pgn::Reader::new(plain) {
        let (line, game) = game.map_err(|error| error.to_string())?;
        let header = |name: &str| {
            let missing = || format!("line {line}: the game that begins here has no header {name}");
            game.header(name).ok_or_else(missing)
        };
        let at = |error: String| format!("line {line}, in the game that begins here: {error}");
        let track: Track = header("Track")?.parse().map_err(|e| at(format!("{e}")))?;
        let ring: Ring = header("Ring")?.parse().map_err(|e| at(format!("{e}")))?;
        let actions: Vec<&str> = game.moves.iter().map(|one| one.action.as_str()).collect();
        let owned = |name: &str| game.header(name).map(str::to_owned);
        games.push(FileGame {
            line,
            setup: Setup::new(track, ring),
            actions: actions.join(" "),
            players: game.moves.iter().map(|one| one.player).collect(),
            legal_actions: None,
            scores: owned("Score"),
            winner: game.winner.map(|player| player.to_string()),
            bonus: owned("Bonus"),
            termination: owned("Termination"),
        });
    }
    if games.is_empty() {
        return Err("holds no games; expected headers and moves".to_owned());
    }
    Ok(games)
}

fn read_table(plain: impl Read) -> Result<Vec<FileGame>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .quoting(false)
        .from_reader(plain);
    let describe = |error: csv::Error| {
        let line = error.position().map(csv::Position::line);
        let what = match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => {
                format!("{len} columns where the header has {expected_len}")
            }
            csv::ErrorKind::Utf8 { .. } => "not valid UTF-8".to_owned(),
            csv::ErrorKind::Io(error) => format!("cannot be read: {error}"),
            _ => error.to_string(),
        };
        match line {
            Some(line) => format!("line {line}: {what}"),
            None => what,
        }
    };
    const COLUMNS: [&str; 7] = [
        "track",
        "ring",
        "actions",
        "legal_actions",
        "scores",
        "winner",
        "bonus_7x7",
    ];
    let header = reader.headers().map_err(describe)?.clone();
    for column in COLUMNS {
        let found = header.iter().filter(|name| *name == column).count();
        if found != 1 {
            return Err(format!(
                "the header has {found} columns named {column}; expected {} separated by tabs",
                COLUMNS.join(", ")
            ));
        }
    }

    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(describe)?;
        let line = record.position().map_or(0, csv::Position::line);
        let row: TableRow = record.deserialize(Some(&header)).map_err(describe)?;
        let at = |error: String| format!("line {line}: {error}");
        let track: Track = row.track.parse().map_err(|e| at(format!("{e}")))?;
        let ring: Ring = row.ring.parse().map_err(|e| at(format!("{e}")))?;
        rows.push(FileGame {
            line,
            setup: Setup::new(track, ring),
            actions: row.actions,
            players: Vec::new(),
            legal_actions: Some(row.legal_actions),
            scores: Some(row.scores),
            winner: Some(row.winner),
            bonus: Some(row.bonus_7x7),
            termination: None,
        });
    }
    Ok(rows)
}

/// Compares a game in a file with the rules.
fn check_game(game: &FileGame) -> Result<(), String> {
    let setup = &game.setup;
    let mut state = State::new(setup);
    let mut counts = game.legal_actions.as_deref().map(str::split_whitespace);
    let mut players = game.players.iter();
    for (ply, word) in (1..).zip(game.actions.split_whitespace()) {
        let action: Action = word.parse().map_err(|e| format!("ply {ply}: {e}"))?;
        if let Some(counts) = &mut counts {
            check_count(counts.next(), state.count_actions(setup))
                .map_err(|what| format!("ply {ply}: {what}"))?;
        }
        let mover = state.mover();
        let said = players.next().copied().flatten();
        if let Some(said) = said.filter(|&said| said != mover && !state.is_over()) {
            return Err(format!(
                "ply {ply} is the {mover} player's; the file says the {said} player's"
            ));
        }
        state = state
            .try_play(setup, action)
            .map_err(|e| format!("ply {ply}, {word}: {e}"))?;
    }
    if counts.is_some_and(|mut counts| counts.next().is_some()) {
        return Err("more numbers of legal actions than actions".to_owned());
    }
    let Some(outcome) = state.outcome() else {
        let Some(winner) = &game.winner else {
            return Ok(());
        };
        if let Some(fault) = &game.termination {
            let loser = state.mover();
            return match *winner == loser.other().to_string() {
                true => Ok(()),
                false => Err(format!(
                    "the {loser} player was to move; the file says that the other one lost by {fault}"
                )),
            };
        }
        return Err("the game is not over after the last action".to_owned());
    };
    let facts = [
        (
            "scores",
            format!("{} {}", outcome.scores[0], outcome.scores[1]),
            game.scores.as_deref(),
        ),
        (
            "winner",
            outcome.winner.to_string(),
            Some(game.winner.as_deref().unwrap_or("nobody yet")),
        ),
        (
            "bonus_7x7",
            bonus_name(outcome.bonus),
            game.bonus.as_deref(),
        ),
    ];
    for (name, ours, said) in facts {
        if let Some(said) = said.filter(|&said| said != ours) {
            return Err(format!("{name} {ours}; the file says {said}"));
        }
    }
    Ok(())
}

fn check_count(said: Option<&str>, count: u32) -> Result<(), String> {
    if said.and_then(|text| text.parse().ok()) == Some(count) {
        return Ok(());
    }
    let said = said.unwrap_or("nothing");
    Err(format!("{count} legal actions; the file says {said}"))
}

fn bonus_name(bonus: Option<Player>) -> String {
    bonus.map_or_else(|| "-".to_owned(), |player| player.to_string())
}
