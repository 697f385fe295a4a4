//! Reports of staged tournaments: unchanged since the last review, and the same in all four formats.

mod agree;
mod audit;
mod forms;
mod golden;
mod seen;
mod staged;
mod widths;
