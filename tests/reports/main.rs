//! Reports of staged tournaments: as they were, and the same in all four forms.

#[path = "../support/mod.rs"]
mod support;

mod agree;
mod forms;
mod golden;
mod seen;
mod staged;
