//! Flat Monte Carlo: runs rollouts for every action and plays the one with the highest mean.

use serde::{Deserialize, Serialize};

use crate::agent::declare::{IdleKey, settings};
use crate::agent::evaluation::estimator::Estimator;
use crate::agent::evaluation::evaluation_spec::EvaluationSpec;
use crate::agent::evaluation::position_estimate::win_chance;
use crate::agent::evaluation::result_scoring::ResultScoring;
use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, AgentFault, Decision, Limit, STARTED, or_failing};
use crate::agent::rollout::player::RolloutPlayer;
use crate::agent::rollout::ranked_actions::{Breadth, RankedActions};
use crate::agent::rollout::settings::Rollout;
use crate::agent::rollout::workspace::Workspace;
use crate::game::{Action, Player, Setup, State};
use crate::record::{ConsideredAction, Thought};
use crate::search::{Budget, Clock, budget_key};
use crate::util::InputError;
use crate::util::rng::Rng;

settings! {
    /// The settings of a flat Monte Carlo agent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct FlatSettings in "" {
        /// Number of rollouts per action (`playouts`), number of rollouts in total (`iterations`),
        /// `milliseconds` or `processor_milliseconds`.
        #[serde(deserialize_with = "budget")]
        #[cfg_attr(feature = "schema", schemars(schema_with = "budget_schema"))]
        pub budget: Budget,
        /// How positions are estimated: `linear` (fitted features, the default), `learned` (the network of the program)
        /// or a network of your own.
        #[serde(default, skip_serializing_if = "EvaluationSpec::is_linear")]
        pub estimate: EvaluationSpec,
        /// The placements that are considered; all by default.
        pub expansion: Breadth = (every_placement()),
        /// The rollout policy. A rollout that is cut off is scored by the position estimate.
        pub table rollout: Rollout,
        /// How the result of a rollout is scored; by wins if absent.
        pub table search: ResultScoring = (ResultScoring::WINS),
    }
    requires {
        "rollout.estimate": "type = \"mcts\"" if |_| false,
        "rollout.learn": "type = \"mcts\"" if |_| false,
    }
    needs {
        "estimate": "rollout.depth" if |agent| agent.rollout.depth.is_some(),
        "rollout.strategy": "rollouts, with rollout.depth above 0" if |agent| agent.rollout.has_plies(),
        "rollout.late": "rollouts, with rollout.depth above 0" if |agent| agent.rollout.has_plies(),
        "rollout.corner": "rollouts, with rollout.depth above 0" if |agent| agent.rollout.has_plies(),
    }
}

budget_key!(&[
    "playouts",
    "iterations",
    "milliseconds",
    "processor_milliseconds"
]);

impl AgentKind for FlatSettings {
    fn name() -> &'static str {
        "flat"
    }

    fn check(&self) -> Result<(), InputError> {
        self.check_keys()?;
        self.rollout.check_pick()?;
        self.search().check_scale()
    }

    fn build(&self) -> Box<dyn Agent> {
        or_failing(self.estimate.estimator(), |estimator| {
            Box::new(FlatAgent::new(self, estimator))
        })
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn state_defaults(&mut self) {
        self.state_keys();
    }

    fn idle(&self) -> Vec<IdleKey> {
        self.idle_keys()
    }

    fn estimate(&mut self) -> Option<&mut EvaluationSpec> {
        Some(&mut self.estimate)
    }
}

fn every_placement() -> Breadth {
    Breadth {
        strategy: "all/every/first".parse().expect("known names"),
        best: None,
        whole: 0,
    }
}

struct FlatAgent {
    budget: Budget,
    estimator: Estimator,
    breadth: Breadth,
    player: RolloutPlayer,
    most_plies: u32,
    worth: ResultScoring,
    /// Of the actions and of the playouts.
    game: Option<[Workspace; 2]>,
    list: RankedActions,
    actions: Vec<Action>,
    /// The sum of the rollout results of each action.
    sums: Vec<f64>,
    /// The number of rollouts of the last decision; 0 if there was only one action.
    done: u32,
}

impl FlatAgent {
    fn new(settings: &FlatSettings, estimator: Estimator) -> Self {
        Self {
            budget: settings.budget,
            estimator,
            breadth: settings.expansion(),
            player: settings.rollout.player(),
            most_plies: settings.rollout.most_plies(),
            worth: settings.search(),
            game: None,
            list: RankedActions::default(),
            actions: Vec::new(),
            sums: Vec::new(),
            done: 0,
        }
    }

    /// The result of a rollout after an action, for the mover.
    fn playout(&mut self, setup: &Setup, state: &State, index: usize) -> f64 {
        let mut next = *state;
        next.play_unchecked(setup, self.actions[index]);
        let [_, Workspace { rng, scratch, .. }] = self.game.as_mut().expect(STARTED);
        let most = self.most_plies;
        let end = self
            .player
            .play_on(setup, next, rng, scratch, most, &mut ());
        let margin = self.estimator.margin(setup, &end);
        let won = win_chance(margin, &end);
        let (won, margin) = match state.mover() {
            Player::First => (won, margin),
            Player::Second => (1.0 - won, -margin),
        };
        self.worth.of(won.into(), margin.into())
    }

    /// The first action with the highest mean, and that mean. Playouts are in round-robin order.
    fn best(&self) -> (usize, f64) {
        let mut best = (0, -1.0);
        for (i, sum) in self.sums.iter().enumerate() {
            let playouts = self.playouts(i);
            if playouts > 0 && sum / f64::from(playouts) > best.1 {
                best = (i, sum / f64::from(playouts));
            }
        }
        best
    }

