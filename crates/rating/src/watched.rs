//! Intervals of ratings for people who watch a tournament and may stop it.

use std::collections::BTreeMap;

use super::distribution::NORMAL;
use super::estimate::Estimate;
use super::game::RatedGame;
use super::sprt::PairCounts;

/// The ratings of a running tournament, with intervals that hold however often one looks.
///
/// `ratings` are those of all agents, and the `count` games are looked up by their index. Between two agents that meet in pairs, the
/// interval is that of [`PairCounts::anytime`]. For several agents, each interval is widened to the asymptotic
/// confidence sequence by a mixture of normal distributions (Robbins 1970; Waudby-Smith, Arbour, Sinha, Kennedy and
/// Ramdas, Annals of Statistics 2024, theorem 2.2) for the number of pairs of the agent.
///
/// # Panics
/// When a game names an agent that has no rating.
pub fn anytime_ratings(
    ratings: &[Estimate],
    count: usize,
    game: &dyn Fn(usize) -> RatedGame,
) -> Vec<Estimate> {
    if let [_, _] = ratings {
        let counts = pair_counts(count, game);
        if counts.pairs() > 0 {
            let half = counts.anytime().scaled(0.5);
            let both = [half, half.negated()].into_iter().zip(ratings);
            // A score of 0 or 1 has no Elo of its own; that of the ratings has a prior.
            let known = |(watched, rated): (Estimate, &Estimate)| Estimate {
                value: watched.value.or(rated.value),
                ..watched
            };
            return both.map(known).collect();
        }
    }
    let mut games = vec![0_u64; ratings.len()];
    for game in (0..count).map(game) {
        games[game.first] += 1;
        games[game.second] += 1;
    }
    let widened = |(rating, games): (&Estimate, u64)| widened(rating, games.div_ceil(2));
    ratings.iter().zip(games).map(widened).collect()
}

/// The pairs of agent 0 against agent 1.
fn pair_counts(count: usize, game: &dyn Fn(usize) -> RatedGame) -> PairCounts {
    let mut pairs: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    for game in (0..count)
        .map(game)
        .filter(|game| game.first != game.second)
    {
        let score = match game.first {
            0 => game.score,
            _ => game.score.reversed(),
        };
        let [games, halves] = pairs.entry(game.cluster).or_default();
        *games += 1;
        *halves += score.half_points();
    }
    let mut counts = PairCounts::default();
    for [_, halves] in pairs.into_values().filter(|[games, _]| *games == 2) {
        counts.0[halves as usize] += 1;
    }
    counts
}

/// The interval is narrowest, by comparison, after this number of pairs.
const NARROWEST: f64 = 100.0;

fn widened(rating: &Estimate, pairs: u64) -> Estimate {
    let Some(value) = rating.value.filter(|_| pairs > 0) else {
        return *rating;
    };
    // The parameter of the mixture that makes the interval narrow there: with L = -2 ln 0.05, (L + ln L + 1) / pairs.
    let level = -2.0 * libm::log(0.05);
    let scaled = pairs as f64 / NARROWEST * (level + libm::log(level) + 1.0);
    let log = libm::log((scaled + 1.0).sqrt() / 0.05);
    let by = (2.0 * (scaled + 1.0) / scaled * log).sqrt() / NORMAL;
    let end = |end: Option<f64>| end.map(|end| value + by * (end - value));
    Estimate {
        low: end(rating.low),
        high: end(rating.high),
        ..*rating
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::{Errors, rate};
    use patchwork_engine::util::rng::{below, stream};

    /// Equal agents, watched after every pair of each pairing: the share of tournaments in which an interval ever
    /// excludes 0, for all agents together.
    fn fooled(agents: usize, tournaments: u64, pairs: u64) -> f64 {
        let mut fooled = 0;
        for tournament in 0..tournaments {
            let mut rng = stream(&[63, tournament]);
            let mut games: Vec<RatedGame> = Vec::new();
            let mut excluded = vec![false; agents];
            for pair in 0..pairs {
                for a in 0..agents {
                    for b in a + 1..agents {
                        for (first, second) in [(a, b), (b, a)] {
                            games.push(RatedGame {
                                cluster: ((a * agents + b) as u64) << 32 | pair,
                                first,
                                second,
                                score: (below(2, &mut rng) == 0).into(),
                            });
                        }
                    }
                }
                let ratings = rate(&games, agents, Errors::Clustered);
                let elo: Vec<Estimate> = ratings.agents.iter().map(|one| one.elo).collect();
                let watched = anytime_ratings(&elo, games.len(), &|i| games[i]);
                for (excluded, now) in excluded.iter_mut().zip(watched) {
                    *excluded |= now.low > Some(0.0) || now.high.is_some_and(|high| high < 0.0);
                }
            }
            fooled += excluded.iter().filter(|&&one| one).count();
        }
        fooled as f64 / tournaments as f64 / agents as f64
    }

    #[test]
    fn watchers_of_ratings_are_rarely_fooled() {
        for agents in [2, 4] {
            let share = fooled(agents, 40, 15);
            assert!(share <= 0.05, "{agents}: {share}");
        }
    }

    #[test]
    #[ignore = "takes minutes"]
    fn watchers_of_ratings_in_full() {
        let share = fooled(4, 4000, 60);
        println!(
            "{:.2}% of the agents of tables are ever told apart from the mean",
            100.0 * share
        );
        assert!(share <= 0.05, "{share}");
    }
}
