//! Decisions by tree search, with the two steps of buying merged, and statistics of the search.

use std::cmp::Reverse;
use std::iter;

use super::model::{PatchworkModel, first_placement};
use super::position::{Step, TreePosition};
use super::settings::{MctsSettings, Steps};
use crate::agent::evaluation::estimator::Estimator;
use crate::agent::player::Decision;
use crate::game::{Action, PatchId, Player, Setup, State};
use crate::placement::{Problem, Scratch};
use crate::record::{ConsideredAction, Thought, TreeFacts};
use crate::search::{Candidate, Choice, Meter, Search};
use crate::util::rng::Rng;

/// A search of the positions of a game, by one thread or several.
pub struct PatchworkSearch {
    settings: MctsSettings,
    search: Search<PatchworkModel>,
}

/// Panic message of settings that a file would not be read with.
const CHECKED: &str = "the settings are checked";

impl PatchworkSearch {
    /// A search for games on this setup.
    ///
    /// # Panics
    /// If the settings cannot be combined.
    pub fn new(setup: &Setup, settings: MctsSettings, estimator: &Estimator, rng: Rng) -> Self {
        let models = models(setup, &settings, estimator, rng);
        Self {
            search: Search::parallel(models, settings.tree_search()).expect(CHECKED),
            settings,
        }
    }

    /// Resets the search for a new game but keeps the allocated memory.
    pub fn restart(&mut self, setup: &Setup, rng: Rng) {
        let mut streams = streams(rng);
        let mut rankings = None;
        self.search.restart(|model| {
            model.restart(setup, streams.next().expect("there is no end"));
            model.share(&mut rankings);
        });
    }

    /// Gives the priors of the actions in a state whose position has not been searched; see [`Agent::set_priors`].
    ///
    /// [`Agent::set_priors`]: crate::agent::Agent::set_priors
    pub fn set_priors(&mut self, state: &State, priors: &[(Action, f32)]) {
        for model in self.search.games_mut() {
            model.given = Some((*state, priors.iter().copied().collect()));
        }
    }

    /// The search without what is special to Patchwork.
    pub const fn tree_search(&self) -> &Search<PatchworkModel> {
        &self.search
    }

    /// Moves the root to the position after an action that was played.
    pub fn advance(&mut self, action: Action) {
        if let (Steps::Two, Action::Buy(patch, _)) = (self.settings.expansion.steps(), action) {
            self.search.advance(Step::Pick(patch));
        }
        self.search.advance(Step::Play(action));
    }

    /// The winner from the root position, if proven.
    pub fn winner(&self) -> Option<Player> {
        self.search.winner().map(Player::from)
    }

    /// Searches the root position and decides: by all threads if the budget is time without a pause, otherwise by one, so
    /// that the decision does not depend on timing.
    pub fn decide(&mut self, state: &State, meter: &Meter<'_>) -> Decision {
        let choice = self.search.decide(&TreePosition::from(*state), meter);
        self.decision(state, &choice)
    }

    /// Searches the root position by all threads, whatever the budget, and decides.
    pub fn decide_together(&mut self, state: &State, meter: &Meter<'_>) -> Decision {
        let position = TreePosition::from(*state);
        let choice = self.search.decide_together(&position, meter);
        self.decision(state, &choice)
    }

    fn decision(&self, state: &State, choice: &Choice<Step>) -> Decision {
        let mut best = choice.best;
        if let Step::Pick(_) = best.action {
            best = self.search.best(&[best.action]).unwrap_or(best);
        }
        let action = match best.action {
            Step::Play(action) => action,
            Step::Pick(patch) => self.place(state, patch),
        };
        let thought = Thought {
            iterations: choice.iterations,
            value: (best.visits > 0).then_some(best.chance),
            proven: self.winner().map(|player| player == state.mover()),
            tree: (choice.iterations > 0).then(|| self.facts(choice.iterations)),
        };
        Decision::new(action, thought)
    }

