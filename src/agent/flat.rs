//! Flat Monte Carlo: every action gets playouts, and the one with the best mean is played.

use std::time::{Duration, Instant};

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::breadth::{Breadth, BreadthConfig, Generator};
use super::config::{RolloutConfig, SearchConfig, ValueKind, only_one};
use super::mcts::{Rollout, Worth};
use super::{Agent, Decision, STARTED};
use crate::agent::estimate::{estimate, win_chance};
use crate::game::{Action, Player, Setup, State};
use crate::placement::{Scratch, Strategy};
use crate::record::Thought;
use crate::search::Stop;
use crate::util::config::Count;
use crate::util::rng::{Rng, stream};

/// The keys of a flat Monte Carlo agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlatConfig {
    /// Effort for each decision.
    pub budget: FlatBudgetConfig,
    /// The placements that are tried; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<BreadthConfig>,
    /// How playouts are played.
    pub rollout: RolloutConfig,
    /// Whether wins or margins are counted; wins when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<FlatSearchConfig>,
}

/// Effort for each decision: one of the three keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlatBudgetConfig {
    /// Playouts for each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<Count>,
    /// Playouts for all actions together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Count>,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<Count>,
}

/// What playouts are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlatSearchConfig {
    /// Whether wins or margins are counted.
    pub value: ValueKind,
    /// Points that count as a clear win, not with `value = "win"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_scale: Option<f64>,
    /// The weight of winning, with `value = "mix"` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_weight: Option<f64>,
}

impl FlatConfig {
    pub(super) fn check(&self) -> Result<FlatSpec, String> {
        let budget = &self.budget;
        let milliseconds = |time: Count| Duration::from_millis(time.get().into());
        let efforts = [
            budget.playouts.map(|each| Effort::Each(each.get())),
            budget.iterations.map(|all| Effort::All(all.get())),
            budget
                .milliseconds
                .map(|time| Effort::Time(milliseconds(time))),
        ];
        let effort = only_one("playouts, iterations or milliseconds", efforts)?;
        let breadth = match &self.expansion {
            Some(expansion) => expansion.check()?,
            None => Breadth {
                strategy: Strategy::by_names("all", "every", "first")
                    .map_err(|error| error.to_string())?,
                best: None,
            },
        };
        let worth = self
            .search
            .clone()
            .map_or_else(SearchConfig::default, |search| SearchConfig {
                value: search.value,
                margin_scale: search.margin_scale,
                win_weight: search.win_weight,
                ..SearchConfig::default()
            });
        Ok(FlatSpec {
            effort,
            breadth,
            rollout: self.playouts()?,
            worth: worth.worth()?,
        })
    }
}

impl FlatConfig {
    fn playouts(&self) -> Result<Rollout, String> {
        let rollout = self.rollout.check()?;
        if rollout.estimate > 0.0 {
            return Err("rollout.estimate: goes with type = \"mcts\" only".into());
        }
        Ok(rollout)
    }
}

/// What flat Monte Carlo may spend on a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many playouts for each action.
    Each(u32),
    /// So many playouts in all.
    All(u32),
    /// So much time.
    Time(Duration),
}

/// The settings of a flat Monte Carlo agent.
#[derive(Clone, Copy, Debug)]
pub struct FlatSpec {
    /// Effort for each decision.
    pub effort: Effort,
    /// The actions that are tried.
    pub breadth: Breadth,
    /// Plays the playouts; where they are cut the static estimate counts.
    pub rollout: Rollout,
    /// What they give.
    pub worth: Worth,
}

impl FlatSpec {
    pub(super) const fn is_deterministic(&self) -> bool {
        !matches!(self.effort, Effort::Time(_))
    }
}

/// A player by flat Monte Carlo.
pub struct FlatAgent {
    spec: FlatSpec,
    game: Option<Game>,
}

struct Game {
    generator: Generator,
    rng: Rng,
    scratch: Scratch,
    actions: Vec<Action>,
    sums: Vec<f64>,
}

impl FlatAgent {
    /// A player with these settings.
    #[must_use]
    pub const fn new(spec: FlatSpec) -> Self {
        Self { spec, game: None }
    }
}

impl Agent for FlatAgent {
    fn start(&mut self, _: &Setup, mut rng: Rng) {
        self.game = Some(Game {
            generator: Generator::new(self.spec.breadth, stream(&[rng.random()])),
            rng,
            scratch: Scratch::default(),
            actions: Vec::new(),
            sums: Vec::new(),
        });
    }

