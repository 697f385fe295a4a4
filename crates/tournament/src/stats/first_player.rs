//! The first player's advantage: overall, and by the strength of the agents.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_rating::statistic::{EQUAL_WINS, MOVING_FIRST};
use patchwork_rating::{Estimate, Options, Ratings, SCALE, rate_by};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{first_share, mean_of_games};
use super::pairs::Pairs;
use super::statistics::{FIRST_MARGIN, FIRST_WINS};
use crate::ledger::rated;

/// The first player's advantage.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FirstPlayer {
    /// Number of games.
    pub games: u64,
    /// [`EQUAL_WINS`].
    #[schemars(description = EQUAL_WINS.about)]
    pub equal_win_rate: Estimate,
    /// [`MOVING_FIRST`].
    #[schemars(description = MOVING_FIRST.about)]
    pub elo: Estimate,
    /// [`FIRST_WINS`].
    #[schemars(description = FIRST_WINS.about)]
    pub win_rate: Estimate,
    /// [`FIRST_MARGIN`].
    #[schemars(description = FIRST_MARGIN.about)]
    pub margin: Estimate,
    /// By the mean rating of the two agents, in classes of 200 Elo. Empty if the ratings belong to groups
    /// that have not met.
    pub by_level: Vec<SeatAdvantage>,
    /// By the difference of their ratings, in classes starting at 0, 100, 200 and 400 Elo.
    pub by_gap: Vec<SeatAdvantage>,
}

pub(super) fn first_player(pairs: &Pairs<'_>, ratings: &Ratings) -> FirstPlayer {
    let share = first_share(pairs);
    let elo = ratings.first_player.if_limited();
    let between_equals = |elo: Option<f64>| elo.map(|elo| chance(elo / SCALE));
    FirstPlayer {
        games: share.games,
        equal_win_rate: Estimate {
            value: between_equals(elo.value),
            low: between_equals(elo.low),
            high: between_equals(elo.high),
            error: None,
        },
        elo,
        win_rate: share.rate,
        margin: mean_of_games(pairs, |game| game.margin(0)),
        by_level: by_level(pairs, ratings),
        by_gap: by_gap(pairs, ratings),
    }
}

/// Width of a class of mean ratings, in Elo points.
const LEVEL_WIDTH: f64 = 200.0;

/// Lower bounds of the classes of rating differences, in Elo points.
const GAPS: [f64; 4] = [0.0, 100.0, 200.0, 400.0];

/// The first player's advantage in some of the pairings.
///
/// If two agents are very unequal, the share of games won by the first player is close to one half,
/// because the better agent wins from either seat. Elo points and the margin still measure the
/// value of the seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatAdvantage {
    /// Lower bound of the class, in Elo points.
    pub from: f64,
    /// Upper bound of the class, in Elo points; none for the last class of differences.
    pub to: Option<f64>,
    /// Number of pairings with games in this class.
    pub pairings: u64,
    /// Number of games.
    pub games: u64,
    /// [`FIRST_WINS`].
    #[schemars(description = FIRST_WINS.about)]
    pub win_rate: Estimate,
    /// [`MOVING_FIRST`].
    #[schemars(description = MOVING_FIRST.about)]
    pub elo: Estimate,
    /// [`FIRST_MARGIN`].
    #[schemars(description = FIRST_MARGIN.about)]
    pub margin: Estimate,
}

/// By the mean rating of the two agents. Empty if the ratings belong to groups that have not met.
fn by_level(pairs: &Pairs<'_>, ratings: &Ratings) -> Vec<SeatAdvantage> {
    let class = |one: f64, other: f64| ((one + other) / 2.0 / LEVEL_WIDTH).floor();
    classes(pairs, ratings, class)
        .into_iter()
        .map(|(class, pairs)| {
            let from = class as f64 * LEVEL_WIDTH;
            advantage(from, Some(from + LEVEL_WIDTH), &pairs, ratings)
        })
        .collect()
}

/// By the difference of the two agents' ratings.
fn by_gap(pairs: &Pairs<'_>, ratings: &Ratings) -> Vec<SeatAdvantage> {
    let class = |one: f64, other: f64| {
        let gap = (one - other).abs();
        GAPS.iter().rposition(|&from| from <= gap).unwrap_or(0) as f64
    };
    classes(pairs, ratings, class)
        .into_iter()
        .map(|(class, pairs)| {
            let class = class as usize;
            advantage(GAPS[class], GAPS.get(class + 1).copied(), &pairs, ratings)
        })
        .collect()
}

