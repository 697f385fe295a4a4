//! Games with an unknown draft, played by different strategies on the same decks.

use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::{below, stream};

use super::hand::Hand;
use super::layout::Layout;
use super::part::Part;
use super::pile::Pile;
use super::strategy::DraftPlayer;
use super::variant::NmbrVariant;

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
        match player.choose(&pile, part, (&unseen, more), (&mut rng, stop)) {
            Some(placed) => pile.place(placed),
            None => break,
        }
    }
    pile.layout()
}
