//! High scores of a free draft: a beam search from the top level down.
//!
//! A state is the lowest level so far and the remaining parts. Each level put below adds the values of all
//! parts above it to the score. So parts with high values come first, and levels should grow slowly: a cover
//! of the level above may waste only a few squares.

use std::collections::HashMap;
use std::rc::Rc;

use patchwork_engine::search::Stop;

use super::cover::covers;
use super::hand::{RemainingParts, ScoreBound};
use super::layout::{Layout, PlacedPart};
use super::part::Part;
use super::plane::{Plane, in_the_middle};
use super::tower::{Tower, TowerCard};
use super::variant::NmbrVariant;

/// The settings of a beam search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamSettings {
    /// Number of states kept after each level.
    pub width: usize,
    /// Number of states kept after each level that used the same parts.
    pub alike: usize,
    /// Number of squares by which a level is expected to be larger than the one above.
    pub waste: u32,
    /// Seed of the noise of the estimates.
    pub seed: u64,
}

impl Default for BeamSettings {
    fn default() -> Self {
        Self {
            width: 300,
            alike: 20,
            waste: 2,
            seed: 1,
        }
    }
}

/// Maximum number of squares by which a level may be larger than the one above, by the number of parts of that: one,
/// two and more.
const MOST_WASTE: [u32; 3] = [10, 9, 6];
/// Noise added to the estimates, in points.
const NOISE: f64 = 2.0;

#[derive(Debug)]
struct BeamStage {
    /// The lowest level, in the plane.
    level: Vec<PlacedPart>,
    above: Option<Rc<BeamStage>>,
    left: RemainingParts,
    score: u32,
    estimate: f64,
}

/// A beam search for layouts of a variant with a free draft.
pub(super) struct Beam<'a> {
    variant: &'a NmbrVariant,
    settings: BeamSettings,
    outlook: ScoreBound,
    full: RemainingParts,
    stop: &'a Stop,
    best: Option<Layout>,
}

impl<'a> Beam<'a> {
    pub(super) fn new(variant: &'a NmbrVariant, settings: BeamSettings, stop: &'a Stop) -> Self {
        let full = deck(variant);
        Self {
            variant,
            settings,
            outlook: ScoreBound::new(full, variant.cards as u32, settings.waste, stop),
            full,
            stop,
            best: None,
        }
    }

    /// A bound that no layout exceeds, if no waste is expected and all parts are considered. It takes into
    /// account only that a level is no larger than the one below, and has at least two parts if there is a
    /// level above.
    pub(super) fn bound(&self) -> Option<u32> {
        let all = RemainingParts::full(self.variant.max_value, self.variant.copies as u8);
        let is_bound = self.settings.waste == 0 && self.full == all;
        is_bound.then(|| self.outlook.bound()).flatten()
    }

    /// Searches through all levels, until it is done or stopped, and returns the best layout found.
    ///
    /// `progress` is called with the number of cards placed and their total number.
    pub(super) fn run(mut self, progress: &mut dyn FnMut(usize, usize)) -> Option<Layout> {
        let mut stages = self.tops();
        let mut levels = 1;
        while !stages.is_empty() && !self.stop.is_set() {
            if levels < self.variant.levels {
                self.finish_best(&stages);
            }
            let mut next: Vec<BeamStage> = Vec::new();
            let limit = self.settings.width * 40;
            for (done, stage) in stages.iter().enumerate() {
                if self.stop.is_set() {
                    return self.best;
                }
                if done.is_multiple_of(16) {
                    let placed = self.full.len() - stage.left.len();
                    progress(placed as usize, self.variant.cards);
                }
                if levels + 1 < self.variant.levels {
                    self.expand(stage, &mut next);
                }
                if next.len() > limit {
                    self.select(&mut next);
                }
            }
            self.select(&mut next);
            stages = next.into_iter().map(Rc::new).collect();
            levels += 1;
        }
        self.best
    }

    /// Every top level of one or two parts.
    fn tops(&self) -> Vec<Rc<BeamStage>> {
        let mut stages = Vec::new();
        for part in Part::up_to(9).filter(|&part| self.full.has(part)) {
            let placed = in_the_middle(part);
            let mut left = self.full;
            left.take(part);
            stages.extend(self.stage(vec![placed], None, left, 0));
            let plane = Plane::of(&[placed]);
            for other in Part::up_to(9).filter(|other| *other >= part) {
                if !left.has(other) {
                    continue;
                }
                for second in plane.beside(other, |_| true) {
                    let mut left = left;
                    left.take(other);
                    stages.extend(self.stage(vec![placed, second], None, left, 0));
                }
            }
        }
        self.select(&mut stages);
        stages.into_iter().map(Rc::new).collect()
    }

