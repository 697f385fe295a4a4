//! How rings favour one seat, and how much of the observed variation is chance.
//!
//! The two legs of a pair are played on one ring with the seats swapped, so the strengths of the
//! two agents cancel out of the mean of the first player's margins. The mean then consists of the
//! first seat's advantage, the effect of the ring on it, and chance. The variance due to chance is
//! estimated from rings played by several pairs. If there are too few of those, it is estimated
//! from the difference between the legs, in which the ring's effect on the seats cancels out. In
//! that case the effect also includes any interaction of the ring with the two agents that played
//! it, so it is an upper bound for the effect of the ring on all agents.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_engine::game::{Ring, Track};
use patchwork_rating::distribution::NORMAL;
use patchwork_rating::{Estimate, group_count, groups, keys, mean};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::packed_setup::PackedSetup;
use super::tally::GameTally;

/// The maximum number of rings in each list of [`RingStatistics`].
const NAMED: usize = 10;

/// The minimum number of rings for shrinkage towards their mean.
const FEWEST: usize = 4;

/// The minimum degrees of freedom for estimating chance from repeated rings.
const ENOUGH: usize = 30;

/// Statistics of the rings on which whole pairs were played. The same ring on another track counts
/// as a different ring.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RingStatistics {
    /// Number of rings.
    pub rings: u64,
    /// Number of pairs of games on them.
    pub pairs: u64,
    /// Number of rings that more than one pair played.
    pub repeated: u64,
    /// The first player's margin, in points.
    pub margin: RingEffect,
    /// The share of games won by the first player, 0 to 1. Without repeated rings there is no share
    /// of the variance.
    pub wins: RingEffect,
    /// The rings with the strongest evidence that they favour the first player, at most ten; their
    /// intervals exclude 0.
    pub first: Vec<RingBias>,
    /// The rings with the strongest evidence that they favour the second player, at most ten; their
    /// intervals exclude 0.
    pub second: Vec<RingBias>,
    /// The rings with the strongest evidence that they are nearly balanced, at most ten.
    pub balanced: Vec<RingBias>,
    /// All rings, by track and order. The CSV table of rings lists them; the JSON omits them.
    #[serde(skip)]
    pub all: Vec<RingBias>,
}

/// How much a quantity depends on the ring. The model has a true effect of each ring with standard
/// deviation `between_sd` and a chance effect of each game with standard deviation `chance_sd`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RingEffect {
    /// Mean over all rings, weighted by their numbers of pairs.
    pub mean: Option<f64>,
    /// Standard deviation between rings, excluding chance.
    pub between_sd: Option<f64>,
    /// Standard deviation of one game on a given ring, between agents of equal strength.
    pub chance_sd: Option<f64>,
    /// Share of a game's variance that is between rings, 0 to 1.
    #[serde(flatten, with = "keys::Share")]
    pub share: Estimate,
    /// The source of the estimate of chance.
    pub from: Option<ChanceFrom>,
}

/// How chance is separated from the effect of rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChanceFrom {
    /// Pairs that played the same ring.
    Repeats,
    /// The two legs of each pair. The effect is then that of the ring for the two agents that
    /// played it, which is an upper bound for the effect of the ring on all agents.
    Legs,
}

/// The results of one ring.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RingBias {
    /// The printing of the time board.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String", extend("enum" = Track::ALL.map(Track::name)))]
    pub track: Track,
    /// The numbers of the patches in order, separated by spaces.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub ring: Ring,
    /// Number of games on it, two per pair.
    pub games: u64,
    /// Number of games that the first player won.
    pub first_wins: u64,
    /// The first player's mean margin in these games, in points.
    pub margin: f64,
    /// The first player's expected margin on this ring: `margin`, shrunk towards the mean of all
    /// rings to remove chance. None with fewer than four rings, or if the games do not determine
    /// the chance variance.
    #[serde(flatten, with = "keys::Bias")]
    pub bias: Estimate,
}

fn as_text<S: Serializer>(value: &impl std::fmt::Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// A pair of games with its ring; a list of them is of one ring.
type RingPair<'a> = (PackedSetup, &'a [GameTally]);

/// A pair of games on a ring.
#[derive(Clone, Copy, Debug)]
struct Observation {
    pairing: u32,
    /// Index of the ring.
    ring: usize,
    /// Mean of the first player's value over the two legs.
    mean: f64,
    /// Half of the first leg's value minus the second leg's.
    half: f64,
}

