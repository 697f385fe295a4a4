//! Parts of a search that can be exchanged. Each is declared once: its name, a sentence and its keys.

use std::iter::once;
use std::sync::{PoisonError, RwLock};
use std::{fmt, ptr};

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::settings_error::{SettingsError, check_range};

/// Maximum number of keys of a part.
const MAX_KEYS: usize = 6;

/// The key that names a part in a table, for which its value alone can stand: `"lcb"` is `{ by = "lcb" }`.
pub const BY: &str = "by";

/// A number that a part can be given.
#[derive(Debug)]
pub struct PartKey {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The value without the key.
    pub default: f64,
    /// The least and the greatest value.
    pub range: [f64; 2],
}

/// The declaration of a part.
#[derive(Clone, Copy, Debug)]
pub struct PartInfo {
    /// The name in settings.
    pub name: &'static str,
    /// What the part does.
    pub about: &'static str,
    /// Its keys, in the order in which it gets their values.
    pub keys: &'static [PartKey],
}

/// A kind of parts, of which there is a list. A program can add parts of its own.
pub trait SearchPart: Copy + 'static {
    /// The list of all parts of the kind.
    fn list() -> &'static RwLock<Vec<&'static Self>>;

    /// The names of those that ship.
    fn names() -> &'static [&'static str];

    /// The declaration.
    fn info(&self) -> &PartInfo;

    /// All parts of the kind, the default one first and those that programs have added last.
    fn all() -> Vec<&'static Self> {
        let all = Self::list().read();
        all.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The part with this name.
    fn named(name: &str) -> Option<&'static Self> {
        let mut all = Self::all().into_iter();
        all.find(|part| part.info().name == name)
    }

    /// Makes a part known to this program: from now on, settings can name it. A part that is known already stays.
    ///
    /// # Panics
    /// If another part has this name, or the part has more than 6 keys.
    fn register(part: &'static Self) {
        let PartInfo { name, keys, .. } = part.info();
        assert!(keys.len() <= MAX_KEYS, "{name}: at most {MAX_KEYS} keys");
        match Self::named(name) {
            Some(known) => assert!(ptr::eq(known, part), "another part is named {name}"),
            None => {
                let all = Self::list().write();
                all.unwrap_or_else(PoisonError::into_inner).push(part);
            }
        }
    }
}

/// Declares the files of the parts of a kind and the list of all of them, the default one first.
macro_rules! list_of_parts {
    (type $kind:ident; $($file:ident: $($part:ident),+;)+) => {
        $(mod $file;)+

        impl $crate::part::SearchPart for $kind {
            fn list() -> &'static std::sync::RwLock<Vec<&'static Self>> {
                use std::sync::{LazyLock, RwLock};

                static ALL: LazyLock<RwLock<Vec<&'static $kind>>> =
                    LazyLock::new(|| RwLock::new(vec![$($(&$file::$part),+),+]));
                &ALL
            }

            fn names() -> &'static [&'static str] {
                static NAMES: &[&str] = &[$($($file::$part.info.name),+),+];
                NAMES
            }

            fn info(&self) -> &$crate::part::PartInfo {
                &self.info
            }
        }
    };
}
pub(crate) use list_of_parts;

/// A part with the values of its keys. In settings it is a name, such as `"lcb"`, or a table with the name and the keys
/// that are not as by default: `{ by = "lcb", z = 2.0 }`.
#[derive(Clone, Copy)]
pub struct Selected<T: 'static> {
    part: &'static T,
    values: [f64; MAX_KEYS],
}

impl<T: SearchPart> Selected<T> {
    /// A part with the defaults of its keys.
    pub fn new(part: &'static T) -> Self {
        let mut values = [0.0; MAX_KEYS];
        for (value, key) in values.iter_mut().zip(part.info().keys) {
            *value = key.default;
        }
        Self { part, values }
    }

    /// The part with this name and the given values of keys.
    ///
    /// # Errors
    /// If there is no such part, or as for [`Self::with`].
    pub fn of(name: &str, given: &[(&str, f64)]) -> Result<Self, SettingsError> {
        let part = T::named(name).ok_or_else(|| SettingsError::UnknownPart {
            found: name.to_owned(),
            known: T::all().iter().map(|part| part.info().name).collect(),
        })?;
        let mut given = given.iter();
        given.try_fold(Self::new(part), |one, &(key, value)| one.with(key, value))
    }

    /// The same part with another value of the key of this name.
    ///
    /// # Errors
    /// If it has no such key, or the value is not in the range of the key.
    pub fn with(mut self, name: &str, value: f64) -> Result<Self, SettingsError> {
        let keys = self.part.info().keys;
        let at = keys.iter().position(|key| key.name == name);
        let at = at.ok_or_else(|| SettingsError::UnknownKey {
            found: name.to_owned(),
            known: once(BY).chain(keys.iter().map(|key| key.name)).collect(),
        })?;
        let PartKey { name, range, .. } = keys[at];
        check_range(name, value, range)?;
        self.values[at] = value;
        Ok(self)
    }

    /// The part.
    pub const fn part(&self) -> &'static T {
        self.part
    }

    /// The values of its keys.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.part.info().keys.len()]
    }

    pub(crate) fn part_with_keys(&self) -> (&'static T, &[f64]) {
        (self.part, self.values())
    }

    /// The keys whose values are not the defaults.
    fn changed(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let keys = self.part.info().keys.iter().zip(self.values);
        keys.filter(|(key, value)| key.default != *value)
            .map(|(key, value)| (key.name, value))
    }
}

