//! The learning heuristics in the packing experiment. They are slow because they need constraint
//! propagation, and sequential because what they learn in one order affects the next.

use std::time::Instant;

use patchwork_engine::game::{PatchId, Placement};
use patchwork_engine::placement::{Evaluation, Problem, Transforms};
use patchwork_engine::util::InputError;
use patchwork_kernel::Updates;

use super::experiment::{StrategyPackings, stream_of_names};
use super::mode::Mode;
use super::order::Order;
use super::packing::Packing;
use crate::paper::model::{
    Found, Heuristic, HeuristicMeasure, HeuristicScope, ModelPolicy, Packer,
};

/// Name, what is measured, and whether it is summed over the variables of all patches.
const POLICIES: [(&str, HeuristicMeasure, bool); 6] = [
    ("afc", HeuristicMeasure::FailureCount, false),
    ("sum-afc", HeuristicMeasure::FailureCount, true),
    ("action", HeuristicMeasure::Activity, false),
    ("sum-action", HeuristicMeasure::Activity, true),
    ("chb", HeuristicMeasure::ConflictHistory, false),
    ("sum-chb", HeuristicMeasure::ConflictHistory, true),
];

/// The names of the learning policies: accumulated failure count, activity and conflict history,
/// all over domain size.
pub const LEARNING_POLICIES: [&str; 6] = [
    POLICIES[0].0,
    POLICIES[1].0,
    POLICIES[2].0,
    POLICIES[3].0,
    POLICIES[4].0,
    POLICIES[5].0,
];

/// A learning policy with transforms and an evaluation.
#[derive(Clone, Copy)]
pub struct LearningStrategy {
    mode: Mode,
    policy: usize,
    transforms: Transforms,
    evaluation: &'static Evaluation,
}

impl LearningStrategy {
    /// Reads a strategy such as `afc/every/regret`: a policy of [`LEARNING_POLICIES`] and an
    /// evaluation of the mode.
    pub fn parse(mode: Mode, text: &str) -> Result<Self, InputError> {
        let (policy, rest) = text.split_once('/').unwrap_or((text, ""));
        // The other two parts are named as for any policy.
        let like = mode.strategy(&format!("in-order/{rest}"))?;
        let position = LEARNING_POLICIES.iter().position(|&known| known == policy);
        let position = position
            .ok_or_else(|| InputError::unknown_name("policy", policy, &LEARNING_POLICIES))?;
        Ok(Self {
            mode,
            policy: position,
            transforms: like.transforms(),
            evaluation: like.evaluation(),
        })
    }

    /// Policy, transforms and evaluation.
    pub fn names(&self) -> [&'static str; 3] {
        [
            LEARNING_POLICIES[self.policy],
            self.transforms.name(),
            self.evaluation.name,
        ]
    }

    /// Packs the orders one after another, without initial experience; `progress` is called after each.
    ///
    /// As described, the statistics are those of their inventors; as published, those of the solver that the
    /// published program used.
    pub fn learn(
        &self,
        orders: &[Order],
        seed: u64,
        progress: &(dyn Fn() + Sync),
    ) -> StrategyPackings {
        let (_, measure, summed) = POLICIES[self.policy];
        let (updates, sums) = match self.mode {
            Mode::Described => (Updates::Described, HeuristicScope::SquareAndPatches),
            Mode::AsPublished => (Updates::Gecode, HeuristicScope::Published),
        };
        let scope = if summed { sums } else { HeuristicScope::Square };
        let policy = ModelPolicy::Rated(Heuristic { measure, scope });
        let shape_of = |patch: PatchId| self.mode.shape(patch.number());
        let mut packer = Packer::new(shape_of, updates);
        let start = Instant::now();
        let mut packings = Vec::with_capacity(orders.len());
        for order in orders {
            let mut rng = stream_of_names(seed, order, &self.names().join(" "));
            let (mut placements, mut scores) = (Vec::new(), Vec::new());
            let mut choose = |problem: &Problem<'_>, found: &[Found]| {
                placements.clear();
                placements.extend(found.iter().map(|found| found.placement));
                scores.resize(placements.len(), 0);
                let placements: &[Placement] = &placements;
                self.evaluation
                    .best(problem, placements, &mut rng, &mut scores)
            };
            let steps = packer.pack(order, &mut |_| policy, self.transforms, &mut choose);
            let mut packing = Packing::EMPTY;
            for (step, position) in steps.iter().zip(1..) {
                packing.add(position, step);
            }
            packings.push(packing);
            progress();
        }
        StrategyPackings {
            names: self.names(),
            packings,
            time: start.elapsed(),
        }
    }
}
