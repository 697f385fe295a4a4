//! Random plies at the start of a game.

use patchwork_engine::agent::{Agent, AgentFault, Decision, Limit, RolloutPlayer};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::record::ConsideredAction;
use patchwork_engine::search::Picker;
use patchwork_engine::util::rng::Rng;
use rand::RngExt as _;

use crate::plan::Opening;

impl Opening {
    /// Draws the opening of a game from the game's random stream: the number of its plies, and the share of them that
    /// are random.
    pub(super) fn draw(&self, rng: &mut Rng) -> (u32, f64) {
        let plies = match self.plies {
            most if most > 0 && rng.random_bool(self.share) => rng.random_range(0..most),
            _ => 0,
        };
        (plies, RANDOM[rng.random_range(0..RANDOM.len())])
    }
}

/// Possible shares of random plies, equally likely.
const RANDOM: [f64; 3] = [0.15, 0.5, 1.0];
/// The share of random plies with a uniformly random placement.
const ANYWHERE: f64 = 0.15;

/// A player that makes some plies of an opening at random, and leaves the rest to an agent.
pub(super) struct OpeningPlayer<'a> {
    pub(super) agent: &'a mut dyn Agent,
    /// Number of plies of the opening.
    pub(super) opening: u32,
    /// The share of the opening's plies that are random.
    pub(super) random: f64,
    pub(super) rng: Rng,
    /// Plies of both players so far.
    pub(super) plies: u32,
    /// Whether the agent made the last decision.
    pub(super) decided: bool,
}

impl Agent for OpeningPlayer<'_> {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        self.agent.start(setup, rng);
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let opening = self.plies < self.opening;
        self.decided = !(opening && self.rng.random_bool(self.random));
        if self.decided {
            return self.agent.decide(setup, state, limit);
        }
        Ok(Decision::unsearched(random_action(
            setup,
            state,
            &mut self.rng,
        )))
    }

    fn considered(&self, played: Action, most: usize) -> Vec<ConsideredAction> {
        if self.decided && self.plies >= self.opening {
            self.agent.considered(played, most)
        } else {
            Vec::new()
        }
    }

    fn observe(&mut self, action: Action) {
        self.plies += 1;
        self.agent.observe(action);
    }
}

/// Any affordable patch, or advancing; the placement is usually sensible.
fn random_action(setup: &Setup, state: &State, rng: &mut Rng) -> Action {
    let strategy = if rng.random_bool(ANYWHERE) {
        "all/every/random"
    } else {
        "bl-lb/every/regret"
    };
    let strategy: Strategy = strategy.parse().expect("known names");
    let player = RolloutPlayer::new(Picker::UNIFORM, strategy);
    player.action(setup, state, rng, &mut Scratch::default())
}
