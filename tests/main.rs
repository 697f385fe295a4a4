//! All integration tests that need no process or features of their own, as one program: the library is linked once,
//! and the helpers are compiled once.

mod analyze;
mod battleships;
mod cli {
    //! The program as users see it: the binary, its files, its output and its exit codes.

    mod endings;
    mod games;
    mod growth;
    mod installed;
    mod komi;
    mod learning;
    mod ledger;
    mod matches;
    mod mistakes;
    mod nmbr9;
    mod output;
    mod paper;
    mod people;
    mod program;
    mod puzzles;
    mod ratings;
    mod reports;
    mod safety;
    mod scale;
    mod shards;
    #[cfg(unix)]
    mod stops;
    mod study;
    mod sweeps;
    mod thoughts;
    mod tournaments;
    mod tuning;
    mod variants;
    mod web;
    mod widths;
}
mod coverage;
mod docs;
#[cfg(unix)]
mod external {
    //! External agents: bots that speak the line protocol, and bots that fail in every way.

    mod faults;
    mod serving;
    mod transcript;
}
mod formats;
mod fuzz;
mod identities;
mod kernel;
mod nmbr9;
mod packing;
mod page {
    //! The page in a browser.
    //!
    //! Without Chromium, the tests are skipped with a message, unless `PATCHWORK_ARENA_BROWSER=required` is set;
    //! any other value of the variable is the browser to use.

    mod board;
    mod browser;
    mod content;
    mod games;
    mod layout;
    mod results;
    mod tables;
    mod tuning;
    mod viewer;
    mod web;
}
mod players;
mod ratings;
mod reports {
    //! Reports of staged tournaments: unchanged since the last review, and the same in all four formats.

    mod agree;
    mod audit;
    mod forms;
    mod golden;
    mod seen;
    mod staged;
    mod widths;
}
mod schemas;
mod sprt;
mod statistics;
mod tilings;
mod witness;
