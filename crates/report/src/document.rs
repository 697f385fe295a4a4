//! Documents: sections of tables, figures and sentences, built once and rendered as text for a terminal, as a page
//! for a browser and as CSV. Also the numbers and names in them as people read them, and text made safe for a terminal.
//!
//! A table has typed cells that are not rounded. How a number is written is decided by the unit of
//! its column. Rows and figures are computed when they are rendered.
//!
//! ```
//! use patchwork_report::document::{counted, thousands};
//!
//! assert_eq!(counted(1, "game"), "1 game");
//! assert_eq!(thousands(12_500), "12,500");
//! ```

pub(crate) mod csv;
pub mod escape;
mod figure;
pub(crate) mod html;
mod lines;
mod names;
mod numbers;
mod table;
mod text;

use std::borrow::Cow;

pub use self::csv::{guarded, write_csv};
pub use self::figure::{Dot, Figure, FigureSize, PlotAxis, Series, SeriesMark, ends};
pub use self::html::{agent_name, write_document};
pub use self::lines::LineTable;
pub use self::names::{ShortNames, brief_settings, named};
pub use self::numbers::{UNKNOWN, Unit, percent, signed};
pub use self::numbers::{counted, duration, elo_with_interval, per_second, thousands};
pub use self::table::CsvTable;
pub use self::table::{Bar, Column, MARK, Place, ReportTable, TableCell, TableOf};
pub(crate) use self::text::lines as text_lines;
pub use self::text::{TextForm, wrapped_line, write_text};

/// A whole report.
pub struct Document<'a> {
    /// Its title.
    pub title: String,
    /// General information in a few words each.
    pub facts: Vec<String>,
    /// Why there is nothing to show, if so. The tables still exist for programs.
    pub nothing: Option<&'static str>,
    /// What a reader wants to know first. The text begins or ends with the lines, and the page begins with them.
    pub answers: Vec<Answered>,
    /// The sections; those without visible blocks are not shown.
    pub sections: Vec<ReportSection<'a>>,
    /// The methods in a paragraph, with which the full text and the page end; may be empty.
    pub methods: &'a str,
}

/// The answer to a question in sentences.
pub struct Answered {
    /// The question.
    pub question: &'static str,
    /// The sentences.
    pub lines: Vec<String>,
    /// Whether the text begins with it; otherwise the brief text ends with it.
    pub leads: bool,
}

/// A section of a report.
pub struct ReportSection<'a> {
    /// Its anchor on the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The question under which the page folds it; empty if it is always open.
    pub(crate) question: &'static str,
    /// Its results in one line each, with which the brief text ends.
    pub(crate) headlines: Vec<Headline>,
    /// Whether the brief text shows the section in full.
    pub(crate) leads: bool,
    pub(crate) blocks: Vec<Block<'a>>,
}

/// A result in one line: `52.1% won by the first player; 95%: ±1.1`.
pub(crate) struct Headline {
    pub(crate) value: String,
    pub(crate) name: String,
    /// Details in a few words each, the most important first.
    pub(crate) more: Vec<String>,
}

