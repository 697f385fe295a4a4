//! Good layouts of a known deck: a beam search, card by card.

use std::collections::HashSet;

use patchwork_engine::search::Stop;

use super::hand::RemainingParts;
use super::layout::{Layout, PlacedPart};
use super::part::Part;
use super::pile::Pile;
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
        let hand = RemainingParts::of(deck[i + 1..].iter().copied());
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

/// Weight of the sum of possible next points relative to certain points.
const PROSPECT: f64 = 0.4;
/// Cost in points of the first level's rim, per edge and remaining card.
const RIM: f64 = 0.02;
/// Weight of a level's rim relative to that of the level below.
const RIM_BY_LEVEL: f64 = 0.7;

/// All legal placements of a part, each with an estimate: its points, the prospects of the cards in the deck,
/// and the compactness of levels, since compact levels support more parts.
fn ranked(pile: &Pile, part: Part, deck: &RemainingParts) -> Vec<(f64, PlacedPart)> {
    let mut after = *pile;
    let left = f64::from(deck.len());
    let mut ranked = Vec::new();
    pile.placements(part, &mut |one| {
        let level = usize::from(one.level) - 1;
        let rim = f64::from(pile.rim_growth(&one)) * RIM_BY_LEVEL.powi(level as i32);
        let before = after.level(level);
        after.place(one);
        let prospects = f64::from(prospects(&after, deck));
        after.take_back(before);
        let value = f64::from(points(&one)) + PROSPECT * prospects - RIM * left * rim;
        ranked.push((value, one));
    });
    ranked
}

/// The points of a placement.
fn points(placed: &PlacedPart) -> u32 {
    placed.part.value() * (u32::from(placed.level) - 1)
}

/// The sum of the points of all parts of a deck, each taken as the next card.
fn prospects(pile: &Pile, deck: &RemainingParts) -> u32 {
    let mut sum = 0;
    for part in Part::up_to(9).filter(|&part| part.value() > 0 && deck.has(part)) {
        let count = u32::from(deck.counts[part.index()]);
        let level = pile.highest(part).unwrap_or(0) as u32;
        sum += count * part.value() * level;
    }
    sum
}
