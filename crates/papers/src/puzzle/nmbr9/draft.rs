//! Games with an unknown draft, played by different strategies on the same decks.

use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::{Rng, below, stream};

use super::hand::Hand;
use super::layout::{Layout, PlacedPart};
use super::mcts::DeckSearch;
use super::part::Part;
use super::pile::Pile;
use super::strategy::{least, least_regret, lookahead};
use super::variant::NmbrVariant;

/// A player of the unknown draft, which chooses among the legal placements of a card. The first three use only the
/// highest level on which the part can be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftPlayer {
    /// The first placement: by row, then column, then rotation.
    InOrder,
    /// The least first column, then the least first row.
    BottomLeft,
    /// The least regret: summed over the squares of all levels, how many fewer parts of the deck can cover
    /// the square after the placement.
    Regret,
    /// On any level, the most points for this card plus, summed over the parts of the deck, those for the
    /// next card if it were that part.
    Lookahead,
    /// Monte Carlo tree search over determinised decks.
    Mcts(DeckSearch),
}

impl DraftPlayer {
    /// The placement of a part, with `more` cards of `deck` still to come in an unknown order; `None` if it cannot be
    /// placed.
    #[must_use]
    pub(super) fn choose(
        self,
        pile: &Pile,
        part: Part,
        deck: &Hand,
        more: usize,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Option<PlacedPart> {
        match self {
            Self::InOrder => least(pile, part, |one| (one.row, one.column)),
            Self::BottomLeft => least(pile, part, |one| (one.column, one.row)),
            Self::Regret => least_regret(pile, part, deck),
            Self::Lookahead => lookahead(pile, part, deck),
            Self::Mcts(search) => search.choose(pile, part, deck, more, rng, stop),
        }
    }
}

/// The deck of a game, which depends only on the seed and the game's number.
#[must_use]
pub fn shuffled_deck(variant: &NmbrVariant, seed: u64, number: u64) -> Vec<Part> {
    let mut rng = stream(&[seed, number]);
    let mut deck: Vec<Part> = hand(variant).parts().collect();
    let cards = variant.cards.min(deck.len());
    for i in 0..cards {
        let left = (deck.len() - i) as u32;
        deck.swap(i, i + below(left, &mut rng) as usize);
    }
    deck.truncate(cards);
    deck
}

fn hand(variant: &NmbrVariant) -> Hand {
    Hand::full(variant.max_value, variant.copies as u8)
}

/// Plays the game with this number: each card is placed before the next one is known. A game ends early, with fewer
/// parts than cards, if a card cannot be placed, or when it is stopped.
#[must_use]
pub fn play_draft(
    variant: &NmbrVariant,
    player: DraftPlayer,
    (seed, number): (u64, u64),
    stop: &Stop,
) -> Layout {
    let deck = shuffled_deck(variant, seed, number);
    let mut rng = stream(&[seed, number, 1]);
    let mut pile = Pile::new(variant.usable(), variant.levels);
    let mut unseen = hand(variant);
    for &part in &deck {
        if stop.is_set() {
            break;
        }
        unseen.take(part);
        let more = deck.len() - pile.placed().len() - 1;
        match player.choose(&pile, part, &unseen, more, &mut rng, stop) {
            Some(placed) => pile.place(placed),
            None => break,
        }
    }
    pile.layout()
}
