//! Lengths of games and final scores.

use maud::{Markup, html};

use super::parts::{figure, head, panel, shared_table, table_box};
use super::plot::{Axes, Map, NARROW, plot};
use crate::report::numbers::{counted, thousands, whole};
use crate::report::tables::{composition, quantities};
use crate::stats::{ScoreBin, Summary};

pub(super) fn games(summary: &Summary) -> Markup {
    panel(
        "games",
        "The games",
        &html! {
            div.pair { (lengths(summary)) (scores(summary)) }
            (shared_table(&quantities(summary)))
            (shared_table(&composition(summary)))
        },
    )
}

/// A vertical bar from the axis.
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
                (bar(map, x - 0.5, x + 0.5, bin.plies, "c0", &format!("{} plies: {}", bin.length, counted(bin.plies, "game"))))
            }
        }
    });
    html! { div { h3 { "Length of games" } (figure("games", &shown, &table_box("Games by length", &html! {
        (head(0, "length | games by plies | games by turns"))
        tbody { @for bin in bins { tr {
            th.number scope="row" { (bin.length) } td.number { (bin.plies) } td.number { (bin.turns) }
        } } }
    }))) } }
}

/// Scores in a few classes of equal width: the width, and the lower end, winners and losers of each
/// class.
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
                    @if losers > 0 { (bar(map, left, right, losers, "c1 half", &format!("{} points: {}", name(from), counted(losers, "loser")))) }
                    @if winners > 0 { (bar(map, left, right, winners, "c0 half", &format!("{} points: {}", name(from), counted(winners, "winner")))) }
                }
            }
        },
    );
    html! { div { h3 { "Points of winners and losers" }
        (figure("players", &shown, &table_box("Players by points", &html! {
            (head(0, "points | winners | losers"))
            tbody { @for &(from, winners, losers) in &classes { tr {
                th.number scope="row" { (name(from)) } td.number { (winners) } td.number { (losers) }
            } } }
        })))
        ul.legend { li { span.key.c0 {} " winners" } li { span.key.c1 {} " losers" } }
    } }
}
