//! The komi at which moving first is worth nothing.

use std::collections::BTreeMap;

use super::distribution::student;
use super::estimate::Estimate;
use super::logistic::{SCALE, probability, variance};

/// A game in which the second player had an advantage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KomiGame {
    /// Games with the same number share a ring, at any komi.
    pub cluster: u64,
    /// The second player's advantage, in buttons.
    pub komi: f64,
    /// The rating of the first player less that of the second, in Elo, without the seat.
    pub lead: f64,
    /// Whether the first player won.
    pub first_won: bool,
}

/// The komi at which equal players win as often from either seat, and what a button more for the second player adds to
/// the worth of moving first, in Elo.
///
/// The log odds of the first player are fitted as a line in the komi by maximum likelihood; ratings are treated as known. The
/// errors assume only that clusters are independent (the sandwich estimator, Liang and Zeger, Biometrika 1986), and the interval
/// of the komi is Fieller's (Journal of the Royal Statistical Society B 16, 1954), with Student's t. It has no ends if the
/// games do not show that the komi matters. `None` with games at a single komi, or if no finite line is best.
pub fn fair_komi(games: &[KomiGame]) -> Option<(Estimate, Estimate)> {
    let line = |fit: [f64; 2], game: &KomiGame| fit[0] + fit[1] * game.komi + game.lead / SCALE;
    let (mut fit, mut inverse) = ([0.0; 2], [0.0; 3]);
    let mut step = f64::INFINITY;
    for _ in 0..100 {
        let (mut gradient, mut information) = ([0.0; 2], [0.0; 3]);
        for game in games {
            let (logit, komi) = (line(fit, game), game.komi);
            let residual = f64::from(u8::from(game.first_won)) - probability(logit);
            let weight = variance(logit);
            add(&mut gradient, [residual, residual * komi]);
            add(
                &mut information,
                [weight, weight * komi, weight * komi * komi],
            );
        }
        let [one, both, other] = information;
        let determinant = one * other - both * both;
        if determinant <= 1e-9 * one * other || determinant.is_nan() {
            return None;
        }
        inverse = [other, -both, one].map(|entry| entry / determinant);
        let change = times(inverse, gradient);
        // Longer steps would leave the range in which the probabilities change.
        step = change[0].abs().max(change[1].abs());
        let scale = 1.0 / step.max(1.0);
        add(&mut fit, change.map(|change| change * scale));
        if step < 1e-10 {
            break;
        }
    }
    if step > 1e-6 {
        return None;
    }
    let mut clusters: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for game in games {
        let residual = f64::from(u8::from(game.first_won)) - probability(line(fit, game));
        add(
            clusters.entry(game.cluster).or_default(),
            [residual, residual * game.komi],
        );
    }
    let count = clusters.len() as f64;
    let mut covariance = [0.0; 3];
    for &sum in clusters.values() {
        let [one, other] = times(inverse, sum);
        add(
            &mut covariance,
            [one * one, one * other, other * other].map(|product| product * count / (count - 1.0)),
        );
    }
    let ([a, b], [aa, ab, bb]) = (fit, covariance);
    let quantile = match clusters.len() {
        0..3 => f64::INFINITY,
        clusters => student(clusters - 2),
    };
    // The komis at which the fitted log odds do not differ from 0.
    let square = quantile * quantile;
    let half = a * b - square * ab;
    let (most, least) = (b * b - square * bb, a * a - square * aa);
    let root = (half * half - most * least).max(0.0).sqrt();
    let end = |root: f64| (most > 0.0).then(|| (root - half) / most);
    let komi = Estimate {
        value: Some(-a / b).filter(|komi| komi.is_finite()),
        low: end(-root),
        high: end(root),
        error: None,
    };
    Some((
        komi,
        Estimate::with_error(SCALE * b, SCALE * bb.sqrt(), quantile),
    ))
}

fn add<const N: usize>(sum: &mut [f64; N], values: [f64; N]) {
    sum.iter_mut()
        .zip(values)
        .for_each(|(sum, value)| *sum += value);
}

fn times([one, both, other]: [f64; 3], [x, y]: [f64; 2]) -> [f64; 2] {
    [one * x + both * y, both * x + other * y]
}

