//! Figures of a document as plots.

use std::ops::Range;

use maud::{Markup, html};

use super::parts::{agent_name, json, series_class};
use super::patches::circles;
use super::plot::{Map, band, line, plot};
use crate::document::{Dot, Figure, FigureSize, Series, SeriesMark};

/// A plot with its legend.
pub(super) fn figure(figure: &Figure) -> Markup {
    if figure.series.iter().all(|series| series.dots.is_empty()) {
        return html! {};
    }
    let about = format!("{}; the numbers are in a table", figure.about);
    let drawn = plot(&about, figure, |map| marks(figure, map));
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
                li { (key(series)) " " (agent_name(&series.name)) }
            } } }
        }
    }
}

/// The mark of a series in the legend.
fn key(series: &Series) -> Markup {
    let class = series_class(series.colour);
    match series.mark {
        SeriesMark::Dots => html! { span.key.all { "●" } },
        SeriesMark::Line | SeriesMark::ThinLine | SeriesMark::Labelled => {
            html! { span class={ "key " (class) } { (series.colour + 1) } }
        }
        _ => html! { span class={ "key " (class) } {} },
    }
}

fn marks(figure: &Figure, map: Map<'_>) -> Markup {
    let (across, up) = (&figure.x.range, &figure.y.range);
    let (bottom, top) = (up.start, up.end);
    let at = |x: f64, y: f64| map(x, y.clamp(bottom, top));
    let lines = || {
        let series = figure.series.iter();
        // A line without a name stands alone.
        series.filter(|series| series.mark == SeriesMark::Line && !series.name.is_empty())
    };
    let ends: Vec<f64> = lines()
        .map(|series| series.dots.last().map_or(0.0, |dot| at(dot.x, dot.y).1))
        .collect();
    let (right, bottom_edge) = map(across.end, bottom);
    let top_edge = map(across.end, top).1;
    html! {
        @for series in &figure.series { (bands(series, &at)) }
        @for series in &figure.series { @match series.mark {
            SeriesMark::Bars => { @for dot in &series.dots { (bar(series, figure.series.len() > 1, dot, map)) } }
            SeriesMark::Patches => (circles(&series.dots, map)),
            SeriesMark::Labelled => { @for dot in &series.dots { (labelled(series, dot, &at)) } }
            SeriesMark::Dots => { @for dot in &series.dots { (dot_with_error(dot, &at)) } }
            _ => (curve(series, &at)),
        } }
        (tags(figure, &at))
        @for ((series, end), y) in lines().zip(&ends).zip(spread(&ends, LABEL_GAP, &(top_edge..bottom_edge))) {
            @let class = series_class(series.colour);
            @if (y - end).abs() > 1.0 { path class={ "leader " (class) } d=(line(&[(right + 1.0, *end), (right + LEADER, y)])) {} }
            text class={ "end " (class) } x=(format!("{:.1}", right + LEADER + 2.0)) y=(format!("{y:.1}")) dy="0.35em" { (series.colour + 1) }
        }
    }
}

type At<'a> = &'a dyn Fn(f64, f64) -> (f64, f64);

