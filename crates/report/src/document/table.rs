//! Tables of typed cells.

use std::borrow::Cow;

use patchwork_rating::{Estimate, Statistic};

use super::Unit;
use crate::document::numbers::UNKNOWN;

/// A CSV table of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvTable {
    name: &'static str,
    about: &'static str,
}

impl CsvTable {
    /// A table with this name and description.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about }
    }

    /// Its name: `ratings`, `first-player` and so on.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// A short description of its contents.
    pub const fn about(self) -> &'static str {
        self.about
    }

    /// The name of its file: `ratings.csv` and so on.
    pub fn file_name(self) -> String {
        format!("{}.csv", self.name)
    }
}

/// A table. Its rows are computed when they are needed.
pub struct ReportTable<'a> {
    /// The CSV table with the same rows, if there is one.
    pub csv: Option<CsvTable>,
    /// Its title; empty if it is the section's title.
    pub(crate) title: Cow<'a, str>,
    pub(crate) columns: Vec<Column>,
    /// The number of rows.
    pub len: usize,
    pub(crate) place: Place,
    /// The rows for the text and the page; `None` for all.
    pub(crate) shown: Option<Vec<usize>>,
    /// The rows for the text; `None` for those shown.
    pub(crate) listed: Option<Vec<usize>>,
    /// Which rows the text leaves out; may be empty.
    pub(crate) unlisted: &'static str,
    visit: VisitRow<'a>,
}

/// Passes the cells of a row to a function, in order.
type VisitRow<'a> = Box<dyn Fn(usize, &mut dyn FnMut(TableCell<'a>)) + Send + Sync + 'a>;

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the text and on the page.
    Everywhere,
    /// On the page on request: the numbers behind a figure.
    Folded,
    /// Nowhere: it only exists as CSV.
    Data,
}

/// A column: numbers of one unit, possibly with intervals.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The name of its CSV column, or of the first of its columns. Empty if the CSV table lacks the column.
    pub(crate) key: &'static str,
    /// Its heading; empty if the column is only in the CSV table.
    pub(crate) head: &'static str,
    pub(crate) unit: Unit,
    /// What its numbers are, if that needs an explanation.
    pub(crate) statistic: Option<&'static Statistic>,
    /// Whether the text says below the table what they are.
    pub(crate) explained: bool,
    /// Whether its cells are estimates with intervals.
    pub(crate) estimate: bool,
    /// Where the line is too narrow, columns with the highest numbers are left out first; those with 0 never.
    pub(crate) priority: u8,
    /// Whether it is the most important one.
    pub(crate) main: bool,
    /// The value that means no difference: an interval that includes it is dimmed.
    pub(crate) null: Option<f64>,
    /// Whether the page draws the interval, on a scale shared by all rows.
    pub(crate) bar: Option<Bar>,
}

impl Column {
    /// The names of its CSV columns. An estimate has those of the value, the ends of its interval and the standard error.
    pub(crate) fn names(&self) -> Vec<String> {
        let suffixes: &[&str] = match (self.key, self.estimate) {
            ("", _) => &[],
            (_, false) => &[""],
            (_, true) => &["", "_low", "_high", "_se"],
        };
        let name = |suffix| format!("{}{suffix}", self.key);
        suffixes.iter().map(name).collect()
    }
}

/// The scale of the bars in a column on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// From the lowest to the highest value, with a line at `null`.
    Around,
    /// The same distance on both sides of `null`, at least this one.
    Symmetric(f64),
    /// From one number to another.
    Range(f64, f64),
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// The name of an agent, and whether it is marked; a sentence below the table explains the mark.
    Name(&'a str, bool),
    /// A whole number.
    Integer(i64),
    /// A number, if it is known.
    Number(Option<f64>),
    /// A number with its interval.
    Estimate(Estimate),
    /// A truth value.
    Flag(bool),
    /// Quantiles of a distribution: 5%, 25%, 50%, 75% and 95%.
    Spread(Option<[f64; 5]>),
}

/// The mark that follows a name.
pub const MARK: &str = " *";

impl Column {
    /// Whether a narrow page leaves it out.
    pub(crate) const fn is_less(&self) -> bool {
        self.priority > 0
    }

    /// The text of a cell; for an estimate, the text of its value.
    pub(crate) fn value(&self, cell: &TableCell<'_>) -> String {
        match cell {
            TableCell::Text(text) => text.to_string(),
            TableCell::Name(name, false) => (*name).to_owned(),
            TableCell::Name(name, true) => format!("{name}{MARK}"),
            TableCell::Integer(number) => self.unit.number(*number as f64),
            TableCell::Number(number) => self.unit.known(*number),
            TableCell::Estimate(estimate) => self.unit.known(*estimate),
            TableCell::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            TableCell::Spread(_) => String::new(),
        }
    }

    /// Whether it has ranks or the numbers of the rows.
    pub(crate) fn is_rank(&self) -> bool {
        matches!(self.head, "#" | "rank")
    }

