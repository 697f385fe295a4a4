//! What is seen while games are played: a bar in a terminal, else a line now and then.

use std::fmt::Write;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use patchwork_arena::rating::{Errors, Game, rate};
use patchwork_arena::record::Entry;
use patchwork_arena::tournament::Schedule;
use patchwork_arena::tournament::store::Archive;

use super::note;

/// Ratings are worth their time about once a second.
const BETWEEN_RATINGS: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const LEADERS: usize = 3;

pub(super) struct Progress {
    names: Vec<String>,
    games: Vec<Game>,
    /// Games that were there before this run.
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
        let total = schedule.planned_games();
        let view = if quiet || schedule.is_over() {
            View::Nothing
        } else if can_show_a_bar() {
            let style = ProgressStyle::with_template(&format!(
                "{{bar:24}} {{pos}}/{{len}} games  {{rate}}  {{eta}} {}  {{wide_msg}}",
                left(schedule)
            ));
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total).with_position(before);
            bar.set_style(
                style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
                    let _ = write!(text, "{:.1}/s", state.per_sec());
                }),
            );
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

    /// Shows one more game, which the schedule has been told of.
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
            format!(
                "{} {}",
                HumanDuration(Duration::from_secs_f64(time.min(1e9))),
                left(schedule)
            )
        } else {
            "no game yet".to_owned()
        };
        let state = state(schedule, &self.names, &self.games);
        note(format_args!(
            "{done}/{total} games  {rate:.1}/s  {left}  {state}"
        ));
    }
}

/// Whether the standard error is a terminal in which lines can be drawn again.
pub(super) fn can_show_a_bar() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// What a time that is left is called: a test may end much earlier.
fn left(schedule: &Schedule) -> &'static str {
    match schedule.plan().test() {
        Some(_) if !schedule.is_over() => "left at most",
        _ => "left",
    }
}

/// The round or the test, and the best agents.
fn state(schedule: &Schedule, names: &[String], games: &[Game]) -> String {
    let leaders = leaders(names, games);
    match schedule.status() {
        Some(status) => format!("{status}  {leaders}"),
        None => leaders,
    }
}

/// The best agents so far with their ratings.
fn leaders(names: &[String], games: &[Game]) -> String {
    let ratings = rate(games, names.len(), Errors::Independent);
    let mut order: Vec<usize> = (0..names.len()).collect();
    let elo = |agent: usize| ratings.agents[agent].elo.value.unwrap_or(0.0);
    order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
    let texts: Vec<String> = order
        .iter()
        .take(LEADERS)
        .map(|&agent| format!("{} {:+.0}", names[agent], elo(agent)))
        .collect();
    texts.join(", ")
}
