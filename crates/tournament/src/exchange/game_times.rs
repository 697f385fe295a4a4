//! The time that games take: measured seconds a game, by agent until a pairing has ten games, then by pairing.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::time::Duration;

use patchwork_engine::agent::AgentSettings;
use patchwork_engine::game::Rules;
use patchwork_engine::util::clock::wall_time;

use super::sample::sample_time;
use crate::ledger::{Archive, TournamentError};

/// Number of games of a pairing from which its mean is used instead of the means of its agents.
const ENOUGH: u32 = 10;
/// Number of stored games from which times are read.
const MAX_READ: usize = 1000;
/// Number of agents that play games to measure times, and the time for all of them.
const MAX_SAMPLED: usize = 50;
const SAMPLE_TIME: Duration = Duration::from_secs(1);
/// The approximate least cost of a game for each agent besides thinking: counting legal actions, storing.
const OVERHEAD: Duration = Duration::from_micros(50);

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    total: Duration,
    games: u32,
}

impl Mean {
    fn add(&mut self, time: Duration) {
        self.total += time;
        self.games += 1;
    }

    fn value(self) -> Option<Duration> {
        self.total.checked_div(self.games)
    }
}

/// Measured times of games on one thread, by agent and by pairing.
#[derive(Clone, Debug)]
pub struct GameTimes<A> {
    agents: HashMap<A, Mean>,
    pairings: HashMap<[A; 2], Mean>,
    /// The times of all agents.
    all: Mean,
}

impl<A> Default for GameTimes<A> {
    fn default() -> Self {
        Self {
            agents: HashMap::new(),
            pairings: HashMap::new(),
            all: Mean::default(),
        }
    }
}

impl GameTimes<u16> {
    /// The times of stored games; of many games, those of some.
    pub fn of(games: &Archive) -> Result<Self, TournamentError> {
        let step = games.len().div_ceil(MAX_READ).max(1);
        let read: Vec<u32> = (0..games.len() as u32).step_by(step).collect();
        let mut times = Self::default();
        for entry in games.entries(&read)? {
            times.add(entry.record.agents, entry.thinking());
        }
        Ok(times)
    }
}

impl<A: Copy + Hash + Ord> GameTimes<A> {
    /// Adds a game: its agents and how long they thought. Returns its time.
    pub fn add(&mut self, agents: [A; 2], thinking: [Duration; 2]) -> Duration {
        let times = thinking.map(|time| time + OVERHEAD);
        for (agent, time) in agents.into_iter().zip(times) {
            self.agents.entry(agent).or_default().add(time);
            self.all.add(time);
        }
        let time = times.into_iter().sum();
        self.pairings.entry(pairing(agents)).or_default().add(time);
        time
    }

    /// Lets agents without a time play against themselves, for up to a second in all. These games are not kept. Of many
    /// such agents, some play.
    pub fn sample<'a>(
        &mut self,
        agents: impl IntoIterator<Item = (A, &'a AgentSettings)>,
        rules: Rules,
    ) {
        let unknown = agents.into_iter();
        let unknown = unknown.filter(|(agent, _)| !self.agents.contains_key(agent));
        let unknown: BTreeMap<A, &AgentSettings> = unknown.collect();
        let sampled = (unknown.iter()).step_by(unknown.len().div_ceil(MAX_SAMPLED).max(1));
        let most = SAMPLE_TIME / sampled.len().max(1) as u32;
        for (agent, settings) in sampled {
            let time = OVERHEAD + sample_time(settings, rules, most, wall_time).0;
            self.agents.entry(*agent).or_default().add(time);
            self.all.add(time);
        }
    }

    /// The expected time of a game: the mean of its pairing, or what its agents take in their games. An agent without a
    /// time takes the mean of all. `None` if no time is known.
    pub fn game(&self, agents: [A; 2]) -> Option<Duration> {
        let of_agent = |agent| self.agents.get(agent).unwrap_or(&self.all).value();
        match self.pairings.get(&pairing(agents)) {
            Some(mean) if mean.games >= ENOUGH => mean.value(),
            _ => Some(of_agent(&agents[0])? + of_agent(&agents[1])?),
        }
    }

    /// The expected time of games on one thread: pairings and their numbers of games.
    pub fn games(&self, games: impl IntoIterator<Item = ([A; 2], u64)>) -> Option<Duration> {
        let mut seconds = 0.0;
        for (agents, count) in games {
            seconds += self.game(agents)?.as_secs_f64() * count as f64;
        }
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// A pairing, whoever moves first.
fn pairing<A: Ord>(mut agents: [A; 2]) -> [A; 2] {
    agents.sort();
    agents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_agents_until_a_pairing_has_ten_games() {
        let mut times = GameTimes::default();
        let seconds = |times: &GameTimes<u8>, agents, games| {
            let time = times.games([(agents, games)]);
            time.map(|time| time.as_secs_f64().round())
        };
        let add = |times: &mut GameTimes<u8>, agents, thinking: [u64; 2]| {
            times.add(agents, thinking.map(Duration::from_secs));
        };
        assert_eq!(seconds(&times, [0, 1], 1), None);
        assert_eq!(times.games([]), Some(Duration::ZERO));
        for _ in 0..9 {
            add(&mut times, [0, 1], [1, 3]);
        }
        add(&mut times, [2, 0], [99, 1]);
        assert_eq!(seconds(&times, [0, 1], 10), Some(40.0));
        // A pairing without games costs what its agents cost.
        assert_eq!(seconds(&times, [1, 2], 10), Some(1020.0));
        // An agent without games costs as much as the mean of all: 136 s in 20 times of agents.
        assert_eq!(seconds(&times, [0, 7], 10), Some(78.0));
        // Agents think longer against some than against others.
        for _ in 0..9 {
            add(&mut times, [2, 1], [2, 4]);
        }
        let of_agents = seconds(&times, [1, 2], 10).expect("known");
        assert!(of_agents > 60.0, "{of_agents}");
        add(&mut times, [1, 2], [4, 2]);
        assert_eq!(seconds(&times, [1, 2], 10), Some(60.0));
        assert_eq!(seconds(&times, [2, 1], 10), Some(60.0));
    }
}
