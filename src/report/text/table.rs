//! Tables of a terminal.

use std::io;

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

/// A rule under the column names and nothing else.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('-'));

/// Characters of a name beside many other columns.
const SHORT_NAME: usize = 19;

/// A table with columns of text, flush left, and columns of numbers, flush right.
pub(in crate::report) fn table(texts: &[&str], numbers: &[impl AsRef<str>]) -> Table {
    let mut table = Table::new();
    let numbers = numbers.iter().map(AsRef::as_ref);
    table.load_style(STYLE);
    table.set_header(texts.iter().copied().chain(numbers));
    for column in table.column_iter_mut().skip(texts.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    // Ranks are numbers as well.
    if texts.first() == Some(&"#")
        && let Some(ranks) = table.column_mut(0)
    {
        ranks.set_cell_alignment(CellAlignment::Right);
    }
    table
}

pub(in crate::report) fn add_row(
    table: &mut Table,
    texts: impl IntoIterator<Item = String>,
    numbers: impl IntoIterator<Item = String>,
) {
    table.add_row(texts.into_iter().chain(numbers).map(Cell::new));
}

pub(in crate::report) fn write_table(
    out: &mut dyn io::Write,
    title: &str,
    table: &mut Table,
) -> io::Result<()> {
    writeln!(out, "{title}\n{}", table.trim_fmt())
}

/// A name with its middle cut out when it is long; versions of an agent differ at their ends.
pub(in crate::report) fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= SHORT_NAME {
        return name.to_string();
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
    }
}
