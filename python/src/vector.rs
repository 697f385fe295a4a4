//! Many games that are stepped together, without Python for each of them.
//!
//! Everything that can fail comes first: the arrays are looked at, the actions, the replies of the opponent and the next games
//! are computed. What follows only stores them, so that an exception leaves all games as they were.

use std::sync::Arc;

use numpy::ndarray::Dimension;
use numpy::{
    Element, Ix1, Ix2, Ix4, PyArray, PyArray1, PyArrayMethods as _, PyReadonlyArray1,
    PyReadonlyArray2, PyReadwriteArray, PyUntypedArrayMethods as _,
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
use crate::game::{PyAction, PySetup, PyState, hash_of, numbered, track};
use crate::observation::{
    Observation, PLANE_BYTES, PLANES, RING, RowArrays, Rows, SCALARS, VECTOR, observe, write_vector,
};
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
const MAX_GAMES: u64 = 1 << 20;

/// A game of the batch. It is small, because every step goes through all of them.
struct Game {
    /// The seed and the number of its setup, from which its random choices follow, too.
    origin: Origin,
    setup: Setup,
    state: State,
    /// The actions so far, as indices of the action space.
    actions: Vec<u16>,
    /// The seat of the player who is stepped, if there is an opponent.
    seat: Option<Player>,
    /// Who acted last in a step.
    last: Player,
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
        let start = PyState::start(Arc::new(self.setup.clone()));
        let mut actions = self.actions.iter();
        actions.try_fold(start, |state, &index| {
            let action = action_of(&self.setup, &state.state, usize::from(index));
            state.after(action.map_err(raise::<IllegalAction>)?)
        })
    }
}

/// A game after a step. Its actions are those of all games up to the end of its own.
struct Next {
    state: State,
    actions: usize,
}

/// A seed, and the number of a setup in its sequence.
type Origin = (u64, u64);

/// Games with their places and picks.
type Made = Vec<(usize, (Game, Picks))>;

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
    rules: Rules,
    opponent: Option<Opponent>,
    placing: Option<Strategy>,
    scratch: Scratch,
}

impl Table {
    /// A game, as far as the player who is stepped is to move, and its picks.
    fn seat(&mut self, py: Python<'_>, origin: Origin, start: &PyState) -> PyResult<(Game, Picks)> {
        let turn = Player::BOTH[(origin.1 % 2) as usize];
        let mut game = Game {
            origin,
            setup: (*start.setup).clone(),
            state: State::new(&start.setup),
            actions: Vec::with_capacity(64),
            seat: self
                .opponent
                .as_ref()
                .map(|opponent| opponent.seat.unwrap_or(turn)),
            last: Player::First,
        };
        for action in start.actions() {
            game.last = game.state.mover();
            let index = index_of_legal(&game.setup, &game.state, action);
            game.actions.push(index as u16);
            game.state.play_unchecked(&game.setup, action);
        }
        let mut replies = Vec::new();
        game.state = self.reply(py, &game, game.state, &mut replies)?;
        game.actions.extend(replies);
        let picks = self.picks(&game, &game.state);
        Ok((game, picks))
    }

    /// The game of a seed and a number, from the start.
    fn start(&mut self, py: Python<'_>, origin: Origin) -> PyResult<(Game, Picks)> {
        let setup = numbered(origin.0, origin.1, self.rules);
        self.seat(py, origin, &PyState::start(Arc::new(setup)))
    }

    /// The state after the replies of the opponent, in which the other player is to move or the game is over. The state
    /// follows the game by the last of `played`, if that is not empty, and the replies are added there.
    fn reply(
        &self,
        py: Python<'_>,
        game: &Game,
        mut state: State,
        played: &mut Vec<u16>,
    ) -> PyResult<State> {
        let (Some(opponent), Some(seat)) = (&self.opponent, game.seat) else {
            return Ok(state);
        };
        if state.is_over() || state.mover() == seat {
            return Ok(state);
        }
        let (agent, setup) = (opponent.agent.get(), &game.setup);
        let mut past = game.state()?;
        if past.state != state {
            let last = usize::from(played.last().copied().unwrap_or_default());
            let action = action_of(setup, &past.state, last).map_err(raise::<IllegalAction>)?;
            past = past.after(action)?;
        }
        while !state.is_over() && state.mover() != seat {
            check_interrupt(py)?;
            let before = past.actions();
            let (seed, number) = game.origin;
            let purpose = [seed, OPPONENT_STREAM, number, before.len() as u64];
            let rng = stream(&purpose);
            let action = agent.choose(py, setup, &state, &before, opponent.budget, rng)?;
            past = past.after(action).map_err(|error| {
                raise::<AgentFault>(format!("{}: {}", agent.file.name, error.value(py)))
            })?;
            played.push(index_of_legal(setup, &state, action) as u16);
            state = past.state;
        }
        Ok(state)
    }

