//! Tree searches of many positions, whose leaves a function in Python evaluates in batches.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2};
use patchwork_engine::game::{Action, PatchId, Placement, Setup, State};
use patchwork_engine::placement::{Problem, Remembered, Scratch, Strategy};
use patchwork_engine::search::{
    BatchedSearch, GameRules, Guidance, Leaf, Selected, Settings, Side, Value,
};
use patchwork_engine::util::rng::{Rng, stream};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::agents::{Considered, PyDecision, Working, check_interrupt};
use crate::convert::{Fits, seed, whole};
use crate::errors::{IllegalAction, guarded, raise, value_error};
use crate::game::{PyAction, PySetup, PyState, hash_of, observation_of, states};
use crate::observation::Rows;
use crate::positions::strategy;
use crate::space::{ACTIONS, PICKS, index_of_legal, pick_of_legal};

/// Adds the functions of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Trees>()?;
    module.add_function(wrap_pyfunction!(search_batch, module)?)
}

/// The game as the search sees it: with all actions, or with one placement of each patch.
struct Model {
    setup: Arc<Setup>,
    /// Places the patches; without it, all placements are searched.
    strategy: Option<Strategy>,
    rng: Rng,
    /// From this, the search draws at its root.
    draw: u64,
    /// Of all searches of a batch: what is known of a quilt holds in each of them.
    scratch: Arc<Mutex<Scratch>>,
    ranked: Vec<Placement>,
}

impl Model {
    /// The best placement by the strategy.
    fn place(&mut self, strategy: &Strategy, problem: &Problem<'_>) -> Option<Placement> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if strategy.evaluation().remembered == Remembered::Not || strategy.policy().is_exhaustive {
            return strategy.choose(problem, &mut self.rng, &mut scratch);
        }
        // Ranking remembers what scores are made of, and has the same placement first.
        self.ranked.clear();
        strategy.rank(problem, &mut self.rng, &mut scratch, 1, &mut self.ranked);
        self.ranked.first().copied()
    }
}

impl GameRules for Model {
    type Position = State;
    type Action = Action;

    fn is_over(&self, state: &State) -> bool {
        state.is_over()
    }

    fn mover(&self, state: &State) -> Side {
        state.mover().into()
    }

    fn play(&self, state: &mut State, action: Action) {
        state.play_unchecked(&self.setup, action);
    }
}

impl Guidance for Model {
    fn expand(&mut self, state: &State, actions: &mut Vec<(Action, f32)>) -> bool {
        let setup = Arc::clone(&self.setup);
        let Some(strategy) = self.strategy else {
            state.for_each_action(&setup, |action| actions.push((action, 0.0)));
            return true;
        };
        if state.specials_waiting() > 0 {
            let placement = self.place(&strategy, &Problem::special(&setup, state));
            let action = placement.map_or(Action::Advance, |one| Action::Special(one.anchor()));
            actions.push((action, 0.0));
            return false;
        }
        actions.push((Action::Advance, 0.0));
        let mut buy = |patch: PatchId| {
            let placement = self.place(&strategy, &Problem::patch(&setup, state, patch))?;
            Some((Action::Buy(patch, placement), 0.0))
        };
        actions.extend(state.affordable(&setup).filter_map(&mut buy));
        false
    }

    fn seed(&mut self) -> u64 {
        self.draw
    }

    fn evaluate(&mut self, state: &State) -> Leaf {
        Leaf::won_by(state.outcome_unchecked().winner.into())
    }
}

/// A position that is being evaluated, with the indices of its actions.
struct Asked {
    search: usize,
    state: State,
    indices: Vec<usize>,
}

/// Searches of several positions.
struct Searches {
    searches: Vec<BatchedSearch<Model>>,
    /// The budget of each; 1 where there is only one action.
    iterations: Vec<u32>,
    /// The most positions of one search in a batch.
    leaves: usize,
    /// The size of the action space.
    space: usize,
}

/// The arrays of a batch.
struct Batch {
    seen: Rows,
    mask: Vec<bool>,
    asked: Vec<Asked>,
}

