//! The state of a run, as shown to people and programs.

use std::time::{Duration, Instant};

use console::measure_text_width;
use indicatif::HumanDuration;
use patchwork_engine::record::Entry;
use patchwork_rating::{Estimate, Options, anytime_ratings, ranking, rate_by};
use patchwork_report::document::escape::escaped;
use patchwork_report::document::{ShortNames, elo_with_interval, thousands};
use patchwork_tournament::ledger::Archive;
use patchwork_tournament::{GameTimes, Plan, Schedule, TestProgress};
use serde::Serialize;

/// How far games are.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GamesStatus {
    /// Games that are finished, those of earlier runs included.
    pub(super) games: u64,
    pub(super) planned: u64,
    /// The speed of this run, without earlier ones.
    pub(super) games_per_second: f64,
    pub(super) seconds_left: Option<f64>,
}

impl GamesStatus {
    /// Games, speed and time left, with these words after it.
    pub(super) fn text(&self, after: &str) -> String {
        let rate = match self.games_per_second {
            rate if rate >= 100.0 => format!("{rate:.0}"),
            rate => format!("{rate:.1}"),
        };
        let left = self.seconds_left.map_or_else(
            || "time left unknown".to_owned(),
            |seconds| {
                let left = HumanDuration(Duration::from_secs_f64(seconds.round()));
                format!("{left} left{after}")
            },
        );
        let [games, planned] = [self.games, self.planned].map(thousands);
        format!("{games}/{planned} games  {rate} games/s  {left}")
    }
}

/// Games per second of a number of games.
pub(super) fn rate(games: u64, time: Duration) -> f64 {
    match time.as_secs_f64() {
        0.0 => 0.0,
        seconds => games as f64 / seconds,
    }
}

/// Minimum time between two ratings of the agents.
const BETWEEN_RATINGS: Duration = Duration::from_secs(3);
/// Rating takes at most one part in this many of the run's time.
const RATING_SHARE: u32 = 100;
const LEADERS: usize = 3;
/// What the intervals of the leaders are.
const WATCHED: &str = " (95%, however often one looks; those of the result are narrower)";
/// Maximum width of a name in the line of the leaders.
const SHORT_NAME: usize = 19;

/// One of the best agents so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Leader {
    agent: String,
    /// Its name where there is little room.
    #[serde(skip)]
    short: String,
    /// Rating relative to the mean of all agents, as in the report of the same games, with an interval that holds however often
    /// one looks.
    elo: Estimate,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct RunStatus {
    #[serde(flatten)]
    pub(super) progress: GamesStatus,
    /// Whether fewer games than planned may suffice.
    at_most: bool,
    /// The sequential test, if there is one.
    sprt: Option<TestProgress>,
    pub(super) leaders: Vec<Leader>,
}

/// The running state. Times are counted from the start of the run.
pub(super) struct RunState {
    names: Vec<String>,
    /// The names where there is little room.
    short: Vec<String>,
    /// Number of games of this run.
    own: u64,
    /// Number of threads that play; `None` if other machines play.
    threads: Option<usize>,
    times: GameTimes<u16>,
    /// The sum of the times of the games of this run.
    played: Duration,
    leaders: Vec<Leader>,
    /// When the leaders are computed next.
    due: Duration,
}

impl RunState {
    pub(super) fn new(names: &[String], done: &Archive, threads: Option<usize>) -> Self {
        Self {
            names: (names.iter().map(|name| escaped(name).into_owned())).collect(),
            short: ShortNames::default().fit(
                &Vec::from_iter(names.iter().map(String::as_str)),
                SHORT_NAME,
            ),
            own: 0,
            threads,
            // The report says what is wrong with a game.
            times: GameTimes::of(done).unwrap_or_default(),
            played: Duration::ZERO,
            leaders: Vec::new(),
            due: Duration::ZERO,
        }
    }

    /// Adds a game of this run.
    pub(super) fn add(&mut self, entry: &Entry) {
        self.own += 1;
        self.played += (self.times).add(entry.record.agents, entry.thinking());
    }

