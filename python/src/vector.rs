//! Many games that are stepped together, without Python for each of them.

use std::sync::Arc;

use numpy::{
    PyArray1, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray1, PyUntypedArrayMethods as _,
};
use patchwork_engine::game::{Action, Player, Rules, Setup, State};
use patchwork_engine::util::rng::{Rng, stream};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{seed, whole};
use crate::errors::{IllegalAction, guarded};
use crate::game::{PySetup, numbered, track};
use crate::observation::{Observation, PLANE_BYTES, PLANES, RING, SCALARS, observe};
use crate::space::{ACTIONS, action_of, index_of_legal, write_mask};

/// Adds the classes of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Games>()
}

/// The purpose of the random stream of actions; setups have the streams of a seed and a number.
const ACTION_STREAM: u64 = u64::MAX;

/// The most games that are stepped together.
const MOST_GAMES: u64 = 1 << 20;

/// A game of the batch.
struct Game {
    setup: Setup,
    state: State,
}

/// The arrays that every step overwrites. The first dimension is the game.
struct Arrays {
    planes: Py<PyArray4<u8>>,
    scalars: Py<PyArray2<f32>>,
    ring: Py<PyArray2<u8>>,
    mask: Py<PyArray2<bool>>,
    movers: Py<PyArray1<u8>>,
    rewards: Py<PyArray2<f32>>,
    scores: Py<PyArray2<i16>>,
    over: Py<PyArray1<bool>>,
}

/// A batch of games. A game that ends is replaced by the next one in the sequence of the seed.
#[pyclass(module = "patchwork_arena._native")]
struct Games {
    seed: u64,
    rules: Rules,
    games: Vec<Game>,
    /// The states after the actions of a step, until all actions are known to be legal.
    next: Vec<State>,
    /// The number of the next setup.
    number: u64,
    rng: Rng,
    arrays: Arrays,
}

#[pymethods]
impl Games {
    #[new]
    fn new(
        py: Python<'_>,
        count: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        track: &str,
    ) -> PyResult<Self> {
        let count = whole("games", count, 1, MOST_GAMES)? as usize;
        let arrays = Arrays {
            planes: PyArray4::zeros(py, [count, PLANES, 9, 9], false).unbind(),
            scalars: PyArray2::zeros(py, [count, SCALARS.len()], false).unbind(),
            ring: PyArray2::zeros(py, [count, RING], false).unbind(),
            mask: PyArray2::zeros(py, [count, ACTIONS], false).unbind(),
            movers: PyArray1::zeros(py, [count], false).unbind(),
            rewards: PyArray2::zeros(py, [count, 2], false).unbind(),
            scores: PyArray2::zeros(py, [count, 2], false).unbind(),
            over: PyArray1::zeros(py, [count], false).unbind(),
        };
        let mut games = Self {
            seed: self::seed(seed)?,
            rules: self::track(track)?,
            games: Vec::with_capacity(count),
            next: Vec::with_capacity(count),
            number: 0,
            rng: stream(&[]),
            arrays,
        };
        games.start(count);
        games.write(py)?;
        Ok(games)
    }

    /// Starts all games again, with another seed if one is given.
    fn reset(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.seed = self::seed(seed)?;
        }
        self.start(self.games.len());
        self.arrays
            .rewards
            .bind(py)
            .readwrite()
            .as_slice_mut()?
            .fill(0.0);
        self.arrays
            .scores
            .bind(py)
            .readwrite()
            .as_slice_mut()?
            .fill(0);
        self.arrays
            .over
            .bind(py)
            .readwrite()
            .as_slice_mut()?
            .fill(false);
        self.write(py)
    }

    /// Plays an action in each game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = read_actions(actions, self.games.len())?;
        guarded(|| self.play(actions.as_slice()?))??;
        self.finish(py)?;
        self.write(py)
    }

    /// A uniformly random legal action of each game, as an index.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let rng = &mut self.rng;
        let games = self.games.iter();
        let actions = games.map(|Game { setup, state }| {
            let action = state.random_action(setup, rng);
            index_of_legal(setup, state, action) as i64
        });
        let actions: Vec<i64> = guarded(|| actions.collect())?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// The setups of the games.
    fn setups(&self) -> Vec<PySetup> {
        self.games
            .iter()
            .map(|game| PySetup(Arc::new(game.setup.clone())))
            .collect()
    }

    #[getter]
    fn planes(&self, py: Python<'_>) -> Py<PyArray4<u8>> {
        self.arrays.planes.clone_ref(py)
    }

    #[getter]
    fn scalars(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.arrays.scalars.clone_ref(py)
    }

    #[getter]
    fn ring(&self, py: Python<'_>) -> Py<PyArray2<u8>> {
        self.arrays.ring.clone_ref(py)
    }

    #[getter]
    fn action_mask(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.arrays.mask.clone_ref(py)
    }

    #[getter]
    fn movers(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.arrays.movers.clone_ref(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.arrays.rewards.clone_ref(py)
    }

    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyArray2<i16>> {
        self.arrays.scores.clone_ref(py)
    }

    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.over.clone_ref(py)
    }
}

