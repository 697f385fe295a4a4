//! Measures how often agents lose won endings: positions in which both tokens together have 14 spaces left,
//! solved exactly.
//!
//! `cargo run --release --example endings -- 1000 100 agents/champion.toml agents/archive/champion-1.toml`: 1,000
//! positions, 100 milliseconds of processor time per decision.

use std::error::Error;
use std::time::Duration;

use patchwork_engine::agent::endgame::winner;
use patchwork_engine::agent::{self, Agent, Limit};
use patchwork_engine::game::{Action, Player, Setup, State, Track};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::stream;

const SPACES_LEFT: u8 = 14;
/// Maximum number of positions for solving an ending.
const MAX_POSITIONS: u32 = 1_000_000;
/// The budget of the games from which the positions are taken.
const OF_GAMES: Budget = Budget::Iterations(100);

/// A position with its winner under optimal play.
struct Ending {
    setup: Setup,
    state: State,
    winner: Player,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [positions, milliseconds, agents @ ..] = &arguments[..] else {
        return Err("expected a number of positions, milliseconds and agent files".into());
    };
    let budget = Budget::ProcessorTime(Duration::from_millis(milliseconds.parse()?));
    let endings = endings(positions.parse()?)?;
    // In lost positions there is nothing to lose.
    let won: Vec<&Ending> = (endings.iter())
        .filter(|ending| ending.winner == ending.state.mover())
        .collect();
    println!("{} positions, {} of them won", endings.len(), won.len());
    for file in agents {
        let mut player = agent::load(file)?;
        let mut lost = 0;
        for (ending, game) in won.iter().zip(0..) {
            player.start(&ending.setup, stream(&[16, game]));
            let mut next = ending.state;
            next.play_unchecked(&ending.setup, decide(&mut *player, ending, budget)?);
            let now = winner(&ending.setup, &next, u32::MAX);
            lost += usize::from(now != Some(ending.winner));
        }
        println!(
            "{file}: {lost} lost, {:.2}% of all",
            100.0 * lost as f64 / endings.len() as f64
        );
    }
    Ok(())
}

/// One ending from each game that has one with this many spaces left.
fn endings(count: usize) -> Result<Vec<Ending>, Box<dyn Error>> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/agents/archive/champion-1000.toml"
    );
    let mut player = agent::load(file)?;
    let mut endings = Vec::new();
    for game in 0.. {
        if endings.len() == count {
            break;
        }
        let setup = Setup::random(Track::Original, &mut stream(&[14, game]));
        player.start(&setup, stream(&[15, game]));
        let state = State::new(&setup);
        let mut ending = Ending {
            setup,
            state,
            winner: Player::First,
        };
        while !ending.state.is_over() && ending.state.spaces_left() > SPACES_LEFT {
            let action = decide(&mut *player, &ending, OF_GAMES)?;
            player.observe(action);
            ending.state.play_unchecked(&ending.setup, action);
        }
        if ending.state.spaces_left() == SPACES_LEFT
            && let Some(winner) = winner(&ending.setup, &ending.state, MAX_POSITIONS)
        {
            endings.push(Ending { winner, ..ending });
        }
    }
    Ok(endings)
}

fn decide(
    player: &mut dyn Agent,
    ending: &Ending,
    budget: Budget,
) -> Result<Action, Box<dyn Error>> {
    let limit = Limit {
        budget: Some(budget),
        stop: &Stop::new(),
    };
    let decision = player.decide(&ending.setup, &ending.state, limit);
    Ok(decision.map_err(|fault| fault.detail)?.action)
}
