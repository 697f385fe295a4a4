//! The actions of a position that a search considers, in search order.

use std::cmp::Ordering;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::rankings::Rankings;
use crate::agent::evaluation::equation1::{GAIN_UNIT, by_gain};
use crate::agent::rollout::workspace::Workspace;
use crate::game::{Action, PatchId, Placement, Setup, State};
use crate::placement::{Candidates, Problem, Remembered, Strategy};
use crate::util::config::Count;

/// Which placements of each patch are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Breadth {
    /// Generates and ranks the placements.
    pub strategy: Strategy,
    /// The number of placements of each patch, best first; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Count>,
    /// If a patch has at most this many legal placements, all of them are searched. Only MCTS has a
    /// key for it.
    #[serde(skip)]
    pub whole: u32,
}

impl Breadth {
    /// The number that a ranking is remembered by, if it is worth remembering and small enough for it.
    fn key(&self, problem: &Problem<'_>) -> Option<u128> {
        let few = |best: Count| best.get() as usize <= Rankings::MOST;
        if !self.best.is_some_and(few) {
            return None;
        }
        match self.strategy.evaluation().remembered {
            Remembered::Not => None,
            Remembered::ByProblem => problem.key(),
            Remembered::ByQuilt => Some(problem.quilt_key()),
        }
    }
}

/// The actions of a position, generated lazily: the best placement of each patch and advancing in order of
/// their gains by equation 1, then the second-best placements, and so on.
#[derive(Clone, Debug, Default)]
pub(in crate::agent) struct RankedActions {
    /// In descending order of gain; none while special patches wait.
    patches: [Option<(i16, PatchId)>; 3],
    /// The slots of this round in order: indices of patches, or [`ADVANCE`].
    round: [usize; 4],
    len: usize,
    /// The ranked placements of the patches, or those of a special patch in the first range.
    placements: Vec<Placement>,
    ranges: [Range<usize>; 3],
    /// Whether the placements generated so far are all legal placements.
    complete: bool,
    /// The next action: a rank, and an index in the round.
    rank: usize,
    at: usize,
}

/// The slot of advancing, after those of the patches.
const ADVANCE: usize = 3;

impl RankedActions {
    /// Starts with an unfinished position.
    pub(in crate::agent) fn start(&mut self, setup: &Setup, state: &State) {
        self.clear();
        if state.specials_waiting() > 0 {
            self.patches = [None; 3];
            (self.round[0], self.len) = (0, 1);
            return;
        }
        self.patches = by_gain(setup, state);
        let better = |&&(gain, _): &&(i16, PatchId)| gain >= GAIN_UNIT;
        let before = self.patches.iter().flatten().filter(better).count();
        self.len = self.patches.iter().flatten().count() + 1;
        for (at, slot) in self.round.iter_mut().enumerate() {
            *slot = match at.cmp(&before) {
                Ordering::Less => at,
                Ordering::Equal => ADVANCE,
                Ordering::Greater => at - 1,
            };
        }
    }

    fn clear(&mut self) {
        self.placements.clear();
        self.ranges = [const { 0..0 }; 3];
        self.complete = true;
        (self.rank, self.at) = (0, 0);
    }

    /// The gains of the patches in descending order, and that of advancing.
    pub(in crate::agent) fn gains(&self) -> [i16; 4] {
        let [first, second, third] = self
            .patches
            .map(|slot| slot.map_or(GAIN_UNIT, |(gain, _)| gain));
        [first, second, third, GAIN_UNIT]
    }

