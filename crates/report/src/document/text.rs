//! A document as text for a terminal, readable without colour.

mod form;
mod table;

use std::io;

use textwrap::core::display_width;

pub(crate) use self::form::lines;
use self::form::{STRONG, WARNING};
pub use self::form::{TextForm, wrapped_line};
use self::table::{NAME_WIDTH, write_table};
use super::names::ShortNames;
use super::{Block, Document, Grid, Headline, ReportSection};

/// Rows of a table in the brief report.
const BRIEF_ROWS: usize = 16;

/// Rows of a table in the full report.
const FULL_ROWS: usize = 100;

/// Writes a document in full, or its leading section and one line for each other section. A list at the end has the
/// full names of those agents whose names were shortened.
pub fn write_text(
    mut out: impl io::Write,
    document: &Document<'_>,
    form: TextForm,
) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    if document.nothing.is_none() {
        write_answers(out, document, true, form)?;
    }
    writeln!(out, "{}\n", heading(document, form))?;
    if let Some(nothing) = document.nothing {
        return writeln!(out, "{nothing}");
    }
    let visible = document
        .sections
        .iter()
        .filter(|section| section.is_in_text() && (form.full || section.leads));
    let mut names = ShortNames::default();
    for section in visible {
        write_section(out, section, form, &mut names)?;
    }
    if !form.full {
        for headline in brief(document) {
            writeln!(out, "{}", line(headline, form))?;
        }
        write_answers(out, document, false, form)?;
    }
    // The settings have full names.
    let is_settings = |block: &Block<'_>| matches!(block, Block::Definitions(_));
    let mut blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let are_listed = form.full && blocks.any(is_settings);
    let full: Vec<(&str, usize)> = names.full(are_listed).collect();
    write_names(out, &full, form)?;
    if form.full && !document.methods.is_empty() {
        writeln!(out, "{}", form.styled("Methods", STRONG))?;
        writeln!(out, "{}\n", form.wrapped(document.methods, " ", "   "))?;
    }
    Ok(())
}

/// The answers with which the text begins, or those with which the brief text ends.
fn write_answers(
    out: &mut dyn io::Write,
    document: &Document<'_>,
    leading: bool,
    form: TextForm,
) -> io::Result<()> {
    let answers = document.answers.iter();
    let mut lines = answers
        .filter(|answer| answer.leads == leading)
        .flat_map(|answer| &answer.lines);
    lines.try_for_each(|line| writeln!(out, "{}", form.wrapped(line, "", "  ")))
}

/// The full names of those that were shortened.
fn write_names(out: &mut dyn io::Write, names: &[(&str, usize)], form: TextForm) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    if !form.full {
        writeln!(out)?;
    }
    let title = form.styled("Full names", STRONG);
    writeln!(out, "{title}")?;
    for (name, number) in names {
        let line = format!("#{number}: {name}");
        writeln!(out, "{}", form.wrapped(&line, " ", "   "))?;
    }
    if form.full {
        writeln!(out)?;
    }
    Ok(())
}

/// Maximum number of rows of a table.
const fn rows(form: TextForm) -> usize {
    if form.full { FULL_ROWS } else { BRIEF_ROWS }
}

/// The headlines of the brief report.
fn brief<'a>(document: &'a Document<'_>) -> impl Iterator<Item = &'a Headline> {
    let others = document.sections.iter().filter(|section| !section.leads);
    others.flat_map(|section| &section.headlines)
}

/// The title with as many facts as fit on the line, or with all of them in the full report. Lines break
/// between facts.
fn heading(document: &Document<'_>, form: TextForm) -> String {
    const NO_BREAK: &str = "\u{a0}";
    let facts = &document.facts;
    let told = |count: usize| format!("{}: {}", document.title, facts[..count].join(", "));
    if form.full {
        let facts: Vec<String> = facts
            .iter()
            .map(|fact| fact.replace(' ', NO_BREAK))
            .collect();
        let head = format!("{}: {}", document.title, facts.join(", "));
        return form.wrapped(&head, "", "  ").replace(NO_BREAK, " ");
    }
    let fits = |&count: &usize| display_width(&told(count)) <= form.width;
    let count = (1..=facts.len()).rev().find(fits).unwrap_or(1);
    form.wrapped(&told(count.min(facts.len())), "", "  ")
}

/// A headline on one line, with as many details as fit.
fn line(headline: &Headline, form: TextForm) -> String {
    let Headline { value, name, more } = headline;
    let told = |count: usize| match &more[..count] {
        [] => format!("{value} {name}"),
        more => format!("{value} {name} ({})", more.join("; ")),
    };
    let fits = |&count: &usize| display_width(&told(count)) <= form.width;
    let count = (0..=more.len()).rev().find(fits).unwrap_or(0);
    form.wrapped(&told(count), "", "  ")
}

