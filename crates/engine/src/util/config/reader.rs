//! A deserializer of values whose errors are [`KeyError`]s.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::util::KeyError;

/// A value of a file, whatever its format.
pub(super) enum Plain<V> {
    Nothing,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Real(f64),
    Text(String),
    List(Vec<V>),
    Table(Vec<(String, V)>),
}

/// The values of a file format.
pub(super) trait FileValue: Sized {
    fn plain(self) -> Plain<Self>;
}

impl FileValue for toml::Value {
    fn plain(self) -> Plain<Self> {
        match self {
            Self::Boolean(value) => Plain::Bool(value),
            Self::Integer(number) => Plain::Integer(number),
            Self::Float(number) => Plain::Real(number),
            Self::String(text) => Plain::Text(text),
            Self::Array(list) => Plain::List(list),
            Self::Table(table) => Plain::Table(table.into_iter().collect()),
            Self::Datetime(time) => Plain::Text(time.to_string()),
        }
    }
}

impl FileValue for serde_json::Value {
    fn plain(self) -> Plain<Self> {
        match self {
            Self::Null => Plain::Nothing,
            Self::Bool(value) => Plain::Bool(value),
            Self::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Plain::Unsigned(number),
                (None, Some(number)) => Plain::Integer(number),
                (None, None) => Plain::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            Self::String(text) => Plain::Text(text),
            Self::Array(list) => Plain::List(list),
            Self::Object(table) => Plain::Table(table.into_iter().collect()),
        }
    }
}

/// Deserializes a value.
pub(super) struct ValueReader<V>(Plain<V>);

impl<F: FileValue> ValueReader<F> {
    pub(super) fn new(value: F) -> Self {
        Self(value.plain())
    }
}

/// The keys of a table with their values.
fn entries<'de, V: FileValue>(
    table: Vec<(String, V)>,
) -> MapDeserializer<'de, impl Iterator<Item = (String, ValueReader<V>)>, KeyError> {
    let entry = |(key, value)| (key, ValueReader::new(value));
    MapDeserializer::new(table.into_iter().map(entry))
}

impl<'de, F: FileValue> IntoDeserializer<'de, KeyError> for ValueReader<F> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de, F: FileValue> Deserializer<'de> for ValueReader<F> {
    type Error = KeyError;

    fn deserialize_any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, KeyError> {
        match self.0 {
            Plain::Nothing => visitor.visit_unit(),
            Plain::Bool(value) => visitor.visit_bool(value),
            Plain::Integer(number) => visitor.visit_i64(number),
            Plain::Unsigned(number) => visitor.visit_u64(number),
            Plain::Real(number) => visitor.visit_f64(number),
            Plain::Text(text) => visitor.visit_string(text),
            Plain::List(list) => {
                let count = list.len();
                let mut list =
                    SeqDeserializer::<_, KeyError>::new(list.into_iter().map(ValueReader::new));
                let read = visitor.visit_seq(&mut list)?;
                let too_long = |_| KeyError::invalid_length(count, &"fewer elements in array");
                list.end().map(|()| read).map_err(too_long)
            }
            Plain::Table(table) => visitor.visit_map(entries(table)),
        }
    }

    fn deserialize_option<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, KeyError> {
        match self.0 {
            Plain::Nothing => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<T: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: T,
    ) -> Result<T::Value, KeyError> {
        visitor.visit_newtype_struct(self)
    }

    /// A name, or a table with a single key.
    fn deserialize_enum<T: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, KeyError> {
        match self.0 {
            Plain::Text(name) => visitor.visit_enum(name.into_deserializer()),
            Plain::Table(table) if table.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(entries(table)))
            }
            Plain::Table(table) => Err(KeyError::from(format!(
                "expected a table with 1 key, found {} keys",
                table.len()
            ))),
            _ => Err(KeyError::from("expected a name in quotes")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}