    /// Whether the placements generated so far include all legal placements of their patches.
    pub(in crate::agent) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The next action of the position passed to [`Self::start`].
    pub(in crate::agent) fn next(
        &mut self,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Option<Action> {
        let (action, ..) = self.next_ranked(setup, state, breadth, work)?;
        Some(action)
    }

    /// Like [`Self::next`], with the rank of the action's placement, from 0, and the index of its gain in [`Self::gains`].
    // Called for every action of an expansion.
    #[inline(always)]
    pub(in crate::agent) fn next_ranked(
        &mut self,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Option<(Action, usize, usize)> {
        loop {
            if self.at == self.len && !self.next_round() {
                return None;
            }
            let (rank, slot) = (self.rank, self.round[self.at]);
            self.at += 1;
            if slot == ADVANCE {
                return Some((Action::Advance, rank, slot));
            }
            if rank == 0 {
                self.rank_slot(slot, setup, state, breadth, work);
                if self.ranges[slot].is_empty() {
                    continue;
                }
            }
            let placement = self.placements[self.ranges[slot].start + rank];
            let action = match self.patches[slot] {
                Some((_, patch)) => Action::Buy(patch, placement),
                None => Action::Special(placement.anchor()),
            };
            return Some((action, rank, slot));
        }
    }

    /// Ranks the placements of a slot's patch, or of a special patch.
    #[inline(never)]
    fn rank_slot(
        &mut self,
        slot: usize,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
    ) {
        let problem = match self.patches[slot] {
            Some((_, patch)) => Problem::patch(setup, state, patch),
            None => Problem::special(setup, state),
        };
        self.ranges[slot] = self.ranked(&problem, breadth, work);
    }

    /// Starts the next round, of the patches that have more placements; returns false if there are none.
    #[inline(always)]
    fn next_round(&mut self) -> bool {
        (self.rank, self.at, self.len) = (self.rank + 1, 0, 0);
        for (slot, range) in self.ranges.iter().enumerate() {
            self.round[self.len] = slot;
            self.len += usize::from(range.len() > self.rank);
        }
        self.len > 0
    }

    /// Writes all actions of an unfinished position to `out`; there is at least one.
    pub(in crate::agent) fn collect(
        &mut self,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
        out: &mut Vec<Action>,
    ) {
        out.clear();
        self.start(setup, state);
        while let Some(action) = self.next(setup, state, breadth, work) {
            out.push(action);
        }
    }

    /// Ranks the placements of a single patch and returns their number.
    pub(in crate::agent) fn rank_one(
        &mut self,
        problem: &Problem<'_>,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> usize {
        self.clear();
        self.ranked(problem, breadth, work).len()
    }

    /// The placement of this rank after [`Self::rank_one`].
    pub(in crate::agent) fn placement(&self, rank: usize) -> Placement {
        self.placements[rank]
    }

    fn ranked(
        &mut self,
        problem: &Problem<'_>,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Range<usize> {
        let Workspace {
            rng,
            scratch,
            rankings,
        } = work;
        let first = self.placements.len();
        let key = breadth.key(problem);
        if let Some(complete) = key.and_then(|key| rankings.find(key, &mut self.placements)) {
            self.complete &= complete;
            return first..self.placements.len();
        }
        let strategy = &breadth.strategy;
        let most = breadth.best.map_or(usize::MAX, |best| best.get() as usize);
        let count = strategy.rank(problem, rng, scratch, most, &mut self.placements) as usize;
        if self.placements.len() - first < count && count <= breadth.whole as usize {
            for placement in Candidates::all(problem.shape(), problem.quilt()).placements() {
                if !self.placements[first..].contains(&placement) {
                    self.placements.push(placement);
                }
            }
        }
        let complete = self.placements.len() - first == count;
        self.complete &= complete;
        if let Some(key) = key {
            rankings.store(key, &self.placements[first..], complete);
        }
        first..self.placements.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;
    use crate::util::rng::stream;

    #[test]
    fn all_placements_are_all_legal_actions_each_once() {
        let breadth = |keys: &str| -> Breadth {
            toml::from_str(&format!("strategy = 'all/every/regret'\n{keys}")).expect("keys")
        };
        let (all, two) = (breadth(""), breadth("best = 2"));
        let mut work = Workspace::new(stream(&[6]));
        let (mut list, mut actions) = (RankedActions::default(), Vec::new());
        random_games(2, |setup, state| {
            if state.is_over() {
                return;
            }
            list.collect(setup, state, &all, &mut work, &mut actions);
            let key = |action: &Action| format!("{action:?}");
            let mut found: Vec<String> = actions.iter().map(key).collect();
            let mut legal: Vec<String> = state.legal_actions(setup).iter().map(key).collect();
            found.sort();
            legal.sort();
            assert_eq!(found, legal);
            list.collect(setup, state, &two, &mut work, &mut actions);
            assert!(
                (1..=7).contains(&actions.len()),
                "two for each of three patches"
            );
        });
    }
}
