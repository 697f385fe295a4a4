//! How the order of the patches favours either seat.

use maud::{Markup, html};

use super::parts::{head, panel, table_box};
use crate::report::numbers::{counted, interval, one_place, percent, points};
use crate::stats::Summary;

/// Number of rings shown for each seat.
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
            p { "The order of the patches explains " strong { (percent(share)) } " (95%: " (interval(effect.share, percent))
                ") of the variance of a game's margin, given its agents; a ring's own advantage for the first player has a standard "
                "deviation of " strong { (one_place(sd)) } " points."
                @if !any { " Of " (counted(rings.rings, "ring")) ", none favours a seat with 95% confidence." } }
            @if any {
                (table_box("Rings that most certainly favour a seat", &html! {
                    (head(5, "ring | by, points | 95% | games | patches in order"))
                    tbody { @for (name, found) in groups { @for ring in found.iter().take(MOST_RINGS) { tr {
                        th scope="row" { (name) }
                        td.number.strong { (points(ring.bias)) }
                        td.number { (interval(ring.bias, points)) }
                        td.number { (ring.games) }
                        td.ring-order { (ring.ring) }
                    } } } }
                }))
            }
        },
    )
}
