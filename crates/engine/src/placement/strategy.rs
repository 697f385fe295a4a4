//! A policy, a choice of transforms and an evaluation, written `policy/transforms/evaluation`.

use std::str::FromStr;
use std::{fmt, ptr, slice};

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::alternatives::{Alternatives, MAX_ALTERNATIVES};
use super::candidates::Candidates;
use super::evaluations::{EVALUATIONS, Evaluation, Remembered};
use super::policies::{POLICIES, Policy};
use super::problem::Problem;
use super::regret_parts::RegretParts;
use crate::board::{
    BoardWork, CoverLanes, FindFits, MAX_ORIENTATIONS, PlacedShape, PortableFits, ShapeId, Words,
    with_best,
};
use crate::game::{Placement, Setup, State};
use crate::util::InputError;
use crate::util::rng::{Rng, below};

/// Whether a policy runs once over all transforms or once for each transform.
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
    pub const fn name(self) -> &'static str {
        match self {
            Self::Some => "some",
            Self::Every => "every",
        }
    }

    /// A short description.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Some => "over all rotations and flips at once",
            Self::Every => "once for each rotation and flip that fits",
        }
    }
}

/// A strategy for placing a patch: a policy generates placements, for all transforms at once or for
/// each transform, and an evaluation chooses among them.
///
/// ```
/// use patchwork_engine::placement::Strategy;
///
/// let strategy: Strategy = "bl-lb/every/regret".parse()?;
/// assert_eq!(strategy.policy().name, "bl-lb");
/// assert_eq!(strategy.to_string(), "bl-lb/every/regret");
///
/// let error = "bl-lb/evry/regret".parse::<Strategy>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "unknown transforms 'evry'; expected some or every; did you mean every?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Strategy {
    policy: &'static Policy,
    transforms: Transforms,
    evaluation: &'static Evaluation,
    direct: Option<Direct>,
}

/// A choice that is made without generating alternatives.
#[derive(Clone, Copy, Debug)]
enum Direct {
    /// The only alternative is the placement with the greatest row-major bit string.
    First,
    /// All placements have the same probability.
    Uniform,
}

impl Direct {
    /// The number of alternatives and the chosen one. Inlined, so that it uses what the caller's processor features allow.
    #[inline(always)]
    fn choose<F: FindFits>(
        self,
        shape: ShapeId,
        free: Words,
        rng: &mut Rng,
    ) -> Option<(u32, PlacedShape)> {
        match self {
            Self::First => Some((1, F::first(shape, free)?)),
            Self::Uniform => {
                let fits = F::all(shape, free);
                let count = Some(fits.len()).filter(|&count| count > 0)?;
                let (orientation, anchor) = fits.nth(below(count, rng));
                Some((count, PlacedShape::new(shape, orientation, anchor)))
            }
        }
    }
}

/// Finds the first placement of a shape on free squares, and the number of all.
struct FirstAndCount(ShapeId, Words);

impl BoardWork for FirstAndCount {
    type Result = Option<(PlacedShape, u32)>;

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Self::Result {
        let Self(shape, free) = self;
        Some((F::first(shape, free)?, F::all(shape, free).len()))
    }
}

/// Reusable buffers of a strategy.
#[derive(Debug)]
pub struct Scratch {
    alternatives: Alternatives,
    scores: [i32; MAX_ALTERNATIVES],
    order: [u16; MAX_ALTERNATIVES],
    /// What is known of regrets, and of which strategy.
    regrets: RegretParts,
    regrets_of: Option<Strategy>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            alternatives: Alternatives::default(),
            scores: [0; MAX_ALTERNATIVES],
            order: [0; MAX_ALTERNATIVES],
            regrets: RegretParts::default(),
            regrets_of: None,
        }
    }
}

fn named<T: Copy>(
    part: &'static str,
    found: &str,
    known: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, InputError> {
    let item = known.iter().copied().find(|&item| name(item) == found);
    item.ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|&item| name(item)).collect();
        InputError::unknown_name(part, found, &known)
    })
}

impl Strategy {
    /// The strategy made of these parts.
    pub fn new(
        policy: &'static Policy,
        transforms: Transforms,
        evaluation: &'static Evaluation,
    ) -> Self {
        let is_first = policy.is_first && transforms == Transforms::Some;
        let is_uniform = policy.is_exhaustive && evaluation.is_uniform;
        Self {
            policy,
            transforms,
            evaluation,
            direct: (is_first.then_some(Direct::First)).or(is_uniform.then_some(Direct::Uniform)),
        }
    }

