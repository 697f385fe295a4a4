//! The packing experiment (section 6.2) on the model.

use patchwork_engine::board::{Quilt, ShapeId};
use patchwork_engine::game::PatchId;
use patchwork_engine::placement::{Problem, Transforms};
use patchwork_kernel::Updates;

use super::expression::MODEL_SQUARES;
use super::policy::{Found, ModelPolicy};
use super::variables::PlacementModel;
use crate::paper::order::{ORDER_LEN, Order, SINGLES};
use crate::paper::packing::PackingStep;

/// Packs orders. What its solver has learned is kept for later packings, whatever their policies.
#[derive(Debug)]
pub struct Packer {
    model: PlacementModel,
}

impl Packer {
    /// A packer for the 33 patches, with the shapes that `shape_of` gives them, and five 1x1s.
    pub fn new(shape_of: impl Fn(PatchId) -> ShapeId, updates: Updates) -> Self {
        let mut shapes = vec![ShapeId::SINGLE; SINGLES];
        shapes.extend(PatchId::all().map(shape_of));
        let mut model = PlacementModel::new(&shapes);
        let mut tracked = Vec::new();
        for square in 0..MODEL_SQUARES {
            tracked.push(model.board(square));
            tracked.extend((0..=model.end()).map(|value| model.flag(value, square)));
        }
        let learning = model.solver_mut().learning_mut();
        learning.set_updates(updates);
        for var in tracked {
            learning.track(var);
        }
        Self { model }
    }

    /// Places the patches of an order one after the other. `policy` is the search, given the squares with one value
    /// left if the patch is placed. `choose` gives the index of the placement to take when the policy generated at
    /// least two, which it gets in the policy's order.
    ///
    /// A patch for which the policy generates nothing, or `choose` gives an index past the end, is
    /// left out for good.
    pub fn pack(
        &mut self,
        order: &Order,
        policy: &mut dyn FnMut(Quilt) -> ModelPolicy,
        transforms: Transforms,
        choose: &mut dyn FnMut(&Problem<'_>, &[Found]) -> usize,
    ) -> Vec<PackingStep> {
        let patches = indices(order);
        self.model.solver_mut().store_mut().push_level();
        let mut quilt = Quilt::EMPTY;
        let mut steps = Vec::with_capacity(ORDER_LEN);
        for (i, (number, &patch)) in order.numbers().into_iter().zip(&patches).enumerate() {
            let shape = self.model.shapes()[patch];
            let following = patches[i + 1..].iter().map(|&p| self.model.shapes()[p]);
            let problem = Problem::new(quilt, shape, following.collect());
            let found = self.generate(patch, policy, transforms);
            let chosen = match found[..] {
                [] => None,
                [only] => Some(only),
                _ => found.get(choose(&problem, &found)).copied(),
            };
            let squares = chosen.map_or(Quilt::EMPTY, |found| found.placement.squares(shape));
            self.commit(patch, squares);
            quilt = quilt.union(squares);
            steps.push(PackingStep {
                number,
                alternatives: found.len() as u32,
                squares,
            });
        }
        self.model.solver_mut().store_mut().undo();
        steps
    }

    fn generate(
        &mut self,
        patch: usize,
        policy: &mut dyn FnMut(Quilt) -> ModelPolicy,
        transforms: Transforms,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        if self.model.may_place(patch) {
            self.model.solver_mut().store_mut().push_level();
            if self.model.require(patch).is_ok() {
                let policy = policy(self.model.assigned());
                self.model.generate(patch, policy, transforms, &mut found);
            }
            self.model.solver_mut().store_mut().undo();
        }
        found
    }

    /// Places the chosen placement without learning, because the search has already been there.
    fn commit(&mut self, patch: usize, squares: Quilt) {
        self.model.solver_mut().learning_mut().switch(false);
        let result = if squares.is_empty() {
            self.model.exclude(patch)
        } else {
            self.model.cover(patch, squares)
        };
        self.model.solver_mut().learning_mut().switch(true);
        debug_assert!(result.is_ok(), "the policy's placement is a solution");
    }
}

/// The model's index of each patch of an order: the 1x1s first, then patches by number.
fn indices(order: &Order) -> [usize; ORDER_LEN] {
    let mut singles = 0;
    order.numbers().map(|number| match PatchId::new(number) {
        Some(patch) => SINGLES + patch.index(),
        None => {
            singles += 1;
            singles - 1
        }
    })
}
