//! The inputs of the network: the facts of a position that it sees.

use crate::agent::evaluation::position_estimate::FreeSquares;
use crate::board::{Quilt, SIDE};
use crate::game::{LAST_SPACE, PATCH_COUNT, PATCHES, Player, Setup, State};
use crate::placement::Candidates;

/// Number of patches next in the ring that are inputs.
pub const PATCHES_AHEAD: usize = 6;

/// Inputs exactly one of which is on.
#[derive(Clone, Copy)]
struct InputGroup {
    first: usize,
    size: usize,
}

impl InputGroup {
    /// A group of this size after the given one.
    const fn after(self, size: usize) -> Self {
        Self {
            first: self.first + self.size,
            size,
        }
    }

    /// The input for a number; the last input also stands for all larger numbers.
    #[inline(always)]
    fn of(self, number: usize) -> usize {
        self.first + number.min(self.size - 1)
    }
}

/// The facts of one player that are inputs.
#[derive(Clone, Copy)]
struct OwnGroups {
    space: InputGroup,
    buttons: InputGroup,
    income: InputGroup,
    free: InputGroup,
    /// Squares missing in the fullest 7x7 area, at most 16; the last input if the bonus is gone.
    missing: InputGroup,
    /// Spaces to the next special patch, at most 12; the last input if there is none.
    special: InputGroup,
    /// By place in the ring: the number of placements of a patch, and whether the player can pay for it.
    fits: InputGroup,
}

impl OwnGroups {
    const fn after(group: InputGroup) -> Self {
        let space = group.after(LAST_SPACE as usize + 1);
        let buttons = space.after(64);
        let income = buttons.after(40);
        let free = income.after(SIDE * SIDE + 1);
        let missing = free.after(18);
        let special = missing.after(14);
        let fits = special.after(PATCHES_AHEAD * FITS * 2);
        Self {
            space,
            buttons,
            income,
            free,
            missing,
            special,
            fits,
        }
    }
}

/// Classes of numbers of placements: 0, 1, 2 to 4, 5 or more.
const FITS: usize = 4;
/// The largest lead in spaces that is distinguished.
const MAX_LEAD: usize = 20;
/// The largest number of missing squares, and the largest distance of a special patch, that are
/// distinguished.
const MAX_MISSING: usize = 16;
const MAX_DISTANCE: usize = 12;

const MINE: OwnGroups = OwnGroups::after(InputGroup { first: 0, size: 0 });
const THEIRS: OwnGroups = OwnGroups::after(MINE.fits);
/// Spaces by which the opponent is ahead, from -20 to 20.
const LEAD: InputGroup = THEIRS.fits.after(2 * MAX_LEAD + 1);
/// Number of waiting special patches.
const WAITING: InputGroup = LEAD.after(3);
/// By place in the ring: the patch there.
const PATCH: InputGroup = WAITING.after(PATCHES_AHEAD * PATCH_COUNT);
/// By patch on offer: whether it can be bought and placed.
const PURCHASE: InputGroup = PATCH.after(2 * PATCH_COUNT);

/// Number of inputs besides the patterns.
pub const INPUTS: usize = PURCHASE.first + PURCHASE.size;

/// The largest number of inputs besides the patterns that are on at once: two of both players and six of each, and
/// of each patch its number, how it fits on both quilts and, on offer, whether it can be bought.
pub(super) const MAX_ON: usize = 2 + 2 * 6 + 3 * PATCHES_AHEAD + 3;

/// The facts of a quilt besides its patterns.
#[derive(Clone, Copy, Debug)]
pub struct QuiltFacts {
    free: u8,
    missing: u8,
    /// The class of the number of placements of each patch.
    fits: [u8; PATCH_COUNT],
}

/// Marks a number of placements that has not been counted.
const UNCOUNTED: u8 = u8::MAX;

impl QuiltFacts {
    /// The facts of a quilt; placements of patches are counted on demand.
    pub fn of(quilt: Quilt) -> Self {
        let squares = FreeSquares::of(quilt);
        Self {
            free: squares.count as u8,
            missing: squares.missing as u8,
            fits: [UNCOUNTED; PATCH_COUNT],
        }
    }

    /// The class of the number of placements of the patch with this index.
    #[inline(always)]
    fn fit(&mut self, quilt: Quilt, patch: u8) -> usize {
        let fits = &mut self.fits[usize::from(patch)];
        if *fits == UNCOUNTED {
            *fits = fit_of(quilt, patch);
        }
        usize::from(*fits) % FITS
    }
}

// Most are known, so it stays out of the way.
#[inline(never)]
fn fit_of(quilt: Quilt, patch: u8) -> u8 {
    match Candidates::count_to(PATCHES[usize::from(patch)].shape, quilt, 5) {
        0 => 0,
        1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

/// Calls a function with each input that is on. The facts are those of the mover's quilt and of the opponent's.
#[inline(always)]
pub fn for_each_input(
    setup: &Setup,
    state: &State,
    [my_facts, their_facts]: [&mut QuiltFacts; 2],
    mut on: impl FnMut(usize),
) {
    let mover = state.mover();
    let spaces = [mover, mover.other()].map(|player| usize::from(state.space(player)));
    on(LEAD.of((MAX_LEAD + spaces[1]).saturating_sub(spaces[0])));
    on(WAITING.of(usize::from(state.specials_waiting())));
    let mut ahead = [(0, 0); PATCHES_AHEAD];
    let mut count = 0;
    for (slot, place) in ahead.iter_mut().zip(state.ring_places()) {
        let patch = setup.patch_at(place);
        *slot = (patch.index() as u8, patch.patch().button_cost);
        on(PATCH.first + PATCH_COUNT * count + patch.index());
        count += 1;
    }
    let ahead = &ahead[..count];
    own_inputs(state, mover, &MINE, my_facts, ahead, &mut on);
    let other = mover.other();
    own_inputs(state, other, &THEIRS, their_facts, ahead, &mut on);
    for &(patch, cost) in ahead.iter().take(3) {
        let fits = my_facts.fit(state.quilt(mover), patch) > 0;
        let buys = fits && u16::from(cost) <= state.buttons(mover);
        on(PURCHASE.first + 2 * usize::from(patch) + usize::from(buys));
    }
}

#[inline(always)]
fn own_inputs(
    state: &State,
    player: Player,
    groups: &OwnGroups,
    facts: &mut QuiltFacts,
    ahead: &[(u8, u8)],
    mut on: impl FnMut(usize),
) {
    let space = state.space(player);
    on(groups.space.of(space.into()));
    on(groups.buttons.of(state.buttons(player).into()));
    on(groups.income.of(state.income(player).into()));
    on(groups.free.of(facts.free.into()));
    on(match state.bonus() {
        None => groups
            .missing
            .of(usize::from(facts.missing).min(MAX_MISSING)),
        Some(_) => groups.missing.of(MAX_MISSING + 1),
    });
    on(match state.next_special() {
        Some(special) => {
            let distance = usize::from(special.saturating_sub(space));
            groups.special.of(distance.min(MAX_DISTANCE))
        }
        None => groups.special.of(MAX_DISTANCE + 1),
    });
    for (at, &(patch, cost)) in ahead.iter().enumerate() {
        let fit = facts.fit(state.quilt(player), patch);
        let pays = usize::from(u16::from(cost) <= state.buttons(player));
        on(groups.fits.first + 2 * (FITS * at + fit) + pays);
    }
}
