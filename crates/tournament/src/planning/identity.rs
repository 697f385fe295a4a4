//! The identity of a game: what determines it, and the random streams derived from that.
//!
//! A game is determined by the version of play ([`PLAY`]), its setup, the settings of its two agents,
//! the leg, the tournament's seed and the number of its pair. The names of agents, the other agents and
//! the number of pairs do not matter, so two plans that contain the same game get the same bytes, and
//! either can use the other's result.

use std::collections::HashMap;
use std::fmt;

use bincode::{Decode, Encode};
use patchwork_engine::agent::AgentSettings;
use patchwork_engine::game::{Player, Rules, Setup};
use patchwork_engine::util::rng::{Rng, hash_words, stream};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::plan::Plan;
use super::planned_agent::PlannedAgent;
use super::planned_game::PlannedGame;
use super::rings::PlannedRings;

/// The version of play: the signature that `patchwork-arena bench` prints. It changes only when
/// agents play differently; releases with the same version of play continue each other's results.
pub const PLAY: u64 = 0x3b03_0554_5515_4671;

// The purposes of random streams; streams for different purposes are independent.
const SETUP: u64 = 1;
const AGENT: u64 = 2;
const RING: u64 = 3;

/// The identity of an agent: a hash of its effective settings. Its name does not matter.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
pub struct AgentId(pub u64);

impl AgentId {
    /// The identity of an agent. Agents of a plan with the same settings are distinguished by `copy`, which
    /// counts from 0.
    pub fn new(settings: &AgentSettings, copy: u32) -> Self {
        let hash = XxHash3_64::oneshot(settings.canonical().as_bytes());
        Self(match copy {
            0 => hash,
            copy => hash_words(&[hash, copy.into()]),
        })
    }

    /// The identity that is written as these hexadecimal digits.
    pub(crate) fn parse(digits: &str) -> Option<Self> {
        u64::from_str_radix(digits, 16).ok().map(Self)
    }

    /// The identities of agents in this order, each with its number among the agents with the same settings.
    pub(crate) fn of_all(agents: &[PlannedAgent]) -> Vec<(Self, u32)> {
        let mut copies: HashMap<Self, u32> = HashMap::new();
        let number = |agent: &PlannedAgent| {
            let first = Self::new(&agent.config, 0);
            let next = copies.entry(first).or_default();
            let copy = std::mem::replace(next, *next + 1);
            match copy {
                0 => (first, 0),
                copy => (Self::new(&agent.config, copy), copy),
            }
        };
        agents.iter().map(number).collect()
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Identifies a game among all games with the same rules and kind of rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct GameAddress {
    /// The tournament's seed.
    pub seed: u64,
    /// The number of the pair.
    pub pair: u32,
    /// The agents in the first and the second seat.
    pub seats: [AgentId; 2],
}

impl Plan {
    /// A 64-bit hash of the whole plan.
    pub fn hash(&self) -> u64 {
        let text = serde_json::to_string(self).expect("a plan has only plain values");
        XxHash3_64::oneshot(text.as_bytes())
    }
}

/// The addresses, setups and random streams of a plan's games.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    rules: Rules,
    agents: Vec<AgentId>,
    /// The source of the rings; those of a book in the order in which pairs use them.
    rings: PlannedRings,
}

fn ids(plan: &Plan) -> Vec<AgentId> {
    let all = AgentId::of_all(plan.agents()).into_iter();
    all.map(|(id, _)| id).collect()
}

impl Streams {
    /// The streams of a plan.
    pub fn new(plan: &Plan) -> Self {
        let rings = match plan.rings() {
            PlannedRings::Book(book) => {
                let mut order = stream(&[RING, plan.seed()]);
                PlannedRings::Book(book.shuffled(&mut order))
            }
            rings => rings.clone(),
        };
        Self {
            seed: plan.seed(),
            rules: plan.rules(),
            agents: ids(plan),
            rings,
        }
    }

    /// The identities of the plan's agents.
    pub fn agents(&self) -> &[AgentId] {
        &self.agents
    }

    /// The address of a game.
    pub fn address(&self, game: PlannedGame) -> GameAddress {
        GameAddress {
            seed: self.seed,
            pair: game.id.pair,
            seats: game.seats.map(|agent| self.agents[usize::from(agent)]),
        }
    }

