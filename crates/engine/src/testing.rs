//! Random setups, positions and games, which depend only on the seed; and tables of cases.

use crate::agent::{Agent, Decision, Limit, RolloutPlayer};
use crate::game::{Action, Ring, Setup, State, Track};
use crate::placement::{Scratch, Strategy};
use crate::search::{Picker, Stop};
use crate::util::rng::{Rng, stream};

/// A setup on the original track.
pub fn setup(seed: u64) -> Setup {
    setup_on(Track::Original, seed)
}

/// A setup on this track.
pub fn setup_on(track: Track, seed: u64) -> Setup {
    Setup::random(track, &mut stream(&[seed]))
}

/// The ring of [`setup`].
pub fn ring(seed: u64) -> Ring {
    *setup(seed).ring()
}

/// A setup, on alternating tracks, and the random stream after it.
pub fn setup_and_rng(seed: u64) -> (Setup, Rng) {
    let mut rng = stream(&[seed]);
    let setup = Setup::random(Track::ALL[(seed % 2) as usize], &mut rng);
    (setup, rng)
}

/// Plays random actions to the end of the game, passes each position with its action to `visit`, and returns
/// the end.
pub fn random_plies(
    setup: &Setup,
    rng: &mut Rng,
    mut visit: impl FnMut(&State, Action, &mut Rng),
) -> State {
    let mut state = State::new(setup);
    while !state.is_over() {
        let action = state.random_action(setup, rng);
        visit(&state, action, rng);
        state = state.try_play(setup, action).expect("a legal action");
    }
    state
}

/// The positions of a random game, start and end included.
pub fn random_walk(setup: &Setup, rng: &mut Rng, mut visit: impl FnMut(&State)) {
    let end = random_plies(setup, rng, |state, _, _| visit(state));
    visit(&end);
}

/// The positions of several random games, on both tracks in turn.
pub fn random_games(count: u64, mut visit: impl FnMut(&Setup, &State)) {
    for seed in 0..count {
        let (setup, mut rng) = setup_and_rng(seed);
        random_walk(&setup, &mut rng, |state| visit(&setup, state));
    }
}

/// Late positions of games played with some random moves.
pub fn late_positions(games: u64, spaces: u8) -> Vec<(Setup, State)> {
    let strategy: Strategy = "bl-lb/every/random".parse().expect("names");
    let player = RolloutPlayer::new(Picker::softmax(3.0), strategy);
    let mut found = Vec::new();
    for seed in 0..games {
        let mut rng = stream(&[seed, 77]);
        let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
        let mut state = State::new(&setup);
        let mut scratch = Scratch::default();
        while !state.is_over() {
            if state.spaces_left() <= spaces && state.legal_actions(&setup).len() <= 40 {
                found.push((setup.clone(), state));
                break;
            }
            let action = player.action(&setup, &state, &mut rng, &mut scratch);
            state.play_unchecked(&setup, action);
        }
    }
    found
}

/// The decision of an agent with its own budget.
pub fn decide(agent: &mut impl Agent, setup: &Setup, state: &State) -> Decision {
    let decision = agent.decide(setup, state, Limit::own(&Stop::new()));
    decision.expect("no fault")
}

/// The rows of a table in a text: a line each, with `=>` between the cells. In a cell, `\n` stands for a line break and `\t`
/// for a tab.
///
/// # Panics
/// When a row has another number of cells.
pub fn rows<const N: usize>(table: &str) -> Vec<[&'static str; N]> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let cell = |cell: &str| &*cell.trim().replace("\\n", "\n").replace("\\t", "\t").leak();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split("=>").map(cell).collect();
        cells
            .try_into()
            .unwrap_or_else(|cells: Vec<_>| panic!("{line}: {} cells, expected {N}", cells.len()))
    };
    lines.map(row).collect()
}