pub(super) fn rings(pairs: &[&[GameTally]]) -> RingStatistics {
    let mut pairs: Vec<RingPair<'_>> = pairs.iter().filter_map(|pair| whole(pair)).collect();
    pairs.sort_by_key(|&(setup, _)| setup);
    let rings: Vec<&[RingPair<'_>]> = pairs.chunk_by(|one, other| one.0 == other.0).collect();
    let won = |tally: &GameTally| f64::from(u8::from(tally.first_won()));
    let wins = effect(&observations(&rings, won), rings.len()).0;
    let (margin, posteriors) = effect(&observations(&rings, |t| t.margin(0)), rings.len());
    let all: Vec<RingBias> = rings
        .iter()
        .enumerate()
        .map(|(i, pairs)| bias(pairs, posteriors.get(i)))
        .collect();
    RingStatistics {
        rings: rings.len() as u64,
        pairs: pairs.len() as u64,
        repeated: rings.iter().filter(|pairs| pairs.len() > 1).count() as u64,
        margin,
        wins: wins.of_ring_alone(),
        first: favouring_first(&all).take(NAMED).cloned().collect(),
        second: favouring_second(&all).take(NAMED).cloned().collect(),
        balanced: most_balanced(&all).take(NAMED).cloned().collect(),
        all,
    }
}

/// A pair of games with its ring, if both were played, on the same ring and with the seats swapped.
fn whole(pair: &[GameTally]) -> Option<RingPair<'_>> {
    let [one, other] = pair else { return None };
    let swapped = one.agents == [other.agents[1], other.agents[0]];
    let setup = one.setup.filter(|_| swapped && one.setup == other.setup);
    Some((setup?, pair))
}

impl RingEffect {
    /// Removes the share of the variance if it belongs to the combination of ring and agents.
    fn of_ring_alone(self) -> Self {
        match self.from {
            Some(ChanceFrom::Legs) => Self {
                share: Estimate::default(),
                ..self
            },
            _ => self,
        }
    }
}

impl RingStatistics {
    /// The rings whose interval lies above 0, those with the strongest evidence first.
    pub(crate) fn favouring_first(&self) -> impl Iterator<Item = &RingBias> {
        favouring_first(&self.all)
    }

    /// The rings whose interval lies below 0, those with the strongest evidence first.
    pub(crate) fn favouring_second(&self) -> impl Iterator<Item = &RingBias> {
        favouring_second(&self.all)
    }

    /// All rings with a known bias, by how close to 0 their interval stays, the closest first.
    pub(crate) fn most_balanced(&self) -> impl Iterator<Item = &RingBias> {
        most_balanced(&self.all)
    }
}

fn favouring_first(all: &[RingBias]) -> impl Iterator<Item = &RingBias> {
    sorted(all, |ring| {
        ring.bias.low.filter(|&low| low > 0.0).map(|low| -low)
    })
}

fn favouring_second(all: &[RingBias]) -> impl Iterator<Item = &RingBias> {
    sorted(all, |ring| ring.bias.high.filter(|&high| high < 0.0))
}

fn most_balanced(all: &[RingBias]) -> impl Iterator<Item = &RingBias> {
    sorted(all, RingBias::farthest)
}

/// The rings that have a key, sorted by it; rings with equal keys keep their order.
fn sorted(
    all: &[RingBias],
    key: impl Fn(&RingBias) -> Option<f64>,
) -> impl Iterator<Item = &RingBias> {
    let mut found: Vec<(f64, &RingBias)> = all
        .iter()
        .filter_map(|ring| key(ring).map(|key| (key, ring)))
        .collect();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    found.into_iter().map(|(_, ring)| ring)
}

impl RingBias {
    /// The absolute value of the end of the interval that is farther from 0, in points.
    #[must_use]
    pub(crate) fn farthest(&self) -> Option<f64> {
        let (low, high) = self.bias.interval()?;
        Some(low.abs().max(high.abs()))
    }
}

