//! A search from the first candidate to the recommendation, with an ask-and-tell interface.

use std::collections::BTreeMap;
use std::ops::Range;

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, stream};
use patchwork_rating::Estimate;
use serde::Serialize;

use super::halving::Halving;
use super::history::History;
use super::landscape::Landscape;
use super::methods::{Searcher, TunerSettings, View};
use super::objective::expected_result;
use super::space::{Point, Space};

/// A ranked candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// The candidate's number in the order of first trials, from 1.
    pub number: u32,
    /// The candidate.
    pub point: Point,
    /// Its expected result, 0 to 1: what a model expects, not the best result seen.
    pub result: Estimate,
    /// The pairs that it played.
    pub pairs: u32,
}

/// The stage of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The method proposes candidates.
    Search,
    /// The best ones race.
    Race,
    /// There is nothing left to play.
    Done,
}

/// A search with an ask-and-tell interface.
///
/// Trials come in batches, and the next batch depends on the results of those before. A search is resumed by asking and
/// telling again.
#[derive(Debug)]
pub struct Tuner {
    space: Space,
    settings: TunerSettings,
    method: Box<dyn Searcher>,
    /// The share of the pairs for the final race.
    share: f64,
    search_pairs: u32,
    race: Option<Halving>,
    history: History,
    /// The trials that have no results yet.
    batch: Vec<Trial>,
    next_id: u64,
    next_ring: u32,
    rng: Rng,
    is_done: bool,
}

impl Tuner {
    /// Starts a search.
    pub fn new(space: Space, mut settings: TunerSettings) -> Result<Self, InputError> {
        for (key, number) in [
            ("pairs", settings.pairs),
            ("batch", settings.batch),
            ("finalists", settings.finalists.unwrap_or(1)),
        ] {
            if number == 0 {
                return Err(format!("{key} is 0, expected at least 1").into());
            }
        }
        let method = settings.method.start();
        let share = settings.final_share.unwrap_or(method.final_share());
        if !(0.0..=1.0).contains(&share) {
            return Err(format!("final_share is {share}, expected 0 to 1").into());
        }
        for start in &mut settings.start {
            *start = space.check(start)?;
        }
        for i in 0..settings.candidates.len() {
            settings.candidates[i] = space.check(&settings.candidates[i])?;
            if settings.candidates[..i].contains(&settings.candidates[i]) {
                let what = format!("the candidate {} is given twice", settings.candidates[i]);
                return Err(what.into());
            }
        }
        let others = settings.start.iter();
        let others = others.filter(|start| !settings.candidates.contains(start));
        let candidates = settings.candidates.len() + others.count();
        if !settings.candidates.is_empty() && candidates > settings.pairs as usize {
            return Err(format!(
                "pairs is {}, expected at least {candidates}: one for each candidate and the start",
                settings.pairs
            )
            .into());
        }
        let mut tuner = Self {
            rng: stream(&[settings.seed, 0x7475_6e65]),
            method,
            share,
            search_pairs: 0,
            race: None,
            history: History::default(),
            batch: Vec::new(),
            next_id: 0,
            next_ring: 0,
            is_done: false,
            space,
            settings,
        };
        tuner.limit(tuner.settings.pairs);
        tuner.method.check(View {
            space: &tuner.space,
            history: &tuner.history,
            settings: &tuner.settings,
            pairs: tuner.search_pairs,
        })?;
        Ok(tuner)
    }

    /// Sets the number of pairs of the whole search, from the next batch on. Pairs that were played stay, and given
    /// candidates have at least one each.
    pub fn limit(&mut self, pairs: u32) {
        let played = self.history.pairs();
        let given = self.settings.candidates.len() + self.settings.start.len().max(1);
        let fewest = played.max(given as u32);
        self.settings.pairs = pairs.max(fewest);
        let raced = (self.share * f64::from(self.settings.pairs)) as u32;
        self.search_pairs = self.settings.pairs - raced;
        if let Some(race) = &mut self.race {
            race.limit(self.settings.pairs - played);
        }
    }

