//! The actions of a position that a search considers, in search order.

use std::cmp::Ordering;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::equation1::{by_gain, gain_of_advance};
use super::player::Workspace;
use crate::game::{Action, PatchId, Placement, Setup, State};
use crate::placement::{Candidates, Problem, Strategy};
use crate::util::config::Count;

/// Which placements of each patch are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The actions of a position, generated lazily: the best placement of each patch and advancing in
/// order of their gains by equation 1, then the second-best placements, and so on.
#[derive(Clone, Debug, Default)]
pub(super) struct RankedActions {
    /// In descending order of gain; those that gain less than advancing come after it.
    patches: [Option<(i16, PatchId)>; 3],
    before_advancing: usize,
    /// The ranked placements of the patches, or those of a special patch in the first range.
    placements: Vec<Placement>,
    ranges: [Range<usize>; 3],
    /// Whether the ranges have all legal placements.
    complete: bool,
    /// The next action: a rank, and an index in the order of patches and advancing.
    rank: usize,
    at: usize,
}

/// An action and its place in the order.
pub(super) struct RankedAction {
    pub(super) action: Action,
    /// The rank of its placement, from 0.
    pub(super) rank: usize,
    /// The index of the patch that it buys in the order of gains.
    pub(super) slot: Option<usize>,
}

impl RankedActions {
    /// Starts with an unfinished position.
    pub(super) fn start(&mut self, setup: &Setup, state: &State) {
        self.clear();
        self.patches = by_gain(setup, state);
        let better = |&&(gain, _): &&(i16, PatchId)| gain >= gain_of_advance();
        self.before_advancing = self.patches.iter().flatten().filter(better).count();
    }

    fn clear(&mut self) {
        self.placements.clear();
        self.ranges = [const { 0..0 }; 3];
        self.complete = true;
        (self.rank, self.at) = (0, 0);
    }

    /// The gains of the patches in descending order.
    pub(super) fn gains(&self) -> [Option<i16>; 3] {
        self.patches.map(|slot| slot.map(|(gain, _)| gain))
    }

    /// Whether the actions so far have all legal placements of their patches.
    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The next action of the position passed to [`Self::start`].
    pub(super) fn next(
        &mut self,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Option<Action> {
        let next = self.next_ranked(setup, state, breadth, work)?;
        Some(next.action)
    }

    /// Like [`Self::next`], with the action's place in the order.
    pub(super) fn next_ranked(
        &mut self,
        setup: &Setup,
        state: &State,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Option<RankedAction> {
        if state.specials_waiting() > 0 {
            if self.rank == 0 {
                self.ranges[0] = self.ranked(&Problem::special(setup, state), breadth, work);
            }
            let rank = self.rank;
            self.rank += 1;
            let placement = self.placements.get(rank)?;
            return Some(RankedAction {
                action: Action::Special(placement.anchor()),
                rank,
                slot: None,
            });
        }
        loop {
            let (rank, at) = (self.rank, self.at);
            self.at += 1;
            let slot = match at.cmp(&self.before_advancing) {
                Ordering::Less => at,
                Ordering::Equal if rank == 0 => {
                    return Some(RankedAction {
                        action: Action::Advance,
                        rank,
                        slot: None,
                    });
                }
                Ordering::Equal => continue,
                Ordering::Greater => at - 1,
            };
            // Advancing never comes after an empty slot, so an empty slot ends the round.
            let Some((_, patch)) = self.patches.get(slot).copied().flatten() else {
                (self.rank, self.at) = (rank + 1, 0);
                if self.ranges.iter().all(|range| range.len() <= rank + 1) {
                    return None;
                }
                continue;
            };
            if rank == 0 {
                let problem = Problem::patch(setup, state, patch);
                self.ranges[slot] = self.ranked(&problem, breadth, work);
            }
            if let Some(index) = self.ranges[slot].clone().nth(rank) {
                return Some(RankedAction {
                    action: Action::Buy(patch, self.placements[index]),
                    rank,
                    slot: Some(slot),
                });
            }
        }
    }

    /// Writes all actions of an unfinished position to `out`; there is at least one.
    pub(super) fn collect(
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

    /// Ranks the placements of one patch alone and returns how many there are.
    pub(super) fn rank_one(
        &mut self,
        problem: &Problem<'_>,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> usize {
        self.clear();
        self.ranked(problem, breadth, work).len()
    }

    /// The placement of this rank after [`Self::rank_one`].
    pub(super) fn placement(&self, rank: usize) -> Placement {
        self.placements[rank]
    }

    fn ranked(
        &mut self,
        problem: &Problem<'_>,
        breadth: &Breadth,
        work: &mut Workspace,
    ) -> Range<usize> {
        let Workspace { rng, scratch } = work;
        let first = self.placements.len();
        let strategy = &breadth.strategy;
        let count = strategy.rank(problem, rng, scratch, &mut self.placements) as usize;
        let most = breadth.best.map_or(usize::MAX, |best| best.get() as usize);
        self.placements.truncate(first.saturating_add(most));
        if self.placements.len() - first < count && count <= breadth.whole as usize {
            for placement in Candidates::all(problem.shape(), problem.quilt()).placements() {
                if !self.placements[first..].contains(&placement) {
                    self.placements.push(placement);
                }
            }
        }
        self.complete &= self.placements.len() - first == count;
        first..self.placements.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Track;
    use crate::util::rng::stream;

    #[test]
    fn all_placements_are_all_legal_actions_each_once() {
        let breadth = |keys: &str| -> Breadth {
            toml::from_str(&format!("strategy = 'all/every/regret'\n{keys}")).expect("keys")
        };
        let (all, two) = (breadth(""), breadth("best = 2"));
        let mut rng = stream(&[5]);
        let setup = Setup::random(Track::Revised, &mut rng);
        let mut work = Workspace::new(stream(&[6]));
        let (mut list, mut actions) = (RankedActions::default(), Vec::new());
        let mut state = State::new(&setup);
        while !state.is_over() {
            list.collect(&setup, &state, &all, &mut work, &mut actions);
            let key = |action: &Action| format!("{action:?}");
            let mut found: Vec<String> = actions.iter().map(key).collect();
            let mut legal: Vec<String> = state.legal_actions(&setup).iter().map(key).collect();
            found.sort();
            legal.sort();
            assert_eq!(found, legal);
            list.collect(&setup, &state, &two, &mut work, &mut actions);
            assert!(
                (1..=7).contains(&actions.len()),
                "two for each of three patches"
            );
            state.play_unchecked(&setup, state.random_action(&setup, &mut rng));
        }
    }
}
