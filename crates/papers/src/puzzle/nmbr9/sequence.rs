//! Good layouts of a known deck: a beam search, card by card.

use std::collections::HashSet;

use patchwork_engine::search::Stop;

use super::hand::Hand;
use super::layout::{Layout, PlacedPart};
use super::part::Part;
use super::pile::Pile;
use super::strategy::ranked;
use super::variant::NmbrVariant;

/// Number of piles kept after each card.
const WIDTH: usize = 100;
/// Number of placements of a card tried on each pile.
const BREADTH: usize = 10;

/// The best layout of the deck that a beam search finds, if any. `progress` is called with the number of
/// cards placed and their total number.
pub(super) fn pack(
    variant: &NmbrVariant,
    deck: &[Part],
    stop: &Stop,
    progress: &mut dyn FnMut(usize, usize),
) -> Option<Layout> {
    let mut piles = vec![Pile::new(variant.usable(), variant.levels)];
    for (i, &part) in deck.iter().enumerate() {
        progress(i, deck.len());
        let hand = Hand::of(deck[i + 1..].iter().copied());
        let mut next: Vec<(f64, usize, PlacedPart)> = Vec::new();
        for (parent, pile) in piles.iter().enumerate() {
            // A stopped search continues with the best pile alone.
            if stop.is_set() && parent > 0 {
                break;
            }
            let mut own = ranked(pile, part, &hand);
            own.sort_by(|one, two| two.0.total_cmp(&one.0));
            own.truncate(BREADTH);
            let score = f64::from(pile.score());
            next.extend(
                own.into_iter()
                    .map(|(value, placed)| (score + value, parent, placed)),
            );
        }
        next.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut seen = HashSet::new();
        let mut kept = Vec::new();
        for (_, parent, placed) in next {
            let mut pile = piles[parent];
            pile.place(placed);
            let mut parts = pile.placed().to_vec();
            parts.sort_unstable_by_key(|one| (one.level, one.row, one.column, one.part, one.turn));
            if seen.insert(parts) {
                kept.push(pile);
            }
            if kept.len() == WIDTH {
                break;
            }
        }
        piles = kept;
    }
    let best = piles.into_iter().max_by_key(Pile::score)?;
    Some(best.layout())
}
