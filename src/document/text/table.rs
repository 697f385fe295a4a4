//! Tables for a terminal of limited width.

use std::io;

use crate::document::escape::escaped_line;
use textwrap::core::display_width;

use super::form::{Emphasis, TextForm};
use crate::document::names::{SHORT_NAME, all_shortened_to};
use crate::document::numbers::{UNKNOWN, thousands};
use crate::document::{Column, MARK, Place, ReportTable, TableCell, Unit};

/// Spaces between columns.
const GAP: usize = 2;

/// Minimum width to which text is shortened.
const LEAST: usize = 8;

/// A column as it is shown; an estimate has one for its values and one for its intervals.
struct TextColumn<'a> {
    column: &'a Column,
    head: &'static str,
    cells: Vec<(String, Emphasis)>,
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

    /// Shortens its texts to a number of characters, or breaks them into lines.
    fn shorten(&mut self, most: usize) {
        if self.column.unit == Unit::Code {
            for (cell, _) in &mut self.cells {
                *cell = textwrap::fill(&cell.replace('\n', " "), lines(most));
            }
            return;
        }
        if self.content() <= most {
            return;
        }
        let name = |cell: &str| cell.strip_suffix(MARK).unwrap_or(cell).to_owned();
        let names: Vec<String> = self.cells.iter().map(|(cell, _)| name(cell)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let short = all_shortened_to(&names, most);
        let marked = all_shortened_to(&names, most - MARK.len());
        for ((cell, _), name) in self.cells.iter_mut().zip(names) {
            if display_width(cell) > most {
                *cell = match cell.ends_with(MARK) {
                    true => format!("{}{MARK}", marked[name]),
                    false => short[name].clone(),
                };
            }
        }
    }
}

/// Values such as in-order/some/first are not broken.
fn lines(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false)
}

/// Writes a table with its title, if it is shown: as many columns as fit, and at most `most` rows.
pub(super) fn write_table(
    out: &mut dyn io::Write,
    table: &ReportTable<'_>,
    form: TextForm,
    most: usize,
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
    fit(&mut columns, form.width);
    let widths: Vec<usize> = columns.iter().map(TextColumn::width).collect();
    let heads = columns.iter().map(|column| (column.head, Emphasis::Faint));
    write_row(out, &columns, &widths, heads, form)?;
    let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    writeln!(out, "{}", clipped(&rules.join("  "), form.width))?;
    for row in 0..cells.len() {
        let height = columns
            .iter()
            .map(|column| column.cells[row].0.lines().count());
        for line in 0..height.max().unwrap_or(0) {
            let cells = columns.iter().map(|column| {
                let (text, emphasis) = &column.cells[row];
                (text.lines().nth(line).unwrap_or(""), *emphasis)
            });
            write_row(out, &columns, &widths, cells, form)?;
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

fn write_row<'a>(
    out: &mut dyn io::Write,
    columns: &[TextColumn<'_>],
    widths: &[usize],
    cells: impl Iterator<Item = (&'a str, Emphasis)>,
    form: TextForm,
) -> io::Result<()> {
    let mut line = String::new();
    let mut room = form.width;
    for (i, ((column, &width), (text, emphasis))) in
        columns.iter().zip(widths).zip(cells).enumerate()
    {
        if i > 0 {
            line.push_str(&" ".repeat(GAP.min(room)));
            room = room.saturating_sub(GAP);
        }
        let width = width.min(room);
        let text = clipped(text, width);
        let gap = " ".repeat(width.saturating_sub(display_width(&text)));
        let text = form.styled(&text, emphasis);
        let is_right = column.column.unit.is_number();
        line += &if is_right { gap + &text } else { text + &gap };
        room -= width;
    }
    writeln!(out, "{}", line.trim_end())
}

/// The start of a text, cut off after this many columns.
fn clipped(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if display_width(&short) + 2 > width {
            break;
        }
        short.push(letter);
    }
    short + if width > 0 { "…" } else { "" }
}

/// All columns that are shown.
fn columns<'a>(table: &'a ReportTable<'_>, cells: &[Vec<TableCell<'_>>]) -> Vec<TextColumn<'a>> {
    let is_ranked = table
        .columns
        .first()
        .is_some_and(|column| column.head == "#");
    let mut shown = Vec::new();
    for (i, column) in table.columns.iter().enumerate() {
        if column.head.is_empty() || column.unit.is_drawn() {
            continue;
        }
        let told = |(row, cells): (usize, &Vec<TableCell<'_>>)| {
            let emphasis = if is_ranked && row == 0 {
                Emphasis::Strong
            } else {
                Emphasis::Plain
            };
            (
                escaped_line(&column.value(&cells[i])).into_owned(),
                emphasis,
            )
        };
        shown.push(TextColumn {
            column,
            head: column.head,
            cells: cells.iter().enumerate().map(told).collect(),
        });
        if column.estimate {
            let told = |cells: &Vec<TableCell<'_>>| interval(column, &cells[i]);
            let cells: Vec<(String, Emphasis)> = cells.iter().map(told).collect();
            if cells.iter().any(|(cell, _)| cell != UNKNOWN) {
                shown.push(TextColumn {
                    column,
                    head: "95%",
                    cells,
                });
            }
        }
    }
    shown
}

/// The interval of a cell, faint if it includes the value that means no difference.
fn interval(column: &Column, cell: &TableCell<'_>) -> (String, Emphasis) {
    let emphasis = if column.is_null(cell) {
        Emphasis::Faint
    } else {
        Emphasis::Plain
    };
    (column.interval(cell), emphasis)
}

/// Shortens names, then leaves out columns, then shortens texts further, until the table fits.
fn fit(columns: &mut Vec<TextColumn<'_>>, width: usize) {
    let total = |columns: &[TextColumn<'_>]| {
        let all: usize = columns.iter().map(TextColumn::width).sum();
        all + GAP * columns.len().saturating_sub(1)
    };
    let is_text = |column: &TextColumn<'_>| !column.column.unit.is_number();
    if total(columns) > width {
        let names = columns.iter_mut();
        let names = names.filter(|column| column.column.unit == Unit::Name);
        names.for_each(|column| column.shorten(SHORT_NAME));
    }
    while total(columns) > width {
        let priorities = columns.iter().map(|column| column.column.priority);
        let Some(least) = priorities.max().filter(|&priority| priority > 0) else {
            break;
        };
        columns.retain(|column| column.column.priority < least);
    }
    while total(columns) > width {
        let texts = columns.iter_mut().filter(|column| is_text(column));
        let Some(longest) = texts.max_by_key(|column| column.content()) else {
            break;
        };
        let before = longest.content();
        if before > LEAST {
            longest.shorten(before - 1);
        }
        if longest.content() == before {
            break;
        }
    }
}
