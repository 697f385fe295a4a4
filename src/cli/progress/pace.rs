//! Estimates how long the missing games of a run will take, from the games played so far.

use std::collections::HashMap;
use std::time::Duration;

use patchwork_arena::tournament::GAME_OVERHEAD;

/// Number of games from which the mean of a pairing is used instead of the means of its agents.
const ENOUGH: u32 = 4;

/// A mean time.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    seconds: f64,
    games: u32,
}

impl Mean {
    fn add(&mut self, seconds: f64) {
        self.seconds += seconds;
        self.games += 1;
    }

    fn of(self, least: u32) -> Option<f64> {
        (self.games >= least.max(1)).then(|| self.seconds / f64::from(self.games))
    }
}

/// What games cost, by pairing and by agent.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pairings: HashMap<u32, Mean>,
    agents: HashMap<u16, Mean>,
    all: Mean,
}

/// Missing games of a pairing of two agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct MissingGames {
    pub(super) pairing: u32,
    pub(super) agents: [u16; 2],
    pub(super) games: u64,
}

impl Pace {
    /// Learns from a finished game and the thinking times of its agents.
    pub(super) fn learn(&mut self, pairing: u32, agents: [u16; 2], times: [Duration; 2]) {
        let [one, other] = times.map(|time| time.as_secs_f64());
        for (agent, seconds) in agents.into_iter().zip([one, other]) {
            self.agents.entry(agent).or_default().add(seconds);
        }
        self.pairings.entry(pairing).or_default().add(one + other);
        self.all.add(one + other);
    }

    /// The expected cost of a game in seconds; `None` before the first game.
    fn cost(&self, pairing: u32, agents: [u16; 2]) -> Option<f64> {
        let of_pairing = || self.pairings.get(&pairing)?.of(ENOUGH);
        let of_agents = || {
            let [a, b] = agents.map(|agent| self.agents.get(&agent)?.of(1));
            Some(a? + b?)
        };
        of_pairing().or_else(of_agents).or_else(|| self.all.of(1))
    }

    /// The time that the threads need for the missing games, `later` of which have unknown pairings; `None`
    /// before the first game is finished.
    pub(super) fn left(
        &self,
        missing: impl Iterator<Item = MissingGames>,
        later: u64,
        threads: usize,
    ) -> Option<Duration> {
        let mut seconds = later as f64 * self.all.of(1)?;
        let mut games = later;
        for one in missing {
            seconds += one.games as f64 * self.cost(one.pairing, one.agents)?;
            games += one.games;
        }
        seconds += games as f64 * GAME_OVERHEAD.as_secs_f64();
        Duration::try_from_secs_f64(seconds / threads.max(1) as f64).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(times: [f64; 2]) -> [Duration; 2] {
        times.map(Duration::from_secs_f64)
    }

    fn missing(pairing: u32, agents: [u16; 2], games: u64) -> MissingGames {
        MissingGames {
            pairing,
            agents,
            games,
        }
    }

    #[test]
    fn pairings_of_unlike_cost_are_told_apart() {
        let mut pace = Pace::default();
        assert_eq!(pace.left([].into_iter(), 1, 1), None);
        // Ten cheap games are finished, and one of a pairing that takes 100 times as long.
        for _ in 0..10 {
            pace.learn(0, [0, 1], seconds([0.5, 0.5]));
        }
        pace.learn(1, [0, 2], seconds([0.5, 99.5]));
        let left = |missing: &[MissingGames], later| {
            let left = pace.left(missing.iter().copied(), later, 2);
            left.expect("games were played").as_secs_f64()
        };
        assert!((left(&[missing(0, [0, 1], 10)], 0) - 5.0).abs() < 0.01);
        assert!((left(&[missing(1, [0, 2], 19)], 0) - 950.0).abs() < 0.01);
        // A pairing without games costs what its agents cost.
        assert!((left(&[missing(2, [1, 2], 4)], 0) - 200.0).abs() < 0.01);
        // An unknown agent costs as much as the mean game.
        assert!((left(&[missing(3, [0, 7], 1)], 0) - 5.0).abs() < 0.01);
        assert!((left(&[], 11) - 55.0).abs() < 0.01);
        // Four games of a pairing count more than the means of its agents.
        for _ in 0..4 {
            pace.learn(4, [1, 2], seconds([0.1, 0.3]));
        }
        let left = pace.left([missing(4, [1, 2], 10)].into_iter(), 0, 1);
        assert!((left.expect("known").as_secs_f64() - 4.0).abs() < 0.01);
    }
}
