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

use patchwork_engine::game::{Ring, Rules};
use patchwork_engine::record::GameFacts;
use patchwork_rating::distribution::{NORMAL, f_at};
use patchwork_rating::{Estimate, group_count, groups, mean};
use schemars::JsonSchema;
use serde::Serialize;

use super::statistics::RING_SHARE;
use crate::Archive;

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
    /// All rings. The CSV table of rings lists them; the JSON omits them.
    #[serde(skip)]
    pub all: RingTable,
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
    /// [`RING_SHARE`].
    #[schemars(description = RING_SHARE.about)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct RingBias {
    /// The printing of the time board and the komi.
    pub rules: Rules,
    /// The patches in order.
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
    pub bias: Estimate,
}

/// All rings, by track and order, in little memory: there may be millions. The rings themselves are looked up in the
/// games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RingTable {
    /// The pairs, in the order of the rings.
    pairs: Vec<RingPair>,
    rings: Vec<RingSums>,
    prior: Option<RingPrior>,
}

/// The pairs of games on a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct RingSums {
    /// Sum of the pairs' means minus the means of their pairings.
    sum: f64,
    pairs: u32,
    /// The place of the first of them among all pairs.
    first: u32,
}

/// A pair of games on a ring.
#[derive(Clone, Copy, Debug)]
struct Observation {
    pairing: u32,
    /// Index of the ring; the pairs come in the order of their rings.
    ring: usize,
    /// Mean of the first player's value over the two legs.
    mean: f64,
    /// Half of the first leg's value minus the second leg's.
    half: f64,
}

/// A pair of games in the order of the rings: the index of its first game, and in the highest bit whether its ring is not
/// that of the pair before. There may be millions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RingPair(u32);

impl RingPair {
    const BEGINS: u32 = 1 << 31;

    pub(super) const fn new(game: u32, begins: bool) -> Self {
        Self(game | if begins { Self::BEGINS } else { 0 })
    }

    pub(super) const fn game(self) -> u32 {
        self.0 & !Self::BEGINS
    }

    pub(super) const fn begins(self) -> bool {
        self.0 & Self::BEGINS != 0
    }

    /// Both games of a pair that has two.
    fn games(self, games: &[GameFacts]) -> &[GameFacts; 2] {
        let both = games[self.game() as usize..].first_chunk();
        both.expect("a pair has two games")
    }
}

/// What pairs say of a quantity of the first player in each leg.
fn observations<'a>(
    pairs: &'a [RingPair],
    games: &'a [GameFacts],
    value: impl Fn(&GameFacts) -> f64 + Clone + 'a,
) -> impl Iterator<Item = Observation> + Clone + 'a {
    pairs.iter().scan(0, move |rings, pair| {
        *rings += usize::from(pair.begins());
        let both = pair.games(games);
        let [one, other] = both.each_ref().map(&value);
        Some(Observation {
            pairing: both[0].pairing,
            ring: *rings - 1,
            mean: (one + other) / 2.0,
            half: (one - other) / 2.0,
        })
    })
}

/// The statistics of the rings of these pairs, which come in the order of their rings.
pub(super) fn rings(pairs: Vec<RingPair>, games: &Archive) -> RingStatistics {
    let facts = games.facts();
    let won = |game: &GameFacts| f64::from(u8::from(game.first_won()));
    let mut wins = effect(observations(&pairs, facts, won)).0;
    if wins.from == Some(ChanceFrom::Legs) {
        // That of the combination of the ring and the agents.
        wins.share = Estimate::default();
    }
    let margins = observations(&pairs, facts, |game| game.margin(0));
    let (margin, mut rings, prior) = effect(margins);
    let firsts = pairs.iter().enumerate().filter(|(_, pair)| pair.begins());
    for (ring, (place, _)) in rings.iter_mut().zip(firsts) {
        ring.first = place as u32;
    }
    let all = RingTable {
        pairs,
        rings,
        prior,
    };
    RingStatistics {
        rings: all.len() as u64,
        pairs: all.pairs.len() as u64,
        repeated: all.rings.iter().filter(|ring| ring.pairs > 1).count() as u64,
        margin,
        wins,
        all,
    }
}

impl RingTable {
    /// The number of rings.
    pub const fn len(&self) -> usize {
        self.rings.len()
    }

    /// Whether there are no rings.
    pub const fn is_empty(&self) -> bool {
        self.rings.is_empty()
    }