#[cfg(test)]
mod tests {
    use patchwork_engine::util::rng::{Rng, below, stream};

    use super::*;

    fn uniform(rng: &mut Rng) -> f64 {
        f64::from(below(1 << 24, rng)) / f64::from(1 << 24)
    }

    /// Pairs of games of agents this far apart, on the same rings at each komi. A ring favours a seat, at all komis alike.
    fn simulated(komis: &[f64], gap: f64, rings: u64, rng: &mut Rng) -> Vec<KomiGame> {
        let mut games = Vec::new();
        for cluster in 0..rings {
            let luck = if uniform(rng) < 0.5 { 90.0 } else { -90.0 };
            for &komi in komis {
                for lead in [gap, -gap] {
                    let elo = TRUTH.0 - TRUTH.1 * komi + lead + luck;
                    let first_won = uniform(rng) < probability(elo / SCALE);
                    games.push(KomiGame {
                        cluster,
                        komi,
                        lead,
                        first_won,
                    });
                }
            }
        }
        games
    }

    /// What moving first is worth without a komi, and what a button takes of it, in Elo. The fair komi is 1.5.
    const TRUTH: (f64, f64) = (60.0, 40.0);

    #[test]
    fn the_interval_holds_the_fair_komi_and_games_at_it_are_even() {
        let (runs, mut covered) = (1000, 0);
        let mut found = 0.0;
        for run in 0..runs {
            let mut rng = stream(&[55, run]);
            let games = simulated(&[0.0, 1.0, 4.0], 120.0, 150, &mut rng);
            let (komi, _) = fair_komi(&games).expect("three komis");
            let (low, high) = komi.interval().expect("the komi matters");
            covered += u32::from(low <= 1.5 && 1.5 <= high);
            found += komi.value.expect("a line") / runs as f64;
        }
        let share = f64::from(covered) / runs as f64;
        assert!((0.935..=0.965).contains(&share), "{share}");
        // At the komi that was found, the first player wins half of the games.
        let games = simulated(&[found], 0.0, 20_000, &mut stream(&[56]));
        let won = games.iter().filter(|game| game.first_won).count() as f64 / games.len() as f64;
        assert!((won - 0.5).abs() < 0.01, "{won} at {found}");
    }

    #[test]
    fn what_the_games_do_not_tell_has_no_komi_or_no_interval() {
        let game = |cluster, komi, first_won| KomiGame {
            cluster,
            komi,
            lead: 0.0,
            first_won,
        };
        assert_eq!(fair_komi(&[]), None);
        assert_eq!(fair_komi(&[game(0, 2.0, true), game(1, 2.0, false)]), None);
        // The first player always wins without a komi, and never with one.
        assert_eq!(fair_komi(&[game(0, 0.0, true), game(1, 3.0, false)]), None);
        let few = [
            (0, true),
            (0, true),
            (0, false),
            (1, true),
            (1, false),
            (1, false),
        ];
        let few: Vec<KomiGame> = (0..)
            .zip(few)
            .map(|(i, (komi, won))| game(i, f64::from(komi), won))
            .collect();
        let (komi, elo) = fair_komi(&few).expect("a line");
        assert!((komi.value.expect("a komi") - 0.5).abs() < 1e-9);
        assert_eq!(komi.interval(), None);
        assert!(elo.value.is_some_and(|elo| elo < 0.0));
    }

    /// The numbers of `scipy.optimize.minimize` for the line and `scipy.optimize.brentq` for the ends, with `scipy.stats.t`.
    #[test]
    fn an_independent_program_finds_the_same() {
        let games = simulated(&[0.0, 1.0, 4.0], 0.0, 150, &mut stream(&[57]));
        let (komi, elo) = fair_komi(&games).expect("three komis");
        for (found, expected) in [
            (komi.value, 2.592_661_5),
            (komi.low, 1.725_215_8),
            (komi.high, 3.830_000_1),
            (elo.value, -32.295_449),
            (elo.error, 6.934_891),
        ] {
            let found = found.expect("a number");
            assert!(
                (found - expected).abs() < 1e-6 * expected.abs(),
                "{found} is not {expected}"
            );
        }
    }
}
