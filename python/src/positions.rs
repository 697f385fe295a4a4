//! What the engine computes of positions, one by one and in batches: rollouts, placements, evaluations, estimates.

use std::path::Path;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _};
use patchwork_engine::agent::{Estimator, EvaluationSpec, Rollout, RolloutPlayer, win_chance};
use patchwork_engine::game::{Action, PatchId, Placement, Player, Setup, State};
use patchwork_engine::placement::{
    Alternatives, Candidates, EVALUATIONS, POLICIES, Problem, Scratch, Strategy, Transforms,
};
use patchwork_engine::util::config::from_table;
use patchwork_engine::util::rng::{Rng, stream};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::agents::{Working, check_interrupt};
use crate::convert::{Fits, seed, whole};
use crate::errors::{IllegalAction, guarded, raise, value_error};
use crate::game::{PyAction, PyState, states};
use crate::space::{PICKS, pick_of_legal};

/// Adds the functions of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rollouts, module)?)?;
    module.add_function(wrap_pyfunction!(rank_placements, module)?)?;
    module.add_function(wrap_pyfunction!(picks_of, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate_placements, module)?)?;
    module.add_function(wrap_pyfunction!(estimates, module)?)?;
    module.add("POLICIES", POLICIES.map(|policy| policy.name))?;
    module.add("TRANSFORMS", Transforms::ALL.map(Transforms::name))?;
    module.add("EVALUATIONS", EVALUATIONS.map(|evaluation| evaluation.name))
}

/// The work of a batch between two looks at Ctrl-C, in positions or games.
const SLICE: usize = 1024;

/// Works on slices of a batch with Python detached, and looks at Ctrl-C between them.
fn in_slices<R: Send>(
    py: Python<'_>,
    count: usize,
    mut work: impl FnMut(usize) -> R + Send,
) -> PyResult<Vec<R>> {
    let (mut results, _working) = (Vec::new(), Working::new());
    let reserved = results.try_reserve_exact(count);
    reserved.map_err(|_| raise::<PyMemoryError>(format!("no memory for {count} results")))?;
    while results.len() < count {
        check_interrupt(py)?;
        let slice = results.len()..count.min(results.len() + SLICE);
        py.detach(|| guarded(|| results.extend(slice.map(&mut work))))?;
    }
    Ok(results)
}

pub(crate) fn strategy(text: &str) -> PyResult<Strategy> {
    text.parse().map_err(value_error)
}

/// The player of rollouts with these settings, which have the names and ranges of agents' files.
fn rollout_player(
    pick: &str,
    strategy: &str,
    epsilon: Option<f64>,
    temperature: Option<f64>,
) -> PyResult<RolloutPlayer> {
    let texts = [("pick", pick), ("strategy", strategy)];
    let texts = texts.map(|(key, text)| (key, Some(toml::Value::from(text))));
    let numbers = [("epsilon", epsilon), ("temperature", temperature)];
    let numbers = numbers.map(|(key, number)| (key, number.map(toml::Value::from)));
    let keys = texts.into_iter().chain(numbers);
    let table = keys.filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let rollout: Rollout =
        from_table(Path::new("rollout"), table.collect()).map_err(value_error)?;
    let checked = rollout.check_keys().and_then(|()| rollout.check_pick());
    checked.map_err(value_error)?;
    Ok(rollout.player())
}

/// Scores and winners of rollouts.
type Rollouts<'py> = (Bound<'py, PyArray3<i16>>, Bound<'py, PyArray2<u8>>);

#[pyfunction]
#[pyo3(name = "_rollouts")]
#[pyo3(signature = (states, count, pick, strategy, epsilon, temperature, seed))]
fn rollouts<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    count: &Bound<'py, PyAny>,
    pick: &str,
    strategy: &str,
    epsilon: Fits<Option<f64>>,
    temperature: Fits<Option<f64>>,
    seed: &Bound<'py, PyAny>,
) -> PyResult<Rollouts<'py>> {
    let count = whole("count", count, 1, 1 << 30)? as usize;
    let player = rollout_player(pick, strategy, epsilon.0, temperature.0)?;
    let (states, seed) = (self::states(states)?, self::seed(seed)?);
    let mut scratch = Scratch::default();
    let Some(games) = states.len().checked_mul(count) else {
        return Err(raise::<PyMemoryError>(format!(
            "no memory for {count} results of each state"
        )));
    };
    let ends = in_slices(py, games, |game| {
        let (index, number) = (game / count, game % count);
        let PyState { setup, state, .. } = &states[index];
        let mut rng = stream(&[seed, index as u64, number as u64]);
        player
            .play_out(setup, *state, &mut rng, &mut scratch)
            .outcome_unchecked()
    })?;
    let scores: Vec<i16> = ends.iter().flat_map(|end| end.scores).collect();
    let winners: Vec<u8> = ends.iter().map(|end| end.winner.index() as u8).collect();
    Ok((
        PyArray1::from_vec(py, scores).reshape([states.len(), count, 2])?,
        PyArray1::from_vec(py, winners).reshape([states.len(), count])?,
    ))
}

