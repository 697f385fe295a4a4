//! How each part of the summary is counted; games come sorted by their ids.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::strength::{by_gap, by_level};
use super::summary::{
    Bonus, Decision, DecisionKind, FirstPlayer, LengthBin, Lengths, Pairing, Plies, Seats, Standing,
};
use super::tally::{Decisions, Effort, Tally};
use crate::game::Player;
use crate::rating::{
    Clusters, Estimate, Game, MarginGame, Rating, Ratings, Share, deviation, mean, name_of,
};

pub(super) fn results(tallies: &[Tally]) -> Vec<Game> {
    tallies
        .iter()
        .map(|tally| Game {
            cluster: u64::from(tally.id.pairing) << 32 | u64::from(tally.id.pair),
            first: usize::from(tally.agents[0]),
            second: usize::from(tally.agents[1]),
            first_won: tally.first_won(),
        })
        .collect()
}

/// The number of each game's setup, where several pairs share one.
pub(super) fn shared_setups(tallies: &[Tally]) -> Option<Vec<u64>> {
    let shared = tallies.iter().map(|tally| tally.shared.map(u64::from));
    shared.collect()
}

pub(super) fn margin_games(tallies: &[Tally]) -> Vec<MarginGame> {
    tallies
        .iter()
        .zip(results(tallies))
        .map(|(tally, game)| MarginGame {
            cluster: game.cluster,
            first: game.first,
            second: game.second,
            margin: tally.margin(0),
        })
        .collect()
}

#[derive(Clone, Default)]
struct Seated {
    games: u64,
    wins: u64,
    margin: f64,
    effort: Effort,
}

pub(super) fn standings(names: &[String], tallies: &[Tally], ratings: &[Rating]) -> Vec<Standing> {
    let mut seated = vec![Seated::default(); ratings.len()];
    for tally in tallies {
        for (seat, &agent) in tally.agents.iter().enumerate() {
            let seated = &mut seated[usize::from(agent)];
            seated.games += 1;
            seated.wins += u64::from(tally.first_won() == (seat == 0));
            seated.margin += tally.margin(seat);
            seated.effort.merge(tally.effort[seat]);
        }
    }
    let known = |agent: usize| agent < names.len() || seated[agent].games > 0;
    let mut standings: Vec<Standing> = (0..ratings.len())
        .filter(|&agent| known(agent))
        .map(|agent| {
            let (rating, seated) = (&ratings[agent], &seated[agent]);
            let per_game = |sum: f64| (seated.games > 0).then(|| sum / seated.games as f64);
            Standing {
                agent: name_of(names, agent),
                // Equal results give equal ratings but for rounding: let points, then names order them.
                elo: Estimate {
                    value: rating.elo.value.map(|elo| (elo * 1e9).round() / 1e9),
                    ..rating.elo
                },
                games: seated.games,
                wins: seated.wins,
                score: per_game(seated.wins as f64),
                mean_margin: per_game(seated.margin),
                iterations_per_s: seated.effort.iterations_per_s(),
                seconds_per_move: seated.effort.seconds_per_move(),
                perfect: rating.perfect,
                separated: rating.separated,
            }
        })
        .collect();
    standings.sort_by(|one, two| {
        let by_elo = (two.elo.value)
            .partial_cmp(&one.elo.value)
            .unwrap_or(Ordering::Equal);
        let points = |row: &Standing| row.mean_margin.unwrap_or(f64::MIN);
        let rated_first = (one.elo.value.is_none()).cmp(&two.elo.value.is_none());
        rated_first
            .then(by_elo)
            .then_with(|| points(two).total_cmp(&points(one)))
            .then_with(|| one.agent.cmp(&two.agent))
    });
    standings
}

pub(super) fn first_player(pairs: &[&[Tally]], ratings: &Ratings) -> FirstPlayer {
    let share = first_share(pairs);
    FirstPlayer {
        games: share.games,
        win_rate: share.rate,
        elo: ratings.first_player,
        margin: mean_of_games(pairs, |tally| tally.margin(0)),
        by_level: by_level(pairs, ratings),
        by_gap: by_gap(pairs, ratings),
    }
}

/// The share of games that the first player won.
pub(super) fn first_share(pairs: &[&[Tally]]) -> Share {
    share(pairs, Tally::first_won)
}