    /// The number of rollouts of an action.
    fn playouts(&self, index: usize) -> u32 {
        let count = self.actions.len();
        ((self.done as usize + count - 1 - index) / count) as u32
    }
}

impl Agent for FlatAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.game = Some(Workspace::pair(rng));
    }

    fn clock(&self) -> Clock {
        self.budget.clock()
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let known = |budget: &Budget| !matches!(budget, Budget::Depth(_));
        let budget = limit.budget.filter(known).unwrap_or(self.budget);
        let meter = budget.meter(limit.stop);
        let [work, _] = self.game.as_mut().expect(STARTED);
        let (breadth, actions) = (&self.breadth, &mut self.actions);
        self.list.collect(setup, state, breadth, work, actions);
        self.done = 0;
        if let [only] = self.actions[..] {
            return Ok(Decision::unsearched(only));
        }
        let count = self.actions.len();
        let most = match budget {
            Budget::Playouts(each) => u64::from(each) * count as u64,
            Budget::Iterations(all) | Budget::Nodes(all) => all.into(),
            _ => u64::MAX,
        };
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        self.sums.clear();
        self.sums.resize(count, 0.0);
        let mut done = 0;
        // Round-robin order keeps the rollouts balanced when time runs out.
        while done < most {
            let index = done as usize % count;
            self.sums[index] += self.playout(setup, state, index);
            done += 1;
            if !meter.has_time() {
                break;
            }
        }
        self.done = done;
        let (best, mean) = self.best();
        let thought = Thought {
            iterations: done,
            value: Some(mean as f32),
            ..Thought::default()
        };
        Ok(Decision::new(self.actions[best], thought))
    }

    fn considered(&self, played: Action, most: usize) -> Vec<ConsideredAction> {
        let indices = (0..self.actions.len()).filter(|&i| self.done > 0 && self.playouts(i) > 0);
        let mut all: Vec<ConsideredAction> = indices
            .map(|i| {
                let visits = self.playouts(i);
                let mean = self.sums[i] / f64::from(visits);
                ConsideredAction::new(self.actions[i], visits, mean as f32)
            })
            .collect();
        all.sort_by(|one, other| other.value.total_cmp(&one.value));
        if let Some(first) = all.iter().position(|one| one.action == played) {
            all[..=first].rotate_right(1);
        }
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::Track;
    use crate::search::Stop;
    use crate::testing;
    use crate::util::rng::stream;

    fn agent(budget: Budget) -> FlatAgent {
        let keys = "budget = { playouts = 1 }\n\
                    rollout = { pick = 'uniform', strategy = 'all/every/random' }";
        let settings: FlatSettings = toml::from_str(keys).expect("keys");
        FlatAgent::new(&FlatSettings { budget, ..settings }, Estimator::Linear)
    }

    fn decide(budget: Budget, setup: &Setup, state: &State) -> Decision {
        let mut agent = agent(budget);
        agent.start(setup, stream(&[7]));
        testing::decide(&mut agent, setup, state)
    }

    /// Positions of random games in which some actions end the game at once.
    #[test]
    fn a_win_in_one_is_found() {
        let mut found = 0;
        for seed in 0..400 {
            let mut rng = stream(&[seed]);
            let setup = Setup::random(Track::Original, &mut rng);
            testing::random_walk(&setup, &mut rng, |state| {
                let wins = |action: &Action| {
                    let mut next = *state;
                    next.play_unchecked(&setup, *action);
                    next.outcome()
                        .map(|outcome| outcome.winner == state.mover())
                };
                let results: Vec<_> = state.legal_actions(&setup).iter().map(wins).collect();
                if results.contains(&Some(true)) && results.contains(&Some(false)) {
                    let decision = decide(Budget::Playouts(1), &setup, state);
                    assert_eq!(wins(&decision.action), Some(true), "seed {seed}");
                    assert_eq!(decision.thought.value, Some(1.0));
                    found += 1;
                }
            });
        }
        assert!(found > 3, "{found}");
    }

    #[test]
    fn budgets_are_kept_and_repeat() {
        let setup = testing::setup(3);
        let state = State::new(&setup);
        let actions = state.count_actions(&setup);
        let iterations = |budget| decide(budget, &setup, &state).thought.iterations;
        assert_eq!(iterations(Budget::Playouts(2)), 2 * actions);
        assert_eq!(iterations(Budget::Iterations(7)), 7);
        assert_eq!(iterations(Budget::Iterations(actions + 3)), actions + 3);
        let timed = Budget::Time(Duration::from_millis(5));
        let start = Instant::now();
        assert!(iterations(timed) > 0);
        assert!(start.elapsed() >= Duration::from_millis(5));
        let twice = [(); 2].map(|()| decide(Budget::Iterations(300), &setup, &state));
        assert_eq!(twice[0], twice[1]);
        // The limit of a call overrides the agent's own budget.
        let mut agent = agent(timed);
        agent.start(&setup, stream(&[7]));
        let limit = Limit {
            budget: Some(Budget::Iterations(300)),
            stop: &Stop::new(),
        };
        assert_eq!(agent.decide(&setup, &state, limit), Ok(twice[0]));
    }

    #[test]
    fn the_mean_is_over_the_playouts_that_an_action_had() {
        let mut flat = agent(Budget::Iterations(5));
        flat.actions = vec![Action::Advance; 3];
        // After five playouts in turn, the first two actions have had two and the last one.
        flat.sums = vec![1.5, 1.0, 0.8];
        flat.done = 5;
        assert_eq!(flat.best(), (2, 0.8));
        // After two playouts, the last action has had none.
        flat.sums = vec![0.2, 0.4, 0.0];
        flat.done = 2;
        assert_eq!(flat.best(), (1, 0.4));
    }
}