    /// The state at a time of the run, with all games so far. The schedule must know all of them.
    pub(super) fn at(&mut self, time: Duration, games: &Archive, schedule: &Schedule) -> RunStatus {
        let plan = schedule.plan();
        self.rate(time, games, plan);
        RunStatus {
            progress: GamesStatus {
                games: games.len() as u64,
                planned: schedule.planned_games(),
                games_per_second: rate(self.own, time),
                seconds_left: self.left(schedule, time).map(|left| left.as_secs_f64()),
            },
            at_most: plan.test().is_some() && !schedule.is_over(),
            sprt: schedule.test_progress(),
            leaders: self.leaders.clone(),
        }
    }

    /// The time left: what the missing games take at the speed of this run. Until each thread has finished a game, it is
    /// that of all threads.
    fn left(&self, schedule: &Schedule, elapsed: Duration) -> Option<Duration> {
        if schedule.is_over() {
            return Some(Duration::ZERO);
        }
        let missing = self.times.games(schedule.missing())?;
        let speed = match self.threads {
            Some(threads) if self.own <= threads as u64 => threads as f64,
            _ => self.played.as_secs_f64() / elapsed.as_secs_f64(),
        };
        Duration::try_from_secs_f64(missing.as_secs_f64() / speed).ok()
    }

    /// Makes the next call of `at` rate the agents.
    pub(super) fn rate_now(&mut self) {
        self.due = Duration::ZERO;
    }

    /// Rates the agents, unless they were rated a short time ago.
    fn rate(&mut self, time: Duration, games: &Archive, plan: &Plan) {
        if time < self.due || games.is_empty() {
            return;
        }
        let start = Instant::now();
        self.leaders = leaders(&self.names, &self.short, games, plan);
        self.due = time + BETWEEN_RATINGS.max(start.elapsed() * RATING_SHARE);
    }
}

/// The best agents, best first. The games are looked up and not copied: there may be millions.
fn leaders(names: &[String], short: &[String], games: &Archive, plan: &Plan) -> Vec<Leader> {
    let game = |i: usize| games.rated(i);
    let setups = plan.shared_setups(games.len(), game);
    let options = Options {
        setups: setups.as_deref(),
        ..Options::default()
    };
    let ratings = rate_by(games.len(), &game, names.len(), options);
    let elo: Vec<Estimate> = ratings.agents.iter().map(|rating| rating.elo).collect();
    let elo = anytime_ratings(&elo, games.len(), &game);
    let leader = |&agent: &usize| Leader {
        agent: names[agent].clone(),
        short: short[agent].clone(),
        elo: elo[agent],
    };
    let ranking = ranking(names, &ratings);
    ranking.iter().take(LEADERS).map(leader).collect()
}

/// The state of sequential tests that are not over.
fn tests(progress: &TestProgress) -> Option<String> {
    let TestProgress {
        decided, pairings, ..
    } = *progress;
    (decided < pairings).then(|| match progress.llr {
        Some(llr) => format!(
            "llr {llr:+.2} ({:+.2} to {:+.2})",
            progress.lower, progress.upper
        ),
        None => format!("{decided} of {pairings} decided"),
    })
}

impl Leader {
    /// Text such as `mcts-fast +120 -38/+44`.
    fn text(&self) -> String {
        format!("{} {}", self.short, elo_with_interval(self.elo))
    }
}

impl RunStatus {
    /// Games, speed and time left.
    pub(super) fn speed(&self) -> String {
        self.progress
            .text(if self.at_most { " at most" } else { "" })
    }

