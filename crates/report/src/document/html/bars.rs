//! Bars in table cells that show an interval or the spread of a distribution beside its numbers.
//!
//! Positions are percentages, so that a strip is as wide as its cell. Strips are hidden from screen
//! readers, since the numbers are in the same row.

use std::ops::Range;

use maud::{Markup, html};
use patchwork_rating::Estimate;

/// The position of a value in percent on a strip that shows a range of values, with a small padding at the ends.
fn place(range: &Range<f64>, value: f64) -> String {
    let share = (value - range.start) / (range.end - range.start);
    format!("{:.2}%", 3.0 + 94.0 * share.clamp(0.0, 1.0))
}

/// A strip. At `mark`, a vertical line is drawn through all strips of a column.
fn strip(range: &Range<f64>, mark: Option<f64>, marks: &Markup) -> Markup {
    html! {
        svg.strip aria-hidden="true" {
            @if let Some(mark) = mark {
                @let x = place(range, mark);
                line.mark x1=(x) x2=(x) y1="0" y2="100%" {}
            }
            (marks)
        }
    }
}

/// A value and its interval. An unknown end is drawn as an arrow to the end of the range.
pub(super) fn interval_bar(range: &Range<f64>, mark: Option<f64>, of: Estimate) -> Markup {
    let (low, high) = (of.low, of.high);
    let at = |value: f64| place(range, value);
    strip(
        range,
        mark,
        &html! {
            @if low.or(high).is_some() {
                line.whisker x1=(at(low.unwrap_or(range.start))) x2=(at(high.unwrap_or(range.end))) y1="50%" y2="50%" {}
                @if low.is_none() { text.arrow x="0" y="50%" dy="0.35em" { "◂" } }
                @if high.is_none() { text.arrow x="100%" y="50%" dy="0.35em" text-anchor="end" { "▸" } }
            }
            @if let Some(value) = of.value { circle.dot cx=(at(value)) cy="50%" r="4.5" {} }
        },
    )
}

/// A box plot: five quantiles in ascending order, which are the ends, the middle half and the
/// median.
pub(super) fn spread_bar(range: &Range<f64>, mark: Option<f64>, quantiles: [f64; 5]) -> Markup {
    let [low, lower, middle, upper, high] = quantiles.map(|value| place(range, value));
    strip(
        range,
        mark,
        &html! {
            line.whisker x1=(low) x2=(high) y1="50%" y2="50%" {}
            line.half x1=(lower) x2=(upper) y1="50%" y2="50%" {}
            line.median x1=(middle) x2=(middle) y1="20%" y2="80%" {}
        },
    )
}
