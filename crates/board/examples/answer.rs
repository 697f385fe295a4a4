//! Answers the questions of a page, one a line, natively: `echo '{"ask": "new"}' | answer`.
//!
//! The tests compare the answers with those of the WebAssembly module.

use std::io::{self, BufRead as _, Write as _};

use patchwork_board::BoardSession;

fn main() -> io::Result<()> {
    let mut session = BoardSession::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", session.call(&line?))?;
        out.flush()?;
    }
    Ok(())
}
