//! What the game is like: lengths, points, rings, legal actions.

use maud::{Markup, html};

use super::parts::{figure, or_dash, panel, table_box, to, whole};
use super::plot::{Axes, Map, NARROW, band, line, plot};
use super::{counted_thousands, thousands};
use crate::rating::Estimate;
use crate::report::text::{one_place, percent, signed};
use crate::stats::{Lengths, Phase, Role, ScoreBin, Summary};

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

/// A ply from 1 on, the mean of its legal actions with its interval, and how many games have it.
type PlyRow = (usize, f64, Option<(f64, f64)>, u64);

pub(super) fn branching(summary: &Summary) -> Markup {
    let branching = &summary.branching;
    let rows: Vec<PlyRow> = branching
        .by_ply
        .iter()
        .zip(1..)
        .filter_map(|(ply, number)| {
            let Estimate { value, .. } = ply.legal;
            Some((number, value?, ply.legal.interval(), ply.games))
        })
        .collect();
    let forced = |i: usize| branching.by_ply.get(i).map(|ply| ply.forced);
    panel(
        "branching",
        "Branching factor",
        &html! {
            p { "Legal actions of a ply, forced ones and those of special patches included"
                @if rows.iter().any(|row| row.2.is_some()) { "; the band is the 95% interval of the mean" } "." }
            div.pair {
                (figure("legal actions", &by_ply(&rows), &table_box("Legal actions by ply", &html! {
                    thead { tr { th.number scope="col" { "ply" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                        th.number scope="col" { "forced" } th.number scope="col" { "games" } } }
                    tbody { @for (i, row) in rows.iter().enumerate() { tr {
                        th.number scope="row" { (row.0) } td.number.strong { (one_place(row.1)) }
                        td.number { (to(row.2.map(|ends| ends.0), row.2.map(|ends| ends.1), |end| one_place(end.max(0.0)))) }
                        td.number { (or_dash(forced(i), percent)) } td.number { (thousands(row.3)) }
                    } } }
                })))
                (table_box("Legal actions by phase", &html! {
                    thead { tr { th scope="col" { "at" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                        th.number scope="col" { "forced" } } }
                    tbody {
                        (branching_row("every ply", &branching.all, branching.forced.value))
                        @for phase in &branching.by_phase {
                            (branching_row(match phase.phase {
                                Phase::Opening => "opening, spaces 0 to 17",
                                Phase::Middle => "middle, spaces 18 to 35",
                                Phase::End => "end, spaces 36 to 53",
                            }, &phase.legal, phase.forced.value))
                        }
                        (branching_row("purchases of patches", &branching.buying.legal, None))
                    }
                }))
            }
        },
    )
}

fn branching_row(name: &str, legal: &Estimate, forced: Option<f64>) -> Markup {
    html! { tr {
        th scope="row" { (name) }
        td.number.strong { (or_dash(legal.value, one_place)) }
        td.number { (to(legal.low, legal.high, one_place)) }
        td.number { (or_dash(forced, percent)) }
    } }
}

fn by_ply(rows: &[PlyRow]) -> Markup {
    // The last plies of the longest games are those of too few games to see anything.
    let enough = rows.first().map_or(0, |row| row.3 / 50);
    let rows: Vec<_> = rows.iter().filter(|row| row.3 > enough).collect();
    let most = rows
        .iter()
        .flat_map(|row| [row.1, row.2.map_or(0.0, |ends| ends.1)])
        .fold(1.0, f64::max);
    let axes = Axes {
        size: NARROW,
        x: 0.0..rows.len() as f64 + 1.0,
        y: 0.0..1.06 * most,
        x_name: "ply",
        x_label: whole,
        y_label: whole,
    };
    plot(
        "Mean number of legal actions by ply; the numbers follow in a table",
        &axes,
        |map| {
            let told: Vec<_> = rows
                .iter()
                .filter_map(|row| Some((row.0 as f64, row.2?)))
                .collect();
            let points = |end: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
                told.iter()
                    .map(|(ply, ends)| map(*ply, end(ends).max(0.0)))
                    .collect()
            };
            let means: Vec<_> = rows.iter().map(|row| map(row.0 as f64, row.1)).collect();
            html! {
                path.band.c0 d=(band(&points(|ends| ends.0), &points(|ends| ends.1))) {}
                path.curve.c0 d=(line(&means)) {}
                @for (row, (x, y)) in rows.iter().zip(&means) {
                    circle.point.c0 cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.6" {
                        title { "ply " (row.0) ": " (one_place(row.1)) " legal actions in " (counted_thousands(row.3, "game")) }
                    }
                }
            }
        },
    )
}
