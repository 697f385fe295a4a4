//! Reference traces of the paper's program.

use std::io;

use flate2::read::GzDecoder;

/// The traces of 51 strategies with 24 orders.
pub fn published_traces() -> String {
    let traces = include_bytes!("../../crates/engine/tests/data/placement-traces.tsv.gz");
    io::read_to_string(GzDecoder::new(&traces[..])).expect("gzip")
}
