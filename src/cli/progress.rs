//! Progress in a terminal: bars, a spinner, and lines that are drawn over and over.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use patchwork_arena::rating::{Errors, Game, rate};
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

/// Ratings are worth their time about once a second.
const BETWEEN_RATINGS: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const LEADERS: usize = 3;

/// The progress of a tournament: a bar in a terminal, else a line from time to time.
pub(super) struct Progress {
    names: Vec<String>,
    games: Vec<Game>,
    /// Games played before this run.
    before: u64,
    start: Instant,
    rated: Option<Instant>,
    view: View,
}

enum View {
    Bar(ProgressBar),
    Lines { last: Instant },
    Nothing,
}

impl Progress {
    pub(super) fn new(
        names: Vec<String>,
        schedule: &Schedule,
        done: &Archive,
        quiet: bool,
    ) -> Self {
        let start = Instant::now();
        let before = done.len() as u64;
        let view = if quiet || schedule.is_over() {
            View::Nothing
        } else if can_redraw() {
            let style = ProgressStyle::with_template(&format!(
                "{{bar:24}} {{pos}}/{{len}} games  {{rate}}  {{eta}} {}  {{wide_msg}}",
                left(schedule)
            ));
            let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                let _ = write!(text, "{:.1}/s", state.per_sec());
            };
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(schedule.planned_games()).with_position(before);
            bar.set_style(style.with_key("rate", rate));
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(200));
            View::Bar(bar)
        } else {
            View::Lines { last: start }
        };
        Self {
            names,
            games: done.iter().map(|entry| Game::from(&entry.record)).collect(),
            before,
            start,
            rated: None,
            view,
        }
    }

    /// Shows one more game, which the schedule already knows.
    pub(super) fn add(&mut self, entry: &Entry, schedule: &Schedule) {
        self.games.push(Game::from(&entry.record));
        let now = Instant::now();
        match &mut self.view {
            View::Nothing => {}
            View::Bar(bar) => {
                bar.set_position(self.games.len() as u64);
                if self.rated.is_none_or(|last| now - last >= BETWEEN_RATINGS) {
                    self.rated = Some(now);
                    bar.set_length(schedule.planned_games());
                    bar.set_message(state(schedule, &self.names, &self.games));
                }
            }
            View::Lines { last } => {
                if now - *last >= BETWEEN_LINES {
                    *last = now;
                    self.write_line(schedule);
                }
            }
        }
    }

    pub(super) fn finish(self, schedule: &Schedule) {
        match &self.view {
            View::Nothing => {}
            View::Bar(bar) => bar.finish_and_clear(),
            View::Lines { .. } => self.write_line(schedule),
        }
    }

    fn write_line(&self, schedule: &Schedule) {
        let total = schedule.planned_games();
        let done = self.games.len() as u64;
        let rate = (done - self.before) as f64 / self.start.elapsed().as_secs_f64();
        let time = total.saturating_sub(done) as f64 / rate;
        let left = if time.is_finite() {
            let time = HumanDuration(Duration::from_secs_f64(time.min(1e9)));
            format!("{time} {}", left(schedule))
        } else {
            "no game yet".to_owned()
        };
        let state = state(schedule, &self.names, &self.games);
        note(format_args!(
            "{done}/{total} games  {rate:.1}/s  {left}  {state}"
        ));
    }
}

/// The round or the test, if there is one, and the best agents with their ratings.
fn state(schedule: &Schedule, names: &[String], games: &[Game]) -> String {
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

/// Lines at the bottom of the terminal, redrawn in place.
pub(super) struct Screen {
    term: Term,
    /// Number of lines drawn.
    drawn: usize,
}

impl Screen {
    /// A screen, if a person watches.
    pub(super) fn new(quiet: bool) -> Option<Self> {
        (!quiet && is_watched()).then(|| Self {
            term: Term::buffered_stderr(),
            drawn: 0,
        })
    }

    /// Columns of a line.
    pub(super) fn width(&self) -> usize {
        usize::from(self.term.size().1).saturating_sub(1).max(1)
    }

    /// Draws as many of these lines as there is room for. Each line is written over the old one and
    /// all of them at once, which avoids flicker.
    pub(super) fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        let room = usize::from(self.term.size().0).saturating_sub(1);
        let width = self.width();
        if self.drawn > 0 {
            self.term.move_cursor_up(self.drawn)?;
        }
        let lines = &lines[..lines.len().min(room)];
        for line in lines {
            let cut: String = line.chars().take(width).collect();
            self.term.write_line(&format!("{cut:<width$}"))?;
        }
        if lines.len() < self.drawn {
            self.term.clear_to_end_of_screen()?;
        }
        self.drawn = lines.len();
        self.term.flush()
    }

    /// Removes all lines.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.draw(&[])
    }
}