fn write_section(
    out: &mut dyn io::Write,
    section: &ReportSection<'_>,
    form: TextForm,
    names: &mut ShortNames,
) -> io::Result<()> {
    let title = form.wrapped(section.title, "", "  ");
    writeln!(out, "{}", form.styled(&title, STRONG))?;
    for block in &section.blocks {
        match block {
            Block::Note(note) => writeln!(out, "{}", form.wrapped(note, " ", "   "))?,
            Block::Warning(note) => {
                let note = form.wrapped(note, " ", "   ");
                writeln!(out, "{}", form.styled(&note, WARNING))?;
            }
            Block::Table(table) => write_table(out, table, form, rows(form), names)?,
            Block::Grid(grid) if grid.in_text => write_grid(out, grid, form, names)?,
            Block::Definitions(all) => {
                for (name, _, value) in all {
                    let definition = format!("{name}: {value}");
                    writeln!(out, "{}", form.wrapped(&definition, " ", "   "))?;
                }
            }
            Block::Figure(_) | Block::Grid(_) | Block::Viewer => {}
        }
    }
    writeln!(out)
}

/// Shares in percent, with as many columns side by side as fit.
fn write_grid(
    out: &mut dyn io::Write,
    grid: &Grid<'_>,
    form: TextForm,
    names: &mut ShortNames,
) -> io::Result<()> {
    const CELL: usize = 6;
    writeln!(out, "{}", form.wrapped(&grid.about, " ", "   "))?;
    let rank = grid.rows.len().to_string().len();
    let room = |columns: usize| form.width.saturating_sub(rank + 1 + CELL * columns);
    let rows: Vec<&str> = grid.rows.iter().map(AsRef::as_ref).collect();
    // The settings of a variant are not cut where fewer columns side by side leave room for them.
    let variants = rows.iter().filter(|name| name.contains(' '));
    let longest = variants.map(|name| display_width(name)).max().unwrap_or(0);
    let wanted = NAME_WIDTH.max(longest);
    let most = wanted.max(room(grid.columns().len())).min(room(1));
    let names = names.fit(&rows, most);
    let longest = names.iter().map(|name| display_width(name)).max();
    let name = longest.unwrap_or(0);
    let columns = grid.columns().len();
    let side = (form.width.saturating_sub(rank + 1 + name) / CELL).max(1);
    for from in (0..columns).step_by(side) {
        let part = from..columns.min(from + side);
        let heads = part.clone().map(|j| format!("{:>CELL$}", j + 1));
        let heads: String = heads.collect();
        writeln!(out, "{:rank$} {:name$}{heads}", "", "")?;
        for (i, row) in names.iter().enumerate() {
            let cells = part.clone().map(|j| match (grid.cell)(i, j) {
                _ if grid.is_square() && i == j => format!("{:>CELL$}", "-"),
                Some(cell) => format!("{:>CELL$}", cell.text()),
                None => " ".repeat(CELL),
            });
            let cells: String = cells.collect();
            let gap = " ".repeat(name - display_width(row));
            let line = format!("{:rank$} {row}{gap}{cells}", i + 1);
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: TextForm = TextForm {
        width: 80,
        full: true,
        colour: false,
    };

    #[test]
    fn headings_and_headlines_have_a_line_each() {
        let more = [
            "95%: -184/+176",
            "won 47.4% of games",
            "and more than fits a line of 80",
        ];
        let headline = Headline {
            value: "-37 Elo".to_owned(),
            name: "for moving first between equals".to_owned(),
            more: more.map(str::to_owned).to_vec(),
        };
        let told = |width| {
            let form = TextForm {
                width,
                ..TextForm::default()
            };
            line(&headline, form)
        };
        let start = "-37 Elo for moving first between equals";
        assert_eq!(
            told(80),
            format!("{start} (95%: -184/+176; won 47.4% of games)")
        );
        assert_eq!(told(60), format!("{start} (95%: -184/+176)"));
        assert_eq!(told(40), start);

        let facts = [
            "106 games",
            "2 agents",
            "original track",
            "gauntlet",
            "seed 2",
            "version 0.1.0",
        ];
        let document = Document {
            title: "gauntlet-sprt".to_owned(),
            facts: facts.map(str::to_owned).to_vec(),
            nothing: None,
            answers: Vec::new(),
            methods: "",
            sections: Vec::new(),
        };
        let brief = heading(&document, TextForm::default());
        assert_eq!(
            brief,
            "gauntlet-sprt: 106 games, 2 agents, original track, gauntlet, seed 2"
        );
        let full = heading(&document, FULL);
        assert_eq!(full, format!("{brief},\n  version 0.1.0"));
    }
}
