//! Standard output and error, Ctrl-C and exit codes: 0 is success, 1 a check that failed, 2 bad input or a
//! failure, 130 an interrupted run. A sequential test has its own, see [`verdict_code`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use console::Term;
use indicatif::HumanDuration;
use patchwork_engine::search::Stop;
use patchwork_rating::sprt::Verdict;
use patchwork_report::document::escape::{EscapingWriter, escaped};
use patchwork_report::document::{TextForm, wrapped_line};
use patchwork_tournament::ledger;
use serde::Serialize;

#[cfg(feature = "fleet")]
use patchwork_fleet::shown_url;
/// Without fleets, no word of a command line is the address of a server.
#[cfg(not(feature = "fleet"))]
fn shown_url(word: &str) -> String {
    word.to_owned()
}

const BAD_INPUT: u8 = 2;
/// The exit code that shells expect of an interrupted program.
const INTERRUPTED: u8 = 130;

/// What stands for the standard input where a file is read, and for the standard output where a result is written.
pub(super) const STANDARD: &str = "-";
/// The minus sign of tables, which a number that is copied from them begins with.
const MINUS: char = '\u{2212}';

/// The words of the command line as they are meant: the file of the standard input for [`STANDARD`], and numbers with the
/// minus sign of keyboards.
pub(crate) fn words() -> impl Iterator<Item = OsString> {
    let mut before = String::new();
    std::env::args_os().map(move |word| {
        let word = match word.into_string() {
            Ok(word) => word,
            Err(word) => return word,
        };
        // A file that is written, or no actions.
        let others = ["-o", "--output", "--plan", "--actions"];
        let is_read = word == STANDARD && cfg!(unix) && !others.contains(&&*before);
        let meant = if is_read {
            "/dev/stdin".to_owned()
        } else {
            let mut last = '=';
            let typed = |c: char| {
                let begins = c == MINUS && "=,".contains(last);
                last = c;
                if begins { '-' } else { c }
            };
            word.chars().map(typed).collect()
        };
        before = word;
        meant.into()
    })
}

/// What newcomers type, the option that the subcommand must have, and what is meant. There are no second names.
const MEANT: &[(&str, &str, &str)] = &[
    ("--games", "pairs", "use --pairs; a pair is two games"),
    ("--iterations", "set", "use --set budget.iterations=N"),
    ("--time", "set", "use --set budget.milliseconds=N"),
    (
        "--budget",
        "set",
        "use --set budget.iterations=N or --set budget.milliseconds=N",
    ),
    (
        "--iterations",
        "shard",
        "write budget.iterations = N into the tournament file",
    ),
    (
        "--time",
        "shard",
        "write budget.milliseconds = N into the tournament file",
    ),
    (
        "--budget",
        "shard",
        "write budget.iterations = N into the tournament file",
    ),
    (
        "--top",
        "thoughts",
        "use --thoughts top-N to record candidates",
    ),
    ("--top", "full", "use --format csv, and take the first rows"),
    ("--port", "address", "use --address 127.0.0.1:PORT"),
    ("-p", "address", "use --address 127.0.0.1:PORT"),
    ("list", "", "use agents list"),
    ("sprt", "", "use match A B --sprt ELO0,ELO1"),
    (
        "elo",
        "",
        "use rate for files of results, or report for a results folder",
    ),
];

/// What an argument or subcommand that is not known most likely means.
fn meant(error: &clap::Error) -> Option<&'static str> {
    let kinds = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    let word = kinds.iter().find_map(|kind| match error.get(*kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    })?;
    let mut command = super::Cli::command();
    for word in std::env::args_os().skip(1) {
        match command.find_subcommand(word) {
            Some(inner) => command = inner.clone(),
            None => break,
        }
    }
    let has = |option: &str| {
        command
            .get_arguments()
            .any(|one| one.get_long() == Some(option))
    };
    let mut rows = MEANT.iter().filter(|(typed, ..)| typed == word);
    let &(_, _, hint) = rows.find(|(_, option, _)| option.is_empty() || has(option))?;
    Some(hint)
}

/// Reports an error on one line.
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    note(format_args!("error: {error:#}"));
    ExitCode::from(BAD_INPUT)
}

