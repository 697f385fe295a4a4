//! Limits that results do not set: changes of the ratings and the seat that make no result less likely.

use std::collections::VecDeque;

use super::graph::Wins;

/// The directions of recession of the likelihood.
///
/// A direction changes each rating by d and the seat by s. It makes no result less likely if it is no
/// disadvantage to any winner: `d_loser - d_winner <= s` if the winner moved first, `<= -s` otherwise. Any
/// direction is a multiple of one with s = 0, 1 or -1. For given s these are difference constraints, so the
/// largest `d_b - d_a` is the length of the shortest path from a to b along wins, each as long as its bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Recession {
    /// For each change of the terms for moving first: the shortest paths between all players, infinite where there is
    /// none. Those that the results do not allow are left out.
    paths: Vec<(Vec<f64>, Vec<Vec<f64>>)>,
}

impl Recession {
    pub(super) fn new(wins: &Wins) -> Self {
        let changes = wins.directions().into_iter();
        let paths = changes.filter_map(|seats| {
            let paths = shortest_paths(wins, &seats)?;
            Some((seats, paths))
        });
        Self {
            paths: paths.collect(),
        }
    }

    /// Whether the results leave a player's rating, relative to the mean of the `reference` players of its
    /// group, without a lower limit and without an upper limit.
    pub(super) fn of_rating(&self, player: usize, reference: &[usize]) -> [bool; 2] {
        let opens = |length: &dyn Fn(&Vec<Vec<f64>>, usize) -> f64| {
            let sum = |paths| reference.iter().map(|&other| length(paths, other)).sum();
            self.paths.iter().any(|(_, paths)| {
                let sum: f64 = sum(paths);
                sum > 0.0
            })
        };
        [
            opens(&|paths, other| paths[player][other]),
            opens(&|paths, other| paths[other][player]),
        ]
    }

    /// Whether the results leave a term for moving first without a lower limit and without an upper limit.
    pub(super) fn of_seat(&self, term: usize) -> [bool; 2] {
        let changes = |sign: f64| self.paths.iter().any(|(seats, _)| sign * seats[term] > 0.0);
        [changes(-1.0), changes(1.0)]
    }
}

/// The shortest paths, from each player on along wins until none becomes shorter; `None` if a cycle is shorter than 0.
fn shortest_paths(wins: &Wins, seats: &[f64]) -> Option<Vec<Vec<f64>>> {
    if wins.has_negative_cycle(seats) {
        return None;
    }
    let mut losers = vec![Vec::new(); wins.components.len()];
    for (winner, loser, length) in wins.edges(seats) {
        losers[winner].push((loser, length));
    }
    let from = |player: usize| {
        let mut paths = vec![f64::INFINITY; losers.len()];
        paths[player] = 0.0;
        let mut left = VecDeque::from([player]);
        while let Some(over) = left.pop_front() {
            for &(loser, length) in &losers[over] {
                let length = paths[over] + length;
                if length < paths[loser] {
                    paths[loser] = length;
                    left.push_back(loser);
                }
            }
        }
        paths
    };
    Some((0..losers.len()).map(from).collect())
}

#[cfg(test)]
mod tests {
    use patchwork_engine::util::rng::{below, stream};

    use super::*;

    /// Which limits of player 0 relative to player 1, and of the seat, are missing after these wins.
    fn open(wins: &[(usize, usize, bool)], players: usize) -> [[bool; 2]; 2] {
        let wins = wins
            .iter()
            .map(|&(winner, loser, first)| ((winner, loser), first));
        let recession = Recession::new(&Wins::new(wins, players));
        [recession.of_rating(0, &[1]), recession.of_seat(0)]
    }

    #[test]
    fn limits_need_results_that_set_them() {
        let (no, yes) = (false, true);
        // Each player won in each seat.
        let all = [(0, 1, yes), (0, 1, no), (1, 0, yes), (1, 0, no)];
        assert_eq!(open(&all, 2), [[no; 2]; 2]);
        // Player 0 won all games: neither its lead nor the seat has an upper limit.
        assert_eq!(open(&all[..2], 2), [[no, yes], [yes; 2]]);
        // Player 1 won once, as the first player: the seat has no upper limit.
        assert_eq!(open(&all[..3], 2), [[no, yes], [no, yes]]);
        // The first player won all games.
        assert_eq!(open(&[all[0], all[2]], 2), [[yes; 2], [no, yes]]);
        // Both beat a third agent and never met.
        let thirds = [(0, 2, yes), (0, 2, no), (1, 2, yes), (1, 2, no)];
        assert_eq!(open(&thirds, 3)[0], [yes; 2]);
        // A chain of wins leads from 0 to 1.
        let chain = [(0, 2, yes), (0, 2, no), (2, 1, yes), (2, 1, no)];
        assert_eq!(open(&chain, 3)[0], [no, yes]);
    }
    /// The shortest paths by Floyd and Warshall.
    fn by_all_players(wins: &[(usize, usize, f64)], players: usize) -> Option<Vec<Vec<f64>>> {
        let mut paths = vec![vec![f64::INFINITY; players]; players];
        (0..players).for_each(|player| paths[player][player] = 0.0);
        for &(winner, loser, length) in wins {
            paths[winner][loser] = paths[winner][loser].min(length);
        }
        for over in 0..players {
            for from in 0..players {
                for to in 0..players {
                    paths[from][to] = paths[from][to].min(paths[from][over] + paths[over][to]);
                }
            }
        }
        let possible = (0..players).all(|player| paths[player][player] >= 0.0);
        possible.then_some(paths)
    }

    #[test]
    fn paths_are_those_of_floyd_and_warshall() {
        let mut rng = stream(&[55]);
        let (mut with, mut without) = (0, 0);
        for _ in 0..500 {
            let players = 2 + below(7, &mut rng) as usize;
            let mut win = || {
                let [one, other] = [0, 0].map(|_| below(players as u32, &mut rng) as usize);
                ((one, other), below(4, &mut rng) > 0)
            };
            let wins: Vec<((usize, usize), bool)> = (0..2 * players).map(|_| win()).collect();
            for seat in [0.0, 1.0, -1.0] {
                let length = |first| if first { seat } else { -seat };
                let lengths = wins.iter().map(|&((a, b), first)| (a, b, length(first)));
                let slow = by_all_players(&lengths.collect::<Vec<_>>(), players);
                if slow.is_some() {
                    with += 1;
                } else {
                    without += 1;
                }
                assert_eq!(
                    shortest_paths(&Wins::new(wins.clone(), players), &[seat]),
                    slow
                );
            }
        }
        assert!(with > 100 && without > 100, "{with} {without}");
    }
}
