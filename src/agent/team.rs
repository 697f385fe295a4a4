//! One or several searches of the same position and what they decide together.

use std::thread;

use super::kinds::mcts::Steps;
use super::mcts::{MctsSpec, PatchworkModel, Position, Step};
use super::player::Decision;
use crate::game::{Action, Player, Setup, State};
use crate::placement::{Candidates, Problem, Scratch};
use crate::record::{Thought, TreeFacts};
use crate::search::{Budget, Candidate, Choice, Search, Stop};
use crate::util::rng::Rng;

/// Root parallelism: as many trees as threads, whose visits are added up (Cazenave and Jouandeau,
/// "On the parallelization of UCT", 2007). With iteration budgets what they decide does not depend
/// on when which thread runs.
pub struct Team {
    spec: MctsSpec,
    searches: Vec<Search<PatchworkModel>>,
}

/// Exploration of each further tree relative to the first: even where rollouts leave nothing to
/// chance, the trees are to differ.
const SPREAD: [f32; 4] = [1.0, 0.7, 1.4, 0.85];

impl Team {
    /// Searches for games on this setup.
    #[must_use]
    pub fn new(setup: &Setup, spec: MctsSpec, rng: Rng) -> Self {
        let searches = (0..spec.threads as usize).map(|i| {
            let mut settings = spec.search;
            settings.rule.exploration *= SPREAD[i % SPREAD.len()];
            // One tree alone cannot tell when their sum is decided.
            settings.early_stop &= spec.threads == 1;
            Search::new(
                PatchworkModel::new(setup.clone(), spec, stream_of(&rng, i)),
                settings,
            )
        });
        Self {
            spec,
            searches: searches.collect(),
        }
    }

    /// Forgets everything but keeps the memory: another game begins.
    pub fn restart(&mut self, setup: &Setup, rng: Rng) {
        for (i, search) in self.searches.iter_mut().enumerate() {
            search.clear();
            search.model = PatchworkModel::new(setup.clone(), self.spec, stream_of(&rng, i));
        }
    }

    /// Moves the root along an action that was played.
    pub fn advance(&mut self, action: Action) {
        for search in &mut self.searches {
            if let (Steps::Two, Action::Buy(patch, _)) = (self.spec.expansion.steps, action) {
                search.advance(Step::Pick(patch));
            }
            search.advance(Step::Play(action));
        }
    }

    /// Searches the position that the trees stand at and decides.
    ///
    /// # Panics
    /// When the position is over.
    pub fn decide(&mut self, state: &State, budget: Budget, stop: &Stop) -> Decision {
        let position = Position::from(*state);
        let choices = self.search(&position, budget, stop);
        let winner = self.winner();
        let iterations = choices.iter().map(|choice| choice.iterations).sum();
        let root = self.candidates(&[]);
        let mut best = best_of(&root).unwrap_or_else(|| candidate(choices[0]));
        if let Step::Pick(patch) = best.action {
            let placements = self.candidates(&[best.action]);
            best = match best_of(&placements) {
                Some(placement) if placement.visits > 0 => placement,
                // Nothing was tried below: as the expansion would.
                _ => {
                    let problem = Problem::patch(self.setup(), state, patch);
                    let mut rng = stream_of(self.searches[0].model.rng(), 0);
                    let strategy = &self.spec.expansion.strategy;
                    let placement = strategy.choose(&problem, &mut rng, &mut Scratch::default());
                    let placement = placement.unwrap_or_else(|| {
                        let quilt = state.quilt(state.mover());
                        Candidates::all(patch.patch().shape, quilt).nth(0)
                    });
                    Candidate {
                        action: Step::Play(Action::Buy(patch, placement)),
                        ..best
                    }
                }
            };
        }
        let Step::Play(action) = best.action else {
            unreachable!("below a picked patch are its placements");
        };
        let searched = iterations > 0;
        Decision {
            action,
            thought: Thought {
                iterations,
                value: (best.visits > 0).then_some(best.chance),
                proven: winner.map(|player| player == state.mover()),
                tree: searched.then(|| self.facts(&root, iterations)),
            },
        }
    }

