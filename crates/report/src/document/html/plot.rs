//! Plots as SVG. Colours are classes of the stylesheet, so that they follow the theme.
//!
//! plotters scales the axes and draws their ticks and labels. The marks are written here, at the
//! positions computed by plotters, because SVG marks can have attributes that a plotting library
//! does not support: a class, and a title that is shown on hover.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::Range;

use maud::{Markup, PreEscaped, Render as _, html};
use plotters::coord::ranged1d::Ranged as _;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{ChartBuilder, DrawingBackend, IntoDrawingArea as _, IntoFont as _};
use plotters::style::{RGBColor, TRANSPARENT};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind,
};

use crate::document::{Figure, FigureSize, Unit};

/// plotters uses integer pixels, so it draws on a canvas with a finer resolution than the output.
const FINE: u32 = 10;

// Colours passed to plotters; each represents a class.
const GRID: RGBColor = RGBColor(0, 0, 1);
const AXIS: RGBColor = RGBColor(0, 0, 2);

/// Width and height in units of the view box, about one pixel each on a large screen.
const fn size_of(figure: &Figure) -> (u32, u32) {
    match figure.size {
        FigureSize::Narrow => (540, 310),
        FigureSize::Wide => (1060, 400),
    }
}

/// Maps a point to a position in the view box.
pub(super) type Map<'a> = &'a dyn Fn(f64, f64) -> (f64, f64);

/// The axes of a figure with these marks; `title` is a description in words.
pub(super) fn plot(title: &str, figure: &Figure, marks: impl FnOnce(Map<'_>) -> Markup) -> Markup {
    let mut lines = String::new();
    let marks = draw(&mut lines, figure, marks);
    let (width, height) = size_of(figure);
    let is_wide = figure.size == FigureSize::Wide;
    html! {
        div.plot-box tabindex="0" role="group" aria-label=(title) { svg.plot.wide[is_wide] viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(title) {
            g aria-hidden="true" { (PreEscaped(lines)) }
            (marks)
        } }
    }
}

const IN_MEMORY: &str = "drawing in memory cannot fail";

fn draw(lines: &mut String, figure: &Figure, marks: impl FnOnce(Map<'_>) -> Markup) -> Markup {
    let fine = |pixels: u32| pixels * FINE;
    let size = size_of(figure);
    let root = Canvas { lines, size }.into_drawing_area();
    let labels = wrapped(figure);
    let (x, y) = (&figure.x, &figure.y);
    let label = ("sans-serif", f64::from(fine(13))).into_font().color(&AXIS);
    let mut chart = ChartBuilder::on(&root)
        .margin_top(fine(10))
        .margin_right(fine(30))
        .x_label_area_size(fine(below(figure, &labels)))
        .y_label_area_size(fine(72))
        .build_cartesian_2d(x.range.clone(), y.range.clone())
        .expect(IN_MEMORY);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(AXIS)
        .set_all_tick_mark_size(fine(4))
        .x_labels(match labels.is_empty() {
            true => most_labels(&x.range, x.unit, size.0 as usize / 80),
            false => 0,
        })
        .y_labels(most_labels(&y.range, y.unit, 6))
        .x_desc(x.name)
        .axis_desc_style(label.clone())
        .label_style(label)
        .x_label_formatter(&|&value| x.unit.tick(value))
        .y_label_formatter(&|&value| y.unit.tick(value))
        .draw()
        .expect(IN_MEMORY);
    let map = |x, y| {
        let (x, y) = chart.backend_coord(&(x, y));
        (unfine(x), unfine(y))
    };
    let named = labelled(&labels, &|x| map(x, figure.y.range.start));
    html! { (named) (marks(&map)) }
}

/// Height of a line of text, in units of the view box.
const LINE: u32 = 15;

/// Width of a character where text is largest, in units of the view box.
const CHARACTER: f64 = 9.0;

/// A place on an axis with the lines of its label.
type LabelLines<'a> = (f64, Vec<Cow<'a, str>>);

/// The labels of an axis in as many lines as they need.
fn wrapped(figure: &Figure) -> Vec<LabelLines<'_>> {
    const SIDES: f64 = 102.0;
    let room = (f64::from(size_of(figure).0) - SIDES) / figure.labels.len().max(1) as f64;
    let options = textwrap::Options::new(((room / CHARACTER) as usize).max(4))
        .word_separator(textwrap::WordSeparator::Custom(parts));
    let labels = figure.labels.iter();
    labels
        .map(|(place, label)| (*place, textwrap::wrap(label, &options)))
        .collect()
}