impl Searches {
    fn index(&self, setup: &Setup, state: &State, action: Action) -> usize {
        if self.space == ACTIONS {
            index_of_legal(setup, state, action)
        } else {
            pick_of_legal(setup, state, action)
        }
    }

    /// The positions that must be evaluated now; none if all searches are done.
    fn gather(&mut self, states: &[PyState]) -> Batch {
        let mut asked = Vec::new();
        for (search, PyState { setup, .. }) in states.iter().enumerate() {
            for _ in 0..self.leaves {
                let Some(state) = self.searches[search].ask(self.iterations[search]) else {
                    break;
                };
                let actions = self.searches[search].asked();
                let indices = actions.map(|action| self.index(setup, &state, action));
                let indices: Vec<usize> = indices.collect();
                if let [_] = indices[..]
                    && state == *self.searches[search].root()
                {
                    self.iterations[search] = 1;
                }
                asked.push(Asked {
                    search,
                    state,
                    indices,
                });
            }
        }
        let mut batch = Batch {
            seen: Rows::default(),
            mask: vec![false; asked.len() * self.space],
            asked,
        };
        let masks = batch.mask.chunks_exact_mut(self.space);
        for (one, mask) in batch.asked.iter().zip(masks) {
            let setup = &states[one.search].setup;
            batch.seen.push(setup, &one.state, one.state.mover());
            one.indices.iter().for_each(|&index| mask[index] = true);
        }
        batch
    }

    /// Hands the evaluations to the searches, or none of them if one is wrong.
    fn answer(&mut self, asked: &[Asked], priors: &[f32], values: &[f32]) -> PyResult<()> {
        let rows = || {
            asked
                .iter()
                .zip(priors.chunks_exact(self.space))
                .zip(values)
        };
        for (row, ((one, priors), value)) in rows().enumerate() {
            if !(0.0..=1.0).contains(value) {
                return Err(raise::<PyValueError>(format!(
                    "values[{row}]: expected a number from 0 to 1, found {value}"
                )));
            }
            let wrong = |&&index: &&usize| !(priors[index] >= 0.0 && priors[index].is_finite());
            if let Some(&index) = one.indices.iter().find(wrong) {
                return Err(raise::<PyValueError>(format!(
                    "priors[{row}, {index}]: expected a finite number, 0 or more, found {}",
                    priors[index]
                )));
            }
        }
        for (one, (priors, value)) in asked
            .iter()
            .zip(priors.chunks_exact(self.space).zip(values))
        {
            let value = Value::for_side(one.state.mover().into(), f64::from(*value));
            let priors = one.indices.iter().map(|&index| priors[index]);
            self.searches[one.search].answer(value, priors);
        }
        Ok(())
    }

    /// The decision of a search; writes the visits of all actions. `seconds` is the time of all searches.
    fn decision(
        &self,
        search: usize,
        setup: &Setup,
        seconds: f64,
        visits: &mut [i32],
    ) -> PyDecision {
        let search = &self.searches[search];
        let state = search.root();
        let mover = state.mover().into();
        let best = search.best().expect("the root was searched").action;
        let mut candidates = search.tree().candidates(&[]);
        candidates.retain(|one| one.visits > 0);
        candidates.sort_by_key(|one| Reverse((one.action == best, one.visits)));
        for one in &candidates {
            visits[self.index(setup, state, one.action)] = one.visits as i32;
        }
        let considered = candidates.iter().map(|one| Considered {
            action: PyAction(one.action),
            visits: one.visits,
            value: one.chance,
        });
        PyDecision {
            action: PyAction(best),
            value: Some(search.value().seen_by(mover) as f32),
            iterations: candidates.iter().map(|one| one.visits).sum(),
            proven: search.tree().winner().map(|side| side == mover),
            considered: considered.collect(),
            line: vec![PyAction(best)],
            nodes: search.tree().size().nodes as u32,
            max_depth: search.tree().depth().max as u16,
            seconds,
        }
    }
}

