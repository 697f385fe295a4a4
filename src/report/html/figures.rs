//! Figures of a document as plots.

use maud::{Markup, html};

use super::parts::series_class;
use super::patches::circles;
use super::plot::{Axes, Map, NARROW, SQUARE, WIDE, band, line, plot};
use crate::report::document::{Dot, Figure, FigureSize, Series, SeriesMark};

/// A plot with its legend.
pub(super) fn figure(figure: &Figure) -> Markup {
    if figure.series.iter().all(|series| series.dots.is_empty()) {
        return html! {};
    }
    let axes = Axes {
        size: match figure.size {
            FigureSize::Narrow => NARROW,
            FigureSize::Wide => WIDE,
            FigureSize::Square => SQUARE,
        },
        x: figure.x.range.clone(),
        y: figure.y.range.clone(),
        x_name: figure.x.name,
        x_unit: figure.x.unit,
        y_unit: figure.y.unit,
    };
    let about = format!("{}; the numbers are in a table", figure.about);
    let drawn = plot(&about, &axes, |map| marks(figure, &axes, map));
    let named = || {
        figure
            .series
            .iter()
            .filter(|series| !series.name.is_empty())
    };
    html! {
        @if !figure.title.is_empty() { h3 { (figure.title) } }
        figure.narrow[figure.size != FigureSize::Wide] {
            p.axis { (figure.y.name) }
            (drawn)
            @if !figure.caption.is_empty() { p.caption { (figure.caption) } }
            @if named().next().is_some() { ul.legend { @for series in named() {
                li { (key(series)) " " (series.name) }
            } } }
        }
    }
}

/// What stands for a series in the legend.
fn key(series: &Series) -> Markup {
    let class = series_class(series.colour);
    match series.mark {
        SeriesMark::Dots => html! { span.key.all { "●" } },
        SeriesMark::Line | SeriesMark::ThinLine => {
            html! { span class={ "key " (class) } { (series.colour + 1) } }
        }
        _ => html! { span class={ "key " (class) } {} },
    }
}

fn marks(figure: &Figure, axes: &Axes<'_>, map: Map<'_>) -> Markup {
    let (bottom, top) = (axes.y.start, axes.y.end);
    let at = |x: f64, y: f64| map(x, y.clamp(bottom, top));
    let lines = || {
        let series = figure.series.iter();
        series.filter(|series| series.mark == SeriesMark::Line)
    };
    let ends: Vec<f64> = lines()
        .map(|series| series.dots.last().map_or(0.0, |dot| at(dot.x, dot.y).1))
        .collect();
    let right = map(axes.x.end, bottom).0;
    html! {
        @if figure.diagonal {
            path.diagonal d=(line(&[map(axes.x.start, bottom), map(axes.x.end, top)])) {}
        }
        @for series in &figure.series { (bands(series, &at)) }
        @for series in &figure.series { @match series.mark {
            SeriesMark::Bars => { @for dot in &series.dots { (bar(series, figure.series.len() > 1, dot, map)) } }
            SeriesMark::Patches => (circles(&series.dots, map)),
            SeriesMark::Dots => { @for dot in &series.dots { (dot_with_error(dot, &at)) } }
            _ => (curve(series, &at)),
        } }
        @for (series, y) in lines().zip(places(&ends)) { @if let Some(y) = y {
            text class={ "end " (series_class(series.colour)) } x=(right + 4.0) y=(format!("{y:.1}")) dy="0.35em" { (series.colour + 1) }
        } }
    }
}

type At<'a> = &'a dyn Fn(f64, f64) -> (f64, f64);

