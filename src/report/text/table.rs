//! Tables for a terminal.

use std::io;

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

use crate::report::tables::SharedTable;

/// Only a rule under the column names.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('-'));

/// Maximum length of a name beside many other columns, in characters.
const SHORT_NAME: usize = 19;

/// A table with left-aligned text columns followed by right-aligned number columns.
pub(super) struct TextTable(Table);

impl TextTable {
    /// A table without rows. `heads` are separated by ` | `; the first `texts` columns are text,
    /// except that a column `#` always contains numbers.
    pub(super) fn new(texts: usize, heads: &str) -> Self {
        let mut table = Table::new();
        let heads: Vec<&str> = heads.split(" | ").collect();
        table.load_style(STYLE);
        table.set_header(heads.iter().copied());
        for (i, column) in table.column_iter_mut().enumerate() {
            if i >= texts || heads[i] == "#" {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Writes a table that the page has as well.
    pub(super) fn write_shared(out: &mut dyn io::Write, shared: SharedTable) -> io::Result<()> {
        let mut table = Self::new(1, shared.heads);
        shared.rows.into_iter().for_each(|row| table.row(row));
        table.write(out, &shared.title)
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells.into_iter().map(Cell::new));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.row_count() == 0
    }

    pub(super) fn write(&self, out: &mut dyn io::Write, title: &str) -> io::Result<()> {
        writeln!(out, "{title}\n{}", self.0.trim_fmt())
    }
}

/// A long name in short: of a variant only the values, as in `mcts-fast{0.4,12}`, since its keys are those
/// of other variants too; then without the middle, since versions of an agent often differ only at the end.
pub(super) fn shortened(name: &str) -> String {
    let name = match name.split_once('{') {
        Some((agent, overrides)) if name.chars().count() > SHORT_NAME => {
            let values = overrides.split(',');
            let values = values.map(|part| part.split_once('=').map_or(part, |(_, value)| value));
            format!("{agent}{{{}", values.collect::<Vec<_>>().join(","))
        }
        _ => name.to_owned(),
    };
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= SHORT_NAME {
        return name;
    }
    let start: String = letters[..SHORT_NAME / 2].iter().collect();
    let end: String = letters[letters.len() - (SHORT_NAME - SHORT_NAME / 2 - 1)..]
        .iter()
        .collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("mcts-bl-lb-every-regret"), "mcts-bl-l…ry-regret");
        assert_eq!(shortened("a{b=1}"), "a{b=1}");
        let variant = "mcts-fast{iterations=12,exploration=0.4}";
        assert_eq!(shortened(variant), "mcts-fast{12,0.4}");
    }
}