    /// The text of a cell's interval.
    pub(crate) fn interval(&self, cell: &TableCell<'_>) -> String {
        match cell {
            TableCell::Estimate(estimate) => self.unit.interval(*estimate),
            _ => UNKNOWN.to_owned(),
        }
    }

    /// Whether the interval of a cell includes the value that means no difference.
    pub(crate) fn is_null(&self, cell: &TableCell<'_>) -> bool {
        let TableCell::Estimate(Estimate { low, high, .. }) = cell else {
            return false;
        };
        self.null.is_some_and(|null| {
            low.is_none_or(|low| low <= null) && high.is_none_or(|high| high >= null)
        })
    }
}

/// What the numbers of some columns are, each sentence once.
pub(crate) fn footnotes<'a>(columns: impl Iterator<Item = &'a Column>) -> String {
    let explained = columns.filter(|column| column.explained);
    let notes = explained.filter_map(|column| {
        Some(format!(
            "{}: {}",
            column.head,
            column.statistic?.in_percent()
        ))
    });
    let mut notes: Vec<String> = notes.collect();
    notes.dedup();
    notes.join(" ")
}

impl TableCell<'_> {
    /// The number in it, if there is one.
    pub fn raw(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Number(number) => *number,
            Self::Estimate(estimate) => estimate.value,
            Self::Text(_) | Self::Name(..) | Self::Flag(_) | Self::Spread(_) => None,
        }
    }
}

impl<'a> ReportTable<'a> {
    /// A table of these rows, with the section's title.
    pub fn of<R: Sync>(rows: &'a [R]) -> TableOf<'a, &'a R> {
        TableOf::new(rows.len(), move |i| &rows[i])
    }

    pub(crate) fn row(&self, index: usize) -> Vec<TableCell<'a>> {
        let mut cells = Vec::with_capacity(self.columns.len());
        (self.visit)(index, &mut |cell| cells.push(cell));
        cells
    }

    /// The names of its CSV columns, and whether they have texts.
    pub fn names(&self) -> impl Iterator<Item = (String, bool)> {
        self.columns.iter().flat_map(|column| {
            let is_text = !column.unit.is_number();
            let names = column.names().into_iter();
            names.map(move |name| (name, is_text))
        })
    }

    /// Its columns that have a statistic, with the names of their CSV columns, which may be empty.
    pub fn statistics(&self) -> impl Iterator<Item = (&'static Statistic, &'static str)> {
        self.columns
            .iter()
            .filter_map(|column| Some((column.statistic?, column.key)))
    }

    /// The values of the CSV columns in a row. Numbers are not rounded. An estimate is four numbers: its value, the ends
    /// of its interval and the standard error.
    pub fn values(&self, row: usize) -> Vec<TableCell<'a>> {
        let mut values = Vec::with_capacity(self.columns.len());
        for (column, cell) in self.columns.iter().zip(self.row(row)) {
            match cell {
                _ if column.key.is_empty() => {}
                TableCell::Estimate(of) => {
                    values.extend([of.value, of.low, of.high, of.error].map(TableCell::Number));
                }
                cell => values.push(cell),
            }
        }
        values
    }

    /// The rows that the page shows.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let all = || (0..self.len).collect();
        self.shown.clone().unwrap_or_else(all)
    }

    /// The rows that the text shows.
    pub(crate) fn listed(&self) -> Vec<usize> {
        self.listed.clone().unwrap_or_else(|| self.shown())
    }

    /// Whether the text has any of its rows.
    pub(crate) fn is_in_text(&self) -> bool {
        self.place == Place::Everywhere && !self.listed().is_empty()
    }

    /// Whether any of its rows are shown.
    pub(crate) fn is_visible(&self) -> bool {
        self.place != Place::Data
            && self
                .shown
                .as_ref()
                .map_or(self.len > 0, |shown| !shown.is_empty())
    }
}

type Get<'a, R> = Box<dyn Fn(usize) -> R + Send + Sync + 'a>;
type CellOf<'a, R> = Box<dyn Fn(&R) -> TableCell<'a> + Send + Sync + 'a>;

/// A builder for tables. A column is added by its keys, its heading, its unit and its cell for a row; the
/// methods without arguments change the column added last.
pub struct TableOf<'a, R> {
    table: ReportTable<'a>,
    get: Get<'a, R>,
    cells: Vec<CellOf<'a, R>>,
}

