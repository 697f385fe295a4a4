//! The parts of a game in text form.

use crate::game::Player;

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Names and values of the headers in order, except the result.
    pub headers: Vec<(String, String)>,
    /// The actions of all plies.
    pub moves: Vec<Move>,
    /// The winner; `None` if the game was not played to its end.
    pub winner: Option<Player>,
}

/// An action as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its player; `None` where the text does not say.
    pub player: Option<Player>,
    /// `A`, `2:a1b1a2`, `S:e5`.
    pub action: String,
    /// A comment without braces; [`read`](super::read) drops comments.
    pub comment: Option<String>,
}

impl GameText {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The text of a result.
pub(super) const fn result_name(winner: Option<Player>) -> &'static str {
    match winner {
        Some(Player::First) => "1-0",
        Some(Player::Second) => "0-1",
        None => "*",
    }
}

/// The winner according to the text of a result.
pub(super) fn result_of(word: &str) -> Option<Option<Player>> {
    let results = [Some(Player::First), Some(Player::Second), None];
    results
        .into_iter()
        .find(|&winner| result_name(winner) == word)
}