/// The trees of the last `search_batch` that had it as ``trees``, for the next one.
///
/// A state goes on with the tree of a state in its history, the last one if there are several: what was found below it
/// counts in `Searches.visits`, in the values and in the numbers of iterations of the decisions, and the new iterations
/// come in addition. Other states begin new trees, and trees that no state goes on with are dropped. The function that
/// evaluates must be the same, and so must the strategy. ``len(trees)`` is the number of trees. After an exception in a
/// search, there are none.
///
/// Example:
///     >>> def evaluate(observation, mask):
///     ...     return mask.astype(float), np.full(len(mask), 0.5)
///     >>> trees, state, strategy = Trees(), State(Setup.random(1)), "bl-lb/every/regret"
///     >>> found = search_batch([state], evaluate, strategy=strategy, trees=trees)
///     >>> state = state.play(found.decisions[0].action)
///     >>> found = search_batch([state], evaluate, iterations=100, strategy=strategy, trees=trees)
///     >>> found.visits.sum().item() > 100, len(trees)
///     (True, 1)
#[pyclass(frozen, name = "Trees", module = "patchwork_arena")]
struct Trees(Mutex<Kept>);

/// What is kept of a batch.
#[derive(Default)]
struct Kept {
    strategy: Option<String>,
    scratch: Arc<Mutex<Scratch>>,
    trees: HashMap<PySetup, Vec<(PyState, BatchedSearch<Model>)>>,
}

#[pymethods]
impl Trees {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    fn __len__(&self) -> usize {
        self.kept().trees.values().map(Vec::len).sum()
    }
}

impl Trees {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// The search with which a state goes on, and the actions since its root.
    fn take(&mut self, state: &PyState) -> Option<(Vec<Action>, BatchedSearch<Model>)> {
        let trees = self.trees.get_mut(&PySetup(Arc::clone(&state.setup)))?;
        let since = trees.iter().enumerate();
        let since = since.filter_map(|(at, (root, _))| Some((state.since(root)?, at)));
        let (played, at) = since.min_by_key(|(played, _)| played.len())?;
        Some((played, trees.swap_remove(at).1))
    }
}

/// What the function in Python returns: priors and values.
type Evaluations<'py> = (PyReadonlyArray2<'py, f32>, PyReadonlyArray1<'py, f32>);

/// Decisions, and the visits of all actions.
type Found<'py> = (Vec<PyDecision>, Bound<'py, PyArray2<i32>>);

