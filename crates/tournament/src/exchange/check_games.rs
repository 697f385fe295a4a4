//! Games in files, checked against the rules.
//!
//! A file is a table or a text of games ([`patchwork_engine::record::pgn`]), and may be compressed with gzip. A text
//! begins with a header or a comment. A table has a line of column names and one game per line, separated by tabs,
//! commas or semicolons: `track`, `ring` and `actions`; and, if they are to be checked, `legal_actions` (the number at
//! each ply), `scores` (first, second), `winner` (`first`, `second`, or `*` in a game that was not played to its end)
//! and `bonus_7x7` (`first`, `second` or `-`). Other columns are ignored.

use std::io::BufRead;
use std::path::Path;

use rayon::iter::{ParallelDrainRange as _, ParallelExtend as _, ParallelIterator as _};

use patchwork_engine::game::{Action, ActionList, Player, Ring, Rules, Setup, State};
use patchwork_engine::record::pgn;
use patchwork_engine::util::InputError;
use patchwork_engine::util::lines::unreadable;

use crate::input::{FileForm, TableLines, check_ending, peek, read_file};

/// The columns of a table that are read.
pub(crate) const COLUMNS: [&str; 7] = [
    "track",
    "ring",
    "actions",
    "legal_actions",
    "scores",
    "winner",
    "bonus_7x7",
];

/// The cells of [`COLUMNS`] of a finished game.
///
/// # Errors
/// When an action is illegal or the game is not over; the message says where.
pub(crate) fn cells(setup: &Setup, actions: &[Action]) -> Result<[String; 7], String> {
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
    Ok([
        setup.rules().to_string(),
        setup.ring().to_string(),
        ActionList(actions.to_vec()).to_string(),
        counts.join(" "),
        format!("{} {}", outcome.scores[0], outcome.scores[1]),
        outcome.winner.to_string(),
        bonus_name(outcome.bonus),
    ])
}

/// A game as stated by its file.
struct FileGame {
    line: u64,
    setup: Setup,
    /// Separated by spaces.
    actions: String,
    /// The player of each action, where the file says so.
    players: Vec<Option<Player>>,
    /// The number of legal actions at each ply.
    legal_actions: Option<String>,
    scores: Option<String>,
    winner: Option<String>,
    bonus: Option<String>,
    /// Whether the file says that the game was not played to its end.
    unfinished: bool,
    /// The fault by which the player to move lost.
    termination: Option<String>,
}

/// Number of games in memory at a time.
const BATCH: usize = 4096;

/// Replays every game of a file. Returns the number of games; and the lines, from 1, on which the games begin that do
/// not agree with the rules, in order, and what differs.
///
/// # Errors
/// When the file cannot be read, is neither a table nor a text of games, or has an invalid setup.
pub fn check_file(path: &Path) -> Result<(usize, Vec<(u64, String)>), InputError> {
    read_file(path, |plain| check_games(plain, path))
}

fn check_games(plain: impl BufRead, path: &Path) -> Result<(usize, Vec<(u64, String)>), String> {
    let (start, input) = peek(plain).map_err(|error| unreadable(&error))?;
    if start.is_empty() {
        return Err("is empty; expected a table or a text of games".to_owned());
    }
    if start.trim_ascii_start().starts_with(b"{\"") {
        return Err("holds JSON lines; expected a table (tsv) or a text of games (pgn)".to_owned());
    }
    // A text of games begins with a header or a comment.
    let is_text = matches!(start.trim_ascii_start().first(), Some(b'[' | b'{' | b';'));
    let (found, about): (&[FileForm], _) = match is_text {
        true => (&[FileForm::Pgn], "a text of games"),
        false => (&[FileForm::Tsv, FileForm::Csv], "a table"),
    };
    check_ending(path, found, about)?;
    let (mut count, mut mismatches, mut batch) = (0, Vec::new(), Vec::new());
    let mut check = |games: &mut Vec<FileGame>| {
        count += games.len();
        let found = games.par_drain(..);
        let found = found.filter_map(|game| Some((game.line, check_game(&game).err()?)));
        mismatches.par_extend(found);
    };
    let mut add = |game| {
        batch.push(game);
        if batch.len() == BATCH {
            check(&mut batch);
        }
    };
    if is_text {
        read_text(input, &mut add)?;
    } else {
        read_table(input, &mut add)?;
    }
    check(&mut batch);
    Ok((count, mismatches))
}

