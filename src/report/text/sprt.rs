//! The result of a sequential test.

use std::io;

use crate::rating::Estimate;
use crate::rating::sprt::{EloModel, SprtReport, Verdict};
use crate::report::numbers::{counted, percent, signed};

/// Writes the result of a sequential test.
///
/// # Errors
/// If the writer fails.
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
            Verdict::Continue => "continue, neither hypothesis is accepted yet".to_owned(),
            decided => decided.to_string(),
        }
    )?;
    let told = |number: Estimate, why_none: &str| match (number.low, number.high) {
        _ if estimate.los.is_none() => "no interval, because all pairs ended alike".to_owned(),
        (Some(low), Some(high)) => format!("95%: {} to {}", signed(low, 1), signed(high, 1)),
        (Some(low), None) => format!("95%: at least {}", signed(low, 1)),
        (None, Some(high)) => format!("95%: at most {}", signed(high, 1)),
        (None, None) => why_none.to_owned(),
    };
    let few = "no interval, because too few pairs differ";
    if report.pairs.pairs() > 0 {
        writeln!(
            out,
            "Elo {} ({}), normalized {} ({})",
            signed(estimate.elo, 1),
            told(estimate.elo, "95%: any"),
            signed(estimate.normalized, 1),
            told(estimate.normalized, few),
        )?;
    }
    writeln!(out, "Likelihood of superiority {}", percent(estimate.los))
}
