//! The agents in descending order of rating.

use maud::{Markup, html};

use super::bars::{Scale, interval_bar};
use super::parts::{head, numbers, panel, table_box};
use crate::report::numbers::{duration, elo, per_second, percent, plus_minus, points, thousands};
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
                (head(2, "# | agent | Elo | 95% | ~ | games | wins | score | margin | iterations/s | time/move"))
                tbody { @for (i, row) in rows.iter().enumerate() { (standing(i, row, &scale)) } }
            }))
            ul.notes {
                li { "Elo by maximum likelihood over all games, with one term for moving first; the mean is 0. Margins are in points per game." }
                @if rows.iter().any(|row| row.perfect) {
                    li { "* won or lost every game: the Elo shows the direction, not the distance." }
                }
                @if summary.prior_used {
                    li { "The results alone allow no finite Elo: Jeffreys' prior (Firth's penalised likelihood) keeps the numbers finite." }
                }
                @if !summary.connected {
                    li { "Some groups of agents have not met: each has mean 0, so do not compare across them." }
                }
            }
        },
    )
}

fn standing(i: usize, row: &Standing, scale: &Scale) -> Markup {
    html! { tr {
        td.number { (i + 1) }
        th scope="row" { (row.agent) @if row.perfect { " *" } }
        td.number.strong { (elo(row.elo)) }
        td.number { (plus_minus(row.elo, 0)) }
        td.strips { @if let Some(elo) = row.elo.value { (interval_bar(scale, elo, row.elo.interval())) } }
        (numbers([
            thousands(row.games),
            thousands(row.wins),
            percent(row.score),
            points(row.mean_margin),
            per_second(row.iterations_per_s),
            duration(row.seconds_per_move),
        ]))
    } }
}
