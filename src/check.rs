//! Games as rows of a table, and the check that every row agrees with the rules.
//!
//! Columns, separated by tabs under a header line: `track`, `ring`, `actions`, `legal_actions` (the
//! number at each ply), `scores` (first, second), `winner` (`first` or `second`) and `bonus_7x7`
//! (`first`, `second` or `-`). The file may be compressed with gzip.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};

use crate::game::{Action, Player, Ring, Setup, State, Track};

/// One game as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
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

impl Row {
    /// The row of a finished game.
    ///
    /// # Errors
    /// When an action is illegal or the game is not over; the sentence says where.
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
            bonus_7x7: outcome
                .bonus
                .map_or_else(|| "-".to_owned(), |player| player.to_string()),
        })
    }
}

/// Why a file of games could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is no table of games, or a damaged one.
    #[error("{}: {what}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line where it is known.
        what: String,
    },
}

/// Why a row does not agree with the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Line of the file; the header is line 1.
    pub line: u64,
    /// What differs.
    pub what: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Rows read.
    pub games: usize,
    /// The rows that do not agree, in order.
    pub mismatches: Vec<Mismatch>,
}

/// Replays every game of a file.
///
/// # Errors
/// When the file cannot be read, is no table of games, or holds a setup that is none.
pub fn check_file(path: &Path) -> Result<Checked, ReadError> {
    let rows = read_rows(path)?;
    let results = rows
        .par_iter()
        .map(|(line, setup, row)| {
            check_row(setup, row)
                .err()
                .map(|what| Mismatch { line: *line, what })
        })
        .collect::<Vec<_>>();
    Ok(Checked {
        games: results.len(),
        mismatches: results.into_iter().flatten().collect(),
    })
}

fn read_rows(path: &Path) -> Result<Vec<(u64, Setup, Row)>, ReadError> {
    let open = |error| ReadError::Open {
        path: path.to_owned(),
        error,
    };
    let format = |what: String| ReadError::Format {
        path: path.to_owned(),
        what,
    };
    let mut file = BufReader::new(File::open(path).map_err(open)?);
    // Looked at without being taken, so that a pipe can be read as well.
    let is_gzip = file.fill_buf().map_err(open)?.starts_with(&[0x1f, 0x8b]);
    let plain: Box<dyn Read> = if is_gzip {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };

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
        format(match line {
            Some(line) => format!("line {line}: {what}"),
            None => what,
        })
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
            return Err(format(format!(
                "the header has {found} columns named {column}; expected {} separated by tabs",
                COLUMNS.join(", ")
            )));
        }
    }

    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(describe)?;
        let line = record.position().map_or(0, csv::Position::line);
        let row: Row = record.deserialize(Some(&header)).map_err(describe)?;
        let at = |error: String| format(format!("line {line}: {error}"));
        let track: Track = row.track.parse().map_err(|e| at(format!("{e}")))?;
        let ring: Ring = row.ring.parse().map_err(|e| at(format!("{e}")))?;
        rows.push((line, Setup::new(track, ring), row));
    }
    Ok(rows)
}

/// Compares what the row says with what the rules say.
fn check_row(setup: &Setup, row: &Row) -> Result<(), String> {
    let mut state = State::new(setup);
    let mut counts = row.legal_actions.split_whitespace();
    for (ply, word) in (1..).zip(row.actions.split_whitespace()) {
        let action: Action = word.parse().map_err(|e| format!("ply {ply}: {e}"))?;
        let count = state.count_actions(setup);
        let said = counts.next();
        if said.and_then(|text| text.parse().ok()) != Some(count) {
            let said = said.unwrap_or("nothing");
            return Err(format!(
                "ply {ply}: {count} legal actions, the row says {said}"
            ));
        }
        state = state
            .try_play(setup, action)
            .map_err(|e| format!("ply {ply}, {word}: {e}"))?;
    }
    if counts.next().is_some() {
        return Err("more numbers of legal actions than actions".to_owned());
    }
    let Some(outcome) = state.outcome() else {
        return Err("the game is not over after the last action".to_owned());
    };
    let bonus = outcome.bonus.map_or("-", player_name);
    let facts = [
        (
            "scores",
            format!("{} {}", outcome.scores[0], outcome.scores[1]),
            &row.scores,
        ),
        ("winner", outcome.winner.to_string(), &row.winner),
        ("bonus_7x7", bonus.to_owned(), &row.bonus_7x7),
    ];
    for (name, ours, said) in facts {
        if ours != *said {
            return Err(format!("{name} {ours}, the row says {said}"));
        }
    }
    Ok(())
}

const fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}
