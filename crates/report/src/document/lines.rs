//! Tables that are written line by line, in columns whose widths are known before.

use std::fmt::{Alignment, Display};

/// The columns of a table that is written line by line.
///
/// ```
/// use patchwork_report::document::LineTable;
///
/// let table = LineTable::new(2).left("agent", 6).right("games", 5);
/// assert_eq!(table.head(), "agent   games");
/// assert_eq!(table.line(&[&"random", &12]), "random     12");
/// ```
#[derive(Clone, Debug)]
pub struct LineTable {
    /// The number of spaces between columns.
    gap: usize,
    /// The heading of each column, its least width in characters, and the side of its cells.
    columns: Vec<(&'static str, usize, Alignment)>,
}

impl LineTable {
    /// A table without columns, with this number of spaces between those that are added.
    pub const fn new(gap: usize) -> Self {
        Self {
            gap,
            columns: Vec::new(),
        }
    }

    /// Adds a column of texts, which begin at its left side.
    pub fn left(mut self, head: &'static str, width: usize) -> Self {
        self.columns.push((head, width, Alignment::Left));
        self
    }

    /// Adds a column of numbers, which end at its right side.
    pub fn right(mut self, head: &'static str, width: usize) -> Self {
        self.columns.push((head, width, Alignment::Right));
        self
    }

    /// The line of the headings.
    pub fn head(&self) -> String {
        self.join(self.columns.iter().map(|(head, ..)| (*head).to_owned()))
    }

    /// A line with a cell for each column.
    pub fn line(&self, cells: &[&dyn Display]) -> String {
        self.join(cells.iter().map(ToString::to_string))
    }

    fn join(&self, cells: impl Iterator<Item = String>) -> String {
        let cells = self.columns.iter().zip(cells);
        let cells = cells.map(|(&(_, width, side), cell)| match side {
            Alignment::Right => format!("{cell:>width$}"),
            _ => format!("{cell:<width$}"),
        });
        cells.collect::<Vec<_>>().join(&" ".repeat(self.gap))
    }
}
