//! Packing the patches of one order with one strategy.

use patchwork_engine::board::{Quilt, ShapeId};
use patchwork_engine::placement::{Available, Problem, Scratch, Strategy};
use patchwork_engine::util::rng::Rng;

use super::mode::Mode;
use super::order::{ORDER_LEN, Order};

/// The streak of an order whose patches all fit.
pub const ALL_FIT: u32 = ORDER_LEN as u32 + 1;

/// The packing of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packing {
    /// Squares covered at the end, 0 to 81.
    pub area: u32,
    /// 1-based position of the first patch that did not fit, [`ALL_FIT`] when all did.
    pub streak: u32,
    /// Patches that were placed, 1 to 38.
    pub placed: u32,
    /// Sum over the patches of the alternatives that the policy generated.
    pub alternatives: u32,
}

impl Packing {
    /// The state before the first patch.
    pub(super) const EMPTY: Self = Self {
        area: 0,
        streak: ALL_FIT,
        placed: 0,
        alternatives: 0,
    };

    /// Counts the patch at a 1-based position.
    pub(super) fn add(&mut self, position: u32, step: &PackingStep) {
        if step.squares.is_empty() {
            self.streak = self.streak.min(position);
        } else {
            self.placed += 1;
        }
        self.alternatives += step.alternatives;
        self.area += step.squares.len();
    }
}

/// One patch of a packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackingStep {
    /// The number in the order: a patch, or 0 for a 1x1.
    pub number: u8,
    /// How many alternatives the policy generated; 0 when the patch does not fit.
    pub alternatives: u32,
    /// The squares that it covers, none when it does not fit.
    pub squares: Quilt,
}

/// Packs the patches of an order and passes each step to `each`.
///
/// The patches that may follow are all later ones in the order, whether or not they fit.
pub fn pack(
    mode: Mode,
    order: &Order,
    strategy: &Strategy,
    rng: &mut Rng,
    scratch: &mut Scratch,
    mut each: impl FnMut(PackingStep),
) -> Packing {
    let shapes: [ShapeId; ORDER_LEN] = order.numbers().map(|number| mode.shape(number));
    let mut left: Available = shapes.iter().copied().collect();
    let mut quilt = Quilt::EMPTY;
    let mut packing = Packing::EMPTY;
    for (i, &shape) in shapes.iter().enumerate() {
        left.remove(shape);
        let problem = Problem::new(quilt, shape, left);
        let (alternatives, squares) = match strategy.choose_counted(&problem, rng, scratch) {
            Some((alternatives, placement)) => (alternatives, placement.squares(shape)),
            None => (0, Quilt::EMPTY),
        };
        let step = PackingStep {
            number: order.numbers()[i],
            alternatives,
            squares,
        };
        packing.add(i as u32 + 1, &step);
        quilt = quilt.union(squares);
        each(step);
    }
    packing
}
