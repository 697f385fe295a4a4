//! The optimum of a variant, with proof: splits of the cards into levels are tried in descending order of
//! score, each until a layout is found or excluded.

use std::collections::HashMap;

use patchwork_engine::search::Stop;

use super::hand::RemainingParts;
use super::layout::Layout;
use super::part::{MAX_PART, Part};
use super::tower::{Tower, TowerCard};
use super::variant::NmbrVariant;

/// Maximum number of splits; a proof with more would take too long.
const MAX_SPLITS: usize = 500_000;
/// Maximum number of steps in the enumeration of splits.
const MAX_STEPS: usize = 5_000_000;

/// What is known about the best score of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The best known layout, if any.
    pub layout: Option<Layout>,
    /// Whether no better one exists.
    pub proven: bool,
    /// An upper bound: no layout has a higher score.
    pub bound: u32,
    /// Placements tried.
    pub nodes: u64,
}

/// A split: the cards of each level, from the top down.
type TowerLevels = Vec<Vec<TowerCard>>;

/// Tries splits from the highest score down. `known` is an earlier layout, if any; `progress` is called with
/// the number of splits done and their total number.
///
/// Returns `None` if there are too many splits.
pub(super) fn prove(
    variant: &NmbrVariant,
    known: Option<Layout>,
    stop: &Stop,
    progress: &mut dyn FnMut(usize, usize),
) -> Option<Optimum> {
    let least = known.as_ref().map(Layout::score);
    let splits = Splits::of(variant, least)?;
    let usable = variant.usable();
    let mut optimum = Optimum {
        layout: known,
        proven: true,
        bound: least.unwrap_or(0),
        nodes: 0,
    };
    let total = splits.all.len();
    let mut pairs = HashMap::new();
    for (done, (score, levels)) in splits.all.iter().enumerate() {
        progress(done, total);
        let mut is_possible = |pair: &[Vec<TowerCard>]| {
            *pairs.entry(pair.to_vec()).or_insert_with(|| {
                let mut tower = Tower::new(pair, usable, stop);
                let found = tower.find();
                optimum.nodes += tower.nodes;
                found.is_some() || tower.stopped
            })
        };
        let has_pairs = variant.deck.is_none() && levels.len() > 2;
        if !has_pairs || levels.windows(2).all(&mut is_possible) {
            let mut tower = Tower::new(levels, usable, stop);
            let found = tower.find();
            optimum.nodes += tower.nodes;
            if found.is_some() {
                optimum.layout = found;
                optimum.bound = *score;
                return Some(optimum);
            }
        }
        if stop.is_set() {
            optimum.proven = false;
            optimum.bound = *score;
            return Some(optimum);
        }
    }
    Some(optimum)
}

/// All splits not excluded by counts and areas, by descending score.
struct Splits {
    all: Vec<(u32, TowerLevels)>,
    /// Only splits with a higher score matter.
    least: Option<u32>,
    steps: usize,
    levels: usize,
    usable: u32,
}

impl Splits {
    fn of(variant: &NmbrVariant, least: Option<u32>) -> Option<Self> {
        let usable = variant.usable() as u32;
        let mut splits = Self {
            all: Vec::new(),
            least,
            steps: 0,
            levels: variant.levels,
            usable: usable * usable,
        };
        match &variant.deck {
            None => {
                let mut left = RemainingParts::full(variant.max_value, variant.copies as u8);
                splits.free(&mut left, variant.cards, &mut Vec::new(), 0)?;
            }
            Some(deck) => {
                splits.known(deck, &mut Vec::new(), &mut vec![Vec::new(); variant.levels])?;
            }
        }
        splits.all.sort_by_key(|(score, levels)| {
            let lowest = levels.last().map_or(0, Vec::len);
            (std::cmp::Reverse(*score), std::cmp::Reverse(lowest))
        });
        Some(splits)
    }

    /// Counts a step; `None` after too many.
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps <= MAX_STEPS).then_some(())
    }

    fn add(&mut self, levels: TowerLevels) -> Option<()> {
        let count = levels.len() as u32;
        let scores = levels.iter().zip(0..).map(|(cards, k)| {
            let values = cards.iter().map(|card| card.part.value());
            values.sum::<u32>() * (count - 1 - k)
        });
        let score = scores.sum();
        if self.least.is_none_or(|least| score > least) {
            self.all.push((score, levels));
        }
        (self.all.len() <= MAX_SPLITS).then_some(())
    }

    /// Adds the splits that have these levels at the top, with `cards` more cards below. `None` if there are
    /// too many.
    fn free(
        &mut self,
        left: &mut RemainingParts,
        cards: usize,
        levels: &mut TowerLevels,
        area: u32,
    ) -> Option<()> {
        if cards == 0 {
            return self.add(levels.clone());
        }
        if levels.len() == self.levels {
            return Some(());
        }
        let least = if levels.is_empty() { 1 } else { 2 };
        let mut level = Vec::new();
        self.level(left, cards, levels, (&mut level, 0), (area, least))
    }

    /// Chooses the cards of the next level, in ascending order from `level.1`.
    fn level(
        &mut self,
        left: &mut RemainingParts,
        cards: usize,
        levels: &mut TowerLevels,
        (level, from): (&mut Vec<TowerCard>, usize),
        (area, least): (u32, usize),
    ) -> Option<()> {
        self.step()?;
        let own: u32 = level.iter().map(|card| card.part.area()).sum();
        if own > self.usable {
            return Some(());
        }
        if level.len() >= least && own >= area {
            levels.push(level.clone());
            self.free(left, cards, levels, own)?;
            levels.pop();
        }
        if cards == 0 {
            return Some(());
        }
        for part in Part::up_to(MAX_PART).skip(from) {
            if !left.has(part) {
                continue;
            }
            left.take(part);
            level.push(TowerCard { part, time: None });
            self.level(
                left,
                cards - 1,
                levels,
                (level, part.index()),
                (area, least),
            )?;
            level.pop();
            left.put(part);
        }
        Some(())
    }

    /// Adds the splits of a known deck that have these levels for its first cards.
    fn known(
        &mut self,
        deck: &[Part],
        chosen: &mut Vec<usize>,
        levels: &mut TowerLevels,
    ) -> Option<()> {
        self.step()?;
        let time = chosen.len();
        let Some(&part) = deck.get(time) else {
            let used = levels.iter().filter(|cards| !cards.is_empty());
            return self.add(used.rev().cloned().collect());
        };
        for level in 0..self.levels {
            let area = |cards: &[TowerCard]| cards.iter().map(|card| card.part.area()).sum::<u32>();
            let limit = match level {
                0 => self.usable,
                _ if levels[level - 1].len() < 2 => break,
                _ => area(&levels[level - 1]),
            };
            if area(&levels[level]) + part.area() > limit {
                continue;
            }
            levels[level].push(TowerCard {
                part,
                time: Some(time as u8),
            });
            chosen.push(level);
            self.known(deck, chosen, levels)?;
            chosen.pop();
            levels[level].pop();
        }
        Some(())
    }
}
