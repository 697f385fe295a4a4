//! Estimates how long the missing games of a run will take, from the games played so far.

use std::collections::HashMap;
use std::time::Duration;

use patchwork_tournament::OVERHEAD;

/// Number of games from which the mean of a pairing is used instead of the means of its agents.
const ENOUGH: u32 = 4;

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
    /// The games of this run.
    own: Mean,
    /// The cost of the longest game.
    longest: f64,
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
        self.longest = self.longest.max(one + other);
    }

    /// Learns from a game that was finished in this run.
    pub(super) fn learn_own(&mut self, pairing: u32, agents: [u16; 2], times: [Duration; 2]) {
        self.learn(pairing, agents, times);
        self.own.add(times.iter().sum::<Duration>().as_secs_f64());
    }

    /// What a game costs besides the thinking of its agents: the time of the threads in this run that
    /// the finished games and one more for each thread do not account for. A slow disk or other programs
    /// may take much more of it than short games do.
    fn overhead(&self, threads: f64, elapsed: Duration) -> f64 {
        let unused = threads * (elapsed.as_secs_f64() - self.longest) - self.own.seconds;
        let of_game = unused / f64::from(self.own.games.max(1));
        of_game.max(OVERHEAD.as_secs_f64())
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

    /// The time that the threads need for the missing games, if this run has taken the `elapsed` time; `None` before
    /// the first game is finished. `missing` has pairings, their agents and the numbers of their missing games.
    pub(super) fn left(
        &self,
        missing: impl Iterator<Item = (u32, [u16; 2], u64)>,
        threads: usize,
        elapsed: Duration,
    ) -> Option<Duration> {
        let threads = threads.max(1) as f64;
        let (mut seconds, mut games) = (0.0, 0);
        for (pairing, agents, more) in missing {
            seconds += more as f64 * self.cost(pairing, agents)?;
            games += more;
        }
        seconds += games as f64 * self.overhead(threads, elapsed);
        Duration::try_from_secs_f64(seconds / threads).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(times: [f64; 2]) -> [Duration; 2] {
        times.map(Duration::from_secs_f64)
    }

    #[test]
    fn pairings_of_unlike_cost_are_told_apart() {
        let mut pace = Pace::default();
        let one = [(0, [0, 1], 1)].into_iter();
        assert_eq!(pace.left(one, 1, Duration::ZERO), None);
        // Ten cheap games are finished, and one of a pairing that takes 100 times as long.
        for _ in 0..10 {
            pace.learn(0, [0, 1], seconds([0.5, 0.5]));
        }
        pace.learn(1, [0, 2], seconds([0.5, 99.5]));
        let left = |missing: &[(u32, [u16; 2], u64)]| {
            let left = pace.left(missing.iter().copied(), 2, Duration::ZERO);
            left.expect("games were played").as_secs_f64()
        };
        assert!((left(&[(0, [0, 1], 10)]) - 5.0).abs() < 0.01);
        assert!((left(&[(1, [0, 2], 19)]) - 950.0).abs() < 0.01);
        // A pairing without games costs what its agents cost.
        assert!((left(&[(2, [1, 2], 4)]) - 200.0).abs() < 0.01);
        // An unknown agent costs as much as the mean game.
        assert!((left(&[(3, [0, 7], 1)]) - 5.0).abs() < 0.01);
        // Four games of a pairing count more than the means of its agents.
        for _ in 0..4 {
            pace.learn(4, [1, 2], seconds([0.1, 0.3]));
        }
        let left = pace.left([(4, [1, 2], 10)].into_iter(), 1, Duration::ZERO);
        assert!((left.expect("known").as_secs_f64() - 4.0).abs() < 0.01);
    }

    #[test]
    fn what_games_cost_besides_thinking_is_measured() {
        let mut pace = Pace::default();
        for _ in 0..200 {
            pace.learn_own(0, [0, 1], seconds([0.002, 0.002]));
        }
        let left = |pace: &Pace, elapsed| {
            let missing = [(0, [0, 1], 1000)].into_iter();
            let left = pace.left(missing, 2, Duration::from_secs_f64(elapsed));
            left.expect("games were played").as_secs_f64()
        };
        // 200 games took two threads 4 s, so 1000 take 20 s.
        assert!((left(&pace, 4.0) - 20.0).abs() < 0.1);
        // As fast as agents think.
        assert!((left(&pace, 0.4) - 2.05).abs() < 0.01);
        // A long game, of which each thread may have one unfinished, tells nothing about short ones.
        pace.learn_own(1, [0, 2], seconds([0.1, 3.9]));
        assert!((left(&pace, 4.0) - 2.05).abs() < 0.01);
    }
}
