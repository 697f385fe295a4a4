//! The agents from the highest rating down.

use maud::{Markup, html};

use super::bars::{Scale, interval};
use super::parts::{or_dash, panel, table_box};
use crate::report::numbers::{duration, half_width, per_second, percent, signed, thousands};
use crate::stats::{Standing, Summary};

pub(super) fn standings(summary: &Summary) -> Markup {
    let rows = &summary.ratings;
    let all = rows
        .iter()
        .flat_map(|row| [row.elo.low, row.elo.high, row.elo.value])
        .flatten();
    let scale = Scale::around(all, Some(0.0));
    panel(
        "standings",
        "Standings",
        &html! {
            (table_box("Standings", &html! {
                thead { tr {
                    th.number scope="col" { "#" } th scope="col" { "agent" } th.number scope="col" { "Elo" }
                    th.number scope="col" { "95%" } th.strips aria-hidden="true" {}
                    th.number scope="col" { "games" } th.number scope="col" { "wins" } th.number scope="col" { "score" }
                    th.number scope="col" { "margin" } th.number scope="col" { "iterations/s" } th.number scope="col" { "time/move" }
                } }
                tbody { @for (i, row) in rows.iter().enumerate() { (standing(i, row, &scale)) } }
            }))
            ul.notes {
                li { "Elo by maximum likelihood of all games with one term for moving first, their mean being 0. Margins are points a game." }
                @if rows.iter().any(|row| row.perfect) {
                    li { "* won or lost every game: the Elo only tells the direction, the distance is unknown." }
                }
                @if summary.prior_used {
                    li { "The results alone allow no finite Elo: Jeffreys' prior (Firth's penalised likelihood) keeps the numbers finite." }
                }
                @if !summary.connected {
                    li { "Some groups of agents have not met: each averages 0 Elo, do not compare across them." }
                }
            }
        },
    )
}

fn standing(i: usize, row: &Standing, scale: &Scale) -> Markup {
    html! { tr {
        td.number { (i + 1) }
        th scope="row" { (row.agent) @if row.perfect { " *" } }
        td.number.strong { (or_dash(row.elo.value, |elo| signed(elo, 0))) }
        td.number { (or_dash(half_width(row.elo), |half| format!("±{half:.0}"))) }
        td.strips { @if let Some(elo) = row.elo.value { (interval(scale, elo, row.elo.interval())) } }
        td.number { (thousands(row.games)) }
        td.number { (thousands(row.wins)) }
        td.number { (or_dash(row.score, percent)) }
        td.number { (or_dash(row.mean_margin, |margin| signed(margin, 1))) }
        td.number { (or_dash(row.iterations_per_s, per_second)) }
        td.number { (or_dash(row.seconds_per_move, duration)) }
    } }
}
