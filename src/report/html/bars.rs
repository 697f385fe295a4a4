//! Bars in table cells: an interval, or the spread of a distribution, beside its numbers.
//!
//! Places are percentages, so that a strip is as wide as its cell. The numbers stand in the same
//! row: a strip is hidden from whoever does not see it.

use std::ops::Range;

use maud::{Markup, html};

/// What a strip shows of the line.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    range: Range<f64>,
    /// Where a line is drawn through all strips.
    mark: Option<f64>,
}

impl Scale {
    pub(super) const fn new(range: Range<f64>, mark: Option<f64>) -> Self {
        Self { range, mark }
    }

    /// A scale on which all of these have room.
    pub(super) fn around(values: impl Iterator<Item = f64>, mark: Option<f64>) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let range = if low < high { low..high } else { 0.0..1.0 };
        Self { range, mark }
    }

    /// Where a value stands, in percent, a little inside of the ends.
    fn place(&self, value: f64) -> String {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        format!("{:.2}%", 3.0 + 94.0 * share.clamp(0.0, 1.0))
    }
}

fn svg(scale: &Scale, marks: &Markup) -> Markup {
    html! {
        svg.strip aria-hidden="true" {
            @if let Some(mark) = scale.mark {
                @let x = scale.place(mark);
                line.mark x1=(x) x2=(x) y1="0" y2="100%" {}
            }
            (marks)
        }
    }
}

/// A value and its interval.
pub(super) fn interval_bar(scale: &Scale, value: f64, ends: Option<(f64, f64)>) -> Markup {
    svg(
        scale,
        &html! {
            @if let Some((low, high)) = ends {
                line.whisker x1=(scale.place(low)) x2=(scale.place(high)) y1="50%" y2="50%" {}
            }
            circle.dot cx=(scale.place(value)) cy="50%" r="4.5" {}
        },
    )
}

/// A median, the middle half and the ends, in this order ascending with the median in the middle.
pub(super) fn spread_bar(scale: &Scale, quantiles: [f64; 5]) -> Markup {
    let [low, lower, middle, upper, high] = quantiles.map(|value| scale.place(value));
    svg(
        scale,
        &html! {
            line.whisker x1=(low) x2=(high) y1="50%" y2="50%" {}
            line.half x1=(lower) x2=(upper) y1="50%" y2="50%" {}
            line.median x1=(middle) x2=(middle) y1="20%" y2="80%" {}
        },
    )
}
