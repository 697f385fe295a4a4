//! Simulated tournaments: how often intervals cover the truth when their assumptions are strained.
//!
//! The default runs are short. `cargo test --release --test all -- --ignored coverage` runs the long ones.

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::{Errors, Estimate, RatedGame, Ratings, rate};

fn uniform(rng: &mut Rng) -> f64 {
    f64::from(below(1 << 30, rng)) / f64::from(1 << 30)
}

/// The probability that an agent this many Elo ahead wins.
fn chance(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Whether an estimate's interval contains the truth. An unknown end excludes nothing.
fn covers(estimate: Estimate, truth: f64) -> bool {
    estimate.low.is_none_or(|low| low <= truth) && estimate.high.is_none_or(|high| truth <= high)
}

/// A pair of games between `a` and `b`. The results of `a` in the two legs have this correlation, or the
/// nearest one that the win probabilities allow.
fn add_pair(
    games: &mut Vec<RatedGame>,
    [a, b]: [usize; 2],
    strengths: &[f64],
    seat: f64,
    correlation: f64,
    rng: &mut Rng,
) {
    let gap = strengths[a] - strengths[b];
    let [first, second] = [chance(gap + seat), chance(gap - seat)];
    let spread = (first * (1.0 - first) * second * (1.0 - second)).sqrt();
    let both = (first * second + correlation * spread)
        .clamp((first + second - 1.0).max(0.0), first.min(second));
    let draw = uniform(rng);
    // Regions of the draw: both won, the first leg only, the second leg only, none.
    let won = [
        draw < first,
        draw < both || (first..first + second - both).contains(&draw),
    ];
    let cluster = games.len() as u64;
    for (leg, won) in won.into_iter().enumerate() {
        games.push(RatedGame {
            cluster,
            first: [a, b][leg],
            second: [b, a][leg],
            score: (won == (leg == 0)).into(),
        });
    }
}

fn round_robin(
    strengths: &[f64],
    pairs: u32,
    seat: f64,
    correlation: impl Fn(usize, usize) -> f64,
    rng: &mut Rng,
) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for a in 0..strengths.len() {
        for b in a + 1..strengths.len() {
            for _ in 0..pairs {
                add_pair(&mut games, [a, b], strengths, seat, correlation(a, b), rng);
            }
        }
    }
    games
}

/// The true ratings on the scale of the reported ones: relative to the agents that are not separated, or to
/// all agents if all are.
fn on_scale_of(ratings: &Ratings, strengths: &[f64]) -> Vec<f64> {
    let unmarked = ratings.agents.iter().any(|rating| !rating.separated);
    let reference: Vec<f64> = strengths
        .iter()
        .zip(&ratings.agents)
        .filter(|(_, rating)| !unmarked || !rating.separated)
        .map(|(&strength, _)| strength)
        .collect();
    let mean = reference.iter().sum::<f64>() / reference.len() as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

/// Counts of hits.
#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    hits: u32,
    of: u32,
}

impl Hits {
    fn add(&mut self, hit: bool) {
        self.hits += u32::from(hit);
        self.of += 1;
    }

    fn share(self) -> f64 {
        f64::from(self.hits) / f64::from(self.of)
    }
}

/// The shares of tournaments in which the intervals of each rating and of each difference contain the truth.
fn coverage(
    strengths: &[f64],
    tournaments: u64,
    games: impl Fn(&mut Rng) -> Vec<RatedGame>,
) -> (Vec<f64>, Vec<f64>) {
    let count = strengths.len();
    let mut ratings = vec![Hits::default(); count];
    let mut differences = vec![Hits::default(); count * (count - 1) / 2];
    for tournament in 0..tournaments {
        let games = games(&mut stream(&[43, tournament]));
        let rated = rate(&games, count, Errors::Clustered);
        let truth = on_scale_of(&rated, strengths);
        let mut next = differences.iter_mut();
        for a in 0..count {
            ratings[a].add(covers(rated.agents[a].elo, truth[a]));
            for b in a + 1..count {
                let difference = rated.difference(a, b).expect("they met");
                let covered = covers(difference, strengths[a] - strengths[b]);
                next.next().expect("one for each two").add(covered);
            }
        }
    }
    let shares = |hits: Vec<Hits>| hits.into_iter().map(Hits::share).collect();
    (shares(ratings), shares(differences))
}

/// The standard error of a coverage near 95% in this many tournaments.
fn noise(tournaments: u64) -> f64 {
    (0.95 * 0.05 / tournaments as f64).sqrt()
}

