//! The error rates of sequential tests by simulation.

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::sprt::{EloModel, PairCounts, Sprt, Verdict};

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;

/// Probabilities that the agent wins no game of a pair, or one, given its expected score and the correlation
/// of its two results on one setup.
fn chances(score: f64, rho: f64) -> [f64; 2] {
    let related = rho * score * (1.0 - score);
    [
        (1.0 - score).powi(2) + related,
        2.0 * (score * (1.0 - score) - related),
    ]
}

/// The expected score of an agent that is better by `elo` on the model's scale.
fn score(elo: f64, rho: f64, model: EloModel) -> f64 {
    match model {
        EloModel::Logistic => 1.0 / (1.0 + 10f64.powf(-elo / 400.0)),
        EloModel::Normalized => {
            // (score - 1/2) / deviation of a pair, which grows with the score.
            let t = elo * 2f64.sqrt() * 10f64.ln() / 800.0;
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let score = (low + high) / 2.0;
                let deviation = (score * (1.0 - score) * (1.0 + rho) / 2.0).sqrt();
                if score - 0.5 < t * deviation {
                    low = score;
                } else {
                    high = score;
                }
            }
            (low + high) / 2.0
        }
    }
}

/// Plays pairs until the test decides; returns the verdict and the number of pairs.
fn play(sprt: &Sprt, [none, one]: [f64; 2], rng: &mut Rng) -> (Verdict, u64) {
    let mut counts = PairCounts::default();
    loop {
        let draw = f64::from(below(1 << 30, rng)) / f64::from(1 << 30);
        counts.add_wins(usize::from(draw >= none) + usize::from(draw >= none + one));
        let verdict = sprt.verdict(&counts);
        if verdict != Verdict::Continue {
            return (verdict, counts.pairs());
        }
    }
}

/// The shares of tests that end with the wrong verdict under H0 and under H1, and the mean numbers of pairs.
fn error_rates(sprt: &Sprt, rho: f64, runs: u64) -> [(f64, f64); 2] {
    [
        (sprt.elo0(), Verdict::AcceptH1),
        (sprt.elo1(), Verdict::AcceptH0),
    ]
    .map(|(truth, wrong)| {
        let chances = chances(score(truth, rho, sprt.model()), rho);
        let (mut errors, mut pairs) = (0_u64, 0);
        for run in 0..runs {
            let (verdict, taken) = play(sprt, chances, &mut stream(&[53, run]));
            errors += u64::from(verdict == wrong);
            pairs += taken;
        }
        (errors as f64 / runs as f64, pairs as f64 / runs as f64)
    })
}

/// Runs a test many times. If the results of a pair are positively correlated, the error rates stay below the
/// limits. If they are negatively correlated and pairs are few, they stay at least below what Wald's bounds
/// allow: alpha / (1 - beta).
fn check(elo0: f64, elo1: f64, rho: f64, model: EloModel, runs: u64) {
    let sprt = Sprt::new(elo0, elo1, ALPHA, BETA, model).expect("a test");
    let [(false_h1, pairs_0), (false_h0, pairs_1)] = error_rates(&sprt, rho, runs);
    println!(
        "{model} {elo0} {elo1}, rho {rho}: {:.2}% in {pairs_0:.0} pairs, {:.2}% in {pairs_1:.0} pairs",
        100.0 * false_h1,
        100.0 * false_h0
    );
    let (most_h1, most_h0) = if rho < 0.0 {
        (ALPHA / (1.0 - BETA), BETA / (1.0 - ALPHA))
    } else {
        (ALPHA, BETA)
    };
    assert!(
        false_h1 <= most_h1 && false_h0 <= most_h0,
        "{false_h1} {false_h0}"
    );
}

#[test]
#[ignore = "a simulation"]
fn error_rates_stay_below_alpha_and_beta() {
    for rho in [-0.4, 0.0, 0.4] {
        check(0.0, 80.0, rho, EloModel::Logistic, 1000);
    }
    check(-40.0, 40.0, 0.3, EloModel::Normalized, 300);
}

#[test]
#[ignore = "minutes: 20,000 tests of each kind"]
fn error_rates_stay_below_alpha_and_beta_in_many_tests_in_full() {
    for rho in [-0.4, 0.0, 0.4] {
        for (elo0, elo1) in [(0.0, 30.0), (0.0, 80.0), (-40.0, 40.0), (100.0, 140.0)] {
            check(elo0, elo1, rho, EloModel::Logistic, 20_000);
        }
        check(-40.0, 40.0, rho, EloModel::Normalized, 5000);
    }
}