/// The share of games that count.
fn share(pairs: &[&[Tally]], counts: impl Fn(&Tally) -> bool) -> Share {
    let outcomes: Vec<Vec<bool>> = pairs
        .iter()
        .map(|pair| pair.iter().map(&counts).collect())
        .collect();
    let share = Share::of_pairs(&outcomes);
    if pairs.iter().all(|pair| pair[0].shared.is_none()) {
        return share;
    }
    let hit = |tally: &Tally| f64::from(u8::from(counts(tally)));
    let setups = setup_count(pairs);
    if setups < pairs.len() && (share.hits == 0 || share.hits == share.games) {
        return share.of_equal_clusters(setups);
    }
    share.widened(mean_of_games(pairs, hit))
}

/// How many different setups these pairs have.
fn setup_count(pairs: &[&[Tally]]) -> usize {
    by_setup(pairs)
        .chunk_by(|one, other| one[0].shared == other[0].shared)
        .count()
}

/// The mean of one number a game, its interval from pairs.
pub(super) fn mean_of_games(pairs: &[&[Tally]], value: impl Fn(&Tally) -> f64) -> Estimate {
    mean_by_pairing(pairs, |pair| {
        (pair.iter().map(&value).sum(), pair.len() as f64)
    })
}

/// The mean of what pairs add, each given as a sum and a count. Who meets whom is planned, so how
/// pairings differ is no error.
pub(super) fn mean_by_pairing(
    pairs: &[&[Tally]],
    sum_and_count: impl Fn(&[Tally]) -> (f64, f64),
) -> Estimate {
    let clusters = clusters_by_pairing(pairs, 1, |pair, add| {
        let (sum, count) = sum_and_count(pair);
        add(0, sum, count);
    });
    clusters[0].mean()
}

/// The pairs, those on one setup together; in their own order where no two are.
pub(super) fn by_setup<'a>(pairs: &[&'a [Tally]]) -> Vec<&'a [Tally]> {
    let mut sorted = pairs.to_vec();
    // Quick for pairs that are sorted already, as most are.
    sorted.sort_by_key(|pair| pair[0].shared);
    sorted
}

/// What means of several numbers are made of: each pair adds sums and counts to some of them. Pairs
/// on one setup are one cluster. Where no two are, who meets whom is a kind of its own.
pub(super) fn clusters_by_pairing(
    pairs: &[&[Tally]],
    numbers: usize,
    mut each: impl FnMut(&[Tally], &mut dyn FnMut(usize, f64, f64)),
) -> Vec<Clusters> {
    let mut clusters = vec![Clusters::default(); numbers];
    if pairs.iter().any(|pair| pair[0].shared.is_some()) {
        let mut sums = vec![(0.0, 0.0); numbers];
        for setup in by_setup(pairs).chunk_by(|one, other| one[0].shared == other[0].shared) {
            for pair in setup {
                each(pair, &mut |number, sum, count| {
                    sums[number].0 += sum;
                    sums[number].1 += count;
                });
            }
            for (clusters, sum) in clusters.iter_mut().zip(&mut sums) {
                let (sum, count) = std::mem::take(sum);
                clusters.add(sum, count);
            }
        }
        return clusters;
    }
    for pairs in pairs.chunk_by(|one, other| one[0].id.pairing == other[0].id.pairing) {
        for pair in pairs {
            each(pair, &mut |number, sum, count| {
                clusters[number].add(sum, count)
            });
        }
        clusters.iter_mut().for_each(Clusters::close_stratum);
    }
    clusters
}

pub(super) fn values(tallies: &[Tally], value: impl Fn(&Tally) -> f64) -> Vec<f64> {
    tallies.iter().map(value).collect()
}

pub(super) fn plies(tallies: &[Tally], pairs: &[&[Tally]]) -> Plies {
    Plies {
        all: lengths(tallies, pairs, Tally::plies),
        turns: lengths(tallies, pairs, Tally::turns),
        histogram: histogram(tallies),
    }
}

