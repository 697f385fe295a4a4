//! Search statistics of the agents, and their expectations compared with results.

use maud::{Markup, html};

use super::bars::{Scale, spread_bar};
use super::parts::{head, numbers, panel, series_class, shared_table, table_box};
use super::plot::{Axes, SQUARE, line, plot};
use crate::report::numbers::{
    counted, duration, known, one_place, per_second, percent, thousands, three_places,
};
use crate::report::tables::expectations as expectation_table;
use crate::stats::{AgentThinking, Calibration, CalibrationBin, Thinking, Times, Trees};

pub(super) fn section(thinking: &Thinking) -> Markup {
    panel(
        "thinking",
        "Searches",
        &html! {
            (effort(thinking))
            @if thinking.agents.iter().any(|row| row.tree.is_some() || row.solved.is_some()) { (trees(thinking)) }
            @if let Some(calibration) = &thinking.calibration { (expectations(thinking, calibration)) }
        },
    )
}

fn effort(thinking: &Thinking) -> Markup {
    let times: Vec<Times> = thinking.agents.iter().filter_map(|row| row.time).collect();
    // Times of agents differ by orders of magnitude; less than 100 nanoseconds is timer noise.
    let log = |seconds: f64| seconds.max(1e-7).log10();
    let scale = Scale::around(
        times.iter().flat_map(|time| [log(time.p5), log(time.p99)]),
        None,
    );
    html! {
        h3 { "Time and iterations per move" }
        p { "Decisions with more than one legal action. Bars, on a logarithmic scale, show the median, the middle half, and 5% to 95%." }
        (table_box("Time and iterations per move", &html! {
            (head(1, "agent | median | ~ | mean | 99% | slowest | iterations/move | iterations/s | forced"))
            tbody { @for row in &thinking.agents { tr {
                th scope="row" { (row.agent) }
                @if let Some(time) = row.time {
                    td.number.strong { (duration(time.p50)) }
                    td.strips { (spread_bar(&scale, [time.p5, time.p25, time.p50, time.p75, time.p95].map(log))) }
                    (numbers([time.mean, time.p99, time.max].map(duration)))
                } @else {
                    td.number { "-" } td.strips {} @for _ in 0..3 { td.number { "-" } }
                }
                td.number { (known(row.iterations_per_move, |n| thousands(n.round() as u64))) }
                td.number { (per_second(row.iterations_per_s)) }
                td.number { (percent(row.forced)) }
            } } }
        }))
    }
}

fn trees(thinking: &Thinking) -> Markup {
    let told =
        |row: &&AgentThinking| row.searches > 0 || row.tree.is_some() || row.solved.is_some();
    let tree = |row: &AgentThinking, number: fn(&Trees) -> String| {
        row.tree.as_ref().map_or_else(|| "-".into(), number)
    };
    html! {
        h3 { "Trees" }
        p { "Averages per decision: plies from the root to where an iteration left the tree, positions in the tree, and the entropy of the shares of "
            "visits at the root (0 bits when one action got them all). Solved is the share of decisions at which the agent had proven who wins." }
        (table_box("Search trees", &html! {
            (head(1, "agent | depth | deepest | positions | most | entropy, bits | solved | Brier score"))
            tbody { @for row in thinking.agents.iter().filter(told) { tr {
                th scope="row" { (row.agent) }
                td.number { (tree(row, |tree| one_place(tree.mean_depth))) }
                td.number { (tree(row, |tree| tree.max_depth.to_string())) }
                td.number { (tree(row, |tree| thousands(tree.mean_nodes.round() as u64))) }
                td.number { (tree(row, |tree| thousands(tree.max_nodes.into()))) }
                td.number { (tree(row, |tree| one_place(tree.entropy))) }
                td.number { (percent(row.solved)) }
                td.number { (three_places(row.calibration.as_ref().map(|found| found.brier))) }
            } } }
        }))
        @for row in thinking.agents.iter().filter(|row| row.broken_proofs > 0) {
            p.warning { (row.agent) " lost games after " (counted(row.broken_proofs, "decision")) " in which it had proven a win: an error of the agent." }
        }
    }
}

fn expectations(thinking: &Thinking, all: &Calibration) -> Markup {
    let told: Vec<(usize, &AgentThinking, &Calibration)> = thinking
        .agents
        .iter()
        .enumerate()
        .filter_map(|(rank, row)| Some((rank, row, row.calibration.as_ref()?)))
        .collect();
    html! {
        h3 { "Do expectations come true?" }
        p { "How often agents expected to win, in bins, against how often they won. On the diagonal expectations are right; above it an agent is "
            "underconfident, below it overconfident. Intervals are 95% and treat the decisions of a game as related. The Brier score over all is "
            strong { (format!("{:.3}", all.brier)) } " (0 is perfect, 0.25 is always predicting 50%)." }
        div.pair {
            figure {
                p.axis { "games won" }
                (reliability(&told, all))
                ul.legend {
                    li { span.key.all { "●" } " all agents, with intervals" }
                    @for (rank, row, _) in &told { li { span class={ "key " (series_class(*rank)) } { (rank + 1) } " " (row.agent) } }
                }
            }
            (shared_table(&expectation_table(all)))
        }
    }
}

fn reliability(told: &[(usize, &AgentThinking, &Calibration)], all: &Calibration) -> Markup {
    let percents = |share: f64| format!("{:.0}%", 100.0 * share);
    let axes = Axes {
        size: SQUARE,
        x: 0.0..1.0,
        y: 0.0..1.0,
        x_name: "expected",
        x_label: percents,
        y_label: percents,
    };
    let place = |bin: &CalibrationBin| Some((bin.predicted?, bin.won.value?));
    plot(
        "Expected share of wins against the actual share; the numbers follow in a table",
        &axes,
        |map| {
            html! {
                path.diagonal d=(line(&[map(0.0, 0.0), map(1.0, 1.0)])) {}
                @for &(rank, _, calibration) in told {
                    // Bins with few decisions are noisy and would be distracting.
                    @let enough = calibration.plies / 200;
                    @let points: Vec<_> = calibration.bins.iter().filter(|bin| bin.plies > enough).filter_map(place).map(|(x, y)| map(x, y)).collect();
                    path class={ "curve thin " (series_class(rank)) } d=(line(&points)) {}
                }
                @for bin in &all.bins { @if let (Some((x, y)), Some((low, high))) = (place(bin), bin.won.interval()) {
                    path.error d=(line(&[map(x, low), map(x, high)])) {}
                    @let (cx, cy) = map(x, y);
                    circle.point.all cx=(format!("{cx:.1}")) cy=(format!("{cy:.1}")) r="4.2" {
                        title { "expected " (percent(x)) ", won " (percent(y)) " of " (thousands(bin.plies)) " decisions" }
                    }
                } }
            }
        },
    )
}