    /// The state of the test, if there is one, and as many of the leaders with their ratings as fit `width` columns.
    pub(super) fn standing(&self, width: usize) -> String {
        let leaders: Vec<String> = match &self.leaders[..] {
            // The ratings of two agents are half their difference.
            [one, other] => {
                let elo = elo_with_interval(one.elo.scaled(2.0));
                vec![format!("{elo} for {} minus {}", one.short, other.short)]
            }
            leaders => leaders.iter().map(Leader::text).collect(),
        };
        let told = |count: usize| {
            let parts = self.sprt.iter().filter_map(tests);
            let leaders = leaders[..count].join(", ");
            let words = if leaders.is_empty() { "" } else { WATCHED };
            let parts = parts.chain([leaders + words]);
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            parts.join("  ")
        };
        let counts = (0..=leaders.len()).rev();
        let mut lines = counts.map(told);
        let fits = |line: &String| measure_text_width(line) <= width;
        lines.find(fits).unwrap_or_else(|| told(0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::num::NonZeroUsize;

    use patchwork_engine::agent::{GreedySettings, RandomSettings};
    use patchwork_engine::game::Track;
    use patchwork_engine::record::GameFacts;
    use patchwork_engine::search::Stop;
    use patchwork_tournament::stats::Summary;
    use patchwork_tournament::{
        Executor as _, Format, KnownGame, LocalThreads, Manifest, PlannedAgent, PlannedRings,
        Results,
    };

    use super::*;

    /// All games of a plan.
    fn played(plan: &Plan) -> Vec<Entry> {
        let mut results = Results::empty(Manifest::new("t".to_owned(), plan.clone()));
        let mut entries = Vec::new();
        let mut watch = |entry: &Entry, _: &Results| entries.push(entry.clone());
        LocalThreads(NonZeroUsize::MIN)
            .play(&mut results, &Stop::new(), &mut watch)
            .expect("played");
        entries
    }

    fn greedy(name: &str, placement: &str) -> PlannedAgent {
        let settings = GreedySettings::new(placement.parse().expect("one"));
        PlannedAgent::new(name, settings.into())
    }

    #[test]
    fn a_resumed_run_tells_the_speed_of_its_own_games() {
        let agents = vec![
            PlannedAgent::new("a", RandomSettings {}.into()),
            greedy("b", "bl-lb/every/regret"),
        ];
        let plan = Plan::new(1, Track::Original, Format::RoundRobin, 20, agents).expect("a plan");
        let mut entries = played(&plan);
        for entry in &mut entries {
            // A fake clock: every ply takes a second.
            entry.nanos.fill(1_000_000_000);
        }
        let games = |count: usize| entries[..count].iter().cloned().collect::<Archive>();
        let done = games(30);
        let results = entries[..30]
            .iter()
            .map(|entry| GameFacts::from(&entry.record));
        let mut schedule = Schedule::resume(&plan, results);
        let mut state = RunState::new(&plan.names(), &done, Some(2));
        let status = state.at(Duration::ZERO, &done, &schedule);
        assert_eq!((status.progress.games, status.progress.planned), (30, 40));
        assert_eq!(status.progress.games_per_second, 0.0);
        // Nothing is known of the speed of this run, so each of the threads plays.
        let seconds = |entries: &[Entry]| {
            let times = entries.iter().map(|entry| entry.nanos.len() as f64);
            times.sum::<f64>()
        };
        let left = |status: &RunStatus| status.progress.seconds_left.expect("games were played");
        let expected = 10.0 * seconds(&entries[..30]) / 30.0 / 2.0;
        assert!((left(&status) - expected).abs() < 0.01);
        for entry in &entries[30..35] {
            schedule.finish(KnownGame::Stored((&entry.record).into()));
            state.add(entry);
        }
        let status = state.at(Duration::from_secs(50), &games(35), &schedule);
        assert_eq!(status.progress.games, 35);
        assert!((status.progress.games_per_second - 0.1).abs() < 1e-12);
        // Five games took 50 s.
        let missing = 5.0 * seconds(&entries[..35]) / 35.0;
        let expected = missing / (seconds(&entries[30..35]) / 50.0);
        assert!((left(&status) - expected).abs() < 0.01, "{status:?}");
        let (best, last) = (&status.leaders[0], &status.leaders[1]);
        assert!(best.agent == "b" && best.elo.value > last.elo.value);
        let line = status.speed();
        assert!(line.starts_with("35/40 games  0.1 games/s  "), "{line}");
        // The leaders are not computed again at once.
        state.add(&entries[35]);
        let due = state.due;
        state.at(Duration::from_secs(51), &games(36), &schedule);
        assert_eq!(state.due, due);
        assert!(due >= Duration::from_secs(53));
    }

    /// The line shows the ratings of the report of the same games, with wider intervals, also where pairings share rings.
    #[test]
    fn leaders_have_the_ratings_of_the_report() {
        let agents = vec![
            PlannedAgent::new("a", RandomSettings {}.into()),
            greedy("b", "bl/every/regret"),
            greedy("c", "in-order/every/first"),
        ];
        let plan = Plan::new(1, Track::Original, Format::RoundRobin, 6, agents).expect("a plan");
        for rings in [PlannedRings::Own, PlannedRings::Common] {
            let plan = plan.clone().with_rings(rings);
            let entries = played(&plan);
            let summary = Summary::new(&plan.names(), &plan.pairings(), &entries);
            let done: Archive = entries.iter().cloned().collect();
            let results = entries.iter().map(|entry| GameFacts::from(&entry.record));
            let schedule = Schedule::resume(&plan, results);
            let mut state = RunState::new(&plan.names(), &done, None);
            let leaders = state.at(Duration::ZERO, &done, &schedule).leaders;
            assert_eq!(leaders.len(), 3);
            for (leader, row) in leaders.iter().zip(&summary.ratings) {
                assert_eq!(leader.agent, row.agent);
                let value = |elo: Estimate| elo.value.map(f64::round);
                assert_eq!(value(leader.elo), value(row.elo));
                if let (Some((low, high)), Some((inner_low, inner_high))) =
                    (leader.elo.interval(), row.elo.interval())
                {
                    assert!(low < inner_low && inner_high < high);
                }
            }
        }
    }

    #[test]
    fn tests_are_told_until_they_are_over() {
        let progress = |llr, decided, pairings| TestProgress {
            llr,
            lower: -2.944,
            upper: 2.944,
            decided,
            pairings,
        };
        let told = |llr, decided, pairings| tests(&progress(llr, decided, pairings));
        let one = "llr +1.25 (-2.94 to +2.94)".to_owned();
        assert_eq!(told(Some(1.25), 0, 1), Some(one));
        assert_eq!(told(Some(3.5), 1, 1), None);
        assert_eq!(told(None, 2, 3), Some("2 of 3 decided".to_owned()));
        assert_eq!(told(None, 3, 3), None);
    }

    #[test]
    fn unknown_ends_of_intervals_are_left_open() {
        let leader = |low, high| Leader {
            agent: "a".to_owned(),
            short: "a".to_owned(),
            elo: Estimate {
                value: Some(120.4),
                low,
                high,
                error: None,
            },
        };
        assert_eq!(leader(Some(80.4), Some(160.4)).text(), "a +120 ±40");
        assert_eq!(leader(Some(81.4), Some(163.4)).text(), "a +120 −39/+43");
        assert_eq!(leader(Some(80.0), None).text(), "a +120 above +80");
        assert_eq!(leader(None, None).text(), "a +120");
    }

    #[test]
    fn leaders_that_fit_are_shown_under_different_names() {
        let variant = |strategy| format!("mcts{{expansion.strategy={strategy}/every/regret}}");
        let names = ["bl", "bl-lb", "all"].map(variant);
        let agents = names.map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
        let plan = Plan::new(1, Track::Original, Format::RoundRobin, 1, agents.to_vec());
        let plan = plan.expect("a plan");
        let games: Archive = played(&plan).into_iter().collect();
        let schedule = Schedule::resume(&plan, games.facts().iter().copied());
        let mut state = RunState::new(&plan.names(), &games, None);
        let status = state.at(Duration::ZERO, &games, &schedule);
        let shown = status.leaders.iter().map(|one| one.short.as_str());
        let shown: BTreeSet<&str> = shown.collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        let whole = status.standing(usize::MAX);
        assert!(shown.iter().all(|name| whole.contains(name)), "{whole}");
        let first = status.standing(60 + WATCHED.len());
        let told = first.strip_suffix(WATCHED).expect("words");
        let leaders = &status.leaders[..told.matches(", ").count() + 1];
        let leaders: Vec<String> = leaders.iter().map(Leader::text).collect();
        assert_eq!(told, leaders.join(", "));
        assert!(first.len() < whole.len() && !first.is_empty(), "{first}");
        assert_eq!(status.standing(3), "");
    }
}
