//! Tables for a terminal of limited width.

use std::io;

use crate::document::escape::escaped_line;
use anstyle::Style;
use textwrap::core::display_width;

use super::form::{FAINT, PLAIN, STRONG, TextForm, lines};
use crate::document::names::ShortNames;
use crate::document::numbers::{UNKNOWN, thousands};
use crate::document::{Column, MARK, Place, ReportTable, TableCell, Unit};

/// Spaces between columns.
const GAP: usize = 2;

/// Minimum width to which text is broken into lines.
const LEAST: usize = 8;

/// A column as it is shown; an estimate has one for its values and one for its intervals.
struct TextColumn<'a> {
    column: &'a Column,
    head: &'static str,
    cells: Vec<(String, Style)>,
    /// The names in the cells, and whether they are marked.
    names: Vec<Option<(&'a str, bool)>>,
    /// Maximum width of the names.
    most: usize,
}

impl TextColumn<'_> {
    fn width(&self) -> usize {
        self.content().max(display_width(self.head))
    }

    /// The width of its cells.
    fn content(&self) -> usize {
        let lines = self.cells.iter().flat_map(|(cell, _)| cell.lines());
        lines.map(display_width).max().unwrap_or(0)
    }

    fn is_name(&self) -> bool {
        self.column.unit == Unit::Name
    }

    /// Breaks its texts into lines of at most this width, if words allow.
    fn wrap(&mut self, most: usize) {
        for (cell, _) in &mut self.cells {
            *cell = textwrap::fill(&cell.replace('\n', " "), lines(most));
        }
    }

    /// Shortens its names to at most this width.
    fn shorten(&mut self, names: &ShortNames, most: usize) {
        self.most = most;
        let is_marked = self.names.iter().flatten().any(|(_, marked)| *marked);
        let room = most.saturating_sub(if is_marked { display_width(MARK) } else { 0 });
        for ((cell, _), name) in self.cells.iter_mut().zip(&self.names) {
            *cell = match name {
                Some((name, true)) => names.short(name, room) + MARK,
                Some((name, false)) => names.short(name, room),
                // A description, such as "all agents".
                None => textwrap::fill(&cell.replace('\n', " "), lines(most)),
            };
        }
    }

    /// Puts the names that are shown into the list of full names.
    fn mark_names(&self, names: &ShortNames) {
        for ((cell, _), name) in self.cells.iter().zip(&self.names) {
            if let Some((name, _)) = name {
                names.mark_used(name, cell.strip_suffix(MARK).unwrap_or(cell));
            }
        }
    }
}

/// Writes a table with its title, if it is shown: as many columns as fit, and at most `most` rows. Where even the most
/// important columns do not fit, each row is written as a sentence.
pub(super) fn write_table(
    out: &mut dyn io::Write,
    table: &ReportTable<'_>,
    form: TextForm,
    most: usize,
    names: &ShortNames,
) -> io::Result<()> {
    let rows = table.listed();
    if table.place != Place::Everywhere || rows.is_empty() {
        return Ok(());
    }
    if !table.title.is_empty() {
        writeln!(out, "{}", form.wrapped(&table.title, "", "  "))?;
    }
    let left_out = rows.len().saturating_sub(most);
    let cells: Vec<Vec<TableCell<'_>>> =
        rows.iter().take(most).map(|&row| table.row(row)).collect();
    let mut columns = columns(table, &cells);
    let fits = fit(&mut columns, form.width, names);
    columns.iter().for_each(|column| column.mark_names(names));
    if fits {
        write_rows(out, &columns, cells.len(), form)?;
    } else {
        for row in 0..cells.len() {
            let sentence = form.wrapped(&sentence(&columns, row), " ", "   ");
            writeln!(out, "{sentence}")?;
        }
    }
    let note = if left_out > 0 {
        format!("and {} more", thousands(left_out as u64))
    } else if !table.listing.is_empty() && rows.len() < table.shown().len() {
        format!("The text lists {}", table.listing)
    } else {
        String::new()
    };
    if !note.is_empty() {
        let place = table.csv.map_or_else(String::new, |csv| {
            format!("; the CSV table '{}' has all", csv.name())
        });
        let note = format!("{note}{place}.");
        writeln!(out, "{}", form.wrapped(&note, " ", "   "))?;
    }
    Ok(())
}

