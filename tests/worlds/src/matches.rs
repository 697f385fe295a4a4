//! Matches of two agents: a fixed number of pairs, and sequential tests that stop, also repeated at a larger budget; and
//! searches whose candidates have known results.

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::Estimate;
use patchwork_rating::sprt::{EloModel, PairCounts, Sprt, Verdict};
use patchwork_tune::{Point, Space, Trial, Tuner, TunerSettings};
use serde_json::Value;

use crate::coverage::{Coverage, Covered};
use crate::games::{chance, uniform};

/// Two agents.
pub(crate) struct Match {
    pub(crate) name: &'static str,
    /// By how many Elo the first one is ahead.
    pub(crate) elo: f64,
    /// How many after a stopped test at the larger budget; without one, the number of pairs is fixed.
    pub(crate) slow: Option<f64>,
    /// The share of pairs whose setup decides both games for the same agent.
    pub(crate) related: f64,
}

pub(crate) const MATCHES: &[Match] = &[
    Match {
        name: "match of 60 pairs",
        elo: 40.0,
        slow: None,
        related: 0.0,
    },
    Match {
        name: "match of 60 pairs that favour an agent",
        elo: -25.0,
        slow: None,
        related: 0.3,
    },
    Match {
        name: "stopped proof of 30 Elo, repeated",
        elo: 30.0,
        slow: Some(10.0),
        related: 0.0,
    },
    Match {
        name: "stopped proof of equals, repeated",
        elo: 0.0,
        slow: Some(0.0),
        related: 0.2,
    },
    Match {
        name: "stopped proof of 80 Elo, repeated",
        elo: 80.0,
        slow: Some(120.0),
        related: 0.0,
    },
];

/// The pairs of a match, and of a repeated one.
const PAIRS: u64 = 60;
const SLOW_PAIRS: u64 = 100;

/// A pair of games of agents of which the first is ahead by so much, whoever moves first.
fn pair(elo: f64, related: f64, rng: &mut Rng) -> usize {
    let score = chance(elo);
    let [one, other] = [uniform(rng), uniform(rng)];
    let other = if uniform(rng) < related { one } else { other };
    usize::from(one < score) + usize::from(other < score)
}

fn played(pairs: u64, elo: f64, related: f64, rng: &mut Rng) -> PairCounts {
    let mut counts = PairCounts::default();
    (0..pairs).for_each(|_| counts.add_wins(pair(elo, related, rng)));
    counts
}

/// What the normalized Elo is: the mean score of a pair beyond 1/2 by its standard deviation, in the unit of a game.
fn normalized(elo: f64, related: f64) -> f64 {
    let score = chance(elo);
    let deviation = (score * (1.0 - score) * (1.0 + related) / 2.0).sqrt();
    (score - 0.5) / deviation * 800.0 / std::f64::consts::LN_10 / std::f64::consts::SQRT_2
}

fn add(coverage: &mut Coverage, path: &str, found: &Value, truth: f64) {
    let ends = ["value", "low", "high"].map(|key| found[key].as_f64());
    let covered: &mut Covered = coverage.entry(path.to_owned()).or_default();
    covered.add(ends, truth);
}

fn json_of(estimate: Estimate) -> Value {
    serde_json::to_value(estimate).expect("plain data")
}

impl Match {
    pub(crate) fn play(&self, seed: [u64; 2]) -> Coverage {
        let name = self.name.bytes().map(u64::from);
        let rng = &mut stream(&seed.into_iter().chain(name).collect::<Vec<_>>());
        let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
        let mut coverage = Coverage::default();
        let Some(slow) = self.slow else {
            let counts = played(PAIRS, self.elo, self.related, rng);
            let report = serde_json::to_value(sprt.report(&counts)).expect("plain data");
            add(&mut coverage, "elo", &report["elo"], self.elo);
            add(
                &mut coverage,
                "normalized",
                &report["normalized"],
                normalized(self.elo, self.related),
            );
            add(&mut coverage, "anytime", &report["anytime"], self.elo);
            return coverage;
        };
        let mut counts = PairCounts::default();
        while sprt.verdict(&counts) == Verdict::Continue {
            counts.add_wins(pair(self.elo, self.related, rng));
        }
        let proof = sprt.report(&counts);
        let report = serde_json::to_value(proof).expect("plain data");
        add(&mut coverage, "corrected", &report["corrected"], self.elo);
        add(&mut coverage, "anytime", &report["anytime"], self.elo);
        add(
            &mut coverage,
            "raw elo, which is not claimed",
            &report["elo"],
            self.elo,
        );
        let repeated = played(SLOW_PAIRS, slow, self.related, rng).estimate().elo;
        add(
            &mut coverage,
            "elo at four times the budget",
            &json_of(repeated),
            slow,
        );
        add(
            &mut coverage,
            "change with the budget",
            &json_of(repeated.minus(&proof.elo())),
            slow - self.elo,
        );
        coverage
    }
}

/// A search over a choice and a number whose results are known.
pub(crate) fn search(seed: [u64; 2]) -> Coverage {
    let space = Space::parse("style = [\"a\", \"b\", \"c\"]\nsize = { low = 0.0, high = 1.0 }")
        .expect("a space");
    let rng = &mut stream(&[seed[0], seed[1], 5]);
    let [of_b, of_c] = [0, 1].map(|_| 0.16 * (uniform(rng) - 0.5));
    let (best, height) = (uniform(rng), 0.1 + 0.2 * uniform(rng));
    let truth = |point: &Point| {
        let style = match point.get("style").map(ToString::to_string).as_deref() {
            Some("b" | "\"b\"") => of_b,
            Some("c" | "\"c\"") => of_c,
            _ => 0.0,
        };
        let size = point
            .get("size")
            .and_then(|size| size.to_string().parse::<f64>().ok());
        0.5 + style - height * (size.expect("a number") - best).powi(2)
    };
    let mut tuner = Tuner::new(space, TunerSettings::new(240, seed[1])).expect("a search");
    loop {
        let trials = tuner.ask();
        if trials.is_empty() {
            break;
        }
        let play = |trial: &Trial| {
            let mean = truth(&trial.point);
            // The sum of some uniform numbers, with a standard deviation of 0.15.
            let mut noise = || {
                (0..4)
                    .map(|_| f64::from(below(1 << 20, rng)) / f64::from(1 << 20) - 0.5)
                    .sum::<f64>()
                    * 0.26
            };
            let rings = trial.rings.clone();
            rings.map(|_| (mean + noise()).clamp(0.0, 1.0)).collect()
        };
        let results = trials.iter().map(play).collect();
        tuner.tell(results).expect("asked for");
    }
    let mut coverage = Coverage::default();
    for row in tuner.ranking() {
        add(
            &mut coverage,
            "candidates[].result",
            &json_of(row.result),
            truth(&row.point),
        );
    }
    coverage
}
