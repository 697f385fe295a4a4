//! Checks that agents keep to their time budgets; fails if they do not. Needs an idle machine.
//!
//! `cargo bench --bench time_control`

use std::path::Path;
use std::time::{Duration, Instant};

use patchwork_bots::ExternalSettings;
use patchwork_engine::agent::{AgentFile, AgentSettings, Limit};
use patchwork_engine::game::{Player, Setup, State, Track};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::stream;

/// A decision may take this much longer than its budget.
const LATE: Duration = Duration::from_millis(5);

/// The text of an MCTS agent.
fn mcts(budget: &str, search: &str) -> String {
    format!(
        "type = 'mcts'\nbudget = {{ {budget} }}\n\
         [expansion]\nstrategy = 'bl-lb/every/regret'\nbest = 3\n\
         [rollout]\npick = 'greedy'\nstrategy = 'in-order/some/first'\n[search]\n{search}\n"
    )
}

fn settings(text: &str) -> AgentSettings {
    let file = AgentFile::parse(Path::new("time-control"), text);
    file.expect("an agent").config
}

/// The times of an agent's decisions in a game against itself.
fn play(settings: &AgentSettings, seed: u64) -> Vec<(Player, Duration)> {
    let mut rng = stream(&[seed]);
    let setup = Setup::random(Track::Original, &mut rng);
    let mut agents = [settings.build(), settings.build()];
    for agent in &mut agents {
        agent.start(&setup, rng.clone());
    }
    let mut state = State::new(&setup);
    let mut times = Vec::new();
    while !state.is_over() {
        let mover = state.mover();
        let start = Instant::now();
        let decision = agents[mover.index()].decide(&setup, &state, Limit::own(&Stop::new()));
        let decision = decision.expect("no fault");
        times.push((mover, start.elapsed()));
        state = state.try_play(&setup, decision.action).expect("legal");
        for agent in &mut agents {
            agent.observe(decision.action);
        }
    }
    times
}

/// Checks how late an agent with this time per decision is at worst.
fn check(name: &str, text: &str, milliseconds: u64) {
    let times = play(&settings(text), milliseconds).into_iter();
    let budget = Duration::from_millis(milliseconds);
    let late = times.map(|(_, took)| took.saturating_sub(budget));
    let worst = late.max().unwrap_or_default();
    println!("{milliseconds} ms per move, {name}: at most {worst:?} late");
    assert!(worst < LATE, "{worst:?} late");
}

/// Checks the total time of each player with this time per game.
fn check_game(name: &str, settings: &AgentSettings, milliseconds: u64, late: Duration) {
    let budget = Duration::from_millis(milliseconds);
    let times = play(settings, 2);
    for player in Player::BOTH {
        let own = times.iter().filter(|(mover, _)| *mover == player);
        let total: Duration = own.map(|(_, took)| *took).sum();
        println!("{milliseconds} ms per game, {name}, {player} player: {total:?}");
        assert!(total < budget + late, "{total:?}");
        assert!(total > budget / 4, "{total:?}");
    }
}

fn main() {
    for milliseconds in [1, 4, 10, 100] {
        for search in ["", "nodes = 10000", "endgame = 200"] {
            let budget = format!("milliseconds = {milliseconds}");
            check(
                &format!("[search] {search}"),
                &mcts(&budget, search),
                milliseconds,
            );
        }
    }
    for (kind, rest) in [
        ("alpha-beta", "[expansion]\nstrategy = 'all/every/regret'"),
        (
            "flat",
            "[rollout]\npick = 'uniform'\nstrategy = 'all/every/random'",
        ),
    ] {
        let text = format!("type = '{kind}'\nbudget = {{ milliseconds = 30 }}\n{rest}\n");
        check(kind, &text, 30);
    }
    let own = settings(&mcts("milliseconds_per_game = 200", ""));
    check_game("mcts", &own, 200, LATE);
    let program = env!("CARGO_BIN_EXE_patchwork-arena");
    let command = [program, "agents", "serve", "mcts-fast"].map(str::to_owned);
    let mut served = ExternalSettings::new(command.to_vec(), Path::new("."));
    served.budget = Some(Budget::GameTime(Duration::from_millis(400)));
    // A served agent has no clock of its own: each request tells it the time left.
    check_game("served", &served.into(), 400, Duration::from_millis(200));
}
