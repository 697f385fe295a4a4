//! The course of sequential tests: the log likelihood ratio after each pair.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, Series, SeriesMark, Unit, counted,
    ends, signed,
};
use crate::tested::{LlrPoint, SprtTest, SprtTests, llr_path};

pub(super) const TABLES: &[CsvTable] = &[];

/// Maximum number of tests whose course is drawn.
const MAX_TESTS: usize = 12;

/// Maximum number of points on a curve.
const POINTS: usize = 200;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("llr", "Course of the tests");
    let Some(found) = &report.header.sprt else {
        return section;
    };
    if found.tests.iter().all(|test| test.pairs < 2) {
        return section;
    }
    let left_out = found.tests.len().saturating_sub(MAX_TESTS);
    section
        .note("The log likelihood ratio (llr) after each pair of games, in the order of the plan. A test ends where its curve crosses a bound.")
        .figure(|| figure(found))
        .notes((left_out > 0).then(|| {
            format!("The first {MAX_TESTS} of {} tests.", found.tests.len())
        }))
}

fn figure(found: &SprtTests) -> Figure {
    let tests = (0..).zip(found.tests.iter().take(MAX_TESTS));
    let mut series: Vec<Series> = tests
        .map(|(colour, test)| {
            Series::new(
                format!("{} against {}", test.a, test.b),
                colour,
                SeriesMark::Line,
                dots(found, test),
            )
        })
        .collect();
    let points = || series.iter().flat_map(|series| &series.dots);
    let most = points().map(|dot| dot.x).fold(1.0, f64::max);
    let (low, high) = ends(points().map(|dot| dot.y).chain([found.lower, found.upper]));
    let room = 0.06 * (high - low);
    for (bound, accepted) in [(found.upper, "H1"), (found.lower, "H0")] {
        let end = |x| Dot {
            x,
            y: bound,
            about: format!("{accepted} is accepted at {}", signed(bound, 2)),
            ..Dot::default()
        };
        series.push(Series::new(
            "",
            7,
            SeriesMark::ThinLine,
            [end(0.0), end(most)],
        ));
    }
    Figure {
        about: "Log likelihood ratio of each test against the number of pairs, with the bounds"
            .to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new("pairs", Unit::Count, 0.0..most),
        y: PlotAxis::new("llr", Unit::Llr, low - room..high + room),
        series,
        caption: format!(
            "Thin lines: H1 is accepted at {}, H0 at {}.",
            signed(found.upper, 2),
            signed(found.lower, 2)
        ),
        ..Figure::default()
    }
}

/// The course of a test: at most [`POINTS`] of its pairs, the last one among them.
fn dots(found: &SprtTests, test: &SprtTest) -> impl Iterator<Item = Dot> {
    let path = llr_path(&found.sprt, &test.outcomes, POINTS).into_iter();
    path.map(|LlrPoint { pairs, llr }| Dot {
        x: pairs as f64,
        y: llr,
        about: format!(
            "{} against {}: llr {} after {}",
            test.a,
            test.b,
            signed(llr, 2),
            counted(pairs, "pair")
        ),
        ..Dot::default()
    })
}