impl<'a, R: 'a> TableOf<'a, R> {
    /// A table of `len` rows that are computed one at a time.
    pub fn new(len: usize, get: impl Fn(usize) -> R + Send + Sync + 'a) -> Self {
        Self {
            table: ReportTable {
                csv: None,
                title: Cow::Borrowed(""),
                columns: Vec::new(),
                len,
                place: Place::Everywhere,
                shown: None,
                listed: None,
                unlisted: "",
                visit: Box::new(|_, _| ()),
            },
            get: Box::new(get),
            cells: Vec::new(),
        }
    }

    /// Sets its title, if it is not the section's.
    pub fn title(mut self, title: impl Into<Cow<'a, str>>) -> Self {
        self.table.title = title.into();
        self
    }

    /// Sets the CSV table that has these rows.
    pub fn csv(mut self, csv: CsvTable) -> Self {
        self.table.csv = Some(csv);
        self
    }

    /// Sets where the table is shown.
    pub fn place(mut self, place: Place) -> Self {
        self.table.place = place;
        self
    }

    /// Sets the rows for the text and the page.
    pub(crate) fn shown(mut self, rows: Vec<usize>) -> Self {
        self.table.shown = Some(rows);
        self
    }

    /// Sets the rows for the text.
    pub fn listed(mut self, rows: impl IntoIterator<Item = usize>) -> Self {
        let len = self.table.len;
        let rows = rows.into_iter().filter(|&row| row < len);
        self.table.listed = Some(rows.collect());
        self
    }

    /// Which rows the text leaves out, in words.
    pub const fn unlisted(mut self, unlisted: &'static str) -> Self {
        self.table.unlisted = unlisted;
        self
    }

    /// Adds a column.
    pub fn column<C: Into<TableCell<'a>>>(
        self,
        key: &'static str,
        head: &'static str,
        unit: Unit,
        cell: impl Fn(&R) -> C + Send + Sync + 'a,
    ) -> Self {
        self.add(key, head, unit, move |row| cell(row).into())
    }

    /// Adds a column of names, some of them marked.
    pub fn name(
        self,
        key: &'static str,
        head: &'static str,
        name: impl Fn(&R) -> (&'a str, bool) + Send + Sync + 'a,
    ) -> Self {
        self.add(key, head, Unit::Name, move |row| {
            let (name, marked) = name(row);
            TableCell::Name(name, marked)
        })
    }

    /// Adds a column of estimates.
    pub fn estimate(
        mut self,
        key: &'static str,
        head: &'static str,
        unit: Unit,
        cell: impl Fn(&R) -> Estimate + Send + Sync + 'a,
    ) -> Self {
        self = self.add(key, head, unit, move |row| TableCell::Estimate(cell(row)));
        self.last().estimate = true;
        self
    }

    fn add(
        mut self,
        key: &'static str,
        head: &'static str,
        unit: Unit,
        cell: impl Fn(&R) -> TableCell<'a> + Send + Sync + 'a,
    ) -> Self {
        self.cells.push(Box::new(cell));
        self.table.columns.push(Column {
            key,
            head,
            unit,
            ..Column::default()
        });
        self
    }

    fn last(&mut self) -> &mut Column {
        self.table
            .columns
            .last_mut()
            .expect("a column was added before")
    }

    /// Leaves the columns with these headings to programs.
    pub(crate) fn hidden(mut self, heads: &[&str]) -> Self {
        let columns = self.table.columns.iter_mut();
        columns
            .filter(|column| heads.contains(&column.head))
            .for_each(|column| column.head = "");
        self
    }

    /// The column may be left out; those with the highest number go first.
    pub fn priority(mut self, priority: u8) -> Self {
        self.last().priority = priority;
        self
    }

    /// What the numbers of the column are.
    pub fn statistic(mut self, statistic: &'static Statistic) -> Self {
        self.last().statistic = Some(statistic);
        self
    }

    /// As [`Self::statistic`]; the text says it below the table, too.
    pub fn explained(mut self, statistic: &'static Statistic) -> Self {
        self.last().explained = true;
        self.statistic(statistic)
    }

    /// The column is the most important one.
    pub fn main(mut self) -> Self {
        self.last().main = true;
        self
    }

    /// This value means no difference.
    pub(crate) fn null(mut self, value: f64) -> Self {
        self.last().null = Some(value);
        self
    }

    /// The page draws its intervals.
    pub fn bar(mut self, bar: Bar) -> Self {
        self.last().bar = Some(bar);
        self
    }

    /// The table without the type of its rows.
    pub fn finish(self) -> ReportTable<'a> {
        let (get, cells) = (self.get, self.cells);
        let visit = move |index: usize, visit: &mut dyn FnMut(TableCell<'a>)| {
            let row = get(index);
            cells.iter().for_each(|cell| visit(cell(&row)));
        };
        ReportTable {
            visit: Box::new(visit),
            ..self.table
        }
    }
}

impl From<Option<f64>> for TableCell<'_> {
    fn from(number: Option<f64>) -> Self {
        Self::Number(number)
    }
}

impl From<Option<u32>> for TableCell<'_> {
    fn from(number: Option<u32>) -> Self {
        number.map_or(Self::Number(None), Self::from)
    }
}

impl From<f64> for TableCell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<bool> for TableCell<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'a> From<&'a str> for TableCell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for TableCell<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

macro_rules! integers {
    ($($kind:ty)+) => {$(
        impl From<$kind> for TableCell<'_> {
            fn from(number: $kind) -> Self {
                Self::Integer(number as i64)
            }
        }
    )+};
}

integers! { u8 i16 u16 u32 i64 u64 usize }