    fn search(&mut self, position: &Position, budget: Budget, stop: &Stop) -> Vec<Choice<Step>> {
        let threads = self.searches.len() as u32;
        if let [search] = &mut self.searches[..] {
            return vec![search.decide(position, budget, stop)];
        }
        let (threads, budget_of): (u32, &(dyn Fn(u32) -> Budget + Sync)) = match budget.iterations()
        {
            None => (threads, &|_| budget),
            Some(count) => (threads.min(count), &move |i| {
                Budget::Iterations(count / threads + u32::from(i < count % threads))
            }),
        };
        thread::scope(|scope| {
            let searches = (0..threads).zip(&mut self.searches);
            let workers: Vec<_> = searches
                .map(|(i, search)| scope.spawn(move || search.decide(position, budget_of(i), stop)))
                .collect();
            let choices = workers.into_iter().map(|worker| match worker.join() {
                Ok(choice) => choice,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            choices.collect()
        })
    }

    /// What all trees together know of the actions of the position that is reached by these.
    #[must_use]
    pub fn candidates(&self, path: &[Step]) -> Vec<Candidate<Step>> {
        let mut all: Vec<Candidate<Step>> = Vec::new();
        for (i, search) in self.searches.iter().enumerate() {
            for (rank, more) in search.actions(path).enumerate() {
                // Nearly always the trees have the same actions in the same order.
                let same = |known: &Candidate<Step>| known.action == more.action;
                let known = match all.get(rank) {
                    _ if i == 0 => None,
                    Some(known) if same(known) => Some(rank),
                    _ => all.iter().position(same),
                };
                match known {
                    Some(known) => add(&mut all[known], &more),
                    None => all.push(more),
                }
            }
        }
        all
    }

    /// The actions that the trees would choose one after the other, as far as they go.
    #[must_use]
    pub fn line(&self) -> Vec<Action> {
        let steps = self.line_of_steps().into_iter();
        let actions = steps.filter_map(|step| match step.action {
            Step::Play(action) => Some(action),
            Step::Pick(_) => None,
        });
        actions.collect()
    }

    /// The same with what is known of each step, for the player who moves there.
    #[must_use]
    pub fn line_of_steps(&self) -> Vec<Candidate<Step>> {
        let (mut path, mut line) = (Vec::new(), Vec::new());
        while let Some(best) = best_of(&self.candidates(&path)).filter(|best| best.visits > 0) {
            path.push(best.action);
            line.push(best);
        }
        line
    }

    /// Who wins from the position that the trees stand at, once one of them has proven it.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.searches.iter().find_map(Search::winner)
    }

    /// What the trees are like.
    fn facts(&self, root: &[Candidate<Step>], iterations: u32) -> TreeFacts {
        let (plies, max_depth) = self.depths();
        TreeFacts {
            nodes: self.nodes() as u32,
            mean_depth: (plies as f64 / f64::from(iterations)) as f32,
            max_depth: max_depth as u16,
            entropy: entropy(root),
        }
    }

    /// Steps from the root to where the last decision's iterations left the trees: the sum over the
    /// iterations, and the most of any. Buying in two steps counts as two.
    #[must_use]
    pub fn depths(&self) -> (u64, usize) {
        let depths = self.searches.iter().map(Search::depths);
        depths.fold((0, 0), |sum, (steps, most)| {
            (sum.0 + steps, most.max(sum.1))
        })
    }

    /// Number of positions in all trees.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.searches.iter().map(Search::nodes).sum()
    }

    /// Number of actions in all trees, those included that have not been tried.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.searches.iter().map(Search::edges).sum()
    }

    /// Bytes of a position in the trees, beside those of its actions.
    #[must_use]
    pub fn node_bytes(&self) -> usize {
        self.searches[0].node_bytes()
    }

    /// Bytes of an action in the trees.
    #[must_use]
    pub fn edge_bytes(&self) -> usize {
        self.searches[0].edge_bytes()
    }

    fn setup(&self) -> &Setup {
        self.searches[0].model.setup()
    }
}

