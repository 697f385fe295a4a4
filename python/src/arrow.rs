//! Tables for data frames: columns that other libraries take without a copy, by the Arrow C data interface.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface.html> describes the structures, and
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html> how Python passes them on. A table has
//! four types of columns, so a writer of our own is smaller than a library.
#![allow(
    unsafe_code,
    reason = "the structures belong to C: they are passed as pointers and released by callbacks"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use patchwork_report::document::{DataColumn, DataTable, TextViews};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};

use crate::errors::raise;
use crate::game::html;

/// The values of a column as Arrow has them. Texts are views, which polars, DuckDB and pyarrow take without a copy. Bitmaps have the least bit first.
enum Values {
    /// UTF-8 texts as views.
    Text {
        column: TextViews,
        /// The lengths of the buffers, which Arrow passes as the last buffer.
        lengths: Vec<i64>,
    },
    /// UTF-8 texts with 64-bit offsets, for those who ask for them.
    PlainText {
        offsets: Vec<i64>,
        texts: String,
    },
    Integer(Vec<i64>),
    /// Numbers, and a bitmap of those that are known.
    Number {
        numbers: Vec<f64>,
        known: Vec<u8>,
        unknown: i64,
    },
    /// A bitmap.
    Flag {
        bits: Vec<u8>,
        len: usize,
    },
}

fn bitmap(bits: impl ExactSizeIterator<Item = bool>) -> Vec<u8> {
    let mut map = vec![0; bits.len().div_ceil(8)];
    for (i, bit) in bits.enumerate() {
        map[i / 8] |= u8::from(bit) << (i % 8);
    }
    map
}

fn bit(map: &[u8], index: usize) -> bool {
    map[index / 8] >> (index % 8) & 1 == 1
}

impl From<DataColumn> for Values {
    fn from(column: DataColumn) -> Self {
        match column {
            DataColumn::Text(column) => Self::Text {
                lengths: column
                    .buffers()
                    .iter()
                    .map(|buffer| buffer.len() as i64)
                    .collect(),
                column,
            },
            DataColumn::Integer(numbers) => Self::Integer(numbers),
            DataColumn::Number(numbers) => Self::Number {
                known: bitmap(numbers.iter().map(Option::is_some)),
                unknown: numbers.iter().filter(|number| number.is_none()).count() as i64,
                numbers: numbers
                    .into_iter()
                    .map(|number| number.unwrap_or(f64::NAN))
                    .collect(),
            },
            DataColumn::Flag(flags) => Self::Flag {
                bits: bitmap(flags.iter().copied()),
                len: flags.len(),
            },
        }
    }
}

impl Values {
    /// The format string of the type.
    const fn format(&self) -> &'static CStr {
        match self {
            Self::Text { .. } => c"vu",
            Self::PlainText { .. } => c"U",
            Self::Integer(_) => c"l",
            Self::Number { .. } => c"g",
            Self::Flag { .. } => c"b",
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Text { column, .. } => column.views().len(),
            Self::PlainText { offsets, .. } => offsets.len() - 1,
            Self::Integer(numbers) => numbers.len(),
            Self::Number { numbers, .. } => numbers.len(),
            Self::Flag { len, .. } => *len,
        }
    }

    const fn unknown(&self) -> i64 {
        match self {
            Self::Number { unknown, .. } => *unknown,
            _ => 0,
        }
    }

    /// The buffers in the order of the layout: which values are known (null for all), then the values.
    fn buffers(&self) -> Vec<*const c_void> {
        match self {
            Self::Text { column, lengths } => {
                let mut all = vec![ptr::null(), column.views().as_ptr().cast()];
                all.extend(column.buffers().iter().map(|buffer| buffer.as_ptr().cast()));
                all.push(lengths.as_ptr().cast());
                all
            }
            Self::PlainText { offsets, texts } => {
                vec![ptr::null(), offsets.as_ptr().cast(), texts.as_ptr().cast()]
            }
            Self::Integer(numbers) => vec![ptr::null(), numbers.as_ptr().cast()],
            Self::Number { numbers, known, .. } => {
                vec![known.as_ptr().cast(), numbers.as_ptr().cast()]
            }
            Self::Flag { bits, .. } => vec![ptr::null(), bits.as_ptr().cast()],
        }
    }

    /// The texts with offsets instead of views; `None` if it does not have views.
    fn plain(&self) -> Option<Self> {
        match self {
            Self::Text { column, .. } => Some(Self::plain_texts(column.iter())),
            _ => None,
        }
    }

    fn plain_texts<'a>(column: impl Iterator<Item = &'a str>) -> Self {
        let (mut offsets, mut texts) = (vec![0], String::new());
        for text in column {
            texts.push_str(text);
            offsets.push(texts.len() as i64);
        }
        Self::PlainText { offsets, texts }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match self {
            Self::Text { column, .. } => PyList::new(py, column.iter()),
            Self::PlainText { offsets, texts } => {
                let text = |ends: &[i64]| &texts[ends[0] as usize..ends[1] as usize];
                PyList::new(py, offsets.windows(2).map(text).collect::<Vec<_>>())
            }
            Self::Integer(numbers) => PyList::new(py, numbers),
            Self::Number { numbers, known, .. } => {
                let known = numbers
                    .iter()
                    .enumerate()
                    .map(|(i, number)| bit(known, i).then_some(number));
                PyList::new(py, known.collect::<Vec<_>>())
            }
            Self::Flag { bits, len } => {
                PyList::new(py, (0..*len).map(|i| bit(bits, i)).collect::<Vec<_>>())
            }
        }
    }
}

