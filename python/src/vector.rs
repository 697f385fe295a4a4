//! Many games that are stepped together, without Python for each of them.
//!
//! Everything that can fail comes first: the arrays are looked at, the actions, the replies of the opponent and the next games
//! are computed. What follows only stores them, so that an exception leaves all games as they were.

use std::sync::Arc;

use numpy::{
    PyArray1, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray1, PyReadwriteArray,
    PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4, PyUntypedArrayMethods as _,
};
use patchwork_engine::game::{Action, Player, Rules, Setup, State};
use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::search::Budget;
use patchwork_engine::util::rng::{below, stream};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::agents::{PyAgent, check_interrupt};
use crate::convert::{seat, seed, whole};
use crate::errors::{AgentFault, IllegalAction, guarded, raise};
use crate::game::{PySetup, PyState, numbered, track};
use crate::observation::{Observation, PLANE_BYTES, RING, SCALARS, observe};
use crate::positions::{Picks, picks, strategy};
use crate::space::{ACTIONS, PICKS, action_of, index_of_legal, write_mask};

/// Adds the classes of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Games>()
}

/// The purposes of random streams; setups have the streams of a seed and a number.
const ACTION_STREAM: u64 = u64::MAX;
const OPPONENT_STREAM: u64 = u64::MAX - 1;
const PICK_STREAM: u64 = u64::MAX - 2;

/// The most games that are stepped together.
const MOST_GAMES: u64 = 1 << 20;

/// A game of the batch.
struct Game {
    /// Its number in the sequence of the seed.
    number: u64,
    setup: Arc<Setup>,
    state: State,
    actions: Vec<Action>,
    /// The seat of the player who is stepped, if there is an opponent.
    seat: Option<Player>,
    /// Who acted last in a step.
    last: Player,
    /// The actions of the space of picks, with a strategy.
    picks: Picks,
}

impl Game {
    /// The player from whose point of view it is observed.
    fn viewer(&self) -> Player {
        let turn = if self.state.is_over() {
            self.last
        } else {
            self.state.mover()
        };
        self.seat.unwrap_or(turn)
    }

    fn state(&self) -> PyResult<PyState> {
        let start = PyState::start(Arc::clone(&self.setup));
        let mut actions = self.actions.iter();
        actions.try_fold(start, |state, &action| state.after(action))
    }
}

/// A game after a step. Its actions are those of all games up to the end of its own.
struct Next {
    state: State,
    actions: usize,
    picks: Picks,
}

/// What happens to a game that is over.
#[derive(Clone, Copy, PartialEq)]
enum Autoreset {
    NextStep,
    SameStep,
    Disabled,
}

/// The agent that replies, its budget, and the seat of the player who is stepped.
struct Opponent {
    agent: Py<PyAgent>,
    budget: Option<Budget>,
    seat: Option<Player>,
}

/// What games need to go on.
struct Table {
    seed: u64,
    rules: Rules,
    opponent: Option<Opponent>,
    placing: Option<Strategy>,
    scratch: Scratch,
}

impl Table {
    /// A game, as far as the player who is stepped is to move.
    fn seat(&mut self, py: Python<'_>, number: u64, start: &PyState) -> PyResult<Game> {
        let mut actions = start.actions();
        let mut state = start.state;
        let seat = self.opponent.as_ref().map(|opponent| {
            let turn = Player::BOTH[(number % 2) as usize];
            opponent.seat.unwrap_or(turn)
        });
        let past = (&[][..], 0);
        self.reply(
            py,
            number,
            &start.setup,
            seat,
            &mut state,
            past,
            &mut actions,
        )?;
        Ok(Game {
            picks: self.picks(number, &start.setup, &state, actions.len()),
            number,
            setup: Arc::clone(&start.setup),
            state,
            actions,
            seat,
            last: start.last_mover(),
        })
    }

    /// The game of a number, from the start.
    fn start(&mut self, py: Python<'_>, number: u64) -> PyResult<Game> {
        let setup = numbered(self.seed, number, self.rules);
        self.seat(py, number, &PyState::start(Arc::new(setup)))
    }