/// The stream of the search with this number: jumps of 2^128 numbers keep them apart.
fn stream_of(rng: &Rng, number: usize) -> Rng {
    let mut stream = rng.clone();
    for _ in 0..number {
        stream.jump();
    }
    stream
}

fn candidate(choice: Choice<Step>) -> Candidate<Step> {
    Candidate {
        action: choice.action,
        visits: 0,
        value: 0.0,
        chance: 0.0,
        prior: 1.0,
        proven: None,
    }
}

fn add(known: &mut Candidate<Step>, more: &Candidate<Step>) {
    let visits = known.visits + more.visits;
    if visits > 0 {
        let mean = |one: f32, other: f32| {
            let total = f64::from(one) * f64::from(known.visits)
                + f64::from(other) * f64::from(more.visits);
            (total / f64::from(visits)) as f32
        };
        (known.value, known.chance) = (
            mean(known.value, more.value),
            mean(known.chance, more.chance),
        );
    }
    known.visits = visits;
    known.proven = known.proven.or(more.proven);
}

/// The action that is proven to win, else the one with the most visits that is not proven to lose,
/// the first tried of equals.
fn best_of(candidates: &[Candidate<Step>]) -> Option<Candidate<Step>> {
    let key = |one: &Candidate<Step>| {
        let fate = match one.proven {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        };
        (fate, one.visits)
    };
    let mut best: Option<Candidate<Step>> = None;
    for &one in candidates {
        if best.is_none_or(|best| key(&one) > key(&best)) {
            best = Some(one);
        }
    }
    best
}

