//! Beam search for the greedy agent: its own next turns, the opponent's guessed.
//!
//! Each level takes the positions kept so far, in all of which the player is to move, plays every
//! action of theirs that is looked at, lets the opponent answer by equation 1 until the player is to
//! move again, and keeps those that the static estimate likes best. The action that leads to the
//! best position of the last level is played.

use std::cmp::Reverse;

use rand::RngExt as _;

use super::alpha_beta::{chance, worth};
use super::breadth::{Breadth, Generator};
use super::quick::{Picker, QuickPlayer};
use super::{Agent, Decision, STARTED};
use crate::game::{Action, Player, Setup, State};
use crate::placement::{Scratch, Strategy};
use crate::record::Thought;
use crate::search::Stop;
use crate::util::rng::{Rng, stream};

/// The settings of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct BeamSpec {
    /// Positions kept on each level.
    pub width: usize,
    /// Own turns looked ahead, 1 at least.
    pub depth: u32,
    /// The placements that are looked at.
    pub breadth: Breadth,
    /// Answers for the opponent.
    pub opponent: QuickPlayer,
}

impl BeamSpec {
    /// A search that looks at these placements; the opponent is taken to place in order.
    ///
    /// # Panics
    /// Never: the names are in the source.
    #[must_use]
    pub fn new(width: usize, depth: u32, strategy: Strategy) -> Self {
        let in_order = Strategy::by_names("in-order", "some", "first").expect("known names");
        Self {
            width,
            depth,
            breadth: Breadth {
                strategy,
                best: None,
            },
            opponent: QuickPlayer::new(Picker::Greedy, in_order),
        }
    }
}

/// A position that is kept.
#[derive(Clone, Copy)]
struct Kept {
    state: State,
    /// The action of the root that led here.
    first: Action,
    /// For the player who searches.
    value: i32,
}

/// A player by beam search.
pub struct BeamAgent {
    spec: BeamSpec,
    game: Option<Game>,
    actions: Vec<Action>,
    level: Vec<Kept>,
    next: Vec<Kept>,
}

struct Game {
    generator: Generator,
    rng: Rng,
    scratch: Scratch,
}

impl Game {
    /// The position after an action of the mover and the opponent's answers to it.
    fn turn(
        &mut self,
        opponent: &QuickPlayer,
        setup: &Setup,
        mut state: State,
        action: Action,
    ) -> State {
        let me = state.mover();
        state.play_unchecked(setup, action);
        while !state.is_over() && state.mover() != me {
            let answer = opponent.action(setup, &state, &mut self.rng, &mut self.scratch);
            state.play_unchecked(setup, answer);
        }
        state
    }
}

impl BeamAgent {
    /// A player with these settings.
    #[must_use]
    pub const fn new(spec: BeamSpec) -> Self {
        Self {
            spec,
            game: None,
            actions: Vec::new(),
            level: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Replaces the level by the best positions one own turn later. Finished games stay.
    fn advance(&mut self, setup: &Setup, me: Player) {
        let game = self.game.as_mut().expect(STARTED);
        self.next.clear();
        for kept in &self.level {
            if kept.state.is_over() {
                self.next.push(*kept);
                continue;
            }
            game.generator
                .actions(setup, &kept.state, &mut self.actions);
            for &action in &self.actions {
                let state = game.turn(&self.spec.opponent, setup, kept.state, action);
                self.next.push(Kept {
                    state,
                    value: worth(setup, &state, me),
                    first: kept.first,
                });
            }
        }
        self.prune();
    }

    /// Keeps the best of the next level, each position once, the first found of equals.
    fn prune(&mut self) {
        std::mem::swap(&mut self.level, &mut self.next);
        self.level.sort_by_key(|kept| Reverse(kept.value));
        self.level
            .dedup_by(|a, b| a.value == b.value && a.state == b.state);
        self.level.truncate(self.spec.width);
    }
}

impl Agent for BeamAgent {
    fn start(&mut self, _: &Setup, mut rng: Rng) {
        self.game = Some(Game {
            generator: Generator::new(self.spec.breadth, stream(&[rng.random()])),
            rng,
            scratch: Scratch::default(),
        });
    }

    fn decide(&mut self, setup: &Setup, state: &State, stop: &Stop) -> Decision {
        let me = state.mover();
        let game = self.game.as_mut().expect(STARTED);
        let mut actions = Vec::new();
        game.generator.actions(setup, state, &mut actions);
        if let [only] = actions[..] {
            return Decision {
                action: only,
                thought: Thought::default(),
            };
        }
        self.next.clear();
        for action in actions {
            let next = game.turn(&self.spec.opponent, setup, *state, action);
            self.next.push(Kept {
                state: next,
                first: action,
                value: worth(setup, &next, me),
            });
        }
        self.prune();
        for _ in 1..self.spec.depth {
            if stop.is_set() {
                break;
            }
            self.advance(setup, me);
        }
        let best = self.level[0];
        Decision {
            action: best.first,
            thought: Thought {
                value: Some(chance(best.value)),
                ..Thought::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentSpec;
    use crate::game::Track;
    use crate::record::GameId;
    use crate::support::positions::{setup, setup_on};
    use crate::tournament::play::play_game;

    fn regret() -> Strategy {
        Strategy::by_names("bl-lb", "every", "regret").expect("known")
    }

    #[test]
    fn looking_ahead_beats_the_greedy_agent_from_both_seats() {
        let mut beam = AgentSpec::Beam(BeamSpec::new(4, 2, regret())).build();
        let greedy = AgentSpec::Greedy(QuickPlayer::new(Picker::Greedy, regret()));
        let mut greedy = greedy.build();
        let mut won = 0;
        for game in 0..20 {
            let track = Track::ALL[(game / 2 % 2) as usize];
            let setup = setup_on(track, u64::from(game / 2));
            let id = GameId {
                pairing: 0,
                pair: game / 2,
                leg: (game % 2) as u8,
            };
            let (seats, seat): ([&mut dyn Agent; 2], _) = if game % 2 == 0 {
                ([&mut *beam, &mut *greedy], Player::First)
            } else {
                ([&mut *greedy, &mut *beam], Player::Second)
            };
            let streams = [stream(&[1]), stream(&[2])];
            let entry = play_game(id, [0, 1], &setup, seats, streams, &Stop::new());
            won += u32::from(entry.expect("legal").record.winner() == seat);
        }
        assert!(won >= 17, "{won} of 20");
    }

    #[test]
    fn the_beam_keeps_the_best_positions_once() {
        let setup = setup(1);
        let mut agent = BeamAgent::new(BeamSpec::new(2, 1, regret()));
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
