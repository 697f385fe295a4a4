//! The result of a sequential test.

use std::io;

use patchwork_rating::Estimate;
use patchwork_rating::sprt::{EloModel, PairEstimate, SprtReport, Verdict};

use crate::document::{Unit, counted, percent, signed};

/// Writes the result of a sequential test.
pub fn write_sprt(mut out: impl io::Write, report: &SprtReport) -> io::Result<()> {
    let mut notes = sprt_notes(report).into_iter();
    notes.try_for_each(|note| writeln!(out, "{note}"))
}

/// Why the Elo of a pair of agents has no interval.
pub const fn no_interval(estimate: &PairEstimate) -> &'static str {
    if estimate.los.is_none() {
        "no interval, because all pairs ended alike"
    } else {
        "no interval, because the pairs carry too little information"
    }
}

/// The unit of a difference: with tenths of an Elo only where the interval is not much wider than they are.
fn fitting(elo: Estimate) -> Unit {
    /// In Elo.
    const NARROW: f64 = 20.0;
    match elo.interval() {
        Some((low, high)) if high - low < NARROW => Unit::FineElo,
        _ => Unit::Elo,
    }
}

/// The result of a sequential test in sentences: the estimate, then what the test says. The estimate is the one that holds
/// although the test may stop, or has stopped.
pub fn sprt_notes(report: &SprtReport) -> Vec<String> {
    let estimate = &report.estimate;
    let told = |number: Estimate, why_none: &str| match fitting(number).confident(number) {
        _ if estimate.los.is_none() => no_interval(estimate).to_owned(),
        interval => interval.unwrap_or_else(|| why_none.to_owned()),
    };
    let (elo, words) = match report.corrected {
        Some(corrected) => (corrected, "corrected for the stopping of the test"),
        None => (report.anytime, "however often one looks"),
    };
    let mut notes = Vec::new();
    if report.pairs.pairs() > 0 {
        let few = "no interval, because too few pairs differ";
        notes.push(format!(
            "Elo {} ({}; {words}), normalized {} ({} if the number of pairs was fixed)",
            fitting(elo).known(elo),
            told(elo, "95%: any"),
            fitting(estimate.normalized).known(estimate.normalized),
            told(estimate.normalized, few),
        ));
    }
    notes.extend(test_notes(report, &report.verdict.to_string()));
    notes
}

/// What a sequential test says: its verdict and log likelihood ratio, its hypotheses, and what the verdict means.
pub(super) fn test_notes(report: &SprtReport, verdict: &str) -> Vec<String> {
    let sprt = &report.sprt;
    let points = match sprt.model() {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    };
    let [lower, upper] = report.bounds;
    let hypothesis = |name: &str, elo, other: &str, rate| {
        let (elo, rate) = (signed(elo, 1), percent(rate));
        format!(
            "{name}: the difference is {elo} {points}; accepted by mistake in about {rate} of tests if {other} is true"
        )
    };
    let [elo0, elo1] = [sprt.elo0(), sprt.elo1()].map(|elo| signed(elo, 1));
    let better = |than: &str, accepted: &str, rest: &str| {
        format!("{accepted} {points} explains the pairs better than {than} does; {rest}")
    };
    let meaning = match report.verdict {
        Verdict::AcceptH0 => better(&elo1, &elo0, "a smaller difference is not excluded"),
        Verdict::AcceptH1 => better(&elo0, &elo1, "only the estimate says how large it is"),
        Verdict::Continue => "the pairs do not tell the hypotheses apart".to_owned(),
    };
    let pairs = counted(report.pairs.pairs(), "pair");
    vec![
        format!(
            "{verdict}: LLR (log likelihood ratio) {} after {pairs}, between {} (accept H0) and {} (accept H1)",
            signed(report.llr, 2),
            signed(lower, 2),
            signed(upper, 2),
        ),
        hypothesis("H0", sprt.elo0(), "H1", sprt.beta()),
        hypothesis("H1", sprt.elo1(), "H0", sprt.alpha()),
        format!("What {verdict} means: {meaning}"),
    ]
}
