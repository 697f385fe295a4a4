//! `tune --external`: another program proposes the candidates.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use patchwork_engine::util::clock::Timer;
use patchwork_engine::util::counted;
use patchwork_tune::{
    ArenaLine, ConvergenceRow, Conversation, Point, SearchResults, Stage, TuningCrew as _,
};

use super::TuningRun;
use crate::output::input_lines;

/// Stands for the method in reports.
const EXTERNAL: &str = "external";

/// Time between two checks whether the user has stopped the search.
const LOOK: Duration = Duration::from_millis(100);

/// Searches as the other program asks. It must not be silent for longer than `patience`.
pub(super) fn search(
    run: &mut TuningRun<'_, '_>,
    patience: Duration,
) -> anyhow::Result<Option<SearchResults>> {
    let mut talk = Conversation::new(run.tuning.space.clone(), run.pairs());
    say(&talk.greeting())?;
    let (lines, mut convergence) = (input_lines(), Vec::new());
    let winner = loop {
        let end = converse(run, &mut talk, &lines, patience)?;
        if end == ControlFlow::Break(None) {
            return Ok(None);
        }
        show(run, &talk, &mut convergence);
        if let ControlFlow::Break(Some(point)) = end {
            break point;
        }
    };
    Ok(Some(SearchResults {
        ranking: talk.ranking(),
        history: talk.history(),
        convergence,
        winner,
        games: run.arena.games(),
        method: EXTERNAL,
    }))
}

/// Reads the lines that have arrived, plays what they ask for and sends the results. Breaks with
/// the final candidate if the program has ended the search, with `None` if the user has.
fn converse(
    run: &mut TuningRun<'_, '_>,
    talk: &mut Conversation,
    lines: &Receiver<io::Result<String>>,
    patience: Duration,
) -> anyhow::Result<ControlFlow<Option<Point>>> {
    let mut timer = Timer::new(patience);
    let first = loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => break line,
            Err(RecvTimeoutError::Timeout) if run.stop.is_set() => {
                return Ok(ControlFlow::Break(None));
            }
            Err(RecvTimeoutError::Timeout) if !timer.left().is_zero() => {}
            Err(RecvTimeoutError::Timeout) => {
                let error = format!(
                    "no line arrived on the standard input for {} (--patience); the games so far are saved, \
                     and the same command goes on with them",
                    counted(patience.as_secs(), "second")
                );
                return Err(reported(error));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let error = "the standard input ended before {\"best\": ...}; the games so far are saved, and the \
                             same command goes on with them";
                return Err(reported(error.to_owned()));
            }
        }
    };
    let (mut trials, mut wrong, mut unread) = (Vec::new(), None, None);
    for line in std::iter::once(first).chain(lines.try_iter()) {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                unread = Some(format!("the standard input cannot be read: {error}"));
                break;
            }
        };
        match talk.read(&line) {
            Ok(Some(trial)) => trials.push(trial),
            Ok(None) if talk.end().is_none() => {}
            Ok(None) => break,
            Err(error) => {
                wrong = Some(error);
                break;
            }
        }
    }
    // Requests before a bad line are still played and answered.
    let Some(results) = run.play(&trials)? else {
        return Ok(ControlFlow::Break(None));
    };
    for (trial, results) in trials.iter().zip(results) {
        say(&talk.tell(trial, results)?)?;
    }
    if let Some(error) = wrong {
        let _ = say(&ArenaLine::Error(error.to_string()));
        bail!("the standard input, {error}");
    }
    if let Some(error) = unread {
        return Err(reported(error));
    }
    Ok(match talk.end() {
        Some(point) => ControlFlow::Break(Some(point.clone())),
        None => ControlFlow::Continue(()),
    })
}

/// Shows the incumbent from time to time.
fn show(run: &mut TuningRun<'_, '_>, talk: &Conversation, convergence: &mut Vec<ConvergenceRow>) {
    let pairs = talk.history().pairs();
    let shown = convergence.last().map_or(0, |row| row.pairs);
    if pairs < shown + run.pairs().div_ceil(50) {
        return;
    }
    if let Some(best) = talk.ranking().first() {
        let row = ConvergenceRow::new((pairs, run.arena.games()), Stage::Search, None, best);
        run.show(&row);
        convergence.push(row);
    }
}

/// The error, after it has been written as a line. The other program may have ended, so that nobody reads it.
fn reported(error: String) -> anyhow::Error {
    let _ = say(&ArenaLine::Error(error.clone()));
    anyhow!(error)
}

/// Writes a line.
fn say(line: &ArenaLine) -> anyhow::Result<()> {
    let json = serde_json::to_string(line).context("a line cannot be written as JSON")?;
    let mut out = io::stdout().lock();
    writeln!(out, "{json}")
        .and_then(|()| out.flush())
        .context("the standard output cannot be written; the games so far are saved")
}