    /// The ring at a place, from 0. `games` are those that the statistics are of, sorted.
    ///
    /// # Panics
    /// When there are not as many rings, or these are other games.
    pub fn ring(&self, place: usize, games: &Archive) -> RingBias {
        let sums = &self.rings[place];
        let pairs = &self.pairs[sums.first as usize..][..sums.pairs as usize];
        let setup = games.setup(pairs[0].game() as usize);
        let played = || pairs.iter().flat_map(|pair| pair.games(games.facts()));
        let count = 2 * u64::from(sums.pairs);
        RingBias {
            rules: setup.rules(),
            ring: *setup.ring(),
            games: count,
            first_wins: played().filter(|game| game.first_won()).count() as u64,
            margin: played().map(|game| game.margin(0)).sum::<f64>() / count as f64,
            bias: self.bias(sums),
        }
    }

    fn bias(&self, ring: &RingSums) -> Estimate {
        let prior = self.prior.as_ref();
        let posterior = prior.and_then(|prior| prior.posterior(ring));
        posterior.unwrap_or_default()
    }
}

/// The effect of rings, the sums of each ring, and how its own effect is estimated; no estimates with fewer than four
/// rings.
///
/// A pair's mean is modelled as the mean of its pairing plus an effect of the ring plus chance: the
/// analysis of variance with unequal groups (Searle, Casella and McCulloch, Variance Components,
/// 1992, section 3.6). Each ring is then shrunk towards the mean of all rings (Morris, Parametric
/// Empirical Bayes Inference, JASA 1983). The variance between rings is integrated out, because a
/// point estimate would understate the uncertainty.
fn effect(
    observations: impl Iterator<Item = Observation> + Clone,
) -> (RingEffect, Vec<RingSums>, Option<RingPrior>) {
    let mut effect = RingEffect {
        mean: mean(observations.clone().map(|pair| pair.mean)),
        ..RingEffect::default()
    };
    let Some(grand) = effect.mean else {
        return (effect, Vec::new(), None);
    };
    let (rings, chance, between) = variances(observations);
    let (Some((chance, from, chance_freedom)), Some((between, between_freedom, size))) =
        (chance, between)
    else {
        return (effect, rings, None);
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
        let [of_between, of_chance] =
            [between_freedom, chance_freedom].map(|freedom| freedom as f64);
        // The approximate standard error of the logarithm of a ratio of two mean squares.
        let error = (2.0 / of_between + 2.0 / of_chance).sqrt();
        effect.share = Estimate {
            value: Some(share(ratio)),
            low: Some(share(ratio / f_at(of_between, of_chance))),
            high: Some(share(ratio * f_at(of_chance, of_between))),
            error: None,
        };
        if rings.len() >= FEWEST {
            let variances = RingPrior::variances(ratio, error, size);
            let mut weights = BTreeMap::new();
            for ring in &rings {
                let of_size = || RingPrior::weights(&variances, f64::from(ring.pairs));
                weights.entry(ring.pairs).or_insert_with(of_size);
            }
            let prior = RingPrior {
                mean: grand,
                chance,
                rings: rings.len() as f64,
                weights,
            };
            return (effect, rings, Some(prior));
        }
    }
    (effect, rings, None)
}

/// The prior distribution of ring effects: they vary around a common mean with an uncertain
/// variance.
#[derive(Clone, Debug, PartialEq)]
struct RingPrior {
    mean: f64,
    /// Variance of a pair's mean on a given ring.
    chance: f64,
    rings: f64,
    /// [`Self::weights`] by the number of pairs: most rings have the same.
    weights: BTreeMap<u32, [f64; 3]>,
}

impl RingPrior {
    /// The posterior of the variance, given a ratio of mean squares `ratio` whose logarithm has
    /// standard error `error`, for rings with `size` pairs: possible values in units of `chance`, with weights that sum
    /// to 1. The prior is uniform on variances from 0.
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
    fn weights(variances: &[(f64, f64)], pairs: f64) -> [f64; 3] {
        let (mut own, mut own_squared, mut of_mean) = (0.0, 0.0, 0.0);
        for &(variance, weight) in variances {
            let counts = pairs * variance / (pairs * variance + 1.0);
            own += weight * counts;
            own_squared += weight * counts * counts;
            of_mean += weight * (1.0 - counts).powi(2) * (variance + 1.0 / pairs);
        }
        [own, own_squared, of_mean]
    }

