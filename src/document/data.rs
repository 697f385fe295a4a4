//! Tables of a document as typed columns, for programs that need no text.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::{ReportTable, TableCell, Unit};

/// A CSV table as columns. Numbers are not rounded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTable {
    /// The columns with their names, which are those of the CSV table; all have the same length.
    pub columns: Vec<(&'static str, DataColumn)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub enum DataColumn {
    /// Texts one after the other.
    Text {
        /// All texts.
        texts: String,
        /// Where each text begins in bytes, and where the last one ends.
        offsets: Vec<i64>,
    },
    /// Whole numbers.
    Integer(Vec<i64>),
    /// Numbers that may be unknown.
    Number(Vec<Option<f64>>),
    /// Truth values.
    Flag(Vec<bool>),
}

/// Number of rows computed at a time.
const BATCH: usize = 4096;

impl DataTable {
    /// The columns of a table that have names.
    pub(crate) fn of(table: &ReportTable<'_>) -> Self {
        let mut columns: Vec<(&'static str, DataColumn)> = Vec::new();
        for column in &table.columns {
            let text = matches!(column.unit, Unit::Name | Unit::Text);
            for key in column.keys.split_whitespace() {
                let empty = if text {
                    DataColumn::text()
                } else {
                    DataColumn::Number(Vec::new())
                };
                columns.push((key, empty));
            }
        }
        let keys: Vec<usize> = table
            .columns
            .iter()
            .map(|column| column.keys.split_whitespace().count())
            .collect();
        for start in (0..table.len).step_by(BATCH) {
            let rows = start..table.len.min(start + BATCH);
            let rows: Vec<Vec<TableCell<'_>>> =
                rows.into_par_iter().map(|row| table.row(row)).collect();
            for (number, row) in (start..).zip(rows) {
                let mut out = columns.iter_mut().map(|(_, column)| column);
                for (cell, &count) in row.iter().zip(&keys) {
                    for (part, column) in out.by_ref().take(count).enumerate() {
                        if number == 0 {
                            *column = DataColumn::like(cell, table.len);
                        }
                        column.push_part(cell, part);
                    }
                }
            }
        }
        Self { columns }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }
}

impl DataColumn {
    /// A column of texts without rows.
    pub(crate) fn text() -> Self {
        Self::Text {
            texts: String::new(),
            offsets: vec![0],
        }
    }

    /// A column of whole numbers without rows.
    pub(crate) const fn integers() -> Self {
        Self::Integer(Vec::new())
    }

    /// A column of numbers without rows.
    pub(crate) const fn numbers() -> Self {
        Self::Number(Vec::new())
    }

    /// Appends a cell of the column's type.
    pub(crate) fn push(&mut self, cell: &TableCell<'_>) {
        self.push_part(cell, 0);
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text { offsets, .. } => offsets.len() - 1,
            Self::Integer(numbers) => numbers.len(),
            Self::Number(numbers) => numbers.len(),
            Self::Flag(flags) => flags.len(),
        }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A column without rows, but with room for `len`, of the type of a cell.
    fn like(cell: &TableCell<'_>, len: usize) -> Self {
        match cell {
            TableCell::Text(_) | TableCell::Name(..) => {
                let mut offsets = Vec::with_capacity(len + 1);
                offsets.push(0);
                Self::Text {
                    texts: String::new(),
                    offsets,
                }
            }
            TableCell::Integer(_) => Self::Integer(Vec::with_capacity(len)),
            TableCell::Flag(_) => Self::Flag(Vec::with_capacity(len)),
            _ => Self::Number(Vec::with_capacity(len)),
        }
    }

    /// Appends a part of a cell: of an estimate, the value, the lower end, the upper end or the standard error. The
    /// first cell has decided on the type, which later numbers can widen.
    fn push_part(&mut self, cell: &TableCell<'_>, part: usize) {
        if let (Self::Integer(numbers), TableCell::Number(_) | TableCell::Estimate(_)) =
            (&*self, cell)
        {
            *self = Self::Number(numbers.iter().map(|&number| Some(number as f64)).collect());
        }
        match (self, cell) {
            (Self::Text { texts, offsets }, cell) => {
                match cell {
                    TableCell::Text(text) => texts.push_str(text),
                    TableCell::Name(name, _) => texts.push_str(name),
                    _ => {}
                }
                offsets.push(texts.len() as i64);
            }
            (Self::Integer(numbers), TableCell::Integer(number)) => numbers.push(*number),
            (Self::Flag(flags), TableCell::Flag(flag)) => flags.push(*flag),
            (Self::Number(numbers), TableCell::Estimate(of)) => {
                numbers.push(
                    [of.value, of.low, of.high, of.error]
                        .into_iter()
                        .nth(part)
                        .flatten(),
                );
            }
            (Self::Number(numbers), cell) => numbers.push(cell.raw()),
            (Self::Integer(numbers), _) => numbers.push(0),
            (Self::Flag(flags), _) => flags.push(false),
        }
    }
}