fn read_text(plain: impl BufRead, add: &mut impl FnMut(FileGame)) -> Result<(), String> {
    let mut empty = true;
    for game in pgn::read(plain) {
        let (line, game) = game.map_err(|error| error.to_string())?;
        let header = |name: &str| {
            let missing = || format!("line {line}: the game that begins here has no header {name}");
            game.header(name).ok_or_else(missing)
        };
        let at = |error: String| format!("line {line}, in the game that begins here: {error}");
        let rules: Rules = header("Track")?.parse().map_err(|e| at(format!("{e}")))?;
        let ring: Ring = header("Ring")?.parse().map_err(|e| at(format!("{e}")))?;
        let actions: Vec<&str> = game.moves.iter().map(|one| one.action.as_str()).collect();
        let owned = |name: &str| game.header(name).map(str::to_owned);
        add(FileGame {
            line,
            setup: Setup::new(rules, ring),
            actions: actions.join(" "),
            players: game.moves.iter().map(|one| one.player).collect(),
            legal_actions: None,
            scores: owned("Score"),
            winner: game.winner.map(|player| player.to_string()),
            bonus: owned("Bonus"),
            unfinished: game.winner.is_none(),
            termination: owned("Termination"),
        });
        empty = false;
    }
    if empty {
        return Err("holds no games; expected headers and moves".to_owned());
    }
    Ok(())
}

const EXPECTED: &str = "track, ring and actions, and legal_actions, scores, winner and bonus_7x7 if they are to be checked";

fn read_table(plain: impl BufRead, add: &mut impl FnMut(FileGame)) -> Result<(), String> {
    let mut table = TableLines::new(plain, EXPECTED)?;
    let required = |name: &str| {
        table.column(&[name])?.ok_or_else(|| {
            format!("line 1: no column is named {name}; expected {EXPECTED}, separated by tabs, commas or semicolons")
        })
    };
    let [track, ring, actions] = [required("track")?, required("ring")?, required("actions")?];
    let optional = |name: &str| table.column(&[name]);
    let [legal_actions, scores, winner, bonus] = [
        optional("legal_actions")?,
        optional("scores")?,
        optional("winner")?,
        optional("bonus_7x7")?,
    ];
    while let Some((line, cells)) = table.next_row()? {
        let at = |error: String| format!("line {line}: {error}");
        let cells = cells.map_err(at)?;
        let rules: Rules = cells[track].parse().map_err(|e| at(format!("{e}")))?;
        let ring: Ring = cells[ring].parse().map_err(|e| at(format!("{e}")))?;
        let owned = |column: Option<usize>| column.map(|column| cells[column].to_string());
        let winner = owned(winner);
        let unfinished = winner.as_deref() == Some(UNFINISHED);
        add(FileGame {
            line,
            setup: Setup::new(rules, ring),
            actions: cells[actions].to_string(),
            players: Vec::new(),
            legal_actions: owned(legal_actions),
            scores: owned(scores),
            winner: winner.filter(|_| !unfinished),
            bonus: owned(bonus),
            unfinished,
            termination: None,
        });
    }
    Ok(())
}

/// The winner of a game that was not played to its end.
const UNFINISHED: &str = "*";

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
        if game.unfinished {
            return Ok(());
        }
        let loser = state.mover();
        return match (&game.termination, &game.winner) {
            (Some(_), Some(winner)) if *winner == loser.other().to_string() => Ok(()),
            (Some(fault), Some(_)) => Err(format!(
                "the {loser} player was to move; the file says that the other one lost by {fault}"
            )),
            _ => Err("the game is not over after the last action".to_owned()),
        };
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
            game.winner
                .as_deref()
                .or(game.unfinished.then_some("nobody yet")),
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