    /// Plays for the opponent until the other player is to move or the game is over. The past of the game is a slice, and what
    /// follows a place in `actions`.
    #[expect(
        clippy::too_many_arguments,
        reason = "a game in parts, of which the caller shares some"
    )]
    fn reply(
        &self,
        py: Python<'_>,
        number: u64,
        setup: &Arc<Setup>,
        seat: Option<Player>,
        state: &mut State,
        (past, from): (&[Action], usize),
        actions: &mut Vec<Action>,
    ) -> PyResult<()> {
        let (Some(opponent), Some(seat)) = (&self.opponent, seat) else {
            return Ok(());
        };
        let agent = opponent.agent.get();
        while !state.is_over() && state.mover() != seat {
            check_interrupt(py)?;
            let ply = past.len() + actions.len() - from;
            let rng = stream(&[self.seed, OPPONENT_STREAM, number, ply as u64]);
            let past = past.iter().chain(&actions[from..]);
            let action = agent.choose(setup, state, past, opponent.budget, rng)?;
            *state = state.try_play(setup, action).map_err(|why| {
                raise::<AgentFault>(format!("{}: {action}: {why}", agent.file.name))
            })?;
            actions.push(action);
        }
        Ok(())
    }

    fn picks(&mut self, number: u64, setup: &Setup, state: &State, ply: usize) -> Picks {
        let Some(strategy) = self.placing else {
            return Picks::default();
        };
        let mut rng = stream(&[self.seed, PICK_STREAM, number, ply as u64]);
        picks(setup, state, strategy, &mut rng, &mut self.scratch)
    }
}

/// The arrays that every step overwrites. The first dimension is the game.
#[derive(FromPyObject)]
struct Arrays {
    planes: Py<PyArray4<u8>>,
    scalars: Py<PyArray2<f32>>,
    ring: Py<PyArray2<u8>>,
    action_mask: Py<PyArray2<bool>>,
    movers: Py<PyArray1<u8>>,
    over: Py<PyArray1<bool>>,
    rewards: Py<PyArray1<f32>>,
    scores: Py<PyArray2<i16>>,
}

/// The arrays while they are written.
struct Out<'py> {
    planes: PyReadwriteArray4<'py, u8>,
    scalars: PyReadwriteArray2<'py, f32>,
    ring: PyReadwriteArray2<'py, u8>,
    mask: PyReadwriteArray2<'py, bool>,
    movers: PyReadwriteArray1<'py, u8>,
    over: PyReadwriteArray1<'py, bool>,
    rewards: PyReadwriteArray1<'py, f32>,
    scores: PyReadwriteArray2<'py, i16>,
}

impl Arrays {
    /// The arrays, if they are still as they were made.
    fn open<'py>(&self, py: Python<'py>, games: usize, space: usize) -> PyResult<Out<'py>> {
        fn checked<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
            name: &str,
            array: &Py<numpy::PyArray<T, D>>,
            py: Python<'py>,
            len: usize,
        ) -> PyResult<PyReadwriteArray<'py, T, D>> {
            let array = array.bind(py).try_readwrite().ok();
            array
                .filter(|array| array.len() == len && array.is_c_contiguous())
                .ok_or_else(|| {
                    raise::<PyValueError>(format!(
                        "{name}: expected the array of this environment, writable and of its size; it was changed"
                    ))
                })
        }
        Ok(Out {
            planes: checked("planes", &self.planes, py, games * PLANE_BYTES)?,
            scalars: checked("scalars", &self.scalars, py, games * SCALARS.len())?,
            ring: checked("ring", &self.ring, py, games * RING)?,
            mask: checked("action_mask", &self.action_mask, py, games * space)?,
            movers: checked("movers", &self.movers, py, games)?,
            over: checked("over", &self.over, py, games)?,
            rewards: checked("rewards", &self.rewards, py, games)?,
            scores: checked("scores", &self.scores, py, games * 2)?,
        })
    }
}

/// A batch of games.
#[pyclass(module = "patchwork_arena._native")]
struct Games {
    table: Table,
    games: Vec<Game>,
    autoreset: Autoreset,
    /// The number of the next setup.
    number: u64,
    /// How often random actions were drawn.
    draws: u64,
    /// What a step will store.
    next: Vec<Next>,
    played: Vec<Action>,
    /// The games that the last step ended and replaced.
    replaced: Vec<(usize, Game)>,
    arrays: Arrays,
}

/// The seed, the numbers of the next setup and draw, and the states with their numbers.
type Dump = (u64, u64, u64, Vec<(PyState, u64)>);

