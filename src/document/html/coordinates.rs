//! Parallel coordinates: an axis for each quantity, and a line through all of them for each row.

use maud::{Markup, html};

use super::plot::line;
use crate::document::{CoordinateAxis, CoordinateLine, Coordinates};

/// Distance between two axes, in units of the view box.
const GAP: f64 = 168.0;
/// Room beside the first and the last axis.
const SIDE: f64 = 20.0;
/// Room for the labels of the last axis.
const LAST: f64 = 150.0;
/// Top of the axes.
const TOP: f64 = 54.0;
const BOTTOM: f64 = 360.0;
/// Height at which lines without a value on an axis are drawn.
const OFF: f64 = 392.0;
const HEIGHT: f64 = 408.0;
/// Lines with the same choice are spread over this part of the distance to the next choice.
const SPREAD: f64 = 0.5;

/// The axes with their labels and lines, and the legend.
pub(super) fn coordinates(of: &Coordinates) -> Markup {
    if of.lines.is_empty() || of.axes.len() < 2 {
        return html! {};
    }
    let width = SIDE + GAP * (of.axes.len() - 1) as f64 + LAST;
    let about = format!("{}; the numbers are in a table", of.about);
    let named: Vec<&CoordinateLine> = (of.lines.iter())
        .filter(|line| !line.name.is_empty())
        .collect();
    // What is drawn last is on top.
    let plain = (of.lines.iter().enumerate().rev()).filter(|(_, line)| line.name.is_empty());
    let marked = (of.lines.iter().enumerate().rev()).filter(|(_, line)| !line.name.is_empty());
    html! {
        @if !of.title.is_empty() { h3 { (of.title) } }
        figure {
            div.plot-box tabindex="0" role="group" aria-label=(about) {
                svg.coordinates viewBox={ "0 0 " (format!("{width:.0}")) " " (HEIGHT) } role="img" aria-label=(about)
                    style={ "min-width: " (format!("{:.0}", 0.75 * width)) "px" } {
                    @for (i, line) in plain.chain(marked) { (course(of, i, line)) }
                    @for (i, shown) in of.axes.iter().enumerate() { (axis(of, i, shown)) }
                }
            }
            ul.legend {
                li.scale { span { (of.ends[0]) } span.gradient {} span { (of.ends[1]) } }
                @for line in named { li { span class={ "line " (line.name) } {} " " (line.name) } }
            }
        }
    }
}

fn across(axis: usize) -> f64 {
    SIDE + GAP * axis as f64
}

fn down(place: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * place
}

/// A line. Lines with the same choice are drawn at different heights, in their order.
fn course(of: &Coordinates, index: usize, shown: &CoordinateLine) -> Markup {
    let order = (index as f64 + 0.5) / of.lines.len() as f64 - 0.5;
    let points: Vec<(f64, f64)> = (of.axes.iter().zip(&shown.places).enumerate())
        .map(|(i, (axis, place))| {
            let apart = match axis.is_choice {
                true => SPREAD / axis.labels.len().max(1) as f64 * order,
                false => 0.0,
            };
            let y = place.map_or(OFF + 8.0 * order, |place| down(place - apart));
            (across(i), y)
        })
        .collect();
    html! {
        path class={ "course " (shown.name) } style={ "--share:" (format!("{:.0}", 100.0 * shown.share)) "%" } d=(line(&points)) {
            title { (shown.about) }
        }
    }
}

fn axis(of: &Coordinates, index: usize, axis: &CoordinateAxis) -> Markup {
    let x = across(index);
    let (start, end) = axis.name.rsplit_once('.').unwrap_or(("", &axis.name));
    let is_off = of.lines.iter().any(|line| line.places[index].is_none());
    let labels = axis
        .labels
        .iter()
        .map(|(place, label)| (down(*place), &**label));
    html! {
        @if !start.is_empty() { text.name.soft x=(x - 6.0) y="16" { (start) "." } }
        text.name x=(x - 6.0) y="33" { (end) }
        path.axis d=(line(&[(x, TOP), (x, BOTTOM)])) {}
        @for (y, label) in labels.chain(is_off.then_some((OFF, "not used"))) {
            path.axis d=(line(&[(x - 3.0, y), (x + 3.0, y)])) {}
            text x=(x + 7.0) y=(format!("{y:.1}")) dy="0.35em" { (label) }
        }
    }
}