    /// The visited actions of the root, at most `most`: the one that was played, then proven wins, then
    /// the others by visits, proven losses last. The two steps of buying are one action, with the visits
    /// of the second step.
    pub fn considered(&self, played: Action, most: usize) -> Vec<ConsideredAction> {
        let mut all = self.whole_actions(&self.search.candidates(&[]));
        all.retain(|one| one.visits > 0);
        Self::sort(&mut all, played);
        let actions = all.iter().filter_map(|one| match one.action {
            Step::Play(action) => Some(ConsideredAction::new(action, one.visits, one.chance)),
            Step::Pick(_) => None,
        });
        actions.take(most).collect()
    }

    /// The actions of the root, of which these are the candidates. The two steps of buying are merged into one action, with
    /// the visits of the second step, unless the patch has not been placed.
    pub(crate) fn whole_actions(&self, root: &[Candidate<Step>]) -> Vec<Candidate<Step>> {
        let mut all = Vec::with_capacity(root.len());
        for one in root {
            let below = match one.action {
                Step::Play(_) => Vec::new(),
                Step::Pick(_) => self.search.candidates(&[one.action]),
            };
            if below.is_empty() {
                all.push(*one);
            }
            all.extend(below.into_iter().map(|placed| Candidate {
                prior: placed.prior * one.prior,
                ..placed
            }));
        }
        all
    }

    /// Sorts the decision first, then proven wins, then by visits; losing and untried actions come last.
    pub(crate) fn sort(all: &mut [Candidate<Step>], decision: Action) {
        let rank = |one: &Candidate<Step>| match one.proven {
            Some(true) => 3,
            None if one.visits > 0 => 2,
            Some(false) => 1,
            None => 0,
        };
        let is_decision = |one: &Candidate<Step>| one.action == Step::Play(decision);
        all.sort_by_key(|one| Reverse((is_decision(one), rank(one), one.visits)));
    }

    /// The action that was played, the best reply, and so on as far as the search has gone, at most `most`;
    /// none if the search prefers another action.
    pub fn line(&self, played: Action, most: usize) -> Vec<Action> {
        let plays = self.search.line().filter_map(|step| match step.action {
            Step::Play(action) => Some(action),
            Step::Pick(_) => None,
        });
        let line: Vec<Action> = plays.take(most).collect();
        match line.first() {
            Some(first) if *first == played => line,
            _ => Vec::new(),
        }
    }

    /// Places a patch below which no action was tried, as the expansion would.
    fn place(&self, state: &State, patch: PatchId) -> Action {
        let model = self.search.game();
        let problem = Problem::patch(model.setup(), state, patch);
        let strategy = &self.settings.expansion.strategy;
        let mut rng = model.rng().clone();
        let placement = strategy.choose(&problem, &mut rng, &mut Scratch::default());
        let placement = placement.unwrap_or_else(|| first_placement(state, patch));
        Action::Buy(patch, placement)
    }

    fn facts(&self, iterations: u32) -> TreeFacts {
        let depth = self.search.depth();
        TreeFacts {
            nodes: self.search.size().nodes as u32,
            mean_depth: (depth.sum as f64 / f64::from(iterations)) as f32,
            max_depth: depth.max as u16,
            entropy: entropy(&self.search.candidates(&[])),
        }
    }
}

/// One model per thread.
fn models(
    setup: &Setup,
    settings: &MctsSettings,
    estimator: &Estimator,
    rng: Rng,
) -> impl Iterator<Item = PatchworkModel> {
    let streams = streams(rng).take(settings.threads() as usize);
    let mut rankings = None;
    streams.map(move |rng| {
        let (setup, settings) = (setup.clone(), settings.clone());
        let mut model = PatchworkModel::new(setup, settings, estimator.clone(), rng);
        model.share(&mut rankings);
        model
    })
}

