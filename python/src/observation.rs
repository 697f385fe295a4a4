//! Observations: what a player sees of a position, as numbers.
//!
//! Together, the planes, the scalars and the ring determine the position. The seats do not show, except in
//! `moves_first`: an observation is from one player's point of view.

use std::sync::LazyLock;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods as _};
use patchwork_engine::board::Square;
use patchwork_engine::game::{
    LAST_SPACE, PATCH_COUNT, PatchId, Player, Setup, State, Track, incomes_ahead,
};

use pyo3::prelude::*;

use crate::space::{OFFERS, SQUARES, write_squares};

/// The planes: my quilt, the other quilt, and the shapes of the patches on offer.
pub(crate) const PLANES: usize = 2 + OFFERS;
/// Bytes of the planes.
pub(crate) const PLANE_BYTES: usize = PLANES * SQUARES;
/// Length of the ring.
pub(crate) const RING: usize = PATCH_COUNT;
/// Length of an observation as one vector: planes, scalars, ring.
pub(crate) const VECTOR: usize = PLANE_BYTES + SCALARS.len() + RING;

/// A number of an observation: its name, its least and its greatest value, and what it is.
pub(crate) struct Scalar {
    pub(crate) name: &'static str,
    pub(crate) least: f32,
    pub(crate) most: f32,
    /// What it is divided by in the vector: a usual great value, so that networks see numbers of similar size.
    pub(crate) scale: f32,
    pub(crate) about: &'static str,
}

/// The table of the scalars, one a line.
macro_rules! scalars {
    ($($name:ident: $least:expr, $most:expr, $scale:expr, $about:literal;)+) => {
        [$(Scalar { name: stringify!($name), least: $least, most: $most, scale: $scale, about: $about }),+]
    };
}

/// The numbers of one player, first in the table for me, then for the other.
const OF_PLAYER: usize = 9;
/// Where the numbers of the game begin.
const OF_GAME: usize = 2 * OF_PLAYER;
/// Where the numbers of the offers begin.
const OF_OFFERS: usize = OF_GAME + 6;
/// The numbers of one offer.
const OF_OFFER: usize = 5;
const _: () = assert!(SCALARS.len() == OF_OFFERS + OFFERS * OF_OFFER);

/// Five at the start, one for each space of the track, and nine incomes of all patches. No game comes near this, so
/// it has room for a komi.
const MAX_BUTTONS: f32 = 400.0;
const MAX_INCOME: f32 = 38.0;
const MIN_POINTS: f32 = -162.0;
const MAX_POINTS: f32 = MAX_BUTTONS + 7.0;

