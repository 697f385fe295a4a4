//! One or several searches of the same position and what they decide together.

use std::thread;

use super::Decision;
use super::mcts::{MctsSpec, PatchworkModel, Position, Step};
use crate::game::{Action, Player, Setup, State};
use crate::placement::{Candidates, Problem, Scratch};
use crate::record::{Thought, TreeFacts};
use crate::rng::Rng;
use crate::search::{Budget, Candidate, Choice, Search, Stop};

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
            if let (super::Steps::Two, Action::Buy(patch, _)) = (self.spec.expansion.steps, action)
            {
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
                value: (best.visits > 0).then(|| match best.proven {
                    None => best.value,
                    Some(true) => 1.0,
                    Some(false) => 0.0,
                }),
                proven: best.proven,
                tree: searched.then(|| self.facts(&root, iterations)),
            },
        }
    }

    fn search(&mut self, position: &Position, budget: Budget, stop: &Stop) -> Vec<Choice<Step>> {
        let threads = self.searches.len() as u32;
        if let [search] = &mut self.searches[..] {
            return vec![search.decide(position, budget, stop)];
        }
        let budget_of = |i: u32| match budget {
            Budget::Time(_) => budget,
            Budget::Iterations(count) => {
                Budget::Iterations((count / threads + u32::from(i < count % threads)).max(1))
            }
        };
        thread::scope(|scope| {
            let searches = (0..).zip(&mut self.searches);
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

    /// Bytes of an action in a tree.
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
        prior: 1.0,
        proven: None,
    }
}

fn add(known: &mut Candidate<Step>, more: &Candidate<Step>) {
    let visits = known.visits + more.visits;
    if visits > 0 {
        let total = f64::from(known.value) * f64::from(known.visits)
            + f64::from(more.value) * f64::from(more.visits);
        known.value = (total / f64::from(visits)) as f32;
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
