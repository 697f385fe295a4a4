//! The advantage of moving first.

use maud::{Markup, html};

use super::bars::{Scale, interval_bar};
use super::parts::{numbers, panel, table_box};
use crate::rating::Estimate;
use crate::report::numbers::{counted, elo, interval, percent, thousands};
use crate::stats::{SeatAdvantage, Summary};

pub(super) fn first_player(summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let classes = [
        (
            "By the mean rating of the two agents, in Elo",
            &first.by_level,
        ),
        ("By the difference of their ratings, in Elo", &first.by_gap),
    ];
    // Symmetric around one half, and as wide as the widest interval.
    let met = summary
        .pairings
        .iter()
        .flat_map(|pairing| [pairing.first_win_rate.low, pairing.first_win_rate.high]);
    let classed = classes.iter().flat_map(|(_, classes)| classes.iter());
    let classed = classed.flat_map(|class| [class.win_rate.low, class.win_rate.high]);
    let widest = met
        .chain(classed)
        .flatten()
        .map(|end| (end - 0.5).abs())
        .fold(0.1, f64::max);
    let reach = (10.0 * widest).ceil().min(5.0) / 10.0;
    let scale = Scale::new(0.5 - reach..0.5 + reach, Some(0.5));
    let [from, until] = [-reach, reach].map(|off| format!("{:.0}%", 100.0 * (0.5 + off)));
    let head = html! { thead { tr {
        th scope="col" { "games of" } th.strips aria-hidden="true" { span.left { (from) } span.right { (until) } }
        th.number scope="col" { "first player wins" } th.number scope="col" { "95%" } th.number scope="col" { "games" }
    } } };
    panel(
        "first-player",
        "First-player advantage",
        &html! {
            p {
                @if first.equal_win_rate.value.is_some() {
                    "Between equally strong agents, the first player wins " strong { (percent(first.equal_win_rate)) }
                    " (95%: " (interval(first.equal_win_rate, percent)) ")."
                }
                @if first.elo.value.is_some() {
                    " With the agents' strengths taken into account, moving first is worth " strong { (elo(first.elo)) " Elo" }
                    " (95%: " (interval(first.elo, elo)) ")."
                }
                " Among these agents, the first player won " (percent(first.win_rate)) " of " (counted(first.games, "game"))
                " (95%: " (interval(first.win_rate, percent)) "). This share is close to one half where the better agent wins from either seat."
            }
            div.box.tall tabindex="0" role="region" aria-label="First-player advantage by pairing" { table {
                caption.hidden { "Share of games won by the first player, by pairing" }
                (head)
                tbody {
                    (seat_row(&scale, &html! { "all" }, first.games, first.win_rate))
                    @for pairing in summary.pairings.iter().filter(|pairing| pairing.games > 0) {
                        @let name = html! { (pairing.a) span.against { " · " } span.other { (pairing.b) } };
                        (seat_row(&scale, &name, pairing.games, pairing.first_win_rate))
                    }
                }
            } }
            div.pair { @for (title, classes) in classes { @if classes.len() > 1 {
                div { h3 { (title) }
                    (table_box(title, &html! { (head) tbody { @for class in classes {
                        (seat_row(&scale, &html! { (range(class)) }, class.games, class.win_rate))
                    } } })) }
            } } }
        },
    )
}

/// The win rate of the first player with its interval.
fn seat_row(scale: &Scale, name: &Markup, games: u64, rate: Estimate) -> Markup {
    html! { tr {
        th.pairing scope="row" { (name) }
        td.strips { @if let Some(value) = rate.value { (interval_bar(scale, value, rate.interval())) } }
        td.number.strong { (percent(rate)) }
        (numbers([interval(rate, percent), thousands(games)]))
    } }
}

fn range(class: &SeatAdvantage) -> String {
    class.to.map_or_else(
        || format!("{:.0} and more", class.from),
        |to| format!("{:.0} to {to:.0}", class.from),
    )
}
