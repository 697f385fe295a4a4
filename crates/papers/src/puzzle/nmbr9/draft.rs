//! Games with an unknown draft, played by different strategies on the same decks.

use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::{below, stream};

use super::hand::Hand;
use super::layout::Layout;
use super::mcts::DeckSearch;
use super::part::Part;
use super::pile::Pile;
use super::strategy::DraftRule;
use super::variant::NmbrVariant;

/// A player of the unknown draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftPlayer {
    /// A rule that looks ahead at most one card.
    Rule(DraftRule),
    /// Monte Carlo tree search over determinised decks.
    Mcts(DeckSearch),
}

/// A game of the unknown draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftGame {
    /// The placed parts.
    pub layout: Layout,
    /// Whether every card could be placed.
    pub finished: bool,
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

/// Plays the game with this number: each card is placed before the next one is known. A game ends early if a
/// card cannot be placed, or when it is stopped.
#[must_use]
pub fn play_draft(
    variant: &NmbrVariant,
    player: DraftPlayer,
    (seed, number): (u64, u64),
    stop: &Stop,
) -> DraftGame {
    let deck = shuffled_deck(variant, seed, number);
    let mut rng = stream(&[seed, number, 1]);
    let mut pile = Pile::new(variant.usable(), variant.levels);
    let mut unseen = hand(variant);
    for &part in &deck {
        if stop.is_set() {
            break;
        }
        unseen.take(part);
        let placed = match player {
            DraftPlayer::Rule(rule) => rule.choose(&pile, part, &unseen),
            DraftPlayer::Mcts(search) => {
                let more = deck.len() - pile.placed().len() - 1;
                search.choose(&pile, part, (&unseen, more), (&mut rng, stop))
            }
        };
        match placed {
            Some(placed) => pile.place(placed),
            None => break,
        }
    }
    DraftGame {
        finished: pile.placed().len() == deck.len(),
        layout: pile.layout(),
    }
}
