//! Games as the ratings use them.

use std::cmp::Ordering;

use super::graph::{Seating, ordered};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RatedGame {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other agent.
    pub second: usize,
    /// The result for the agent that moved first.
    pub score: GameScore,
}

impl RatedGame {
    /// A game of a pair, which is known by its pairing and its number there, in a game without draws.
    pub fn of_pair(pairing: u32, pair: u32, seats: [u16; 2], first_won: bool) -> Self {
        let [first, second] = seats.map(usize::from);
        Self {
            cluster: u64::from(pairing) << 32 | u64::from(pair),
            first,
            second,
            score: first_won.into(),
        }
    }

    pub(crate) const fn seating(&self) -> Seating {
        (self.first, self.second)
    }

    /// The two agents in ascending order, whether the second of them moved first (0 or 1), and the points of the first of them.
    pub(crate) fn by_agents(&self) -> (Seating, usize, f64) {
        let pairing = ordered(self.seating());
        if pairing == self.seating() {
            (pairing, 0, self.score.points())
        } else {
            (pairing, 1, self.score.reversed().points())
        }
    }

    /// The pairing and the number of the pair, for a game made by [`Self::of_pair`].
    pub const fn pair(&self) -> (u32, u32) {
        ((self.cluster >> 32) as u32, self.cluster as u32)
    }
}

/// The result of a game for the agent that moved first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameScore {
    /// It lost.
    Loss,
    /// Half a win for each agent.
    Draw,
    /// It won.
    Win,
}

impl GameScore {
    /// Points for the agent that moved first: 0, 0.5 or 1.
    pub const fn points(self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Half points for the agent that moved first: 0, 1 or 2.
    pub const fn half_points(self) -> u64 {
        self as u64
    }

    /// The same result from the point of view of the agent that moved second.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// From whether the agent that moved first won, in a game without draws.
impl From<bool> for GameScore {
    fn from(first_won: bool) -> Self {
        if first_won { Self::Win } else { Self::Loss }
    }
}

/// A game with its score margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginGame {
    /// The game.
    pub rated: RatedGame,
    /// The first player's points minus the second player's.
    pub margin: f64,
}

/// Games in an order of their own, which are looked up and not copied: there may be millions.
#[derive(Clone)]
pub(super) struct GamesInOrder<F> {
    order: Vec<u32>,
    at: F,
}

impl<T, F: Fn(usize) -> T> GamesInOrder<F> {
    /// The games at indices below `count` for which `keeps` is true, sorted.
    pub(super) fn new(
        count: usize,
        at: F,
        keeps: impl Fn(&T) -> bool,
        compare: impl Fn(&T, &T) -> Ordering,
    ) -> Self {
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.retain(|&i| keeps(&at(i as usize)));
        let compare = |i: &u32, j: &u32| compare(&at(*i as usize), &at(*j as usize));
        if !order.is_sorted_by(|i, j| compare(i, j).is_le()) {
            order.sort_unstable_by(compare);
        }
        Self { order, at }
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone {
        self.order.iter().map(|&i| (self.at)(i as usize))
    }

    /// The same games, sorted by a key; games with the same key keep their order.
    pub(super) fn by_key<K: Ord>(mut self, key: impl Fn(&T) -> K) -> Self {
        self.order.sort_by_key(|&i| key(&(self.at)(i as usize)));
        self
    }
}

/// Calls `visit` for each run of adjacent items that are the same.
pub(super) fn each_run<T>(
    items: impl IntoIterator<Item = T>,
    is_same: impl Fn(&T, &T) -> bool,
    mut visit: impl FnMut(&[T]),
) {
    let mut run: Vec<T> = Vec::new();
    for item in items {
        if run.last().is_some_and(|last| !is_same(last, &item)) {
            visit(&run);
            run.clear();
        }
        run.push(item);
    }
    if !run.is_empty() {
        visit(&run);
    }
}

/// The agent's name; a placeholder number for an index out of range, which a damaged record may
/// contain.
pub fn name_of(names: &[String], agent: usize) -> String {
    names
        .get(agent)
        .cloned()
        .unwrap_or_else(|| format!("agent {agent}"))
}