/// The columns of a table with their names.
type Columns = Vec<(CString, Arc<Values>)>;

/// A table of results: text, whole numbers, numbers and truth values.
///
/// It has the PyCapsule interface of Arrow, so ``pandas.DataFrame.from_arrow``, ``polars.DataFrame``,
/// ``pyarrow.table`` and duckdb take it without a copy.
///
/// Example:
///     >>> table = rate([{"first": "ann", "second": "bob", "winner": "first"}] * 3)
///     >>> table.column_names[0], table["agent"] == table.to_dict()["agent"], len(table)
///     ('agent', True, 2)
#[pyclass(frozen, module = "patchwork_arena")]
pub(crate) struct Table(Arc<Columns>);

impl From<DataTable> for Table {
    fn from(table: DataTable) -> Self {
        let named = table.into_iter().map(|(name, column)| {
            (
                CString::new(name).unwrap_or_default(),
                Arc::new(column.into()),
            )
        });
        Self(Arc::new(named.collect()))
    }
}

impl Table {
    fn rows(&self) -> usize {
        self.0.first().map_or(0, |(_, column)| column.len())
    }

    /// The columns as a consumer asks for them by a capsule with a schema, as far as that is possible.
    fn requested(&self, schema: &Bound<'_, PyAny>) -> PyResult<Columns> {
        let schema = schema
            .cast::<PyCapsule>()?
            .pointer_checked(Some(c"arrow_schema"))?;
        // SAFETY: A capsule of this name has a schema, which lives as long as the capsule.
        let formats = unsafe { schema.cast::<Schema>().as_ref().formats() };
        let is_plain = |name: &CStr| {
            let wanted = formats.iter().find(|(known, _)| *known == name);
            wanted.is_some_and(|(_, format)| [c"u", c"U"].contains(format))
        };
        let columns = self.0.iter().map(|(name, column)| {
            let plain = is_plain(name).then(|| column.plain()).flatten();
            let column = plain.map_or_else(|| Arc::clone(column), Arc::new);
            (name.clone(), column)
        });
        Ok(columns.collect())
    }
}

/// The names, formats and values of columns.
type Parts<'py> = Vec<(String, String, Bound<'py, PyList>)>;

/// The table of pickled columns.
#[pyfunction(name = "_unpickle_table")]
pub(crate) fn unpickle(columns: Parts<'_>) -> PyResult<Table> {
    let columns = columns.into_iter().map(|(name, format, values)| {
        let column: Values = match &*format {
            "l" => DataColumn::Integer(values.extract()?).into(),
            "g" => DataColumn::Number(values.extract()?).into(),
            "b" => DataColumn::Flag(values.extract()?).into(),
            _ => Values::plain_texts(values.extract::<Vec<String>>()?.iter().map(|text| &**text)),
        };
        Ok((CString::new(name).unwrap_or_default(), Arc::new(column)))
    });
    Ok(Table(Arc::new(columns.collect::<PyResult<_>>()?)))
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __getitem__<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = name.py();
        let Ok(name) = name.cast::<PyString>() else {
            let kind = name.get_type().name()?;
            return Err(raise::<PyTypeError>(format!(
                "expected the name of a column, found a value of type {kind}"
            )));
        };
        let name = name.to_str()?;
        let column = self
            .0
            .iter()
            .find(|(known, _)| known.to_bytes() == name.as_bytes());
        match column {
            Some((_, column)) => column.list(py),
            None => {
                let known = self.column_names().join(", ");
                Err(raise::<PyKeyError>(format!(
                    "no column '{name}'; expected {known}"
                )))
            }
        }
    }

    /// The columns as lists; unknown numbers are ``None``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.0.iter() {
            dict.set_item(name.to_string_lossy(), column.list(py)?)?;
        }
        Ok(dict)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Texts with offsets are given to those who ask for them; otherwise the columns are given as they are, which the
        // interface allows.
        let columns = match requested_schema {
            Some(requested) if !requested.is_none() => Arc::new(self.requested(requested)?),
            _ => Arc::clone(&self.0),
        };
        PyCapsule::new_with_value(py, Stream::new(columns), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of_table(&self.0), c"arrow_schema")
    }

    /// The columns as lists with the formats of their types.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let make = py
            .import("patchwork_arena._native")?
            .getattr("_unpickle_table")?;
        let columns = self.0.iter().map(|(name, column)| {
            let format = column.format().to_string_lossy().into_owned();
            Ok((
                name.to_string_lossy().into_owned(),
                format,
                column.list(py)?,
            ))
        });
        Ok((make, (columns.collect::<PyResult<_>>()?,)))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html(slf, "table")
    }

    fn __repr__(&self) -> String {
        format!(
            "Table({} rows: {})",
            self.rows(),
            self.column_names().join(", ")
        )
    }
}

