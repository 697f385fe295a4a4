//! Numbers of legal actions.

use maud::{Markup, html};

use super::parts::{figure, or_dash, panel, table_box, to, whole};
use super::plot::{Axes, NARROW, band, line, plot};
use crate::rating::Estimate;
use crate::report::numbers::{counted_thousands, one_place, percent, thousands};
use crate::stats::{Phase, Summary};

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
