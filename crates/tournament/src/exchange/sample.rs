//! Measures what an agent takes for a game and for a decision.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::agent::{Agent, AgentSettings, Limit};
use patchwork_engine::game::{Rules, Setup, State};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::stream;

use crate::planning::planned_game::PlannedGame;
use crate::playing::play::play_watched;

/// Number of games that an agent plays at most.
const SAMPLED: u32 = 3;
/// The longest time that is foreseen for a decision, in seconds.
const LONGEST: f64 = 1e6;
/// Approximate number of decisions of a player in a game, for agents that do not play a whole one.
const DECISIONS: u32 = 23;

/// The time of the decisions of an agent in a game, and of one of them, from what it plays against itself in some time,
/// by this clock.
pub fn sample_time(
    config: &AgentSettings,
    rules: Rules,
    most: Duration,
    clock: fn() -> Duration,
) -> (Duration, Duration) {
    let setup = Setup::random(rules, &mut stream(&[0]));
    let mut agents = [config.build(), config.build()];
    let (stop, begun) = (Stop::new(), clock());
    // How much was played, and when the last of it ended.
    let (mut games, mut decisions) = ((0, Duration::ZERO), (0, Duration::ZERO));
    let (ended, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let stop = &stop;
        let wait = move || end.recv_timeout(most).is_err().then(|| stop.set());
        let _ = thread::Builder::new().spawn_scoped(scope, wait);
        while games.0 < SAMPLED {
            let game = PlannedGame::new(0, (0, 0), games.0, 0);
            let [one, two] = &mut agents;
            let streams = [1, 2].map(|seat| stream(&[seat]));
            let played = play_watched(
                game,
                &setup,
                [&mut **one, &mut **two],
                streams,
                0,
                stop,
                |_| {
                    decisions = (decisions.0 + 1, clock() - begun);
                },
            );
            if !matches!(played, Ok(Some(_))) {
                break;
            }
            games = (games.0 + 1, clock() - begun);
        }
        drop(ended);
    });
    let [agent, _] = &mut agents;
    let decision = match decisions.0 {
        0 => first_decision(&mut **agent, config.budget(), &setup, most).unwrap_or(most),
        count => decisions.1 / count,
    };
    let game = games.1.checked_div(2 * games.0);
    (game.unwrap_or(decision * DECISIONS), decision)
}

/// The time of the first decision of a game, as that of smaller and smaller parts of it tells.
fn first_decision(
    agent: &mut dyn Agent,
    budget: Option<Budget>,
    setup: &Setup,
    most: Duration,
) -> Option<Duration> {
    let (unit, amount) = budget?.units();
    let is_depth = unit == "depth";
    let (state, stop, begun) = (State::new(setup), Stop::new(), Instant::now());
    let (mut count, mut before) = (1, None);
    loop {
        agent.start(setup, stream(&[1]));
        let (start, budget) = (Instant::now(), Budget::of_units(unit, count));
        let limit = Limit {
            budget,
            ..Limit::own(&stop)
        };
        agent.decide(setup, &state, limit).ok()?;
        let seconds = start.elapsed().as_secs_f64();
        let left = amount.saturating_sub(count.into()) as f64;
        if left == 0.0 || begun.elapsed() > most / 8 {
            // Each turn more multiplies the time of a search; iterations add to it.
            let factor = match before.filter(|_| is_depth) {
                Some(before) => f64::powf(seconds / before, left),
                None => amount as f64 / f64::from(count),
            };
            return Some(Duration::from_secs_f64((seconds * factor).min(LONGEST)));
        }
        before = Some(seconds);
        count = if is_depth {
            count + 1
        } else {
            count.saturating_mul(2)
        };
    }
}