    /// The posterior of a ring: the mean over all variances, with an error that includes chance, the uncertainty of the
    /// variance, and the uncertainty of the mean of all rings.
    fn posterior(&self, ring: &RingSums) -> Option<Estimate> {
        let &[own, own_squared, of_mean] = self.weights.get(&ring.pairs)?;
        let pairs = f64::from(ring.pairs);
        let off = ring.sum / pairs;
        let chance = own / pairs + of_mean / self.rings;
        let spread = (own_squared - own * own).max(0.0) * off * off;
        let error = (self.chance * chance + spread).sqrt();
        let mean = self.mean + own * off;
        Some(Estimate::with_error(mean, error, NORMAL))
    }
}

/// The variance of a pair's mean on a given ring, its source and its degrees of freedom.
type Chance = (f64, ChanceFrom, usize);

/// The mean square between rings, its degrees of freedom, and the effective number of pairs per ring.
type Between = (f64, usize, f64);

/// The pairs of each ring, relative to the means of their pairings, and the variances on a ring and between rings.
fn variances(
    observations: impl Iterator<Item = Observation> + Clone,
) -> (Vec<RingSums>, Option<Chance>, Option<Between>) {
    let mut pairings: BTreeMap<u32, (f64, f64, f64)> = BTreeMap::new();
    let mut count = 0_usize;
    for pair in observations.clone() {
        count += 1;
        let sums = pairings.entry(pair.pairing).or_default();
        sums.0 += 1.0;
        sums.1 += pair.mean;
        sums.2 += pair.half;
    }
    let middle = |pair: &Observation| {
        let (count, means, halves) = pairings[&pair.pairing];
        (means / count, halves / count)
    };
    let mut rings: Vec<RingSums> = Vec::new();
    // The sum of squares of the halves within pairings.
    let mut halves = 0.0;
    for pair in observations.clone() {
        let (mean, half) = middle(&pair);
        rings.resize(pair.ring + 1, RingSums::default());
        rings[pair.ring].pairs += 1;
        rings[pair.ring].sum += pair.mean - mean;
        halves += (pair.half - half).powi(2);
    }
    let squares = observations.clone().map(|pair| {
        let ring = rings[pair.ring];
        (pair.mean - middle(&pair).0 - ring.sum / f64::from(ring.pairs)).powi(2)
    });
    let within: f64 = squares.sum();
    let linked = linked(observations, &rings, pairings.keys().copied());
    // Rings and pairings are fitted, except for one constant per linked set.
    let freedom = (count + linked.len()).saturating_sub(rings.len() + pairings.len());
    let chance = if freedom >= ENOUGH {
        Some((within / freedom as f64, ChanceFrom::Repeats, freedom))
    } else {
        let freedom = count - pairings.len();
        (freedom > 0).then(|| (halves / freedom as f64, ChanceFrom::Legs, freedom))
    };
    let between = between(&rings, &linked);
    (rings, chance, between)
}

/// The variance between rings; `linked` is what [`linked`] returns.
fn between(rings: &[RingSums], linked: &[(f64, f64)]) -> Option<Between> {
    let freedom = rings.len().checked_sub(linked.len())?;
    let squares = rings.iter().map(|r| r.sum * r.sum / f64::from(r.pairs));
    let squares: f64 = squares.sum();
    let size: f64 = linked.iter().map(|(n, squares)| n - squares / n).sum();
    (freedom > 0 && size > 0.0).then(|| {
        let freedom_f = freedom as f64;
        (squares / freedom_f, freedom, size / freedom_f)
    })
}

/// The sets of rings and pairings that are linked by pairs of games: the number of pairs of each set, and the sum over
/// its rings of the squared number of pairs.
fn linked(
    observations: impl Iterator<Item = Observation>,
    rings: &[RingSums],
    pairings: impl Iterator<Item = u32>,
) -> Vec<(f64, f64)> {
    let index: BTreeMap<u32, usize> = pairings.zip(0..).collect();
    // A ring links all pairings that played it to the first of them.
    let (mut met, mut firsts) = (BTreeSet::new(), Vec::with_capacity(rings.len()));
    for pair in observations {
        if firsts.len() == pair.ring {
            firsts.push(pair.pairing);
        }
        if pair.pairing != firsts[pair.ring] {
            met.insert((index[&firsts[pair.ring]], index[&pair.pairing]));
        }
    }
    let met: Vec<(usize, usize)> = met.into_iter().collect();
    let groups = groups(&met, index.len());
    let mut sets = vec![(0.0, 0.0); group_count(&groups)];
    for (ring, first) in rings.iter().zip(firsts) {
        let (set, pairs) = (&mut sets[groups[index[&first]]], f64::from(ring.pairs));
        set.0 += pairs;
        set.1 += pairs * pairs;
    }
    sets
}

#[cfg(test)]
mod tests;