/// The intervals of a line: bands where both ends are known. If the last value's interval has an open end, an
/// arrow from the line shows it.
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
    // What the script shows at the points of a line; dots have titles instead.
    let told = series.mark != SeriesMark::DottedLine
        && series.dots.iter().any(|dot| !dot.about.is_empty());
    let about = || {
        series
            .dots
            .iter()
            .map(|dot| &*dot.about)
            .collect::<Vec<&str>>()
    };
    html! {
        path class={ "curve " (class) @if thin { " thin" } } d=(line(&points)) data-values=[told.then(|| json(&about()))] {}
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

/// A dot with its interval. An open end of the interval reaches the end of the axis.
fn labelled(series: &Series, dot: &Dot, at: At<'_>) -> Markup {
    let class = series_class(series.colour);
    let (x, y) = at(dot.x, dot.y);
    let is_open = dot.low.is_none() != dot.high.is_none();
    let ends = dot.low.zip(dot.high);
    html! {
        @if let Some((low, high)) = ends { path class={ "whisker " (class) } d=(line(&[at(dot.x, low), at(dot.x, high)])) {} }
        @if is_open {
            @let known = dot.low.or(dot.high).unwrap_or(dot.y);
            path class={ "whisker " (class) } d=(line(&[at(dot.x, known), (x, y)])) {}
            (open_end(dot, &class, at))
        }
        circle class={ "point " (class) } cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4.6" { title { (dot.about) } }
    }
}

/// The numbers of labelled dots, on the side with more room. A number that would cover another moves down.
fn tags(figure: &Figure, at: At<'_>) -> Markup {
    const WIDTH: f64 = 22.0;
    let labelled = (figure.series.iter()).filter(|series| series.mark == SeriesMark::Labelled);
    let middle = 0.5 * (figure.x.range.start + figure.x.range.end);
    let mut places: Vec<(f64, f64)> = Vec::new();
    let tags = labelled.flat_map(|series| series.dots.iter().map(move |dot| (series, dot)));
    let tags: Vec<(&Series, bool, (f64, f64))> = tags
        .map(|(series, dot)| {
            let (x, mut y) = at(dot.x, dot.y);
            let is_before = dot.x > middle;
            let x = if is_before { x - 8.0 } else { x + 8.0 };
            let covers = |y: f64| {
                let mut placed = places.iter();
                placed.any(|&(a, b)| (a - x).abs() < WIDTH && (b - y).abs() < LABEL_GAP)
            };
            while covers(y) {
                y += 1.0;
            }
            places.push((x, y));
            (series, is_before, (x, y))
        })
        .collect();
    html! { @for (series, is_before, (x, y)) in tags {
        text class={ "end tag " (series_class(series.colour)) } x=(format!("{x:.1}")) y=(format!("{y:.1}"))
            dy="0.35em" text-anchor=(if is_before { "end" } else { "start" }) { (series.colour + 1) }
    } }
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

/// Minimum distance between the labels at the ends of lines, in units of the view box.
const LABEL_GAP: f64 = 14.0;

/// The width of the lines that lead from a curve to its label.
const LEADER: f64 = 10.0;

/// Positions for labels, as close as possible to those wanted, at least `gap` apart and within a range
/// if there is room for all.
fn spread(wanted: &[f64], gap: f64, range: &Range<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let room = (range.end - range.start) / order.len().saturating_sub(1).max(1) as f64;
    let gap = gap.min(room);
    // Without the gaps the positions only have to be in order: runs in the wrong order share their
    // mean (isotonic regression by pooling adjacent violators).
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (place, &label) in order.iter().enumerate() {
        let mut pool = (wanted[label] - gap * place as f64, 1);
        while let Some(&(mean, count)) = pools.last().filter(|(mean, _)| *mean > pool.0) {
            pools.pop();
            let all = count + pool.1;
            pool = (
                (mean * count as f64 + pool.0 * pool.1 as f64) / all as f64,
                all,
            );
        }
        pools.push(pool);
    }
    let last = gap * order.len().saturating_sub(1) as f64;
    let flat = pools
        .iter()
        .flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    let mut places = vec![0.0; wanted.len()];
    for (place, (mean, label)) in flat.zip(order).enumerate() {
        let most = (range.end - last).max(range.start);
        places[label] = mean.clamp(range.start, most) + gap * place as f64;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_and_stay_close() {
        let range = 0.0..400.0;
        let places = spread(&[80.0, 10.0, 12.0, 14.0], 10.0, &range);
        assert_eq!(places, [80.0, 2.0, 12.0, 22.0]);
        assert_eq!(spread(&[1.0, 2.0], 10.0, &range), [0.0, 10.0]);
        assert_eq!(spread(&[399.0, 400.0], 10.0, &range), [390.0, 400.0]);
        assert_eq!(spread(&[], 10.0, &range), [0.0; 0]);
        // As far apart as the range allows.
        assert_eq!(
            spread(&[5.0; 5], 10.0, &(0.0..20.0)),
            [0.0, 5.0, 10.0, 15.0, 20.0]
        );
    }
}
