//! The experiment as described in the paper, or as implemented in its program.

use patchwork_engine::board::ShapeId;
use patchwork_engine::game::PatchId;
use patchwork_engine::placement::{
    EVALUATIONS, Evaluation, POLICIES, Policy, Strategy, Transforms,
};
use patchwork_engine::util::InputError;

use super::published_program::{
    AREA, BOTTOM, LARGEST_DOMAIN, LEFT, PARETO_BOTTOM_LEFT, PATCH_4, RANDOM,
};

/// Which patches, policies and evaluations are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The paper's text, with the patches of the game.
    Described,
    /// The paper's program, with its own patch 4.
    AsPublished,
}

impl Mode {
    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Described => "described",
            Self::AsPublished => "as published",
        }
    }

    /// The shape of a number in an [`Order`](super::Order): a patch, or 0 for a 1x1.
    pub fn shape(self, number: u8) -> ShapeId {
        match (self, PatchId::new(number)) {
            (_, None) => ShapeId::SINGLE,
            (Self::AsPublished, Some(patch)) if patch.number() == 4 => PATCH_4,
            (_, Some(patch)) => patch.patch().shape,
        }
    }

    /// The policies: those of the game, with some replaced in the published mode.
    pub fn policies(self) -> Vec<&'static Policy> {
        let published = |policy: &'static Policy| -> &'static Policy {
            match policy.name {
                "first-fail" => &LARGEST_DOMAIN,
                "pareto-bl" => &PARETO_BOTTOM_LEFT,
                _ => policy,
            }
        };
        match self {
            Self::Described => POLICIES.to_vec(),
            Self::AsPublished => POLICIES.into_iter().map(published).collect(),
        }
    }

    /// The evaluations: those of the game, with some replaced in the published mode.
    pub fn evaluations(self) -> Vec<&'static Evaluation> {
        let published = |evaluation: &'static Evaluation| -> Option<&'static Evaluation> {
            Some(match evaluation.name {
                "random" => &RANDOM,
                "left" => &LEFT,
                "area" => &AREA,
                "bottom" => &BOTTOM,
                "patterns" => return None,
                _ => evaluation,
            })
        };
        match self {
            Self::Described => EVALUATIONS.to_vec(),
            Self::AsPublished => EVALUATIONS.into_iter().filter_map(published).collect(),
        }
    }

    /// Reads a strategy such as `bl-lb/every/regret`.
    pub fn strategy(self, text: &str) -> Result<Strategy, InputError> {
        Strategy::parse_among(text, &self.policies(), &self.evaluations())
    }

    /// All strategies with parts of these names; an empty list means all names.
    ///
    /// A policy that generates every placement does not depend on the choice of transforms, so it is listed
    /// only once, as `every` like in the paper.
    pub fn strategies(
        self,
        policies: &[impl AsRef<str>],
        transforms: &[impl AsRef<str>],
        evaluations: &[impl AsRef<str>],
    ) -> Result<Vec<Strategy>, InputError> {
        fn or_all<'a>(chosen: &'a [impl AsRef<str>], all: Vec<&'a str>) -> Vec<&'a str> {
            if chosen.is_empty() {
                all
            } else {
                chosen.iter().map(AsRef::as_ref).collect()
            }
        }
        let known = self.policies().iter().map(|p| p.name).collect();
        let policies = or_all(policies, known);
        let known = Transforms::ALL.iter().map(|t| t.name()).collect();
        let transforms = or_all(transforms, known);
        let known = self.evaluations().iter().map(|e| e.name).collect();
        let evaluations = or_all(evaluations, known);

        let mut strategies: Vec<Strategy> = Vec::new();
        for evaluation in evaluations {
            for policy in &policies {
                for transforms in &transforms {
                    let text = format!("{policy}/{transforms}/{evaluation}");
                    let strategy = self.strategy(&text)?.deduplicated();
                    if !strategies.contains(&strategy) {
                        strategies.push(strategy);
                    }
                }
            }
        }
        Ok(strategies)
    }

    /// The strategies whose packings are worth tracing, without random ones. Of the strategies with one
    /// alternative, for which the evaluation does not matter, only `first` is kept.
    pub fn distinctive(strategies: &[Strategy]) -> Vec<Strategy> {
        let is_distinctive = |strategy: &&Strategy| match strategy.evaluation().name {
            "random" => false,
            "first" => true,
            _ => !strategy.has_one_alternative(),
        };
        strategies.iter().filter(is_distinctive).copied().collect()
    }
}
