//! Options that a bot declares, with their types and ranges.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::util::suggest::one_of;

/// An option of a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct BotOption {
    /// Its name: one word.
    pub name: String,
    /// Its type, with the default and the range.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// `type switch default on|off`
    Switch {
        /// The default.
        default: bool,
    },
    /// `type integer default D min A max B`
    Integer {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// `type number default D min A max B`
    Number {
        /// The default.
        default: f64,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// `type choice default D values A B C`
    Choice {
        /// The default.
        default: String,
        /// All values.
        values: Vec<String>,
    },
    /// `type text default ...`
    Text {
        /// The default.
        default: String,
    },
}

impl BotOption {
    /// A value from an agent file as text.
    pub fn text_of(&self, value: &toml::Value) -> Result<String, String> {
        let found = match value {
            toml::Value::String(text) => format!("\"{text}\""),
            other => other.to_string(),
        };
        let expected = |what: String| Err(format!("expected {what}, found {found}"));
        match (&self.kind, value) {
            (OptionKind::Switch { .. }, toml::Value::Boolean(value)) => Ok(switch(*value).into()),
            (OptionKind::Switch { .. }, _) => expected("true or false".into()),
            (OptionKind::Integer { min, max, .. }, toml::Value::Integer(value))
                if (min..=max).contains(&value) =>
            {
                Ok(value.to_string())
            }
            (OptionKind::Integer { min, max, .. }, _) => {
                expected(format!("a whole number from {min} to {max}"))
            }
            (OptionKind::Number { min, max, .. }, value) => {
                let number = value.as_float();
                let number = number.or_else(|| value.as_integer().map(|n| n as f64));
                match number.filter(|number| (min..=max).contains(&number)) {
                    Some(number) => Ok(number.to_string()),
                    None => expected(format!("a number from {min} to {max}")),
                }
            }
            (OptionKind::Choice { values, .. }, toml::Value::String(text))
                if values.contains(text) =>
            {
                Ok(text.clone())
            }
            (OptionKind::Choice { values, .. }, _) => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                expected(one_of(&values))
            }
            (OptionKind::Text { .. }, toml::Value::String(text))
                if !text.contains(['\n', '\r']) =>
            {
                Ok(text.clone())
            }
            (OptionKind::Text { .. }, _) => expected("a text on one line".into()),
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        match &self.kind {
            OptionKind::Switch { default } => switch(*default).to_owned(),
            OptionKind::Integer { default, .. } => default.to_string(),
            OptionKind::Number { default, .. } => default.to_string(),
            OptionKind::Choice { default, .. } | OptionKind::Text { default } => default.clone(),
        }
    }
}

const fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// The text after `option`.
impl fmt::Display for BotOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Switch { default } => write!(f, "switch default {}", switch(*default)),
            OptionKind::Integer { default, min, max } => {
                write!(f, "integer default {default} min {min} max {max}")
            }
            OptionKind::Number { default, min, max } => {
                write!(f, "number default {default} min {min} max {max}")
            }
            OptionKind::Choice { default, values } => {
                write!(f, "choice default {default} values {}", values.join(" "))
            }
            OptionKind::Text { default } => write!(f, "text default {default}"),
        }
    }
}

/// A default and its range, if they are numbers and the default is in the range.
fn default_within<N: FromStr + PartialOrd>(words: [&&str; 3]) -> Result<[N; 3], ()> {
    let number = |word: &str| word.parse().map_err(drop);
    let [default, min, max] = words;
    let (default, min, max) = (number(default)?, number(min)?, number(max)?);
    let is_within = min <= default && default <= max;
    is_within.then_some([default, min, max]).ok_or(())
}

/// Parses the text after `option`. A default out of its range makes the line unknown.
impl FromStr for BotOption {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["name", name, "type", kind, "default", rest @ ..] = &words[..] else {
            return Err(());
        };
        let kind = match (*kind, rest) {
            ("switch", ["on"]) => OptionKind::Switch { default: true },
            ("switch", ["off"]) => OptionKind::Switch { default: false },
            ("integer", [default, "min", min, "max", max]) => {
                let [default, min, max] = default_within([default, min, max])?;
                OptionKind::Integer { default, min, max }
            }
            ("number", [default, "min", min, "max", max]) => {
                let [default, min, max] = default_within([default, min, max])?;
                if f64::is_infinite(min) || f64::is_infinite(max) {
                    return Err(());
                }
                OptionKind::Number { default, min, max }
            }
            ("choice", [default, "values", values @ ..]) if values.contains(default) => {
                OptionKind::Choice {
                    default: (*default).to_owned(),
                    values: values.iter().map(|value| (*value).to_owned()).collect(),
                }
            }
            ("text", rest) => OptionKind::Text {
                default: rest.join(" "),
            },
            _ => return Err(()),
        };
        Ok(Self {
            name: (*name).to_owned(),
            kind,
        })
    }
}