/// Entropy in bits of the shares of visits.
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
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::agent::{Agent as _, AgentFile, AgentSettings, Limit, MctsAgent};
    use crate::game::{Player, Track};
    use crate::util::rng::stream;

    fn spec(extra: &str, search: &str) -> MctsSpec {
        let text = format!(
            "type = 'mcts'\n{extra}\n[expansion]\nstrategy = 'bl-lb/every/regret'\n\
             best = 3\n[rollout]\npick = 'greedy'\nstrategy = 'in-order/some/first'\n[search]\n{search}\n"
        );
        let file = AgentFile::parse(Path::new("test.toml"), &text).expect("an agent");
        match file.config {
            AgentSettings::Mcts(settings) => settings.spec(),
            other => panic!("{other:?}"),
        }
    }

    /// The decisions of an agent against itself, with how long each took.
    fn play(spec: MctsSpec, seed: u64) -> Vec<(Player, Decision, Duration)> {
        let mut rng = stream(&[seed]);
        let setup = Setup::random(Track::Original, &mut rng);
        let mut agents = [MctsAgent::new(spec), MctsAgent::new(spec)];
        for agent in &mut agents {
            agent.start(&setup, rng.clone());
        }
        let mut state = State::new(&setup);
        let mut decisions = Vec::new();
        while !state.is_over() {
            let mover = state.mover();
            let start = Instant::now();
            let decision = agents[mover.index()].decide(&setup, &state, Limit::own(&Stop::new()));
            decisions.push((mover, decision, start.elapsed()));
            state = state.try_play(&setup, decision.action).expect("legal");
            for agent in &mut agents {
                agent.observe(decision.action);
            }
        }
        decisions
    }

    /// All kinds of searches, small enough for a test.
    const SEARCHES: [(&str, &str); 8] = [
        ("", ""),
        (
            "",
            "select = 'puct'\nfirst_play = 0.0\nvalue = 'margin'\nendgame = 50",
        ),
        ("", "select = 'ucb1-tuned'\nvalue = 'mix'"),
        ("", "minimax = 0.5\nwidening = { base = 2.0, power = 0.3 }"),
        ("", "rave = { over = 'patches', equivalence = 50 }"),
        (
            "",
            "rave = { over = 'placements', equivalence = 50 }\nsolver = false",
        ),
        ("", "early_stop = true\nnodes = 10000"),
        ("threads = 3", "exploration = 0.4"),
    ];

    #[test]
    fn games_are_legal_and_repeat_themselves() {
        for steps in [Steps::One, Steps::Two] {
            for (extra, search) in SEARCHES {
                let extra = format!("budget = {{ iterations = 60 }}\n{extra}");
                let mut spec = spec(&extra, search);
                spec.expansion.steps = steps;
                let decisions = |_| -> Vec<Decision> {
                    play(spec, 3)
                        .into_iter()
                        .map(|(_, decision, _)| decision)
                        .collect()
                };
                let (one, two) = (decisions(1), decisions(2));
                assert_eq!(one, two, "{extra} {search} {steps:?}");
                for decision in &one {
                    let thought = decision.thought;
                    assert!(
                        thought
                            .value
                            .is_none_or(|value| (0.0..=1.0).contains(&value))
                    );
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
    fn one_search_is_what_it_is_alone_and_more_add_up() {
        let one = spec("budget = { iterations = 500 }", "");
        let mut rng = stream(&[5]);
        let setup = Setup::random(Track::Original, &mut rng);
        let state = State::new(&setup);
        let position = Position::from(state);
        let budget = Budget::Iterations(500);
        let mut team = Team::new(&setup, one, rng.clone());
        let decision = team.decide(&state, budget, &Stop::new());
        let mut alone = Search::new(
            PatchworkModel::new(setup.clone(), one, rng.clone()),
            one.search,
        );
        let choice = alone.decide(&position, budget, &Stop::new());
        assert_eq!(Step::Play(decision.action), choice.action);
        assert_eq!(decision.thought.value, choice.value);

        let mut three = one;
        three.threads = 3;
        let mut team = Team::new(&setup, three, rng);
        let decision = team.decide(&state, budget, &Stop::new());
        assert_eq!(decision.thought.iterations, 500);
        let visits: u32 = team.candidates(&[]).iter().map(|one| one.visits).sum();
        assert_eq!(visits, 500);
    }

    #[test]
    fn time_for_a_move_is_kept() {
        let spec = spec("budget = { milliseconds = 4 }", "");
        let mut late: Vec<f64> = play(spec, 1)
            .iter()
            .map(|(_, _, took)| (took.as_secs_f64() - 0.004) * 1e3)
            .collect();
        late.sort_by(f64::total_cmp);
        // A busy machine does something else in many of the moves.
        let good = late[late.len() / 4];
        assert!(good < 5.0, "{good} ms late");
    }

    #[test]
    #[ignore = "needs an idle machine"]
    fn no_move_is_5_ms_late() {
        for milliseconds in [1, 10, 100] {
            let budget = format!("budget = {{ milliseconds = {milliseconds} }}");
            for search in ["", "nodes = 10000", "endgame = 200"] {
                let time = Duration::from_millis(milliseconds);
                let decisions = play(spec(&budget, search), milliseconds);
                let late = decisions
                    .iter()
                    .map(|(_, _, took)| took.saturating_sub(time));
                let worst = late.max().unwrap_or_default();
                println!("{milliseconds} ms, {search}: at most {worst:?} late");
                assert!(worst < Duration::from_millis(5), "{worst:?} late");
            }
        }
    }

    #[test]
    #[ignore = "needs an idle machine"]
    fn time_for_a_game_is_kept() {
        let time = Duration::from_millis(200);
        let spec = spec("budget = { milliseconds_per_game = 200 }", "");
        assert_eq!(spec.budget, Budget::GameTime(time));
        assert!(spec.search.early_stop);
        let decisions = play(spec, 2);
        for player in Player::BOTH {
            let own = decisions.iter().filter(|(mover, ..)| *mover == player);
            let total: Duration = own.map(|(_, _, took)| *took).sum();
            println!("{player}: {total:?} of {time:?}");
            assert!(total < time + Duration::from_millis(5), "{total:?}");
            assert!(total > time / 4, "{total:?}");
        }
    }
}