    fn decide(&mut self, setup: &Setup, state: &State, stop: &Stop) -> Decision {
        let start = Instant::now();
        let game = self.game.as_mut().expect(STARTED);
        game.generator.actions(setup, state, &mut game.actions);
        if let [only] = game.actions[..] {
            return Decision {
                action: only,
                thought: Thought::default(),
            };
        }
        let count = game.actions.len();
        let most = match self.spec.effort {
            Effort::Each(each) => u64::from(each) * count as u64,
            Effort::All(all) => all.into(),
            Effort::Time(_) => u64::MAX,
        };
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        game.sums.clear();
        game.sums.resize(count, 0.0);
        let mut done = 0;
        // The actions take turns, so that time runs out evenly.
        while done < most {
            let index = done as usize % count;
            game.sums[index] += self.spec.playout(setup, state, index, game);
            done += 1;
            let late = matches!(self.spec.effort, Effort::Time(time) if start.elapsed() >= time);
            if late || stop.is_set() {
                break;
            }
        }
        let (best, mean) = game.best(done);
        Decision {
            action: game.actions[best],
            thought: Thought {
                iterations: done,
                value: Some(mean as f32),
                ..Thought::default()
            },
        }
    }
}

impl Game {
    /// The first action with the greatest mean after so many playouts in turn, and the mean.
    fn best(&self, done: u32) -> (usize, f64) {
        let count = self.actions.len();
        let mut best = (0, -1.0);
        for (i, sum) in self.sums.iter().enumerate() {
            let playouts = (done as usize + count - 1 - i) / count;
            if playouts > 0 && sum / playouts as f64 > best.1 {
                best = (i, sum / playouts as f64);
            }
        }
        best
    }
}

impl FlatSpec {
    /// What a playout after an action is worth for the mover.
    fn playout(&self, setup: &Setup, state: &State, index: usize, game: &mut Game) -> f64 {
        let mut next = *state;
        next.play_unchecked(setup, game.actions[index]);
        let (rng, scratch) = (&mut game.rng, &mut game.scratch);
        let player = &self.rollout.player;
        let most = self.rollout.depth.unwrap_or(u32::MAX);
        let end = player.play_on(setup, next, rng, scratch, most, |_, _| ());
        let margin = estimate(setup, &end);
        let won = win_chance(margin, &end);
        let (won, margin) = match state.mover() {
            Player::First => (won, margin),
            Player::Second => (1.0 - won, -margin),
        };
        self.worth.of(won.into(), margin.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::quick::{Picker, QuickPlayer};
    use crate::game::Track;
    use crate::support::positions::{random_walk, setup, setup_and_rng, setup_on};

    fn agent(effort: Effort) -> FlatAgent {
        let all = |evaluation| Strategy::by_names("all", "every", evaluation).expect("known");
        FlatAgent::new(FlatSpec {
            effort,
            breadth: Breadth {
                strategy: all("first"),
                best: None,
            },
            rollout: Rollout {
                player: QuickPlayer::new(Picker::Uniform, all("random")),
                depth: None,
                estimate: 0.0,
            },
            worth: Worth::Win,
        })
    }

    fn decide(effort: Effort, setup: &Setup, state: &State) -> Decision {
        let mut agent = agent(effort);
        agent.start(setup, stream(&[7]));
        agent.decide(setup, state, &Stop::new())
    }

    /// Positions of random games in which some actions end the game at once.
    #[test]
    fn a_win_in_one_is_found() {
        let mut found = 0;
        for seed in 0..400 {
            let (setup, mut rng) = setup_and_rng(seed);
            random_walk(&setup, &mut rng, |state| {
                let wins = |action: &Action| {
                    let mut next = *state;
                    next.play_unchecked(&setup, *action);
                    next.outcome()
                        .map(|outcome| outcome.winner == state.mover())
                };
                let results: Vec<_> = state.legal_actions(&setup).iter().map(wins).collect();
                if results.contains(&Some(true)) && results.contains(&Some(false)) {
                    let decision = decide(Effort::Each(1), &setup, state);
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
        let setup = setup_on(Track::Revised, 3);
        let state = State::new(&setup);
        let actions = state.count_actions(&setup);
        let iterations = |effort| decide(effort, &setup, &state).thought.iterations;
        assert_eq!(iterations(Effort::Each(2)), 2 * actions);
        assert_eq!(iterations(Effort::All(7)), 7);
        assert_eq!(iterations(Effort::All(actions + 3)), actions + 3);
        let timed = Effort::Time(Duration::from_millis(5));
        let start = Instant::now();
        assert!(iterations(timed) > 0);
        assert!(start.elapsed() >= Duration::from_millis(5));
        let twice = [(); 2].map(|()| decide(Effort::All(300), &setup, &state));
        assert_eq!(twice[0], twice[1]);
    }

    #[test]
    fn the_mean_is_over_the_playouts_that_an_action_had() {
        let mut flat = agent(Effort::All(5));
        flat.start(&setup(1), stream(&[1]));
        let game = flat.game.as_mut().expect("started");
        game.actions = vec![Action::Advance; 3];
        // After five playouts in turn the first two actions have had two, the last one.
        game.sums = vec![1.5, 1.0, 0.8];
        assert_eq!(game.best(5), (2, 0.8));
        // After two the last has had none.
        game.sums = vec![0.2, 0.4, 0.0];
        assert_eq!(game.best(2), (1, 0.4));
    }
}
