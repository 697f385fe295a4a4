//! Reports of staged tournaments: unchanged since the last review, and the same in all four formats.

mod agree;
mod forms;
mod golden;
mod seen;
mod staged;
mod widths;
