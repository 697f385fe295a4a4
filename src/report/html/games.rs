//! Lengths of games and points at their end.

use maud::{Markup, html};

use super::parts::{figure, or_dash, panel, table_box, to, whole};
use super::plot::{Axes, Map, NARROW, plot};
use crate::rating::Estimate;
use crate::report::numbers::{counted_thousands, one_place, thousands};
use crate::stats::{Lengths, Role, ScoreBin, Summary};

pub(super) fn games(summary: &Summary) -> Markup {
    panel(
        "games",
        "The games",
        &html! {
            div.pair { (lengths(summary)) (scores(summary)) }
            (table_box("Numbers of a game", &html! {
                thead { tr { th scope="col" { "per game" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                    th.number scope="col" { "sd" } th.number scope="col" { "1st player" } th.number scope="col" { "2nd player" } } }
                tbody {
                    (length_row("plies", &summary.plies.all))
                    (length_row("turns (plies but special patches)", &summary.plies.turns))
                    @for (name, seats) in [("squares covered by a player", &summary.covered), ("buttons left to a player", &summary.buttons)] {
                        (game_row(name, [seats.mean, None, None, None, seats.first, seats.second]))
                    }
                    (game_row("points of a player", [summary.scores.mean, None, None, summary.scores.sd, summary.scores.first, summary.scores.second]))
                }
            }))
            (table_box("What points are made of", &html! {
                thead { tr { th scope="col" { "points of" } th.number scope="col" { "all" } th.number scope="col" { "buttons" }
                    th.number scope="col" { "empty squares" } th.number scope="col" { "7×7 bonus" } } }
                tbody { @for part in &summary.scores.composition { tr {
                    th scope="row" { "the " (match part.role { Role::First => "first player", Role::Second => "second player", role => role.name() }) }
                    td.number.strong { (or_dash(part.points, one_place)) }
                    @for value in [part.buttons, part.squares, part.bonus] { td.number { (or_dash(value, one_place)) } }
                } } }
            }))
        },
    )
}

fn length_row(name: &str, lengths: &Lengths) -> Markup {
    let Estimate {
        value, low, high, ..
    } = lengths.both;
    game_row(
        name,
        [
            value,
            low,
            high,
            lengths.sd,
            lengths.first.value,
            lengths.second.value,
        ],
    )
}

fn game_row(name: &str, [mean, low, high, sd, first, second]: [Option<f64>; 6]) -> Markup {
    html! { tr {
        th scope="row" { (name) }
        td.number.strong { (or_dash(mean, one_place)) }
        td.number { (to(low, high, one_place)) }
        @for value in [sd, first, second] { td.number { (or_dash(value, one_place)) } }
    } }
}

/// A bar from the axis up.
fn bar(map: Map<'_>, from: f64, to: f64, count: u64, class: &str, title: &str) -> Markup {
    let ((left, top), (right, bottom)) = (map(from, count as f64), map(to, 0.0));
    html! {
        rect class={ "bar " (class) } x=(format!("{:.1}", left + 0.6)) y=(format!("{top:.1}"))
            width=(format!("{:.1}", (right - left - 1.2).max(0.4))) height=(format!("{:.1}", bottom - top)) {
            title { (title) }
        }
    }
}

fn lengths(summary: &Summary) -> Markup {
    let bins = &summary.plies.histogram;
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return html! {};
    };
    let most = bins
        .iter()
        .map(|bin| bin.plies.max(bin.turns))
        .max()
        .unwrap_or(1);
    let axes = Axes {
        size: NARROW,
        x: first.length as f64 - 1.0..last.length as f64 + 1.0,
        y: 0.0..1.08 * most as f64,
        x_name: "plies",
        x_label: whole,
        y_label: |games| thousands(games.max(0.0).round() as u64),
    };
    let title = "Histogram of the number of plies of a game";
    let shown = plot(title, &axes, |map| {
        html! {
            @for bin in bins.iter().filter(|bin| bin.plies > 0) {
                @let x = bin.length as f64;
                (bar(map, x - 0.5, x + 0.5, bin.plies, "c0", &format!("{} plies: {}", bin.length, counted_thousands(bin.plies, "game"))))
            }
        }
    });
    html! { div { h3 { "How long games are" } (figure("games", &shown, &table_box("Games by length", &html! {
        thead { tr { th.number scope="col" { "length" } th.number scope="col" { "games of so many plies" } th.number scope="col" { "games of so many turns" } } }
        tbody { @for bin in bins { tr {
            th.number scope="row" { (bin.length) } td.number { (bin.plies) } td.number { (bin.turns) }
        } } }
    }))) } }
}

/// Points in classes of equal width, which are few enough to see: lower ends, winners and losers.
fn score_classes(bins: &[ScoreBin]) -> (i32, Vec<(i32, u64, u64)>) {
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return (1, Vec::new());
    };
    let span = i32::from(last.points) - i32::from(first.points) + 1;
    let width = [1, 2, 5, 10]
        .into_iter()
        .find(|width| span / width <= 44)
        .unwrap_or(20);
    let start = i32::from(first.points).div_euclid(width);
    let end = i32::from(last.points).div_euclid(width);
    let mut classes: Vec<(i32, u64, u64)> =
        (start..=end).map(|class| (class * width, 0, 0)).collect();
    for bin in bins {
        let class = &mut classes[(i32::from(bin.points).div_euclid(width) - start) as usize];
        class.1 += bin.winner;
        class.2 += bin.loser;
    }
    (width, classes)
}

fn scores(summary: &Summary) -> Markup {
    let (width, classes) = score_classes(&summary.scores.histogram);
    let (Some(first), Some(last)) = (classes.first(), classes.last()) else {
        return html! {};
    };
    let most = classes
        .iter()
        .map(|class| class.1.max(class.2))
        .max()
        .unwrap_or(1);
    let axes = Axes {
        size: NARROW,
        x: f64::from(first.0)..f64::from(last.0 + width),
        y: 0.0..1.08 * most as f64,
        x_name: "points",
        x_label: whole,
        y_label: |games| thousands(games.max(0.0).round() as u64),
    };
    let name = |from: i32| {
        if width == 1 {
            from.to_string()
        } else {
            format!("{from} to {}", from + width - 1)
        }
    };
    let shown = plot(
        "Histogram of the points of winners and losers",
        &axes,
        |map| {
            html! {
                @for &(from, winners, losers) in &classes {
                    @let (left, right) = (f64::from(from), f64::from(from + width));
                    @if losers > 0 { (bar(map, left, right, losers, "c1 half", &format!("{} points: {}", name(from), counted_thousands(losers, "loser")))) }
                    @if winners > 0 { (bar(map, left, right, winners, "c0 half", &format!("{} points: {}", name(from), counted_thousands(winners, "winner")))) }
                }
            }
        },
    );
    html! { div { h3 { "How many points they bring" }
        (figure("players", &shown, &table_box("Players by points", &html! {
            thead { tr { th.number scope="col" { "points" } th.number scope="col" { "winners" } th.number scope="col" { "losers" } } }
            tbody { @for &(from, winners, losers) in &classes { tr {
                th.number scope="row" { (name(from)) } td.number { (winners) } td.number { (losers) }
            } } }
        })))
        ul.legend { li { span.key.c0 {} " winners" } li { span.key.c1 {} " losers" } }
    } }
}
