//! Which patches are bought, and how well their buyers do.

use maud::{Markup, html};

use super::bars::{Scale, interval_bar};
use super::parts::{head, panel};
use super::plot::{Axes, Map, WIDE, plot};
use crate::game::PatchId;
use crate::report::numbers::{counted, known, percent, points, signed, whole};
use crate::stats::{PatchUse, Summary};

pub(super) fn section(summary: &Summary) -> Markup {
    let patches = &summary.patches;
    let gain = |patch: &PatchUse| patch.win_gain.value;
    let gains: Vec<f64> = patches
        .iter()
        .flat_map(|patch| [patch.win_gain.low, patch.win_gain.high])
        .flatten()
        .collect();
    let most = gains
        .iter()
        .fold(0.02_f64, |most, gain| most.max(gain.abs()));
    let scale = Scale::new(-most..most, Some(0.0));
    panel(
        "patches",
        "Patches",
        &html! {
            p { "How the buyers of each patch fare. Strong agents buy some patches more often than weak ones do, so the table also gives the "
                em { "gain" } ": the buyers' share of wins minus what the same agents win on average in the same seat against the same opponent, "
                "with its 95% interval." }
            figure { p.axis { "games won by the buyer" } (prices(patches))
                p.caption { "Price against win rate; patches of a price give way to each other, and circles are as large as patches are popular." } }
            div.box.tall tabindex="0" role="region" aria-label="Patches" { table {
                caption.hidden { "The patches: what they cost, how often they are bought, how their buyers fare" }
                (head(2, "No. | shape | price | time | income | bought | buyers win | gain | ~ | margin"))
                tbody { @for patch in patches { tr {
                    th.number scope="row" { (patch.patch) }
                    td { (shape(patch.patch)) }
                    td.number { (patch.price) } td.number { (patch.time) } td.number { (patch.income) }
                    td.number { (percent(patch.rate)) }
                    td.number { (percent(patch.win_rate)) }
                    td.number.strong { (known(gain(patch), |gain| format!("{}%", signed(100.0 * gain, 1)))) }
                    td.strips { @if let Some(gain) = gain(patch) { (interval_bar(&scale, gain, patch.win_gain.interval())) } }
                    td.number { (points(patch.margin)) }
                } } }
            } }
        },
    )
}

fn prices(patches: &[PatchUse]) -> Markup {
    let sold: Vec<(&PatchUse, f64)> = patches
        .iter()
        .filter_map(|patch| Some((patch, patch.win_rate.value?)))
        .collect();
    if sold.is_empty() {
        return html! {};
    }
    let (low, high) = sold
        .iter()
        .fold((1.0_f64, 0.0_f64), |(low, high), &(_, rate)| {
            (low.min(rate), high.max(rate))
        });
    let room = (0.1 * (high - low)).max(0.02);
    let axes = Axes {
        size: WIDE,
        x: -0.7..10.7,
        y: (low - room).max(-0.02)..(high + room).min(1.02),
        x_name: "price in buttons",
        x_label: whole,
        y_label: |share| format!("{:.0}%", 100.0 * share),
    };
    plot(
        "Price of each patch against the share of its buyers that won; the numbers follow in a table",
        &axes,
        |map| {
            html! {
                @for (&(patch, rate), &(x, y)) in sold.iter().zip(&spread(&sold, map)) {
                    g.patch style={ "--hue:" (hue(patch.patch)) } {
                        circle.cloth cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(format!("{:.1}", radius(patch))) {}
                        text x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (patch.patch) }
                        title { "patch " (patch.patch) ": " (counted(patch.price.into(), "button")) ", " (counted(patch.time.into(), "space")) ", income " (patch.income)
                            "; bought in " (percent(patch.rate)) " of the games, " (percent(rate)) " of its buyers won" }
                    }
                }
            }
        },
    )
}

/// The radius of the circle of a patch. Its area increases with the share of games in which the
/// patch is bought.
fn radius(patch: &PatchUse) -> f64 {
    6.0 + 7.0 * patch.rate.unwrap_or(0.0).sqrt()
}

/// Positions of the circles. Each is as close to the line of its price as the circles placed before
/// it allow. In a crowded part, circles spread over the whole width of the column.
fn spread(sold: &[(&PatchUse, f64)], map: Map<'_>) -> Vec<(f64, f64)> {
    const STEPS: i32 = 18;
    let column = (map(1.0, 0.0).0 - map(0.0, 0.0).0).abs();
    let mut places: Vec<(f64, f64)> = Vec::new();
    for (i, &(patch, rate)) in sold.iter().enumerate() {
        let (middle, y) = map(f64::from(patch.price), rate);
        let reach = (0.48 * column - radius(patch)).max(0.0);
        // Distance to the nearest circle already placed; negative if the circles overlap.
        let room = |x: f64| {
            let others = sold[..i].iter().zip(&places);
            others
                .filter(|((other, _), _)| other.price == patch.price)
                .map(|((other, _), at)| {
                    (at.0 - x).hypot(at.1 - y) - radius(other) - radius(patch) - 1.0
                })
                .fold(f64::INFINITY, f64::min)
        };
        // 0, then increasing distances to both sides.
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
pub(super) fn hue(patch: u8) -> String {
    format!("{:.1}", f64::from(patch) * 137.5 % 360.0)
}

/// The shape of a patch as printed.
fn shape(patch: u8) -> Markup {
    const CELL: usize = 7;
    let Some(id) = PatchId::new(patch) else {
        return html! {};
    };
    let rows: Vec<&str> = id.patch().shape().literal().split('/').collect();
    let (width, height) = (rows[0].len() * CELL, rows.len() * CELL);
    html! {
        svg.shape width=(width + 2) height=(height + 2) viewBox={ "-1 -1 " (width + 2) " " (height + 2) } aria-hidden="true" {
            g.patch style={ "--hue:" (hue(patch)) } {
                @for (y, row) in rows.iter().enumerate() { @for (x, _) in row.char_indices().filter(|&(_, c)| c == 'X') {
                    rect.cloth.seam x=(x * CELL) y=(y * CELL) width=(CELL) height=(CELL) {}
                } }
            }
        }
    }
}
