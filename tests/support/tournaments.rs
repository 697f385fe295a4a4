//! Small plans, and records of random games.

use patchwork_engine::agent::RandomSettings;
use patchwork_engine::game::{Player, Setup, State, Track};
use patchwork_engine::record::{Entry, Extras, GameFacts, GameId, Ply, Record, Thought, TreeFacts};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_tournament::{Format, Plan, PlannedAgent};

use patchwork_engine::testing::{random_plies, setup_and_rng};

/// The agents of [`tournament`], in the order of their indices.
pub const NAMES: [&str; 3] = ["greedy", "mcts-bl-lb-every-regret", "random"];

/// The pairings of [`tournament`].
pub const PAIRINGS: [(u16, u16); 3] = [(0, 1), (0, 2), (1, 2)];

pub fn names() -> Vec<String> {
    owned(&NAMES)
}

pub fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Agents that play at random.
pub fn random_agents(names: &[impl AsRef<str>]) -> Vec<PlannedAgent> {
    let agent = |name: &_| PlannedAgent::new(AsRef::<str>::as_ref(name), RandomSettings {}.into());
    names.iter().map(agent).collect()
}

/// A plan of agents that play at random, on the original track with seed 7.
pub fn plan(
    names: &[impl AsRef<str>],
    format: impl Into<Format>,
    pairs: u32,
) -> Result<Plan, InputError> {
    Plan::new(7, Track::Original, format, pairs, random_agents(names))
}

/// The record of a random game; `think` gives the agents' thoughts and their times in nanoseconds.
pub fn random_entry(
    id: GameId,
    agents: [u16; 2],
    setup: &Setup,
    rng: &mut Rng,
    mut think: impl FnMut(&State, &mut Rng) -> (Thought, u64),
) -> Entry {
    let (mut plies, mut nanos) = (Vec::new(), Vec::new());
    let end = random_plies(setup, rng, |state, action, rng| {
        let (thought, time) = think(state, rng);
        plies.push(Ply::new(setup, state, action, thought));
        nanos.push(time);
    });
    Entry {
        record: Record::new(id, agents, setup, plies, &end, None),
        nanos,
        extras: Extras::default(),
    }
}

/// A random game of the agents 0 and 1 with thoughts of all kinds.
pub fn varied_entry(seed: u32) -> Entry {
    let (setup, mut rng) = setup_and_rng(seed.into());
    let id = GameId {
        pairing: seed,
        pair: seed / 2,
        leg: (seed % 2) as u8,
    };
    random_entry(id, [0, 1], &setup, &mut rng, |_, rng| {
        let thought = Thought {
            iterations: below(1000, rng),
            value: (below(2, rng) == 0).then_some(0.25),
            proven: (below(4, rng) == 0).then_some(true),
            tree: (below(2, rng) == 0).then_some(TreeFacts {
                nodes: below(1000, rng),
                mean_depth: 2.5,
                max_depth: 7,
                entropy: 1.25,
            }),
        };
        (thought, below(1_000_000, rng).into())
    })
}

pub fn varied_entries(count: u32) -> Vec<Entry> {
    (0..count).map(varied_entry).collect()
}

/// A random game in which agent 0 reports a search.
pub fn game(id: GameId, agents: [u16; 2]) -> Entry {
    let identity = [u64::from(id.pairing), u64::from(id.pair)];
    let setup = Setup::random(Track::Original, &mut stream(&identity));
    let mut rng = stream(&[identity[0], identity[1], u64::from(id.leg), 1]);
    random_entry(id, agents, &setup, &mut rng, |state, _| {
        let searches = agents[state.mover().index()] == 0 && state.count_actions(&setup) > 1;
        let thought = Thought {
            iterations: if searches { 1000 } else { 0 },
            ..Thought::default()
        };
        (thought, if searches { 50_000_000 } else { 20_000 })
    })
}

/// A game of a plan that the first or the second agent of its pairing won, the first one by this many points.
pub fn ended(id: GameId, agents: [u16; 2], winner: usize, margin: i16) -> GameFacts {
    let GameId { pairing, pair, leg } = id;
    let first_agent = usize::from(leg == 1);
    let mut scores = [0; 2];
    scores[first_agent] = margin;
    GameFacts {
        pairing,
        pair,
        leg,
        agents,
        scores,
        winner: Player::BOTH[winner ^ first_agent],
        bonus: None,
        fault: None,
        plies: 0,
        turns: 0,
    }
}

/// A round robin of the three agents [`NAMES`], `pairs` pairs each.
pub fn tournament(pairs: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (pairing, (a, b)) in (0..).zip(PAIRINGS) {
        for pair in 0..pairs {
            for leg in 0..2 {
                let agents = if leg == 0 { [a, b] } else { [b, a] };
                entries.push(game(GameId { pairing, pair, leg }, agents));
            }
        }
    }
    entries
}
