//! Progress in a terminal: bars, a spinner, and a dashboard.

mod pace;
mod state;

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use patchwork_engine::record::Entry;
use patchwork_report::document::escape::escaped;
use patchwork_tournament::Results;
use serde::Serialize;
use serde_json::json;

use self::state::RunState;
use super::endings::Form;
use super::output::{MAX_WIDTH, note};

/// Whether lines can be redrawn on the standard error.
fn can_redraw() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether a person watches: both outputs go to a terminal.
fn is_watched() -> bool {
    can_redraw() && Term::stdout().is_term()
}

/// A progress bar that counts to `total`.
pub(super) fn bar(total: u64, quiet: bool) -> ProgressBar {
    if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(total)
    }
}

/// A spinner with a message, for a person who watches.
pub(super) fn spinner(quiet: bool) -> ProgressBar {
    if quiet || !is_watched() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// A bar towards a goal such as `5000 iterations`, above a message of several lines, for a person who
/// watches.
pub(super) fn dashboard(total: u64, goal: String, quiet: bool) -> ProgressBar {
    if quiet || !is_watched() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total).with_prefix(goal);
    bar.set_style(style(
        "[{bar:24}] {percent}% of {prefix}, Ctrl-C ends it\n\n{msg}",
    ));
    bar
}

/// The terminal's width in columns, for bars.
pub(super) fn width() -> usize {
    usize::from(Term::stderr().size().1)
        .saturating_sub(1)
        .min(MAX_WIDTH)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Counts games towards a total, with a message: a bar in a terminal, otherwise a line from time to time.
pub(super) struct Counter {
    bar: ProgressBar,
    message: String,
    form: Form,
    /// Time between two lines; `None` if the output is quiet or a bar is shown.
    every: Option<Duration>,
    shown: Instant,
    moves: bool,
    /// The last estimate of the time left, and when it was made.
    left: Option<(Instant, Duration)>,
}

impl Counter {
    pub(super) fn new(total: u64, shows: Option<Form>) -> Self {
        let bar = ProgressBar::hidden();
        bar.set_length(total);
        let draws = shows == Some(Form::Text) && total > 0 && can_redraw();
        if draws {
            bar.set_style(style(
                "{bar:24} {pos}/{len} games  {per_sec}  {prefix} left  {wide_msg}",
            ));
            bar.set_prefix("unknown time");
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self {
            bar,
            message: String::new(),
            form: shows.unwrap_or(Form::Text),
            every: shows.filter(|_| !draws).map(between_lines),
            shown: Instant::now(),
            moves: false,
            left: None,
        }
    }

    /// Counts a game that was just played.
    pub(super) fn add(&mut self) {
        if !self.moves {
            // Games of earlier runs tell nothing about the speed.
            self.bar.reset_eta();
            self.moves = true;
        }
        self.bar.inc(1);
        self.bar.set_prefix(HumanDuration(self.left()).to_string());
        if self.every.is_some_and(|time| self.shown.elapsed() >= time) {
            self.shown = Instant::now();
            let (bar, message) = (&self.bar, &self.message);
            let (done, total) = (bar.position(), bar.length().unwrap_or(0));
            let (rate, eta) = (bar.per_sec(), self.left());
            if self.form == Form::Json {
                json_line(&json!({
                    "games": done,
                    "planned": total,
                    "games_per_second": rate,
                    "seconds_left": eta.as_secs_f64(),
                    "message": message,
                }));
                return;
            }
            let eta = HumanDuration(eta);
            note(format_args!(
                "{done}/{total} games  {rate:.1}/s  {eta} left  {message}"
            ));
        }
    }

    /// The time left: the last estimate minus the time since, or else an extrapolation of the speed so far.
    fn left(&self) -> Duration {
        self.left.map_or_else(
            || self.bar.eta(),
            |(then, left)| left.saturating_sub(then.elapsed()),
        )
    }

    /// Sets the total, and an estimate of the time left if there is a better one than the speed so far.
    pub(super) fn expect(&mut self, left: Option<Duration>, total: u64) {
        self.bar.set_length(total);
        self.left = left.map(|left| (Instant::now(), left));
        if left.is_some() {
            self.bar.set_prefix(HumanDuration(self.left()).to_string());
        }
    }

    pub(super) fn reach(&mut self, games: u64) {
        self.bar.set_position(games);
    }

    pub(super) fn say(&mut self, message: String) {
        let message = escaped(&message).into_owned();
        self.bar.set_message(message.clone());
        self.message = message;
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a tournament: a bar and the leaders in a terminal, otherwise a line from time to time, or
/// JSON.
pub(super) struct Progress {
    state: RunState,
    start: Instant,
    bar: ProgressBar,
    form: Form,
    /// Time between two updates; `None` if the output is quiet.
    every: Option<Duration>,
    /// Time of the last update.
    shown: Duration,
}

const BETWEEN_DRAWINGS: Duration = Duration::from_secs(1);

fn between_lines(form: Form) -> Duration {
    Duration::from_secs(match form {
        Form::Json => 1,
        Form::Text => 5,
    })
}

impl Progress {
    pub(super) fn new(results: &Results, shows: Option<Form>, threads: Option<usize>) -> Self {
        let (schedule, done) = (&results.schedule, &results.games);
        let bar = ProgressBar::hidden().with_position(done.len() as u64);
        bar.set_length(schedule.planned_games());
        let shows = shows.filter(|_| !schedule.is_over());
        let draws = shows == Some(Form::Text) && can_redraw();
        if draws {
            bar.set_style(style("{bar:24} {prefix}\n{wide_msg}"));
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Self {
            state: RunState::new(&results.manifest.plan.names(), done, threads),
            start: Instant::now(),
            bar,
            form: shows.unwrap_or(Form::Text),
            every: shows.map(|form| {
                if draws {
                    BETWEEN_DRAWINGS
                } else {
                    between_lines(form)
                }
            }),
            shown: Duration::ZERO,
        }
    }

    /// Counts a game, which is already among the results.
    pub(super) fn add(&mut self, entry: &Entry, results: &Results) {
        self.state.add(entry);
        let time = self.start.elapsed();
        if self.every.is_some_and(|every| time >= self.shown + every) {
            self.shown = time;
            self.show(time, results);
        }
    }

    pub(super) fn finish(mut self, results: &Results) {
        if self.bar.is_hidden() && self.every.is_some() {
            self.state.rate_now();
            self.show(self.start.elapsed(), results);
        }
        self.bar.finish_and_clear();
    }

    fn show(&mut self, time: Duration, results: &Results) {
        let status = self.state.at(time, &results.games, &results.schedule);
        if self.form == Form::Json {
            json_line(&status);
        } else if self.bar.is_hidden() {
            note(format_args!(
                "{}  {}",
                status.speed(),
                status.standing(usize::MAX)
            ));
        } else {
            self.bar.set_length(status.planned);
            self.bar.set_position(status.games);
            self.bar.set_prefix(status.speed());
            self.bar.set_message(status.standing(width()));
        }
    }
}

/// Writes an object as one line to the standard error.
fn json_line(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        note(format_args!("{line}"));
    }
}
