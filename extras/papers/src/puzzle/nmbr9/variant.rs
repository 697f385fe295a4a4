//! The variants of the game, and errors in them.

use super::part::{MAX_PART, Part};
use patchwork_engine::util::InputError;

/// The border of a grid is not used.
const MIN_GRID: usize = 3;
const MAX_GRID: usize = 32;
const MAX_LEVELS: usize = 10;
const MAX_COPIES: usize = 9;
const MAX_CARDS: usize = 20;

/// A variant of the paper, with the size of its board and its number of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NmbrVariant {
    /// The order in which the cards come; `None` for a free draft, in which the player chooses the cards and their
    /// order.
    pub deck: Option<Vec<Part>>,
    /// Greatest value of a part.
    pub max_value: u8,
    /// Parts of each value.
    pub copies: usize,
    /// Cards in the deck; all are placed.
    pub cards: usize,
    /// Rows and columns of the grid with its border, which stays empty.
    pub grid: usize,
    /// Levels that may be used.
    pub levels: usize,
}

/// The error for a card that the variant lacks.
fn card_error(found: &str, max_value: u8) -> InputError {
    InputError::new(format!(
        "--deck: found card '{found}'; expected values from 0 to {max_value}"
    ))
}

impl NmbrVariant {
    /// The standard game with a free draft: two copies of ten values, twenty cards.
    pub fn standard() -> Self {
        Self {
            deck: None,
            max_value: MAX_PART,
            copies: 2,
            cards: MAX_CARDS,
            grid: 22,
            levels: MAX_LEVELS,
        }
    }

    /// Reads a deck such as `4 2 9`; commas may be used as well.
    pub fn parse_deck(text: &str, max_value: u8) -> Result<Vec<Part>, InputError> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        words
            .map(|word| {
                let value = word.parse().ok().filter(|&value| value <= max_value);
                value
                    .and_then(Part::new)
                    .ok_or_else(|| card_error(word, max_value))
            })
            .collect()
    }

    /// Checks that the variant is valid.
    pub fn check(&self) -> Result<(), InputError> {
        let wrong = |sentence: String| Err(InputError::new(sentence));
        let (copies, cards, max_value) = (self.copies, self.cards, self.max_value);
        if max_value > MAX_PART {
            return wrong(format!(
                "--max-value: found {max_value}; expected at most {MAX_PART}"
            ));
        }
        for (key, found, least, most) in [
            ("copies", copies, 1, MAX_COPIES),
            ("cards", cards, 1, MAX_CARDS),
            ("grid", self.grid, MIN_GRID, MAX_GRID),
            ("levels", self.levels, 1, MAX_LEVELS),
        ] {
            if !(least..=most).contains(&found) {
                return wrong(format!(
                    "--{key}: found {found}; expected {least} to {most}"
                ));
            }
        }
        let parts = copies * (usize::from(max_value) + 1);
        if cards > parts {
            return wrong(format!(
                "--cards: found {cards}; expected at most {parts}, {copies} of each value from 0 to {max_value}"
            ));
        }
        if let Some(deck) = &self.deck {
            if deck.len() != cards {
                let found = deck.len();
                return wrong(format!("--deck: found {found} cards; expected {cards}"));
            }
            for part in deck {
                let value = part.value();
                if value > max_value.into() {
                    return Err(card_error(&value.to_string(), max_value));
                }
                let found = deck.iter().filter(|other| *other == part).count();
                if found > copies {
                    return wrong(format!(
                        "--deck: found {found} cards of value {value}; expected at most {copies}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Rows and columns that can be used.
    pub const fn usable(&self) -> usize {
        self.grid.saturating_sub(2)
    }
}
