//! Multisets of parts, and the maximum score of the remaining parts by their areas.

use patchwork_engine::search::Stop;

use super::part::{MAX_PART, PARTS, Part};

/// The number of parts of each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RemainingParts {
    counts: [u8; PARTS],
}

impl RemainingParts {
    pub(super) fn full(max_value: u8, copies: u8) -> Self {
        let mut hand = Self::default();
        for part in Part::up_to(max_value) {
            hand.counts[part.index()] = copies;
        }
        hand
    }

    pub(super) fn has(&self, part: Part) -> bool {
        self.counts[part.index()] > 0
    }

    pub(super) fn take(&mut self, part: Part) {
        self.counts[part.index()] -= 1;
    }

    pub(super) fn put(&mut self, part: Part) {
        self.counts[part.index()] += 1;
    }

    fn sum(&self, of: impl Fn(Part) -> u32) -> u32 {
        let counts = Part::up_to(MAX_PART).zip(self.counts);
        counts
            .map(|(part, count)| u32::from(count) * of(part))
            .sum()
    }

    pub(super) fn len(&self) -> u32 {
        self.sum(|_| 1)
    }

    pub(super) fn value(&self) -> u32 {
        self.sum(Part::value)
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let counts = Part::up_to(MAX_PART).zip(self.counts);
        counts.flat_map(|(part, count)| std::iter::repeat_n(part, count.into()))
    }
}

/// Areas are distinguished up to this one.
const MAX_AREA: usize = 80;

/// For the remaining parts and the area of the lowest level so far, the maximum score that further levels
/// below can add if only areas and counts have to match.
///
/// A level below must have the area of the level above plus `waste`. With a waste of 0 this is an upper
/// bound; otherwise it is an estimate.
pub(super) struct ScoreBound {
    full: RemainingParts,
    weights: [usize; PARTS],
    best: Vec<u16>,
    /// Whether the computation was completed without a stop.
    is_complete: bool,
}

/// The value of a state that cannot be completed.
const NEVER: u16 = u16::MAX;

impl ScoreBound {
    /// Number of combinations that [`Self::new`] examines.
    pub(super) fn work(full: RemainingParts) -> f64 {
        let pairs = full
            .counts
            .map(|c| f64::from(c + 1) * f64::from(c + 2) / 2.0);
        pairs.iter().product()
    }

    /// If stopped early, everything not yet computed counts as impossible.
    pub(super) fn new(full: RemainingParts, cards: u32, waste: u32, stop: &Stop) -> Self {
        let mut weights = [0; PARTS];
        let mut states = 1;
        for (weight, count) in weights.iter_mut().zip(full.counts) {
            *weight = states;
            states *= usize::from(count) + 1;
        }
        let mut outlook = Self {
            full,
            weights,
            best: vec![NEVER; states * (MAX_AREA + 1)],
            is_complete: true,
        };
        // Fewer parts have smaller numbers.
        for state in 0..states {
            if stop.is_set() {
                outlook.is_complete = false;
                break;
            }
            outlook.fill(state, cards, waste);
        }
        outlook
    }

    fn fill(&mut self, state: usize, cards: u32, waste: u32) {
        let mut left = RemainingParts::default();
        let mut rest = state;
        for i in (0..PARTS).rev() {
            left.counts[i] = (rest / self.weights[i]) as u8;
            rest %= self.weights[i];
        }
        let used = self.full.len() - left.len();
        if used >= cards {
            return;
        }
        let mut row = [NEVER; MAX_AREA + 1];
        let missing = cards - used;
        let gain = (self.full.value() - left.value()) as u16;
        let areas: Vec<u32> = Part::up_to(MAX_PART).map(Part::area).collect();
        // All ways to choose the next level.
        let mut level = [0u8; PARTS];
        let (mut taken, mut area, mut count) = (0, 0, 0);
        loop {
            if (2..=missing).contains(&count) && area >= waste {
                let below = (area as usize).min(MAX_AREA);
                let further = if count == missing {
                    Some(0)
                } else {
                    let next = self.best[(state - taken) * (MAX_AREA + 1) + below];
                    (next != NEVER).then_some(next)
                };
                let place = &mut row[((area - waste) as usize).min(MAX_AREA)];
                if let Some(further) = further
                    && (*place == NEVER || *place < gain + further)
                {
                    *place = gain + further;
                }
            }
            let Some(i) = (0..PARTS).find(|&i| level[i] < left.counts[i]) else {
                break;
            };
            for j in 0..=i {
                let part_area = areas[j];
                if j < i {
                    let n = u32::from(level[j]);
                    taken -= self.weights[j] * level[j] as usize;
                    area -= n * part_area;
                    count -= n;
                    level[j] = 0;
                } else {
                    level[i] += 1;
                    taken += self.weights[i];
                    area += part_area;
                    count += 1;
                }
            }
        }
        // A level that fits below a level of this area also fits below a smaller one.
        let mut most = NEVER;
        for (area, place) in row.iter().enumerate().rev() {
            if *place != NEVER && (most == NEVER || *place > most) {
                most = *place;
            }
            self.best[state * (MAX_AREA + 1) + area] = most;
        }
    }

    /// An upper bound on the score of any layout, if the waste is 0; `None` if stopped early.
    pub(super) fn bound(&self) -> Option<u32> {
        let on_top = Part::up_to(MAX_PART)
            .filter(|&part| self.full.has(part))
            .map(|part| {
                let mut left = self.full;
                left.take(part);
                self.gain(&left, part.area()).unwrap_or(0)
            });
        let most = on_top.chain(self.gain(&self.full, 0)).max().unwrap_or(0);
        self.is_complete.then_some(most)
    }

    /// The score that can be added below a level of this area; `None` if it cannot be completed.
    pub(super) fn gain(&self, left: &RemainingParts, area: u32) -> Option<u32> {
        let counts = left.counts.iter().zip(self.weights);
        let state: usize = counts.map(|(&c, w)| usize::from(c) * w).sum();
        let area = (area as usize).min(MAX_AREA);
        let best = self.best[state * (MAX_AREA + 1) + area];
        (best != NEVER).then_some(best.into())
    }
}
