//! Progress in a terminal: bars, a spinner, and a dashboard.

mod state;

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use patchwork_engine::record::Entry;
use patchwork_report::document::counted;
use patchwork_report::document::escape::escaped;
use patchwork_tournament::Results;
use serde::Serialize;
use serde_json::json;

use self::state::{GamesStatus, RunState, rate};
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

/// Shows how far games are: a bar and two lines in a terminal, otherwise a line from time to time, or JSON.
struct GamesDisplay {
    bar: ProgressBar,
    form: Form,
    /// Time between two updates; `None` if the output is quiet.
    every: Option<Duration>,
    /// When this display and its last update began.
    start: Instant,
    shown: Instant,
    /// Number of games that count although the program that played them did not run for a while each time.
    interrupted: u64,
}

impl GamesDisplay {
    fn new(shows: Option<Form>) -> Self {
        let bar = ProgressBar::hidden();
        let draws = shows == Some(Form::Text) && can_redraw();
        if draws {
            bar.set_style(style("{bar:24} {prefix}\n{wide_msg}"));
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let every = |form| match form {
            Form::Json => 1,
            Form::Text if draws => 1,
            Form::Text => 5,
        };
        Self {
            bar,
            form: shows.unwrap_or(Form::Text),
            every: shows.map(|form| Duration::from_secs(every(form))),
            start: Instant::now(),
            shown: Instant::now(),
            interrupted: 0,
        }
    }

    /// Whether it is time for an update, which is then expected.
    fn is_due(&mut self) -> bool {
        let is_due = self
            .every
            .is_some_and(|every| self.shown.elapsed() >= every);
        if is_due {
            self.shown = Instant::now();
        }
        is_due
    }

    /// Shows a status: as JSON, or in the words of its two lines, the second of a width.
    fn show(
        &self,
        json: &impl Serialize,
        status: &GamesStatus,
        first: String,
        second: impl FnOnce(usize) -> String,
    ) {
        if self.form == Form::Json {
            json_line(json);
        } else if self.bar.is_hidden() {
            note(format_args!("{first}  {}", second(usize::MAX)));
        } else {
            self.bar.set_length(status.planned);
            self.bar.set_position(status.games);
            self.bar.set_prefix(first);
            self.bar.set_message(second(width()));
        }
    }

    /// Removes the bar, and says what is unusual about the games.
    fn finish(&self) {
        self.bar.finish_and_clear();
        if self.interrupted > 0 {
            note(format_args!(
                "Counted although the program did not run for a second or more during each of their three tries: {}.",
                counted(self.interrupted, "game")
            ));
        }
    }
}

/// Counts games towards a total, with a message.
pub(super) struct Counter {
    display: GamesDisplay,
    message: String,
    games: u64,
    planned: u64,
    /// Number of games that were just played.
    own: u64,
}

impl Counter {
    pub(super) fn new(planned: u64, shows: Option<Form>) -> Self {
        Self {
            display: GamesDisplay::new(shows.filter(|_| planned > 0)),
            message: String::new(),
            games: 0,
            planned,
            own: 0,
        }
    }

    /// Counts a game that was just played.
    pub(super) fn add_game(&mut self, entry: &Entry) {
        self.display.interrupted += u64::from(entry.extras.interrupted);
        self.add();
    }

    /// The same for a game without a clock.
    pub(super) fn add(&mut self) {
        self.games += 1;
        self.own += 1;
        if !self.display.is_due() {
            return;
        }
        let time = self.display.start.elapsed();
        let missing = self.planned.saturating_sub(self.games) as f64;
        let status = GamesStatus {
            games: self.games,
            planned: self.planned,
            games_per_second: rate(self.own, time),
            seconds_left: Some(time.as_secs_f64() * missing / self.own as f64),
        };
        let mut json = json!(status);
        json["message"] = json!(self.message);
        let message = |_| self.message.clone();
        self.display.show(&json, &status, status.text(""), message);
    }

    /// Sets the total.
    pub(super) fn expect(&mut self, planned: u64) {
        self.planned = planned;
    }

    pub(super) fn reach(&mut self, games: u64) {
        self.games = games;
    }

    pub(super) fn say(&mut self, message: String) {
        self.message = escaped(&message).into_owned();
    }

    pub(super) fn finish(&self) {
        self.display.finish();
    }
}

/// The progress of a tournament, with its best agents.
pub(super) struct Progress {
    display: GamesDisplay,
    state: RunState,
}

impl Progress {
    pub(super) fn new(
        results: &Results,
        shows: Option<Form>,
        threads: Option<NonZeroUsize>,
    ) -> Self {
        let (schedule, done) = (&results.schedule, &results.games);
        Self {
            display: GamesDisplay::new(shows.filter(|_| !schedule.is_over())),
            state: RunState::new(
                &results.manifest.plan.names(),
                done,
                threads.map(NonZeroUsize::get),
            ),
        }
    }

    /// Counts a game, which is already among the results.
    pub(super) fn add(&mut self, entry: &Entry, results: &Results) {
        self.state.add(entry);
        self.display.interrupted += u64::from(entry.extras.interrupted);
        if self.display.is_due() {
            self.show(results);
        }
    }

    pub(super) fn finish(mut self, results: &Results) {
        if self.display.bar.is_hidden() && self.display.every.is_some() {
            self.state.rate_now();
            self.show(results);
        }
        self.display.finish();
    }

    fn show(&mut self, results: &Results) {
        let time = self.display.start.elapsed();
        let status = self.state.at(time, &results.games, &results.schedule);
        let standing = |width| status.standing(width);
        self.display
            .show(&status, &status.progress, status.speed(), standing);
    }
}

/// Writes an object as one line to the standard error.
fn json_line(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        note(format_args!("{line}"));
    }
}