    /// The picks of a game in a state; none without a strategy.
    fn picks(&mut self, game: &Game, state: &State) -> Picks {
        let Some(strategy) = self.placing else {
            return Picks::default();
        };
        let (seed, number) = game.origin;
        let purpose = [seed, PICK_STREAM, number, hash_of(state)];
        picks(
            &game.setup,
            state,
            strategy,
            &mut stream(&purpose),
            &mut self.scratch,
        )
    }
}

/// Declares the arrays that every step overwrites: names, elements, dimensions and shapes. The first dimension is the game.
macro_rules! arrays {
    ($games:ident, $space:ident, $vectors:ident; $($name:ident: $element:ty, $dimension:ty, $shape:expr;)+) => {
        /// The arrays of a batch.
        #[pyclass(frozen, get_all, module = "patchwork_arena._native")]
        struct Arrays {
            /// The numbers of games, of actions and of vectors.
            sizes: (usize, usize, usize),
            $($name: Py<PyArray<$element, $dimension>>,)+
        }

        /// The arrays while they are written.
        struct Out<'py> {
            $($name: PyReadwriteArray<'py, $element, $dimension>,)+
        }

        impl Arrays {
            fn new(py: Python<'_>, $games: usize, $space: usize, $vectors: usize) -> Self {
                Self {
                    sizes: ($games, $space, $vectors),
                    $($name: PyArray::zeros(py, $shape, false).unbind(),)+
                }
            }

            /// The arrays, if they are still as they were made.
            fn open<'py>(&self, py: Python<'py>) -> PyResult<Out<'py>> {
                let ($games, $space, $vectors) = self.sizes;
                Ok(Out {
                    $($name: writable(stringify!($name), self.$name.bind(py), &$shape)?,)+
                })
            }
        }
    };
}

arrays! {
    games, space, vectors;
    planes: u8, Ix4, [games, PLANES, 9, 9];
    scalars: f32, Ix2, [games, SCALARS.len()];
    ring: u8, Ix2, [games, RING];
    vector: f32, Ix2, [vectors, VECTOR];
    action_mask: bool, Ix2, [games, space];
    movers: u8, Ix1, [games];
    over: bool, Ix1, [games];
    rewards: f32, Ix1, [games];
    scores: i16, Ix2, [games, 2];
}

fn writable<'py, T: Element, D: Dimension>(
    name: &str,
    array: &Bound<'py, PyArray<T, D>>,
    shape: &[usize],
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let open = array.try_readwrite().ok();
    let open = open.filter(|array| array.shape() == shape && array.is_c_contiguous());
    open.ok_or_else(|| {
        let what = "expected the array of this environment, writable and of its size";
        raise::<PyValueError>(format!("{name}: {what}; it was changed"))
    })
}

/// A batch of games.
#[pyclass(module = "patchwork_arena._native")]
struct Games {
    table: Table,
    games: Vec<Game>,
    /// The actions of the space of picks in each game, with a strategy; otherwise empty.
    picks: Vec<Picks>,
    autoreset: Autoreset,
    /// The next setup of all games, or of each of them.
    next_setups: Vec<Origin>,
    /// How often random actions were drawn.
    draws: u64,
    /// What a step will store.
    next: Vec<Next>,
    next_picks: Vec<Picks>,
    played: Vec<u16>,
    /// The games that the last step ended and replaced.
    replaced: Vec<(usize, Game)>,
    #[pyo3(get)]
    arrays: Py<Arrays>,
}

/// The next setups, the number of the next draw, and the states with the origins of their setups.
type Dump = (Vec<Origin>, u64, Vec<(PyState, Origin)>);

