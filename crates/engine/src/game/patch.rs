//! The 33 patches: their costs, income and shapes.

use std::fmt;

use crate::board::{Shape, ShapeId};

/// How many patches there are.
pub const PATCH_COUNT: usize = 33;

/// The number of a patch: 1 to 33, where 1 is the 1x2 after which the token starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct PatchId(u8);

impl PatchId {
    /// The patch with this number, or `None` outside 1 to 33.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= PATCH_COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// All patches by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=PATCH_COUNT as u8).map(Self)
    }

    /// 1 to 33.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Position in [`PATCHES`], 0 to 32.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// The index of the patch in a table with room for [`Self::ROOM`], which needs no check.
    #[inline(always)]
    pub(crate) const fn entry(self) -> usize {
        self.0 as usize % Self::ROOM
    }

    /// More than the greatest [`Self::entry`].
    pub(crate) const ROOM: usize = 64;

    /// The data printed on the patch.
    #[inline(always)]
    pub const fn patch(self) -> &'static Patch {
        &ENTRIES[self.entry()]
    }
}

impl fmt::Display for PatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The data printed on a patch, in eight bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub struct Patch {
    /// Buttons to pay, 0 to 10.
    pub button_cost: u8,
    /// Spaces to move, 1 to 6.
    pub time_cost: u8,
    /// Buttons paid at each income space, 0 to 3.
    pub income: u8,
    /// The squares it covers.
    pub shape: ShapeId,
    /// Their number.
    pub(super) squares: u8,
}

impl Patch {
    const fn new(button_cost: u8, time_cost: u8, income: u8, literal: &str) -> Self {
        let shape = ShapeId::of(literal);
        Self {
            button_cost,
            time_cost,
            income,
            shape,
            squares: shape.shape().size() as u8,
        }
    }

    /// Whether a player with this many buttons can pay for the patch.
    #[inline(always)]
    pub const fn costs_at_most(&self, buttons: u16) -> bool {
        self.button_cost as u16 <= buttons
    }

    /// The shape with its orientations.
    #[inline(always)]
    pub const fn shape(&self) -> &'static Shape {
        self.shape.shape()
    }
}

/// The patches by [`PatchId::entry`].
static ENTRIES: [Patch; PatchId::ROOM] = {
    let mut all = [PATCHES[0]; PatchId::ROOM];
    let mut number = 1;
    while let Some(id) = PatchId::new(number) {
        all[id.entry()] = PATCHES[id.index()];
        number += 1;
    }
    all
};

/// The patches by [`PatchId::index`].
pub static PATCHES: [Patch; PATCH_COUNT] = [
    Patch::new(2, 1, 0, "XX"),
    Patch::new(3, 1, 0, ".X/XX"),
    Patch::new(1, 3, 0, ".X/XX"),
    Patch::new(6, 5, 2, "XX/XX"),
    Patch::new(2, 2, 0, "XXX"),
    Patch::new(3, 2, 1, ".XX/XX."),
    Patch::new(7, 6, 3, ".XX/XX."),
    Patch::new(4, 6, 2, "..X/XXX"),
    Patch::new(4, 2, 1, "..X/XXX"),
    Patch::new(2, 2, 0, ".X./XXX"),
    Patch::new(1, 2, 0, "X.X/XXX"),
    Patch::new(2, 2, 0, ".XX/XXX"),
    Patch::new(3, 3, 1, "XXXX"),
    Patch::new(3, 4, 1, "..X./XXXX"),
    Patch::new(7, 4, 2, ".XX./XXXX"),
    Patch::new(2, 3, 1, ".XXX/XX.."),
    Patch::new(10, 3, 2, "...X/XXXX"),
    Patch::new(10, 5, 3, "..XX/XXXX"),
    Patch::new(4, 2, 0, ".XXX/XXX."),
    Patch::new(7, 1, 1, "XXXXX"),
    Patch::new(5, 4, 2, ".X./XXX/.X."),
    Patch::new(5, 5, 2, "X../XXX/X.."),
    Patch::new(8, 6, 3, ".XX/XXX/X.."),
    Patch::new(3, 6, 2, ".X./XXX/X.X"),
    Patch::new(2, 3, 0, "X.X/XXX/X.X"),
    Patch::new(10, 4, 3, "..X/.XX/XX."),
    Patch::new(0, 3, 1, ".X../XXXX/.X.."),
    Patch::new(5, 3, 1, ".XX./XXXX/.XX."),
    Patch::new(2, 1, 0, "..X./XXXX/.X.."),
    Patch::new(7, 2, 2, "X.../XXXX/X..."),
    Patch::new(1, 2, 0, "X.../XXXX/...X"),
    Patch::new(1, 5, 1, "X..X/XXXX"),
    Patch::new(1, 4, 1, "..X../XXXXX/..X.."),
];