fn histogram(tallies: &[Tally]) -> Vec<LengthBin> {
    let mut counts: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    for tally in tallies {
        for (kind, count) in [tally.plies(), tally.turns()].into_iter().enumerate() {
            counts.entry(count.iter().sum()).or_default()[kind] += 1;
        }
    }
    let bin = |(length, [plies, turns]): (u64, [u64; 2])| LengthBin {
        length,
        plies,
        turns,
    };
    counts.into_iter().map(bin).collect()
}

pub(super) fn decisions(tallies: &[Tally], pairs: &[&[Tally]]) -> Vec<Decision> {
    let plies: u64 = tallies.iter().flat_map(Tally::plies).sum();
    DecisionKind::ALL
        .into_iter()
        .map(|kind| {
            let of = |decisions: Decisions| match kind {
                DecisionKind::Advance => f64::from(decisions.advances),
                DecisionKind::Patch => f64::from(decisions.buys),
                DecisionKind::Special => f64::from(decisions.specials),
            };
            let game = mean_of_games(pairs, |tally| tally.decisions.map(of).iter().sum());
            let by_seat = seats(tallies, |tally, seat| of(tally.decisions[seat]));
            Decision {
                kind,
                game,
                share: game
                    .value
                    .map(|mean| mean * tallies.len() as f64 / plies as f64),
                first: by_seat.first,
                second: by_seat.second,
            }
        })
        .collect()
}

/// Statistics of numbers that each player has in a game.
fn lengths(
    tallies: &[Tally],
    pairs: &[&[Tally]],
    of_players: impl Fn(&Tally) -> [u64; 2],
) -> Lengths {
    let both = |tally: &Tally| of_players(tally).iter().sum::<u64>();
    let first = |tally: &Tally| of_players(tally)[0] as f64;
    let second = |tally: &Tally| of_players(tally)[1] as f64;
    Lengths {
        both: mean_of_games(pairs, |tally| both(tally) as f64),
        sd: deviation(&values(tallies, |tally| both(tally) as f64)),
        min: tallies.iter().map(both).min(),
        max: tallies.iter().map(both).max(),
        first: mean_of_games(pairs, first),
        first_sd: deviation(&values(tallies, first)),
        second: mean_of_games(pairs, second),
        second_sd: deviation(&values(tallies, second)),
    }
}

pub(super) fn seats(tallies: &[Tally], value: impl Fn(&Tally, usize) -> f64) -> Seats {
    Seats {
        first: mean(&values(tallies, |tally| value(tally, 0))),
        second: mean(&values(tallies, |tally| value(tally, 1))),
        mean: mean(&values(tallies, |tally| {
            (value(tally, 0) + value(tally, 1)) / 2.0
        })),
    }
}

pub(super) fn bonus(tallies: &[Tally]) -> Bonus {
    let owners: Vec<(Player, Player)> = tallies
        .iter()
        .filter_map(|tally| tally.bonus.map(|owner| (owner, tally.winner)))
        .collect();
    let won = owners
        .iter()
        .filter(|(owner, winner)| owner == winner)
        .count();
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    Bonus {
        games: owners.len() as u64,
        rate: share(owners.len(), tallies.len()),
        winner_rate: share(won, owners.len()),
    }
}

pub(super) fn pairing(
    names: &[String],
    pairs: &[&[Tally]],
    index: usize,
    a: u16,
    b: u16,
) -> Pairing {
    let seat = |tally: &Tally| tally.seat_of(a, b);
    let before = |index: usize| pairs.partition_point(|pair| (pair[0].id.pairing as usize) < index);
    let pairs: Vec<&[Tally]> = pairs[before(index)..before(index + 1)]
        .iter()
        .copied()
        .filter(|pair| pair.iter().all(|tally| seat(tally).is_some()))
        .collect();
    let score = share(&pairs, |tally| seat(tally) == Some(tally.winner.index()));
    let first = first_share(&pairs);
    let margins: Vec<f64> = pairs
        .iter()
        .flat_map(|pair| pair.iter())
        .filter_map(|tally| Some(tally.margin(seat(tally)?)))
        .collect();
    Pairing {
        a: name_of(names, usize::from(a)),
        b: name_of(names, usize::from(b)),
        games: score.games,
        a_wins: score.hits,
        b_wins: score.games - score.hits,
        a_score: score.rate,
        mean_margin: mean(&margins),
        first_wins: first.hits,
        first_win_rate: first.rate,
    }
}
