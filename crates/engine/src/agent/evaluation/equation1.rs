//! Equation 1 of the paper: the gain of a patch per space of its time cost.

use crate::game::{LAST_SPACE, PatchId, Setup, State, incomes_ahead};

/// Gains are integer multiples of 1/60, so that comparisons are exact: every time cost divides 60. It is also the gain of
/// advancing, one button per space.
pub(in crate::agent) const GAIN_UNIT: i16 = 60;

/// G(P, t) = (2 S + I(t) B - C) / min(T, 53 - t), times [`GAIN_UNIT`].
///
/// S is the number of squares, C the cost in buttons, T the time cost, B the income, t the token's
/// space (0 to 52) and I(t) the number of income spaces ahead.
///
/// # Panics
/// From space 53 on, where no patch can be bought.
#[inline(always)]
pub(in crate::agent) fn gain(patch: PatchId, space: u8) -> i16 {
    ranks(space)[patch.entry()] / TIES
}

/// Numbers by which patches on a space of the mover are compared, by [`PatchId::entry`]: gains times [`TIES`].
#[inline(always)]
pub(in crate::agent) fn ranks(space: u8) -> &'static [i16; PatchId::ROOM] {
    &RANKS[space as usize]
}

/// Equal gains can be told apart by adding less than this to ranks.
pub(in crate::agent) const TIES: i16 = 4;

/// The rank of advancing, which comes last among equal gains.
pub(in crate::agent) const RANK_OF_ADVANCING: i16 = GAIN_UNIT * TIES;

/// The patches that the mover can afford with their gains, in descending order of gain; the nearest
/// patch first among equal gains. Unused slots are `None`.
pub(in crate::agent) fn by_gain(setup: &Setup, state: &State) -> [Option<(i16, PatchId)>; 3] {
    let space = state.space(state.mover());
    let mut patches = [None; 3];
    for (slot, patch) in patches.iter_mut().zip(state.affordable(setup)) {
        *slot = Some((gain(patch, space), patch));
    }
    // A stable sort of three; the library's takes several times as long.
    let gain_of = |slot: Option<(i16, PatchId)>| slot.map(|(gain, _)| gain);
    for (left, right) in [(0, 1), (1, 2), (0, 1)] {
        if gain_of(patches[left]) < gain_of(patches[right]) {
            patches.swap(left, right);
        }
    }
    patches
}

static RANKS: [[i16; PatchId::ROOM]; LAST_SPACE as usize] = {
    let mut table = [[0; PatchId::ROOM]; LAST_SPACE as usize];
    let mut space = 0;
    while space < LAST_SPACE {
        let mut number = 1;
        while let Some(id) = PatchId::new(number) {
            let patch = id.patch();
            let points = 2 * patch.shape().size() as i16
                + incomes_ahead(space) as i16 * patch.income as i16
                - patch.button_cost as i16;
            let left = LAST_SPACE - space;
            let time = if patch.time_cost < left {
                patch.time_cost
            } else {
                left
            };
            // This does not compile if a number is too large.
            table[space as usize][id.entry()] = points * GAIN_UNIT / time as i16 * TIES;
            number += 1;
        }
        space += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_equation_1() {
        // Patch 27 at the start: 6 squares, free, 3 spaces, 1 income: (12 + 9) / 3 = 7.
        let patch = PatchId::new(27).unwrap();
        assert_eq!(gain(patch, 0), 7 * GAIN_UNIT);
        // On space 51 only one income is ahead and two spaces are left: 13 / 2.
        assert_eq!(gain(patch, 51), 13 * GAIN_UNIT / 2);
        // Patch 1 from space 52: (4 - 2) / 1.
        assert_eq!(gain(PatchId::new(1).unwrap(), 52), 2 * GAIN_UNIT);
    }
}
