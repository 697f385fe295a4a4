//! Figures as data: series over two axes.

use std::ops::Range;

use super::Unit;

/// A plot.
pub(in crate::report) struct Figure {
    /// Its heading; may be empty.
    pub(in crate::report) title: String,
    /// What it shows, in a sentence.
    pub(in crate::report) about: String,
    pub(in crate::report) size: FigureSize,
    pub(in crate::report) x: PlotAxis,
    pub(in crate::report) y: PlotAxis,
    pub(in crate::report) series: Vec<Series>,
    /// Whether the line of equal x and y is drawn.
    pub(in crate::report) diagonal: bool,
    /// Labels for places on the horizontal axis that replace its numbers; may be empty.
    pub(in crate::report) labels: Vec<(f64, String)>,
    /// A sentence below it; may be empty.
    pub(in crate::report) caption: String,
}

/// The size of a figure. Narrow ones in a row stand side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum FigureSize {
    Narrow,
    Wide,
    Square,
}

/// An axis.
pub(in crate::report) struct PlotAxis {
    pub(in crate::report) name: &'static str,
    pub(in crate::report) unit: Unit,
    pub(in crate::report) range: Range<f64>,
}

/// A series of values.
pub(in crate::report) struct Series {
    /// Its name in the legend; no entry if it is empty.
    pub(in crate::report) name: String,
    /// The number of its colour.
    pub(in crate::report) colour: usize,
    pub(in crate::report) mark: SeriesMark,
    pub(in crate::report) dots: Vec<Dot>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum SeriesMark {
    /// A line through the values, with a band where they have intervals and the name at its end.
    Line,
    /// A line with a dot for each value.
    DottedLine,
    /// A thin line.
    ThinLine,
    /// Bars from the axis, from `x` to `to`.
    Bars,
    /// Dots with their intervals.
    Dots,
    /// Dots with their intervals, in the colour of the series and with its number.
    Labelled,
    /// The numbers of patches.
    Patches,
}

/// A value of a series.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Dot {
    pub(in crate::report) x: f64,
    /// The right end of a bar.
    pub(in crate::report) to: f64,
    pub(in crate::report) y: f64,
    pub(in crate::report) low: Option<f64>,
    pub(in crate::report) high: Option<f64>,
    /// Its area relative to the largest mark, or the number of a patch.
    pub(in crate::report) weight: f64,
    /// The number drawn in the mark.
    pub(in crate::report) number: u8,
    /// A description.
    pub(in crate::report) about: String,
}

/// Parallel coordinates: a vertical axis for each quantity, and a line through all of them for each row.
pub(in crate::report) struct Coordinates {
    /// Its heading.
    pub(in crate::report) title: String,
    /// What it shows, in a sentence.
    pub(in crate::report) about: String,
    pub(in crate::report) axes: Vec<CoordinateAxis>,
    /// The lines, the best first.
    pub(in crate::report) lines: Vec<CoordinateLine>,
    /// The labels of the worst and the best line.
    pub(in crate::report) ends: [String; 2],
}

/// An axis of parallel coordinates.
pub(in crate::report) struct CoordinateAxis {
    pub(in crate::report) name: String,
    /// Labels for places from 0 to 1.
    pub(in crate::report) labels: Vec<(f64, String)>,
    /// Whether lines with the same value are drawn apart, because there are only a few values.
    pub(in crate::report) is_choice: bool,
}

/// A line of parallel coordinates.
pub(in crate::report) struct CoordinateLine {
    /// Its place on each axis, 0 to 1; `None` where it has no value.
    pub(in crate::report) places: Vec<Option<f64>>,
    /// Its quality, 0 to 1.
    pub(in crate::report) share: f64,
    /// Its name in the legend; empty for ordinary lines.
    pub(in crate::report) name: &'static str,
    /// A description.
    pub(in crate::report) about: String,
}
