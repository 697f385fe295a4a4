//! A policy, a choice of transforms and an evaluation, put together by name.

use std::{fmt, slice};

use super::alternatives::{Alternatives, MAX_ALTERNATIVES};
use super::candidates::Candidates;
use super::evaluation::{EVALUATIONS, Evaluation};
use super::policy::{POLICIES, Policy};
use super::problem::Problem;
use crate::board::MAX_ORIENTATIONS;
use crate::game::Placement;
use crate::util::rng::{Rng, below};
use crate::util::suggest::nearest;

/// Whether a policy runs over all transforms at once or once for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transforms {
    /// Over all transforms at once.
    Some,
    /// Once for each distinct transform that fits, in the order of
    /// [`Transform::ALL`](crate::board::Transform::ALL).
    Every,
}

impl Transforms {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Some, Self::Every];

    /// The name in configuration files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Some => "some",
            Self::Every => "every",
        }
    }

    /// What it does, in a phrase.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Some => "over all rotations and flips at once",
            Self::Every => "once for each rotation and flip that fits",
        }
    }
}

/// How to place a patch.
#[derive(Clone, Copy)]
pub struct Strategy {
    policy: &'static dyn Policy,
    transforms: Transforms,
    evaluation: &'static dyn Evaluation,
    /// Every placement and a random one of them: picked by number, without generating any.
    is_uniform: bool,
}

/// Room for a strategy's work, to be reused.
#[derive(Clone, Debug)]
pub struct Scratch {
    alternatives: Alternatives,
    scores: [i32; MAX_ALTERNATIVES],
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            alternatives: Alternatives::default(),
            scores: [0; MAX_ALTERNATIVES],
        }
    }
}

/// A name that is none of those known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no {kind}: expected {}{}", known.join(", "), suggestion(name, known))]
pub struct UnknownName {
    /// What was looked for.
    pub kind: &'static str,
    /// What was given.
    pub name: String,
    /// What would have been understood.
    pub known: Vec<String>,
}

fn suggestion(name: &str, known: &[String]) -> String {
    nearest(name, known.iter().map(String::as_str))
        .map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

impl Strategy {
    /// The strategy with these parts.
    #[must_use]
    pub fn new(
        policy: &'static dyn Policy,
        transforms: Transforms,
        evaluation: &'static dyn Evaluation,
    ) -> Self {
        Self {
            policy,
            transforms,
            evaluation,
            is_uniform: policy.is_exhaustive() && evaluation.is_uniform(),
        }
    }

    /// The strategy with parts of these names.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn by_names(policy: &str, transforms: &str, evaluation: &str) -> Result<Self, UnknownName> {
        Self::among(&POLICIES, &EVALUATIONS, [policy, transforms, evaluation])
    }

    /// The strategy with a policy, a choice of transforms and an evaluation of these names, out of
    /// these policies and evaluations.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn among(
        policies: &[&'static dyn Policy],
        evaluations: &[&'static dyn Evaluation],
        names: [&str; 3],
    ) -> Result<Self, UnknownName> {
        fn find<T: Copy>(
            kind: &'static str,
            name: &str,
            known: &[T],
            name_of: impl Fn(T) -> &'static str,
        ) -> Result<T, UnknownName> {
            let found = known.iter().copied().find(|&item| name_of(item) == name);
            found.ok_or_else(|| UnknownName {
                kind,
                name: name.to_owned(),
                known: known.iter().map(|&item| name_of(item).to_owned()).collect(),
            })
        }
        let [policy, transforms, evaluation] = names;
        Ok(Self::new(
            find("policy", policy, policies, |p| p.name())?,
            find("choice of transforms", transforms, &Transforms::ALL, |t| {
                t.name()
            })?,
            find("evaluation", evaluation, evaluations, |e| e.name())?,
        ))
    }

    /// The names of the policy, the choice of transforms and the evaluation.
    #[must_use]
    pub fn names(&self) -> [&'static str; 3] {
        [
            self.policy.name(),
            self.transforms.name(),
            self.evaluation.name(),
        ]
    }

    /// Whether there is never more than one alternative, so that the evaluation does not matter.
    #[must_use]
    pub fn has_one_alternative(&self) -> bool {
        self.transforms == Transforms::Some && self.policy.is_single()
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &'static dyn Policy {
        self.policy
    }

    /// The choice of transforms.
    #[must_use]
    pub const fn transforms(&self) -> Transforms {
        self.transforms
    }

    /// The evaluation.
    #[must_use]
    pub const fn evaluation(&self) -> &'static dyn Evaluation {
        self.evaluation
    }

    /// The best placement, or `None` when the policy finds none.
    #[inline]
    pub fn choose(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<Placement> {
        let (_, placement) = self.choose_counted(problem, rng, scratch)?;
        Some(placement)
    }

    /// The best placement with the number of alternatives that the policy generated, or `None` when
    /// it generated none.
    #[inline]
    pub fn choose_counted(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<(u32, Placement)> {
        let candidates = Candidates::all(problem.shape(), problem.quilt());
        if self.is_uniform {
            let count = candidates.len();
            return (count > 0).then(|| (count, candidates.nth(below(count, rng))));
        }
        if candidates.is_empty() {
            return None;
        }
        self.generate(problem, &candidates, &mut scratch.alternatives);
        let placements = scratch.alternatives.as_slice();
        let count = placements.len() as u32;
        if count == 1 {
            return Some((1, placements[0]));
        }
        let scores = &mut scratch.scores[..placements.len()];
        if placements.is_empty() {
            return None;
        }
        let best = self.evaluation.best(problem, placements, rng, scores);
        Some((count, placements[best]))
    }

    /// The different placements that the policy generates, best first, appended to `out`. Says how many
    /// placements there are, generated or not.
    pub fn rank(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
        out: &mut Vec<Placement>,
    ) -> u32 {
        let candidates = Candidates::all(problem.shape(), problem.quilt());
        if candidates.is_empty() {
            return 0;
        }
        self.generate(problem, &candidates, &mut scratch.alternatives);
        scratch.alternatives.drop_repeated();
        let placements = scratch.alternatives.as_slice();
        let scores = &mut scratch.scores[..placements.len()];
        if placements.len() > 1 {
            self.evaluation.score(problem, placements, rng, scores);
        }
        let mut order: [u16; MAX_ALTERNATIVES] = std::array::from_fn(|i| i as u16);
        let order = &mut order[..placements.len()];
        order.sort_unstable_by_key(|&i| (scores[i as usize], i));
        out.extend(order.iter().map(|&i| placements[i as usize]));
        candidates.len()
    }

    /// The alternatives among candidates that are not empty, in the policy's order.
    #[inline(always)]
    pub fn generate(&self, problem: &Problem<'_>, candidates: &Candidates, out: &mut Alternatives) {
        out.clear();
        if candidates.len() == 1 {
            // Propagation alone places the patch: there is nothing to generate.
            return out.push(candidates.nth(0));
        }
        if self.transforms == Transforms::Some || self.policy.is_exhaustive() {
            return self
                .policy
                .generate(problem, slice::from_ref(candidates), out);
        }
        let mut groups = [*candidates; MAX_ORIENTATIONS];
        let mut len = 0;
        for orientation in 0..candidates.shape().orientations().len() {
            if !candidates.anchors(orientation).is_empty() {
                groups[len] = candidates.only(orientation);
                len += 1;
            }
        }
        self.policy.generate(problem, &groups[..len], out);
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (policy, evaluation) = (self.policy.name(), self.evaluation.name());
        write!(f, "{policy}-{} + {evaluation}", self.transforms.name())
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strategy({self})")
    }
}