pub(crate) enum Block<'a> {
    /// One or a few sentences.
    Note(Cow<'a, str>),
    /// A warning in one or a few sentences.
    Warning(Cow<'a, str>),
    Table(ReportTable<'a>),
    /// A figure, which only the page shows.
    Figure(Box<dyn Fn() -> Figure + 'a>),
    /// Shares by row and column.
    Grid(Grid<'a>),
    /// Names, sentences about each, which may be empty and only the page shows, and their values, as they are written in files.
    Definitions(Vec<(Cow<'a, str>, &'a str, String)>),
    /// The viewer of games, which only the page shows.
    Viewer,
}

/// A table of shares, one for each row and column.
pub(crate) struct Grid<'a> {
    pub(crate) title: String,
    /// What the rows, columns and numbers mean.
    pub(crate) about: String,
    /// The text in the corner: the name of the rows.
    pub(crate) corner: &'a str,
    pub(crate) rows: Vec<Cow<'a, str>>,
    /// The columns; `None` if they are the same as the rows.
    pub(crate) columns: Option<Vec<Cow<'a, str>>>,
    /// The cell at a row and column.
    pub(crate) cell: Box<dyn Fn(usize, usize) -> Option<GridCell> + 'a>,
    /// Whether the text shows the grid.
    pub(crate) in_text: bool,
}

/// A share with a description.
pub(crate) struct GridCell {
    /// 0 to 1.
    pub(crate) share: f64,
    /// The text of the cell; `None` for the share in percent.
    pub(crate) text: Option<String>,
    pub(crate) about: String,
}

impl GridCell {
    /// The text that people see.
    pub(crate) fn text(&self) -> String {
        let percent = || format!("{:.1}", 100.0 * self.share);
        self.text.clone().unwrap_or_else(percent)
    }
}

impl<'a> Document<'a> {
    /// The tables of all sections.
    pub fn tables(&self) -> impl Iterator<Item = &ReportTable<'a>> {
        self.sections.iter().flat_map(ReportSection::tables)
    }
}

impl<'a> ReportSection<'a> {
    /// An empty section.
    pub const fn new(id: &'static str, title: &'static str) -> Self {
        Self {
            id,
            title,
            question: "",
            headlines: Vec::new(),
            leads: false,
            blocks: Vec::new(),
        }
    }

    /// Adds a result in one line, with those details that are known.
    pub fn headline(
        mut self,
        value: impl Into<String>,
        name: impl Into<String>,
        more: impl IntoIterator<Item = Option<String>>,
    ) -> Self {
        self.headlines.push(Headline {
            value: value.into(),
            name: name.into(),
            more: more.into_iter().flatten().collect(),
        });
        self
    }

    /// Makes the brief text show the section in full.
    pub const fn leading(mut self) -> Self {
        self.leads = true;
        self
    }

    /// Leaves the section to programs, if `hidden`: its tables stay, and people see nothing of it.
    pub(crate) fn data_only(mut self, hidden: bool) -> Self {
        if hidden {
            self.headlines.clear();
            self.blocks.retain_mut(|block| match block {
                Block::Table(table) => {
                    table.place = Place::Data;
                    true
                }
                _ => false,
            });
        }
        self
    }

    pub(crate) fn block(mut self, block: Block<'a>) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds sentences.
    pub fn note(self, text: impl Into<Cow<'a, str>>) -> Self {
        self.block(Block::Note(text.into()))
    }

    /// Adds sentences, one block each.
    pub fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        let notes = notes.into_iter().map(|note| Block::Note(note.into()));
        self.blocks.extend(notes);
        self
    }

    /// Adds a table.
    pub fn table<R: 'a>(self, table: TableOf<'a, R>) -> Self {
        self.block(Block::Table(table.finish()))
    }

    /// Adds tables.
    pub fn tables_of<R: 'a>(self, tables: Vec<TableOf<'a, R>>) -> Self {
        tables.into_iter().fold(self, Self::table)
    }

    /// Adds a figure.
    pub fn figure(self, draw: impl Fn() -> Figure + 'a) -> Self {
        self.block(Block::Figure(Box::new(draw)))
    }

    fn tables(&self) -> impl Iterator<Item = &ReportTable<'a>> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Whether there is anything to see, in the text or on the page.
    pub(crate) fn is_visible(&self) -> bool {
        self.blocks.iter().any(Block::is_visible)
    }

    /// Whether there is anything to see in the text. Sentences about a figure are not enough.
    pub(crate) fn is_in_text(&self) -> bool {
        let drawn = |block: &Block<'_>| matches!(block, Block::Figure(_) | Block::Viewer);
        let is_told = |block: &Block<'_>| match block {
            Block::Note(_) => false,
            Block::Table(table) => table.is_in_text(),
            _ => block.is_visible(),
        };
        let only_notes = self
            .blocks
            .iter()
            .all(|block| matches!(block, Block::Note(_)));
        let mut told = self.blocks.iter().filter(|block| !drawn(block));
        self.is_visible() && (only_notes || told.any(is_told))
    }
}

impl Block<'_> {
    fn is_visible(&self) -> bool {
        match self {
            Self::Table(table) => table.is_visible(),
            Self::Grid(grid) => !grid.rows.is_empty(),
            Self::Definitions(all) => !all.is_empty(),
            Self::Note(_) | Self::Warning(_) | Self::Figure(_) | Self::Viewer => true,
        }
    }
}

impl Grid<'_> {
    pub(crate) fn columns(&self) -> &[Cow<'_, str>] {
        self.columns.as_deref().unwrap_or(&self.rows)
    }

    /// Whether the columns are the same as the rows and are shown by number.
    pub(crate) const fn is_square(&self) -> bool {
        self.columns.is_none()
    }
}
