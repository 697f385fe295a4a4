//! Bars in table cells that show an interval or the spread of a distribution beside its numbers.
//!
//! Positions are percentages, so that a strip is as wide as its cell. Strips are hidden from screen
//! readers, since the numbers are in the same row.

use std::ops::Range;

use maud::{Markup, html};
use patchwork_rating::Estimate;

/// The range of values that a strip shows.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    range: Range<f64>,
    /// The value at which a vertical line is drawn through all strips.
    mark: Option<f64>,
}

impl Scale {
    pub(super) const fn new(range: Range<f64>, mark: Option<f64>) -> Self {
        Self { range, mark }
    }

    /// A scale that includes all of these values.
    pub(super) fn around(values: impl Iterator<Item = f64>, mark: Option<f64>) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let range = if low < high { low..high } else { 0.0..1.0 };
        Self { range, mark }
    }

    /// The same scale with room for arrows at its left and right end.
    pub(super) fn with_room(mut self, open: [bool; 2]) -> Self {
        const ROOM: f64 = 0.12;
        let room = ROOM * (self.range.end - self.range.start);
        let [left, right] = open.map(|is_open| if is_open { room } else { 0.0 });
        self.range = self.range.start - left..self.range.end + right;
        self
    }

    /// The values at its ends.
    pub(super) const fn ends(&self) -> [f64; 2] {
        [self.range.start, self.range.end]
    }

    /// The position of a value in percent, with a small padding at the ends.
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

/// A value and its interval. An unknown end is drawn as an arrow to the end of the scale.
pub(super) fn interval_bar(scale: &Scale, of: Estimate) -> Markup {
    let (low, high) = (of.low, of.high);
    let (start, end) = (scale.range.start, scale.range.end);
    svg(
        scale,
        &html! {
            @if low.or(high).is_some() {
                line.whisker x1=(scale.place(low.unwrap_or(start))) x2=(scale.place(high.unwrap_or(end))) y1="50%" y2="50%" {}
                @if low.is_none() { text.arrow x="0" y="50%" dy="0.35em" { "◂" } }
                @if high.is_none() { text.arrow x="100%" y="50%" dy="0.35em" text-anchor="end" { "▸" } }
            }
            @if let Some(value) = of.value { circle.dot cx=(scale.place(value)) cy="50%" r="4.5" {} }
        },
    )
}

/// A box plot: five quantiles in ascending order, which are the ends, the middle half and the
/// median.
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