/// `struct ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// What a schema owns.
struct SchemaParts {
    name: CString,
    children: Vec<*mut Schema>,
}

/// A value may be unknown.
const NULLABLE: i64 = 2;

impl Schema {
    fn new(format: &'static CStr, name: CString, children: Vec<Self>) -> Self {
        let children = children
            .into_iter()
            .map(|child| Box::into_raw(Box::new(child)))
            .collect();
        let mut parts = Box::new(SchemaParts { name, children });
        Self {
            format: format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: ptr::null(),
            flags: NULLABLE,
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    /// The names and the formats of the children.
    ///
    /// # Safety
    /// The schema must be as the interface describes it, and not released.
    unsafe fn formats(&self) -> Vec<(&CStr, &CStr)> {
        // SAFETY: The caller promises it.
        let text = |text: *const c_char| match text.is_null() {
            true => c"",
            false => unsafe { CStr::from_ptr(text) },
        };
        let children = (0..self.n_children.max(0) as usize).map(|child| {
            // SAFETY: As above.
            let child = unsafe { &**self.children.add(child) };
            (text(child.name), text(child.format))
        });
        children.collect()
    }

    fn of_table(columns: &Columns) -> Self {
        let children = columns.iter();
        let children =
            children.map(|(name, column)| Self::new(column.format(), name.clone(), Vec::new()));
        Self::new(c"+s", CString::default(), children.collect())
    }
}

/// Releases a schema and those of its children that were not moved out.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: The consumer passes a schema of `Schema::new` that it has not released, so the parts are still owned.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for &child in &parts.children {
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: It has not been released.
            unsafe { release(self) };
        }
    }
}

// SAFETY: A structure owns what it points to, and nothing in it belongs to a thread.
unsafe impl Send for Schema {}

/// `struct ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// What an array owns: its part of the table, and the lists of its buffers and children.
struct ArrayParts {
    _table: Arc<Columns>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Array {
    fn new(
        table: &Arc<Columns>,
        length: usize,
        null_count: i64,
        buffers: Vec<*const c_void>,
        children: Vec<Self>,
    ) -> Self {
        let children = children
            .into_iter()
            .map(|child| Box::into_raw(Box::new(child)))
            .collect();
        let mut parts = Box::new(ArrayParts {
            _table: Arc::clone(table),
            buffers,
            children,
        });
        Self {
            length: length as i64,
            null_count,
            offset: 0,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    fn of_table(table: &Arc<Columns>) -> Self {
        let rows = table.first().map_or(0, |(_, column)| column.len());
        let columns = table.iter();
        let children = columns.map(|(_, column)| {
            Self::new(table, rows, column.unknown(), column.buffers(), Vec::new())
        });
        Self::new(table, rows, 0, vec![ptr::null()], children.collect())
    }
}

/// Releases an array and those of its children that were not moved out.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: As for `release_schema`.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for &child in &parts.children {
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: It has not been released.
            unsafe { release(self) };
        }
    }
}

/// `struct ArrowArrayStream`: the table as one batch.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// What a stream owns: the table, and whether it is still to be sent.
struct StreamParts {
    table: Arc<Columns>,
    unsent: bool,
}

impl Stream {
    fn new(table: Arc<Columns>) -> Self {
        Self {
            get_schema: Some(stream_schema),
            get_next: Some(stream_next),
            get_last_error: Some(stream_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(StreamParts {
                table,
                unsent: true,
            }))
            .cast(),
        }
    }
}

unsafe extern "C" fn stream_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: The consumer passes a stream that is not released and a place for a schema.
    unsafe {
        let parts = &*(*stream).private_data.cast::<StreamParts>();
        out.write(Schema::of_table(&parts.table));
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: The consumer passes a stream that is not released and a place for an array, and calls one at a time.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<StreamParts>();
        let array = if std::mem::replace(&mut parts.unsent, false) {
            Array::of_table(&parts.table)
        } else {
            // The end of a stream is a released array.
            std::mem::zeroed()
        };
        out.write(array);
    }
    0
}

const unsafe extern "C" fn stream_error(_: *mut Stream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: As for `release_schema`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<StreamParts>()));
        (*stream).release = None;
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: It has not been released.
            unsafe { release(self) };
        }
    }
}

// SAFETY: As for `Schema`.
unsafe impl Send for Stream {}
