use patchwork_engine::util::rng::{Rng, below, stream};

use super::*;

/// A random number from a nearly normal distribution with mean 0 and this standard deviation.
fn normal(sd: f64, rng: &mut Rng) -> f64 {
    let uniform = |rng: &mut Rng| f64::from(below(1 << 24, rng)) / f64::from(1 << 24);
    let sum: f64 = (0..12).map(|_| uniform(rng)).sum();
    sd * (sum - 6.0)
}

const BETWEEN: f64 = 4.0;
const CHANCE: f64 = 12.0;

/// Pairs of games of four pairings with different strengths and seat advantages. Either all pairings play the
/// same rings, or each has its own.
fn simulated(rings: usize, shared: bool, rng: &mut Rng) -> (Vec<Observation>, Vec<f64>) {
    let effects: Vec<f64> = (0..rings).map(|_| normal(BETWEEN, rng)).collect();
    let mut pairs = Vec::new();
    for (ring, effect) in effects.iter().enumerate() {
        for pairing in 0..4 {
            if !shared && ring as u32 % 4 != pairing {
                continue;
            }
            let strength = 10.0 * f64::from(pairing);
            let [one, other] =
                [strength, -strength].map(|strength| 2.0 + effect + strength + normal(CHANCE, rng));
            pairs.push(Observation {
                pairing,
                ring,
                mean: (one + other) / 2.0,
                half: (one - other) / 2.0,
            });
        }
    }
    (pairs, effects)
}

/// The effect of rings, and the estimate for each ring, if there are any.
fn estimated(pairs: &[Observation]) -> (RingEffect, Vec<Estimate>) {
    let (effect, rings, prior) = effect(pairs.iter().copied());
    let estimates = prior
        .iter()
        .flat_map(|prior| rings.iter().filter_map(|ring| prior.posterior(ring)));
    (effect, estimates.collect())
}

#[test]
fn variance_is_told_apart_and_intervals_cover_the_truth() {
    for shared in [false, true] {
        let mut rng = stream(&[11]);
        let (runs, rings) = (100, 400);
        let (mut covered, mut share_covered, mut variance) = (0, 0, 0.0);
        for _ in 0..runs {
            let (pairs, effects) = simulated(rings, shared, &mut rng);
            let (effect, posteriors) = estimated(&pairs);
            let from = if shared {
                ChanceFrom::Repeats
            } else {
                ChanceFrom::Legs
            };
            assert_eq!(effect.from, Some(from));
            let share = BETWEEN.powi(2) / (BETWEEN.powi(2) + CHANCE.powi(2));
            let (low, high) = effect.share.interval().expect("an interval");
            share_covered += u32::from(low <= share && share <= high);
            variance += effect.between_sd.expect("a number").powi(2) / f64::from(runs);
            for (ring, truth) in posteriors.iter().zip(effects) {
                let (mean, error) = ring.value.zip(ring.error).expect("a ring with pairs");
                let off = mean - (2.0 + truth);
                covered += u32::from(off.abs() <= NORMAL * error);
            }
        }
        let rate = |count: u32, of: usize| f64::from(count) / of as f64;
        let covered = rate(covered, runs as usize * rings);
        assert!((0.93..0.97).contains(&covered), "{shared}: {covered}");
        let share_covered = rate(share_covered, runs as usize);
        assert!(
            (0.9..=0.99).contains(&share_covered),
            "{shared}: {share_covered}"
        );
        assert!(
            (variance - BETWEEN.powi(2)).abs() < 2.0,
            "{shared}: {variance}"
        );
    }
}

#[test]
fn rings_that_matter_nothing_are_all_drawn_to_the_mean() {
    let mut rng = stream(&[12]);
    let (mut pairs, _) = simulated(400, true, &mut rng);
    for pair in &mut pairs {
        pair.mean = normal(CHANCE, &mut rng);
    }
    let (effect, posteriors) = estimated(&pairs);
    assert!(effect.share.low.expect("an interval") < 0.01);
    let widest = posteriors
        .iter()
        .map(|ring| (ring.value.expect("pairs") - effect.mean.unwrap_or(0.0)).abs());
    assert!(widest.fold(0.0, f64::max) < 3.0);
}

#[test]
fn few_rings_and_games_without_chance_give_no_odd_numbers() {
    assert_eq!(estimated(&[]), (RingEffect::default(), Vec::new()));
    let pair = |pairing, ring, mean| Observation {
        pairing,
        ring,
        mean,
        half: 0.0,
    };
    for rings in 1..8 {
        let alike: Vec<_> = (0..rings).map(|ring| pair(0, ring, 3.0)).collect();
        let apart: Vec<_> = (0..rings)
            .map(|ring| pair(ring as u32, ring, 3.0))
            .collect();
        for pairs in [alike, apart] {
            let (effect, posteriors) = estimated(&pairs);
            assert_eq!(effect.mean, Some(3.0));
            let text = format!("{effect:?}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            assert_eq!(posteriors, []);
        }
    }
}