/// Prints the requested help or version, or describes the mistake in the arguments on one line.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(sentence) = super::not_built(name)
    {
        note(format_args!("error: {sentence}"));
        return ExitCode::from(BAD_INPUT);
    }
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == help {
        let _ = error.print();
    } else {
        let message = error.to_string();
        let lines = message.lines().map(str::trim);
        let lines =
            lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
        let mut lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let tip = meant(error).map(|hint| format!("tip: {hint}"));
        if let Some(tip) = &tip {
            lines.truncate(1);
            lines.push(tip);
        }
        let sentence = lines.join("; ").replace(":; ", ": ");
        note(format_args!("{sentence}; see --help"));
    }
    ExitCode::from(if error.use_stderr() { BAD_INPUT } else { 0 })
}

/// What the exit codes of a sequential test mean.
pub(super) const VERDICT_CODES: &str = "Exit codes of a sequential test: 0 if it accepts H1, 1 if it accepts H0, 3 if it is undecided.";

/// The exit code for the verdict of a sequential test, see [`VERDICT_CODES`].
pub(super) fn verdict_code(verdict: Verdict) -> ExitCode {
    ExitCode::from(match verdict {
        Verdict::AcceptH1 => 0,
        Verdict::AcceptH0 => 1,
        Verdict::Continue => 3,
    })
}

/// Writes a line to the standard error and ignores failures.
pub(super) fn note(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", escaped(&line.to_string()));
}

/// Says that the user has stopped the work, and how far it got.
pub(super) fn stopped(line: std::fmt::Arguments<'_>) -> ExitCode {
    note(line);
    ExitCode::from(INTERRUPTED)
}

/// Says that the user has stopped the work and how far it got, and on a line of its own how to resume it.
pub(super) fn stopped_for_now(line: std::fmt::Arguments<'_>) -> ExitCode {
    note(format_args!("{line} To resume:"));
    stopped(format_args!("  {}", this_command()))
}

/// The command line, quoted for a shell, without passwords.
fn this_command() -> String {
    let mut is_server = false;
    let quoted = std::env::args().map(|word| {
        // A server may have no scheme.
        let word = if let Some(server) = word.strip_prefix("--nats=") {
            format!("--nats={}", shown_url(server))
        } else if is_server || word.contains("://") {
            shown_url(&word)
        } else {
            word
        };
        is_server = word == "--nats";
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// What writes an output. It is boxed, so that the functions below are compiled once.
type Writing<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

/// Writes text to the standard output, with control characters removed and long lines broken if the width is known. A
/// reader that closes the pipe early, such as `head`, is not an error.
pub(super) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    print_broken(Box::new(write))
}

fn print_broken(write: Writing<'_>) -> anyhow::Result<()> {
    let Some(width) = known_width() else {
        return print_unbroken(write);
    };
    let mut text = Vec::new();
    let written = write(&mut text);
    print_unbroken(|out| {
        written?;
        for line in String::from_utf8_lossy(&text).split_inclusive('\n') {
            let text = line.trim_end_matches('\n');
            write!(out, "{}{}", wrapped_line(text, width), &line[text.len()..])?;
        }
        Ok(())
    })
}

/// The same for JSON and scripts, whose lines are not broken.
pub(super) fn print_unbroken(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let out = EscapingWriter::new(io::stdout().lock(), console::colors_enabled());
    print_to(out, Box::new(write))
}

/// Writes data such as CSV to the standard output: unchanged, or with control characters removed on a terminal.
pub(super) fn print_data(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let out = io::stdout().lock();
    let write = Box::new(write);
    match out.is_terminal() {
        true => print_to(EscapingWriter::new(out, false), write),
        false => print_to(out, write),
    }
}

/// Passes bytes on and is flushed by its owner alone.
struct Unflushed<W>(W);

impl<W: Write> Write for Unflushed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn print_to(out: impl Write, write: Writing<'_>) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(out);
    // A table that ends with an error flushes what it has.
    match write(&mut Unflushed(&mut out)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // What is not written yet would look like a result.
            let _ = out.into_parts();
            Err(anyhow::Error::new(error).context("cannot write to the standard output"))
        }
        _ => Ok(()),
    }
}

/// The width of the standard output in columns: that of the terminal, or else of the environment variable COLUMNS, or
/// else 80.
pub(super) fn output_width() -> usize {
    known_width().unwrap_or(TextForm::default().width)
}

/// The greatest width that is used, in columns: more memory than there is could be needed for the widest.
pub(super) const MAX_WIDTH: usize = 1000;

/// The width of the standard output in columns, if the terminal or the environment tells it.
pub(super) fn known_width() -> Option<usize> {
    let terminal = Term::stdout().size_checked();
    let terminal = terminal.map(|(_, columns)| usize::from(columns));
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let known = |width: &usize| *width > 0;
    let width = terminal.filter(known).or_else(|| told().filter(known));
    width.map(|width| width.min(MAX_WIDTH))
}

/// An estimated time in words.
pub(super) fn duration_text(time: Duration) -> String {
    match time < Duration::from_secs(1) {
        true => "less than a second".to_owned(),
        false => HumanDuration(time).to_string(),
    }
}

/// Writes the expected duration of games; `of` says what it measures.
pub(super) fn write_estimate(
    out: &mut dyn Write,
    time: Option<Duration>,
    of: &str,
) -> io::Result<()> {
    match time {
        Some(time) => writeln!(out, "Estimated: {}{of}", duration_text(time)),
        None => writeln!(out, "Estimated: unknown, as no game has been timed yet"),
    }
}

pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Checks, before the work for it is done, that a file may be written.
pub(super) fn check_target(path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    ledger::check_foreign(path)?;
    if path == Path::new(STANDARD) {
        bail!(
            "{STANDARD}: expected the name of a file; only results are written to the standard output"
        );
    }
    if path.is_dir() {
        bail!("{}: is a folder; expected a file", path.display());
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            bail!(
                "{}: there is no folder {}",
                path.display(),
                folder.display()
            )
        }
        _ => Ok(()),
    }
}

