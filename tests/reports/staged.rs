//! Tournaments in which the agents win as often as the test specifies. The games are random and legal;
//! thoughts and times are invented, so that a report is the same everywhere.

use patchwork_engine::game::{Setup, State, Track};
use patchwork_engine::record::{
    Entry, FaultReason, GameId, Ply, Record, Termination, Thought, TreeFacts,
};
use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_tournament::{Format, KnownGame, Manifest, Plan, PlannedGame, Results, Schedule};

use patchwork_test_support::tournaments::{random_agents, random_entry};

/// A tournament before it is played.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) plan: Plan,
    pub(crate) seed: u64,
    /// The strengths of the agents in Elo, by their number in the plan; an infinite strength decides the
    /// game.
    pub(crate) strengths: Vec<f64>,
    /// The advantage of moving first in Elo.
    pub(crate) seat: f64,
    /// The number of games after which it is interrupted.
    pub(crate) most_games: usize,
    /// One game in this many is lost by a fault.
    pub(crate) faults: Option<u32>,
}

impl Staged {
    /// Agents with these names and strengths; all games are played.
    pub(crate) fn new(
        agents: &[(&str, f64)],
        format: impl Into<Format>,
        pairs: u32,
        seed: u64,
    ) -> Self {
        let names: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
        let mut planned = random_agents(&names);
        planned[0].description = "The first of the agents.".to_owned();
        let plan = Plan::new(seed, Track::Original, format, pairs, planned);
        let plan = plan.expect("a plan");
        let strength = |name: &String| {
            let agent = agents.iter().find(|(known, _)| known == name);
            agent.expect("one of the agents").1
        };
        Self {
            strengths: plan.names().iter().map(strength).collect(),
            plan,
            seed,
            seat: 30.0,
            most_games: usize::MAX,
            faults: None,
        }
    }

    /// Plays it.
    pub(crate) fn results(&self, name: &str) -> Results {
        let mut schedule = Schedule::new(&self.plan);
        let mut entries: Vec<Entry> = Vec::new();
        while entries.len() < self.most_games {
            let Some(game) = schedule.next() else {
                break;
            };
            let entry = self.game(game);
            schedule.finish(KnownGame::Stored((&entry.record).into()));
            entries.push(entry);
        }
        let manifest = Manifest {
            // A release does not change the golden files.
            version: "0.1.0".to_owned(),
            ..Manifest::new(name.to_owned(), self.plan.clone())
        };
        Results::new(manifest, entries.into_iter().collect()).expect("games of the plan")
    }

    /// The first random game with the result that the strengths require.
    fn game(&self, game: PlannedGame) -> Entry {
        let GameId { pairing, pair, leg } = game.id;
        let numbers = [self.seed, pairing.into(), pair.into()];
        let setup = Setup::random(self.plan.rules(), &mut stream(&numbers));
        let mut rng = stream(&[numbers[0], numbers[1], numbers[2], leg.into()]);
        let [first, second] = game.seats.map(|agent| self.strengths[usize::from(agent)]);
        let first_wins = match first.partial_cmp(&second) {
            Some(order) if first.is_infinite() || second.is_infinite() => order.is_gt(),
            _ => {
                let chance = 1.0 / (1.0 + 10f64.powf((second - first - self.seat) / 400.0));
                f64::from(below(1 << 20, &mut rng)) < chance * f64::from(1 << 20)
            }
        };
        if self.faults.is_some_and(|every| below(every, &mut rng) == 0) {
            return fault(game, &setup, &mut rng);
        }
        loop {
            let searches = game.seats.map(|agent| agent % 2 == 0);
            let entry = random_entry(game.id, game.seats, &setup, &mut rng, |state, rng| {
                think(state, &setup, searches[state.mover().index()], rng)
            });
            if (entry.record.winner.index() == 0) == first_wins {
                return entry;
            }
        }
    }
}

/// The thought and the time in nanoseconds of an agent that searches or does not.
fn think(state: &State, setup: &Setup, searches: bool, rng: &mut Rng) -> (Thought, u64) {
    if !searches || state.count_actions(setup) < 2 {
        return (Thought::default(), u64::from(5_000 + below(5_000, rng)));
    }
    let thought = Thought {
        iterations: 500 + below(500, rng),
        value: Some(f32::from(below(100, rng) as u8) / 100.0),
        proven: None,
        tree: Some(TreeFacts {
            nodes: 200 + below(200, rng),
            mean_depth: 4.5,
            max_depth: 9,
            entropy: 1.25,
        }),
    };
    (thought, u64::from(2_000_000 + below(3_000_000, rng)))
}

/// A game that the player to move lost after a few plies.
fn fault(game: PlannedGame, setup: &Setup, rng: &mut Rng) -> Entry {
    let mut state = State::new(setup);
    let mut plies = Vec::new();
    for _ in 0..below(6, rng) {
        let action = state.random_action(setup, rng);
        plies.push(Ply::new(setup, &state, action, Thought::default()));
        state = state.try_play(setup, action).expect("a legal action");
    }
    let reasons = FaultReason::ALL;
    let termination = Termination {
        loser: state.mover(),
        reason: reasons[below(reasons.len() as u32, rng) as usize],
    };
    Entry {
        nanos: plies.iter().map(|_| 1000).collect(),
        record: Record::new(game.id, game.seats, setup, plies, &state, Some(termination)),
        extras: patchwork_engine::record::Extras::default(),
    }
}