    /// The state, unless it cannot beat the best known or extends beyond the grid.
    fn stage(
        &self,
        level: Vec<PlacedPart>,
        above: Option<&Rc<BeamStage>>,
        left: RemainingParts,
        score: u32,
    ) -> Option<BeamStage> {
        let plane = Plane::of(&level);
        let area: u32 = level.iter().map(|placed| placed.part.area()).sum();
        let usable = self.variant.usable();
        let (height, width) = plane.extent();
        if height.max(width) > usable {
            return None;
        }
        let gain = self.outlook.gain(&left, area)?;
        let words = level.iter().map(|placed| {
            u64::from(placed.turn) << 24
                | u64::from(placed.row) << 16
                | u64::from(placed.column) << 8
        });
        let hash = words.fold(self.settings.seed, |hash, word| {
            (hash ^ word)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        });
        let random = (hash >> 11) as f64 / (1u64 << 53) as f64;
        // A compact level is easier to cover.
        let estimate = f64::from(score + gain) + NOISE * random - f64::from(plane.rim());
        Some(BeamStage {
            level,
            above: above.cloned(),
            left,
            score,
            estimate,
        })
    }

    /// Keeps the best states without duplicates and without too many similar ones.
    fn select(&self, stages: &mut Vec<BeamStage>) {
        stages.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        let mut alike: HashMap<RemainingParts, usize> = HashMap::new();
        let mut seen = std::collections::HashSet::new();
        let (width, most) = (self.settings.width, self.settings.alike);
        let mut kept = 0;
        stages.retain(|stage| {
            if kept >= width {
                return false;
            }
            let count = alike.entry(stage.left).or_default();
            if *count >= most || !seen.insert((stage.left, stage.score, outline(&stage.level))) {
                return false;
            }
            *count += 1;
            kept += 1;
            true
        });
    }

    /// Completes the states that would have the best scores.
    fn finish_best(&mut self, stages: &[Rc<BeamStage>]) {
        const ATTEMPTS: usize = 200;
        let mut stages: Vec<&Rc<BeamStage>> = stages.iter().collect();
        stages.sort_by_key(|stage| {
            std::cmp::Reverse(stage.score + self.full.value() - stage.left.value())
        });
        for stage in stages.into_iter().take(ATTEMPTS) {
            if self.stop.is_set() {
                return;
            }
            self.finish(stage);
        }
    }

    /// Puts all remaining parts on the first level, if that beats the best known.
    fn finish(&mut self, stage: &Rc<BeamStage>) {
        let used = self.full.len() - stage.left.len();
        let missing = self.variant.cards as u32 - used;
        let score = stage.score + self.full.value() - stage.left.value();
        // If there are cards to choose from, the largest parts give the best support.
        let mut parts: Vec<Part> = stage.left.parts().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.area()));
        parts.truncate(missing as usize);
        parts.sort_unstable();
        let is_better = self.best.as_ref().is_none_or(|best| score > best.score());
        if parts.len() < missing.max(2) as usize || !is_better {
            return;
        }
        let cards = |parts: Vec<Part>| -> Vec<TowerCard> {
            let parts = parts.into_iter();
            parts.map(|part| TowerCard { part, time: None }).collect()
        };
        let above = stage.level.iter().map(|placed| placed.part).collect();
        let levels = [cards(above), cards(parts)];
        let mut tower = Tower::new(&levels, self.variant.usable(), self.stop);
        let Some(lowest) = tower.find_below(&stage.level, 20_000) else {
            return;
        };
        let mut levels = vec![lowest];
        let mut at = Some(stage);
        while let Some(stage) = at {
            levels.push(stage.level.clone());
            at = stage.above.as_ref();
        }
        let parts = levels.into_iter().zip(1..).flat_map(|(level, number)| {
            level.into_iter().map(move |placed| PlacedPart {
                level: number,
                ..placed
            })
        });
        let layout = Layout {
            parts: parts.collect(),
        };
        let layout = layout.at_origin().in_an_order();
        if layout.check(self.variant.usable()) == Ok(score) {
            self.best = Some(layout);
        }
    }

    /// Finds all covers of the lowest level with little waste.
    fn expand(&self, stage: &Rc<BeamStage>, next: &mut Vec<BeamStage>) {
        let plane = Plane::of(&stage.level);
        let used = self.full.len() - stage.left.len();
        let most_waste = MOST_WASTE[stage.level.len().min(3) - 1];
        let score = stage.score + self.full.value() - stage.left.value();
        let hand = (stage.left, self.variant.cards as u32 - used, most_waste);
        covers(&stage.level, &plane, hand, &mut |level| {
            let mut left = stage.left;
            for placed in level {
                left.take(placed.part);
            }
            next.extend(self.stage(level.to_vec(), Some(stage), left, score));
        });
    }
}

/// The available parts, at most as many as matter.
fn deck(variant: &NmbrVariant) -> RemainingParts {
    let mut copies = variant.copies as u8;
    let least = variant
        .cards
        .div_ceil(usize::from(variant.max_value) + 1)
        .max(2) as u8;
    while copies > least && ScoreBound::work(RemainingParts::full(variant.max_value, copies)) > 1e8
    {
        copies -= 1;
    }
    RemainingParts::full(variant.max_value, copies)
}

/// The outline of a level, moved to the origin.
fn outline(level: &[PlacedPart]) -> Vec<u64> {
    let plane = Plane::of(level);
    let (top, bottom) = plane.span();
    let shift = plane.columns().trailing_zeros();
    (top..bottom).map(|row| plane.row(row) >> shift).collect()
}