/// Checks that a file to be written is none of those that the command reads.
pub(super) fn check_not_read(target: &Path, read: &[impl AsRef<Path>]) -> anyhow::Result<()> {
    let place = target.canonicalize().ok();
    let same = |path: &Path| place.is_some() && path.canonicalize().ok() == place;
    if read.iter().any(|path| same(path.as_ref())) {
        bail!(
            "{}: is also read; expected another file to write",
            target.display()
        );
    }
    Ok(())
}

/// Checks that no file or folder is given twice, under the same name or another one.
pub(super) fn check_distinct(paths: &[PathBuf]) -> anyhow::Result<()> {
    let mut there = BTreeSet::new();
    for path in paths {
        // A pipe of the shell has no place in a folder.
        let place = path
            .canonicalize()
            .or_else(|_| path.metadata().map(|_| path.clone()));
        let Ok(place) = place else {
            bail!("{}: there is no such folder or file", path.display());
        };
        if !there.insert(place) {
            bail!("{}: given twice; expected each source once", path.display());
        }
    }
    Ok(())
}

/// Writes a file that the user has named. Refuses the files of a results folder that only the program itself
/// may write. A plain file is replaced as a whole or not at all; links are followed and its mode is kept.
/// Anything else, such as a device, is written into.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    replace_file(path, Box::new(write))
}

fn replace_file(path: &Path, write: Writing<'_>) -> anyhow::Result<()> {
    ledger::check_foreign(path)?;
    if fs::symlink_metadata(path).is_err() {
        return Ok(ledger::write_file_with(path, write)?);
    }
    let cannot = || format!("{}: cannot be written", path.display());
    let there = fs::metadata(path).with_context(cannot)?;
    if !there.is_file() {
        let file = fs::OpenOptions::new().write(true).open(path);
        let written = file.and_then(|file| {
            let mut out = io::BufWriter::new(file);
            write(&mut out)?;
            out.flush()
        });
        return written.with_context(cannot);
    }
    let target = fs::canonicalize(path).with_context(cannot)?;
    ledger::write_file_with(&target, write)?;
    fs::set_permissions(&target, there.permissions()).with_context(cannot)
}

/// The lines of the standard input. A thread reads them, so that Ctrl-C is noticed while none comes; it ends with the
/// program.
pub(super) fn input_lines() -> Receiver<io::Result<String>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || io::stdin().lines().try_for_each(|line| sender.send(line)));
    lines
}

/// Returns a flag that Ctrl-C sets from now on. The second Ctrl-C ends the program.
pub(super) fn listen() -> anyhow::Result<&'static Stop> {
    static STOP: Stop = Stop::new();
    static LISTENS: AtomicBool = AtomicBool::new(false);
    if LISTENS.swap(true, Ordering::Relaxed) {
        return Ok(&STOP);
    }
    ctrlc::set_handler(|| {
        if STOP.is_set() {
            // Nothing is lost: games are saved as they finish.
            std::process::exit(INTERRUPTED.into());
        }
        STOP.set();
    })
    .context("cannot listen for Ctrl-C")?;
    ledger::interrupt_by(&STOP);
    Ok(&STOP)
}