    /// Parses a strategy made of these policies and evaluations.
    ///
    /// [`FromStr`] does the same with [`POLICIES`] and [`EVALUATIONS`].
    pub fn parse_among(
        text: &str,
        policies: &[&'static Policy],
        evaluations: &[&'static Evaluation],
    ) -> Result<Self, InputError> {
        let parts: Vec<&str> = text.split('/').collect();
        let [policy, transforms, evaluation] = parts[..] else {
            return Err(InputError::new(format!(
                "'{text}' is not a strategy; expected POLICY/TRANSFORMS/EVALUATION such as bl-lb/every/regret"
            )));
        };
        Ok(Self::new(
            named("policy", policy, policies, |known| known.name)?,
            named("transforms", transforms, &Transforms::ALL, |known| {
                known.name()
            })?,
            named("evaluation", evaluation, evaluations, |known| known.name)?,
        ))
    }

    /// The same strategy in a canonical form: `every` is used if the policy generates every
    /// placement, because the choice of transforms then makes no difference.
    pub fn deduplicated(mut self) -> Self {
        if self.policy.is_exhaustive {
            self.transforms = Transforms::Every;
        }
        self
    }

    /// The names of the policy, the choice of transforms and the evaluation.
    pub fn names(&self) -> [&'static str; 3] {
        [
            self.policy.name,
            self.transforms.name(),
            self.evaluation.name,
        ]
    }

    /// Whether there is never more than one alternative, so that the evaluation has no effect.
    pub fn has_one_alternative(&self) -> bool {
        self.transforms == Transforms::Some && self.policy.is_single
    }

    /// The policy.
    pub const fn policy(&self) -> &'static Policy {
        self.policy
    }

    /// The choice of transforms.
    pub const fn transforms(&self) -> Transforms {
        self.transforms
    }

    /// The evaluation.
    pub const fn evaluation(&self) -> &'static Evaluation {
        self.evaluation
    }

