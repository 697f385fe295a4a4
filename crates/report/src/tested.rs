//! The sequential tests of a tournament as report data.

use patchwork_rating::Estimate;
use patchwork_rating::sprt::{PairCounts, PairEstimate, Sprt, Verdict};
use patchwork_rating::statistic::{ANYTIME_ELO, CORRECTED_ELO, LLR};
use schemars::JsonSchema;
use serde::Serialize;

use patchwork_tournament::stats::Summary;
use patchwork_tournament::{PairTest, Plan, Schedule};

/// The sequential tests of a gauntlet or match.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtTests {
    /// The parameters of the test.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log likelihood ratio at which H0 is accepted.
    pub lower: f64,
    /// The log likelihood ratio at which H1 is accepted.
    pub upper: f64,
    /// One for each pairing.
    pub tests: Vec<SprtTest>,
}

/// The test of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtTest {
    /// The agent whose strength is tested.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// Number of pairs up to the decision, or so far.
    pub pairs: u64,
    /// Number of pairs in which `a` scored 0, 1/4, 1/2, 3/4 and 1.
    pub counts: [u64; 5],
    /// [`LLR`].
    #[schemars(description = LLR.about)]
    pub llr: f64,
    /// The number of games that `a` won in each pair, in order.
    #[serde(skip)]
    pub outcomes: Vec<u8>,
    /// The ratio after every pair; with more than 250 pairs, after evenly spaced ones and the last. The
    /// bounds are `lower` and `upper` of the tests.
    pub path: Vec<LlrPoint>,
    /// The verdict from that ratio.
    pub verdict: Verdict,
    /// Whether all pairs of the plan were played without a decision.
    pub exhausted: bool,
    /// What ended the test; `None` while it is running.
    pub ended: Option<TestEnd>,
    /// [`CORRECTED_ELO`].
    #[schemars(description = CORRECTED_ELO.about)]
    pub corrected: Option<Estimate>,
    /// [`ANYTIME_ELO`].
    #[schemars(description = ANYTIME_ELO.about)]
    pub anytime: Estimate,
    /// The estimated strength of `a` relative to `b`. If a test ended the run, the estimate is
    /// too far from 0 on average; see `corrected`. `elo` and `los` are those of `comparisons`; `normalized` is taken from
    /// the pairs, because it says how many of them a test takes.
    #[serde(flatten)]
    pub estimate: PairEstimate,
}

/// The log likelihood ratio after some pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LlrPoint {
    /// Number of pairs.
    pub pairs: u64,
    /// Log-likelihood ratio of H1 to H0 after these pairs.
    pub llr: f64,
}

/// Largest number of points on the path of a test.
const MAX_POINTS: usize = 250;

/// The ratio after every pair, or after evenly spaced ones and the last if there are more than `most`.
pub(super) fn llr_path(sprt: &Sprt, outcomes: &[u8], most: usize) -> Vec<LlrPoint> {
    let step = outcomes.len().div_ceil(most).max(1);
    let mut counts = PairCounts::default();
    let mut path = Vec::new();
    for (pairs, &won) in (1..).zip(outcomes) {
        counts.add_wins(usize::from(won));
        if pairs % step == 0 || pairs == outcomes.len() {
            let llr = sprt.llr(&counts);
            path.push(LlrPoint {
                pairs: pairs as u64,
                llr,
            });
        }
    }
    path
}

/// What ended a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestEnd {
    /// A hypothesis was accepted.
    Verdict,
    /// No decision, and the plan has no more pairs.
    Pairs,
    /// No decision, and the book has no more rings; repeating a ring gives no new evidence.
    Book,
}

impl SprtTest {
    /// The estimate that holds although the test may stop, or has stopped, and what its interval is. A test that used all its
    /// pairs did not stop.
    pub(super) fn estimate_that_holds(&self) -> (Estimate, &'static str) {
        match (self.corrected, self.ended) {
            (Some(corrected), _) => (corrected, "corrected for the stopping of the test"),
            (None, None) => (self.anytime, "however often one looks"),
            (None, Some(_)) => (self.estimate.elo, ""),
        }
    }

    /// The verdict, or `undecided` if all pairs have been played.
    pub(super) fn outcome(&self) -> String {
        match self.verdict {
            Verdict::Continue if self.exhausted => "undecided".to_owned(),
            verdict => verdict.to_string(),
        }
    }
}

impl SprtTests {
    /// The tests after the games played so far, if the plan has a test.
    pub fn new(schedule: &Schedule) -> Option<Self> {
        let plan = schedule.plan();
        let sprt = *plan.test()?;
        let (lower, upper) = sprt.bounds();
        let tests = schedule.tests().iter().zip(plan.pairings());
        Some(Self {
            sprt,
            lower,
            upper,
            tests: tests
                .map(|(test, agents)| SprtTest::new(test, agents, plan, &sprt))
                .collect(),
        })
    }