/// What is to be placed: a patch, or `None` for a special patch.
fn to_place(state: &PyState, patch: Option<&Bound<'_, PyAny>>) -> PyResult<Option<PatchId>> {
    let illegal = |why: String| Err(raise::<IllegalAction>(why));
    let position = &state.state;
    if position.is_over() {
        return illegal("the game is over".to_owned());
    }
    let Some(patch) = patch else {
        if position.specials_waiting() == 0 {
            return illegal(
                "no special patch waits to be placed; expected the number of a patch".to_owned(),
            );
        }
        return Ok(None);
    };
    let patch = PatchId::new(whole("patch", patch, 1, 33)? as u8).expect("1 to 33");
    let mut offers = position.offers();
    if !offers.any(|place| state.setup.patch_at(place) == patch) {
        return illegal(format!("patch {patch} is not on offer"));
    }
    Ok(Some(patch))
}

fn problem<'a>(setup: &'a Setup, state: &'a State, patch: Option<PatchId>) -> Problem<'a> {
    match patch {
        Some(patch) => Problem::patch(setup, state, patch),
        None => Problem::special(setup, state),
    }
}

fn action(patch: Option<PatchId>, placement: Placement) -> Action {
    match patch {
        Some(patch) => Action::Buy(patch, placement),
        None => Action::Special(placement.anchor()),
    }
}

/// The action of each index of the space of picks; none where there is none, or the game is over.
pub(crate) type Picks = [Option<Action>; PICKS];

/// The picks of a position, in which a strategy places the patches.
pub(crate) fn picks(
    setup: &Setup,
    state: &State,
    strategy: Strategy,
    rng: &mut Rng,
    scratch: &mut Scratch,
) -> Picks {
    let mut picks = Picks::default();
    let mut best = |patch: Option<PatchId>| {
        let placement = strategy.choose(&problem(setup, state, patch), rng, scratch)?;
        Some(action(patch, placement))
    };
    if state.is_over() {
        return picks;
    }
    if state.specials_waiting() > 0 {
        picks[0] = best(None);
        return picks;
    }
    picks[0] = Some(Action::Advance);
    for patch in state.affordable(setup) {
        let buy = best(Some(patch));
        if let Some(buy) = buy {
            picks[pick_of_legal(setup, state, buy)] = Some(buy);
        }
    }
    picks
}