    /// The best placement, or `None` if the policy generates none.
    // What it returns is in a register: squares that come through memory would be waited for in every ply of a rollout.
    #[inline(never)]
    pub fn choose(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<Placement> {
        let (_, placement) = self.choose_counted(problem, rng, scratch)?;
        Some(placement)
    }

    /// The best placement of a shape on the mover's quilt. Inlined, as [`Direct::choose`].
    #[inline(always)]
    pub(crate) fn fit<F: FindFits>(
        &self,
        (setup, state, shape): (&Setup, &State, ShapeId),
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<PlacedShape> {
        if let Some(direct) = self.direct {
            return Some(direct.choose::<F>(shape, state.free_words(), rng)?.1);
        }
        // With a copy, the caller's state can stay in registers.
        let state = *state;
        self.choose_fit(&Problem::in_game(setup, &state, shape), rng, scratch)
    }

    /// As [`Self::choose`].
    #[inline(always)]
    pub(crate) fn choose_fit(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<PlacedShape> {
        let chosen = self.choose(problem, rng, scratch)?;
        Some(PlacedShape::new(
            problem.shape(),
            chosen.orientation(),
            chosen.anchor(),
        ))
    }

    /// The best placement and the number of alternatives that the policy generated, or `None` if it
    /// generated none.
    #[inline]
    pub fn choose_counted(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<(u32, Placement)> {
        if let Some(direct) = self.direct {
            let free = Words::free_of(problem.quilt());
            let (count, fit) = direct.choose::<PortableFits>(problem.shape(), free, rng)?;
            return Some((count, Placement::inside(fit.orientation, fit.anchor)));
        }
        let candidates = Candidates::all(problem.shape(), problem.quilt());
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

    /// Appends the distinct placements that the policy generates to `out`, best first, at most `most`. Returns
    /// the total number of placements, generated or not.
    pub fn rank(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
        most: usize,
        out: &mut Vec<Placement>,
    ) -> u32 {
        let first = out.len();
        let all = self.rank_all(problem, rng, scratch, most, out);
        out.truncate(first.saturating_add(most));
        all
    }

    /// As [`Self::rank`], with more placements where that is no more work.
    #[inline(always)]
    fn rank_all(
        &self,
        problem: &Problem<'_>,
        rng: &mut Rng,
        scratch: &mut Scratch,
        most: usize,
        out: &mut Vec<Placement>,
    ) -> u32 {
        if let Some(Direct::First) = self.direct {
            let free = Words::free_of(problem.quilt());
            let Some((first, count)) = with_best(FirstAndCount(problem.shape(), free)) else {
                return 0;
            };
            out.push(Placement::inside(first.orientation, first.anchor));
            return count;
        }
        let available = self
            .evaluation
            .remembered
            .eq(&Remembered::ByProblem)
            .then(|| problem.available())
            .filter(|available| RegretParts::add_up(problem, available));
        if scratch.regrets_of.is_none_or(|known| known != *self) {
            (scratch.regrets, scratch.regrets_of) = (RegretParts::default(), Some(*self));
        }
        if let Some(available) = &available
            && let Some(all) = scratch.regrets.rank(problem, available, out)
        {
            return all;
        }
        let candidates = Candidates::all(problem.shape(), problem.quilt());
        if candidates.is_empty() {
            return 0;
        }
        self.generate(problem, &candidates, &mut scratch.alternatives);
        if !self.policy.is_exhaustive {
            scratch.alternatives.drop_repeated();
        }
        let placements = scratch.alternatives.as_slice();
        if let Some(available) = &available {
            let regrets = &mut scratch.regrets;
            regrets.add(problem, placements, candidates.len());
            if let Some(all) = regrets.rank(problem, available, out) {
                return all;
            }
        }
        let scores = &mut scratch.scores[..placements.len()];
        if placements.len() > 1 {
            (self.evaluation.score)(problem, placements, rng, scores);
        }
        let order = &mut scratch.order[..placements.len()];
        if self.evaluation.merges_equals {
            let len = least(scores, most, order);
            out.extend(order[..len].iter().map(|&i| placements[usize::from(i)]));
            return candidates.len();
        }
        for (i, slot) in order.iter_mut().enumerate() {
            *slot = i as u16;
        }
        order.sort_unstable_by_key(|&i| (scores[i as usize], i));
        out.extend(order.iter().map(|&i| placements[i as usize]));
        candidates.len()
    }

    /// The alternatives among non-empty candidates, in the policy's order.
    #[inline(always)]
    pub fn generate(&self, problem: &Problem<'_>, candidates: &Candidates, out: &mut Alternatives) {
        out.clear();
        if candidates.is_single() {
            // There is only one placement, so the policy does not have to run.
            return out.push(candidates.nth(0));
        }
        if self.transforms == Transforms::Some || self.policy.is_exhaustive {
            return (self.policy.generate)(problem, slice::from_ref(candidates), out);
        }
        let mut groups = [*candidates; MAX_ORIENTATIONS];
        let mut len = 0;
        for orientation in 0..candidates.shape().orientations().len() {
            if !candidates.anchors(orientation).is_empty() {
                groups[len] = candidates.only(orientation);
                len += 1;
            }
        }
        (self.policy.generate)(problem, &groups[..len], out);
    }
}

impl FromStr for Strategy {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        Self::parse_among(text, &POLICIES, &EVALUATIONS)
    }
}

/// Writes the indices of the least scores in ascending order, at most `most` and only the first of equal ones. Returns
/// their number.
fn least(scores: &[i32], most: usize, out: &mut [u16]) -> usize {
    let mut len = 0;
    for (i, &score) in scores.iter().enumerate() {
        let known = |at: u16| scores[usize::from(at)];
        if len == most && out[..len].last().is_none_or(|&last| known(last) <= score) {
            continue;
        }
        let at = out[..len].partition_point(|&one| known(one) < score);
        if out[at..len].first().is_some_and(|&one| known(one) == score) {
            continue;
        }
        len -= usize::from(len == most);
        out.copy_within(at..len, at + 1);
        out[at] = i as u16;
        len += 1;
    }
    len
}

/// The form `policy/transforms/evaluation`, which can be parsed.
impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join("/"))
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strategy({self})")
    }
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.policy, other.policy)
            && self.transforms == other.transforms
            && ptr::eq(self.evaluation, other.evaluation)
    }
}

impl Eq for Strategy {}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Strategy {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Strategy".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let policies = POLICIES.map(|policy| policy.name);
        let transforms = Transforms::ALL.map(Transforms::name);
        let evaluations = EVALUATIONS.map(|evaluation| evaluation.name);
        let mut known = Vec::new();
        for policy in policies {
            for transforms in transforms {
                known.extend(evaluations.map(|one| format!("{policy}/{transforms}/{one}")));
            }
        }
        schemars::json_schema!({ "type": "string", "enum": known })
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct StrategyVisitor;

        impl Visitor<'_> for StrategyVisitor {
            type Value = Strategy;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a strategy such as \"bl-lb/every/regret\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Strategy, E> {
                text.parse().map_err(E::custom)
            }
        }

        from.deserialize_str(StrategyVisitor)
    }
}
