//! Reports of staged tournaments: unchanged since the last review, and the same in all four formats.

#[path = "../support/mod.rs"]
mod support;

mod agree;
mod forms;
mod golden;
mod seen;
mod staged;
