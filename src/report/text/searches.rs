//! How the agents search, and whether they expect rightly.

use std::io;

use super::table::{add_row, shortened, table, write_table};
use crate::report::numbers::{counted, duration, one_place, optional, percent, percents};
use crate::stats::{Thinking, Times, Trees};

/// Of each agent that tells something: effort, trees, and how its expectations came true.
pub(super) fn write_thinking(out: &mut dyn io::Write, thinking: &Thinking) -> io::Result<()> {
    let names = [
        "iter/move",
        "depth",
        "max",
        "nodes",
        "entropy",
        "forced",
        "solved",
        "median",
        "99%",
        "Brier",
    ];
    let mut rows = table(&["agent"], &names);
    let whole = |value: f64| format!("{value:.0}");
    for row in &thinking.agents {
        if row.searches == 0 && row.solved.is_none() {
            continue;
        }
        let tree = |number: fn(&Trees) -> f64, format: fn(f64) -> String| {
            optional(row.tree.as_ref().map(number), format)
        };
        let time = |number: fn(&Times) -> f64| optional(row.time.as_ref().map(number), duration);
        add_row(
            &mut rows,
            [shortened(&row.agent)],
            [
                optional(row.iterations_per_move, whole),
                tree(|tree| tree.mean_depth, one_place),
                tree(
                    |tree| f64::from(tree.max_depth),
                    |depth| format!("{depth:.0}"),
                ),
                tree(|tree| tree.mean_nodes, |nodes| format!("{nodes:.0}")),
                tree(|tree| tree.entropy, one_place),
                optional(row.forced, percent),
                optional(row.solved, percent),
                time(|time| time.p50),
                time(|time| time.p99),
                optional(row.calibration.as_ref().map(|c| c.brier), |brier| {
                    format!("{brier:.3}")
                }),
            ],
        );
    }
    if rows.row_count() == 0 {
        return Ok(());
    }
    writeln!(out)?;
    write_table(
        out,
        "Searches: averages of decisions; time of a move; 0 is the best Brier score, 0.25 a shrug's",
        &mut rows,
    )?;
    for row in thinking.agents.iter().filter(|row| row.broken_proofs > 0) {
        writeln!(
            out,
            " {} lost games after {} in which it had proven a win: an error of the agent.",
            row.agent,
            counted(row.broken_proofs, "decision")
        )?;
    }
    let Some(calibration) = &thinking.calibration else {
        return Ok(());
    };
    let mut table = table(&["expected to win"], &["decisions", "mean", "won", "95%"]);
    for bin in calibration.bins.iter().filter(|bin| bin.plies > 0) {
        add_row(
            &mut table,
            [format!("{:.0} to {:.0}%", 100.0 * bin.from, 100.0 * bin.to)],
            [
                bin.plies.to_string(),
                optional(bin.predicted, percent),
                optional(bin.won.value, percent),
                percents(bin.won.low, bin.won.high),
            ],
        );
    }
    writeln!(out)?;
    write_table(out, "Expectations against results, all agents", &mut table)
}
