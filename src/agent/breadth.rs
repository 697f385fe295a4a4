//! Which actions of a position a player looks at, in which order.

use std::cmp::Ordering;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::config::strategy;
use crate::agent::gain::{by_gain, gain_of_advance};
use crate::game::{Action, PatchId, Placement, Setup, State};
use crate::placement::{Problem, Scratch, Strategy};
use crate::util::config::Count;
use crate::util::rng::Rng;

/// The keys of the placements that are looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreadthConfig {
    /// Generates placements.
    pub policy: String,
    /// For which transforms.
    pub transforms: String,
    /// Orders them.
    pub evaluation: String,
    /// How many of them are looked at for each patch, best first; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Count>,
}

impl BreadthConfig {
    pub(super) fn check(&self) -> Result<Breadth, String> {
        let Self {
            policy,
            transforms,
            evaluation,
            best,
        } = self;
        Ok(Breadth {
            strategy: strategy("expansion", policy, transforms, evaluation)?,
            best: best.map(|best| best.get() as usize),
        })
    }
}

/// The placements of each patch that are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Breadth {
    /// Generates and orders them.
    pub strategy: Strategy,
    /// So many for each patch, best first; all when none.
    pub best: Option<usize>,
}

/// Generates the actions of positions of one game.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    breadth: Breadth,
    rng: Rng,
    scratch: Scratch,
    list: Actions,
}

/// The actions of a position, generated as they are asked for: the best placement of each patch and
/// advancing by the gains of equation 1, then the second best placements, and so on.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    /// By gain, greatest first; those that gain less than advancing come after it.
    patches: [Option<PatchId>; 3],
    before_advancing: usize,
    /// The ranked placements of the patches, or of a special patch in the first range.
    placements: Vec<Placement>,
    ranges: [Range<usize>; 3],
    /// What is next: a rank, and a place in the order of patches and advancing.
    rank: usize,
    at: usize,
}

impl Actions {
    /// Starts with a position that is not over.
    pub(super) fn start(&mut self, setup: &Setup, state: &State) {
        self.placements.clear();
        self.ranges = [const { 0..0 }; 3];
        (self.rank, self.at) = (0, 0);
        let patches = by_gain(setup, state);
        let better = |&&(gain, _): &&(i16, PatchId)| gain >= gain_of_advance();
        self.before_advancing = patches.iter().flatten().filter(better).count();
        self.patches = patches.map(|slot| slot.map(|(_, patch)| patch));
    }
}

impl Generator {
    pub(super) fn new(breadth: Breadth, rng: Rng) -> Self {
        Self {
            breadth,
            rng,
            scratch: Scratch::default(),
            list: Actions::default(),
        }
    }

    /// Writes all actions of a position that is not over to `out`: one at least.
    pub(super) fn actions(&mut self, setup: &Setup, state: &State, out: &mut Vec<Action>) {
        let mut list = std::mem::take(&mut self.list);
        out.clear();
        list.start(setup, state);
        while let Some(action) = self.next(setup, state, &mut list) {
            out.push(action);
        }
        self.list = list;
    }

    /// The next action of a position with which the list was started.
    pub(super) fn next(
        &mut self,
        setup: &Setup,
        state: &State,
        list: &mut Actions,
    ) -> Option<Action> {
        if state.specials_waiting() > 0 {
            if list.rank == 0 {
                list.ranges[0] = self.rank(&Problem::special(setup, state), list);
            }
            list.rank += 1;
            let placement = list.placements.get(list.rank - 1)?;
            return Some(Action::Special(placement.anchor()));
        }
        loop {
            let (rank, at) = (list.rank, list.at);
            list.at += 1;
            let slot = match at.cmp(&list.before_advancing) {
                Ordering::Less => at,
                Ordering::Equal if rank == 0 => return Some(Action::Advance),
                Ordering::Equal => continue,
                Ordering::Greater => at - 1,
            };
            // Advancing is never behind a slot without a patch, so such a slot ends the round.
            let Some(patch) = list.patches.get(slot).copied().flatten() else {
                (list.rank, list.at) = (rank + 1, 0);
                if list.ranges.iter().all(|range| range.len() <= rank + 1) {
                    return None;
                }
                continue;
            };
            if rank == 0 {
                list.ranges[slot] = self.rank(&Problem::patch(setup, state, patch), list);
            }
            if let Some(index) = list.ranges[slot].clone().nth(rank) {
                return Some(Action::Buy(patch, list.placements[index]));
            }
        }
    }

    fn rank(&mut self, problem: &Problem<'_>, list: &mut Actions) -> Range<usize> {
        let Self {
            breadth,
            rng,
            scratch,
            ..
        } = self;
        let first = list.placements.len();
        let strategy = &breadth.strategy;
        strategy.rank(problem, rng, scratch, &mut list.placements);
        let most = breadth.best.unwrap_or(usize::MAX);
        list.placements.truncate(first.saturating_add(most));
        first..list.placements.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::positions::{random_plies, setup_and_rng};
    use crate::util::rng::stream;

    #[test]
    fn all_placements_are_all_legal_actions_each_once() {
        let strategy = Strategy::by_names("all", "every", "regret").expect("known");
        let (setup, mut rng) = setup_and_rng(5);
        let breadth = |best| Breadth { strategy, best };
        let mut all = Generator::new(breadth(None), stream(&[6]));
        let mut some = Generator::new(breadth(Some(2)), stream(&[6]));
        let mut actions = Vec::new();
        random_plies(&setup, &mut rng, |state, _, _| {
            all.actions(&setup, state, &mut actions);
            let key = |action: &Action| format!("{action:?}");
            let mut found: Vec<String> = actions.iter().map(key).collect();
            let mut legal: Vec<String> = state.legal_actions(&setup).iter().map(key).collect();
            found.sort();
            legal.sort();
            assert_eq!(found, legal);
            some.actions(&setup, state, &mut actions);
            assert!(
                (1..=7).contains(&actions.len()),
                "two for each of three patches"
            );
        });
    }
}
