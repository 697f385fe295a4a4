//! The effort of the agents: times, iterations and trees.

use super::TournamentReport;
use crate::document::{
    Bar, Block, CsvTable, ReportSection, ReportTable, TableCell, TableOf, Unit, counted,
};
use patchwork_tournament::stats::statistics::{
    DEPTH, ENTROPY, ITERATIONS, NODES, QUANTILE, SOLVED, SPEED, TIME,
};
use patchwork_tournament::stats::{AgentThinking, Times};

pub(super) const TABLES: &[CsvTable] = &[SEARCHES];
const SEARCHES: CsvTable = CsvTable::new("searches", "One row per agent: effort, trees and times");

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let agents = &report.summary.thinking;
    let effort = ReportTable::of(agents)
        .csv(SEARCHES)
        .name("agent", "agent", |row| (&row.agent, false))
        .column("plies", "", Unit::Count, |row| row.plies)
        .column("forced", "forced", Unit::Share, |row| row.forced)
        .priority(5)
        .column("solved", "solved", Unit::Share, |row| row.solved)
        .explained(SOLVED)
        .priority(3)
        .column("broken_proofs", "", Unit::Count, |row| row.broken_proofs)
        .column("searches", "", Unit::Count, |row| row.searches)
        .column("iterations_per_move", "iter/move", Unit::Count, |row| {
            row.iterations_per_move
        })
        .statistic(ITERATIONS)
        .column("iterations_per_s", "iter/s", Unit::Rate, |row| {
            row.iterations_per_s
        })
        .statistic(SPEED)
        .priority(8);
    let clock = |row: &&AgentThinking| report.header.clock_of(&row.agent);
    let effort = trees(effort).column("", "clock", Unit::Text, clock);
    let table = times(effort.priority(2));
    let mut section = ReportSection::new("thinking", "Searches").table(table);
    for row in agents.iter().filter(|row| row.broken_proofs > 0) {
        section = section.block(Block::Warning(
            format!(
                "{} lost games after {} in which it had proven a win: an error of the agent.",
                row.agent,
                counted(row.broken_proofs, "decision")
            )
            .into(),
        ));
    }
    section
}

fn trees<'a>(table: TableOf<'a, &'a AgentThinking>) -> TableOf<'a, &'a AgentThinking> {
    table
        .column("mean_depth", "depth", Unit::OneDecimal, |row| {
            row.tree.map(|tree| tree.mean_depth)
        })
        .explained(DEPTH)
        .priority(2)
        .column("max_depth", "max depth", Unit::Count, |row| {
            row.tree.map(|tree| f64::from(tree.max_depth))
        })
        .priority(5)
        .column("mean_nodes", "nodes", Unit::Count, |row| {
            row.tree.map(|tree| tree.mean_nodes)
        })
        .explained(NODES)
        .priority(4)
        .column("max_nodes", "max nodes", Unit::Count, |row| {
            row.tree.map(|tree| f64::from(tree.max_nodes))
        })
        .priority(10)
        .column("entropy", "entropy", Unit::OneDecimal, |row| {
            row.tree.map(|tree| tree.entropy)
        })
        .explained(ENTROPY)
        .priority(6)
}

fn times<'a>(table: TableOf<'a, &'a AgentThinking>) -> TableOf<'a, &'a AgentThinking> {
    let time =
        |number: fn(&Times) -> f64| move |row: &&AgentThinking| row.time.as_ref().map(number);
    // Times of agents differ by orders of magnitude; less than 100 nanoseconds is timer noise.
    let log = |seconds: f64| seconds.max(1e-7).log10();
    let spread = move |row: &&AgentThinking| {
        let quantiles = |time: &Times| [time.p5, time.p25, time.p50, time.p75, time.p95].map(log);
        TableCell::Spread(row.time.as_ref().map(quantiles))
    };
    table
        .column("time_mean", "mean", Unit::Seconds, time(|time| time.mean))
        .statistic(TIME)
        .priority(7)
        .column("time_p5", "", Unit::Seconds, time(|time| time.p5))
        .statistic(QUANTILE)
        .column("time_p50", "median", Unit::Seconds, time(|time| time.p50))
        .explained(QUANTILE)
        .main()
        .column("", "times", Unit::Spread, spread)
        .bar(Bar::Around)
        .column("time_p95", "", Unit::Seconds, time(|time| time.p95))
        .statistic(QUANTILE)
        .column("time_p99", "99%", Unit::Seconds, time(|time| time.p99))
        .statistic(QUANTILE)
        .priority(1)
        .column("time_max", "max", Unit::Seconds, time(|time| time.max))
        .priority(9)
}