/// The scalars in order.
pub(crate) const SCALARS: [Scalar; 39] = scalars! {
    my_buttons: 0.0, MAX_BUTTONS, 40.0, "buttons";
    my_income: 0.0, MAX_INCOME, 20.0, "buttons at each income space";
    my_space: 0.0, 53.0, 53.0, "space of the token";
    my_empty: 0.0, 81.0, 81.0, "squares that are not covered";
    my_points: MIN_POINTS, MAX_POINTS, 81.0, "points if the game ended now";
    my_bonus: 0.0, 1.0, 1.0, "1 if I have the 7x7 bonus";
    my_arrival: 0.0, 1.0, 1.0, "1 if I reached space 53 first";
    my_incomes_ahead: 0.0, 9.0, 9.0, "income spaces ahead of the token";
    my_next_special: 0.0, 53.0, 53.0, "spaces to the next special patch; 0 if there is none";
    other_buttons: 0.0, MAX_BUTTONS, 40.0, "as my_buttons, of the other player";
    other_income: 0.0, MAX_INCOME, 20.0, "as my_income";
    other_space: 0.0, 53.0, 53.0, "as my_space";
    other_empty: 0.0, 81.0, 81.0, "as my_empty";
    other_points: MIN_POINTS, MAX_POINTS, 81.0, "as my_points";
    other_bonus: 0.0, 1.0, 1.0, "as my_bonus";
    other_arrival: 0.0, 1.0, 1.0, "as my_arrival";
    other_incomes_ahead: 0.0, 9.0, 9.0, "as my_incomes_ahead";
    other_next_special: 0.0, 53.0, 53.0, "as my_next_special";
    to_move: 0.0, 1.0, 1.0, "1 if I am to move";
    moves_first: 0.0, 1.0, 1.0, "1 if I am the first player";
    specials_waiting: 0.0, 5.0, 5.0, "special patches that the mover must place now";
    specials_on_track: 0.0, 5.0, 5.0, "special patches on the track";
    revised_track: 0.0, 1.0, 1.0, "1 if the track is the revised printing";
    patches_left: 0.0, 33.0, 33.0, "patches in the ring";
    offer_0_cost: 0.0, 10.0, 10.0, "buttons to pay for the nearest patch; 0 if there is none, as below";
    offer_0_time: 0.0, 6.0, 6.0, "spaces to move";
    offer_0_income: 0.0, 3.0, 3.0, "buttons at each income space";
    offer_0_size: 0.0, 8.0, 8.0, "squares";
    offer_0_affordable: 0.0, 1.0, 1.0, "1 if I can pay for it";
    offer_1_cost: 0.0, 10.0, 10.0, "as offer_0_cost, of the second patch";
    offer_1_time: 0.0, 6.0, 6.0, "as offer_0_time";
    offer_1_income: 0.0, 3.0, 3.0, "as offer_0_income";
    offer_1_size: 0.0, 8.0, 8.0, "as offer_0_size";
    offer_1_affordable: 0.0, 1.0, 1.0, "as offer_0_affordable";
    offer_2_cost: 0.0, 10.0, 10.0, "as offer_0_cost, of the third patch";
    offer_2_time: 0.0, 6.0, 6.0, "as offer_0_time";
    offer_2_income: 0.0, 3.0, 3.0, "as offer_0_income";
    offer_2_size: 0.0, 8.0, 8.0, "as offer_0_size";
    offer_2_affordable: 0.0, 1.0, 1.0, "as offer_0_affordable";
};

/// The shape of each patch as drawn, in the first corner.
static SHAPES: LazyLock<[[u8; SQUARES]; PATCH_COUNT]> = LazyLock::new(|| {
    let mut shapes = [[0; SQUARES]; PATCH_COUNT];
    for patch in PatchId::all() {
        let drawn = &patch.patch().shape().orientations()[0];
        write_squares(
            drawn.place(Square::at(drawn.lead(), 0)),
            &mut shapes[patch.index()],
        );
    }
    shapes
});

/// Where an observation is written; the lengths are [`PLANE_BYTES`], those of [`SCALARS`] and [`RING`].
pub(crate) struct Observation<'a> {
    pub(crate) planes: &'a mut [u8],
    pub(crate) scalars: &'a mut [f32],
    pub(crate) ring: &'a mut [u8],
}

/// Several observations.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) planes: Vec<u8>,
    pub(crate) scalars: Vec<f32>,
    pub(crate) ring: Vec<u8>,
}

/// Planes, scalars and rings of several observations.
pub(crate) type RowArrays<'py> = (
    Bound<'py, PyArray4<u8>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<u8>>,
);

impl Rows {
    /// Adds what a player sees.
    pub(crate) fn push(&mut self, setup: &Setup, state: &State, player: Player) {
        fn longer<T: Copy + Default>(all: &mut Vec<T>, by: usize) -> &mut [T] {
            let len = all.len();
            all.resize(len + by, T::default());
            &mut all[len..]
        }
        let out = Observation {
            planes: longer(&mut self.planes, PLANE_BYTES),
            scalars: longer(&mut self.scalars, SCALARS.len()),
            ring: longer(&mut self.ring, RING),
        };
        observe(setup, state, player, out);
    }

