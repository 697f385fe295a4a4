//! The cost of a round trip to a bot beyond the bot's own time, compared with the same agent in this process.
//!
//! Run as `cargo bench --bench round_trip`. The bot is the program `patchwork-arena agents serve`.

use std::time::{Duration, Instant};

use patchwork_bots::ExternalSettings;
use patchwork_engine::agent::{AgentFile, AgentSettings, Limit};
use patchwork_engine::game::{Setup, State, Track};
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;

/// Maximum cost of a round trip.
const MOST: Duration = Duration::from_micros(50);
const GAMES: u64 = 200;

/// The median time of the decisions of an agent that plays itself, and their number.
fn median(settings: &AgentSettings) -> (Duration, usize) {
    let mut agent = settings.build();
    let mut times = Vec::new();
    for game in 0..GAMES {
        let mut rng = stream(&[game]);
        let setup = Setup::random(Track::Original, &mut rng);
        agent.start(&setup, rng.clone());
        let mut state = State::new(&setup);
        while !state.is_over() {
            let start = Instant::now();
            let decision = agent.decide(&setup, &state, Limit::own(&Stop::new()));
            let decision = decision.expect("no fault");
            times.push(start.elapsed());
            state = state.try_play(&setup, decision.action).expect("legal");
            agent.observe(decision.action);
        }
    }
    times.sort();
    (times[times.len() / 2], times.len())
}

fn main() {
    let program = env!("CARGO_BIN_EXE_patchwork-arena");
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut failed = false;
    for name in ["random", "greedy-inorder"] {
        let file =
            AgentFile::read(format!("{folder}/agents/{name}.toml").as_ref()).expect("an agent");
        let words = [program, "agents", "serve", name].map(str::to_owned);
        let served = ExternalSettings::new(words.into(), folder.as_ref());
        let (here, count) = median(&file.config);
        let (there, _) = median(&served.into());
        let cost = there.saturating_sub(here);
        let ratio = there.as_secs_f64() / here.as_secs_f64().max(1e-9);
        println!(
            "{name}: median of {count} decisions {here:.1?} in this process, {there:.1?} served: {cost:.1?} more ({ratio:.1} x)"
        );
        failed |= cost > MOST;
    }
    assert!(!failed, "a round trip costs more than {MOST:?}");
}