fn classes<'a>(
    pairs: &Pairs<'a>,
    ratings: &Ratings,
    class: impl Fn(f64, f64) -> f64,
) -> BTreeMap<i64, Pairs<'a>> {
    if !ratings.connected {
        return BTreeMap::new();
    }
    pairs.classes(|pair| {
        let rated = pair[0].agents.map(|agent| {
            let elo = ratings.agents[usize::from(agent)].elo.value?;
            // Equal results give ratings that are equal up to rounding, which must not affect the
            // class.
            Some((elo * 1e6).round() / 1e6)
        });
        Some(class(rated[0]?, rated[1]?) as i64)
    })
}

fn advantage(from: f64, to: Option<f64>, pairs: &Pairs<'_>, ratings: &Ratings) -> SeatAdvantage {
    let share = first_share(pairs);
    let pairings: BTreeSet<u32> = pairs.iter().map(|pair| pair[0].pairing).collect();
    SeatAdvantage {
        from,
        to,
        pairings: pairings.len() as u64,
        games: share.games,
        win_rate: share.rate,
        elo: seat(pairs, ratings.agents.len()),
        margin: mean_of_games(pairs, |game| game.margin(0)),
    }
}

/// The advantage in Elo points in these games, from which it is estimated with the ratings of their agents. Results that the
/// ratings explain alone do not limit it.
fn seat(pairs: &Pairs<'_>, agents: usize) -> Estimate {
    let (indices, setups) = (pairs.indices(), pairs.setups_of_games());
    let result = |i: usize| rated(&pairs.games()[indices[i] as usize]);
    let options = Options {
        setups: setups.as_deref(),
        ..Options::default()
    };
    let ratings = rate_by(indices.len(), &result, agents, options);
    ratings.first_player.if_limited()
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::record::{Entry, GameFacts};
    use patchwork_engine::util::rng::{below, stream};
    use patchwork_rating::{Errors, RatedGame, rate};
    use patchwork_test_support::tournaments::tournament;

    fn facts(entries: &[Entry]) -> Vec<GameFacts> {
        let records = entries.iter().map(|entry| &entry.record);
        records.map(GameFacts::from).collect()
    }

    fn results(games: &[GameFacts]) -> Vec<RatedGame> {
        games.iter().map(rated).collect()
    }

    /// The random tournament with new random winners: agents of these strengths, with an advantage of `seat`
    /// for the first player, in Elo.
    fn drawn(strengths: [f64; 3], seat: f64, pairs: u32) -> Vec<GameFacts> {
        let mut rng = stream(&[21]);
        let mut tallies: Vec<GameFacts> = facts(&tournament(pairs));
        for tally in &mut tallies {
            let [first, second] = tally.agents.map(|agent| strengths[usize::from(agent)]);
            let chance = chance((first - second + seat) / SCALE);
            let won = f64::from(below(1 << 20, &mut rng)) < chance * f64::from(1 << 20);
            tally.winner = patchwork_engine::game::Player::BOTH[usize::from(!won)];
        }
        tallies
    }

    #[test]
    fn a_seat_is_worth_the_same_to_all_when_it_is() {
        let tallies = drawn([0.0, 60.0, 700.0], 80.0, 400);
        let pairs = Pairs::new(&tallies);
        let ratings = rate(&results(&tallies), 3, Errors::Clustered);
        let gaps = by_gap(&pairs, &ratings);
        assert_eq!(gaps.len(), 2);
        assert_eq!((gaps[0].from, gaps[0].to), (0.0, Some(100.0)));
        assert_eq!((gaps[1].from, gaps[1].to), (400.0, None));
        assert_eq!([gaps[0].games, gaps[1].games], [800, 1600]);
        let levels = by_level(&pairs, &ratings);
        assert_eq!(levels.iter().map(|class| class.games).sum::<u64>(), 2400);
        assert_eq!(levels.iter().map(|class| class.pairings).sum::<u64>(), 3);
        for class in gaps.iter().chain(&levels) {
            let (low, high) = class.elo.interval().expect("an interval");
            assert!(low < 80.0 && 80.0 < high, "{class:?}");
            assert!(class.elo.value.is_some_and(|elo| low < elo && elo < high));
        }
        // The better agent wins from either seat, so the share alone suggests no advantage.
        assert!(gaps[1].win_rate.value < gaps[0].win_rate.value);
    }

    #[test]
    fn a_class_of_all_games_says_what_all_games_say() {
        let tallies = drawn([0.0; 3], 80.0, 100);
        for rings in [4, 300] {
            let setups = (0..300).map(|pair| pair % rings).collect();
            let pairs = Pairs::new(&tallies).with_setups(Some(setups));
            let setups = pairs.setups_of_games();
            let options = Options {
                setups: setups.as_deref(),
                ..Options::default()
            };
            let found = first_player(&pairs, &rate(&results(&tallies), 3, options));
            assert_eq!(found.by_gap.len(), 1);
            assert_eq!(found.by_gap[0].elo, found.elo);
        }
    }

    #[test]
    fn classes_that_one_agent_dominates_tell_nothing_of_the_seat() {
        let mut tallies = drawn([0.0, 60.0, 700.0], 80.0, 20);
        // Agent 2 wins all of its games.
        for tally in &mut tallies {
            if let Some(seat) = tally.agents.iter().position(|&agent| agent == 2) {
                tally.winner = patchwork_engine::game::Player::BOTH[seat];
            }
        }
        let gap = |tallies: &[GameFacts]| {
            let pairs = Pairs::new(tallies);
            let ratings = rate(&results(tallies), 3, Errors::Clustered);
            by_gap(&pairs, &ratings).pop().expect("classes")
        };
        let certain = gap(&tallies);
        assert!(certain.from >= 200.0 && certain.games == 80, "{certain:?}");
        assert_eq!(certain.win_rate.value, Some(0.5));
        assert_eq!(certain.elo, Estimate::default());
        // One loss as the second player: otherwise there is no upper limit.
        let lost = tallies.iter_mut().find(|tally| tally.agents[1] == 2);
        lost.expect("it played").winner = patchwork_engine::game::Player::First;
        let one = gap(&tallies).elo;
        assert!(one.low.is_some() && one.high.is_none(), "{one:?}");
    }

    #[test]
    fn the_share_between_equals_does_not_depend_on_the_mix_of_agents() {
        let found = |strengths| {
            let tallies = drawn(strengths, 80.0, 400);
            let pairs = Pairs::new(&tallies);
            first_player(&pairs, &rate(&results(&tallies), 3, Errors::Clustered))
        };
        let truth = chance(80.0 / SCALE);
        for strengths in [[0.0, 0.0, 0.0], [0.0, 60.0, 700.0], [0.0, 500.0, 1000.0]] {
            let found = found(strengths);
            let (low, high) = found.equal_win_rate.interval().expect("an interval");
            assert!(
                low < truth && truth < high,
                "{strengths:?}: {low} to {high}"
            );
            let raw = found.win_rate.interval().expect("an interval");
            assert_eq!(
                raw.1 > truth,
                strengths[2] < 100.0,
                "{strengths:?}: {raw:?}"
            );
        }
    }

    #[test]
    fn a_ring_that_comes_again_makes_agreement_no_surer() {
        let mut tallies: Vec<GameFacts> = facts(&tournament(50));
        for tally in &mut tallies {
            tally.winner = patchwork_engine::game::Player::First;
        }
        let pairs = Pairs::new(&tallies).with_setups(Some((0..150).map(|pair| pair % 2).collect()));
        let share = first_share(&pairs);
        assert_eq!(
            (share.games, share.rate.value, share.rate.high),
            (300, Some(1.0), Some(1.0))
        );
        // Wilson's interval of 2 in 2, since each ring counts as one observation.
        let low = share.rate.low.expect("an interval");
        assert!((low - 0.3424).abs() < 1e-4, "{low}");
    }

    #[test]
    fn a_class_with_one_game_has_no_elo_and_groups_apart_have_no_classes() {
        let tallies = drawn([0.0, 0.0, 0.0], 0.0, 1);
        let pairs = Pairs::new(&tallies[..1]);
        let mut ratings = rate(&results(&tallies), 3, Errors::Clustered);
        let gaps = by_gap(&pairs, &ratings);
        assert_eq!((gaps.len(), gaps[0].games, gaps[0].elo.value), (1, 1, None));
        ratings.connected = false;
        assert!(by_gap(&pairs, &ratings).is_empty() && by_level(&pairs, &ratings).is_empty());
    }
}
