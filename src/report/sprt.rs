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
pub(super) const fn no_interval(estimate: &PairEstimate) -> &'static str {
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

/// The result of a sequential test in sentences.
pub(super) fn sprt_notes(report: &SprtReport) -> Vec<String> {
    let SprtReport { sprt, estimate, .. } = report;
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
    let verdict = match report.verdict {
        Verdict::Continue => "continue, because neither hypothesis is accepted yet".to_owned(),
        decided => decided.to_string(),
    };
    let told = |number: Estimate, why_none: &str| match Unit::FineElo.confident(number) {
        _ if estimate.los.is_none() => no_interval(estimate).to_owned(),
        interval => interval.unwrap_or_else(|| why_none.to_owned()),
    };
    let mut notes = vec![
        hypothesis("H0", sprt.elo0(), "H1", sprt.beta()),
        hypothesis("H1", sprt.elo1(), "H0", sprt.alpha()),
        format!(
            "LLR {:.3} after {}, with the bounds {lower:.3} (accept H0) and {upper:.3} (accept H1): {verdict}",
            report.llr,
            counted(report.pairs.pairs(), "pair"),
        ),
    ];
    if report.pairs.pairs() > 0 {
        let few = "no interval, because too few pairs differ";
        notes.push(format!(
            "Elo {} ({}), normalized {} ({})",
            signed(estimate.elo, 1),
            told(estimate.elo, "95%: any"),
            signed(estimate.normalized, 1),
            told(estimate.normalized, few),
        ));
    }
    notes.extend(report.corrected.map(|corrected| stopped(sprt, corrected)));
    if report.verdict == Verdict::Continue {
        notes.extend(Unit::FineElo.confident(report.anytime).map(|interval| {
            format!(
                "However often one looks: Elo {} ({interval})",
                signed(report.anytime, 1)
            )
        }));
    }
    notes.push(format!(
        "LOS (likelihood of superiority) {}",
        Unit::Chance.known(estimate.los)
    ));
    notes
}
