//! Beam search over the agent's own next turns, with a simple model of the opponent.
//!
//! In every position kept at a level, the agent is to move. The search plays each candidate action,
//! lets the opponent reply by equation 1 until the agent is to move again, and keeps the positions
//! with the best position estimates for the next level. The agent plays the root action that leads
//! to the best position of the last level.

use std::cmp::Reverse;

use crate::agent::evaluation::estimator::Estimator;
use crate::agent::evaluation::position_value::{chance, value};
use crate::agent::player::{Agent, AgentFault, Decision, Limit, STARTED};
use crate::agent::rollout::player::RolloutPlayer;
use crate::agent::rollout::ranked_actions::{Breadth, RankedActions};
use crate::agent::rollout::workspace::Workspace;
use crate::game::{Action, Player, Setup, State};
use crate::placement::Strategy;
use crate::record::Thought;
use crate::search::Budget;
use crate::search::Picker;
use crate::util::rng::Rng;

/// A position in the beam.
#[derive(Clone, Copy)]
struct Kept {
    state: State,
    /// The root action that led to it.
    first: Action,
    /// For the searching player.
    value: i32,
}

pub(super) struct BeamAgent {
    /// Number of positions kept at each level.
    width: usize,
    /// Number of own turns to look ahead, at least 1.
    depth: u32,
    breadth: Breadth,
    opponent: RolloutPlayer,
    estimator: Estimator,
    /// Of the searching player and of the opponent.
    game: Option<[Workspace; 2]>,
    actions: RankedActions,
    level: Vec<Kept>,
    next: Vec<Kept>,
}

impl BeamAgent {
    /// A search with this placement strategy; the opponent places in order.
    pub(super) fn new(width: usize, depth: u32, strategy: Strategy, estimator: Estimator) -> Self {
        let in_order = "in-order/some/first".parse().expect("known names");
        Self {
            width,
            depth,
            breadth: Breadth {
                strategy,
                best: None,
                whole: 0,
            },
            opponent: RolloutPlayer::new(Picker::GREEDY, in_order),
            estimator,
            game: None,
            actions: RankedActions::default(),
            level: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Adds the positions one turn after this one to the next level. `first` is the root action
    /// that led here, or `None` at the root.
    fn expand(&mut self, setup: &Setup, state: &State, first: Option<Action>, me: Player) {
        let [own, opponent] = self.game.as_mut().expect(STARTED);
        // All actions are generated before the opponent draws a random number.
        let mut actions = Vec::new();
        let breadth = &self.breadth;
        self.actions
            .collect(setup, state, breadth, own, &mut actions);
        for action in actions {
            let mut state = *state;
            state.play_unchecked(setup, action);
            while !state.is_over() && state.mover() != me {
                let Workspace { rng, scratch, .. } = opponent;
                let answer = self.opponent.action(setup, &state, rng, scratch);
                state.play_unchecked(setup, answer);
            }
            self.next.push(Kept {
                state,
                first: first.unwrap_or(action),
                value: value(&mut self.estimator, setup, &state, me),
            });
        }
    }

    /// Replaces the level with the best positions one own turn later. Finished games are kept.
    fn advance(&mut self, setup: &Setup, me: Player) {
        let level = std::mem::take(&mut self.level);
        for kept in &level {
            if kept.state.is_over() {
                self.next.push(*kept);
            } else {
                self.expand(setup, &kept.state, Some(kept.first), me);
            }
        }
        self.prune();
    }

    /// Moves the best positions of the next level to the current level, without duplicates. Ties
    /// keep the position found first.
    fn prune(&mut self) {
        self.level = std::mem::take(&mut self.next);
        self.level.sort_by_key(|kept| Reverse(kept.value));
        self.level
            .dedup_by(|a, b| a.value == b.value && a.state == b.state);
        self.level.truncate(self.width);
    }
}

impl Agent for BeamAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.game = Some(Workspace::pair(rng));
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let me = state.mover();
        self.next.clear();
        self.expand(setup, state, None, me);
        if let [only] = self.next[..] {
            return Ok(Decision::unsearched(only.first));
        }
        self.prune();
        let depth = match limit.budget {
            Some(Budget::Depth(depth)) => depth,
            _ => self.depth,
        };
        for _ in 1..depth {
            if limit.stop.is_set() {
                break;
            }
            self.advance(setup, me);
        }
        let best = self.level[0];
        let thought = Thought {
            value: Some(chance(best.value)),
            ..Thought::default()
        };
        Ok(Decision::new(best.first, thought))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beam_keeps_the_best_positions_once() {
        let setup = crate::testing::setup(1);
        let mut agent = BeamAgent::new(
            2,
            1,
            "bl-lb/every/regret".parse().expect("known"),
            Estimator::Linear,
        );
        let start = State::new(&setup);
        let mut moved = start;
        moved.play_unchecked(&setup, Action::Advance);
        let kept = |state, value| Kept {
            state,
            first: Action::Advance,
            value,
        };
        agent.next = vec![
            kept(start, 1),
            kept(moved, 5),
            kept(moved, 5),
            kept(start, 3),
        ];
        agent.prune();
        let values: Vec<i32> = agent.level.iter().map(|kept| kept.value).collect();
        assert_eq!(values, [5, 3]);
    }
}