    /// The trials of the next batch, the same ones until their results are told; none if the search is done.
    pub fn ask(&mut self) -> Vec<Trial> {
        if self.batch.is_empty() && !self.is_done {
            self.plan();
        }
        self.batch.clone()
    }

    /// Takes the results of the trials of the batch in order, for each one result for each ring in order.
    ///
    /// # Errors
    /// When a trial has no results, or not exactly one number from 0 to 1 for each ring. Then nothing changes.
    pub fn tell(&mut self, results: Vec<Vec<f64>>) -> Result<(), InputError> {
        let (found, expected) = (results.len(), self.batch.len());
        if found != expected {
            let what = format!("there are results of {found} trials, expected those of {expected}");
            return Err(what.into());
        }
        let tried = self.batch.iter().zip(results);
        let tried = tried.map(|(trial, results)| trial.tried(results));
        for tried in tried.collect::<Result<Vec<_>, _>>()? {
            self.history.push(tried);
        }
        self.batch.clear();
        Ok(())
    }

    /// Makes the next batch.
    fn plan(&mut self) {
        let mut batch = Vec::new();
        if self.race.is_none() {
            let mut left = self.search_pairs.saturating_sub(self.history.pairs());
            let mut rng = self.rng.clone();
            let view = View {
                space: &self.space,
                history: &self.history,
                settings: &self.settings,
                pairs: self.search_pairs,
            };
            if left > 0 {
                batch = self.method.propose(view, &mut rng);
                // The first proposals that fit into the pairs that are left.
                batch.retain_mut(|(_, pairs)| {
                    *pairs = (*pairs).min(left);
                    left -= *pairs;
                    *pairs > 0
                });
            }
            if batch.is_empty() {
                self.race = Some(start_race(&mut *self.method, view, &mut rng));
            }
            self.rng = rng;
        }
        if let Some(race) = &mut self.race {
            batch = race.next(&self.space, &self.history);
            self.is_done = batch.is_empty();
        }
        // A candidate that comes twice plays new rings: the same ones would give the same games.
        let mut next: BTreeMap<Point, u32> = BTreeMap::new();
        for (point, pairs) in batch {
            let first = next.entry(point.clone()).or_insert(self.next_ring);
            let rings = *first..*first + pairs;
            *first = rings.end;
            let id = self.next_id;
            self.batch.push(Trial { id, point, rings });
            self.next_id += 1;
        }
        self.next_ring = next.into_values().max().unwrap_or(self.next_ring);
    }

    /// The current stage.
    pub fn stage(&self) -> Stage {
        match &self.race {
            _ if self.is_done => Stage::Done,
            Some(_) => Stage::Race,
            None => Stage::Search,
        }
    }

    /// All results.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Number of candidates left in the final race.
    pub fn alive(&self) -> Option<usize> {
        self.race.as_ref().map(|race| race.alive().len())
    }

    /// All candidates played so far, the highest expectation first.
    pub fn ranking(&self) -> Vec<Recommendation> {
        ranking(&self.space, &self.history, self.method.trusts_model())
    }

    /// The candidate with the highest expectation: during the race among those left, otherwise among all, as when
    /// there are too few pairs for a race. `None` before the results of the first batch.
    pub fn best(&self) -> Option<Recommendation> {
        let ranking = self.ranking();
        let races = |candidate: &&Recommendation| match &self.race {
            None => true,
            Some(race) => race.alive().contains(&candidate.point),
        };
        let best = ranking.iter().find(races).or(ranking.first());
        best.cloned()
    }
}

/// The candidates of a history, the highest expectation first: by a model of the whole space, or by each
/// candidate's own results shrunk towards the mean of all.
pub(super) fn ranking(space: &Space, history: &History, by_model: bool) -> Vec<Recommendation> {
    let model = by_model.then(|| Landscape::fit(space, history, None));
    let candidates = history.candidates().into_iter().zip(shrunk_means(history));
    let mut all: Vec<_> = candidates
        .zip(1..)
        .map(|(((point, sums), shrunk), number)| {
            let model = model.as_ref().map(|model| model.predict(point));
            let (value, error) = model.unwrap_or(shrunk);
            let recommendation = Recommendation {
                number,
                point: point.clone(),
                result: expected_result(value, error),
                pairs: sums.pairs,
            };
            (value, recommendation)
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, candidate)| candidate).collect()
}