    /// The setup of a game; both legs of a pair have the same setup.
    pub fn setup(&self, game: PlannedGame) -> Setup {
        self.setup_at(&self.address(game))
    }

    /// The setup of a game at an address with this seed, regardless of the agents.
    pub(crate) fn setup_at(&self, game: &GameAddress) -> Setup {
        let pair = u64::from(game.pair);
        let mut rng = match &self.rings {
            PlannedRings::Book(book) => {
                let rings = book.rings();
                return Setup::new(self.rules, rings[game.pair as usize % rings.len()]);
            }
            PlannedRings::Common => stream(&[RING, self.seed, pair]),
            PlannedRings::Own => {
                let [one, other] = game.seats;
                let (low, high) = (one.min(other), one.max(other));
                stream(&[SETUP, self.seed, pair, low.0, high.0])
            }
        };
        Setup::random(self.rules, &mut rng)
    }

    /// The random stream of the agent in a seat.
    pub fn agent(&self, game: PlannedGame, setup: &Setup, seat: Player) -> Rng {
        let GameAddress { seed, pair, seats } = self.address(game);
        let [first, second] = seats.map(|agent| agent.0);
        let ring =
            XxHash3_64::oneshot_with_seed(setup.rules().code().into(), &setup.ring().numbers());
        stream(&[
            AGENT,
            seed,
            pair.into(),
            first,
            second,
            ring,
            seat.index() as u64,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use patchwork_engine::agent::{GreedySettings, RandomSettings};

    fn plan(names: [&str; 3], pairs: u32, rings: PlannedRings) -> Plan {
        let greedy = |strategy: &str| GreedySettings::new(strategy.parse().unwrap()).into();
        let configs: [AgentSettings; 3] = [
            RandomSettings {}.into(),
            greedy("bl/some/first"),
            greedy("bl-lb/every/regret"),
        ];
        let agents = names.into_iter().zip(configs);
        let agents = agents.map(|(name, config)| PlannedAgent::new(name, config));
        let plan = Plan::new(
            7,
            Rules::default(),
            Format::RoundRobin,
            pairs,
            agents.collect(),
        );
        plan.unwrap().with_rings(rings)
    }

    /// What every game of a plan depends on, without names and the order of agents.
    fn games(plan: &Plan) -> Vec<(GameAddress, Setup, [Rng; 2])> {
        let streams = Streams::new(plan);
        let mut games: Vec<_> = plan
            .games()
            .map(|game| {
                let setup = streams.setup(game);
                let rngs = Player::BOTH.map(|seat| streams.agent(game, &setup, seat));
                (streams.address(game), setup, rngs)
            })
            .collect();
        games.sort_by_key(|(address, ..)| *address);
        games
    }

    #[test]
    fn games_depend_on_neither_names_nor_the_size_of_the_plan() {
        for rings in [PlannedRings::Own, PlannedRings::Common] {
            let all = games(&plan(["a", "b", "c"], 3, rings.clone()));
            assert_eq!(all.len(), 18);
            assert_eq!(games(&plan(["z", "y", "x"], 3, rings.clone())), all);
            let fewer = games(&plan(["b", "a", "c"], 2, rings));
            assert_eq!(fewer.len(), 12);
            assert!(fewer.iter().all(|game| all.contains(game)));
        }
    }

    #[test]
    fn rings_are_common_if_asked() {
        for (rings, distinct) in [(PlannedRings::Own, 9), (PlannedRings::Common, 3)] {
            let games = games(&plan(["a", "b", "c"], 3, rings));
            let mut setups: Vec<&Setup> = games.iter().map(|(_, setup, _)| setup).collect();
            setups.sort_by_key(|setup| setup.ring().numbers());
            setups.dedup();
            assert_eq!(setups.len(), distinct);
        }
    }

    #[test]
    fn copies_of_an_agent_play_games_of_their_own() {
        let copies = ["a", "b", "c"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
        let ids = AgentId::of_all(&copies);
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
        assert_eq!(AgentId::of_all(&copies[1..]), ids[..2]);
    }
}
