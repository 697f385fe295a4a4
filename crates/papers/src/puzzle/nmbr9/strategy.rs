//! Strategies for the unknown draft: each card is placed before the next one is known.

use super::hand::Hand;
use super::layout::PlacedPart;
use super::part::Part;
use super::pile::Pile;
use super::plane::SIDE;

/// The placement with the least regret; see [`DraftPlayer::Regret`](super::DraftPlayer::Regret).
pub(super) fn least_regret(pile: &Pile, part: Part, deck: &Hand) -> Option<PlacedPart> {
    let before = domains(pile, deck);
    least(pile, part, |one| {
        let mut after = *pile;
        after.place(*one);
        regret(&before, &domains(&after, deck), one)
    })
}

/// The first placement with the best estimate.
pub(super) fn lookahead(pile: &Pile, part: Part, deck: &Hand) -> Option<PlacedPart> {
    let ranked = ranked(pile, part, deck).into_iter();
    let best = ranked.reduce(|best, one| if one.0 > best.0 { one } else { best });
    best.map(|(_, one)| one)
}

/// The points of a placement.
pub(super) fn points(placed: &PlacedPart) -> u32 {
    placed.part.value() * (u32::from(placed.level) - 1)
}

/// The sum of the points of all parts of a deck, each taken as the next card.
pub(super) fn prospects(pile: &Pile, deck: &Hand) -> u32 {
    let mut sum = 0;
    for part in Part::up_to(9).filter(|&part| part.value() > 0 && deck.has(part)) {
        let count = u32::from(deck.counts[part.index()]);
        let level = pile.highest(part).unwrap_or(0) as u32;
        sum += count * part.value() * level;
    }
    sum
}

/// The first placement on the highest level with the least key.
pub(super) fn least<K: PartialOrd>(
    pile: &Pile,
    part: Part,
    mut key: impl FnMut(&PlacedPart) -> K,
) -> Option<PlacedPart> {
    let mut best: Option<(K, PlacedPart)> = None;
    let level = pile.highest(part)?;
    pile.placements_on(level, part, &mut |one| {
        let own = key(&one);
        if best.as_ref().is_none_or(|(known, _)| own < *known) {
            best = Some((own, one));
        }
    });
    best.map(|(_, one)| one)
}

/// For each level and square, how many parts of a deck can cover it.
type SquareDomains = Vec<[[u8; SIDE]; SIDE]>;

fn domains(pile: &Pile, deck: &Hand) -> SquareDomains {
    let mut domains: SquareDomains = vec![[[0; SIDE]; SIDE]; pile.height() + 1];
    for (level, rows) in domains.iter_mut().enumerate() {
        for part in Part::up_to(9).filter(|&part| deck.has(part)) {
            let count = deck.counts[part.index()];
            for (row, mut bits) in pile.cover(level, part).into_iter().enumerate() {
                while bits != 0 {
                    rows[row][bits.trailing_zeros() as usize] += count;
                    bits &= bits - 1;
                }
            }
        }
    }
    domains
}

/// The loss summed over all squares except those of the placement.
fn regret(before: &SquareDomains, after: &SquareDomains, placed: &PlacedPart) -> i64 {
    let sum = |domains: &SquareDomains| -> i64 {
        let squares = domains.iter().flatten().flatten();
        squares.map(|&size| i64::from(size)).sum()
    };
    let turn = &placed.part.turns()[usize::from(placed.turn)];
    let level = usize::from(placed.level) - 1;
    let own: i64 = turn
        .cells
        .iter()
        .map(|&(r, c)| {
            i64::from(before[level][usize::from(placed.row + r)][usize::from(placed.column + c)])
        })
        .sum();
    sum(before) - own - sum(after)
}

/// Weight of the sum of possible next points relative to certain points.
const PROSPECT: f64 = 0.4;
/// Cost in points of the first level's rim, per edge and remaining card.
const RIM: f64 = 0.02;
/// Weight of a level's rim relative to that of the level below.
const RIM_BY_LEVEL: f64 = 0.7;

/// All legal placements of a part, each with an estimate: its points, the prospects of the cards in the deck,
/// and the compactness of levels, since compact levels support more parts.
pub(super) fn ranked(pile: &Pile, part: Part, deck: &Hand) -> Vec<(f64, PlacedPart)> {
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