fn start_race(method: &mut dyn Searcher, view: View<'_>, rng: &mut Rng) -> Halving {
    let settings = view.settings;
    let pairs = settings.pairs.saturating_sub(view.history.pairs());
    let own = method.finalists_for(pairs);
    let most = settings.finalists.map_or(own, |most| most as usize);
    let mut finalists = method.finalists(view, most, rng);
    for start in &settings.start {
        if !finalists.contains(start) {
            finalists.push(start.clone());
        }
    }
    let before = view.history.tried().len();
    if before == 0 {
        // Without a search before the race, at least some of them must play.
        finalists.truncate(pairs.max(1) as usize);
    }
    Halving::new(finalists, pairs, before, method.trusts_model())
}

/// The candidates' means with standard errors, each shrunk towards the overall mean according to how large
/// its noise is compared with the differences between candidates (empirical Bayes).
fn shrunk_means(history: &History) -> Vec<(f64, f64)> {
    let candidates = history.candidates();
    let noise = history.noise();
    let means: Vec<(f64, f64)> = candidates
        .iter()
        .map(|(_, sums)| {
            let pairs = f64::from(sums.pairs.max(1));
            (sums.mean().unwrap_or(0.5), noise * noise / pairs)
        })
        .collect();
    let between = between_variance(&means);
    let (middle, total) = weighted_mean(&means, between);
    means
        .iter()
        .map(|&(mean, variance)| {
            let trust = between * weight(variance + between);
            let error = variance * trust + (1.0 - trust) * (1.0 - trust) / total.max(1e-12);
            (middle + trust * (mean - middle), error.sqrt())
        })
        .collect()
}

fn weight(variance: f64) -> f64 {
    1.0 / variance.max(1e-12)
}

/// The mean of values with variances, to each of which `more` is added, and the sum of the weights.
fn weighted_mean(means: &[(f64, f64)], more: f64) -> (f64, f64) {
    let (mut sum, mut total) = (0.0, 0.0);
    for &(mean, variance) in means {
        sum += weight(variance + more) * mean;
        total += weight(variance + more);
    }
    (if total > 0.0 { sum / total } else { 0.5 }, total)
}

/// The variance of the true means, by the method of DerSimonian and Laird (1986).
fn between_variance(means: &[(f64, f64)]) -> f64 {
    let (mean, total) = weighted_mean(means, 0.0);
    let (mut squares, mut spread) = (0.0, 0.0);
    for &(value, variance) in means {
        squares += weight(variance).powi(2);
        spread += weight(variance) * (value - mean).powi(2);
    }
    let scale = total - squares / total;
    if scale > 0.0 {
        ((spread - (means.len() as f64 - 1.0)) / scale).max(0.0)
    } else {
        0.0
    }
}

/// A candidate to be played: one pair of games against the opponents on each of the rings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The number of the trial, from 0.
    pub id: u64,
    /// The candidate.
    pub point: Point,
    /// The numbers of the rings. Different candidates of the same batch share them.
    pub rings: Range<u32>,
}

impl Trial {
    /// The candidate with its result on each ring in order, 0 to 1: the mean over both legs and all opponents.
    pub(super) fn tried(&self, results: Vec<f64>) -> Result<(Point, Vec<f64>), InputError> {
        let (trial, found, expected) = (self.id, results.len(), self.rings.len());
        if found != expected {
            return Err(InputError::new(format!(
                "trial {trial} has {found} results, expected {expected}, one for each ring"
            )));
        }
        match results.iter().find(|result| !(0.0..=1.0).contains(*result)) {
            None => Ok((self.point.clone(), results)),
            Some(result) => Err(InputError::new(format!(
                "trial {trial} has the result {result}, expected a number from 0 to 1"
            ))),
        }
    }
}
