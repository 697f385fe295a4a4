//! The time board: 53 spaces, nine of them with income, five with a special patch.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::util::InputError;

/// The last space; the tokens start on 0.
pub const LAST_SPACE: u8 = 53;
pub(super) const SPECIAL_COUNT: usize = 5;

/// Spaces that pay the player's income when crossed or reached.
pub const INCOME_SPACES: [u8; 9] = [5, 11, 17, 23, 29, 35, 41, 47, 53];

/// Bit `s` is set when space `s` pays income.
const INCOME_MASK: u64 = mask(&INCOME_SPACES);

const fn mask(spaces: &[u8]) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < spaces.len() {
        bits |= 1 << spaces[i];
        i += 1;
    }
    bits
}

/// The bits of the spaces `old < s <= new`.
#[inline(always)]
pub(crate) const fn crossed(old: u8, new: u8) -> u64 {
    (2 << new) - (2 << old)
}

/// Whether a space pays the player's income when it is crossed or reached.
pub const fn is_income(space: u8) -> bool {
    space <= LAST_SPACE && INCOME_MASK >> space & 1 == 1
}

/// Income spaces with `old < s <= new`.
#[inline(always)]
pub(super) const fn incomes_crossed(old: u8, new: u8) -> u32 {
    incomes_ahead(old) - incomes_ahead(new)
}

/// Income spaces still ahead of a token on this space: the paper's I(t).
#[inline]
pub const fn incomes_ahead(space: u8) -> u32 {
    INCOMES_AHEAD[space as usize] as u32
}

/// A table is used because counting bits is slower where the processor's instruction cannot be assumed.
static INCOMES_AHEAD: [u8; LAST_SPACE as usize + 1] = {
    let mut table = [0; LAST_SPACE as usize + 1];
    let mut space = 0;
    while space <= LAST_SPACE {
        table[space as usize] = (INCOME_MASK & crossed(space, LAST_SPACE)).count_ones() as u8;
        space += 1;
    }
    table
};

/// A printing of the time board; printings differ in the spaces of the special patches.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Track {
    /// Special patches on 20, 26, 32, 44 and 50.
    #[default]
    Original,
    /// Special patches on 26, 32, 38, 44 and 50.
    Revised,
}

impl Track {
    /// Both printings.
    pub const ALL: [Self; 2] = [Self::Original, Self::Revised];

    /// The spaces of the special patches, ascending.
    pub const fn specials(self) -> [u8; SPECIAL_COUNT] {
        match self {
            Self::Original => [20, 26, 32, 44, 50],
            Self::Revised => [26, 32, 38, 44, 50],
        }
    }

    /// Bit `s` is set when a special patch stands on space `s` at the start.
    pub(crate) const fn special_mask(self) -> u64 {
        mask(&self.specials())
    }

    /// The name used in files: `original` or `revised`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Revised => "revised",
        }
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Track {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        Self::ALL
            .into_iter()
            .find(|track| track.name() == text)
            .ok_or_else(|| {
                InputError::new(format!(
                    "'{text}' is not a track; expected original or revised"
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomes_are_counted_after_the_old_space_up_to_the_new_one() {
        assert_eq!(incomes_ahead(0), 9);
        assert_eq!(incomes_ahead(52), 1);
        assert_eq!(incomes_ahead(53), 0);
        assert_eq!(incomes_crossed(5, 11), 1);
        assert_eq!(incomes_crossed(4, 5), 1);
        assert_eq!(incomes_crossed(5, 10), 0);
        assert_eq!(incomes_crossed(4, 11), 2);
        for old in 0..=LAST_SPACE {
            for new in old..=LAST_SPACE {
                let slow = INCOME_SPACES
                    .iter()
                    .filter(|&&s| old < s && s <= new)
                    .count();
                assert_eq!(incomes_crossed(old, new) as usize, slow);
            }
        }
    }
}