/// Streams of random numbers that are 2^128 numbers apart.
fn streams(rng: Rng) -> impl Iterator<Item = Rng> {
    iter::successors(Some(rng), |rng| {
        let mut next = rng.clone();
        next.jump();
        Some(next)
    })
}

/// Entropy of the visit distribution in bits.
fn entropy(candidates: &[Candidate<Step>]) -> f32 {
    let visits: u64 = candidates.iter().map(|one| u64::from(one.visits)).sum();
    let terms = candidates.iter().filter(|one| one.visits > 0).map(|one| {
        let share = f64::from(one.visits) / visits as f64;
        -share * libm::log2(share)
    });
    terms.sum::<f64>() as f32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::agent::kinds::mcts::player::MctsAgent;
    use crate::agent::kinds::mcts::settings::Prior;
    use crate::agent::{Agent as _, AgentFile, EvaluationSpec};
    use crate::game::Track;
    use crate::search::{Budget, Guidance as _, Selected, Stop};
    use crate::testing::{decide, setup};
    use crate::util::config::Count;
    use crate::util::rng::stream;

    /// A search of this many iterations with these keys in the table `search`.
    fn settings(iterations: u32, search: &str) -> MctsSettings {
        let text = format!(
            "type = 'mcts'\nbudget.iterations = {iterations}\n\
             expansion = {{ strategy = 'bl-lb/every/regret', best = 3 }}\n\
             rollout = {{ pick = 'greedy', strategy = 'in-order/some/first' }}\nsearch = {{ {search} }}"
        );
        let file = AgentFile::parse(Path::new("test.toml"), &text).expect("an agent");
        let settings: Option<&MctsSettings> = file.config.downcast_ref();
        settings.expect("an MCTS agent").clone()
    }

    fn learned() -> Estimator {
        let estimator = EvaluationSpec::file("learned").estimator();
        estimator.expect("the built-in network")
    }

    /// The decisions of an agent against itself.
    fn play(settings: &MctsSettings, seed: u64) -> Vec<Decision> {
        let mut rng = stream(&[seed]);
        let setup = Setup::random(Track::Original, &mut rng);
        let new = || MctsAgent::new(settings.clone(), Estimator::Linear);
        let mut agents = [new(), new()];
        for agent in &mut agents {
            agent.start(&setup, rng.clone());
        }
        let mut state = State::new(&setup);
        let mut decisions = Vec::new();
        while !state.is_over() {
            let agent = &mut agents[state.mover().index()];
            let decision = decide(agent, &setup, &state);
            decisions.push(decision);
            state = state.try_play(&setup, decision.action).expect("legal");
            for agent in &mut agents {
                agent.observe(decision.action);
            }
        }
        decisions
    }

    /// The keys of all kinds of searches, small enough for a test.
    const SEARCHES: &str = "
        select = 'puct', first_play = 0.0, value = 'margin', endgame = 50
        select = 'ucb1-tuned', value = 'mix'
        minimax = 0.5, widening = { base = 2.0, power = 0.3 }
        rave = { over = 'patches', equivalence = 50 }
        rave = { over = 'placements', equivalence = 50 }, solver = false
        early_stop = true, nodes = 10000
        choice = { by = 'lcb', z = 2.0 }, value = 'margin'
        allocation = 'halving', choice = 'value', nodes = 10000
        select = 'puct', first_play = 0.0, allocation = 'noise', choice = 'temperature', endgame = 50
    ";

    #[test]
    fn games_are_legal_and_repeat_themselves() {
        for steps in [Steps::One, Steps::Two] {
            let searches = SEARCHES.trim().lines().map(|search| (1, search.trim()));
            for (threads, search) in [(1, ""), (3, "")].into_iter().chain(searches) {
                let mut settings = settings(60, search);
                settings.threads = Count::new(threads);
                settings.expansion.steps = Some(steps);
                let (one, two) = (play(&settings, 3), play(&settings, 3));
                assert_eq!(one, two, "{threads} {search} {steps:?}");
                for decision in &one {
                    let thought = decision.thought;
                    let is_chance = |value| (0.0..=1.0).contains(&value);
                    assert!(thought.value.is_none_or(is_chance));
                    assert_eq!(thought.tree.is_some(), thought.iterations > 0);
                    if let Some(tree) = thought.tree {
                        assert!(tree.entropy >= 0.0 && tree.nodes > 1, "{tree:?}");
                        assert!(tree.mean_depth <= f32::from(tree.max_depth));
                    }
                }
                // The last decision of the winner, if it searches at all, is a proven win.
                let solver = !search.contains("solver = false");
                let proven = one.iter().any(|decision| decision.thought.proven.is_some());
                assert_eq!(proven, solver, "{search}");
            }
        }
    }

    #[test]
    fn rollouts_that_learn_play_other_moves_and_repeat_themselves() {
        let learning =
            |name, points| Some(Selected::of(name, &[("points", points)]).expect("a policy"));
        for (steps, batch) in [(Steps::One, 1), (Steps::One, 8), (Steps::Two, 1)] {
            let mut settings = settings(60, &format!("batch = {batch}"));
            settings.expansion.steps = Some(steps);
            settings.rollout.pick = Selected::of("softmax", &[]).expect("a pick");
            let plain = play(&settings, 3);
            for name in ["mast", "nst"] {
                settings.rollout.learn = learning(name, 0.0);
                assert_eq!(play(&settings, 3), plain, "{name} has no weight");
                settings.rollout.learn = learning(name, 4.0);
                let learned = play(&settings, 3);
                assert_ne!(learned, plain, "{name}");
                assert_eq!(learned, play(&settings, 3), "{name}");
            }
            settings.rollout.learn = None;
        }
    }

    #[test]
    fn rave_beside_a_rule_is_the_rule_with_rave() {
        for (rule, more) in [
            ("ucb1", ""),
            ("ucb1-tuned", ""),
            ("puct", ", first_play = 0.0"),
        ] {
            let play = |keys: String| play(&settings(60, &format!("{keys}{more}")), 3);
            let rave = "rave = { over = 'placements', equivalence = 9.0 }";
            let beside = play(format!("select = '{rule}', {rave}"));
            let within = format!("select = {{ by = '{rule}-rave', equivalence = 9.0 }}");
            assert_eq!(play(within), beside, "{rule}");
            assert_ne!(play(format!("select = '{rule}'")), beside, "{rule}");
        }
    }

    #[test]
    fn one_search_is_what_it_is_alone_and_more_add_up() {
        let one = settings(500, "");
        let mut rng = stream(&[5]);
        let setup = Setup::random(Track::Original, &mut rng);
        let state = State::new(&setup);
        let position = TreePosition::from(state);
        let stop = Stop::new();
        let meter = Budget::Iterations(500).meter(&stop);
        let mut search = PatchworkSearch::new(&setup, one.clone(), &Estimator::Linear, rng.clone());
        let decision = search.decide(&state, &meter);
        let tree_search = one.tree_search();
        let model = PatchworkModel::new(setup.clone(), one.clone(), Estimator::Linear, rng.clone());
        let mut alone = Search::new(model, tree_search).expect(CHECKED);
        let choice = alone.decide(&position, &meter);
        assert_eq!(Step::Play(decision.action), choice.best.action);
        assert_eq!(decision.thought.value, Some(choice.best.chance));

        let mut three = one;
        three.threads = Some(Count::new(3).expect("3 is not 0"));
        let mut search = PatchworkSearch::new(&setup, three, &Estimator::Linear, rng);
        let decision = search.decide(&state, &meter);
        assert_eq!(decision.thought.iterations, 500);
        let candidates = search.tree_search().candidates(&[]);
        assert_eq!(candidates.iter().map(|one| one.visits).sum::<u32>(), 500);
    }

    #[test]
    fn priors_from_outside_lead_the_search() {
        for (steps, threads) in [("", 1), ("steps = 'two'", 1), ("", 2)] {
            let mut settings = settings(30, "select = 'puct'");
            settings.search.first_play = Some(0.0);
            settings.threads = Count::new(threads);
            if !steps.is_empty() {
                settings.expansion.steps = Some(Steps::Two);
            }
            let setup = setup(6);
            let state = State::new(&setup);
            let actions = state.legal_actions(&setup);
            let mut agent = MctsAgent::new(settings, Estimator::Linear);
            // Also what the expansion leaves out, and advancing.
            for &wanted in actions.iter().step_by(actions.len() / 7) {
                agent.start(&setup, stream(&[1]));
                assert!(agent.set_priors(&state, &[(wanted, 3.0)]));
                assert_eq!(decide(&mut agent, &setup, &state).action, wanted);
            }
            // Those of one game are not those of the next.
            agent.start(&setup, stream(&[1]));
            let own = decide(&mut agent, &setup, &state);
            agent.start(&setup, stream(&[1]));
            agent.set_priors(&state, &[(Action::Advance, 1.0)]);
            agent.start(&setup, stream(&[1]));
            assert_eq!(decide(&mut agent, &setup, &state), own);
        }
        let settings = settings(30, "");
        let setup = setup(6);
        let mut agent = MctsAgent::new(settings, Estimator::Linear);
        agent.start(&setup, stream(&[1]));
        assert!(!agent.set_priors(&State::new(&setup), &[]), "without PUCT");
    }

    #[test]
    fn placements_of_a_patch_may_share_an_estimate() {
        let setup = setup(6);
        let position = TreePosition::from(State::new(&setup));
        // Whether the second placement of each patch weighs half as much as the first.
        let halved = |shared| {
            let mut settings = settings(40, "select = 'puct'");
            settings.expansion.strategy = "all/every/patterns".parse().expect("a strategy");
            settings.expansion.best = Count::new(2);
            settings.expansion.prior = Some(Prior {
                points: Some(4.0),
                shared: Some(shared),
                ..Prior::default()
            });
            let mut model = PatchworkModel::new(setup.clone(), settings, learned(), stream(&[1]));
            let mut actions = Vec::new();
            model.expand(&position, &mut actions);
            let mut patches = BTreeMap::<_, Vec<f32>>::new();
            for (step, weight) in actions {
                if let Step::Play(Action::Buy(patch, _)) = step {
                    patches.entry(patch.number()).or_default().push(weight);
                }
            }
            assert!(!patches.is_empty());
            patches
                .into_values()
                .map(|two| (two[1] / two[0] - 0.5).abs() < 1e-6)
                .collect::<Vec<_>>()
        };
        assert!(halved(true).into_iter().all(|half| half));
        assert!(halved(false).into_iter().any(|half| !half));
    }

    #[test]
    fn what_is_kept_from_earlier_games_does_not_change_decisions() {
        let settings = settings(40, "minimax = 0.2");
        let setups = [1, 1, 2, 1].map(setup);
        let mut kept = MctsAgent::new(settings.clone(), learned());
        for setup in &setups {
            let mut new = MctsAgent::new(settings.clone(), learned());
            let mut state = State::new(setup);
            new.start(setup, stream(&[3]));
            kept.start(setup, stream(&[3]));
            while !state.is_over() {
                let [decision, other] = [&mut new, &mut kept].map(|agent| {
                    let decision = decide(agent, setup, &state);
                    agent.observe(decision.action);
                    decision
                });
                assert_eq!(decision, other);
                state = state.try_play(setup, decision.action).expect("legal");
            }
        }
    }

    #[test]
    fn with_time_for_a_game_decided_choices_end_early() {
        let mut settings = settings(60, "");
        assert!(!settings.tree_search().early_stop);
        settings.budget = Budget::GameTime(Duration::from_millis(200));
        assert!(settings.tree_search().early_stop);
    }
}
