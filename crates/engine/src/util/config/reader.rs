//! A deserializer of values whose errors are [`KeyError`]s. It knows the path of the value that it is reading.

use std::cell::RefCell;
use std::vec;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::util::KeyError;

/// A value of a file, whatever its format.
pub(super) enum FileValue {
    Nothing,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Real(f64),
    Text(String),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

impl From<toml::Value> for FileValue {
    fn from(value: toml::Value) -> Self {
        match value {
            toml::Value::Boolean(value) => Self::Bool(value),
            toml::Value::Integer(number) => Self::Integer(number),
            toml::Value::Float(number) => Self::Real(number),
            toml::Value::String(text) => Self::Text(text),
            toml::Value::Array(list) => Self::List(list.into_iter().map(Self::from).collect()),
            toml::Value::Table(table) => Self::table(table),
            toml::Value::Datetime(time) => Self::Text(time.to_string()),
        }
    }
}

impl From<serde_json::Value> for FileValue {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Nothing,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Self::Unsigned(number),
                (None, Some(number)) => Self::Integer(number),
                (None, None) => Self::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(text) => Self::Text(text),
            serde_json::Value::Array(list) => {
                Self::List(list.into_iter().map(Self::from).collect())
            }
            serde_json::Value::Object(table) => Self::table(table),
        }
    }
}

impl FileValue {
    fn table<V: Into<Self>>(table: impl IntoIterator<Item = (String, V)>) -> Self {
        let entries = table.into_iter().map(|(key, value)| (key, value.into()));
        Self::Table(entries.collect())
    }
}

/// The steps from the whole to the value that is read, such as `.names` and `[2]`. After an error, they lead to the
/// innermost wrong value.
pub(super) type ValuePath = RefCell<Vec<String>>;

/// Deserializes a value.
pub(super) struct ValueReader<'p> {
    value: FileValue,
    path: &'p ValuePath,
}

impl<'p> ValueReader<'p> {
    pub(super) fn new(value: FileValue, path: &'p ValuePath) -> Self {
        Self { value, path }
    }

    /// Reads the value that this step leads to.
    fn read<'de, S: DeserializeSeed<'de>>(
        self,
        step: String,
        seed: S,
    ) -> Result<S::Value, KeyError> {
        let path = self.path;
        path.borrow_mut().push(step);
        let read = seed.deserialize(self)?;
        path.borrow_mut().pop();
        Ok(read)
    }
}

impl<'de> Deserializer<'de> for ValueReader<'_> {
    type Error = KeyError;

    fn deserialize_any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, KeyError> {
        let path = self.path;
        match self.value {
            FileValue::Nothing => visitor.visit_unit(),
            FileValue::Bool(value) => visitor.visit_bool(value),
            FileValue::Integer(number) => visitor.visit_i64(number),
            FileValue::Unsigned(number) => visitor.visit_u64(number),
            FileValue::Real(number) => visitor.visit_f64(number),
            FileValue::Text(text) => visitor.visit_string(text),
            FileValue::List(list) => {
                let count = list.len();
                let indexed = (0..).zip(list);
                let steps = indexed.map(|(index, value): (u32, _)| (format!("[{index}]"), value));
                let mut list = Entries::new(steps.collect(), path);
                let read = visitor.visit_seq(&mut list)?;
                match list.left.next() {
                    None => Ok(read),
                    Some(_) => Err(KeyError::invalid_length(count, &"fewer elements in array")),
                }
            }
            FileValue::Table(table) => visitor.visit_map(Entries::new(table, path)),
        }
    }

    fn deserialize_option<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, KeyError> {
        match self.value {
            FileValue::Nothing => visitor.visit_none(),
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
        let variant = match self.value {
            FileValue::Text(name) => vec![(name, FileValue::Nothing)],
            FileValue::Table(table) if table.len() == 1 => table,
            FileValue::Table(table) => {
                return Err(KeyError::from(format!(
                    "expected a table with 1 key, found {} keys",
                    table.len()
                )));
            }
            _ => return Err(KeyError::from("expected a name in quotes")),
        };
        visitor.visit_enum(MapAccessDeserializer::new(Entries {
            is_variant: true,
            ..Entries::new(variant, self.path)
        }))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

/// The keys of a table that are still to be read, and the key whose value is the next; or the elements of a list that are
/// still to be read, with the steps to them as keys.
struct Entries<'p> {
    left: vec::IntoIter<(String, FileValue)>,
    next: Option<(String, FileValue)>,
    /// Whether the key is the name of a variant, which is not a step of the path while it is read.
    is_variant: bool,
    path: &'p ValuePath,
}

impl<'p> Entries<'p> {
    fn new(table: Vec<(String, FileValue)>, path: &'p ValuePath) -> Self {
        Self {
            left: table.into_iter(),
            next: None,
            is_variant: false,
            path,
        }
    }
}

impl<'de> SeqAccess<'de> for Entries<'_> {
    type Error = KeyError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, KeyError> {
        let Some((step, value)) = self.left.next() else {
            return Ok(None);
        };
        ValueReader::new(value, self.path)
            .read(step, seed)
            .map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = KeyError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, KeyError> {
        self.next = self.left.next();
        let Some((key, _)) = &self.next else {
            return Ok(None);
        };
        let read = seed.deserialize(StrDeserializer::<KeyError>::new(key));
        read.map(Some).inspect_err(|_| {
            if !self.is_variant {
                self.path.borrow_mut().push(format!(".{key}"));
            }
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, KeyError> {
        let (key, value) = self.next.take().expect("a key is read before its value");
        ValueReader::new(value, self.path).read(format!(".{key}"), seed)
    }
}