#[pymethods]
impl Games {
    #[new]
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of a Python function with names"
    )]
    fn new(
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        track: &str,
        strategy: Option<&str>,
        opponent: Option<Py<PyAgent>>,
        seat: Option<&Bound<'_, PyAny>>,
        iterations: Option<&Bound<'_, PyAny>>,
        autoreset: &str,
        arrays: Arrays,
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "next-step" => Autoreset::NextStep,
            "same-step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                let what = "autoreset: expected next-step, same-step or disabled";
                return Err(raise::<PyValueError>(format!("{what}, found '{other}'")));
            }
        };
        let seat = seat.map(|given| self::seat("seat", given)).transpose()?;
        let opponent = match opponent {
            Some(agent) => Some(Opponent {
                budget: agent.get().budget(iterations, None)?,
                agent,
                seat,
            }),
            None if seat.is_some() || iterations.is_some() => {
                let what = "seat and iterations: require an agent as the opponent";
                return Err(raise::<PyValueError>(what));
            }
            None => None,
        };
        let table = Table {
            seed: self::seed(seed)?,
            rules: self::track(track)?,
            opponent,
            placing: strategy.map(self::strategy).transpose()?,
            scratch: Scratch::default(),
        };
        let count = arrays.over.bind(py).len();
        let mut games = Self {
            table,
            games: Vec::with_capacity(count),
            autoreset,
            number: count as u64,
            draws: 0,
            next: Vec::with_capacity(count),
            played: Vec::with_capacity(count),
            replaced: Vec::new(),
            arrays,
        };
        let mut out = games.arrays.open(py, count, games.space())?;
        for number in 0..count as u64 {
            let game = games.table.start(py, number)?;
            games.games.push(game);
        }
        games.write(&mut out)?;
        Ok(games)
    }

    /// The number of games of an argument.
    #[staticmethod]
    fn count(games: &Bound<'_, PyAny>) -> PyResult<u64> {
        whole("games", games, 1, MOST_GAMES)
    }

    /// Starts the games of a mask again: with these setups or the next ones of the sequence, or with another seed.
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        mask: Vec<bool>,
        setups: Option<Vec<PySetup>>,
    ) -> PyResult<()> {
        let old = (self.table.seed, self.number, self.draws);
        if let Some(seed) = seed {
            self.table.seed = self::seed(seed)?;
            (self.number, self.draws) = (0, 0);
        }
        let wanted = || (0..mask.len()).filter(|&game| mask[game]);
        let made = (0..).zip(wanted()).map(|(count, game): (u64, usize)| {
            let number = self.number + count;
            let chosen = setups.as_ref().map(|setups| &setups[count as usize].0);
            let game_of = |setup| PyState::start(Arc::clone(setup));
            let made = match chosen {
                Some(setup) => self.table.seat(py, number, &game_of(setup)),
                None => self.table.start(py, number),
            };
            Ok((game, made?))
        });
        let made: PyResult<Vec<_>> = made.collect();
        let made = made.and_then(|made| self.replace(py, made));
        match &made {
            Ok(()) => self.number += wanted().count() as u64,
            Err(_) => (self.table.seed, self.number, self.draws) = old,
        }
        made
    }

    /// Puts states in place of all games.
    fn set_states(&mut self, py: Python<'_>, states: &Bound<'_, PyAny>) -> PyResult<()> {
        let states = crate::game::states(states)?;
        if states.len() != self.games.len() {
            return Err(raise::<PyValueError>(format!(
                "states: expected {}, one for each game, found {}",
                self.games.len(),
                states.len()
            )));
        }
        if let Some(over) = states.iter().position(|one| one.state.is_over()) {
            let what = format!("states[{over}]: the game is over");
            return Err(raise::<IllegalAction>(what));
        }
        let made = states.iter().enumerate().map(|(game, state)| {
            let number = self.games[game].number;
            Ok((game, self.table.seat(py, number, state)?))
        });
        let made: PyResult<Vec<_>> = made.collect();
        self.replace(py, made?)
    }

    /// Plays an action in each game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = read_actions(actions, self.games.len())?;
        let mut out = self.arrays.open(py, self.games.len(), self.space())?;
        let actions = actions.as_slice()?;
        let fresh = guarded(|| self.advance(py, actions))??;
        // From here on, nothing fails.
        self.store(fresh, &mut out)?;
        self.write(&mut out)
    }

    /// A uniformly random legal action of each game, as an index.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut rng = stream(&[self.table.seed, ACTION_STREAM, self.draws]);
        let placing = self.table.placing.is_some();
        let games = self.games.iter();
        let actions = games.map(|game| {
            let Game { setup, state, .. } = game;
            if state.is_over() {
                return 0;
            }
            if placing {
                let legal = game.picks.iter().flatten().count() as u32;
                let drawn = below(legal.max(1), &mut rng) as usize;
                let mut legal = (0..).zip(&game.picks).filter(|(_, pick)| pick.is_some());
                return legal.nth(drawn).map_or(0, |(index, _)| index);
            }
            let action = state.random_action(setup, &mut rng);
            index_of_legal(setup, state, action) as i64
        });
        let actions: Vec<i64> = guarded(|| actions.collect())?;
        self.draws += 1;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// The states of the games.
    fn states(&self) -> PyResult<Vec<PyState>> {
        self.games.iter().map(Game::state).collect()
    }

    /// The games that the last step ended and replaced, with their ends and the players who are told.
    fn replaced(&self) -> PyResult<Vec<(usize, PyState, usize)>> {
        let games = self.replaced.iter();
        let ends = games.map(|(game, old)| Ok((*game, old.state()?, old.viewer().index())));
        ends.collect()
    }

    /// The setups of the games.
    fn setups(&self) -> Vec<PySetup> {
        let games = self.games.iter();
        games.map(|game| PySetup(Arc::clone(&game.setup))).collect()
    }

    /// The seats of the players who are stepped, with an opponent.
    fn seats(&self) -> Vec<Option<usize>> {
        let games = self.games.iter();
        games.map(|game| game.seat.map(Player::index)).collect()
    }

    /// What another batch needs to go on from here.
    fn dump(&self) -> PyResult<Dump> {
        let games = self.games.iter();
        let games = games.map(|game| Ok((game.state()?, game.number)));
        let games = games.collect::<PyResult<_>>()?;
        Ok((self.table.seed, self.number, self.draws, games))
    }

    /// Goes on from where another batch was.
    fn restore(&mut self, py: Python<'_>, dump: Dump) -> PyResult<()> {
        let (seed, number, draws, games) = dump;
        (self.table.seed, self.number, self.draws) = (seed, number, draws);
        let made = games.iter().enumerate().map(|(game, (state, number))| {
            let made = self.table.seat(py, *number, state)?;
            Ok((game, made))
        });
        let made: PyResult<Vec<_>> = made.collect();
        self.replace(py, made?)
    }
}

