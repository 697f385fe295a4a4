//! The best score of a variant: a quick search for a good layout, then a proof where possible.

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::beam::{Beam, BeamSettings};
use super::exact::{Optimum, prove};
use super::layout::Layout;
use super::part::Part;
use super::sequence::pack;
use super::variant::NmbrVariant;

/// Number of cards up to which free drafts are proven within seconds.
const FEW_CARDS: usize = 5;

/// Finds the best layout of a variant. The result is proven if the number of splits of the cards into levels
/// is small enough; otherwise it is the best layout found by beam searches, for a free draft with each of the
/// settings in `beams`.
///
/// `progress` is called with the number of steps done and their total number. A stopped search returns the
/// best layout so far.
pub fn solve(
    variant: &NmbrVariant,
    beams: &[BeamSettings],
    stop: &Stop,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Optimum, InputError> {
    variant.check()?;
    let (layout, bound) = match &variant.deck {
        Some(deck) => {
            let layout = pack(variant, deck, stop, progress);
            (layout, height_bound(deck, variant.levels))
        }
        None => {
            // The first cards in ascending order, as a first solution.
            let deck: Vec<Part> = Part::up_to(variant.max_value)
                .flat_map(|part| std::iter::repeat_n(part, variant.copies))
                .take(variant.cards)
                .collect();
            let simple = pack(variant, &deck, stop, progress);
            if variant.cards <= FEW_CARDS {
                (simple, u32::MAX)
            } else {
                let mut layouts: Vec<_> = simple.into_iter().collect();
                // The highest cards on the highest level, as a first bound.
                let values = Part::up_to(variant.max_value)
                    .rev()
                    .flat_map(|part| std::iter::repeat_n(part.value(), variant.copies))
                    .take(variant.cards);
                let mut bound = values.sum::<u32>() * (variant.levels as u32 - 1);
                for beam in beams.iter().take_while(|_| !stop.is_set()) {
                    let mut search = Beam::new(variant, *beam, stop);
                    bound = search.bound().map_or(bound, |own| own.min(bound));
                    search.run(progress);
                    layouts.extend(search.best().cloned());
                }
                let best = layouts.into_iter().max_by_key(Layout::score);
                (best, bound)
            }
        }
    };
    let quick = Optimum {
        layout: layout.clone(),
        proven: false,
        bound,
        nodes: 0,
    };
    if stop.is_set() {
        return Ok(quick);
    }
    let proof = prove(variant, layout, stop, progress);
    Ok(proof.map_or(quick, |proof| Optimum {
        bound: proof.bound.min(bound),
        ..proof
    }))
}

/// The bound with each card on its highest possible level: one more than the number of pairs of cards before
/// it.
fn height_bound(deck: &[Part], levels: usize) -> u32 {
    let cards = deck.iter().enumerate();
    let points = cards.map(|(i, part)| part.value() * (i / 2).min(levels - 1) as u32);
    points.sum()
}
