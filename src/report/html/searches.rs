//! How the agents search, and whether they expect rightly.

use maud::{Markup, html};

use super::bars::{Scale, spread};
use super::parts::{or_dash, panel, series_class, table_box};
use super::plot::{Axes, SQUARE, line, plot};
use crate::report::numbers::{duration, one_place, per_second, percent, percents, thousands};
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
    // Times of agents differ by powers of ten; less than 100 nanoseconds is the clock's noise.
    let log = |seconds: f64| seconds.max(1e-7).log10();
    let scale = Scale::around(
        times.iter().flat_map(|time| [log(time.p5), log(time.p99)]),
        None,
    );
    html! {
        h3 { "Time and iterations per move" }
        p { "Of decisions with more than one legal action. Bars on a logarithmic scale: the median, the middle half, 5% to 95%." }
        (table_box("Time and iterations per move", &html! {
            thead { tr {
                th scope="col" { "agent" } th.number scope="col" { "median" } th.strips aria-hidden="true" {}
                th.number scope="col" { "mean" } th.number scope="col" { "99%" } th.number scope="col" { "slowest" }
                th.number scope="col" { "iterations/move" } th.number scope="col" { "iterations/s" } th.number scope="col" { "forced" }
            } }
            tbody { @for row in &thinking.agents { tr {
                th scope="row" { (row.agent) }
                @if let Some(time) = row.time {
                    td.number.strong { (duration(time.p50)) }
                    td.strips { (spread(&scale, [time.p5, time.p25, time.p50, time.p75, time.p95].map(log))) }
                    @for seconds in [time.mean, time.p99, time.max] { td.number { (duration(seconds)) } }
                } @else {
                    td.number { "–" } td.strips {} @for _ in 0..3 { td.number { "–" } }
                }
                td.number { (or_dash(row.iterations_per_move, |n| thousands(n.round() as u64))) }
                td.number { (or_dash(row.iterations_per_s, per_second)) }
                td.number { (or_dash(row.forced, percent)) }
            } } }
        }))
    }
}

fn trees(thinking: &Thinking) -> Markup {
    let told =
        |row: &&AgentThinking| row.searches > 0 || row.tree.is_some() || row.solved.is_some();
    let tree = |row: &AgentThinking, number: fn(&Trees) -> String| {
        row.tree.as_ref().map_or_else(|| "–".into(), number)
    };
    html! {
        h3 { "Trees" }
        p { "Averages of decisions: plies from the root to where an iteration left the tree, positions in the tree, and the entropy of the share of "
            "visits of the root's actions (0 bits when all went to one). Solved are decisions at which the agent had proven who wins." }
        (table_box("Search trees", &html! {
            thead { tr {
                th scope="col" { "agent" } th.number scope="col" { "depth" } th.number scope="col" { "deepest" } th.number scope="col" { "positions" }
                th.number scope="col" { "most" } th.number scope="col" { "entropy, bits" } th.number scope="col" { "solved" } th.number scope="col" { "Brier score" }
            } }
            tbody { @for row in thinking.agents.iter().filter(told) { tr {
                th scope="row" { (row.agent) }
                td.number { (tree(row, |tree| one_place(tree.mean_depth))) }
                td.number { (tree(row, |tree| tree.max_depth.to_string())) }
                td.number { (tree(row, |tree| thousands(tree.mean_nodes.round() as u64))) }
                td.number { (tree(row, |tree| thousands(tree.max_nodes.into()))) }
                td.number { (tree(row, |tree| one_place(tree.entropy))) }
                td.number { (or_dash(row.solved, percent)) }
                td.number { (or_dash(row.calibration.as_ref().map(|c| c.brier), |brier| format!("{brier:.3}"))) }
            } } }
        }))
        @for row in thinking.agents.iter().filter(|row| row.broken_proofs > 0) {
            p.warning { (row.agent) " lost games after " (row.broken_proofs) " decisions in which it had proven a win: an error of the agent." }
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
        p { "What agents expected for themselves, in bins, against how often they won. On the diagonal expectations are right; above it an agent is "
            "too modest, below it too hopeful. Intervals are 95% and take the decisions of a game as related. The Brier score of all is "
            strong { (format!("{:.3}", all.brier)) } ": 0 for one that always knows, 0.25 for one that always says one half." }
        div.pair {
            figure {
                p.axis { "games won" }
                (reliability(&told, all))
                ul.legend {
                    li { span.key.all { "●" } " all agents, with intervals" }
                    @for (rank, row, _) in &told { li { span class={ "key " (series_class(*rank)) } { (rank + 1) } " " (row.agent) } }
                }
            }
            (table_box("Expectations against results, all agents", &html! {
                thead { tr { th scope="col" { "expected" } th.number scope="col" { "decisions" } th.number scope="col" { "mean" }
                    th.number scope="col" { "won" } th.number scope="col" { "95%" } } }
                tbody { @for bin in &all.bins { tr {
                    th scope="row" { (format!("{:.0} to {:.0}%", 100.0 * bin.from, 100.0 * bin.to)) }
                    td.number { (thousands(bin.plies)) }
                    td.number { (or_dash(bin.predicted, percent)) }
                    td.number.strong { (or_dash(bin.won.value, percent)) }
                    td.number { (percents(bin.won.low, bin.won.high)) }
                } } }
            }))
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
                    // Few decisions in a bin are noise and would draw the eye.
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