#[pymethods]
impl Games {
    #[new]
    fn new(
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        has_vectors: bool,
        seed: &Bound<'_, PyAny>,
        track: &str,
        strategy: Option<&str>,
        opponent: Option<Py<PyAgent>>,
        seat: Option<&Bound<'_, PyAny>>,
        iterations: Option<&Bound<'_, PyAny>>,
        autoreset: &str,
    ) -> PyResult<Self> {
        let count = whole("games", games, 1, MAX_GAMES)? as usize;
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
        let seed = self::seed(seed)?;
        let table = Table {
            rules: self::track(track)?,
            opponent,
            placing: strategy.map(self::strategy).transpose()?,
            scratch: Scratch::default(),
        };
        let space = if table.placing.is_some() {
            PICKS
        } else {
            ACTIONS
        };
        let vectors = if has_vectors { count } else { 0 };
        let mut games = Self {
            table,
            games: Vec::with_capacity(count),
            picks: Vec::new(),
            autoreset,
            next_setups: vec![(seed, count as u64)],
            draws: 0,
            next: Vec::with_capacity(count),
            next_picks: Vec::new(),
            played: Vec::with_capacity(count),
            replaced: Vec::new(),
            arrays: Py::new(py, Arrays::new(py, count, space, vectors))?,
        };
        let mut out = games.arrays.get().open(py)?;
        for number in 0..count as u64 {
            let (game, picks) = games.table.start(py, (seed, number))?;
            games.games.push(game);
            if games.table.placing.is_some() {
                games.picks.push(picks);
            }
        }
        games.write(&mut out)?;
        Ok(games)
    }

