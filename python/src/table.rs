//! Tables for data frames, which take them by the C data interface of Arrow.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    RecordBatchIterator,
};
use patchwork_report::document::{ReportTable, TableCell};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};

use crate::errors::{raise, value_error};
use crate::game::html;

/// A column to which values are added.
enum Column {
    Text(LargeStringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
    Flag(BooleanBuilder),
}

impl Column {
    /// A column for values like this one.
    fn like(value: &TableCell<'_>) -> Self {
        match value {
            TableCell::Text(_) | TableCell::Name(..) => Self::Text(LargeStringBuilder::new()),
            TableCell::Integer(_) => Self::Integer(Int64Builder::new()),
            TableCell::Flag(_) => Self::Flag(BooleanBuilder::new()),
            _ => Self::Number(Float64Builder::new()),
        }
    }

    fn builder(&mut self) -> &mut dyn ArrayBuilder {
        match self {
            Self::Text(texts) => texts,
            Self::Integer(numbers) => numbers,
            Self::Number(numbers) => numbers,
            Self::Flag(flags) => flags,
        }
    }

    /// Adds a value. The first one decides on the type; whole numbers become numbers when a later value is not whole.
    fn push(&mut self, value: &TableCell<'_>) {
        if self.builder().is_empty() {
            *self = Self::like(value);
        }
        match (&mut *self, value) {
            (Self::Text(texts), TableCell::Text(text)) => texts.append_value(text),
            (Self::Text(texts), TableCell::Name(name, _)) => texts.append_value(name),
            (Self::Text(texts), _) => texts.append_null(),
            (Self::Integer(numbers), TableCell::Integer(number)) => numbers.append_value(*number),
            (Self::Integer(numbers), _) => {
                let known = numbers.values_slice().iter();
                let mut wide = Float64Builder::new();
                wide.extend(known.map(|&number| Some(number as f64)));
                wide.append_option(value.raw());
                *self = Self::Number(wide);
            }
            (Self::Number(numbers), _) => numbers.append_option(value.raw()),
            (Self::Flag(flags), TableCell::Flag(flag)) => flags.append_value(*flag),
            (Self::Flag(flags), _) => flags.append_null(),
        }
    }
}

/// A table to which rows are added.
pub(crate) struct Rows {
    names: Vec<String>,
    columns: Vec<Column>,
}

impl Rows {
    /// A table without rows. Its columns have names, and have texts or not.
    pub(crate) fn new(columns: impl Iterator<Item = (String, bool)>) -> Self {
        let empty = |is_text| match is_text {
            true => Column::Text(LargeStringBuilder::new()),
            false => Column::Number(Float64Builder::new()),
        };
        let (names, columns) = columns
            .map(|(name, is_text)| (name, empty(is_text)))
            .unzip();
        Self { names, columns }
    }

    /// Adds the values of a row, in the order of the columns.
    pub(crate) fn push(&mut self, row: &[TableCell<'_>]) {
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
    }

    pub(crate) fn finish(mut self) -> PyResult<Table> {
        let columns = self.columns.iter_mut();
        let columns = columns.map(|column| column.builder().finish());
        Table::new(self.names.into_iter().zip(columns))
    }
}

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
pub(crate) struct Table(RecordBatch);

impl Table {
    fn new(columns: impl Iterator<Item = (String, ArrayRef)>) -> PyResult<Self> {
        let nullable = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(nullable);
        Ok(Self(batch.map_err(value_error)?))
    }

    /// A table of a report.
    pub(crate) fn of(table: &ReportTable<'_>) -> PyResult<Self> {
        let mut rows = Rows::new(table.names());
        for row in 0..table.len {
            rows.push(&table.values(row));
        }
        rows.finish()
    }

    /// The names and the values of the columns.
    fn columns(&self) -> impl Iterator<Item = (&str, &ArrayRef)> {
        let fields = self.0.schema_ref().fields().iter();
        fields.map(|field| &**field.name()).zip(self.0.columns())
    }
}

fn list<'py>(py: Python<'py>, column: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    if let Some(texts) = column.as_string_opt::<i64>() {
        PyList::new(py, texts)
    } else if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
        PyList::new(py, numbers)
    } else if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
        PyList::new(py, numbers)
    } else {
        PyList::new(py, column.as_boolean())
    }
}

/// The names, types and values of columns.
type Parts<'py> = Vec<(String, String, Bound<'py, PyList>)>;

/// The table of pickled columns.
#[pyfunction(name = "_unpickle_table")]
pub(crate) fn unpickle(columns: Parts<'_>) -> PyResult<Table> {
    let columns = columns.into_iter().map(|(name, kind, values)| {
        let column: ArrayRef = match &*kind {
            "Int64" => Arc::new(Int64Array::from(values.extract::<Vec<Option<i64>>>()?)),
            "Float64" => Arc::new(Float64Array::from(values.extract::<Vec<Option<f64>>>()?)),
            "Boolean" => Arc::new(BooleanArray::from(values.extract::<Vec<Option<bool>>>()?)),
            _ => Arc::new(LargeStringArray::from(
                values.extract::<Vec<Option<String>>>()?,
            )),
        };
        Ok((name, column))
    });
    Table::new(columns.collect::<PyResult<Vec<_>>>()?.into_iter())
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.columns().map(|(name, _)| name).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
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
        match self.0.column_by_name(name) {
            Some(column) => list(py, column),
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
        for (name, column) in self.columns() {
            dict.set_item(name, list(py, column)?)?;
        }
        Ok(dict)
    }

    #[pyo3(signature = (requested_schema = None))]
    #[expect(
        unused_variables,
        reason = "the interface allows to give the columns as they are"
    )]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&**self.0.schema_ref()).map_err(value_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The columns as lists with their types.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let make = py
            .import("patchwork_arena._native")?
            .getattr("_unpickle_table")?;
        let columns = self.columns().map(|(name, column)| {
            let kind = column.data_type().to_string();
            Ok((name.to_owned(), kind, list(py, column)?))
        });
        Ok((make, (columns.collect::<PyResult<_>>()?,)))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html(slf, "table")
    }

    fn __repr__(&self) -> String {
        format!(
            "Table({} rows: {})",
            self.__len__(),
            self.column_names().join(", ")
        )
    }
}
