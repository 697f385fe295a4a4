//! Figures as data: series over two axes.

use std::ops::Range;

use patchwork_rating::Estimate;

use super::Unit;

/// A plot. By default it is narrow, without a title, a caption and labels.
#[derive(Default)]
pub struct Figure {
    /// Its heading; may be empty.
    pub title: String,
    /// What it shows, in a sentence.
    pub about: String,
    /// Its size.
    pub size: FigureSize,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// What is drawn, from back to front.
    pub series: Vec<Series>,
    /// Labels for places on the horizontal axis that replace its numbers; may be empty.
    pub labels: Vec<(f64, String)>,
    /// A sentence below it; may be empty.
    pub caption: String,
}

/// The size of a figure. Narrow ones in a row stand side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FigureSize {
    /// Half of the page.
    #[default]
    Narrow,
    /// The whole page.
    Wide,
}

/// An axis.
#[derive(Clone, Default)]
pub struct PlotAxis {
    pub(crate) name: &'static str,
    pub(crate) unit: Unit,
    pub(crate) range: Range<f64>,
}

impl PlotAxis {
    /// An axis with a name, the unit of its numbers and its ends.
    pub const fn new(name: &'static str, unit: Unit, range: Range<f64>) -> Self {
        Self { name, unit, range }
    }
}

/// The least and the greatest of these numbers; the first is greater if there are none.
pub fn ends(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let numbers = numbers.into_iter();
    numbers.fold((f64::MAX, f64::MIN), |(low, high), number| {
        (low.min(number), high.max(number))
    })
}

/// A series of values.
pub struct Series {
    /// Its name in the legend; no entry if it is empty.
    pub(crate) name: String,
    /// The number of its colour.
    pub(crate) colour: usize,
    pub(crate) mark: SeriesMark,
    pub(crate) dots: Vec<Dot>,
}

impl Series {
    /// A series with its name in the legend (no entry if it is empty) and the number of its colour.
    pub fn new(
        name: impl Into<String>,
        colour: usize,
        mark: SeriesMark,
        dots: impl IntoIterator<Item = Dot>,
    ) -> Self {
        Self {
            name: name.into(),
            colour,
            mark,
            dots: dots.into_iter().collect(),
        }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesMark {
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
pub struct Dot {
    /// The place on the horizontal axis.
    pub x: f64,
    /// The right end of a bar.
    pub to: f64,
    /// The value.
    pub y: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
    /// Its area relative to the largest mark, or the number of a patch.
    pub weight: f64,
    /// The number drawn in the mark.
    pub number: u8,
    /// A description.
    pub about: String,
}

impl Dot {
    /// A value with its interval, if it is known.
    pub fn of(x: f64, of: Estimate, about: String) -> Option<Self> {
        let Estimate { low, high, .. } = of;
        of.value.map(|y| Self {
            x,
            y,
            low,
            high,
            about,
            ..Self::default()
        })
    }
}