/// The actions of a step, as indices.
fn read_actions<'py>(
    actions: &Bound<'py, PyAny>,
    games: usize,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let Ok(array) = actions.cast::<PyArray1<i64>>() else {
        return Err(PyTypeError::new_err(
            "actions: expected a one-dimensional array of int64",
        ));
    };
    if array.len() != games {
        return Err(PyValueError::new_err(format!(
            "actions: expected shape ({games},), one action for each game, found ({},)",
            array.len()
        )));
    }
    Ok(array.readonly())
}

impl Games {
    fn start(&mut self, count: usize) {
        self.rng = stream(&[self.seed, ACTION_STREAM]);
        self.number = 0;
        self.games.clear();
        for _ in 0..count {
            let game = self.next_game();
            self.games.push(game);
        }
    }

    fn next_game(&mut self) -> Game {
        let setup = numbered(self.seed, self.number, self.rules);
        self.number += 1;
        Game {
            state: State::new(&setup),
            setup,
        }
    }

    /// Plays the actions, or none of them if one is illegal.
    fn play(&mut self, actions: &[i64]) -> PyResult<()> {
        self.next.clear();
        for (number, (Game { setup, state }, &index)) in self.games.iter().zip(actions).enumerate()
        {
            let next = read_action(setup, state, index)
                .and_then(|action| state.try_play(setup, action).map_err(|why| why.to_string()));
            match next {
                Ok(next) => self.next.push(next),
                Err(why) => {
                    let what = format!("game {number}: action {index}: {why}");
                    return Err(IllegalAction::new_err(what));
                }
            }
        }
        for (game, next) in self.games.iter_mut().zip(&self.next) {
            game.state = *next;
        }
        Ok(())
    }

    /// Writes the results of the games that ended and starts the next ones.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let (mut rewards, mut scores, mut over) = (
            self.arrays.rewards.bind(py).readwrite(),
            self.arrays.scores.bind(py).readwrite(),
            self.arrays.over.bind(py).readwrite(),
        );
        let (rewards, scores) = (rewards.as_slice_mut()?, scores.as_slice_mut()?);
        let over = over.as_slice_mut()?;
        rewards.fill(0.0);
        scores.fill(0);
        let (results, _) = rewards.as_chunks_mut::<2>();
        let (points, _) = scores.as_chunks_mut::<2>();
        for (game, ((reward, points), over)) in results.iter_mut().zip(points).zip(over).enumerate()
        {
            let outcome = self.games[game].state.outcome();
            *over = outcome.is_some();
            if let Some(outcome) = outcome {
                *reward = Player::BOTH.map(|seat| if outcome.winner == seat { 1.0 } else { -1.0 });
                *points = outcome.scores;
                self.games[game] = self.next_game();
            }
        }
        Ok(())
    }

    /// Writes the observations, the masks and the players to move.
    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        let (mut planes, mut scalars, mut ring, mut mask, mut movers) = (
            self.arrays.planes.bind(py).readwrite(),
            self.arrays.scalars.bind(py).readwrite(),
            self.arrays.ring.bind(py).readwrite(),
            self.arrays.mask.bind(py).readwrite(),
            self.arrays.movers.bind(py).readwrite(),
        );
        let planes = planes.as_slice_mut()?.chunks_exact_mut(PLANE_BYTES);
        let scalars = scalars.as_slice_mut()?.chunks_exact_mut(SCALARS.len());
        let ring = ring.as_slice_mut()?.chunks_exact_mut(RING);
        let masks = mask.as_slice_mut()?.chunks_exact_mut(ACTIONS);
        let movers = movers.as_slice_mut()?.iter_mut();
        let outs = planes.zip(scalars).zip(ring).zip(masks).zip(movers);
        for (Game { setup, state }, ((((planes, scalars), ring), mask), mover)) in
            self.games.iter().zip(outs)
        {
            let player = state.mover();
            *mover = player.index() as u8;
            observe(
                setup,
                state,
                player,
                Observation {
                    planes,
                    scalars,
                    ring,
                },
            );
            write_mask(setup, state, mask);
        }
        Ok(())
    }
}

fn read_action(setup: &Setup, state: &State, index: i64) -> Result<Action, String> {
    action_of(setup, state, usize::try_from(index).unwrap_or(usize::MAX))
}
