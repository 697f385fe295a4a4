//! The best score of a variant: a quick search for a good layout, then a proof where possible.

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::beam::{Beam, BeamSettings};
use super::exact::{Optimum, prove};
use super::layout::Layout;
use super::part::Part;
use super::variant::NmbrVariant;

/// Number of cards up to which free drafts are proven within seconds.
const FEW_CARDS: usize = 5;

/// Finds the best layout of a variant. The result is proven if the number of splits of the cards into levels
/// is small enough; otherwise it is the best layout found by beam searches of the free draft with each of the
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
    let mut quick = Optimum {
        layout: None,
        proven: false,
        bound: match &variant.deck {
            Some(deck) => height_bound(deck, variant.levels),
            None => value_bound(variant),
        },
        nodes: 0,
    };
    if variant.deck.is_none() && variant.cards > FEW_CARDS {
        for beam in beams.iter().take_while(|_| !stop.is_set()) {
            let search = Beam::new(variant, *beam, stop);
            let own = search.bound();
            quick.bound = own.map_or(quick.bound, |own| own.min(quick.bound));
            let all = [quick.layout.take(), search.run(progress)];
            quick.layout = all.into_iter().flatten().max_by_key(Layout::score);
        }
    }
    if stop.is_set() {
        return Ok(quick);
    }
    match prove(variant, quick.layout.clone(), stop, progress) {
        Some(proof) => Ok(Optimum {
            bound: proof.bound.min(quick.bound),
            ..proof
        }),
        None if variant.deck.is_some() => Err(InputError::new(
            "--deck: there are too many ways to split these cards into levels; expected fewer cards",
        )),
        None => Ok(quick),
    }
}

/// The bound with each card on its highest possible level: one more than the number of pairs of cards before
/// it.
fn height_bound(deck: &[Part], levels: usize) -> u32 {
    let cards = deck.iter().enumerate();
    let points = cards.map(|(i, part)| part.value() * (i / 2).min(levels - 1) as u32);
    points.sum()
}

/// The bound with the cards of the greatest values on the highest level.
fn value_bound(variant: &NmbrVariant) -> u32 {
    let values = Part::up_to(variant.max_value)
        .rev()
        .flat_map(|part| std::iter::repeat_n(part.value(), variant.copies))
        .take(variant.cards);
    values.sum::<u32>() * (variant.levels as u32 - 1)
}