/// The intervals of a line: bands where both ends are known. An interval of the last value with an open end is
/// an arrow from its line.
fn bands(series: &Series, at: At<'_>) -> Markup {
    if !matches!(series.mark, SeriesMark::Line | SeriesMark::DottedLine) {
        return html! {};
    }
    let closed = |dot: &Dot| dot.low.is_some() && dot.high.is_some();
    let runs = series
        .dots
        .chunk_by(|one, other| closed(one) == closed(other));
    let runs = runs.filter(|run| closed(&run[0]));
    let class = series_class(series.colour);
    html! {
        @for run in runs {
            @let ends = |end: fn(&Dot) -> Option<f64>| -> Vec<(f64, f64)> {
                run.iter().filter_map(|dot| Some(at(dot.x, end(dot)?))).collect()
            };
            path class={ "band " (class) } d=(band(&ends(|dot| dot.low), &ends(|dot| dot.high))) {}
        }
        @if let Some(last) = series.dots.last() { (open_end(last, &class, at)) }
    }
}

/// The length of an arrow for an open end, in units of the view box.
const ARROW: f64 = 26.0;

fn open_end(dot: &Dot, class: &str, at: At<'_>) -> Markup {
    let (known, side) = match (dot.low, dot.high) {
        (Some(low), None) => (low, -1.0),
        (None, Some(high)) => (high, 1.0),
        _ => return html! {},
    };
    let ((x, y), (_, end)) = (at(dot.x, dot.y), at(dot.x, known));
    let tip = y + side * ARROW;
    html! {
        path class={ "open " (class) } d=(line(&[(x, end), (x, tip)])) {}
        path class={ "open " (class) } d=(line(&[(x - 4.0, tip - 6.0 * side), (x, tip), (x + 4.0, tip - 6.0 * side)])) {}
    }
}

fn curve(series: &Series, at: At<'_>) -> Markup {
    let class = series_class(series.colour);
    let thin = series.mark == SeriesMark::ThinLine;
    let points: Vec<(f64, f64)> = series.dots.iter().map(|dot| at(dot.x, dot.y)).collect();
    html! {
        path class={ "curve " (class) @if thin { " thin" } } d=(line(&points)) {}
        @if series.mark == SeriesMark::DottedLine { @for (dot, (x, y)) in series.dots.iter().zip(&points) {
            circle class={ "point " (class) } cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.6" { title { (dot.about) } }
        } }
    }
}

fn dot_with_error(dot: &Dot, at: At<'_>) -> Markup {
    let (cx, cy) = at(dot.x, dot.y);
    html! {
        @if let Some((low, high)) = dot.low.zip(dot.high) { path.error d=(line(&[at(dot.x, low), at(dot.x, high)])) {} }
        circle.point.all cx=(format!("{cx:.1}")) cy=(format!("{cy:.1}")) r="4.2" { title { (dot.about) } }
    }
}

/// A vertical bar from the axis; bars of several series are translucent.
fn bar(series: &Series, is_half: bool, dot: &Dot, map: Map<'_>) -> Markup {
    let ((left, top), (right, bottom)) = (map(dot.x, dot.y), map(dot.to, 0.0));
    html! {
        rect class={ "bar " (series_class(series.colour)) @if is_half { " half" } } x=(format!("{:.1}", left + 0.6)) y=(format!("{top:.1}"))
            width=(format!("{:.1}", (right - left - 1.2).max(0.4))) height=(format!("{:.1}", bottom - top)) {
            title { (dot.about) }
        }
    }
}

/// Positions for labels from top to bottom. A label that is too close to the one above is moved
/// slightly down; it is `None` if that is not enough.
fn places(wanted: &[f64]) -> Vec<Option<f64>> {
    const GAP: f64 = 14.0;
    const FARTHEST: f64 = 18.0;
    let mut last = f64::MIN;
    let place = |&at: &f64| {
        let place = at.max(last + GAP);
        (place - at <= FARTHEST).then(|| {
            last = place;
            place
        })
    };
    wanted.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_or_stay_away() {
        let places = places(&[10.0, 12.0, 13.0, 14.0, 80.0]);
        assert_eq!(places, [Some(10.0), Some(24.0), None, None, Some(80.0)]);
    }
}
