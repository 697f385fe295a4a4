//! Numbers of legal actions.

use maud::{Markup, html};

use super::parts::{figure, head, numbers, panel, shared_table, table_box};
use super::plot::{Axes, NARROW, band, line, plot};
use crate::report::numbers::{counted, interval, one_place, percent, thousands, whole};
use crate::report::tables::legal_actions;
use crate::stats::{PlyBranching, Summary};

pub(super) fn branching(summary: &Summary) -> Markup {
    let plies = &summary.branching.by_ply;
    panel(
        "branching",
        "Branching factor",
        &html! {
            p { "Number of legal actions per ply, including forced plies and special patches"
                @if plies.iter().any(|ply| ply.legal.interval().is_some()) { "; the band is the 95% interval of the mean" } "." }
            div.pair {
                (figure("legal actions", &by_ply(plies), &table_box("Legal actions by ply", &html! {
                    (head(0, "ply | mean | 95% | forced | games"))
                    tbody { @for (number, ply) in (1..).zip(plies) { tr {
                        th.number scope="row" { (number) } td.number.strong { (one_place(ply.legal)) }
                        (numbers([
                            interval(ply.legal, |end| one_place(end.max(0.0))),
                            percent(ply.forced),
                            thousands(ply.games),
                        ]))
                    } } }
                })))
                (shared_table(&legal_actions(summary)))
            }
        },
    )
}

fn by_ply(plies: &[PlyBranching]) -> Markup {
    // The last plies occur in too few games to be meaningful.
    let enough = plies.first().map_or(0, |ply| ply.games / 50);
    let shown: Vec<(f64, f64, &PlyBranching)> = (1..)
        .zip(plies)
        .filter(|(_, ply)| ply.games > enough)
        .filter_map(|(number, ply)| Some((f64::from(number), ply.legal.value?, ply)))
        .collect();
    let most = shown
        .iter()
        .flat_map(|(_, mean, ply)| [*mean, ply.legal.high.unwrap_or(0.0)])
        .fold(1.0, f64::max);
    let axes = Axes {
        size: NARROW,
        x: 0.0..shown.len() as f64 + 1.0,
        y: 0.0..1.06 * most,
        x_name: "ply",
        x_label: whole,
        y_label: whole,
    };
    plot(
        "Mean number of legal actions by ply; the numbers follow in a table",
        &axes,
        |map| {
            let end = |which: fn((f64, f64)) -> f64| -> Vec<(f64, f64)> {
                let known = shown
                    .iter()
                    .filter_map(|(number, _, ply)| Some((number, ply.legal.interval()?)));
                known
                    .map(|(&number, ends)| map(number, which(ends).max(0.0)))
                    .collect()
            };
            let means: Vec<_> = shown
                .iter()
                .map(|&(number, mean, _)| map(number, mean))
                .collect();
            html! {
                path.band.c0 d=(band(&end(|ends| ends.0), &end(|ends| ends.1))) {}
                path.curve.c0 d=(line(&means)) {}
                @for ((number, mean, ply), (x, y)) in shown.iter().zip(&means) {
                    circle.point.c0 cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.6" {
                        title { "ply " (number) ": " (one_place(*mean)) " legal actions in " (counted(ply.games, "game")) }
                    }
                }
            }
        },
    )
}
