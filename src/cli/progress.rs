//! Progress in a terminal: bars, a spinner, and a dashboard.

use std::fmt::Write;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use patchwork_arena::rating::{Errors, RatedGame, rate};
use patchwork_arena::record::Entry;
use patchwork_arena::tournament::Schedule;
use patchwork_arena::tournament::store::Archive;

use super::output::note;

/// Whether lines can be redrawn on the standard error.
fn can_redraw() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether a person watches: both outputs go to a terminal.
fn is_watched() -> bool {
    can_redraw() && Term::stdout().is_term()
}

/// A bar that counts to `total`.
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

/// A bar towards a goal such as `5000 iterations`, above a message of several lines, for a person
/// who watches.
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

/// Columns of the terminal that bars are drawn on.
pub(super) fn width() -> usize {
    usize::from(Term::stderr().size().1).saturating_sub(1)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Counts games towards a total, with a message: a bar in a terminal, else a line from time to time.
pub(super) struct Counter {
    bar: ProgressBar,
    message: String,
    /// Time between two lines; none are written if the user wants none or a bar is shown.
    every: Option<Duration>,
    shown: Instant,
    moves: bool,
}

impl Counter {
    pub(super) fn new(total: u64, quiet: bool) -> Self {
        let bar = ProgressBar::hidden();
        bar.set_length(total);
        let draws = !quiet && total > 0 && can_redraw();
        if draws {
            bar.set_style(style(
                "{bar:24} {pos}/{len} games  {per_sec}  {eta} left  {wide_msg}",
            ));
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self {
            bar,
            message: String::new(),
            every: (!quiet && !draws).then_some(BETWEEN_LINES),
            shown: Instant::now(),
            moves: false,
        }
    }

    /// Counts one game that was played now.
    pub(super) fn add(&mut self) {
        if !self.moves {
            // Games that were there before say nothing about the speed.
            self.bar.reset_eta();
            self.moves = true;
        }
        self.bar.inc(1);
        if self.every.is_some_and(|time| self.shown.elapsed() >= time) {
            self.shown = Instant::now();
            let (bar, message) = (&self.bar, &self.message);
            let (done, total) = (bar.position(), bar.length().unwrap_or(0));
            let (rate, eta) = (bar.per_sec(), HumanDuration(bar.eta()));
            note(format_args!(
                "{done}/{total} games  {rate:.1}/s  {eta} left  {message}"
            ));
        }
    }

    /// Sets the number of games.
    pub(super) fn reach(&mut self, games: u64) {
        self.bar.set_position(games);
    }

    /// Changes the message.
    pub(super) fn say(&mut self, message: String) {
        self.bar.set_message(message.clone());
        self.message = message;
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a tournament: a bar in a terminal, else a line from time to time.
pub(super) struct Progress {
    names: Vec<String>,
    games: Vec<RatedGame>,
    bar: ProgressBar,
    /// Time between two updates; none are shown if the user wants none.
    every: Option<Duration>,
    shown: Instant,
}

/// Ratings are worth their time about once a second.
const BETWEEN_RATINGS: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const LEADERS: usize = 3;

impl Progress {
    pub(super) fn new(
        names: Vec<String>,
        schedule: &Schedule,
        done: &Archive,
        quiet: bool,
    ) -> Self {
        let bar = ProgressBar::hidden().with_position(done.len() as u64);
        bar.set_length(schedule.planned_games());
        let quiet = quiet || schedule.is_over();
        if !quiet && can_redraw() {
            bar.set_style(
                style(&format!(
                    "{{bar:24}} {{pos}}/{{len}} games  {{rate}}  {{eta}} {}  {{wide_msg}}",
                    left(schedule)
                ))
                .with_key(
                    "rate",
                    |state: &ProgressState, text: &mut dyn Write| {
                        let _ = write!(text, "{:.1}/s", state.per_sec());
                    },
                ),
            );
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        bar.reset_eta();
        let every = if bar.is_hidden() {
            BETWEEN_LINES
        } else {
            BETWEEN_RATINGS
        };
        Self {
            names,
            games: done
                .iter()
                .map(|entry| RatedGame::from(&entry.record))
                .collect(),
            bar,
            every: (!quiet).then_some(every),
            shown: Instant::now(),
        }
    }

    /// Shows one more game, which the schedule already knows.
    pub(super) fn add(&mut self, entry: &Entry, schedule: &Schedule) {
        self.games.push(RatedGame::from(&entry.record));
        self.bar.set_position(self.games.len() as u64);
        if self.every.is_some_and(|time| self.shown.elapsed() >= time) {
            self.shown = Instant::now();
            self.show(schedule);
        }
    }

    pub(super) fn finish(self, schedule: &Schedule) {
        if self.bar.is_hidden() && self.every.is_some() {
            self.show(schedule);
        }
        self.bar.finish_and_clear();
    }

    fn show(&self, schedule: &Schedule) {
        let bar = &self.bar;
        let (done, total) = (self.games.len(), schedule.planned_games());
        let state = state(schedule, &self.names, &self.games);
        if bar.is_hidden() {
            let (rate, eta, left) = (bar.per_sec(), HumanDuration(bar.eta()), left(schedule));
            note(format_args!(
                "{done}/{total} games  {rate:.1}/s  {eta} {left}  {state}"
            ));
        } else {
            bar.set_length(total);
            bar.set_message(state);
        }
    }
}

/// The round or the test, if there is one, and the best agents with their ratings.
fn state(schedule: &Schedule, names: &[String], games: &[RatedGame]) -> String {
    let ratings = rate(games, names.len(), Errors::Independent);
    let mut leaders: Vec<(f64, &String)> = ratings
        .agents
        .iter()
        .zip(names)
        .map(|(agent, name)| (agent.elo.value.unwrap_or(0.0), name))
        .collect();
    leaders.sort_by(|a, b| b.0.total_cmp(&a.0));
    let leaders: Vec<String> = leaders
        .iter()
        .take(LEADERS)
        .map(|(elo, name)| format!("{name} {elo:+.0}"))
        .collect();
    let status = schedule.status().map(|status| format!("{status}  "));
    status.unwrap_or_default() + &leaders.join(", ")
}
/// What the remaining time is called: a test may end earlier.
fn left(schedule: &Schedule) -> &'static str {
    match schedule.plan().test() {
        Some(_) if !schedule.is_over() => "left at most",
        _ => "left",
    }
}
