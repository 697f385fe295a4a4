//! Tables for a terminal of limited width.

use std::io;

use crate::document::escape::escaped_line;
use anstyle::Style;
use textwrap::core::display_width;

use super::form::{FAINT, PLAIN, STRONG, TextForm, lines};
use crate::document::names::ShortNames;
use crate::document::numbers::{UNKNOWN, counted};
use crate::document::table::footnotes;
use crate::document::{Column, MARK, ReportTable, TableCell, Unit};

/// Spaces between columns.
const GAP: usize = 2;

/// Minimum width to which texts are broken into lines and names are shortened.
const LEAST: usize = 8;

/// The width of names below which columns of tables are left out before names are shortened further.
pub(super) const NAME_WIDTH: usize = 19;

/// The width up to which a word of a name is not cut for other columns.
const MAX_WORD: usize = 40;

/// A column as it is shown; an estimate has one for its values and one for its intervals.
struct TextColumn<'a> {
    column: &'a Column,
    head: &'static str,
    cells: Vec<(String, Style)>,
    /// The names in the cells, and whether they are marked.
    names: Vec<Option<(&'a str, bool)>>,
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
}

/// Writes a table with its title, if it is shown: as many columns as fit, and at most `most` rows. Where even the most
/// important columns do not fit, each row is written as a sentence.
pub(super) fn write_table(
    out: &mut dyn io::Write,
    table: &ReportTable<'_>,
    form: TextForm,
    most: usize,
    names: &mut ShortNames,
) -> io::Result<()> {
    if !table.is_in_text() {
        return Ok(());
    }
    let rows = table.listed();
    if !table.title.is_empty() {
        writeln!(out, "{}", form.wrapped(&table.title, "", "  "))?;
    }
    let left_out = rows.len().saturating_sub(most);
    let cells: Vec<Vec<TableCell<'_>>> =
        rows.iter().take(most).map(|&row| table.row(row)).collect();
    let mut columns = columns(table, &cells);
    if fit(&mut columns, form.width, names) {
        write_rows(out, &columns, cells.len(), form)?;
    } else {
        for row in 0..cells.len() {
            let sentence = form.wrapped(&sentence(&columns, row), " ", "   ");
            writeln!(out, "{sentence}")?;
        }
    }
    let footnotes = footnotes(columns.iter().map(|column| column.column));
    let more = (left_out > 0).then(|| counted(left_out as u64, "more row"));
    let is_cut = rows.len() < table.shown().len() && !table.unlisted.is_empty();
    let unlisted = more
        .into_iter()
        .chain(is_cut.then(|| table.unlisted.to_owned()));
    let unlisted = unlisted.collect::<Vec<_>>().join(" and ");
    let place = table.csv.map_or_else(String::new, |csv| {
        format!("; the CSV table '{}' has them", csv.name())
    });
    let note = match unlisted.is_empty() {
        true => String::new(),
        false => format!("Not listed: {unlisted}{place}."),
    };
    for note in [footnotes, note].iter().filter(|note| !note.is_empty()) {
        writeln!(out, "{}", form.wrapped(note, " ", "   "))?;
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
        let told: Vec<(String, Style)> = cells.iter().enumerate().map(told).collect();
        if told.iter().all(|(cell, _)| cell.is_empty()) {
            continue;
        }
        let name = |cells: &Vec<TableCell<'a>>| match cells[i] {
            TableCell::Name(name, marked) => Some((name, marked)),
            _ => None,
        };
        shown.push(TextColumn {
            column,
            head: column.head,
            cells: told,
            names: cells.iter().map(name).collect(),
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

/// The longest word of the names, from [`NAME_WIDTH`] to [`MAX_WORD`]: the settings of a variant are words.
fn name_width(columns: &[TextColumn<'_>]) -> usize {
    let names = columns
        .iter()
        .flat_map(|column| column.names.iter().flatten());
    let words = names
        .filter(|(name, _)| name.contains(' '))
        .flat_map(|(name, _)| name.split(' '));
    let longest = words.map(display_width).max().unwrap_or_default();
    longest.clamp(NAME_WIDTH, MAX_WORD)
}

/// Leaves out columns, breaks texts into lines and shortens names, in this order, until the table fits. Returns whether
/// it does.
fn fit(columns: &mut Vec<TextColumn<'_>>, width: usize, names: &mut ShortNames) -> bool {
    let name_width = name_width(columns);
    while total(columns, name_width) > width {
        let priorities = columns.iter().map(|column| column.column.priority);
        let Some(least) = priorities.max().filter(|&priority| priority > 0) else {
            break;
        };
        columns.retain(|column| column.column.priority < least);
    }
    while total(columns, name_width) > width && break_longest(columns) {}
    if total(columns, usize::MAX) <= width {
        return true;
    }
    let longest = columns.iter().map(TextColumn::content).max();
    let mut widths = (LEAST..longest.unwrap_or(0)).rev();
    match widths.find(|&most| total(columns, most) <= width) {
        Some(most) => {
            shorten_names(columns, most, names);
            true
        }
        None => false,
    }
}

/// The width of a table whose names are shortened to at most `most` columns.
fn total(columns: &[TextColumn<'_>], most: usize) -> usize {
    let widths = columns.iter().map(|column| match column.is_name() {
        true => column.content().min(most).max(display_width(column.head)),
        false => column.width(),
    });
    widths.sum::<usize>() + GAP * columns.len().saturating_sub(1)
}

/// Breaks the widest column of texts into shorter lines, if words allow.
fn break_longest(columns: &mut [TextColumn<'_>]) -> bool {
    let texts = columns.iter_mut().filter(|column| {
        !column.column.unit.is_number() && !column.is_name() && column.content() > LEAST
    });
    let longest = texts.max_by_key(|column| column.content());
    longest.is_some_and(|column| {
        let before = column.content();
        column.wrap(before - 1);
        column.content() < before
    })
}

/// Shortens the names of all columns to at most this width, with their marks.
fn shorten_names(columns: &mut [TextColumn<'_>], most: usize, names: &mut ShortNames) {
    let shown = columns.iter().filter(|column| column.is_name());
    let shown = shown.flat_map(|column| column.names.iter().flatten());
    let (shown, marks): (Vec<&str>, Vec<bool>) = shown.copied().unzip();
    let mark = if marks.contains(&true) {
        display_width(MARK)
    } else {
        0
    };
    // A variant has its settings one below another, if they fit: its whole name can be read and typed.
    let in_lines: Vec<Option<String>> = (shown.iter())
        .map(|name| {
            let broken = textwrap::fill(&escaped_line(name), lines(most - mark));
            let fits = |line: &str| display_width(line) <= most - mark;
            broken.lines().all(fits).then_some(broken)
        })
        .collect();
    let cut: Vec<&str> = (shown.iter().zip(&in_lines))
        .filter_map(|(name, in_lines)| in_lines.is_none().then_some(*name))
        .collect();
    let mut cut = names.fit(&cut, most - mark).into_iter();
    let mut short = in_lines.into_iter().map(|name| name.or_else(|| cut.next()));
    for column in columns.iter_mut().filter(|column| column.is_name()) {
        for ((cell, _), name) in column.cells.iter_mut().zip(&column.names) {
            *cell = match name {
                Some((_, marked)) => {
                    short.next().flatten().unwrap_or_default() + if *marked { MARK } else { "" }
                }
                // A description, such as "all agents".
                None => textwrap::fill(&cell.replace('\n', " "), lines(most)),
            };
        }
    }
}