    /// Starts the games of a mask again: with these setups or the next ones, or with another seed for all or for each.
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Option<Vec<Bound<'_, PyAny>>>,
        mask: Vec<bool>,
        setups: Option<Vec<PySetup>>,
    ) -> PyResult<()> {
        let (mut next, mut draws) = (self.next_setups.clone(), self.draws);
        if let Some(seeds) = seeds {
            let seeds = seeds.iter().map(|seed| Ok((self::seed(seed)?, 0)));
            (next, draws) = (seeds.collect::<PyResult<_>>()?, 0);
        }
        let mut setups = setups.map(Vec::into_iter);
        let each = next.len();
        let wanted = (0..mask.len()).filter(|&game| mask[game]);
        let made = wanted.map(|game| {
            let origin = next[game % each];
            next[game % each].1 += 1;
            let chosen = setups.as_mut().and_then(Iterator::next);
            let made = match chosen {
                Some(setup) => self.table.seat(py, origin, &PyState::start(setup.0)),
                None => self.table.start(py, origin),
            };
            Ok((game, made?))
        });
        let made: PyResult<Made> = made.collect();
        self.replace(py, made?)?;
        (self.next_setups, self.draws) = (next, draws);
        Ok(())
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
        if let Some(cut) = states.iter().position(|one| !one.is_whole()) {
            let what = "expected a state whose history begins at the start of the game";
            return Err(raise::<PyValueError>(format!("states[{cut}]: {what}")));
        }
        let made = states.iter().enumerate().map(|(game, state)| {
            let origin = self.games[game].origin;
            Ok((game, self.table.seat(py, origin, state)?))
        });
        let made: PyResult<Made> = made.collect();
        self.replace(py, made?)
    }

    /// Plays an action in each game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = read_actions(actions, self.games.len())?;
        let mut out = self.arrays.get().open(py)?;
        let actions = actions.as_slice()?;
        let fresh = guarded(|| self.advance(py, actions))??;
        // From here on, nothing fails.
        self.store(fresh, &mut out)?;
        self.write(&mut out)
    }

    /// A uniformly random legal action of each game, as an index.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut rng = stream(&[self.next_setups[0].0, ACTION_STREAM, self.draws]);
        let games = self.games.iter().enumerate();
        let actions = games.map(|(place, Game { setup, state, .. })| {
            if state.is_over() {
                return 0;
            }
            if let Some(picks) = self.picks.get(place) {
                let legal = picks.iter().flatten().count() as u32;
                let drawn = below(legal.max(1), &mut rng) as usize;
                let mut legal = (0..).zip(picks).filter(|(_, pick)| pick.is_some());
                return legal.nth(drawn).map_or(0, |(index, _)| index);
            }
            let action = state.random_action(setup, &mut rng);
            index_of_legal(setup, state, action) as i64
        });
        let actions: Vec<i64> = guarded(|| actions.collect())?;
        self.draws += 1;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// The legal action of each game with the greatest number.
    fn best_actions<'py>(
        &self,
        py: Python<'py>,
        logits: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut out = self.arrays.get().open(py)?;
        let masks = out.action_mask.as_slice_mut()?.chunks_exact(self.space());
        let rows = logits.as_slice()?.chunks_exact(self.space()).zip(masks);
        let best = rows.map(|(logits, mask)| {
            let (mut best, mut most) = (None, f32::NEG_INFINITY);
            let mut look = |index: usize| {
                if best.is_none() || logits[index] > most {
                    (best, most) = (Some(index as i64), logits[index]);
                }
            };
            // Few actions are legal: eight elements of the mask are one number, whose bits are theirs.
            let (eights, rest) = mask.as_chunks::<8>();
            for (block, eight) in (0..).step_by(8).zip(eights.iter()) {
                let mut legal = u64::from_le_bytes(eight.map(u8::from));
                while legal != 0 {
                    look(block + legal.trailing_zeros() as usize / 8);
                    legal &= legal - 1;
                }
            }
            let last = (mask.len() - rest.len()..).zip(rest.iter());
            last.filter(|(_, legal)| **legal)
                .for_each(|(index, _)| look(index));
            best.unwrap_or(0)
        });
        Ok(PyArray1::from_vec(py, best.collect()))
    }

    /// The states of the games.
    fn states(&self) -> PyResult<Vec<PyState>> {
        self.games.iter().map(Game::state).collect()
    }

    /// The games that the last step ended and replaced, with their ends.
    fn replaced(&self) -> PyResult<Vec<(usize, PyState)>> {
        let games = self.replaced.iter();
        games.map(|(game, old)| Ok((*game, old.state()?))).collect()
    }

    /// The last observations of these games.
    fn replaced_observations<'py>(&self, py: Python<'py>) -> PyResult<RowArrays<'py>> {
        let mut rows = Rows::default();
        for (_, game) in &self.replaced {
            rows.push(&game.setup, &game.state, game.viewer());
        }
        rows.arrays(py)
    }

    /// The actions of the space of picks in a game.
    fn picks(&self, place: usize) -> Vec<Option<PyAction>> {
        let picks = self.picks.get(place).into_iter().flatten();
        picks.map(|pick| pick.map(PyAction)).collect()
    }

    /// The seats of the players who are stepped, with an opponent.
    fn seats(&self) -> Vec<Option<usize>> {
        let games = self.games.iter();
        games.map(|game| game.seat.map(Player::index)).collect()
    }

    /// What another batch needs to go on from here.
    fn dump(&self) -> PyResult<Dump> {
        let games = self.games.iter();
        let games = games.map(|game| Ok((game.state()?, game.origin)));
        let games = games.collect::<PyResult<_>>()?;
        Ok((self.next_setups.clone(), self.draws, games))
    }

    /// Goes on from where another batch was.
    fn restore(&mut self, py: Python<'_>, dump: Dump) -> PyResult<()> {
        let games;
        (self.next_setups, self.draws, games) = dump;
        let made = games.iter().enumerate().map(|(game, (state, origin))| {
            let made = self.table.seat(py, *origin, state)?;
            Ok((game, made))
        });
        let made: PyResult<Made> = made.collect();
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
    fn space(&self) -> usize {
        self.arrays.get().sizes.1
    }

    /// Computes the games after the actions, and those that take the place of finished ones.
    fn advance(&mut self, py: Python<'_>, actions: &[i64]) -> PyResult<Made> {
        let Self {
            table,
            games,
            picks,
            next,
            next_picks,
            played,
            next_setups,
            ..
        } = self;
        next.clear();
        next_picks.clear();
        played.clear();
        let mut fresh = Made::new();
        for (place, (game, &given)) in games.iter().zip(actions).enumerate() {
            let illegal = |why: String| {
                raise::<IllegalAction>(format!("game {place}: action {given}: {why}"))
            };
            let (mut state, is_over) = (game.state, game.state.is_over());
            if !is_over {
                let action = match picks.get(place) {
                    Some(picks) => pick_of(picks, given),
                    None => {
                        let index = usize::try_from(given).unwrap_or(usize::MAX);
                        action_of(&game.setup, &state, index)
                    }
                };
                let action = action.map_err(illegal)?;
                let after = state.try_play(&game.setup, action);
                let after = after.map_err(|why| illegal(why.to_string()))?;
                played.push(if picks.is_empty() {
                    given as u16
                } else {
                    index_of_legal(&game.setup, &state, action) as u16
                });
                state = match game.seat {
                    Some(_) => table.reply(py, game, after, played)?,
                    None => after,
                };
            } else if self.autoreset == Autoreset::Disabled {
                let what = "the game is over; expected reset with options={'reset_mask': ...}";
                return Err(illegal(what.to_owned()));
            }
            if !picks.is_empty() {
                next_picks.push(table.picks(game, &state));
            }
            if is_over || (state.is_over() && self.autoreset == Autoreset::SameStep) {
                let (seed, mut number) = next_setups[place % next_setups.len()];
                if next_setups.len() == 1 {
                    number += fresh.len() as u64;
                }
                fresh.push((place, table.start(py, (seed, number))?));
            }
            next.push(Next {
                state,
                actions: played.len(),
            });
        }
        Ok(fresh)
    }

    /// Stores what was computed, and writes the results.
    fn store(&mut self, fresh: Made, out: &mut Out<'_>) -> PyResult<()> {
        let (over, rewards) = (out.over.as_slice_mut()?, out.rewards.as_slice_mut()?);
        let (scores, _) = out.scores.as_slice_mut()?.as_chunks_mut::<2>();
        let mut from = 0;
        for (place, (game, next)) in self.games.iter_mut().zip(&self.next).enumerate() {
            let viewer = game.viewer();
            let was_over = game.state.is_over();
            (game.state, game.last) = (next.state, viewer);
            match self.played[from..next.actions] {
                [one] => game.actions.push(one),
                ref several => game.actions.extend_from_slice(several),
            }
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
        let each = self.next_setups.len();
        self.picks.copy_from_slice(&self.next_picks);
        self.replaced.clear();
        for (place, (game, picks)) in fresh {
            self.next_setups[place % each].1 += 1;
            self.put_picks(place, picks);
            let old = std::mem::replace(&mut self.games[place], game);
            if self.autoreset == Autoreset::SameStep {
                self.replaced.push((place, old));
            }
        }
        Ok(())
    }

    /// Puts other games in place of some, or of none if the arrays cannot be written.
    fn replace(&mut self, py: Python<'_>, made: Made) -> PyResult<()> {
        let mut out = self.arrays.get().open(py)?;
        let (over, rewards) = (out.over.as_slice_mut()?, out.rewards.as_slice_mut()?);
        let (scores, _) = out.scores.as_slice_mut()?.as_chunks_mut::<2>();
        self.replaced.clear();
        for (place, (game, picks)) in made {
            self.games[place] = game;
            self.put_picks(place, picks);
            (over[place], rewards[place], scores[place]) = (false, 0.0, [0; 2]);
        }
        self.write(&mut out)
    }

    fn put_picks(&mut self, place: usize, picks: Picks) {
        if let Some(old) = self.picks.get_mut(place) {
            *old = picks;
        }
    }

    /// Writes the observations, the masks and the players to move.
    fn write(&self, out: &mut Out<'_>) -> PyResult<()> {
        let planes = out.planes.as_slice_mut()?.chunks_exact_mut(PLANE_BYTES);
        let scalars = out.scalars.as_slice_mut()?.chunks_exact_mut(SCALARS.len());
        let ring = out.ring.as_slice_mut()?.chunks_exact_mut(RING);
        let masks = out
            .action_mask
            .as_slice_mut()?
            .chunks_exact_mut(self.space());
        let movers = out.movers.as_slice_mut()?.iter_mut();
        let vectors = out.vector.as_slice_mut()?;
        let outs = planes.zip(scalars).zip(ring).zip(masks).zip(movers);
        for (place, (game, ((((planes, scalars), ring), mask), mover))) in
            self.games.iter().zip(outs).enumerate()
        {
            let Game { setup, state, .. } = game;
            let player = game.viewer();
            *mover = player.index() as u8;
            let out = Observation {
                planes: &mut *planes,
                scalars: &mut *scalars,
                ring: &mut *ring,
            };
            observe(setup, state, player, out);
            if let Some(vector) = vectors.get_mut(place * VECTOR..(place + 1) * VECTOR) {
                write_vector(planes, scalars, ring, vector);
            }
            match self.picks.get(place) {
                Some(picks) => mask
                    .iter_mut()
                    .zip(picks)
                    .for_each(|(legal, pick)| *legal = pick.is_some()),
                None => write_mask(setup, state, mask),
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