#[pyfunction(name = "_search_batch")]
fn search_batch<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    evaluate: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyAny>,
    exploration: Fits<f32>,
    strategy: Option<&str>,
    leaves: &Bound<'py, PyAny>,
    noise: Fits<(f64, f64)>,
    halving: Option<&Bound<'py, PyAny>>,
    temperatures: Vec<f64>,
    trees: Option<&Trees>,
    seed: &Bound<'py, PyAny>,
) -> PyResult<Found<'py>> {
    let start = Instant::now();
    let (states, exploration) = (self::states(states)?, exploration.0);
    let iterations = whole("iterations", iterations, 1, 1 << 20)? as u32;
    let leaves = whole("leaves", leaves, 1, 1 << 10)? as usize;
    if !(exploration.is_finite() && exploration >= 0.0) {
        return Err(raise::<PyValueError>(format!(
            "exploration: expected a finite number, 0 or more, found {exploration}"
        )));
    }
    if let Some(over) = states.iter().position(|one| one.state.is_over()) {
        let what = format!("states[{over}]: the game is over");
        return Err(raise::<IllegalAction>(what));
    }
    let seed = self::seed(seed)?;
    let placing = strategy;
    let strategy = placing.map(self::strategy).transpose()?;
    let (share, alpha) = noise.0;
    let halving = halving
        .map(|most| whole("halving", most, 1, 1000))
        .transpose()?;
    let allocation = match (share, halving) {
        (0.0, None) => Ok(Selected::default()),
        (0.0, Some(most)) => Selected::of("halving", &[("most", most as f64)]),
        (_, None) => Selected::of("noise", &[("share", share), ("alpha", alpha)]),
        (_, Some(_)) => {
            return Err(value_error(
                "noise and halving: expected one of them, found both",
            ));
        }
    };
    let settings = Settings {
        select: Selected::of("puct", &[]).expect("a rule of the crate"),
        exploration,
        first_play: Some(0.0),
        allocation: allocation.map_err(|why| value_error(format!("noise: {why}")))?,
        ..Settings::default()
    };
    if ![1, states.len()].contains(&temperatures.len()) {
        let (one, found) = (states.len(), temperatures.len());
        let what =
            format!("temperature: expected a number or {one}, one for each state, found {found}");
        return Err(value_error(what));
    }
    let settings: Vec<Settings> = (temperatures.iter().map(|&temperature| {
        let choice = match temperature {
            // The last actions of halving have equally many visits.
            0.0 if halving.is_some() => Selected::of("value", &[]),
            0.0 => Ok(Selected::default()),
            _ => Selected::of("temperature", &[("temperature", temperature)]),
        };
        let choice = choice.map_err(|why| value_error(format!("temperature: {why}")))?;
        let settings = Settings { choice, ..settings };
        settings.check().map(|()| settings).map_err(value_error)
    }))
    .collect::<PyResult<_>>()?;
    let mut kept = Kept::default();
    if let Some(trees) = trees {
        let mut trees = trees.kept();
        if !trees.trees.is_empty() && trees.strategy.as_deref() != placing {
            let had = trees.strategy.as_deref().unwrap_or("None");
            let what = format!("trees: expected the strategy with which they were made, {had}");
            return Err(value_error(what));
        }
        kept = mem::take(&mut *trees);
    }
    let searches = (0..).zip(&states).map(|(number, one): (u64, &PyState)| {
        let settings = settings[number as usize % settings.len()];
        let (draw, rng) = (
            hash_of(&(seed, hash_of(&one.state))),
            stream(&[seed, number]),
        );
        if let Some((played, mut search)) = kept.take(one) {
            let went_on = search.go_on(&played, settings, |model| {
                (model.draw, model.rng) = (draw, rng)
            });
            return went_on.map(|()| search);
        }
        let model = Model {
            setup: Arc::clone(&one.setup),
            strategy,
            rng,
            draw,
            scratch: Arc::clone(&kept.scratch),
            ranked: Vec::new(),
        };
        BatchedSearch::new(model, settings, one.state)
    });
    let mut all = Searches {
        searches: (searches.collect::<Result<_, _>>()).map_err(value_error)?,
        iterations: vec![iterations; states.len()],
        leaves,
        space: if strategy.is_some() { PICKS } else { ACTIONS },
    };
    for (search, iterations) in all.searches.iter().zip(&mut all.iterations) {
        if search.tree().candidates(&[]).len() == 1 {
            *iterations = 1;
        }
    }
    let (space, _working) = (all.space, Working::new());
    loop {
        check_interrupt(py)?;
        let batch = py.detach(|| guarded(|| all.gather(&states)))?;
        let rows = batch.asked.len();
        if rows == 0 {
            break;
        }
        let mask = PyArray1::from_vec(py, batch.mask).reshape([rows, space])?;
        let observation = observation_of(py, batch.seen.arrays(py)?)?;
        let (priors, values): Evaluations<'_> = evaluate.call1((observation, mask))?.extract()?;
        let (priors, values) = (priors.as_slice()?, values.as_slice()?);
        py.detach(|| guarded(|| all.answer(&batch.asked, priors, values)))??;
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut visits = vec![0; states.len() * space];
    let rows = states.iter().zip(visits.chunks_exact_mut(space));
    let decisions = rows
        .enumerate()
        .map(|(number, (one, visits))| all.decision(number, &one.setup, seconds, visits));
    let decisions = decisions.collect();
    if let Some(trees) = trees {
        kept.strategy = placing.map(str::to_owned);
        kept.trees.clear();
        for (state, search) in states.iter().zip(all.searches) {
            let setup = PySetup(Arc::clone(&state.setup));
            let trees = kept.trees.entry(setup).or_default();
            trees.push((state.clone(), search));
        }
        *trees.kept() = kept;
    }
    let visits = PyArray1::from_vec(py, visits).reshape([states.len(), space])?;
    Ok((decisions, visits))
}
