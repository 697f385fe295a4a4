//! A deserializer of TOML values whose errors are [`InputError`]s.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use toml::{Table, Value};

use crate::util::InputError;

pub(super) struct FileValue(pub(super) Value);

/// The keys and values of a table.
fn entries<'de>(
    table: Table,
) -> MapDeserializer<'de, impl Iterator<Item = (String, FileValue)>, InputError> {
    MapDeserializer::new(
        table
            .into_iter()
            .map(|(key, value)| (key, FileValue(value))),
    )
}

impl IntoDeserializer<'_, InputError> for FileValue {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for FileValue {
    type Error = InputError;

    fn deserialize_any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, InputError> {
        match self.0 {
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::String(text) => visitor.visit_string(text),
            Value::Datetime(time) => visitor.visit_string(time.to_string()),
            Value::Array(list) => {
                let count = list.len();
                let mut list = SeqDeserializer::new(list.into_iter().map(FileValue));
                let read = visitor.visit_seq(&mut list)?;
                let too_many = |_| InputError::invalid_length(count, &"fewer elements in array");
                list.end().map_err(too_many)?;
                Ok(read)
            }
            Value::Table(table) => visitor.visit_map(entries(table)),
        }
    }

    fn deserialize_option<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, InputError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<T: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: T,
    ) -> Result<T::Value, InputError> {
        visitor.visit_newtype_struct(self)
    }

    /// A name, or a table with a single key.
    fn deserialize_enum<T: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, InputError> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(name.into_deserializer()),
            Value::Table(table) if table.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(entries(table)))
            }
            Value::Table(table) => Err(InputError::new(format!(
                "expected a table with 1 key, found {} keys",
                table.len()
            ))),
            _ => Err(InputError::new("expected a name in quotes")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}
