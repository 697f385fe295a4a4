//! Tree searches of many positions, whose leaves a function in Python evaluates in batches.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
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
use crate::game::{PyAction, PyState, hash_of, observation_of, states};
use crate::observation::Rows;
use crate::positions::strategy;
use crate::space::{ACTIONS, PICKS, index_of_legal, pick_of_legal};

/// Adds the functions of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
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
        let mut candidates = search.candidates();
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
            proven: search.winner().map(|side| side == mover),
            considered: considered.collect(),
            line: vec![PyAction(best)],
            nodes: search.nodes() as u32,
            max_depth: search.depth().max as u16,
            seconds,
        }
    }
}

/// What the function in Python returns: priors and values.
type Evaluations<'py> = (PyReadonlyArray2<'py, f32>, PyReadonlyArray1<'py, f32>);

/// Decisions, and the visits of all actions.
type Found<'py> = (Vec<PyDecision>, Bound<'py, PyArray2<i32>>);

#[pyfunction(name = "_search_batch")]
#[expect(
    clippy::too_many_arguments,
    reason = "the arguments of a Python function with names"
)]
fn search_batch<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    evaluate: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyAny>,
    exploration: Fits<f32>,
    strategy: Option<&str>,
    leaves: &Bound<'py, PyAny>,
    noise: Fits<(f64, f64)>,
    temperatures: Vec<f64>,
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
    let strategy = strategy.map(self::strategy).transpose()?;
    let (share, alpha) = noise.0;
    let allocation = match share {
        0.0 => Ok(Selected::default()),
        _ => Selected::of("noise", &[("share", share), ("alpha", alpha)]),
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
            0.0 => Ok(Selected::default()),
            _ => Selected::of("temperature", &[("temperature", temperature)]),
        };
        let choice = choice.map_err(|why| value_error(format!("temperature: {why}")))?;
        Ok(Settings { choice, ..settings })
    }))
    .collect::<PyResult<_>>()?;
    let scratch = Arc::new(Mutex::new(Scratch::default()));
    let searches = (0..).zip(&states).map(|(number, one): (u64, &PyState)| {
        let model = Model {
            setup: Arc::clone(&one.setup),
            strategy,
            rng: stream(&[seed, number]),
            draw: hash_of(&(seed, hash_of(&one.state))),
            scratch: Arc::clone(&scratch),
            ranked: Vec::new(),
        };
        let settings = settings[number as usize % settings.len()];
        BatchedSearch::new(model, settings, one.state)
    });
    let mut all = Searches {
        searches: searches.collect(),
        iterations: vec![iterations; states.len()],
        leaves,
        space: if strategy.is_some() { PICKS } else { ACTIONS },
    };
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
    let visits = PyArray1::from_vec(py, visits).reshape([states.len(), space])?;
    Ok((decisions, visits))
}