/// The head, a rule and the rows.
fn write_rows(
    out: &mut dyn io::Write,
    columns: &[TextColumn<'_>],
    rows: usize,
    form: TextForm,
) -> io::Result<()> {
    let widths: Vec<usize> = columns.iter().map(TextColumn::width).collect();
    let heads = columns.iter().map(|column| (column.head, FAINT));
    write_row(out, columns, &widths, heads, form)?;
    let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    writeln!(out, "{}", rules.join(&" ".repeat(GAP)))?;
    for row in 0..rows {
        let height = columns
            .iter()
            .map(|column| column.cells[row].0.lines().count());
        for line in 0..height.max().unwrap_or(0) {
            let cells = columns.iter().map(|column| {
                let (text, style) = &column.cells[row];
                (text.lines().nth(line).unwrap_or(""), *style)
            });
            write_row(out, columns, &widths, cells, form)?;
        }
    }
    Ok(())
}

/// A row as text: `2. ada: Elo +12 (95%: -15/+14), LOS 93.1%`. Unknown values are left out.
fn sentence(columns: &[TextColumn<'_>], row: usize) -> String {
    let (mut rank, mut subject) = (String::new(), None);
    let mut rest = Vec::<String>::new();
    for column in columns {
        let text = column.cells[row].0.replace('\n', " ");
        match column.head {
            _ if column.column.is_rank() => rank = format!("{text}. "),
            _ if text == UNKNOWN || text.is_empty() => {}
            INTERVAL => match rest.last_mut() {
                Some(value) => *value += &format!(" ({INTERVAL}: {text})"),
                None => rest.push(format!("{INTERVAL}: {text}")),
            },
            _ if subject.is_none() && !column.column.unit.is_number() => subject = Some(text),
            head => rest.push(format!("{head} {text}")),
        }
    }
    let subject = subject.map_or_else(String::new, |text| text + ": ");
    format!("{rank}{subject}{}", rest.join(", "))
}

fn write_row<'a>(
    out: &mut dyn io::Write,
    columns: &[TextColumn<'_>],
    widths: &[usize],
    cells: impl Iterator<Item = (&'a str, Style)>,
    form: TextForm,
) -> io::Result<()> {
    let mut line = String::new();
    for (i, ((column, &width), (text, style))) in columns.iter().zip(widths).zip(cells).enumerate()
    {
        if i > 0 {
            line.push_str(&" ".repeat(GAP));
        }
        let gap = " ".repeat(width.saturating_sub(display_width(text)));
        let text = form.styled(text, style);
        let is_right = column.column.unit.is_number();
        line += &if is_right { gap + &text } else { text + &gap };
    }
    writeln!(out, "{}", line.trim_end())
}

/// The head of a column of intervals.
const INTERVAL: &str = "95%";

/// All columns that are shown.
fn columns<'a>(table: &'a ReportTable<'_>, cells: &[Vec<TableCell<'a>>]) -> Vec<TextColumn<'a>> {
    let is_ranked = table.columns.first().is_some_and(Column::is_rank);
    let mut shown = Vec::new();
    for (i, column) in table.columns.iter().enumerate() {
        if column.head.is_empty() || column.unit.is_drawn() {
            continue;
        }
        let told = |(row, cells): (usize, &Vec<TableCell<'_>>)| {
            let style = if is_ranked && row == 0 { STRONG } else { PLAIN };
            (escaped_line(&column.value(&cells[i])).into_owned(), style)
        };
        let name = |cells: &Vec<TableCell<'a>>| match cells[i] {
            TableCell::Name(name, marked) => Some((name, marked)),
            _ => None,
        };
        shown.push(TextColumn {
            column,
            head: column.head,
            cells: cells.iter().enumerate().map(told).collect(),
            names: cells.iter().map(name).collect(),
            most: usize::MAX,
        });
        if column.estimate {
            let told = |cells: &Vec<TableCell<'_>>| interval(column, &cells[i]);
            let cells: Vec<(String, Style)> = cells.iter().map(told).collect();
            if cells.iter().any(|(cell, _)| cell != UNKNOWN) {
                shown.push(TextColumn {
                    column,
                    head: INTERVAL,
                    cells,
                    names: Vec::new(),
                    most: usize::MAX,
                });
            }
        }
    }
    shown
}

/// The interval of a cell, faint if it includes the value that means no difference.
fn interval(column: &Column, cell: &TableCell<'_>) -> (String, Style) {
    let style = if column.is_null(cell) { FAINT } else { PLAIN };
    (column.interval(cell), style)
}

/// Shortens names, then leaves out columns, then shortens names further and breaks texts into lines, until the table
/// fits. Returns whether it does.
fn fit(columns: &mut Vec<TextColumn<'_>>, width: usize, names: &ShortNames) -> bool {
    let total = |columns: &[TextColumn<'_>]| {
        let all: usize = columns.iter().map(TextColumn::width).sum();
        all + GAP * columns.len().saturating_sub(1)
    };
    let shorten = |columns: &mut [TextColumn<'_>], most: usize| {
        let names_in = columns.iter_mut().filter(|column| column.is_name());
        names_in.for_each(|column| column.shorten(names, most));
    };
    let most = |columns: &[TextColumn<'_>]| {
        let mut names_in = columns.iter().filter(|column| column.is_name());
        names_in.find_map(|column| names.below(column.most))
    };
    while total(columns) > width {
        match most(columns).filter(|&most| most >= names.usual()) {
            Some(most) => shorten(columns, most),
            None => break,
        }
    }
    while total(columns) > width {
        let priorities = columns.iter().map(|column| column.column.priority);
        let Some(least) = priorities.max().filter(|&priority| priority > 0) else {
            break;
        };
        columns.retain(|column| column.column.priority < least);
    }
    while total(columns) > width {
        let texts = columns.iter_mut().filter(|column| {
            !column.column.unit.is_number() && !column.is_name() && column.content() > LEAST
        });
        let longest = texts.max_by_key(|column| column.content());
        let broken = longest.is_some_and(|column| {
            let before = column.content();
            column.wrap(before - 1);
            column.content() < before
        });
        if !broken {
            match most(columns) {
                Some(most) => shorten(columns, most),
                None => return false,
            }
        }
    }
    true
}
