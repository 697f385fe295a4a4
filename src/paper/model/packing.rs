//! The packing experiment (section 6.2) on the model: patches of an order, one after the other.

use super::variables::{Found, MODEL_SQUARES, PlacementModel, Policy};
use crate::board::{Quilt, ShapeId};
use crate::game::{PATCH_COUNT, PatchId};
use crate::paper::kernel::Updates;
use crate::placement::{Problem, Transforms};

/// How many 1x1 patches the experiment has.
const SINGLES: usize = 5;

/// What became of one patch of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The patch's number, 0 for a 1x1.
    pub patch: u8,
    /// How many placements the policy generated; 0 when the patch did not fit.
    pub alternatives: usize,
    /// The squares it covers; none when it did not fit.
    pub squares: Quilt,
}

/// A patch about to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The quilt, the shape to place and what may follow.
    pub problem: Problem<'static>,
    /// The squares with one value left, now that the patch is known to be placed.
    pub assigned: Quilt,
}

/// What an evaluation has to choose from.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// Before the placement.
    pub root: Root,
    /// The placements that the policy generated, in its order; two at least.
    pub found: &'a [Found],
}

/// An order that names a patch that is not there, or not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the order has patch {patch} more often than the game has it")]
pub struct OrderError {
    /// The number in the order.
    pub patch: u8,
}

/// Plays packings; what its solver learns in one it keeps for the next, whatever their policies.
#[derive(Debug)]
pub struct Packer {
    model: PlacementModel,
}

impl Packer {
    /// For the 33 patches, with the shapes that `shape_of` gives them, and five 1x1.
    #[must_use]
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

    /// The model, empty between packings.
    #[must_use]
    pub const fn model(&self) -> &PlacementModel {
        &self.model
    }

    /// Places the patches of an order one after the other: `policy` says how to search, `choose`
    /// gives the index of the placement to take when there is a choice.
    ///
    /// A patch for which the policy generates nothing, or `choose` gives an index past the end, is
    /// left out for good.
    ///
    /// # Errors
    /// When the order names a patch more often than there is one.
    pub fn pack(
        &mut self,
        order: &[u8],
        policy: &mut dyn FnMut(&Root) -> Policy,
        transforms: Transforms,
        choose: &mut dyn FnMut(Offer<'_>) -> usize,
    ) -> Result<Vec<Step>, OrderError> {
        let patches = indices(order)?;
        self.model.solver_mut().store_mut().push_level();
        let mut quilt = Quilt::EMPTY;
        let mut steps = Vec::with_capacity(order.len());
        for (i, (&number, &patch)) in order.iter().zip(&patches).enumerate() {
            let shape = self.model.shapes()[patch];
            let following = patches[i + 1..].iter().map(|&p| self.model.shapes()[p]);
            let problem = Problem::new(quilt, shape, following.collect());
            let (root, found) = self.generate(patch, problem, policy, transforms);
            let chosen = match found[..] {
                [] => None,
                [only] => Some(only),
                _ => found
                    .get(choose(Offer {
                        root,
                        found: &found,
                    }))
                    .copied(),
            };
            let squares = chosen.map_or(Quilt::EMPTY, |found| found.placement.squares(shape));
            self.commit(patch, squares);
            quilt = quilt.union(squares);
            steps.push(Step {
                patch: number,
                alternatives: found.len(),
                squares,
            });
        }
        self.model.solver_mut().store_mut().undo();
        Ok(steps)
    }

    fn generate(
        &mut self,
        patch: usize,
        problem: Problem<'static>,
        policy: &mut dyn FnMut(&Root) -> Policy,
        transforms: Transforms,
    ) -> (Root, Vec<Found>) {
        let mut found = Vec::new();
        let mut root = Root {
            problem,
            assigned: Quilt::EMPTY,
        };
        if self.model.may_place(patch) {
            self.model.solver_mut().store_mut().push_level();
            if self.model.require(patch).is_ok() {
                root.assigned = self.model.assigned();
                let policy = policy(&root);
                self.model.generate(patch, policy, transforms, &mut found);
            }
            self.model.solver_mut().store_mut().undo();
        }
        (root, found)
    }

    /// Goes where the search has been already: nothing is learned from it.
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
fn indices(order: &[u8]) -> Result<Vec<usize>, OrderError> {
    let mut singles = 0;
    let mut seen = [false; PATCH_COUNT];
    let index = |&patch: &u8| match PatchId::new(patch) {
        None if patch == 0 && singles < SINGLES => {
            singles += 1;
            Ok(singles - 1)
        }
        Some(id) if !std::mem::replace(&mut seen[id.index()], true) => Ok(SINGLES + id.index()),
        _ => Err(OrderError { patch }),
    };
    order.iter().map(index).collect()
}
