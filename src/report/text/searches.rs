//! Search statistics of the agents, and their expectations compared with results.

use std::io;

use super::table::{TextTable, shortened};
use crate::report::numbers::{counted, duration, one_place, percent, three_places, whole};
use crate::report::tables::expectations;
use crate::stats::{Thinking, Times, Trees};

/// Writes the effort, trees and expectations of each agent that reports any of them.
pub(super) fn write_searches(out: &mut dyn io::Write, thinking: &Thinking) -> io::Result<()> {
    let mut table = TextTable::new(
        1,
        "agent | iter/move | depth | max | nodes | entropy | forced | solved | median | 99% | Brier",
    );
    for row in &thinking.agents {
        if row.searches == 0 && row.solved.is_none() {
            continue;
        }
        let tree = |number: fn(&Trees) -> f64| row.tree.as_ref().map(number);
        let time = |number: fn(&Times) -> f64| row.time.as_ref().map(number);
        table.row([
            shortened(&row.agent),
            whole(row.iterations_per_move),
            one_place(tree(|tree| tree.mean_depth)),
            whole(tree(|tree| tree.max_depth.into())),
            whole(tree(|tree| tree.mean_nodes)),
            one_place(tree(|tree| tree.entropy)),
            percent(row.forced),
            percent(row.solved),
            duration(time(|time| time.p50)),
            duration(time(|time| time.p99)),
            three_places(row.calibration.as_ref().map(|found| found.brier)),
        ]);
    }
    if table.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    table.write(
        out,
        "Searches: averages per decision; times per move; Brier score, 0.25 for always predicting 50%",
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
    writeln!(out)?;
    TextTable::write_shared(out, expectations(calibration))
}