impl<T: SearchPart> Default for Selected<T> {
    fn default() -> Self {
        Self::new(T::all()[0])
    }
}

impl<T: SearchPart> PartialEq for Selected<T> {
    fn eq(&self, other: &Self) -> bool {
        self.part.info().name == other.part.info().name && self.values == other.values
    }
}

impl<T: SearchPart> fmt::Debug for Selected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.part.info().name, self.values())
    }
}

impl<T: SearchPart> Serialize for Selected<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let name = self.part.info().name;
        if self.changed().next().is_none() {
            return to.serialize_str(name);
        }
        let mut table = to.serialize_map(None)?;
        table.serialize_entry(BY, name)?;
        for (key, value) in self.changed() {
            table.serialize_entry(key, &value)?;
        }
        table.end()
    }
}

impl<'de, T: SearchPart> Deserialize<'de> for Selected<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NameOrTable(std::marker::PhantomData))
    }
}

struct NameOrTable<T>(std::marker::PhantomData<T>);

impl<'de, T: SearchPart> Visitor<'de> for NameOrTable<T> {
    type Value = Selected<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name, or a table with the key {BY}")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        read(name, &[])
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Self::Value, A::Error> {
        let (mut name, mut given) = (None, Vec::new());
        while let Some(key) = table.next_key::<String>()? {
            if key == BY {
                name = Some(table.next_value::<String>()?);
            } else {
                given.push((key, table.next_value::<f64>()?));
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field(BY))?;
        let given: Vec<_> = given.iter().map(|(key, value)| (&**key, *value)).collect();
        read(&name, &given)
    }
}

/// As [`Selected::of`]. What reads a file may tell the names, and which one is similar, in a sentence of its own.
fn read<T: SearchPart, E: serde::de::Error>(
    name: &str,
    given: &[(&str, f64)],
) -> Result<Selected<T>, E> {
    match T::named(name) {
        None => Err(E::unknown_variant(name, T::names())),
        Some(_) => Selected::of(name, given).map_err(E::custom),
    }
}

#[cfg(feature = "schema")]
impl<T: SearchPart> schemars::JsonSchema for Selected<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        let whole = std::any::type_name::<T>();
        whole.rsplit("::").next().unwrap_or(whole).into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        use serde_json::json;

        let shapes = T::all().into_iter().flat_map(|part| {
            let PartInfo { name, about, keys } = part.info();
            let by = json!({ "description": "Its name.", "const": name });
            let mut properties = serde_json::Map::from_iter([(BY.to_owned(), by)]);
            for key in *keys {
                let [least, most] = key.range;
                let about = format!("{}; {} by default.", key.about, key.default);
                let number = json!({
                    "description": about, "type": "number", "minimum": least, "maximum": most,
                });
                properties.insert(key.name.to_owned(), number);
            }
            let table = json!({
                "description": about, "type": "object", "properties": properties,
                "required": [BY], "additionalProperties": false,
            });
            [json!({ "description": about, "const": name }), table]
        });
        schemars::json_schema!({ "oneOf": shapes.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use crate::{FinalChoice, Pick, PlayoutPolicy, RootAllocation, SelectionRule};

    use super::*;

    fn read(text: &str) -> Result<Selected<FinalChoice>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_part_is_a_name_or_a_table_and_is_written_in_the_shortest_form() {
        let lcb = read("\"lcb\"").expect("a name");
        assert_eq!(lcb.part().info().name, "lcb");
        assert_eq!(read("{\"by\": \"lcb\", \"z\": 1}"), Ok(lcb));
        assert_eq!(serde_json::to_string(&lcb).expect("text"), "\"lcb\"");
        let wide = "{\"by\":\"lcb\",\"z\":2.5}";
        let other = read(wide).expect("a table");
        assert_ne!(other, lcb);
        assert_eq!(serde_json::to_string(&other).expect("text"), wide);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            (
                "\"most\"",
                "unknown variant `most`, expected one of `visits`, ",
            ),
            (
                "{\"by\": \"lcb\", \"y\": 1}",
                "unknown key `y`, expected `by` or `z` or `share`",
            ),
            (
                "{\"by\": \"lcb\", \"z\": -1}",
                "z: expected a number from 0 to 100, found -1",
            ),
            ("{\"z\": 1}", "missing field `by`"),
            ("3", "expected a name, or a table with the key by"),
        ];
        for (text, part) in wrong {
            let error = read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn names_differ_and_defaults_are_in_their_ranges() {
        fn check<T: SearchPart>() {
            let all = T::all();
            for (i, part) in all.iter().enumerate() {
                let PartInfo { name, keys, .. } = part.info();
                assert!(
                    all[..i].iter().all(|other| other.info().name != *name),
                    "{name}"
                );
                assert!(keys.len() <= MAX_KEYS, "{name}");
                for PartKey {
                    name,
                    default,
                    range: [least, most],
                    ..
                } in *keys
                {
                    assert!((least..=most).contains(&default) && *name != BY, "{name}");
                }
            }
        }
        check::<FinalChoice>();
        check::<RootAllocation>();
        check::<Pick>();
        check::<PlayoutPolicy>();
        check::<SelectionRule>();
    }
}
