//! What a sequential test says.

use std::io;

use crate::rating::sprt::{EloModel, SprtReport, Verdict};
use crate::report::numbers::{counted, optional, percent, signed};

/// Writes what a sequential test says.
///
/// # Errors
/// When the writer fails.
pub fn write_sprt(mut out: impl io::Write, report: &SprtReport) -> io::Result<()> {
    let SprtReport { sprt, estimate, .. } = report;
    let points = match sprt.model() {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    };
    let [lower, upper] = report.bounds;
    writeln!(
        out,
        "H0: {} {points}, accepted under H1 about {} of the time",
        signed(sprt.elo0(), 1),
        percent(sprt.beta())
    )?;
    writeln!(
        out,
        "H1: {} {points}, accepted under H0 about {} of the time",
        signed(sprt.elo1(), 1),
        percent(sprt.alpha())
    )?;
    writeln!(
        out,
        "LLR {:.3} of {lower:.3} to {upper:.3} after {}: {}",
        report.llr,
        counted(report.pairs.pairs(), "pair"),
        match report.verdict {
            Verdict::Continue => "continue, neither is accepted yet".to_owned(),
            decided => decided.to_string(),
        }
    )?;
    let told = |low: Option<f64>, high: Option<f64>, why_none: &str| match (low, high) {
        _ if estimate.los.is_none() => "no interval, as all pairs ended alike".to_owned(),
        (Some(low), Some(high)) => format!("95%: {} to {}", signed(low, 1), signed(high, 1)),
        (Some(low), None) => format!("95%: from {} on", signed(low, 1)),
        (None, Some(high)) => format!("95%: up to {}", signed(high, 1)),
        (None, None) => why_none.to_owned(),
    };
    let few = "no interval, as too few pairs differ";
    if report.pairs.pairs() > 0 {
        writeln!(
            out,
            "Elo {} ({}), normalized {} ({})",
            optional(estimate.elo.value, |elo| signed(elo, 1)),
            told(estimate.elo.low, estimate.elo.high, "95%: any"),
            optional(estimate.normalized.value, |elo| signed(elo, 1)),
            told(estimate.normalized.low, estimate.normalized.high, few),
        )?;
    }
    writeln!(
        out,
        "Likelihood of superiority {}",
        optional(estimate.los, percent)
    )
}
