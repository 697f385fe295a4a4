//! Actions as text: `A`, `2:a1b1a2`, `S:e5`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::action::{Action, Placement};
use super::patch::PatchId;
use crate::board::{Quilt, Square};
use crate::util::InputError;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Advance => f.write_str("A"),
            Self::Buy(patch, _) => write!(f, "{patch}:{}", self.squares()),
            Self::Special(square) => write!(f, "S:{square}"),
        }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl FromStr for Action {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        if text == "A" {
            return Ok(Self::Advance);
        }
        let no_action = || {
            let expected = "expected A, S:e5 or a patch and its squares such as 2:a1b1a2";
            InputError::new(format!("'{text}' is not an action; {expected}"))
        };
        let (what, squares) = text.split_once(':').ok_or_else(no_action)?;
        if what == "S" {
            return Ok(Self::Special(squares.parse()?));
        }
        let patch = what.parse().ok().and_then(PatchId::new).ok_or_else(|| {
            InputError::new(format!(
                "'{what}' is not a patch; expected S or a number from 1 to 33"
            ))
        })?;
        let placement = Placement::new(patch, parse_squares(squares)?)?;
        Ok(Self::Buy(patch, placement))
    }
}

/// Parses squares that follow each other without separators.
fn parse_squares(text: &str) -> Result<Quilt, InputError> {
    let mut squares = Quilt::EMPTY;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(2).map_or(rest.len(), |(i, _)| i);
        let square: Square = rest[..end].parse()?;
        if squares.contains(square) {
            let sentence = format!("'{text}' names the square {square} twice");
            return Err(InputError::new(sentence));
        }
        squares = squares.union(Quilt::of(square));
        rest = &rest[end..];
    }
    Ok(squares)
}

/// Actions separated by spaces.
///
/// ```
/// use patchwork_engine::game::ActionList;
///
/// let text = "A 6:i4h5i5h6 S:e5";
/// let list: ActionList = text.parse()?;
/// assert_eq!(list.0.len(), 3);
/// assert_eq!(list.to_string(), text);
/// # Ok::<(), patchwork_engine::util::InputError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionList(pub Vec<Action>);

impl FromStr for ActionList {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        text.split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for ActionList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, action) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{action}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_not_actions_are_refused() {
        for bad in [
            "", "a", "AA", "17", ":", "S:", "S:e5e6", "S:j1", "0:a1", "34:a1b1", "-1:a1", "1:a1",
            "1:", "1:a1a1", "1:a1c1", "1:i1a2", "1:a1b1c1", "1:é1", "x:a1", "1:a1b",
        ] {
            assert!(bad.parse::<Action>().is_err(), "{bad}");
        }
        assert!(
            "1:b1a1".parse::<Action>().is_ok(),
            "any order of squares is understood"
        );
    }
}
