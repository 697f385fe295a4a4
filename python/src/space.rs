//! The action space: one number for each action of a position.
//!
//! | index | action |
//! |---|---|
//! | 0 | advance |
//! | 1 + s | place a special patch on square s |
//! | 82 + 648 k + 81 o + s | buy the patch on offer k, in its orientation o, with its first square on square s |
//!
//! The space of picks has one placement of each patch: 0 goes on (advances, or places the special patch that waits), and
//! 1 + k buys the patch on offer k.
//!
//! Squares are 0 to 80 row by row, offers 0 to 2 from the token on, orientations 0 to 7 in the order of the engine's
//! `Transform::ALL` without repetitions. The first square of a placement is the first one row by row.

use patchwork_engine::board::{Quilt, Square, Words};
use patchwork_engine::game::{Action, IllegalAction, PatchId, Placement, Setup, State};

/// The index of advancing.
const ADVANCE: usize = 0;
/// The index of a special patch on the first square.
const SPECIAL: usize = 1;
/// The index of the first placement of the first offer.
const BUY: usize = SPECIAL + SQUARES;
/// The number of squares.
pub(crate) const SQUARES: usize = patchwork_engine::board::SQUARES;
/// The number of indices of one offer.
const PER_OFFER: usize = patchwork_engine::board::MAX_ORIENTATIONS * SQUARES;
/// The number of patches on offer.
pub(crate) const OFFERS: usize = 3;
/// The size of the action space.
pub(crate) const ACTIONS: usize = BUY + OFFERS * PER_OFFER;
/// The size of the space of picks.
pub(crate) const PICKS: usize = 1 + OFFERS;

/// The action of an index in a position, which may be illegal there.
///
/// # Errors
/// Why the position has no such action, as a clause.
pub(crate) fn action_of(setup: &Setup, state: &State, index: usize) -> Result<Action, String> {
    let square = |index: usize| Square::new(index as u8).expect("below 81");
    if index >= ACTIONS {
        return Err(format!("expected an index from 0 to {}", ACTIONS - 1));
    }
    if index == ADVANCE {
        return Ok(Action::Advance);
    }
    if index < BUY {
        return Ok(Action::Special(square(index - SPECIAL)));
    }
    let (offer, rest) = ((index - BUY) / PER_OFFER, (index - BUY) % PER_OFFER);
    let (orientation, anchor) = (rest / SQUARES, square(rest % SQUARES));
    if state.is_over() {
        return Err(IllegalAction::Over.to_string());
    }
    if state.specials_waiting() > 0 {
        return Err(IllegalAction::SpecialWaits.to_string());
    }
    let Some(place) = state.offers().nth(offer) else {
        return Err(format!("there is no patch on offer {offer}"));
    };
    let patch = setup.patch_at(place);
    let placement = Placement::oriented(patch.patch().shape, orientation as u8, anchor);
    placement.map(|placement| Action::Buy(patch, placement)).ok_or_else(|| {
        format!("patch {patch} in orientation {orientation} does not lie inside the quilt from {anchor}")
    })
}

/// The index of an action that is legal in a position.
///
/// # Errors
/// Why the action is illegal.
pub(crate) fn index_of(
    setup: &Setup,
    state: &State,
    action: Action,
) -> Result<usize, IllegalAction> {
    state.try_play(setup, action)?;
    Ok(index_of_legal(setup, state, action))
}

/// The index of an action that is known to be legal.
///
/// # Panics
/// If the action buys a patch that is not on offer.
pub(crate) fn index_of_legal(setup: &Setup, state: &State, action: Action) -> usize {
    match action {
        Action::Advance => ADVANCE,
        Action::Special(square) => SPECIAL + square.index(),
        Action::Buy(patch, placement) => {
            let offer = offer_of(setup, state, patch);
            let orientation = usize::from(placement.orientation());
            BUY + offer * PER_OFFER + orientation * SQUARES + placement.anchor().index()
        }
    }
}

/// The index of an action that is known to be legal, in the space of picks.
///
/// # Panics
/// If the action buys a patch that is not on offer.
pub(crate) fn pick_of_legal(setup: &Setup, state: &State, action: Action) -> usize {
    match action {
        Action::Advance | Action::Special(_) => ADVANCE,
        Action::Buy(patch, _) => 1 + offer_of(setup, state, patch),
    }
}

fn offer_of(setup: &Setup, state: &State, patch: PatchId) -> usize {
    let mut offers = state.offers();
    offers
        .position(|place| setup.patch_at(place) == patch)
        .expect("the patch is on offer")
}

/// Writes which actions of a position are legal.
///
/// # Panics
/// If the mask does not have [`ACTIONS`] elements.
pub(crate) fn write_mask(setup: &Setup, state: &State, mask: &mut [bool]) {
    assert_eq!(mask.len(), ACTIONS);
    let (others, buys) = mask.split_at_mut(BUY);
    others.fill(false);
    let waits = state.specials_waiting() > 0;
    if state.is_over() || waits {
        buys.fill(false);
        if waits && !state.is_over() {
            let free = state.quilt(state.mover()).complement();
            write_squares(free, &mut others[SPECIAL..]);
        }
        return;
    }
    others[ADVANCE] = true;
    let buttons = state.buttons(state.mover());
    let free = Words::new(state.quilt(state.mover()).complement());
    let mut offers = state.offers();
    // Each element is written once: most of the time goes by until the memory is there.
    for mask in buys.chunks_exact_mut(PER_OFFER) {
        let patch = offers.next().map(|place| setup.patch_at(place).patch());
        let patch = patch.filter(|patch| patch.costs_at_most(buttons));
        let orientations = patch.map_or(&[][..], |patch| patch.shape().orientations());
        let (masks, rest) = mask.split_at_mut(orientations.len() * SQUARES);
        for (orientation, mask) in orientations.iter().zip(masks.chunks_exact_mut(SQUARES)) {
            write_squares(orientation.anchors_in(free).squares(), mask);
        }
        rest.fill(false);
    }
}

/// The eight bits of each byte, the least first.
static BITS: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        table[at / 8][at % 8] = (at / 8) >> (at % 8) & 1 == 1;
        at += 1;
    }
    table
};

/// Writes 1 or true for each square of a set and 0 or false for the others, row by row.
///
/// # Panics
/// If there are not 81 elements.
#[inline]
pub(crate) fn write_squares<T: From<bool>>(squares: Quilt, out: &mut [T]) {
    assert_eq!(out.len(), SQUARES);
    let bytes = squares.bits().to_le_bytes();
    let (eights, last) = out.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(bytes) {
        *eight = BITS[usize::from(byte)].map(T::from);
    }
    last[0] = BITS[usize::from(bytes[10])][0].into();
}
