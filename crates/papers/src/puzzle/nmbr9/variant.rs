//! The variants of the game, and errors in them.

use super::part::{MAX_PART, Part};

/// Greatest size of a grid; its border is not used.
pub const MAX_GRID: usize = 32;
/// Least size of a grid.
pub const MIN_GRID: usize = 3;
/// Greatest number of levels.
pub const MAX_LEVELS: usize = 10;
/// Greatest number of copies of each part.
pub const MAX_COPIES: usize = 9;
/// Greatest number of cards.
pub const MAX_CARDS: usize = 20;

/// How the parts and their order are determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NmbrDraft {
    /// The player chooses the cards and their order.
    Free,
    /// The cards come in this order.
    Known(Vec<Part>),
}

/// A variant of the paper, with the size of its board and its number of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NmbrVariant {
    /// How the cards are determined.
    pub draft: NmbrDraft,
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

/// Why a variant is invalid or too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// The greatest value is above 9.
    #[error("--max-value: found {0}; expected at most {MAX_PART}")]
    MaxValue(u8),
    /// Too few or too many copies.
    #[error("--copies: found {0}; expected 1 to {MAX_COPIES}")]
    Copies(usize),
    /// Too few or too many cards for this program.
    #[error("--cards: found {0}; expected 1 to {MAX_CARDS}")]
    Cards(usize),
    /// More cards than parts.
    #[error(
        "--cards: found {cards}; expected at most {parts}, {copies} of each value from 0 to {max_value}"
    )]
    TooFewParts {
        /// Number of cards.
        cards: usize,
        /// Number of parts.
        parts: usize,
        /// Parts of each value.
        copies: usize,
        /// Greatest value.
        max_value: u8,
    },
    /// The grid is too small or too large.
    #[error("--grid: found {0}; expected {MIN_GRID} to {MAX_GRID}")]
    Grid(usize),
    /// Too few or too many levels.
    #[error("--levels: found {0}; expected 1 to {MAX_LEVELS}")]
    Levels(usize),
    /// A card has a value that the variant lacks.
    #[error("--deck: found card '{found}'; expected values from 0 to {max_value}")]
    Card {
        /// The card as written.
        found: String,
        /// Greatest value.
        max_value: u8,
    },
    /// The deck has the wrong length.
    #[error("--deck: found {found} cards; expected {cards}")]
    DeckLength {
        /// Cards in the deck.
        found: usize,
        /// Cards of the variant.
        cards: usize,
    },
    /// The deck has more cards of a value than there are parts.
    #[error("--deck: found {found} cards of value {value}; expected at most {copies}")]
    DeckCopies {
        /// The value.
        value: u32,
        /// Its cards in the deck.
        found: usize,
        /// Parts of each value.
        copies: usize,
    },
}

impl NmbrVariant {
    /// The standard game with a free draft: two copies of ten values, twenty cards.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            draft: NmbrDraft::Free,
            max_value: MAX_PART,
            copies: 2,
            cards: MAX_CARDS,
            grid: 22,
            levels: MAX_LEVELS,
        }
    }

    /// Reads a deck such as `4 2 9`; commas may be used as well.
    ///
    /// # Errors
    /// When a card is not a value from 0 to `max_value`.
    pub fn parse_deck(text: &str, max_value: u8) -> Result<Vec<Part>, VariantError> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        words
            .map(|word| {
                let value = word.parse().ok().filter(|&value| value <= max_value);
                value.and_then(Part::new).ok_or_else(|| VariantError::Card {
                    found: word.to_owned(),
                    max_value,
                })
            })
            .collect()
    }

    /// Checks that the variant is valid.
    ///
    /// # Errors
    /// The first number that is out of range.
    pub fn check(&self) -> Result<(), VariantError> {
        let (copies, cards, max_value) = (self.copies, self.cards, self.max_value);
        if max_value > MAX_PART {
            return Err(VariantError::MaxValue(max_value));
        }
        if !(1..=MAX_COPIES).contains(&copies) {
            return Err(VariantError::Copies(copies));
        }
        if !(1..=MAX_CARDS).contains(&cards) {
            return Err(VariantError::Cards(cards));
        }
        let parts = copies * (usize::from(max_value) + 1);
        if cards > parts {
            return Err(VariantError::TooFewParts {
                cards,
                parts,
                copies,
                max_value,
            });
        }
        if !(MIN_GRID..=MAX_GRID).contains(&self.grid) {
            return Err(VariantError::Grid(self.grid));
        }
        if !(1..=MAX_LEVELS).contains(&self.levels) {
            return Err(VariantError::Levels(self.levels));
        }
        if let NmbrDraft::Known(deck) = &self.draft {
            if deck.len() != cards {
                let found = deck.len();
                return Err(VariantError::DeckLength { found, cards });
            }
            for part in deck {
                let value = part.value();
                if value > max_value.into() {
                    let found = value.to_string();
                    return Err(VariantError::Card { found, max_value });
                }
                let found = deck.iter().filter(|other| *other == part).count();
                if found > copies {
                    return Err(VariantError::DeckCopies {
                        value,
                        found,
                        copies,
                    });
                }
            }
        }
        Ok(())
    }

    /// Rows and columns that can be used.
    #[must_use]
    pub const fn usable(&self) -> usize {
        self.grid.saturating_sub(2)
    }
}