/// The actions of the picks of a state: a strategy places the patches.
///
/// Args:
///     state: The position.
///     strategy: ``POLICY/TRANSFORMS/EVALUATION``.
///     seed: For evaluations that choose at random.
///
/// Raises:
///     ValueError: No strategy has this name.
///
/// Example:
///     >>> state = State(Setup.random(seed=1))
///     >>> go_on, *buys = picks(state)
///     >>> go_on, [buy is not None for buy in buys]
///     (Action('A'), [True, True, False])
#[pyfunction]
#[pyo3(
    name = "picks",
    signature = (state, strategy = "bl-lb/every/regret", *, seed = None),
    text_signature = "(state, strategy='bl-lb/every/regret', *, seed=1)"
)]
fn picks_of(
    state: &PyState,
    strategy: &str,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Option<PyAction>>> {
    let strategy = self::strategy(strategy)?;
    let mut rng = stream(&[seed.map_or(Ok(1), self::seed)?]);
    let PyState { setup, state, .. } = state;
    let picks = guarded(|| picks(setup, state, strategy, &mut rng, &mut Scratch::default()))?;
    Ok(picks.map(|pick| pick.map(PyAction)).to_vec())
}

/// The placements that a strategy generates, best first.
///
/// Args:
///     state: The position.
///     patch: The number of a patch on offer, whether or not the mover can pay for it; ``None`` for a special patch
///         that waits.
///     strategy: ``POLICY/TRANSFORMS/EVALUATION``.
///     seed: For evaluations that choose at random.
///
/// Raises:
///     IllegalAction: The patch is not on offer.
///     ValueError: No strategy has this name.
///
/// Example:
///     >>> state = State(Setup.random(seed=1))
///     >>> rank_placements(state, state.offers[0])[0].patch == state.offers[0]
///     True
#[pyfunction]
#[pyo3(
    signature = (state, patch, strategy = "bl-lb/every/regret", *, seed = None),
    text_signature = "(state, patch, strategy='bl-lb/every/regret', *, seed=1)"
)]
fn rank_placements(
    state: &PyState,
    patch: Option<&Bound<'_, PyAny>>,
    strategy: &str,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyAction>> {
    let (strategy, patch) = (self::strategy(strategy)?, to_place(state, patch)?);
    let mut rng = stream(&[seed.map_or(Ok(1), self::seed)?]);
    let problem = problem(&state.setup, &state.state, patch);
    let mut out = Vec::new();
    guarded(|| {
        strategy.rank(
            &problem,
            &mut rng,
            &mut Scratch::default(),
            usize::MAX,
            &mut out,
        )
    })?;
    Ok(out
        .into_iter()
        .map(|placement| PyAction(action(patch, placement)))
        .collect())
}

/// The placements that a policy generates and their scores; the lowest score is best.
///
/// Raises:
///     IllegalAction: The patch is not on offer.
///     ValueError: No policy or evaluation has this name.
///
/// Example:
///     >>> state = State(Setup.random(seed=1))
///     >>> actions, scores = evaluate_placements(state, state.offers[0])
///     >>> actions[scores.argmin()] == rank_placements(state, state.offers[0], "all/every/regret")[0]
///     True
#[pyfunction]
#[pyo3(
    signature = (state, patch, evaluation = "regret", *, policy = "all", seed = None),
    text_signature = "(state, patch, evaluation='regret', *, policy='all', seed=1)"
)]
fn evaluate_placements<'py>(
    py: Python<'py>,
    state: &PyState,
    patch: Option<&Bound<'py, PyAny>>,
    evaluation: &str,
    policy: &str,
    seed: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Vec<PyAction>, Bound<'py, PyArray1<i32>>)> {
    let strategy = self::strategy(&format!("{policy}/every/{evaluation}"))?;
    let patch = to_place(state, patch)?;
    let mut rng = stream(&[seed.map_or(Ok(1), self::seed)?]);
    let problem = problem(&state.setup, &state.state, patch);
    let candidates = Candidates::all(problem.shape(), problem.quilt());
    let mut scores = Vec::new();
    let mut alternatives = Alternatives::default();
    guarded(|| {
        if candidates.is_empty() {
            return;
        }
        strategy.generate(&problem, &candidates, &mut alternatives);
        alternatives.drop_repeated();
        scores.resize(alternatives.as_slice().len(), 0);
        let score = strategy.evaluation().score;
        score(&problem, alternatives.as_slice(), &mut rng, &mut scores);
    })?;
    let placements = alternatives.as_slice().iter();
    let actions = placements
        .map(|&placement| PyAction(action(patch, placement)))
        .collect();
    Ok((actions, PyArray1::from_vec(py, scores)))
}

/// Margins and chances to win.
type Estimates<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<f32>>);

#[pyfunction]
#[pyo3(name = "_estimates")]
fn estimates<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    source: &str,
) -> PyResult<Estimates<'py>> {
    let states = self::states(states)?;
    let source = match source {
        "linear" => EvaluationSpec::LINEAR,
        "learned" => EvaluationSpec::file(source),
        path if Path::new(path).is_file() => EvaluationSpec::file(path),
        path => {
            return Err(raise::<PyValueError>(format!(
                "estimate: expected linear, learned or the path of a network, found '{path}'"
            )));
        }
    };
    let mut estimator: Estimator = source.estimator().map_err(value_error)?;
    let found = in_slices(py, states.len(), |index| {
        let PyState { setup, state, .. } = &states[index];
        let margin = estimator.margin(setup, state);
        let chance = win_chance(margin, state);
        let mine = state.is_over() || state.mover() == Player::First;
        if mine {
            (margin, chance)
        } else {
            (-margin, 1.0 - chance)
        }
    })?;
    let (margins, chances) = found.into_iter().unzip();
    Ok((
        PyArray1::from_vec(py, margins),
        PyArray1::from_vec(py, chances),
    ))
}
