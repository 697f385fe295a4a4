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
