//! Reference traces of the paper's program.

use std::{fs, io};

use flate2::read::GzDecoder;

/// The traces of 51 strategies with 24 orders.
pub(crate) fn published_traces() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/placement-traces.tsv.gz"
    );
    let file = fs::File::open(path).expect("readable");
    io::read_to_string(GzDecoder::new(file)).expect("gzip")
}
