//! Which actions of a position a player looks at, in which order.

use std::cmp::Reverse;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::config::strategy;
use crate::config::Count;
use crate::game::{Action, PatchId, Placement, Setup, State, gain, gain_of_advance};
use crate::placement::{Problem, Scratch, Strategy};
use crate::rng::Rng;

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
    placements: Vec<Placement>,
}

impl Generator {
    pub(super) fn new(breadth: Breadth, rng: Rng) -> Self {
        Self {
            breadth,
            rng,
            scratch: Scratch::default(),
            placements: Vec::new(),
        }
    }

    /// Writes the actions to `out`, one at least unless the game is over: the best placement of each
    /// patch and advancing by the gains of equation 1, then the second best placements, and so on.
    pub(super) fn actions(&mut self, setup: &Setup, state: &State, out: &mut Vec<Action>) {
        out.clear();
        self.placements.clear();
        if state.specials_waiting() > 0 {
            let ranked = self.rank(&Problem::special(setup, state));
            let squares = self.placements[ranked].iter().map(|p| p.anchor());
            return out.extend(squares.map(Action::Special));
        }
        let space = state.space(state.mover());
        let mut patches: [Option<PatchId>; 3] = [None; 3];
        for (slot, patch) in patches.iter_mut().zip(state.affordable(setup)) {
            *slot = Some(patch);
        }
        patches.sort_by_key(|slot| Reverse(slot.map(|patch| gain(patch, space))));
        let ranked = patches.map(|slot| match slot {
            Some(patch) => self.rank(&Problem::patch(setup, state, patch)),
            None => 0..0,
        });
        let better = |slot: &Option<PatchId>| {
            slot.is_some_and(|patch| gain(patch, space) >= gain_of_advance())
        };
        let before_advancing = patches.iter().filter(|slot| better(slot)).count();
        let most = ranked.iter().map(ExactSizeIterator::len).max();
        for rank in 0..most.unwrap_or(0).max(1) {
            for (i, range) in ranked.iter().enumerate() {
                if rank == 0 && i == before_advancing {
                    out.push(Action::Advance);
                }
                if let (Some(patch), Some(index)) = (patches[i], range.clone().nth(rank)) {
                    out.push(Action::Buy(patch, self.placements[index]));
                }
            }
            if rank == 0 && before_advancing == patches.len() {
                out.push(Action::Advance);
            }
        }
    }

    fn rank(&mut self, problem: &Problem<'_>) -> Range<usize> {
        let Self {
            breadth,
            rng,
            scratch,
            placements,
        } = self;
        let first = placements.len();
        breadth.strategy.rank(problem, rng, scratch, placements);
        let most = breadth.best.unwrap_or(usize::MAX);
        placements.truncate(first.saturating_add(most));
        first..placements.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Track;
    use crate::rng::stream;

    #[test]
    fn all_placements_are_all_legal_actions_each_once() {
        let strategy = Strategy::by_names("all", "every", "regret").expect("known");
        let mut rng = stream(&[5]);
        let setup = Setup::random(Track::Revised, &mut rng);
        let breadth = |best| Breadth { strategy, best };
        let mut all = Generator::new(breadth(None), stream(&[6]));
        let mut some = Generator::new(breadth(Some(2)), stream(&[6]));
        let mut actions = Vec::new();
        let mut state = State::new(&setup);
        while !state.is_over() {
            all.actions(&setup, &state, &mut actions);
            let key = |action: &Action| format!("{action:?}");
            let mut found: Vec<String> = actions.iter().map(key).collect();
            let mut legal: Vec<String> = state.legal_actions(&setup).iter().map(key).collect();
            found.sort();
            legal.sort();
            assert_eq!(found, legal);
            some.actions(&setup, &state, &mut actions);
            assert!(
                (1..=7).contains(&actions.len()),
                "two for each of three patches"
            );
            state.play_unchecked(&setup, state.random_action(&setup, &mut rng));
        }
        all.actions(&setup, &state, &mut actions);
    }
}
