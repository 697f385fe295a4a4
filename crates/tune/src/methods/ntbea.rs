//! The N-tuple bandit evolutionary algorithm.

use std::collections::BTreeSet;

use patchwork_engine::util::rng::{Rng, below};

use super::{Searcher, View};
use crate::halving::Halving;
use crate::landscape::Landscape;
use crate::space::Point;

/// A race among random candidates, followed by a walk through the space: the next candidate is the mutant of
/// the best or of the last candidate with the highest upper confidence bound.
#[derive(Debug, Default)]
pub(super) struct Ntbea {
    /// The race among random candidates. It finds narrow hills, which the model would smooth away.
    opening: Option<Halving>,
    model: Option<Landscape>,
    /// Number of candidates when the weights of the model were last fitted.
    fitted: usize,
}

/// About the number of trials of a search.
const TRIALS: u32 = 200;
/// The share of the pairs for the race among random candidates, and their number.
const OPENING: (f64, u32) = (0.45, 64);
/// Minimum number of pairs per random candidate, so that a short search has time for the walk.
const MIN_OPENING_PAIRS: u32 = 8;
/// Number of mutants per choice.
const MUTANTS: usize = 60;

impl Ntbea {
    /// The model of all results so far; its weights are refitted when the number of candidates has grown by
    /// half.
    fn update(&mut self, view: View<'_>) -> &mut Landscape {
        let known = view.history.candidates().len();
        let old = self.model.take().filter(|_| 2 * known < 3 * self.fitted);
        if old.is_none() {
            self.fitted = known;
        }
        let model = Landscape::fit(view.space, view.history, old.as_ref());
        self.model.insert(model)
    }
}

/// The candidates so far, those with the highest expectation first.
fn ranked(model: &Landscape, view: View<'_>) -> Vec<(f64, Point)> {
    let tried = view.history.tried().iter();
    let points: BTreeSet<&Point> = tried.map(|(point, _)| point).collect();
    let points = points.into_iter();
    let mut all: Vec<(f64, Point)> = points
        .map(|point| (model.expected(point), point.clone()))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

impl Searcher for Ntbea {
    fn propose(&mut self, view: View<'_>, rng: &mut Rng) -> Vec<(Point, u32)> {
        let pairs = view.pairs_for(TRIALS);
        let opening = self.opening.get_or_insert_with(|| {
            let most = (view.pairs / MIN_OPENING_PAIRS).clamp(1, OPENING.1);
            let pairs = (OPENING.0 * f64::from(view.pairs)) as u32;
            let candidates = view.random_candidates(most as usize, rng);
            Halving::new(candidates, pairs.max(most), 0, false)
        });
        let round = opening.next(view.space, view.history);
        if !round.is_empty() {
            return round;
        }
        let model = self.update(view);
        let ranked = ranked(model, view);
        let parents: Vec<&Point> = ranked.iter().take(5).map(|(_, point)| point).collect();
        let mut chosen: Vec<Point> = Vec::new();
        for _ in 0..view.settings.batch {
            let last = chosen.last().unwrap_or(parents[0]).clone();
            let mut pool: Vec<Point> = parents.iter().map(|&point| point.clone()).collect();
            for i in 0..MUTANTS {
                let from = match i % 3 {
                    0 => &last,
                    1 => parents[below(parents.len() as u32, rng) as usize],
                    _ => &view.space.sample(rng),
                };
                let mut mutant = view.space.mutate(from, rng);
                while below(2, rng) == 0 {
                    mutant = view.space.mutate(&mutant, rng);
                }
                pool.push(mutant);
            }
            // The upper confidence bound, at one standard error.
            let bound = |point: &Point| {
                let (mean, error) = model.predict(point);
                mean + error
            };
            let best = pool.into_iter().map(|point| (bound(&point), point));
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, point)) = best {
                model.believe(&point, pairs);
                chosen.push(point);
            }
        }
        model.forget();
        let chosen = chosen.into_iter();
        chosen.map(|point| (point, pairs)).collect()
    }

    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point> {
        finalists(view, most, rng)
    }
}

/// The candidates with the highest expectation by the model, and points uphill from them.
pub(super) fn finalists(view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point> {
    if view.history.tried().is_empty() {
        return view.settings.start.clone();
    }
    let model = Landscape::fit(view.space, view.history, None);
    let mut all = ranked(&model, view);
    let climbs: Vec<(f64, Point)> = all.iter().take(4).cloned().collect();
    for (mut height, mut point) in climbs {
        for _ in 0..150 {
            let mutant = view.space.mutate(&point, rng);
            let expected = model.expected(&mutant);
            if expected > height {
                (height, point) = (expected, mutant);
            }
        }
        all.push((height, point));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<Point> = Vec::new();
    // Almost identical candidates would only share the pairs of the race.
    for alike in [0.9, 1.0] {
        for (_, point) in &all {
            let new = |known: &Point| known != point && model.alike(known, point) <= alike;
            if chosen.len() < most && chosen.iter().all(new) {
                chosen.push(point.clone());
            }
        }
    }
    chosen
}