/// Names of strategies may be broken after a slash or a hyphen, without an added hyphen.
fn parts(line: &str) -> Box<dyn Iterator<Item = textwrap::core::Word<'_>> + '_> {
    Box::new(
        line.split_inclusive(['/', '-', ' '])
            .map(textwrap::core::Word::from),
    )
}

/// The height needed below the horizontal axis, for the labels and the axis name.
fn below(figure: &Figure, labels: &[LabelLines<'_>]) -> u32 {
    const LABEL: u32 = 26;
    let lines = labels.iter().map(|(_, lines)| lines.len() as u32).max();
    let more = LINE * lines.map_or(0, |lines| lines.saturating_sub(1));
    let name = if figure.x.name.is_empty() { 0 } else { LABEL };
    LABEL + more + name
}

/// Draws the labels below their places on the horizontal axis.
fn labelled(labels: &[LabelLines<'_>], bottom: &dyn Fn(f64) -> (f64, f64)) -> Markup {
    html! { @for (place, lines) in labels {
        @let (x, y) = bottom(*place);
        path.axis d=(line(&[(x, y), (x, y + 4.0)])) {}
        @for (i, text) in lines.iter().enumerate() {
            text x=(format!("{x:.1}")) y=(format!("{:.1}", y + 20.0 + f64::from(LINE) * i as f64)) text-anchor="middle" { (text) }
        }
    } }
}

/// The maximum number of labels on an axis such that no two are equal. This avoids labels of
/// integers at half steps.
fn most_labels(range: &Range<f64>, unit: Unit, most: usize) -> usize {
    let differ = |count: &usize| {
        let points = RangedCoordf64::from(range.clone()).key_points(*count);
        let labels: BTreeSet<String> = points.iter().map(|&point| unit.tick(point)).collect();
        labels.len() == points.len()
    };
    (2..=most).rev().find(differ).unwrap_or(2)
}

fn unfine(fine: i32) -> f64 {
    f64::from(fine) / f64::from(FINE)
}

/// A line through points of the view box, for the `d` attribute of a path; empty without points.
pub(super) fn line(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        path.push(if i == 0 { 'M' } else { 'L' });
        path.push_str(&format!("{x:.1} {y:.1}"));
    }
    path
}

/// The area between two lines with the same horizontal coordinates; empty without points.
pub(super) fn band(low: &[(f64, f64)], high: &[(f64, f64)]) -> String {
    let around: Vec<(f64, f64)> = low.iter().chain(high.iter().rev()).copied().collect();
    let mut path = line(&around);
    if !path.is_empty() {
        path.push('Z');
    }
    path
}

/// The axes of a plot as SVG.
struct Canvas<'a> {
    lines: &'a mut String,
    size: (u32, u32),
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

fn class(color: BackendColor) -> &'static str {
    if color.rgb == (GRID.0, GRID.1, GRID.2) {
        "grid"
    } else {
        "axis"
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.size.0 * FINE, self.size.1 * FINE)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            let points: Vec<_> = path
                .into_iter()
                .map(|(x, y)| (unfine(x), unfine(y)))
                .collect();
            html! { path class=(class(style.color())) d=(line(&points)) {} }.render_to(self.lines);
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        // The vertical centre of capitals and digits is about a third of the font size above the
        // baseline.
        let down = match style.anchor().v_pos {
            VPos::Top => "0.75em",
            VPos::Center => "0.35em",
            VPos::Bottom => "0",
        };
        html! { text x=(unfine(at.0)) y=(unfine(at.1)) dy=(down) text-anchor=(anchor) { (text) } }
            .render_to(self.lines);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_few_games_stand_at_whole_numbers_only() {
        for most in [1.0, 2.0, 3.0, 4.0, 5.0, 17.0] {
            let range = 0.0..1.08 * most;
            let count = most_labels(&range, Unit::Whole, 6);
            let points = RangedCoordf64::from(range).key_points(count);
            assert!(points.len() > 1, "{most}");
            assert!(
                points.iter().all(|point| point.fract() == 0.0),
                "{points:?}"
            );
        }
    }
}