    /// The difference of agent `a` minus agent `b` as [`SprtTest::estimate_that_holds`] has it, if they were tested.
    pub(super) fn difference(&self, a: &str, b: &str) -> Option<(Estimate, &'static str)> {
        self.tests.iter().find_map(|test| {
            let (elo, words) = test.estimate_that_holds();
            match (&*test.a, &*test.b) {
                both if both == (a, b) => Some((elo, words)),
                both if both == (b, a) => Some((elo.negated(), words)),
                _ => None,
            }
        })
    }

    /// Replaces the estimates of the tests with the differences of the ratings, so that the report gives one
    /// answer to how far apart two agents are.
    pub(super) fn take_ratings(&mut self, summary: &Summary) {
        for test in &mut self.tests {
            let (elo, los) = summary.difference(&test.a, &test.b).unwrap_or_default();
            test.estimate = PairEstimate {
                elo,
                los,
                ..test.estimate
            };
        }
    }
}

impl SprtTest {
    fn new(test: &PairTest, (a, b): (u16, u16), plan: &Plan, sprt: &Sprt) -> Self {
        let PairTest {
            counts,
            verdict,
            ref outcomes,
            ..
        } = *test;
        let exhausted = verdict == Verdict::Continue && counts.pairs() == u64::from(plan.pairs());
        let whole_book = plan
            .rings()
            .count()
            .is_some_and(|rings| plan.pairs() >= rings);
        let ended = match verdict {
            Verdict::AcceptH0 | Verdict::AcceptH1 => Some(TestEnd::Verdict),
            Verdict::Continue if !exhausted => None,
            Verdict::Continue if whole_book => Some(TestEnd::Book),
            Verdict::Continue => Some(TestEnd::Pairs),
        };
        Self {
            a: plan.name(a).to_owned(),
            b: plan.name(b).to_owned(),
            pairs: counts.pairs(),
            counts: counts.0,
            llr: sprt.llr(&counts),
            outcomes: outcomes.clone(),
            path: llr_path(sprt, outcomes, MAX_POINTS),
            verdict,
            exhausted,
            ended,
            corrected: sprt.corrected(&counts),
            anytime: counts.anytime(),
            estimate: counts.estimate(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::samples;
    use patchwork_rating::Comparison;
    use patchwork_rating::sprt::EloModel;

    #[test]
    fn a_test_and_the_ratings_give_one_answer() {
        let names = ["d", "b", "c", "a", "e"].map(str::to_owned);
        let mut report = samples().pop().expect("a gauntlet with a test");
        let tests = report.tests.clone();
        let [one, other] = [&tests[0], &tests[1]];
        let elo = Estimate {
            value: Some(-30.0),
            low: Some(-70.0),
            high: None,
            error: Some(20.0),
        };
        let comparison = |a: &SprtTest, turned: bool| Comparison {
            a: if turned { &a.b } else { &a.a }.clone(),
            b: if turned { &a.a } else { &a.b }.clone(),
            elo,
            los: Some(0.25),
            p_adjusted: None,
        };
        let mut summary = Summary::new(&names, &[], &[]);
        summary.comparisons = vec![comparison(one, false), comparison(other, true)];
        report.take_ratings(&summary);
        let rated = report.tests;
        assert_eq!(
            (rated[0].estimate.elo, rated[0].estimate.los),
            (elo, Some(0.25))
        );
        assert_eq!(rated[0].estimate.normalized, one.estimate.normalized);
        let turned = rated[1].estimate;
        assert_eq!((turned.elo.value, turned.los), (Some(30.0), Some(0.75)));
        assert_eq!((turned.elo.low, turned.elo.high), (None, Some(70.0)));
        assert_eq!(turned.elo.error, Some(20.0));
        assert_eq!(rated[2].estimate.elo, Estimate::default(), "not compared");
    }

    #[test]
    fn a_path_ends_where_the_test_is() {
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
        for pairs in [0, 1, 7, 250, 251, 1000, 1777] {
            let outcomes: Vec<u8> = (0..pairs).map(|i| (i * 7 % 3) as u8).collect();
            let path = llr_path(&sprt, &outcomes, MAX_POINTS);
            assert!(path.len() <= MAX_POINTS + 1 && path.is_empty() == outcomes.is_empty());
            for point in &path {
                let mut counts = PairCounts::default();
                for &won in &outcomes[..point.pairs as usize] {
                    counts.add_wins(usize::from(won));
                }
                assert_eq!(point.llr, sprt.llr(&counts));
            }
            assert_eq!(path.last().map_or(0, |point| point.pairs), pairs as u64);
            assert!(
                pairs > MAX_POINTS || path.len() == pairs,
                "every pair is there"
            );
        }
    }
}
