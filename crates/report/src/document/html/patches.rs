//! Patches as drawings: their hues, their shapes, and circles that stand for them.

use maud::{Markup, html};
use patchwork_engine::game::PatchId;

use super::plot::Map;
use crate::document::Dot;

/// Circles with the numbers of patches.
pub(super) fn circles(dots: &[Dot], map: Map<'_>) -> Markup {
    html! {
        @for (dot, &(x, y)) in dots.iter().zip(&spread(dots, map)) {
            g.hued style={ "--hue:" (hue(dot.number)) } {
                circle.cloth cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(format!("{:.1}", radius(dot))) {}
                text x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (dot.number) }
                title { (dot.about) }
            }
        }
    }
}

/// The radius of a circle. Its area increases with the weight.
fn radius(dot: &Dot) -> f64 {
    6.0 + 7.0 * dot.weight.sqrt()
}

/// Positions of the circles. Each is as close to its place as the circles placed before it allow. In a
/// crowded part, circles spread over the whole width of the column.
fn spread(dots: &[Dot], map: Map<'_>) -> Vec<(f64, f64)> {
    const STEPS: i32 = 18;
    let column = (map(1.0, 0.0).0 - map(0.0, 0.0).0).abs();
    let mut places: Vec<(f64, f64)> = Vec::new();
    for (i, dot) in dots.iter().enumerate() {
        let (middle, y) = map(dot.x, dot.y);
        let reach = (0.48 * column - radius(dot)).max(0.0);
        // Distance to the nearest circle already placed; negative if the circles overlap.
        let room = |x: f64| {
            let others = dots[..i].iter().zip(&places);
            others
                .filter(|(other, _)| (other.x - dot.x).abs() < 0.5)
                .map(|(other, at)| (at.0 - x).hypot(at.1 - y) - radius(other) - radius(dot) - 1.0)
                .fold(f64::INFINITY, f64::min)
        };
        // Tries 0, then increasing distances on both sides.
        let asides = (0..=2 * STEPS).map(|step| {
            let side = if step % 2 == 0 { -1.0 } else { 1.0 };
            middle + side * reach * f64::from((step + 1) / 2) / f64::from(STEPS)
        });
        let best = asides
            .clone()
            .find(|&x| room(x) >= 0.0)
            .or_else(|| asides.max_by(|&one, &other| room(one).total_cmp(&room(other))));
        places.push((best.unwrap_or(middle), y));
    }
    places
}

/// The hue of a patch in degrees. Patches with adjacent numbers have very different hues.
pub(crate) fn hue(patch: u8) -> String {
    format!("{:.1}", f64::from(patch) * 137.5 % 360.0)
}

/// The shape of a patch as printed.
pub(super) fn shape(patch: u8) -> Markup {
    const CELL: usize = 7;
    let Some(id) = PatchId::new(patch) else {
        return html! {};
    };
    let rows: Vec<&str> = id.patch().shape().literal().split('/').collect();
    let (width, height) = (rows[0].len() * CELL, rows.len() * CELL);
    html! {
        svg.shape width=(width + 2) height=(height + 2) viewBox={ "-1 -1 " (width + 2) " " (height + 2) } aria-hidden="true" {
            g.hued style={ "--hue:" (hue(patch)) } {
                @for (y, row) in rows.iter().enumerate() { @for (x, _) in row.char_indices().filter(|&(_, c)| c == 'X') {
                    rect.cloth x=(x * CELL) y=(y * CELL) width=(CELL) height=(CELL) {}
                } }
            }
        }
    }
}
