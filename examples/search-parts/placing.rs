//! Placement in rollouts that learns: each side draws a placement strategy for a whole rollout, and a playout policy of the
//! search, MAST, learns which ones win.

use patchwork_engine::agent::{
    Agent, AgentFault, AgentFile, AgentKind, Decision, Limit, MctsSettings, PatchworkModel,
    RolloutPlayer, Step, TreePosition,
};
use patchwork_engine::game::{Action, Player, Setup, State};
use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::record::Thought;
use patchwork_engine::search::{
    Budget, GameRules, Guidance, Leaf, Picker, Playout, PlayoutMove, PlayoutOption, PlayoutPolicy,
    PlayoutResult, PlayoutTurn, Search, Selected, Side, Value,
};
use patchwork_engine::util::rng::{Rng, below};
use serde::{Deserialize, Serialize};

/// The settings of `mcts-fast` with rollouts that draw their strategies of placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacingSettings {
    /// Iterations for each decision.
    iterations: u32,
    /// The strategies of rollouts.
    strategies: Vec<Strategy>,
    /// By how much a strategy that always wins has a greater score than one that always loses; with 0, nothing is learned, and
    /// all strategies have the same probability.
    points: f64,
}

impl PlacingSettings {
    fn search(&self, setup: &Setup, rng: Rng) -> Search<Placing> {
        let file = AgentFile::parse("base".as_ref(), "extends = 'mcts-fast'").expect("shipped");
        let base: &MctsSettings = file.config.downcast_ref().expect("an MCTS agent");
        let estimator = base.estimate.estimator().expect("the linear one");
        let learn = Selected::<PlayoutPolicy>::of("mast", &[("points", self.points)]);
        let learn = learn.expect("a number in its range");
        let player = |&strategy: &Strategy| {
            let mut player = base.rollout.player();
            player.strategy = strategy;
            player
        };
        let game = Placing {
            model: PatchworkModel::new(setup.clone(), base.clone(), estimator, rng.clone()),
            players: self.strategies.iter().map(player).collect(),
            policy: (learn.part().build)(learn.values(), self.strategies.len() as u16),
            rng,
            scratch: Scratch::default(),
        };
        Search::new(game, base.tree_search()).expect("checked settings")
    }
}

impl AgentKind for PlacingSettings {
    fn name() -> &'static str {
        "placing"
    }

    fn budget(&self) -> Option<Budget> {
        Some(Budget::Iterations(self.iterations))
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(PlacingAgent {
            settings: self.clone(),
            search: None,
        })
    }
}

struct PlacingAgent {
    settings: PlacingSettings,
    search: Option<Search<Placing>>,
}

/// Panic message of an agent that is asked before its game.
const STARTED: &str = "the game has started";

impl Agent for PlacingAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        self.search = Some(self.settings.search(setup, rng));
    }

    fn decide(
        &mut self,
        _: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let search = self.search.as_mut().expect(STARTED);
        let budget = Budget::Iterations(self.settings.iterations);
        let choice = search.decide(&TreePosition::from(*state), &budget.meter(limit.stop));
        let Step::Play(action) = choice.best.action else {
            unreachable!("patches are bought and placed in one step")
        };
        let thought = Thought {
            iterations: choice.iterations,
            ..Thought::default()
        };
        Ok(Decision::new(action, thought))
    }

    fn observe(&mut self, action: Action) {
        let search = self.search.as_mut().expect(STARTED);
        search.advance(Step::Play(action));
    }
}

/// The game of `mcts-fast` with other rollouts.
struct Placing {
    model: PatchworkModel,
    /// One for each strategy.
    players: Vec<RolloutPlayer>,
    policy: Box<dyn Playout>,
    rng: Rng,
    scratch: Scratch,
}

impl GameRules for Placing {
    type Position = TreePosition;
    type Action = Step;

    fn is_over(&self, position: &TreePosition) -> bool {
        self.model.is_over(position)
    }

    fn mover(&self, position: &TreePosition) -> Side {
        self.model.mover(position)
    }

    fn play(&self, position: &mut TreePosition, step: Step) {
        self.model.play(position, step);
    }
}

impl Guidance for Placing {
    fn expand(&mut self, position: &TreePosition, steps: &mut Vec<(Step, f32)>) -> bool {
        self.model.expand(position, steps)
    }

    fn expand_more(&mut self, position: &TreePosition, steps: &mut Vec<(Step, f32)>) -> bool {
        self.model.expand_more(position, steps)
    }

    fn evaluate(&mut self, position: &TreePosition) -> Leaf {
        if self.is_over(position) {
            return self.model.evaluate(position);
        }
        let picker = Picker::softmax(1.0);
        let drawn = [Side::First, Side::Second].map(|side| {
            let turn = PlayoutTurn { side, progress: 0 };
            let option = |kind| PlayoutOption {
                kind,
                worth: picker.no_gain(),
            };
            let mut options: Vec<_> = (0..self.players.len() as u16).map(option).collect();
            self.policy.weigh(&[], turn, &mut options, &picker);
            let random = below(1 << 24, &mut self.rng) as f32 / (1 << 24) as f32;
            let kind = picker.draw(&options, || random) as u16;
            PlayoutMove { turn, kind }
        });
        let (setup, mut state) = (self.model.setup(), position.state);
        while !state.is_over() {
            let one = drawn[state.mover() as usize];
            let player = &self.players[usize::from(one.kind)];
            let action = player.action(setup, &state, &mut self.rng, &mut self.scratch);
            state.play_unchecked(setup, action);
        }
        let outcome = state.outcome_unchecked();
        let value = Value::for_side(outcome.winner.into(), 1.0);
        let margin = outcome.margin(Player::First).into();
        self.policy
            .observe(&drawn, &PlayoutResult { value, margin });
        Leaf::estimate(value)
    }

    fn advance(&mut self, _: Step) {
        // MAST does not ask which kind of move it was.
        self.policy.keep(0);
    }
}