fn bias(pairs: &[RingPair<'_>], posterior: Option<&Estimate>) -> RingBias {
    let setup = pairs[0].0.setup();
    let games = || pairs.iter().flat_map(|(_, pair)| pair.iter());
    let margins: Vec<f64> = games().map(|tally| tally.margin(0)).collect();
    RingBias {
        track: setup.track(),
        ring: *setup.ring(),
        games: margins.len() as u64,
        first_wins: games().filter(|tally| tally.first_won()).count() as u64,
        margin: mean(&margins).unwrap_or_default(),
        bias: posterior.copied().unwrap_or_default(),
    }
}

fn observations(rings: &[&[RingPair<'_>]], value: impl Fn(&GameTally) -> f64) -> Vec<Observation> {
    let of_pair = |ring: usize, pair: &[GameTally]| {
        let [one, other] = [value(&pair[0]), value(&pair[1])];
        Observation {
            pairing: pair[0].id.pairing,
            ring,
            mean: (one + other) / 2.0,
            half: (one - other) / 2.0,
        }
    };
    let mut observations = Vec::new();
    for (ring, pairs) in rings.iter().enumerate() {
        observations.extend(pairs.iter().map(|(_, pair)| of_pair(ring, pair)));
    }
    observations
}

/// The effect of rings, and the estimate for each ring; no estimates with fewer than four rings.
///
/// A pair's mean is modelled as the mean of its pairing plus an effect of the ring plus chance: the
/// analysis of variance with unequal groups (Searle, Casella and McCulloch, Variance Components,
/// 1992, section 3.6). Each ring is then shrunk towards the mean of all rings (Morris, Parametric
/// Empirical Bayes Inference, JASA 1983). The variance between rings is integrated out, because a
/// point estimate would understate the uncertainty.
fn effect(observations: &[Observation], rings: usize) -> (RingEffect, Vec<Estimate>) {
    let all: Vec<f64> = observations.iter().map(|pair| pair.mean).collect();
    let mut effect = RingEffect {
        mean: mean(&all),
        ..RingEffect::default()
    };
    let Some(grand) = effect.mean else {
        return (effect, Vec::new());
    };
    let groups = Groups::new(observations, rings);
    let Some((chance, from, chance_freedom)) = groups.chance() else {
        return (effect, Vec::new());
    };
    let Some((between, between_freedom, size)) = groups.between() else {
        return (effect, Vec::new());
    };
    let variance = ((between - chance) / size).max(0.0);
    // The mean of two legs has half the variance of one.
    let of_game = 2.0 * chance;
    effect.between_sd = Some(variance.sqrt());
    effect.chance_sd = Some(of_game.sqrt());
    effect.from = Some(from);
    if chance > 0.0 {
        let ratio = between / chance;
        let share = |ratio: f64| {
            let variance = ((ratio - 1.0) / size).max(0.0);
            variance / (variance + 2.0)
        };
        // The approximate standard error of the logarithm of a ratio of two mean squares.
        let error = (2.0 / between_freedom as f64 + 2.0 / chance_freedom as f64).sqrt();
        let spread = libm::exp(NORMAL * error);
        effect.share = Estimate {
            value: Some(share(ratio)),
            low: Some(share(ratio / spread)),
            high: Some(share(ratio * spread)),
            error: None,
        };
        if rings >= FEWEST {
            let prior = RingPrior {
                mean: grand,
                chance,
                rings: rings as f64,
                variances: RingPrior::variances(ratio, error, size),
            };
            // Most rings have the same number of pairs.
            let mut known = BTreeMap::new();
            let posteriors = groups.rings.iter().map(|ring| {
                let weights = known
                    .entry(ring.pairs as u64)
                    .or_insert_with(|| prior.weights(ring.pairs));
                prior.posterior(ring, *weights)
            });
            return (effect, posteriors.collect());
        }
    }
    (effect, Vec::new())
}

/// The prior distribution of ring effects: they vary around a common mean with an uncertain
/// variance.
struct RingPrior {
    mean: f64,
    /// Variance of a pair's mean on a given ring.
    chance: f64,
    rings: f64,
    /// Possible values of the variance between rings, in units of `chance`, with weights that sum
    /// to 1.
    variances: Vec<(f64, f64)>,
}

impl RingPrior {
    /// The posterior of the variance, given a ratio of mean squares `ratio` whose logarithm has
    /// standard error `error`, for rings with `size` pairs. The prior is uniform on variances from
    /// 0.
    fn variances(ratio: f64, error: f64, size: f64) -> Vec<(f64, f64)> {
        const STEPS: u32 = 200;
        let found = libm::log(ratio.max(1e-9));
        let most = found.max(0.0) + 6.0 * error;
        let step = |i: u32| most * (f64::from(i) + 0.5) / f64::from(STEPS);
        // Steps are equal in the logarithm of the expected ratio, hence wider in the variance.
        let weight = |log: f64| log - ((log - found) / error).powi(2) / 2.0;
        let highest = (0..STEPS).map(|i| weight(step(i))).fold(f64::MIN, f64::max);
        let steps = (0..STEPS).map(|i| {
            let log = step(i);
            (libm::expm1(log) / size, libm::exp(weight(log) - highest))
        });
        let steps: Vec<(f64, f64)> = steps.collect();
        let total: f64 = steps.iter().map(|(_, weight)| weight).sum();
        let share = |(variance, weight): (f64, f64)| (variance, weight / total);
        steps.into_iter().map(share).collect()
    }

    /// Means over all variances for a ring with this number of pairs: the weight of the ring's own games relative to
    /// all others, its square, and the weight of the uncertainty of the mean of all rings.
    fn weights(&self, pairs: f64) -> [f64; 3] {
        let (mut own, mut own_squared, mut of_mean) = (0.0, 0.0, 0.0);
        for &(variance, weight) in &self.variances {
            let counts = pairs * variance / (pairs * variance + 1.0);
            own += weight * counts;
            own_squared += weight * counts * counts;
            of_mean += weight * (1.0 - counts).powi(2) * (variance + 1.0 / pairs);
        }
        [own, own_squared, of_mean]
    }

    /// The posterior of a ring with these weights: the mean over all variances, with an error that includes chance,
    /// the uncertainty of the variance, and the uncertainty of the mean of all rings.
    fn posterior(&self, ring: &Group, [own, own_squared, of_mean]: [f64; 3]) -> Estimate {
        let off = ring.sum / ring.pairs;
        let chance = own / ring.pairs + of_mean / self.rings;
        let spread = (own_squared - own * own).max(0.0) * off * off;
        let error = (self.chance * chance + spread).sqrt();
        Estimate::with_error(self.mean + own * off, error, NORMAL)
    }
}

/// One ring, or one pairing.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    pairs: f64,
    /// Sum of the pairs' means minus the means of their pairings.
    sum: f64,
}

/// Pairs of games by ring, each relative to the mean of its pairing.
struct Groups {
    rings: Vec<Group>,
    /// Sets of rings and pairings that are linked by pairs of games: the number of pairs of each
    /// set, and the sum over its rings of the squared number of pairs.
    linked: Vec<(f64, f64)>,
    /// Sum of squares within rings.
    within: f64,
    within_freedom: usize,
    /// Sum of squares of the halves within pairings.
    halves: f64,
    halves_freedom: usize,
}

impl Groups {
    fn new(observations: &[Observation], rings: usize) -> Self {
        let mut pairings: BTreeMap<u32, (f64, f64, f64)> = BTreeMap::new();
        for pair in observations {
            let sums = pairings.entry(pair.pairing).or_default();
            sums.0 += 1.0;
            sums.1 += pair.mean;
            sums.2 += pair.half;
        }
        let middle = |pair: &Observation| {
            let (count, means, halves) = pairings[&pair.pairing];
            (means / count, halves / count)
        };
        let mut groups = vec![Group::default(); rings];
        let mut halves = 0.0;
        for pair in observations {
            let (mean, half) = middle(pair);
            groups[pair.ring].pairs += 1.0;
            groups[pair.ring].sum += pair.mean - mean;
            halves += (pair.half - half).powi(2);
        }
        let within = observations
            .iter()
            .map(|pair| {
                let ring = groups[pair.ring];
                (pair.mean - middle(pair).0 - ring.sum / ring.pairs).powi(2)
            })
            .sum();
        let linked = linked(observations, &groups);
        Self {
            within,
            // Rings and pairings are fitted, except for one constant per linked set.
            within_freedom: (observations.len() + linked.len())
                .saturating_sub(rings + pairings.len()),
            halves,
            halves_freedom: observations.len() - pairings.len(),
            rings: groups,
            linked,
        }
    }

    /// The variance of a pair's mean on a given ring, its source and its degrees of freedom.
    fn chance(&self) -> Option<(f64, ChanceFrom, usize)> {
        if self.within_freedom >= ENOUGH {
            let variance = self.within / self.within_freedom as f64;
            return Some((variance, ChanceFrom::Repeats, self.within_freedom));
        }
        let freedom = self.halves_freedom;
        (freedom > 0).then(|| (self.halves / freedom as f64, ChanceFrom::Legs, freedom))
    }

    /// The mean square between rings, its degrees of freedom, and the effective number of pairs per
    /// ring.
    fn between(&self) -> Option<(f64, usize, f64)> {
        let freedom = self.rings.len().checked_sub(self.linked.len())?;
        let squares: f64 = self.rings.iter().map(|r| r.sum * r.sum / r.pairs).sum();
        let size: f64 = self.linked.iter().map(|(n, squares)| n - squares / n).sum();
        (freedom > 0 && size > 0.0).then(|| {
            let freedom_f = freedom as f64;
            (squares / freedom_f, freedom, size / freedom_f)
        })
    }
}

/// The sets of rings and pairings that are linked by pairs of games.
fn linked(observations: &[Observation], rings: &[Group]) -> Vec<(f64, f64)> {
    let pairings: BTreeSet<u32> = observations.iter().map(|pair| pair.pairing).collect();
    let index: BTreeMap<u32, usize> = pairings.into_iter().zip(0..).collect();
    let met: Vec<(usize, usize)> = observations
        .iter()
        .map(|pair| (index[&pair.pairing], index.len() + pair.ring))
        .collect();
    let groups = groups(&met, index.len() + rings.len());
    let mut sets = vec![(0.0, 0.0); group_count(&groups)];
    for (ring, &group) in rings.iter().zip(&groups[index.len()..]) {
        sets[group].0 += ring.pairs;
        sets[group].1 += ring.pairs * ring.pairs;
    }
    sets
}

#[cfg(test)]
mod tests;
