//! What the order of the patches does for either seat.

use maud::{Markup, html};

use super::parts::{or_dash, panel, table_box, to};
use crate::report::numbers::{one_place, percent, signed, thousands};
use crate::stats::Summary;

/// Rings that are shown for either seat.
const MOST_RINGS: usize = 5;

pub(super) fn rings(summary: &Summary) -> Markup {
    let rings = &summary.rings;
    let effect = &rings.margin;
    let Some((share, sd)) = effect.share.value.zip(effect.between_sd) else {
        return html! {};
    };
    let groups = [
        ("favours the first player", &rings.first),
        ("favours the second player", &rings.second),
    ];
    let any = groups.iter().any(|(_, found)| !found.is_empty());
    panel(
        "rings",
        "Rings",
        &html! {
            p { "The order of the patches explains " strong { (percent(share)) } " (95%: " (to(effect.share.low, effect.share.high, percent))
                ") of how far a game's margin differs from what is usual for its agents; a ring's own advantage for the first player has a standard "
                "deviation of " strong { (one_place(sd)) } " points."
                @if !any { " No ring of the " (thousands(rings.rings)) " surely favours a seat." } }
            @if any {
                (table_box("Rings that favour a seat most surely", &html! {
                    thead { tr { th scope="col" { "ring" } th.number scope="col" { "by, points" } th.number scope="col" { "95%" }
                        th.number scope="col" { "games" } th scope="col" { "patches in order" } } }
                    tbody { @for (name, found) in groups { @for ring in found.iter().take(MOST_RINGS) { tr {
                        th scope="row" { (name) }
                        td.number.strong { (or_dash(ring.bias.value, |bias| signed(bias, 1))) }
                        td.number { (to(ring.bias.low, ring.bias.high, |end| signed(end, 1))) }
                        td.number { (ring.games) }
                        td.ring-order { (ring.ring) }
                    } } } }
                }))
            }
        },
    )
}
