//! Every step of packings, as lines of text.

use std::fmt::Write as _;
use std::io;

use patchwork_engine::placement::{Scratch, Strategy};
use rayon::prelude::*;

use super::experiment::stream_of;
use super::mode::Mode;
use super::order::Order;
use super::packing::pack;

/// Columns of a trace.
const HEADER: &str = "order\tpolicy\ttransforms\tevaluation\tarea\tstreak\tsteps";

/// Writes a header and a row for each order and strategy, separated by tabs.
///
/// The last column lists the steps: number of the patch (0 for a 1x1), number of alternatives, and
/// the squares row by row, with colons between them; `7:0:` means that patch 7 did not fit.
pub fn write_traces(
    mut out: impl io::Write,
    mode: Mode,
    orders: &[Order],
    strategies: &[Strategy],
    seed: u64,
) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    // Chunks large enough to keep all threads busy without holding everything in memory.
    for orders in orders.chunks(64) {
        let rows: Vec<String> = orders
            .par_iter()
            .flat_map(|order| {
                strategies
                    .par_iter()
                    .map(move |strategy| row(mode, order, strategy, seed))
            })
            .collect();
        for row in rows {
            writeln!(out, "{row}")?;
        }
    }
    out.flush()
}

fn row(mode: Mode, order: &Order, strategy: &Strategy, seed: u64) -> String {
    let mut rng = stream_of(seed, order, strategy);
    let mut steps = String::new();
    let packing = pack(
        mode,
        order,
        strategy,
        &mut rng,
        &mut Scratch::default(),
        |step| {
            // Writing to a string cannot fail.
            let _ = write!(
                steps,
                " {}:{}:{}",
                step.number, step.alternatives, step.squares
            );
        },
    );
    let [policy, transforms, evaluation] = strategy.names();
    format!(
        "{}\t{policy}\t{transforms}\t{evaluation}\t{}\t{}\t{}",
        order.index(),
        packing.area,
        packing.streak,
        steps.trim_start()
    )
}