/// One group of agents wins nearly all games against another. Where no game shows how large the gap is, the
/// intervals must be open. Returns the lowest coverage of any rating and any difference.
fn least_coverage_of_groups(tournaments: u64, gap: f64, pairs: u32, above: usize) -> f64 {
    let mut strengths = vec![0.0, 30.0, 60.0];
    strengths.extend([gap, gap + 30.0, gap + 60.0].iter().take(above));
    let (ratings, differences) = coverage(&strengths, tournaments, |rng| {
        round_robin(&strengths, pairs, 20.0, |_, _| 0.0, rng)
    });
    println!("gap {gap}, {pairs} pairs, {above} above: {ratings:.3?} {differences:.3?}");
    let all = ratings.iter().chain(&differences);
    all.copied().fold(1.0, f64::min)
}

#[test]
fn groups_that_never_lost_to_others_are_covered() {
    let tournaments = 400;
    for (gap, pairs) in [(1250.0, 20), (1500.0, 4), (2500.0, 4)] {
        let least = least_coverage_of_groups(tournaments, gap, pairs, 2);
        assert!(
            least >= 0.93 - 2.0 * noise(tournaments),
            "{gap}, {pairs} pairs: {least}"
        );
    }
}

#[test]
#[ignore = "takes a minute"]
fn groups_that_never_lost_to_others_are_covered_in_all_designs_in_full() {
    for gap in [
        1000.0, 1250.0, 1400.0, 1500.0, 1600.0, 1750.0, 2000.0, 2500.0,
    ] {
        for pairs in [4, 8, 20] {
            for above in [1, 2, 3] {
                let least = least_coverage_of_groups(2000, gap, pairs, above);
                assert!(
                    least >= 0.93,
                    "gap {gap}, {pairs} pairs, {above} above: {least}"
                );
            }
        }
    }
}

#[test]
fn a_gap_that_is_not_known_leaves_the_other_ratings_known() {
    let strengths = [0.0, 30.0, 60.0, 2500.0, 2530.0];
    let games = round_robin(&strengths, 4, 20.0, |_, _| 0.0, &mut stream(&[44]));
    let rated = rate(&games, 5, Errors::Clustered);
    assert!(rated.prior_used);
    for agent in &rated.agents[..3] {
        let (low, high) = agent.elo.interval().expect("both ends");
        assert!(!agent.separated && high - low < 400.0, "{agent:?}");
    }
    for agent in &rated.agents[3..] {
        assert!(agent.separated && agent.elo.low > Some(200.0) && agent.elo.high.is_none());
    }
    let sum: f64 = rated.agents[..3]
        .iter()
        .filter_map(|agent| agent.elo.value)
        .sum();
    assert!(sum.abs() < 1e-6, "{sum}");
}

/// Correlations of the legs that differ between the pairings of four agents, as measured or worse.
const MIXED: [[f64; 6]; 3] = [
    [-0.86, 0.0, 0.3, 0.0, -0.3, 0.8],
    [0.8, -0.86, -0.86, 0.8, 0.5, 0.0],
    [-0.86, 0.2, 0.2, 0.2, 0.2, 0.2],
];

/// The lowest and the highest coverage of any rating and any difference.
fn coverage_of_mixed(tournaments: u64, correlations: [f64; 6], pairs: u32) -> (f64, f64) {
    let strengths = [0.0, 30.0, -60.0, 90.0];
    let (ratings, differences) = coverage(&strengths, tournaments, |rng| {
        let of = |a: usize, b: usize| correlations[[0, 2, 3][a] + b - 1];
        round_robin(&strengths, pairs, 20.0, of, rng)
    });
    println!("{correlations:?}, {pairs} pairs: {ratings:.3?} {differences:.3?}");
    let all = || ratings.iter().chain(&differences).copied();
    (all().fold(1.0, f64::min), all().fold(0.0, f64::max))
}

#[test]
fn correlations_that_differ_between_pairings_are_covered() {
    let tournaments = 1000;
    let slack = 2.0 * noise(tournaments);
    for pairs in [5, 40] {
        let (least, most) = coverage_of_mixed(tournaments, MIXED[0], pairs);
        assert!(
            least >= 0.935 - slack && most <= 0.965 + slack,
            "{least} to {most}"
        );
    }
}

#[test]
#[ignore = "takes a minute"]
fn correlations_that_differ_between_pairings_are_covered_in_all_designs_in_full() {
    for correlations in MIXED {
        for pairs in [5, 10, 20, 40] {
            let (least, most) = coverage_of_mixed(10_000, correlations, pairs);
            assert!(
                least >= 0.935 && most <= 0.965,
                "{correlations:?}: {least} to {most}"
            );
        }
    }
}