/// The actions of a step, as indices.
fn read_actions<'py>(
    actions: &Bound<'py, PyAny>,
    games: usize,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let array = actions.cast::<PyArray1<i64>>().ok();
    let array = array.and_then(|array| array.try_readonly().ok());
    let Some(array) = array else {
        let what = "actions: expected a one-dimensional array of int64";
        return Err(raise::<PyTypeError>(what));
    };
    if array.len() != games {
        return Err(raise::<PyValueError>(format!(
            "actions: expected shape ({games},), one action for each game, found ({},)",
            array.len()
        )));
    }
    Ok(array)
}

impl Games {
    /// The size of the action space.
    const fn space(&self) -> usize {
        if self.table.placing.is_some() {
            PICKS
        } else {
            ACTIONS
        }
    }

    /// Computes the games after the actions, and those that take the place of finished ones.
    fn advance(&mut self, py: Python<'_>, actions: &[i64]) -> PyResult<Vec<(usize, Game)>> {
        let Self {
            table,
            games,
            next,
            played,
            ..
        } = self;
        next.clear();
        played.clear();
        let mut fresh: Vec<(usize, Game)> = Vec::new();
        for (place, (game, &index)) in games.iter().zip(actions).enumerate() {
            let illegal = |why: String| {
                raise::<IllegalAction>(format!("game {place}: action {index}: {why}"))
            };
            let (mut state, mut picks) = (game.state, game.picks);
            let is_over = state.is_over();
            if !is_over {
                let action = if table.placing.is_some() {
                    pick_of(&picks, index)
                } else {
                    let index = usize::try_from(index).unwrap_or(usize::MAX);
                    action_of(&game.setup, &state, index)
                };
                let action = action.map_err(illegal)?;
                state = state
                    .try_play(&game.setup, action)
                    .map_err(|why| illegal(why.to_string()))?;
                let past = (&game.actions[..], played.len());
                played.push(action);
                let Game { number, seat, .. } = *game;
                table.reply(py, number, &game.setup, seat, &mut state, past, played)?;
                let ply = game.actions.len() + played.len() - past.1;
                picks = table.picks(number, &game.setup, &state, ply);
            } else if self.autoreset == Autoreset::Disabled {
                let what = "the game is over; expected reset with options={'reset_mask': ...}";
                return Err(illegal(what.to_owned()));
            }
            if is_over || (state.is_over() && self.autoreset == Autoreset::SameStep) {
                let number = self.number + fresh.len() as u64;
                fresh.push((place, table.start(py, number)?));
            }
            next.push(Next {
                state,
                actions: played.len(),
                picks,
            });
        }
        Ok(fresh)
    }

