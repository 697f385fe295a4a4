//! The result of a sequential test.

use std::io;

use patchwork_rating::Estimate;
use patchwork_rating::sprt::{EloModel, PairEstimate, Sprt, SprtReport, Verdict};

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

/// The estimate after a test has stopped.
pub(super) fn stopped(sprt: &Sprt, corrected: Estimate) -> String {
    let interval = Unit::FineElo.confident(corrected);
    format!(
        "Corrected for the stopping of the test at {} or {}: Elo {} ({}); the raw score of a stopped test is too far from 0 on average",
        signed(sprt.elo0(), 0),
        signed(sprt.elo1(), 0),
        signed(corrected, 1),
        interval.unwrap_or_else(|| "95%: any".to_owned()),
    )
}

/// The result of a sequential test in sentences: the estimate, then what the test says.
pub fn sprt_notes(report: &SprtReport) -> Vec<String> {
    let estimate = &report.estimate;
    let told = |number: Estimate, why_none: &str| match Unit::FineElo.confident(number) {
        _ if estimate.los.is_none() => no_interval(estimate).to_owned(),
        interval => interval.unwrap_or_else(|| why_none.to_owned()),
    };
    let mut notes = Vec::new();
    if report.pairs.pairs() > 0 {
        let few = "no interval, because too few pairs differ";
        notes.push(format!(
            "Elo {} ({}), normalized {} ({}), LOS (likelihood of superiority) {}",
            signed(estimate.elo, 1),
            told(estimate.elo, "95%: any"),
            signed(estimate.normalized, 1),
            told(estimate.normalized, few),
            Unit::Chance.known(estimate.los)
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
    let mut notes = vec![
        format!(
            "{verdict}: LLR (log likelihood ratio) {} after {pairs}, between {} (accept H0) and {} (accept H1)",
            signed(report.llr, 2),
            signed(lower, 2),
            signed(upper, 2),
        ),
        hypothesis("H0", sprt.elo0(), "H1", sprt.beta()),
        hypothesis("H1", sprt.elo1(), "H0", sprt.alpha()),
        format!("What {verdict} means: {meaning}"),
    ];
    notes.extend(report.corrected.map(|corrected| stopped(sprt, corrected)));
    if report.verdict == Verdict::Continue {
        notes.extend(Unit::FineElo.confident(report.anytime).map(|interval| {
            format!(
                "However often one looks: Elo {} ({interval})",
                signed(report.anytime, 1)
            )
        }));
    }
    notes
}