    /// The observations as arrays.
    pub(crate) fn arrays(self, py: Python<'_>) -> PyResult<RowArrays<'_>> {
        let rows = self.ring.len() / RING;
        Ok((
            PyArray1::from_vec(py, self.planes).reshape([rows, PLANES, 9, 9])?,
            PyArray1::from_vec(py, self.scalars).reshape([rows, SCALARS.len()])?,
            PyArray1::from_vec(py, self.ring).reshape([rows, RING])?,
        ))
    }
}

/// Writes what a player sees.
pub(crate) fn observe(setup: &Setup, state: &State, player: Player, out: Observation<'_>) {
    let Observation {
        planes,
        scalars,
        ring,
    } = out;
    let (quilts, shapes) = planes.split_at_mut(2 * SQUARES);
    write_squares(state.quilt(player), &mut quilts[..SQUARES]);
    write_squares(state.quilt(player.other()), &mut quilts[SQUARES..]);

    let mut left = 0;
    for (place, number) in state.ring_places().zip(ring.iter_mut()) {
        *number = setup.patch_at(place).number();
        left += 1;
    }
    ring[left..].fill(0);

    let mut numbers = [0.0; SCALARS.len()];
    for (seat, numbers) in [player, player.other()]
        .into_iter()
        .zip(numbers.chunks_exact_mut(OF_PLAYER))
    {
        let space = state.space(seat);
        numbers.copy_from_slice(&[
            f32::from(state.buttons(seat)),
            f32::from(state.income(seat)),
            f32::from(space),
            state.quilt(seat).complement().len() as f32,
            f32::from(state.score(seat)),
            f32::from(u8::from(state.bonus() == Some(seat))),
            f32::from(u8::from(state.arrived() == Some(seat))),
            incomes_ahead(space.min(LAST_SPACE)) as f32,
            f32::from(
                state
                    .next_special()
                    .map_or(0, |special| special.saturating_sub(space)),
            ),
        ]);
    }
    numbers[OF_GAME..OF_OFFERS].copy_from_slice(&[
        f32::from(u8::from(!state.is_over() && state.mover() == player)),
        f32::from(u8::from(player == Player::First)),
        f32::from(state.specials_waiting()),
        state.specials_on_track() as f32,
        f32::from(u8::from(setup.track() == Track::Revised)),
        left as f32,
    ]);
    let offers = numbers[OF_OFFERS..]
        .chunks_exact_mut(OF_OFFER)
        .zip(shapes.chunks_exact_mut(SQUARES));
    for (offer, (numbers, shape)) in offers.enumerate() {
        let Some(patch) = PatchId::new(ring[offer]) else {
            shape.fill(0);
            continue;
        };
        shape.copy_from_slice(&SHAPES[patch.index()]);
        let patch = patch.patch();
        numbers.copy_from_slice(&[
            f32::from(patch.button_cost),
            f32::from(patch.time_cost),
            f32::from(patch.income),
            patch.shape().size() as f32,
            f32::from(u8::from(patch.costs_at_most(state.buttons(player)))),
        ]);
    }
    scalars.copy_from_slice(&numbers);
}

/// Writes an observation as one vector, scaled for networks.
///
/// # Panics
/// If the vector does not have [`VECTOR`] elements.
pub(crate) fn write_vector(planes: &[u8], scalars: &[f32], ring: &[u8], vector: &mut [f32]) {
    let (squares, rest) = vector.split_at_mut(PLANE_BYTES);
    let (numbers, patches) = rest.split_at_mut(SCALARS.len());
    for (out, square) in squares.iter_mut().zip(planes) {
        *out = f32::from(*square);
    }
    for ((out, number), one) in numbers.iter_mut().zip(scalars).zip(&SCALARS) {
        *out = number / one.scale;
    }
    for (out, number) in patches.iter_mut().zip(ring) {
        *out = f32::from(*number) / RING as f32;
    }
}