    /// Stores what was computed, and writes the results.
    fn store(&mut self, fresh: Vec<(usize, Game)>, out: &mut Out<'_>) -> PyResult<()> {
        let (over, rewards) = (out.over.as_slice_mut()?, out.rewards.as_slice_mut()?);
        let (scores, _) = out.scores.as_slice_mut()?.as_chunks_mut::<2>();
        let mut from = 0;
        for (place, (game, next)) in self.games.iter_mut().zip(&self.next).enumerate() {
            let viewer = game.viewer();
            let was_over = game.state.is_over();
            (game.state, game.picks, game.last) = (next.state, next.picks, viewer);
            game.actions.extend(&self.played[from..next.actions]);
            from = next.actions;
            let outcome = game.state.outcome().filter(|_| !was_over);
            over[place] = outcome.is_some();
            rewards[place] = match &outcome {
                Some(outcome) if outcome.winner == viewer => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
            scores[place] = outcome.map_or([0; 2], |outcome| outcome.scores);
        }
        self.number += fresh.len() as u64;
        self.replaced.clear();
        for (place, game) in fresh {
            let old = std::mem::replace(&mut self.games[place], game);
            if self.autoreset == Autoreset::SameStep {
                self.replaced.push((place, old));
            }
        }
        Ok(())
    }

    /// Puts other games in place of some, or of none if the arrays cannot be written.
    fn replace(&mut self, py: Python<'_>, made: Vec<(usize, Game)>) -> PyResult<()> {
        let mut out = self.arrays.open(py, self.games.len(), self.space())?;
        let (over, rewards) = (out.over.as_slice_mut()?, out.rewards.as_slice_mut()?);
        let (scores, _) = out.scores.as_slice_mut()?.as_chunks_mut::<2>();
        self.replaced.clear();
        for (place, game) in made {
            self.games[place] = game;
            (over[place], rewards[place], scores[place]) = (false, 0.0, [0; 2]);
        }
        self.write(&mut out)
    }

    /// Writes the observations, the masks and the players to move.
    fn write(&self, out: &mut Out<'_>) -> PyResult<()> {
        let placing = self.table.placing.is_some();
        let planes = out.planes.as_slice_mut()?.chunks_exact_mut(PLANE_BYTES);
        let scalars = out.scalars.as_slice_mut()?.chunks_exact_mut(SCALARS.len());
        let ring = out.ring.as_slice_mut()?.chunks_exact_mut(RING);
        let masks = out.mask.as_slice_mut()?.chunks_exact_mut(self.space());
        let movers = out.movers.as_slice_mut()?.iter_mut();
        let outs = planes.zip(scalars).zip(ring).zip(masks).zip(movers);
        for (game, ((((planes, scalars), ring), mask), mover)) in self.games.iter().zip(outs) {
            let Game { setup, state, .. } = game;
            let player = game.viewer();
            *mover = player.index() as u8;
            let out = Observation {
                planes,
                scalars,
                ring,
            };
            observe(setup, state, player, out);
            if placing {
                mask.iter_mut()
                    .zip(&game.picks)
                    .for_each(|(legal, pick)| *legal = pick.is_some());
            } else {
                write_mask(setup, state, mask);
            }
            // The next action of a finished game counts for nothing; a sampler needs one.
            mask[0] |= state.is_over();
        }
        Ok(())
    }
}

/// The action of an index of the space of picks.
fn pick_of(picks: &Picks, index: i64) -> Result<Action, String> {
    let index = usize::try_from(index).ok();
    let pick = index.and_then(|index| picks.get(index).copied().flatten());
    pick.ok_or_else(|| {
        let legal = (0..).zip(picks).filter(|(_, pick)| pick.is_some());
        let legal: Vec<String> = legal
            .map(|(index, _): (u32, _)| index.to_string())
            .collect();
        format!("expected a legal pick: {}", legal.join(" or "))
    })
}
