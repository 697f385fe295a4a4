//! Utilities for all modules: random numbers, configuration files, limits on input, lines of text,
//! suggestions for misspelt names, nouns that agree with their numbers.
//!
//! ```
//! use patchwork_engine::util::counted;
//! use patchwork_engine::util::rng::{below, stream};
//!
//! // A stream of random numbers depends on its identity alone.
//! assert_eq!(below(1000, &mut stream(&[2026, 7])), below(1000, &mut stream(&[2026, 7])));
//! assert_eq!(counted(1, "game"), "1 game");
//! ```

pub mod clock;
pub mod config;
mod input_error;
pub mod limits;
pub mod lines;
pub(crate) mod memory;
pub mod rng;
#[cfg(feature = "schema")]
pub mod schema;
pub mod suggest;

pub use input_error::{InputError, KeyFault};

use serde::{Serialize, Serializer};

/// A whole number as JSON has it: a number below 2^53, and text from there on, because many readers of JSON round larger
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonInteger(pub u64);

impl Serialize for JsonInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 < 1 << 53 {
            true => serializer.serialize_u64(self.0),
            false => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for JsonInteger {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonInteger".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"], "minimum": 0 })
    }
}

/// An integer with thousands separators: `12,345`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 game`, `12,345 games`, `2 plies`.
pub fn counted(count: u64, noun: &str) -> String {
    let number = thousands(count);
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with("ch") => format!("{number} {noun}es"),
        None => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_text_in_json() {
        let largest = (1 << 53) - 1;
        let json = [largest, largest + 1, u64::MAX].map(JsonInteger);
        let json = serde_json::to_string(&json).expect("plain values");
        assert_eq!(
            json,
            "[9007199254740991,\"9007199254740992\",\"18446744073709551615\"]"
        );
    }

    #[test]
    fn thousands_are_apart_and_nouns_agree() {
        let texts = [0, 999, 1000, 12_345_678].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "12,345,678"]);
        assert_eq!(counted(1, "ply"), "1 ply");
        assert_eq!(counted(2000, "ply"), "2,000 plies");
        assert_eq!(counted(2, "mismatch"), "2 mismatches");
        assert_eq!(counted(0, "legal action"), "0 legal actions");
    }
}
