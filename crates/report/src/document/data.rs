//! Tables of a document as typed columns, for programs that need no text.

use super::{ReportTable, TableCell, Unit};

/// A CSV table as columns with their names, which are those of the CSV table. All have the same length. Numbers are not
/// rounded.
pub type DataTable = Vec<(String, DataColumn)>;

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub enum DataColumn {
    /// Texts.
    Text(TextViews),
    /// Whole numbers.
    Integer(Vec<i64>),
    /// Numbers that may be unknown.
    Number(Vec<Option<f64>>),
    /// Truth values.
    Flag(Vec<bool>),
}

/// Texts as Arrow's string views: 16 bytes for each text, and the bytes of those that are longer than 12. A text that
/// equals the one before it is not stored again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextViews {
    views: Vec<[u8; 16]>,
    buffers: Vec<Vec<u8>>,
}

impl TextViews {
    /// The most bytes of a buffer; its positions are signed numbers of 32 bits.
    const BUFFER: usize = i32::MAX as usize;
    /// The most bytes of a text that its view holds.
    const SHORT: usize = 12;

    /// A column without texts, but with room for `len`.
    fn with_capacity(len: usize) -> Self {
        Self {
            views: Vec::with_capacity(len),
            buffers: Vec::new(),
        }
    }

    /// The views. Their four numbers of 32 bits are the length in bytes, then the text itself if it has at most 12 bytes;
    /// otherwise its first four bytes, the number of its buffer, and its position there.
    pub fn views(&self) -> &[[u8; 16]] {
        &self.views
    }

    /// The buffers with the texts that are longer than 12 bytes.
    pub fn buffers(&self) -> &[Vec<u8>] {
        &self.buffers
    }

    /// The texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.views.iter().map(|view| self.text(view))
    }

    fn text<'a>(&'a self, view: &'a [u8; 16]) -> &'a str {
        let [length, _, buffer, start] = Self::numbers(view).map(|number| number as usize);
        let bytes = match length {
            0..=Self::SHORT => &view[4..4 + length],
            _ => &self.buffers[buffer][start..start + length],
        };
        std::str::from_utf8(bytes).expect("texts were pushed")
    }

    fn numbers(view: &[u8; 16]) -> [u32; 4] {
        std::array::from_fn(|i| u32::from_le_bytes(view.as_chunks().0[i]))
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut view = [0; 16];
        view[..4].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        if bytes.len() <= Self::SHORT {
            view[4..4 + bytes.len()].copy_from_slice(bytes);
        } else if let Some(last) = self.views.last()
            && self.text(last) == text
        {
            view = *last;
        } else {
            view[4..8].copy_from_slice(&bytes[..4]);
            let [buffer, start] = self.store(bytes).map(u32::to_le_bytes);
            view[8..12].copy_from_slice(&buffer);
            view[12..].copy_from_slice(&start);
        }
        self.views.push(view);
    }

    /// Stores the bytes of a long text; returns the number of the buffer and the position there.
    fn store(&mut self, bytes: &[u8]) -> [u32; 2] {
        let fits = |last: &Vec<u8>| last.len() + bytes.len() <= Self::BUFFER;
        if !self.buffers.last().is_some_and(fits) {
            self.buffers.push(Vec::new());
        }
        let buffer = self.buffers.len() - 1;
        let start = self.buffers[buffer].len();
        self.buffers[buffer].extend_from_slice(bytes);
        [buffer as u32, start as u32]
    }
}

impl ReportTable<'_> {
    /// The columns that have names.
    pub fn data(&self) -> DataTable {
        let mut columns = DataTable::new();
        for column in &self.columns {
            let text = matches!(column.unit, Unit::Name | Unit::Text);
            for key in column.names() {
                let empty = if text {
                    DataColumn::text()
                } else {
                    DataColumn::Number(Vec::new())
                };
                columns.push((key, empty));
            }
        }
        let keys: Vec<usize> = (self.columns.iter())
            .map(|column| column.names().len())
            .collect();
        for number in 0..self.len {
            let mut out = columns.iter_mut().map(|(_, column)| column);
            let mut keys = keys.iter();
            self.visit_row(number, &mut |cell| {
                let count = keys.next().copied().unwrap_or(0);
                for (part, column) in out.by_ref().take(count).enumerate() {
                    if number == 0 {
                        *column = DataColumn::like(&cell, self.len);
                    }
                    column.push_part(&cell, part);
                }
            });
        }
        columns
    }
}

impl DataColumn {
    /// A column of texts without rows.
    pub(crate) fn text() -> Self {
        Self::Text(TextViews::default())
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
    pub fn len(&self) -> usize {
        match self {
            Self::Text(texts) => texts.views.len(),
            Self::Integer(numbers) => numbers.len(),
            Self::Number(numbers) => numbers.len(),
            Self::Flag(flags) => flags.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A column without rows, but with room for `len`, of the type of a cell.
    fn like(cell: &TableCell<'_>, len: usize) -> Self {
        match cell {
            TableCell::Text(_) | TableCell::Name(..) => Self::Text(TextViews::with_capacity(len)),
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
            (Self::Text(texts), cell) => texts.push(match cell {
                TableCell::Text(text) => text,
                TableCell::Name(name, _) => name,
                _ => "",
            }),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::TextViews;

    proptest! {
        #[test]
        fn texts_come_back(texts in proptest::collection::vec("[aé]{0,9}", 0..40), twice in any::<bool>()) {
            let times = if twice { 2 } else { 1 };
            let texts: Vec<&str> = texts.iter().flat_map(|text| std::iter::repeat_n(&**text, times)).collect();
            let mut column = TextViews::default();
            texts.iter().for_each(|text| column.push(text));
            prop_assert!(column.iter().eq(texts.iter().copied()));
            prop_assert!(column.buffers().len() <= 1);
        }
    }

    #[test]
    fn a_text_is_in_its_view_or_in_the_buffer_once() {
        let mut column = TextViews::default();
        for text in [
            "a",
            "twelve bytes",
            "thirteen byte",
            "thirteen byte",
            "",
            "fourteen bytes",
        ] {
            column.push(text);
        }
        assert_eq!(column.buffers(), [b"thirteen bytefourteen bytes".to_vec()]);
        assert_eq!(column.views()[0], *b"\x01\0\0\0a\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(column.views()[1], *b"\x0c\0\0\0twelve bytes");
        assert_eq!(column.views()[3], *b"\x0d\0\0\0thir\0\0\0\0\0\0\0\0");
        assert_eq!(column.views()[5], *b"\x0e\0\0\0four\0\0\0\0\x0d\0\0\0");
    }
}
